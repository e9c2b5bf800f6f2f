// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/drift_pass.h"
#include "math/isa.h"
#include <math.h>

enum { LANES = 16 };

typedef struct Most {
    float outer[LANES], inner[LANES], own[LANES];
} Most;

static void compare(const snDriftMotion* m, const snVec4f* restrict x, const snVec4f* restrict v,
                    int32_t count, Most* restrict most)
{
#pragma omp simd
    for (int32_t i = 0; i < count; ++i) {
        float vx = v[i].x, vy = v[i].y, vz = v[i].z;
        float a = vx - m->v[0], b = vy - m->v[1], c = vz - m->v[2];
        float d = vx - (m->u[0] + (m->w[1] * x[i].z - m->w[2] * x[i].y));
        float e = vy - (m->u[1] + (m->w[2] * x[i].x - m->w[0] * x[i].z));
        float f = vz - (m->u[2] + (m->w[0] * x[i].y - m->w[1] * x[i].x));
        float outer = vx * vx + vy * vy + vz * vz;
        float inner = a * a + b * b + c * c, own = d * d + e * e + f * f;
        most->outer[i] = outer > most->outer[i] ? outer : most->outer[i];
        most->inner[i] = inner > most->inner[i] ? inner : most->inner[i];
        most->own[i] = own > most->own[i] ? own : most->own[i];
    }
}

static float largest(const float* lanes)
{
    float most = 0;
    for (int i = 0; i < LANES; ++i) {
        most = lanes[i] > most ? lanes[i] : most;
    }
    return most;
}

snDriftFcn SN_ISA_NAME(snDriftSquares);

snDriftSquares SN_ISA_NAME(snDriftSquares)(const snDriftMotion* motion, const snVec4f* x,
                                           const snVec4f* v, int32_t count)
{
    Most most = {{0}, {0}, {0}};
    int32_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        compare(motion, x + i, v + i, LANES, &most);
    }
    compare(motion, x + i, v + i, count - i, &most);
    return (snDriftSquares){largest(most.outer), largest(most.inner), largest(most.own)};
}

snWanderFcn SN_ISA_NAME(snWanderNodes);

bool SN_ISA_NAME(snWanderNodes)(const snDriftMotion* m, const snVec4f* restrict x,
                                const snVec4f* restrict v, int32_t count, const snWander* wander)
{
    const float* restrict margin = wander->margin;
    float* restrict way = wander->way, * restrict travel = wander->travel;
    const float since = wander->since, more = wander->more;
    int32_t spent = 0;
#pragma omp simd reduction(| : spent)
    for (int32_t i = 0; i < count; ++i) {
        float d = v[i].x - (m->u[0] + (m->w[1] * x[i].z - m->w[2] * x[i].y));
        float e = v[i].y - (m->u[1] + (m->w[2] * x[i].x - m->w[0] * x[i].z));
        float f = v[i].z - (m->u[2] + (m->w[0] * x[i].y - m->w[1] * x[i].x));
        way[i] = since * sqrtf(d * d + e * e + f * f) + more;
        travel[i] += way[i];
        spent |= travel[i] > margin[i];
    }
    return spent != 0;
}
