// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Small helpers of places in pictures.
#ifndef SINEW_APPS_CLI_PLACE_H
#define SINEW_APPS_CLI_PLACE_H

#include <math.h>
#include <sinew/base.h>

static inline void put(float out[3], snVec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static inline snVec3 minus(snVec3 a, snVec3 b)
{
    return (snVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline snVec3 along(snVec3 a, double s, snVec3 b)
{
    return (snVec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double lengthOf(snVec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

// v turned by q: v + 2 u x (u x v + w v), u the vector part.
static inline snVec3 turn(snQuat q, snVec3 v)
{
    snVec3 t = {q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y,
                q.x * v.y - q.y * v.x + q.w * v.z};
    return (snVec3){v.x + 2 * (q.y * t.z - q.z * t.y), v.y + 2 * (q.z * t.x - q.x * t.z),
                    v.z + 2 * (q.x * t.y - q.y * t.x)};
}

#endif
