// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A bar on two joints, of which the upper one sways, for two-way runs.
#ifndef SN_TESTS_SIM_MAST_H
#define SN_TESTS_SIM_MAST_H

#include "sim/two_way.h"

#include "character/rigs.h"
#include <sinew/joints.h>

#define MAST_KEYS 121 // 60 a second

enum { MAST_FOOT, MAST_TOP };

typedef struct Mast {
    MadeRig made;
    snArena arena;
    snRigBody body;
    snRigJoints* joints;
    snRigTrack track;
    float times[MAST_KEYS], top[4 * MAST_KEYS], foot[3 * MAST_KEYS];
} Mast;

static inline void mastWeights(snVec3 p, double* weights)
{
    double t = fmin(1, fmax(0, (p.y - 0.35) / 0.1));
    weights[MAST_FOOT] = 1 - t;
    weights[MAST_TOP] = t;
}

// Where it is at a key: turn of the top about its foot, place of the foot
typedef void MastFcn(double time, snVec3* turn, snVec3* place);

static inline void openMast(Mast* m, MastFcn* motion)
{
    snMessage why;
    snBodyDef def;
    memset(m, 0, sizeof *m);
    startRig(&m->made);
    snArena_Init(&m->arena, NULL);
    addJoint(&m->made, "foot of the mast", -1, snV3(0, 0.05, 0));
    addJoint(&m->made, "top", MAST_FOOT, snV3(0, 0.4, 0));
    snSurface bar = makePrism(&m->made.arena, 16, 18, snV3(0, 0, 0), 0.15, 0.9);
    addPart(&m->made, "bar", &bar, mastWeights, 0);
    for (int i = 0; i < MAST_KEYS; ++i) {
        snVec3 turn, place;
        motion(i / 60.0, &turn, &place);
        snQuat q = snQExp(turn);
        m->times[i] = (float)i / 60;
        m->top[4 * i] = (float)q.x, m->top[4 * i + 1] = (float)q.y;
        m->top[4 * i + 2] = (float)q.z, m->top[4 * i + 3] = (float)q.w;
        m->foot[3 * i] = (float)place.x, m->foot[3 * i + 1] = (float)place.y;
        m->foot[3 * i + 2] = (float)place.z;
    }
    addChannel(&m->made, MAST_FOOT, sn_pathTranslation, false, MAST_KEYS, m->times, m->foot);
    addChannel(&m->made, MAST_TOP, sn_pathRotation, false, MAST_KEYS, m->times, m->top);
    finishRig(&m->made);
    snBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    def.softness = 4;
    assert_ok(snRigBody_Build(&m->arena, &m->made.rig, &def, &m->body, &why), why);
    assert_ok(snRigTrack_Build(&m->arena, &m->made.rig, 0, NULL, &m->track, &why), why);
    assert_ok(snRigJoints_Fit(NULL, &m->made.rig, &m->joints, &why), why);
}

static inline void closeMast(Mast* m)
{
    snRigJoints_Free(m->joints);
    snArena_Free(&m->arena);
    dropRig(&m->made);
}

static inline snTwoWayDef defOf(const Mast* m)
{
    snTwoWayDef def;
    snTwoWayDef_Init(&def);
    def.body = &m->body;
    def.joints = m->joints;
    def.track = &m->track;
    return def;
}

static inline snTwoWay* startMast(const snTwoWayDef* def, int threads)
{
    snHost host;
    snMessage why;
    snTwoWay* two;
    snHost_Init(&host);
    host.thread_count = threads;
    assert_ok(snTwoWay_Create(&host, def, &two, &why), why);
    snTwoWay_Begin(two);
    return two;
}

// Sways to all sides, and hops
static inline void sway(double t, snVec3* turn, snVec3* place)
{
    *turn = snV3(0.5 * snSin(SN_PI * t), 0.2 * snSin(2 * SN_PI * t), 0.4 * snCos(SN_PI * t));
    *place = snV3(0, 0.05 + 0.05 * snSin(SN_PI * t) * snSin(SN_PI * t), 0);
}

// The top hangs out to the side and stays there, but for a nod, which shows which way it turns.
static inline void lean(double t, snVec3* turn, snVec3* place)
{
    double nod = 0.3 * snSin(SN_PI * fmin(t / 0.5, 1));
    *turn = snV3(nod, 0, -1.2);
    *place = snV3(0, 0.05, 0);
}

#endif
