// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A clip of one rig for another one whose nodes are called alike and have the same axes, whatever
// pose either was saved in. That is seen from where nodes sit on their parents, which no pose
// changes: offsets point the same way and are longer or shorter by the same part.
//
// Local rotations are then the same motion, and keys are copied as they are. If lengths are the
// same too, so are all others. Else translations grow in proportion, and what is not the root keeps
// its own offset but for what the clip adds.
#ifndef SN_RIG_TRANSFER_H
#define SN_RIG_TRANSFER_H

#include "rig/rig.h"

typedef struct snTransfer {
    const snRig *from, *to;
    int32_t* pair; // node of `from` for each one of `to`, or -1; (node_count of `to`)
    int32_t count; // of pairs
    bool fits;     // the two are built alike
    bool is_exact; // lengths are the same
    double scale;  // lengths of `to` over those of `from`
} snTransfer;

// names: what nodes of `from` are called, NULL = nothing; (node_count of `from`). Lies in the
// arena.
snStatus snTransfer_Find(snArena* arena, const snRig* from, const char* const* names,
                         const snRig* to, snTransfer* transfer, snMessage* why);

// The clip, which has the arena's keys or those of `from`. *moved: nodes that it moves
snStatus snTransfer_Copy(snArena* arena, const snTransfer* transfer, const snRigClipData* clip,
                         snRigClipData* out, int32_t* moved, snMessage* why);

#endif
