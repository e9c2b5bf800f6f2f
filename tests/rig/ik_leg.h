// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A leg as rigs with inverse kinematics have it: the foot hangs on the hips, and clips put it to
// the end of the shin.
#ifndef SN_TESTS_RIG_IK_LEG_H
#define SN_TESTS_RIG_IK_LEG_H

#include "character/rigs.h"

#define LEG_KEYS 61

enum { LEG_HIPS, LEG_THIGH, LEG_SHIN, LEG_FOOT, LEG_CHEST };

typedef struct IkLeg {
    MadeRig made;
    float times[LEG_KEYS];
    float thigh[4 * LEG_KEYS], shin[4 * LEG_KEYS], foot[4 * LEG_KEYS], place[3 * LEG_KEYS];
} IkLeg;

// The foot's point at the ankle, in its own frame
static const snVec3 LEG_PIVOT = {0, 0.05, -0.04};

static inline void legWeights(snVec3 p, double* weights)
{
    int32_t joint = p.y < 0.1   ? LEG_FOOT
                    : p.y < 0.5 ? LEG_SHIN
                    : p.y < 1.0 ? LEG_THIGH
                    : p.y < 1.2 ? LEG_HIPS
                                : LEG_CHEST;
    weights[joint] = 1;
}

static inline void storeTurn(float* to, snQuat q)
{
    to[0] = (float)q.x, to[1] = (float)q.y, to[2] = (float)q.z, to[3] = (float)q.w;
}

// loose: the foot leaves the shin by up to so much, m
static inline void openLeg(IkLeg* g, double loose)
{
    memset(g, 0, sizeof *g);
    MadeRig* m = &g->made;
    startRig(m);
    addJoint(m, "hips", -1, snV3(0, 1, 0));
    addJoint(m, "thigh", LEG_HIPS, snV3(0, 1, 0));
    addJoint(m, "shin", LEG_THIGH, snV3(0, 0.5, 0));
    addJoint(m, "foot", LEG_HIPS, snV3(0, 0.1, 0));
    addJoint(m, "chest", LEG_HIPS, snV3(0, 1.2, 0));
    snSurface bar = makePrism(&m->arena, 12, 32, snV3(0, 0, 0), 0.1, 1.6);
    addPart(m, "bar", &bar, legWeights, 0);
    for (int i = 0; i < LEG_KEYS; ++i) {
        double t = 2 * SN_PI * i / (LEG_KEYS - 1);
        snQuat thigh = snQExp(snV3(0.5 * snSin(t), 0.1 * snSin(2 * t), 0.4 * snCos(t)));
        snQuat knee = snQExp(snV3(0.6 + 0.5 * snSin(t), 0, 0)), shin = snQMul(thigh, knee);
        snQuat foot = snQExp(snV3(0.3 * snSin(2 * t), 0.2 * snCos(t), 0.3 * snSin(t)));
        snVec3 ankle = snAdd(snQRotate(thigh, snV3(0, -0.5, 0)), snQRotate(shin, snV3(0, -0.4, 0)));
        snVec3 place = snSub(ankle, snQRotate(foot, LEG_PIVOT));
        place = snAdd(place, snScale(loose, snV3(snSin(3 * t), snCos(5 * t), snSin(4 * t))));
        g->times[i] = (float)i / 60;
        storeTurn(g->thigh + 4 * i, thigh);
        storeTurn(g->shin + 4 * i, knee);
        storeTurn(g->foot + 4 * i, foot);
        g->place[3 * i] = (float)place.x, g->place[3 * i + 1] = (float)place.y;
        g->place[3 * i + 2] = (float)place.z;
    }
    addChannel(m, LEG_THIGH, sn_pathRotation, false, LEG_KEYS, g->times, g->thigh);
    addChannel(m, LEG_SHIN, sn_pathRotation, false, LEG_KEYS, g->times, g->shin);
    addChannel(m, LEG_FOOT, sn_pathTranslation, false, LEG_KEYS, g->times, g->place);
    addChannel(m, LEG_FOOT, sn_pathRotation, false, LEG_KEYS, g->times, g->foot);
    finishRig(m);
}

#endif
