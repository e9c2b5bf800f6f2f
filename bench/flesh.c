// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Characters with flesh: a whole step and its stages, on one thread and on all, in free fall and
// on the ground; and whole runs, beside the figures of Kim & Pollard 2011 (Tables III and IV, CPU).
// Stages are the library's own, called on the state of a running simulation.
#include "bench.h"

#include "base/cpu.h"
#include "base/message.h"
#include "method/explicit/actor.h"
#include "sim/scene.h"
#include <math.h>
#include <scenes/scenes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAME_RATE 60.0
#define WARM_FALL 0.3   // s simulated before anything is timed: flesh lags behind the turning bones
#define WARM_GROUND 1.0 // s; it lies and still trembles
#define RUN_FRAMES 30   // that a run is timed over
#define SPIN 3.0        // rad/s

typedef struct Case {
    const char* name;
    const char* character;
    bool ground;
    // the paper's
    double step;         // s
    double real_time;    // s per simulated s; 0 = not given
    double step_time;    // us
    double elastic_time; // us
    const char* who;     // whose
} Case;

#define PAPER "Kim & Pollard 2011"

static const Case CASES[] = {
    {"starfish_coarse", "starfish_coarse", false, 3e-3, 0.15, 437, 88, PAPER},
    {"starfish", "starfish", false, 1e-3, 2.05, 2047, 1558, PAPER},
    {"starfish_fine", "starfish_fine", false, 0.5e-3, 9.53, 4767, 4105, PAPER},
    {"starfish_very_fine", "starfish_very_fine", false, 0.2e-3, 95.66, 19132, 17611, PAPER},
    {"worm", "worm", false, 1e-3, 0.57, 0, 0, PAPER " (rolling)"},
    {"starfish_ground", "starfish", true, 1e-3, 0, 0, 0, NULL},
};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

// Subjects --------------------------------------------------------------------

// A character in motion, ready to be timed.
typedef struct Subject {
    snScene* scene;
    snMethodData* data;
    snTasks* tasks; // whose threads work
    size_t bytes;
    void *start, *state; // every run begins with a copy of the start
    double h;
    bool failed;
    // flesh
    snNodes* nodes;
    snIsa isa;
    snFrame frame;
    snBoneMotion* motion;
    snWrench* pulls;
    snInertia6* drags;
} Subject;

static void closeSubject(Subject* s)
{
    if (s->data) {
        snExplicit.free(s->data);
    }
    snTasks_Free(s->tasks);
    snScene_Free(s->scene);
    free(s->start);
    free(s->state);
    free(s->motion);
    free(s->pulls);
    free(s->drags);
}

static void rewindSubject(void* subject)
{
    Subject* s = subject;
    memcpy(s->state, s->start, s->bytes);
    snExplicit.forget(s->data);
}

static void runStep(void* subject, int n)
{
    Subject* s = subject;
    for (int i = 0; i < n; ++i) {
        snFault fault;
        s->failed |=
            !snExplicit.advance(s->data, s->tasks, s->state, i * s->h, s->h, false, &fault);
    }
}

static snStatus makeScene(const snHost* host, snCharacter* character, const Case* c, double step,
                          const double* q, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snStart start;
    snSceneDef_Init(&def);
    snStart_Init(&start);
    def.frame_rate = FRAME_RATE;
    def.step = step;
    def.ground = c->ground;
    start.q = q;
    start.pose.p.y = c->ground && !q ? 0.06 : 0;
    start.spin = c->ground ? (snVec3){0, 0, 0} : (snVec3){SPIN, 0.3 * SPIN, 0};
    snStatus status = snScene_Create(host, &def, scene, why);
    return status ? status : snScene_Add(*scene, character, &start, NULL, why);
}

// The method's own state after `warm` seconds at its own step. q: where the joints start.
static snStatus openSubject(snCharacter* character, const Case* c, const double* q, double warm,
                            Subject* s, snMessage* why)
{
    *s = (Subject){.scene = NULL};
    snStatus status = makeScene(NULL, character, c, 0, q, &s->scene, why);
    status = status ? status : snExplicit.build(&s->scene->world, &s->data, why);
    status = status ? status : snTasks_Create(NULL, &s->tasks, why);
    if (status) {
        return status;
    }
    s->bytes = snExplicit.stateSize(s->data);
    s->start = aligned_alloc(64, s->bytes);
    s->state = aligned_alloc(64, s->bytes);
    memset(s->state, 0, s->bytes);
    snExplicit.init(s->data, s->state);
    s->h = 1 / (FRAME_RATE * ceil(1 / (FRAME_RATE * snExplicit.chooseStep(s->data)) - 1e-9));
    runStep(s, (int)(warm / s->h));
    memcpy(s->start, s->state, s->bytes);
    return sn_ok;
}

// The stages --------------------------------------------------------------------

static void readFlesh(Subject* s)
{
    s->nodes = snExplicit_Nodes(s->data, s->state, 0);
    s->isa = snCpu_Choose(s->scene->world.host.isa); // once: asking a virtual machine takes 10 us
    const snSkeleton* skeleton = s->nodes->flesh->skeleton;
    snExplicit.writeFrame(s->data, s->tasks, s->state, 0, &s->frame);
    s->motion = calloc((size_t)skeleton->bone_count, sizeof *s->motion);
    s->pulls = calloc((size_t)skeleton->bone_count, sizeof *s->pulls);
    s->drags = calloc((size_t)skeleton->bone_count, sizeof *s->drags);
    snKinematics_State(skeleton, s->frame.characters[0].q, s->frame.characters[0].qd,
                       &s->scene->world.actors[0].base, s->motion);
}

static void runElastic(void* subject, int n)
{
    Subject* s = subject;
    snNodes* nodes = s->nodes;
    const snIsa isa = s->isa;
    for (int i = 0; i < n; ++i) {
        snCells_Forces(nodes->flesh->cells, s->tasks, isa, nodes->x, nodes->v, nodes->cells_work,
                       nodes->f);
    }
}

static void runContact(void* subject, int n)
{
    Subject* s = subject;
    for (int i = 0; i < n; ++i) {
        snSurroundings_Touch(s->data, s->state, s->h);
    }
}

// All passes of a step over nodes. Time hardly moves, or forces that stay as they are would take
// the nodes away.
static void runPasses(void* subject, int n)
{
    const double h = 1e-9;
    Subject* s = subject;
    snNodes* nodes = s->nodes;
    for (int i = 0; i < n; ++i) {
        snNodes_Rebase(nodes, s->motion[0].p);
        snNodes_Drift(nodes, s->tasks, h);
        snNodes_Hold(nodes, s->tasks, s->motion);
        snNodes_Kick(nodes, s->tasks, h, s->scene->world.gravity);
        snNodes_Pull(nodes, s->motion, s->pulls, s->drags);
        snWhole whole =
            snNodes_Settle(nodes, s->tasks, h, h, s->scene->world.gravity, s->motion);
        snNodes_Turn(nodes, s->tasks, whole.momentum.com, (snTwist){.w = {0, 0, 0}});
        snNodes_Hold(nodes, s->tasks, s->motion);
        nodes->head->bank -= snNodes_FixedWork(nodes, h);
    }
}

static void runFrame(void* subject, int n)
{
    Subject* s = subject;
    for (int i = 0; i < n; ++i) {
        snExplicit.writeFrame(s->data, s->tasks, s->state, 0, &s->frame);
    }
}

// Figures ---------------------------------------------------------------------

static void emitNumber(const snBenchOut* out, const Case* c, const char* metric, double value,
                       const char* unit, const char* peer)
{
    snBenchRow row = {"flesh", c->name, metric, value, unit, 0, 1, peer};
    out->row(out->user, &row);
}

static void emitModel(const snBenchOut* out, const Case* c, const Subject* s)
{
    const snFlesh* flesh = s->nodes->flesh;
    emitNumber(out, c, "nodes", flesh->tets.node_count, "count", NULL);
    emitNumber(out, c, "cells", flesh->tets.tet_count, "count", NULL);
    emitNumber(out, c, "diagonalized", (double)s->nodes->head->diagonalized, "count", NULL);
    emitNumber(out, c, "auto_step", 1e3 * s->h, "ms", NULL);
    if (c->ground) {
        emitNumber(out, c, "contacts", s->frame.characters[0].contact_count, "count", NULL);
    }
    if (c->step_time > 0) {
        emitNumber(out, c, "step", c->step_time, "us", c->who);
        emitNumber(out, c, "elastic", c->elastic_time, "us", c->who);
    }
    if (c->real_time > 0) {
        emitNumber(out, c, "run_at_paper_step", c->real_time, "s/s", c->who);
    }
}

// A step and its stages. Bones are timed as a step of a character that has no flesh, with the same
// masses.
static snStatus timeStages(const snBenchOut* out, const Case* c, Subject* flesh, Subject* bones,
                           int threads, snMessage* why)
{
    static snBenchRunner runners[6];
    static const char* const METRICS[6] = {"step",  "elastic", "passes",
                                           "bones", "frame",   "contact"};
    const int count = c->ground ? 6 : 5;
    snHost host;
    snHost_Init(&host);
    host.thread_count = threads;
    snTasks_Free(flesh->tasks);
    flesh->tasks = NULL;
    snStatus status = snTasks_Create(&host, &flesh->tasks, why);
    if (status) {
        return status;
    }
    runners[0] = (snBenchRunner){.run = runStep};
    runners[1] = (snBenchRunner){.run = runElastic};
    runners[2] = (snBenchRunner){.run = runPasses};
    runners[3] = (snBenchRunner){.run = runStep};
    runners[4] = (snBenchRunner){.run = runFrame};
    runners[5] = (snBenchRunner){.run = runContact};
    for (int i = 0; i < count; ++i) {
        runners[i].ready = rewindSubject;
        runners[i].subject = i == 3 ? bones : flesh;
    }
    snBench_Time(out, runners, count);
    for (int i = 0; i < count; ++i) {
        snBenchRow row = {"flesh", c->name, METRICS[i], 0, "us", 0, threads, NULL};
        snBench_Emit(out, &row, &runners[i], 1e6);
    }
    snBenchStat s = snBench_Summarise(runners[1].samples, out->runs);
    double cells = flesh->nodes->flesh->tets.tet_count;
    snBenchRow row = {"flesh", c->name,  "elastic_rate", 1e-6 * cells / s.median,
                      "M/s",   s.spread, threads,        NULL};
    out->row(out->user, &row);
    return flesh->failed || bones->failed ? sn_errorNumeric : sn_ok;
}

// Whole simulations with their frames on each number of threads, s per simulated s. step 0 =
// automatic. They have the same bits, so one is warmed up for all.
static snStatus timeRuns(const snBenchOut* out, const Case* c, snCharacter* character, double step,
                         const int threads[2], snMessage* why)
{
    static snBenchRunner r;
    snBenchOut own = *out;
    own.runs = out->runs < RUN_FRAMES ? out->runs : RUN_FRAMES;
    void* warm = NULL;
    snStatus status = sn_ok;
    for (int k = 0; k < 2 && threads[k] > 0 && !status; ++k) {
        snHost host;
        snScene* scene = NULL;
        snSim* sim = NULL;
        snHost_Init(&host);
        host.thread_count = threads[k];
        status = makeScene(&host, character, c, step, NULL, &scene, why);
        status = status ? status : snSim_Create(scene, &sim, why);
        if (!status && warm) {
            status = snSim_Restore(sim, warm, snSim_StateSize(sim), why);
        } else if (!status) {
            status = snSim_Advance(sim, c->ground ? WARM_GROUND : WARM_FALL, why);
            warm = malloc(snSim_StateSize(sim));
            status = status || warm ? status : snFail(why, sn_errorMemory, "out of memory");
            if (!status) {
                snSim_Save(sim, warm);
            }
        }
        for (int i = 0; i < own.runs && !status; ++i) {
            double start = snBench_Now();
            status = snSim_Advance(sim, 1 / FRAME_RATE, why);
            snSim_Frame(sim);
            r.samples[i] = FRAME_RATE * (snBench_Now() - start);
        }
        if (!status) {
            snBenchRow row = {"flesh",    c->name, step > 0 ? "run_at_paper_step" : "run",
                              0,          "s/s",   0,
                              threads[k], NULL};
            snBench_Emit(&own, &row, &r, 1);
        }
        snSim_Free(sim);
        snScene_Free(scene);
    }
    free(warm);
    return status;
}

static snStatus benchCase(const snBenchOut* out, const Case* c, snCharacter* character,
                          snMessage* why)
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int most = cores < SN_MAX_THREADS ? cores : SN_MAX_THREADS;
    const int counts[2] = {1, most > 1 ? most : 0};
    Subject flesh, bones = {.scene = NULL};
    snCharacter* bare = NULL;
    snStatus status =
        openSubject(character, c, NULL, c->ground ? WARM_GROUND : WARM_FALL, &flesh, why);
    if (!status) {
        readFlesh(&flesh);
        emitModel(out, c, &flesh);
        snSkeleton* skeleton = flesh.nodes->flesh->skeleton;
        status = snCharacter_Create(NULL, "bones", skeleton, &bare, why);
    }
    status = status ? status : openSubject(bare, c, flesh.frame.characters[0].q, 0, &bones, why);
    bones.h = flesh.h;
    for (int i = 0; i < 2 && counts[i] > 0 && !status; ++i) {
        status = timeStages(out, c, &flesh, &bones, counts[i], why);
    }
    status = status ? status : timeRuns(out, c, character, 0, counts, why);
    status = status ? status : timeRuns(out, c, character, c->step, counts, why);
    closeSubject(&flesh);
    closeSubject(&bones);
    snCharacter_Release(bare);
    return status;
}

int snBench_Flesh(const snBenchOut* out)
{
    snStatus status = sn_ok;
    snFpMode mode = snFpMode_Enter(); // as sims do
    for (int i = 0; i < CASE_COUNT && !status; ++i) {
        snMessage why = {"a step failed"};
        snCharacter* character = NULL;
        status = snBuiltinCharacter_Find(CASES[i].character)->make(NULL, &character, &why);
        status = status ? status : benchCase(out, &CASES[i], character, &why);
        snCharacter_Release(character);
        if (status) {
            out->note(out->user, why.text);
        }
    }
    snFpMode_Leave(mode);
    return status ? 1 : 0;
}
