// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Kim & Pollard 2011, Table III: a step of the four starfish in free fall and its stages, on one
// thread and on all. Stages are the library's own, called on the state of a running simulation.
#include "bench.h"

#include "base/message.h"
#include "sim/scene.h"
#include "subject.h"
#include <stdlib.h>

#define STEPS 16 // in one repetition: contact makes its lists every few steps
#define WARM 0.3 // s simulated before anything is timed: flesh lags behind the turning bones

// What is timed. The paper's counterparts: `passes` are its damping forces, particle dynamics and
// nodal forces to bones; `bones` its skeleton's kinematics and dynamics; `contact` its collision
// detection and contact forces; `frame` its fixed nodes and surface, which ours has in a frame.
enum { STEP, ELASTIC, PASSES, BONES, CONTACT, FRAME, STAGE_COUNT };

static const char* const METRICS[STAGE_COUNT] = {"step_ms",          "stage_ms:elastic",
                                                 "stage_ms:passes",  "stage_ms:bones",
                                                 "stage_ms:contact", "stage_ms:frame"};

typedef struct Case {
    const char* name;
    const char* character;
    double paper[STAGE_COUNT]; // ms
    double tets;               // the paper's
} Case;

static const Case CASES[] = {
    {"starfish_coarse", "starfish_coarse", {0.437, 0.088, 0.008, 0.167, 0.081, 0.094}, 200},
    {"starfish_moderate", "starfish", {2.047, 1.558, 0.136, 0.167, 0.082, 0.103}, 3428},
    {"starfish_fine", "starfish_fine", {4.767, 4.105, 0.291, 0.167, 0.087, 0.117}, 9014},
    {"starfish_very_fine",
     "starfish_very_fine",
     {19.132, 17.611, 1.070, 0.167, 0.109, 0.175},
     37573},
};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

// Stages ----------------------------------------------------------------------

// A character with flesh, and what its stages read and write.
typedef struct Flesh {
    snSubject* subject;
    snNodes* nodes;
    snBoneMotion* motion;
    snWrench* pulls;
    snInertia6* drags;
} Flesh;

static snStatus openFlesh(Flesh* f, snSubject* s, snMessage* why)
{
    *f = (Flesh){.subject = s, .nodes = snExplicit_Nodes(s->data, s->state, 0)};
    const snSkeleton* skeleton = f->nodes->flesh->skeleton;
    const size_t bones = (size_t)skeleton->bone_count;
    snExplicit.writeFrame(s->data, s->tasks, s->state, (snVec3){0, 0, 0});
    f->motion = calloc(bones, sizeof *f->motion);
    f->pulls = calloc(bones, sizeof *f->pulls);
    f->drags = calloc(bones, sizeof *f->drags);
    if (!f->motion || !f->pulls || !f->drags) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snKinematics_State(skeleton, s->data->characters[0].q, s->data->characters[0].qd,
                       &s->scene->world.actors[0].base, f->motion);
    return sn_ok;
}

static void closeFlesh(Flesh* f)
{
    free(f->motion);
    free(f->pulls);
    free(f->drags);
}

static void rewindFlesh(void* flesh)
{
    snSubject_Rewind(((Flesh*)flesh)->subject);
}

static void runStep(void* flesh, int n)
{
    snSubject_Step(((Flesh*)flesh)->subject, n * STEPS);
}

static void runElastic(void* flesh, int n)
{
    Flesh* f = flesh;
    snNodes* nodes = f->nodes;
    for (int i = 0; i < n; ++i) {
        snCells_Forces(nodes->flesh->cells, f->subject->tasks, nodes->isa, nodes->x, nodes->v,
                       nodes->cells_work, nodes->f);
    }
}

static void runContact(void* flesh, int n)
{
    snSubject* s = ((Flesh*)flesh)->subject;
    for (int i = 0; i < n; ++i) {
        snSubject_Touch(s);
    }
}

// All passes of a step over nodes. Time hardly moves, or forces that stay as they are would take
// the nodes away.
static void runPasses(void* flesh, int n)
{
    const double h = 1e-9;
    Flesh* f = flesh;
    snNodes* nodes = f->nodes;
    snTasks* tasks = f->subject->tasks;
    const snVec3 gravity = f->subject->scene->world.gravity;
    for (int i = 0; i < n; ++i) {
        snNodes_Rebase(nodes, f->motion[0].p);
        snNodes_Drift(nodes, tasks, h);
        snNodes_Hold(nodes, f->motion);
        snNodes_Kick(nodes, tasks, h, gravity, true);
        snNodes_Pull(nodes, f->motion, f->pulls, f->drags);
        snWhole whole = snNodes_Settle(nodes, tasks, h, h, gravity, f->motion, true);
        snNodes_Turn(nodes, tasks, whole.momentum.com, (snTwist){.w = {0, 0, 0}});
        snNodes_Hold(nodes, f->motion);
        nodes->head->bank -= snNodes_FixedWork(nodes, h);
    }
}

static void runFrame(void* flesh, int n)
{
    Flesh* f = flesh;
    snSubject* s = f->subject;
    for (int i = 0; i < n; ++i) {
        snExplicit.writeFrame(s->data, s->tasks, s->state, (snVec3){0, 0, 0});
    }
}

// Figures ---------------------------------------------------------------------

static void emitModel(const snBenchOut* out, const Case* c, const Flesh* f)
{
    const snFlesh* flesh = f->nodes->flesh;
    snBenchRow row = {.bench = "table3", .name = c->name, .unit = "count", .threads = 1};
    row.metric = "nodes";
    snBench_EmitNumber(out, &row, flesh->tets.node_count);
    row.metric = "tets";
    row.paper = c->tets;
    snBench_EmitNumber(out, &row, flesh->tets.tet_count);
    row.metric = "diagonalized";
    row.paper = 0;
    snBench_EmitNumber(out, &row, (double)f->nodes->head->diagonalized);
}

// A step and its stages; step: the time of a step on one thread, s, kept for the others. Bones are
// timed as a step of a character that has no flesh, with the same masses.
static snStatus timeStages(const snBenchOut* out, const Case* c, Flesh* flesh, snSubject* bones,
                           int threads, double* alone, snMessage* why)
{
    static snBenchRunner r[STAGE_COUNT];
    snStatus status = snSubject_SetThreads(flesh->subject, threads, why);
    if (status) {
        return status;
    }
    r[STEP] = snBenchRunner_Of(runStep, rewindFlesh, flesh);
    r[ELASTIC] = snBenchRunner_Of(runElastic, rewindFlesh, flesh);
    r[PASSES] = snBenchRunner_Of(runPasses, rewindFlesh, flesh);
    r[BONES] = snBenchRunner_Of(snSubject_Step, snSubject_Rewind, bones);
    r[CONTACT] = snBenchRunner_Of(runContact, rewindFlesh, flesh);
    r[FRAME] = snBenchRunner_Of(runFrame, rewindFlesh, flesh);
    snBench_Time(out, r, STAGE_COUNT, threads);
    snBenchRow row = {.bench = "table3", .name = c->name, .threads = threads};
    for (int i = 0; i < STAGE_COUNT; ++i) {
        row.metric = METRICS[i];
        row.unit = "ms";
        row.paper = c->paper[i];
        snBench_Emit(out, &row, &r[i], i == STEP ? 1e3 / STEPS : 1e3);
    }
    row.metric = "tets_per_s";
    row.unit = "1/s";
    row.paper = 1e3 * c->tets / c->paper[ELASTIC];
    snBench_EmitRate(out, &row, &r[ELASTIC], flesh->nodes->flesh->tets.tet_count);
    const double best = snBench_Summarise(r[STEP].samples, r[STEP].count).best;
    if (threads == 1) {
        *alone = best;
    } else {
        row.metric = "speedup";
        row.unit = "x";
        row.paper = 0;
        snBench_EmitNumber(out, &row, *alone / best);
    }
    return flesh->subject->failed || bones->failed ? snFail(why, sn_errorNumeric, "a step failed")
                                                   : sn_ok;
}

// The skeleton of the flesh, alone, in the same pose.
static snStatus openBones(snSubject* bones, const Flesh* flesh, snMessage* why)
{
    snCharacter* bare = NULL;
    snScene* scene = NULL;
    snSceneDef def;
    snStart start;
    snSceneDef_Init(&def);
    snStart_Init(&start);
    start.q = flesh->subject->data->characters[0].q;
    snStatus status = snCharacter_Create(NULL, "bones", flesh->nodes->flesh->skeleton, &bare, why);
    status = status ? status : snScene_Create(NULL, &def, &scene, why);
    status = status ? status : snScene_Add(scene, bare, &start, NULL, why);
    snCharacter_Release(bare);
    if (status) {
        snScene_Free(scene);
        return status;
    }
    return snSubject_Open(bones, scene, flesh->subject->h, 0, why);
}

static snStatus benchCase(const snBenchOut* out, const Case* c, snMessage* why)
{
    int counts[2];
    double alone = 0;
    snScene* scene = NULL;
    snSubject subject = {.scene = NULL}, bones = {.scene = NULL};
    Flesh flesh = {.subject = NULL};
    snBench_Threads(counts);
    snStatus status = snSubject_Fall(NULL, c->character, 0, &scene, why);
    status = status ? status : snSubject_Open(&subject, scene, 0, WARM, why);
    status = status ? status : openFlesh(&flesh, &subject, why);
    status = status ? status : openBones(&bones, &flesh, why);
    if (!status) {
        emitModel(out, c, &flesh);
    }
    for (int i = 0; i < 2 && counts[i] > 0 && !status; ++i) {
        status = timeStages(out, c, &flesh, &bones, counts[i], &alone, why);
    }
    closeFlesh(&flesh);
    snSubject_Close(&subject);
    snSubject_Close(&bones);
    return status;
}

snStatus snBench_Table3(const snBenchOut* out, snMessage* why)
{
    snStatus status = sn_ok;
    for (int i = 0; i < (out->small ? 1 : CASE_COUNT) && !status; ++i) {
        status = benchCase(out, &CASES[i], why);
    }
    return status;
}
