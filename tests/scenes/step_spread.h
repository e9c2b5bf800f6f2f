// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What comes out of a run does not depend on the length of its steps.
#ifndef SN_TESTS_SCENES_STEP_SPREAD_H
#define SN_TESTS_SCENES_STEP_SPREAD_H

#include "sim/flesh.h"

// Of the mean: from the least to the largest. The target is 0.005 for all; these are the best
// reached where the height at rest (the fish) and the loss in a bounce (coarse cells) are not.
#define SPREAD 0.005
#define REST_SPREAD 0.006
#define LOSS_SPREAD 0.011
#define MOMENT 1e-3 // s between looks
#define MOST_LOOKS 20000
#define RUNS 3       // each with half the step of the last
#define REBOUND 0.5  // s after a touch in which it bounces
#define SETTLED 0.25 // s at the end over which heights at rest are averaged

// Of one body in one run.
typedef struct Course {
    double apex;    // m: the highest that its centre of mass comes
    double touch;   // s: when it touches something after that
    double rest;    // m: height in the end
    double loss;    // by the first bounce: of the height above that at rest, from apex to apex
    double contact; // points that touch in the end, on average
} Course;

// What a run showed at each look.
typedef struct Record {
    int count;
    double height[MOST_LOOKS], time[MOST_LOOKS]; // m, s
    int contacts[MOST_LOOKS];
} Record;

static inline void look(Record* r, const snFrame* f)
{
    assert_true(r->count < MOST_LOOKS);
    r->height[r->count] = f->characters[0].momentum.com.y;
    r->time[r->count] = f->time;
    r->contacts[r->count++] = f->characters[0].contact_count;
}

// The highest look from one on, up to a time.
static inline int highest(const Record* r, int from, double end)
{
    int best = from;
    for (int i = from; i < r->count && r->time[i] < end; ++i) {
        best = r->height[i] > r->height[best] ? i : best;
    }
    return best;
}

static inline Course readCourse(const Record* r)
{
    Course c = {0};
    int top = highest(r, 0, HUGE_VAL), i = top, settled = 0;
    while (i < r->count - 1 && r->contacts[i] == 0) {
        ++i;
    }
    c.touch = r->time[i];
    double end = c.touch + REBOUND;
    while (i < r->count - 1 && r->height[i + 1] < r->height[i]) {
        ++i;
    }
    double rebound = r->height[highest(r, i, end)];
    for (i = 0; i < r->count; ++i) {
        if (r->time[i] > r->time[r->count - 1] - SETTLED) {
            c.rest += r->height[i];
            c.contact += r->contacts[i];
            settled++;
        }
    }
    c.apex = r->height[top];
    c.rest /= settled;
    c.contact /= settled;
    c.loss = (c.apex - rebound) / (c.apex - c.rest);
    return c;
}

static inline void wantSumsOf(snSim* sim)
{
    snMessage why;
    snWantDef want;
    snWantDef_Init(&want);
    want.wanted = sn_wantedSums;
    assert_ok(snSim_Want(sim, 0, &want, &why), why);
}

// The scene's first character, with steps of at most so many seconds. Frees the scene.
static inline Course runCourse(snScene* scene, double step)
{
    snMessage why;
    snSceneDef def = *snScene_Def(scene);
    static Record r;
    r.count = 0;
    def.step = step;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
    snSim* sim = startSim(scene);
    wantSumsOf(sim);
    while (snSim_Time(sim) < def.duration - 1e-6) {
        advance(sim, MOMENT);
        look(&r, snSim_Frame(sim));
    }
    Course c = readCourse(&r);
    print_message(
        "  step %.3f ms: apex %.4f m, touch %.4f s, rest %.5f m, loss %.4f, %.1f contacts; "
        "%lld retries\n",
        1e3 * snSim_Step(sim), c.apex, c.touch, c.rest, c.loss, c.contact,
        (long long)snSim_Frame(sim)->guard.retries);
    snSim_Free(sim);
    snScene_Free(scene);
    return c;
}

static inline double spreadOf(const double v[RUNS])
{
    double least = v[0], most = v[0], sum = 0;
    for (int i = 0; i < RUNS; ++i) {
        least = fmin(least, v[i]);
        most = fmax(most, v[i]);
        sum += v[i];
    }
    return (most - least) / fabs(sum / RUNS);
}

// Makes the scene that `what` tells; NULL fails.
typedef snScene* (*MakeScene)(const char* what);

static inline snScene* builtinScene(const char* name)
{
    snMessage why;
    snScene* scene = NULL;
    assert_ok(snBuiltinScene_Find(name)->make(NULL, &scene, &why), why);
    return scene;
}

// A starfish falls as in the scene free_fall, alone.
static inline snScene* dropStarfish(const char* name)
{
    snSceneDef def;
    snStart start;
    double tilt = 25 * SN_PI / 180;
    snSceneDef_Init(&def);
    def.duration = 2;
    def.ground = 1;
    snStart_Init(&start);
    start.pose.p = snV3(0, 0.45, 0);
    start.pose.q = (snQuat){snSin(0.5 * tilt), 0, 0, snCos(0.5 * tilt)};
    return makeSceneOf(NULL, &def, makeBuiltin(name), &start);
}

// How many of the five figures spread by more than they may. In scenes without a flight touch and
// loss say nothing, and contacts are counted instead.
static inline int countSpread(const char* what, MakeScene make, double longest, bool flies)
{
    Course runs[RUNS];
    int bad = 0;
    print_message("%s\n", what);
    for (int i = 0; i < RUNS; ++i) {
        runs[i] = runCourse(make(what), longest / (1 << i));
    }
    static const char* const NAMES[] = {"apex", "touch", "rest", "loss", "contacts"};
    // counts are of whole points
    static const double MOST[] = {SPREAD, SPREAD, REST_SPREAD, LOSS_SPREAD, 0.1};
    static const bool FLIGHT[] = {true, true, true, true, false},
                      FLOOR[] = {true, false, true, false, true};
    for (int k = 0; k < 5; ++k) {
        double v[RUNS];
        for (int i = 0; i < RUNS; ++i) {
            const Course* c = &runs[i];
            v[i] = (double[]){c->apex, c->touch, c->rest, c->loss, c->contact}[k];
        }
        double spread = spreadOf(v), most = MOST[k];
        if ((flies ? FLIGHT : FLOOR)[k]) {
            print_message("  %s%s: spread %.2f %%\n", spread > most ? "BAD " : "", NAMES[k],
                          100 * spread);
            bad += !(spread <= most);
        }
    }
    return bad;
}

#endif
