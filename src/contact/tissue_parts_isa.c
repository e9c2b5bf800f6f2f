// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/tissue_parts_pass.h"
#include "math/isa.h"
#include <math.h>

enum { LANES = 16 };

typedef struct Lanes {
    float off[LANES], radius[LANES], least[LANES], most[LANES];
} Lanes;

static void measure(const snPartPass* p, const int32_t* restrict nodes, int32_t count,
                    Lanes* restrict lanes)
{
    const snVec4f* restrict seen = p->seen;
    const snVec4f* restrict now = p->x;
    const float* restrict margins = p->margins;
    const float* R = p->R;
#pragma omp simd
    for (int32_t i = 0; i < count; ++i) {
        const int32_t n = nodes[i];
        float a = seen[n].x - p->middle[0], b = seen[n].y - p->middle[1];
        float c = seen[n].z - p->middle[2], m = margins[n];
        float x = now[n].x - p->to[0] - (R[0] * a + R[1] * b + R[2] * c);
        float y = now[n].y - p->to[1] - (R[3] * a + R[4] * b + R[5] * c);
        float z = now[n].z - p->to[2] - (R[6] * a + R[7] * b + R[8] * c);
        float off = x * x + y * y + z * z, radius = a * a + b * b + c * c;
        lanes->off[i] = off > lanes->off[i] ? off : lanes->off[i];
        lanes->radius[i] = radius > lanes->radius[i] ? radius : lanes->radius[i];
        lanes->least[i] = m < lanes->least[i] ? m : lanes->least[i];
        lanes->most[i] = m > lanes->most[i] ? m : lanes->most[i];
    }
}

snPartFcn SN_ISA_NAME(snPartMeasure);

snPartExtent SN_ISA_NAME(snPartMeasure)(const snPartPass* pass)
{
    Lanes lanes = {{0}, {0}, {0}, {0}};
    snPartExtent all = {0, 0, INFINITY, 0};
    for (int i = 0; i < LANES; ++i) {
        lanes.least[i] = INFINITY;
    }
    int32_t i = 0;
    for (; i + LANES <= pass->count; i += LANES) {
        measure(pass, pass->nodes + i, LANES, &lanes);
    }
    measure(pass, pass->nodes + i, pass->count - i, &lanes);
    for (i = 0; i < LANES; ++i) {
        all.off_sq = fmaxf(all.off_sq, lanes.off[i]);
        all.radius_sq = fmaxf(all.radius_sq, lanes.radius[i]);
        all.least = fminf(all.least, lanes.least[i]);
        all.most = fmaxf(all.most, lanes.most[i]);
    }
    return all;
}
