// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Bones in the zero pose, as flesh sees them: a segment with a radius.
#ifndef SN_FLESH_ROD_H
#define SN_FLESH_ROD_H

#include "base/memory.h"
#include "math/mat.h"
#include "skel/skeleton.h"

SN_BEGIN_C

typedef struct snRod {
    snVec3 from, to; // character's frame, m; from is the bone's origin
    double radius;   // m; a tenth of the length where the bone has none
    snMat3 R;        // bone's axes
} snRod;

// One per bone, from the arena; NULL when there is no memory.
snRod* snRods_Place(snArena* arena, const snSkeleton* skeleton);

// From p to the nearest point of the segment, m.
SN_FN double snSegmentDistance(snVec3 from, snVec3 to, snVec3 p)
{
    snVec3 d = snSub(to, from);
    double square = snLengthSq(d), t = square > 0 ? snDot(snSub(p, from), d) / square : 0;
    return snLength(snSub(p, snMulAdd(from, t < 0 ? 0 : t > 1 ? 1 : t, d)));
}

SN_END_C

#endif
