// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which joint of a clip each bone of a skeleton follows.
#ifndef SN_RIG_MATCH_H
#define SN_RIG_MATCH_H

#include "rig/clip.h"
#include "skel/skeleton.h"

typedef struct snMatch {
    int32_t* joint;                 // that a bone follows, or -1; (bone_count)
    int32_t* roles;                 // of bones; (bone_count)
    int32_t bone_of[SN_ROLE_COUNT]; // -1: there is none
    int32_t count;                  // bones that follow one
} snMatch;

// By the mapping file, by equal names, then by what the names mean. Fails when nothing fits.
snStatus snMatch_Find(snArena* arena, const snClip* clip, const snSkeleton* skeleton,
                      snMatch* match, snMessage* why);

// The same with other names that say what bones are; equal names are still those of the skeleton.
// called: (bone_count)
snStatus snMatch_Called(snArena* arena, const snClip* clip, const snSkeleton* skeleton,
                        const char* const* called, snMatch* match, snMessage* why);

#define SN_MATCH_MORE 16 // bytes for " and N more"

// "'a', 'b' and 3 more": names that follow nothing (joint NULL: all), as many as fit.
void snMatch_List(const char* const* names, const int32_t* joint, int32_t count, char* out,
                  size_t size);

#endif
