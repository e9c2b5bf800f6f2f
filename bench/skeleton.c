// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The skeleton alone: poses, velocities and one hybrid dynamics recursion with all joints
// torque-driven, on one thread, against MuJoCo's forward dynamics of the same tree in turns in the
// same run; a whole default step; and time per bone from 30 to 10,000 bones.
#include "bench.h"

#include "peers/mjcf.h"
#include "peers/peer.h"
#include <dlfcn.h>
#include <scenes/scenes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A skeleton in motion, ready to be timed.
typedef struct Subject {
    snSkeleton* skeleton;
    snDynamics* dynamics;
    double *q, *qd, *qdd;
} Subject;

static void closeSubject(Subject* s)
{
    snDynamics_Free(s->dynamics);
    snSkeleton_Release(s->skeleton);
    free(s->q);
    free(s->qd);
    free(s->qdd);
}

// Takes over one reference to the skeleton. Every joint is bent a little and moves.
static snStatus openSubject(snSkeleton* skeleton, Subject* s, snMessage* why)
{
    size_t nq = (size_t)snSkeleton_PositionCount(skeleton);
    size_t nv = (size_t)snSkeleton_VelocityCount(skeleton);
    *s = (Subject){.skeleton = skeleton,
                   .q = calloc(nq, sizeof(double)),
                   .qd = calloc(nv, sizeof(double)),
                   .qdd = calloc(nv, sizeof(double))};
    snStatus status = snDynamics_Create(NULL, skeleton, &s->dynamics, why);
    if (!status) {
        snSkeleton_ZeroPose(skeleton, s->q);
        for (size_t i = 7; i < nq; ++i) {
            s->q[i] += s->q[i] == 0 ? 0.05 : 0;
        }
        for (size_t i = 0; i < nv; ++i) {
            s->qd[i] = 0.3 + 0.01 * (double)(i % 50);
        }
        status = snDynamics_SetState(s->dynamics, s->q, s->qd, why);
        snDynamics_GetState(s->dynamics, s->q, NULL);
    }
    return status;
}

// What is timed; each does its work n times.
static void runForward(void* subject, int n)
{
    Subject* s = subject;
    for (int i = 0; i < n; ++i) {
        snDynamics_SetState(s->dynamics, s->q, s->qd, NULL);
        snDynamics_Hybrid(s->dynamics, NULL, s->qdd, NULL);
    }
}

static void runKinematics(void* subject, int n)
{
    Subject* s = subject;
    for (int i = 0; i < n; ++i) {
        snDynamics_SetState(s->dynamics, s->q, s->qd, NULL);
    }
}

static void runStep(void* subject, int n)
{
    Subject* s = subject;
    for (int i = 0; i < n; ++i) {
        snDynamics_Step(s->dynamics, 1e-3, sn_integratorMidpoint, 1, NULL, NULL);
    }
}

static void emit(const snBenchOut* out, const char* name, const char* metric, snBenchRunner* r,
                 double scale, const char* unit, const char* peer)
{
    snBenchRow row = {"skeleton", name, metric, 0, unit, 0, 1, peer};
    snBench_Emit(out, &row, r, scale);
}

// The peer --------------------------------------------------------------------

typedef struct Rival {
    void* module;
    const snPeer* peer;
    void* model;
    char name[64]; // with version
} Rival;

static void closeRival(Rival* r)
{
    if (r->model) {
        r->peer->close(r->model);
    }
    if (r->module) {
        dlclose(r->module);
    }
}

// Opens MuJoCo on the subject's tree and state; a note says why when it cannot.
static bool openRival(const snBenchOut* out, const Subject* s, Rival* r)
{
    char path[1024], text[256];
    *r = (Rival){.module = NULL};
    snprintf(path, sizeof path, "%s/sinew-peer-mujoco.so", out->folder);
    r->module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void* symbol = r->module ? dlsym(r->module, SN_PEER_SYMBOL) : NULL;
    if (!symbol) {
        snprintf(text, sizeof text,
                 "no figures of MuJoCo: there is no sinew-peer-mujoco.so beside the "
                 "tool; build where libmujoco-dev is installed");
        out->note(out->user, text);
        return false;
    }
    snPeer_GetFcn* get;
    memcpy(&get, &symbol, sizeof get); // ISO C has no cast from object to function pointers
    r->peer = get();
    snprintf(r->name, sizeof r->name, "%s %s", r->peer->name, r->peer->version);
    snMjcf mjcf;
    snMessage why;
    if (snMjcf_Write(s->skeleton, (snVec3){0, -9.81, 0}, &mjcf, &why)) {
        out->note(out->user, why.text);
        return false;
    }
    double* qpos = calloc((size_t)snSkeleton_PositionCount(s->skeleton) + 1, sizeof(double));
    double* qvel = calloc((size_t)snSkeleton_VelocityCount(s->skeleton) + 1, sizeof(double));
    snMjcf_Position(&mjcf, s->q, qpos);
    snMjcf_Rate(&mjcf, s->q, s->qd, qvel);
    r->model = r->peer->open(mjcf.text, qpos, qvel, text, sizeof text);
    if (!r->model) {
        out->note(out->user, text);
    }
    free(qpos);
    free(qvel);
    snMjcf_Free(&mjcf);
    return r->model != NULL;
}

// The cases -------------------------------------------------------------------

static int benchTree(const snBenchOut* out, const char* name, snSkeleton* skeleton)
{
    static snBenchRunner runners[4];
    snMessage why;
    Subject s;
    Rival rival;
    snStatus status = openSubject(skeleton, &s, &why);
    if (status) {
        out->note(out->user, why.text);
        closeSubject(&s);
        return 1;
    }
    bool rivalled = openRival(out, &s, &rival);
    runners[0] = (snBenchRunner){.run = runForward, .subject = &s};
    runners[1] = (snBenchRunner){.run = runKinematics, .subject = &s};
    runners[2] = (snBenchRunner){.run = rivalled ? rival.peer->run : NULL, .subject = rival.model};
    snBench_Time(out, runners, rivalled ? 3 : 2);
    emit(out, name, "kinematics_and_hybrid", &runners[0], 1e6, "us", NULL);
    emit(out, name, "kinematics", &runners[1], 1e6, "us", NULL);
    if (rivalled) {
        emit(out, name, "kinematics_and_hybrid", &runners[2], 1e6, "us", rival.name);
    }
    // a step moves the state on, so it is timed by itself
    runners[3] = (snBenchRunner){.run = runStep, .subject = &s};
    snBench_Time(out, &runners[3], 1);
    emit(out, name, "midpoint_step", &runners[3], 1e6, "us", NULL);
    closeRival(&rival);
    closeSubject(&s);
    return 0;
}

// Arms of ten bones on a free hub, as many as it takes: what grows is the number of bones alone.
static snStatus makeManyArms(int32_t bones, snSkeleton** skeleton, snMessage* why)
{
    snBoneDef* defs = calloc((size_t)bones, sizeof *defs);
    char(*names)[16] = calloc((size_t)bones, sizeof *names);
    if (!defs || !names) {
        free(defs);
        free(names);
        snprintf(why->text, sizeof why->text, "no memory for %d bones", (int)bones);
        return sn_errorMemory;
    }
    for (int32_t i = 0; i < bones; ++i) {
        snBoneDef* b = &defs[i];
        snBoneDef_Init(b);
        snprintf(names[i], sizeof names[i], "b%d", (int)i);
        b->name = names[i];
        b->parent = i == 0 ? -1 : (i - 1) % 10 == 0 ? 0 : i - 1;
        b->joint = i == 0 ? sn_jointFree : sn_jointRevolute;
        b->axis = (snVec3){0, i % 2, 1};
        b->anchor.p = (snVec3){0.1, 0, 0};
        b->mass = snMass_Capsule((snVec3){0, 0, 0}, (snVec3){0.1, 0, 0}, 0.03, 1000);
    }
    snStatus status = snSkeleton_Create(NULL, defs, bones, skeleton, why);
    free(defs);
    free(names);
    return status;
}

static int benchGrowth(const snBenchOut* out)
{
    static const int32_t SIZES[4] = {30, 100, 1000, 10000};
    static const char* const NAMES[4] = {"bones_30", "bones_100", "bones_1000", "bones_10000"};
    static snBenchRunner runners[4];
    Subject subjects[4];
    for (int k = 0; k < 4; ++k) {
        snSkeleton* skeleton;
        snMessage why;
        bool ready =
            !makeManyArms(SIZES[k], &skeleton, &why) && !openSubject(skeleton, &subjects[k], &why);
        if (!ready) {
            out->note(out->user, why.text);
            return 1; // the tool ends here
        }
        runners[k] = (snBenchRunner){.run = runForward, .subject = &subjects[k]};
    }
    snBench_Time(out, runners, 4);
    for (int k = 0; k < 4; ++k) {
        emit(out, NAMES[k], "time_per_bone", &runners[k], 1e9 / SIZES[k], "ns", NULL);
        closeSubject(&subjects[k]);
    }
    return 0;
}

int snBench_Skeleton(const snBenchOut* out)
{
    snSkeleton* skeleton;
    snMessage why;
    if (snMakeStarfish(NULL, &skeleton, &why)) {
        out->note(out->user, why.text);
        return 1;
    }
    int failed = benchTree(out, "starfish_26dof", skeleton);
    if (!failed && snMakeHumanoid(NULL, &skeleton, &why)) {
        out->note(out->user, why.text);
        return 1;
    }
    failed = failed || benchTree(out, "humanoid_60dof", skeleton);
    return failed ? 1 : benchGrowth(out);
}
