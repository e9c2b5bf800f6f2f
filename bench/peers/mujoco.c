// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo as a peer of `sinew bench`.
//
// Timed are the stages of mj_forward that forward dynamics of a tree needs, called one by one.
// mj_forward itself also runs cameras, collisions, constraints, actuators and sensors, which have
// nothing to do here but cost a little: leaving them out is what a user after speed would do, and
// the fairest to MuJoCo.
#include "bench/peers/mujoco_model.h"
#include "bench/peers/peer.h"

#include <stdio.h>

__attribute__((visibility("default"))) const snPeer* snPeer_Get(void);

typedef struct Mujoco {
    mjModel* model;
    mjData* data;
} Mujoco;

static void closeMujoco(void* peer)
{
    Mujoco* p = peer;
    if (p) {
        mj_deleteData(p->data);
        mj_deleteModel(p->model);
        free(p);
    }
}

static void runMujoco(void* peer, int repetitions)
{
    const mjModel* m = ((Mujoco*)peer)->model;
    mjData* d = ((Mujoco*)peer)->data;
    for (int i = 0; i < repetitions; ++i) {
        mj_kinematics(m, d);
        mj_comPos(m, d);
        mj_crb(m, d);
        mj_factorM(m, d);
        mj_comVel(m, d);
        mj_passive(m, d);
        mj_rne(m, d, 0, d->qfrc_bias);
        mj_fwdAcceleration(m, d);
    }
}

// The stages above leave out nothing that matters: mj_forward gives the same bits.
static int agreesWithForward(Mujoco* p)
{
    size_t bytes = (size_t)p->model->nv * sizeof(mjtNum);
    mjtNum* expected = malloc(bytes + 1);
    int same = 0;
    if (expected) {
        mj_forward(p->model, p->data);
        memcpy(expected, p->data->qacc, bytes);
        memset(p->data->qacc_smooth, 0, bytes);
        runMujoco(p, 1);
        same = memcmp(expected, p->data->qacc_smooth, bytes) == 0;
        free(expected);
    }
    return same;
}

static void* openMujoco(const char* mjcf, const double* qpos, const double* qvel, char* error,
                        size_t error_size)
{
    snprintf(error, error_size, "no memory for a model");
    Mujoco* p = calloc(1, sizeof *p);
    if (p) {
        p->model = loadMujocoModel(mjcf, error, (int)error_size);
        p->data = p->model ? mj_makeData(p->model) : NULL;
    }
    if (!p || !p->data) {
        closeMujoco(p);
        return NULL;
    }
    memcpy(p->data->qpos, qpos, (size_t)p->model->nq * sizeof(mjtNum));
    memcpy(p->data->qvel, qvel, (size_t)p->model->nv * sizeof(mjtNum));
    if (!agreesWithForward(p)) {
        snprintf(error, error_size, "the timed stages and mj_forward disagree in this MuJoCo");
        closeMujoco(p);
        return NULL;
    }
    return p;
}

const snPeer* snPeer_Get(void)
{
    static snPeer peer = {"MuJoCo", "", openMujoco, runMujoco, closeMujoco};
    peer.version = mj_versionString();
    return &peer;
}
