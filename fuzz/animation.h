// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes either become an animation whose frames are sound, or get a message.
#ifndef SN_FUZZ_ANIMATION_H
#define SN_FUZZ_ANIMATION_H

#include <math.h>

#include "io/sink/animation.h"
#include "ration.h"

static inline void checkSurface(const snFrameSurface* s)
{
    require(s->vertex_count > 0 && s->triangle_count >= 0);
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; ++i) {
        require(s->triangles[i] >= 0 && s->triangles[i] < s->vertex_count);
    }
    for (size_t i = 0; i < 3 * (size_t)s->vertex_count; ++i) {
        require(fabsf(s->position[i]) <= (float)SN_ANIMATION_LARGEST &&
                fabsf(s->normal[i]) <= 1.1f);
    }
}

static inline int fuzzAnimation(snAnimationKind kind, const uint8_t* data, size_t size)
{
    // nodes of a GLB may show one mesh often: there SN_ANIMATION_MOST is the bound
    bool glb = kind == sn_animationGlb;
    Ration ration;
    snHost host = rationedHost(&ration, glb ? SN_ANIMATION_MOST : size, 100);
    snMessage why = {""};
    snAnimation* a;
    snStatus status = snAnimation_Parse(&host, kind, data, size, NULL, 60, &a, &why);
    require((status == sn_ok) == (a != NULL) && (status == sn_ok) == (why.text[0] == 0));
    int64_t count = snAnimation_FrameCount(a);
    require(count > 0 || !a);
    for (int64_t k = 0; k<count; k += count> 3 ? count / 3 : 1) {
        const snFrame* frame;
        require(isfinite(snAnimation_Time(a, k)));
        if (snAnimation_Frame(a, k, &frame, &why) == sn_ok) {
            require(frame->character_count > 0);
            for (int32_t i = 0; i < frame->character_count; ++i) {
                checkSurface(&frame->characters[i].surfaces[0]);
            }
        }
    }
    snAnimation_Free(a);
    return 0;
}

#endif
