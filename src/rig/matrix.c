// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/matrix.h"

// cos of the angle between axes from which on a map has shear; files hold 32-bit floats
#define SHEAR 1e-4

// An axis that has shrunk to nothing points wherever the other two let it.
static snVec3 replace(snVec3 a, snVec3 b, snVec3 otherwise)
{
    bool has_a = snLengthSq(a) > 0.5, has_b = snLengthSq(b) > 0.5;
    snVec3 across = snNormalize(snCross(a, b));
    if (has_a && has_b && snLengthSq(across) > 0.5) {
        return across;
    }
    return has_a || has_b ? snPerpendicular(has_a ? a : b) : otherwise;
}

bool snMatrix_Split(const snMatrix* m, snVec3* translation, snQuat* rotation, snVec3* scale)
{
    snVec3 length = snV3(snLength(m->x), snLength(m->y), snLength(m->z));
    snVec3 x = snNormalize(m->x), y = snNormalize(m->y), z = snNormalize(m->z);
    x = snLengthSq(x) > 0.5 ? x : replace(y, z, snV3(1, 0, 0));
    y = snLengthSq(y) > 0.5 ? y : replace(z, x, snV3(0, 1, 0));
    z = snLengthSq(z) > 0.5 ? z : replace(x, y, snV3(0, 0, 1));
    double mirror = snDot(x, snCross(y, z)) < 0 ? -1 : 1;
    bool straight =
        fabs(snDot(x, y)) <= SHEAR && fabs(snDot(y, z)) <= SHEAR && fabs(snDot(z, x)) <= SHEAR;
    x = snScale(mirror, x);
    z = replace(x, y, z); // across both; then y across these
    *translation = m->p;
    *rotation = snQFromMat(snMatFromCols(x, snCross(z, x), z));
    *scale = snV3(mirror * length.x, length.y, length.z);
    return straight;
}
