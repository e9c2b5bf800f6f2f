// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Other programs on the same models, on one thread, in turns in the same run. The skeleton: poses,
// velocities and one hybrid dynamics recursion with all joints torque-driven, against MuJoCo's
// forward dynamics; and a whole default step. Soft bodies: beam.c.
#include "bench.h"

#include "beam.h"
#include "module.h"
#include "peers/mjcf.h"
#include "peers/peer.h"
#include "tree.h"
#include <scenes/scenes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The peer --------------------------------------------------------------------

typedef struct Rival {
    const snPeer* peer;
    void* model;
    char name[64]; // with version
} Rival;

// MuJoCo on the tree and its state; a note says why when it cannot.
static bool openRival(const snBenchOut* out, void* get, const snTree* tree, Rival* r)
{
    char text[256];
    snPeer_GetFcn* function;
    snMjcf mjcf;
    snMessage why;
    *r = (Rival){.model = NULL};
    if (!get) {
        return false;
    }
    memcpy(&function, &get, sizeof function); // ISO C has no cast from object to function pointers
    r->peer = function();
    snprintf(r->name, sizeof r->name, "%s %s", r->peer->name, r->peer->version);
    if (snMjcf_Write(tree->skeleton, (snVec3){0, -SN_GRAVITY, 0}, &mjcf, &why)) {
        out->note(out->user, why.text);
        return false;
    }
    double* qpos = calloc((size_t)snSkeleton_PositionCount(tree->skeleton) + 1, sizeof(double));
    double* qvel = calloc((size_t)snSkeleton_VelocityCount(tree->skeleton) + 1, sizeof(double));
    if (qpos && qvel) {
        snMjcf_Position(&mjcf, tree->q, qpos);
        snMjcf_Rate(&mjcf, tree->q, tree->qd, qvel);
        r->model = r->peer->open(mjcf.text, qpos, qvel, text, sizeof text);
        if (!r->model) {
            out->note(out->user, text);
        }
    }
    free(qpos);
    free(qvel);
    snMjcf_Free(&mjcf);
    return r->model != NULL;
}

// The skeletons ---------------------------------------------------------------

static void emit(const snBenchOut* out, const char* name, const char* metric, snBenchRunner* r,
                 const char* peer)
{
    snBenchRow row = {
        .bench = "peers", .name = name, .metric = metric, .unit = "us", .threads = 1, .peer = peer};
    snBench_Emit(out, &row, r, 1e6);
}

static void timeTree(const snBenchOut* out, void* get, const char* name, snTree* tree)
{
    static snBenchRunner r[4];
    Rival rival;
    const bool rivalled = openRival(out, get, tree, &rival);
    r[0] = snBenchRunner_Of(snTree_Forward, NULL, tree);
    r[1] = snBenchRunner_Of(snTree_Kinematics, NULL, tree);
    if (rivalled) {
        r[2] = snBenchRunner_Of(rival.peer->run, NULL, rival.model);
    }
    snBench_Time(out, r, rivalled ? 3 : 2, 1);
    emit(out, name, "kinematics_and_hybrid", &r[0], NULL);
    emit(out, name, "kinematics", &r[1], NULL);
    if (rivalled) {
        emit(out, name, "kinematics_and_hybrid", &r[2], rival.name);
        rival.peer->close(rival.model);
    }
    // a step moves the state on, so it is timed by itself
    r[3] = snBenchRunner_Of(snTree_Step, NULL, tree);
    snBench_Time(out, &r[3], 1, 1);
    emit(out, name, "midpoint_step", &r[3], NULL);
}

static snStatus benchTrees(const snBenchOut* out, void* get, snMessage* why)
{
    static const struct {
        const char* name;
        snStatus (*make)(const snHost* host, snSkeleton** skeleton, snMessage* why);
    } TREES[2] = {{"starfish_26dof", snMakeStarfish}, {"humanoid_60dof", snMakeHumanoid}};
    snStatus status = sn_ok;
    for (int i = 0; i < 2 && !status; ++i) {
        snSkeleton* skeleton = NULL;
        snTree tree = {.skeleton = NULL};
        status = TREES[i].make(NULL, &skeleton, why);
        status = status ? status : snTree_Open(&tree, skeleton, why);
        if (!status) {
            timeTree(out, get, TREES[i].name, &tree);
        }
        snTree_Close(&tree);
    }
    return status;
}

snStatus snBench_Peers(const snBenchOut* out, snMessage* why)
{
    snModule mujoco = snModule_Open(out, "mujoco", SN_PEER_SYMBOL, "libmujoco-dev is");
    snStatus status = benchTrees(out, mujoco.symbol, why);
    snModule_Close(&mujoco);
    return status ? status : snBench_Beam(out, why);
}
