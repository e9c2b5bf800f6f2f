// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A bar on a joint that a clip moves, to be followed.
#ifndef SN_TESTS_SIM_REED_H
#define SN_TESTS_SIM_REED_H

#include "sim/follow.h"

#include "character/rigs.h"

#define KEYS 181 // of the clip, 60 a second

// A bar along y on one joint at its foot: it swings like a reed.
static inline void reedWeights(snVec3 p, double* weights)
{
    (void)p;
    weights[0] = 1;
}

typedef struct Reed {
    MadeRig made;
    snArena arena;
    snRigBody body;
    snRigTrack track;
    float times[KEYS], values[4 * KEYS];
} Reed;

static inline void openReed(Reed* r)
{
    memset(r, 0, sizeof *r);
    startRig(&r->made);
    snArena_Init(&r->arena, NULL);
    addJoint(&r->made, "reed", -1, snV3(0, 0.1, 0));
    snSurface bar = makePrism(&r->made.arena, 16, 10, snV3(0, 0, 0), 0.15, 0.8);
    for (int32_t v = 0; v < bar.vertex_count; ++v) {
        bar.position[v].z *= 1.5; // it swings along x more slowly than along z
    }
    addPart(&r->made, "bar", &bar, reedWeights, 0);
    for (int i = 0; i < KEYS; ++i) {
        r->times[i] = (float)i / 60;
    }
}

// Moves by a smooth step of `far` m along x in `span` s from 0.1 s on
static inline void moveReed(Reed* r, double far, double span)
{
    for (int i = 0; i < KEYS; ++i) {
        double t = fmin(1, fmax(0, (i / 60.0 - 0.1) / span));
        r->values[3 * i] = (float)(far * t * t * (3 - 2 * t));
        r->values[3 * i + 1] = 0.1f;
        r->values[3 * i + 2] = 0;
    }
    addChannel(&r->made, 0, sn_pathTranslation, false, KEYS, r->times, r->values);
}

static inline void buildReed(Reed* r, snBodyDef* def)
{
    snMessage why;
    def->quality = sn_qualityDraft;
    finishRig(&r->made);
    assert_ok(snRigBody_Build(&r->arena, &r->made.rig, def, &r->body, &why), why);
    assert_ok(snRigTrack_Build(&r->arena, &r->made.rig, 0, NULL, &r->track, &why), why);
}

static inline void closeReed(Reed* r)
{
    snArena_Free(&r->arena);
    dropRig(&r->made);
}

static inline snFollow* startOn(const Reed* r, snFollowSetup* def, const snHost* host)
{
    snMessage why;
    snFollow* follow;
    def->body = &r->body;
    def->track = &r->track;
    assert_ok(snFollow_CreateFromSetup(host, def, &follow, &why), why);
    snFollow_Begin(follow);
    return follow;
}

static inline snFollow* startReed(const Reed* r, double rate, int threads, snIsa isa)
{
    snHost host;
    snFollowSetup def;
    snHost_Init(&host);
    host.thread_count = threads;
    host.isa = (int32_t)isa;
    snFollowSetup_Init(&def);
    def.rate = rate;
    return startOn(r, &def, &host);
}

static inline double lengthOf(snVec4f u)
{
    return sqrt((double)u.x * (double)u.x + (double)u.y * (double)u.y + (double)u.z * (double)u.z);
}

static inline double farthestNode(const snFollow* follow, const snRigBody* body)
{
    double most = 0;
    for (int32_t i = 0; i < body->tets.node_count; ++i) {
        most = fmax(most, lengthOf(snFollow_Nodes(follow)[i]));
    }
    return most;
}

#endif
