// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/drift_pass.h"

#include "math/isa.h"
#include "math/mat.h"
#include <math.h>

// Nodes that tell of the whole, about
#define SAMPLES 16

static snVec3 widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

// With d and u the places and velocities about their means: (sum |d|^2 - d d') w = sum d x u.
static snVec3 turning(const snVec4f* x, const snVec4f* v, int32_t count, int32_t stride,
                      snVec3 middle, snVec3 mean)
{
    snSym3 I = {0};
    snVec3 L = snV3(0, 0, 0);
    for (int32_t i = 0; i < count; i += stride) {
        snVec3 d = snSub(widen(x[i]), middle);
        L = snAdd(L, snCross(d, snSub(widen(v[i]), mean)));
        I.xx += d.y * d.y + d.z * d.z, I.yy += d.x * d.x + d.z * d.z;
        I.zz += d.x * d.x + d.y * d.y;
        I.xy -= d.x * d.y, I.xz -= d.x * d.z, I.yz -= d.y * d.z;
    }
    bool ok;
    snVec3 w = snSymVec(snSymInverse(I, &ok), L);
    return ok && isfinite(snLengthSq(w)) ? w : snV3(0, 0, 0);
}

SN_ISA_DECLARE(snDriftFcn, snDriftSquares);

void snDrift_Measure(snIsa isa, const snVec4f* x, const snVec4f* v, int32_t count, snDrift* drift)
{
    int32_t stride = count > SAMPLES ? count / SAMPLES : 1, samples = 0;
    snVec3 middle = snV3(0, 0, 0), mean = snV3(0, 0, 0);
    for (int32_t k = 0; k < count; k += stride, ++samples) {
        middle = snAdd(middle, widen(x[k]));
        mean = snAdd(mean, widen(v[k]));
    }
    double per = samples > 0 ? 1.0 / samples : 0;
    middle = snScale(per, middle);
    mean = snScale(per, mean);
    snVec3 w = turning(x, v, count, stride, middle, mean);
    snVec3 u = snSub(mean, snCross(w, middle));
    const snDriftMotion motion = {{(float)mean.x, (float)mean.y, (float)mean.z},
                                  {(float)u.x, (float)u.y, (float)u.z},
                                  {(float)w.x, (float)w.y, (float)w.z}};
    snDriftSquares most = SN_ISA_CHOOSE(isa, snDriftSquares)(&motion, x, v, count);
    *drift = (snDrift){.v = mean,
                       .w = w,
                       .outer = sqrt((double)most.outer),
                       .inner = sqrt((double)most.inner),
                       .own = sqrt((double)most.own),
                       .u = u};
}

SN_ISA_DECLARE(snWanderFcn, snWanderNodes);

bool snDrift_Travel(snIsa isa, const snDrift* drift, const snVec4f* x, const snVec4f* v,
                    int32_t count, snWander* wander)
{
    snVec3 u = drift->u, w = drift->w;
    const snDriftMotion motion = {.u = {(float)u.x, (float)u.y, (float)u.z},
                                  .w = {(float)w.x, (float)w.y, (float)w.z}};
    return SN_ISA_CHOOSE(isa, snWanderNodes)(&motion, x, v, count, wander);
}
