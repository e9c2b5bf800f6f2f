// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Frames in the host's own arrays.
#include <string.h>

#include "base/message.h"
#include "math/vec.h"
#include <sinew/sim.h>

static void put(void* to, size_t stride, int32_t i, const float* xyz)
{
    memcpy((char*)to + (size_t)i * stride, xyz, 3 * sizeof *xyz);
}

snStatus snFrameCharacter_Copy(const snFrameCharacter* character, int32_t surface, snVec3 origin,
                               size_t stride, float* positions, float* normals, snMessage* why)
{
    snMessage_Clear(why);
    if (!character || surface < 0 || surface >= character->surface_count) {
        return snFail(why, sn_errorArgument, "there is no surface %d", (int)surface);
    }
    if (stride < 3 * sizeof(float) || stride % sizeof(float) != 0) {
        return snFail(why, sn_errorArgument,
                      "the stride must be a multiple of 4 bytes, 12 at least, not %zu", stride);
    }
    const snFrameSurface* s = &character->surfaces[surface];
    snVec3 by = snSub(character->origin, origin);
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        const float *p = &s->position[3 * (size_t)i], *n = &s->normal[3 * (size_t)i];
        float moved[3] = {(float)((double)p[0] + by.x), (float)((double)p[1] + by.y),
                          (float)((double)p[2] + by.z)};
        if (positions) {
            put(positions, stride, i, moved);
        }
        if (normals) {
            put(normals, stride, i, n);
        }
    }
    return sn_ok;
}
