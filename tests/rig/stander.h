// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Figures whose clips are made joint by joint, and what becomes of them on another figure.
#ifndef SN_TESTS_RIG_STANDER_H
#define SN_TESTS_RIG_STANDER_H

#include "rig/clip_rig.h"
#include "rig/figure.h"
#include "rig/recording_skeleton.h"

// It stands at rest in all keys.
static inline void standFigure(Figure* f)
{
    moveFigure(f);
    for (int32_t k = 0; k < FIGURE_KEYS; ++k) {
        for (int32_t n = 0; n < FIGURE_NODES; ++n) {
            snQuat q = f->nodes[n].rotation;
            float* to = f->turns[n] + 4 * k;
            to[0] = (float)q.x, to[1] = (float)q.y, to[2] = (float)q.z, to[3] = (float)q.w;
        }
    }
}

// A node turns in a key, in the world; what it hangs on is at rest.
static inline void turnNode(Figure* f, int32_t n, int32_t k, snQuat by)
{
    snQuat up = snQConj(f->turned[FIGURE[n].parent]);
    snQuat q = snQNormalize(snQMul(up, snQMul(by, f->turned[n])));
    float* to = f->turns[n] + 4 * k;
    to[0] = (float)q.x, to[1] = (float)q.y, to[2] = (float)q.z, to[3] = (float)q.w;
}

// Its frame 0 is the bind pose; snClip_Finish comes next.
static inline snClip* recordFigure(Figure* f)
{
    snMessage why;
    snClip* clip;
    assert_ok(snClip_OfRig(&f->rig.host, &f->rig, 0, &clip, &why), why);
    return clip;
}

static inline void finishRecording(snClip* clip)
{
    snMessage why;
    snClipDef def;
    snClipDef_Init(&def);
    def.rest = sn_restFirst;
    assert_ok(snClip_Finish(clip, &def, &why), why);
}

// Somebody who plays a recording
typedef struct Player {
    Figure figure;
    snArena arena;
    snRecordingSkeleton skeleton;
    snRetarget r;
    snRigClipData clip;
} Player;

static inline void openPlayer(Player* p)
{
    makeFigure(&p->figure, (FigureDef){.school = 1, .axes = 5, .size = 1});
    snArena_Init(&p->arena, NULL);
}

static inline void retargetTo(Player* p, const snClip* recording)
{
    snMessage why;
    snRecordingSkeleton* to = &p->skeleton;
    assert_ok(snRecordingSkeleton_Build(&p->arena, &p->figure.rig, recording, to, &why), why);
    assert_ok(snRetarget_Matched(&p->arena, recording, to->skeleton, &to->match, &p->r, &why), why);
}

static inline void playTo(Player* p, const snClip* recording)
{
    snMessage why;
    retargetTo(p, recording);
    assert_ok(snRecordingSkeleton_Play(&p->arena, &p->skeleton, &p->r, &p->clip, &why), why);
}

static inline void closePlayer(Player* p)
{
    snRecordingSkeleton_Free(&p->skeleton);
    freeFigure(&p->figure);
    snArena_Free(&p->arena);
}

#endif
