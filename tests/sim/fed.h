// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A reed on poses that a host feeds.
#ifndef SN_TESTS_SIM_FED_H
#define SN_TESTS_SIM_FED_H

#include "rig/matrix.h"
#include "sim/follow_state.h"
#include "sim/reed.h"

#define RATE 60.0

static inline snFollow* startFed(const Reed* r, int threads)
{
    snMessage why;
    snFollow* follow;
    snFollowSetup def;
    snHost host;
    snHost_Init(&host);
    host.thread_count = threads;
    snFollowSetup_Init(&def);
    def.body = &r->body;
    def.clip = -1;
    def.rate = RATE;
    assert_ok(snFollow_CreateFromSetup(&host, &def, &follow, &why), why);
    snFollow_Begin(follow);
    return follow;
}

static inline void openFed(Reed* r)
{
    snBodyDef def;
    snBodyDef_Init(&def);
    openReed(r);
    moveReed(r, 0.3, 0.25);
    buildReed(r, &def);
}

// Of the clip's key, turned and moved
static inline snMatrix poseOf(const Reed* r, int key, double turn, snVec3 by)
{
    snVec3 p = snV3((double)r->values[3 * key], 0.1, 0);
    snQuat q = snQFromAxisAngle(snV3(0, 1, 0), turn);
    return snMatrix_FromParts(snAdd(snQRotate(q, p), by), q, snV3(1, 1, 1));
}

static inline void feed(snFollow* follow, snMatrix pose)
{
    snMessage why;
    assert_ok(snFollow_SetPose(follow, &pose, NULL, &why), why);
    assert_ok(snFollow_Advance(follow, &why), why);
}

// The same pose, over and over
static inline void feedFor(snFollow* follow, snMatrix pose, int frames)
{
    for (int i = 0; i < frames; ++i) {
        feed(follow, pose);
    }
}

static inline void assertSame(const snFollow* a, const snFollow* b)
{
    assert_memory_equal(a->u, b->u, (size_t)a->body->tets.node_count * sizeof *a->u);
    assert_memory_equal(a->w, b->w, (size_t)a->body->tets.node_count * sizeof *a->w);
}

#endif
