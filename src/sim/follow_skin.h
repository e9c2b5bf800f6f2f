// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Vertices that hang in flesh, as skinning alone has them in the world.
#ifndef SN_SIM_FOLLOW_SKIN_H
#define SN_SIM_FOLLOW_SKIN_H

#include "sim/follow_drive.h"

typedef struct snFollowSkin {
    const snRigBody* body;
    int32_t vertex_count;
    int32_t* vertices;  // welded ones in the flesh; (vertex_count)
    int32_t* instances; // of each; (vertex_count)
    snMatrix* joints;   // of one skin after the other
    int32_t* first;     // of each skin; (skin_count)
} snFollowSkin;

// Memory is the arena's.
snStatus snFollowSkin_Build(snFollowSkin* skin, snArena* arena, const snRigBody* body,
                            snMessage* why);

// The pose of the drive's nodes
void snFollowSkin_Update(snFollowSkin* skin, const snFollowDrive* drive);

// Where the i-th of them then is, m
snVec3 snFollowSkin_At(const snFollowSkin* skin, int32_t i);

static inline const snTie* snFollowSkin_Tie(const snFollowSkin* skin, int32_t i)
{
    return &skin->body->ties[skin->vertices[i]];
}

#endif
