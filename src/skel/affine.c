// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/affine.h"

#include <string.h>

void snAffine_Push(snAffine* a, int32_t bone_count, int32_t nv, int32_t most, int32_t watches,
                   snArena* arena)
{
    size_t bones = (size_t)bone_count, n = (size_t)nv, k = (size_t)most;
    a->most = most;
    a->count = 0;
    a->coordinate = snArena_Push(arena, k, sizeof(int32_t));
    a->base = snArena_Push(arena, bones, sizeof(snTwist));
    a->T = snArena_Push(arena, k * k, sizeof(double));
    a->G = snArena_Push(arena, (size_t)watches * k, sizeof(snTwist));
    a->prescribed = snArena_Push(arena, bones, 1);
    double** of_nv[] = {&a->tau0, &a->given, &a->qdd, &a->tau, &a->none};
    for (size_t i = 0; i < sizeof of_nv / sizeof *of_nv; ++i) {
        *of_nv[i] = snArena_Push(arena, n, sizeof(double));
    }
}

// Which joints are prescribed now, with which accelerations.
static void prescribe(snAffine* a, const snWorkspace* ws, const snAffineQuery* query)
{
    a->count = 0;
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        const snBone* b = &ws->skeleton->bones[i];
        const double* from = query->active[i] ? query->base : ws->qdd_given;
        a->prescribed[i] = query->active[i] || ws->prescribed[i];
        for (int32_t k = b->vi; k < b->vi + b->nv; ++k) {
            a->given[k] = from[k];
            if (query->active[i]) {
                a->coordinate[a->count++] = k;
            }
        }
    }
}

static void keepBase(snAffine* a, const snWorkspace* ws, snVec3 gravity)
{
    memcpy(a->tau0, a->tau, (size_t)ws->skeleton->nv * sizeof(double));
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        a->base[i] = snTwistFrom(ws->motion[i].dw, snAdd(ws->motion[i].dv, gravity));
    }
}

// One column of G and T: what a unit of acceleration of an active coordinate does by itself.
static void findColumn(snAffine* a, snWorkspace* ws, const snHybridStep* how, int32_t column,
                       const snAffineQuery* query)
{
    snHybridLoad load = {NULL, a->given, NULL, {0, 0, 0}};
    a->given[a->coordinate[column]] = 1;
    snHybrid_Again(ws->skeleton, ws->motion, how, &load, &ws->factor, a->qdd, a->tau);
    a->given[a->coordinate[column]] = 0;
    for (int32_t k = 0; k < a->count; ++k) {
        a->T[(ptrdiff_t)k * a->count + column] = a->tau[a->coordinate[k]];
    }
    for (int32_t k = 0; k < query->watch_count; ++k) {
        const snBoneMotion* m = &ws->motion[query->watch[k]];
        a->G[(ptrdiff_t)k * a->count + column] = snTwistFrom(m->dw, m->dv);
    }
}

bool snAffine_Find(snAffine* a, snWorkspace* ws, const snStep* step, const snJointCommand* command,
                   const snAffineQuery* query)
{
    const snSkeleton* skeleton = ws->skeleton;
    snServo targets = {command->servo_q, command->servo_qd, command->servo_kp, command->servo_kd,
                       command->servo_limit};
    snHybridStep how = {.h = step->h,
                        .midpoint = step->integrator == sn_integratorMidpoint,
                        .prescribed = a->prescribed,
                        .servo = ws->servo,
                        .targets = &targets,
                        .q = ws->q_mid,
                        .qd = step->qd,
                        .drag = step->drag};
    snHybridLoad load = {command->tau, a->given, command->external, step->gravity};
    int32_t bad;
    prescribe(a, ws, query);
    if (!snHybrid_Run(skeleton, ws->motion, &how, &load, &ws->factor, a->qdd, a->tau, &bad)) {
        return false;
    }
    keepBase(a, ws, step->gravity);
    // without velocities, outer forces and what acts in joints by itself
    how.qd = a->none;
    memset(a->given, 0, (size_t)skeleton->nv * sizeof(double));
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        memset(ws->factor.joints[i].f, 0, sizeof ws->factor.joints[i].f);
    }
    snKinematics_Velocity(skeleton, a->none, ws->motion);
    for (int32_t k = 0; k < a->count; ++k) {
        findColumn(a, ws, &how, k, query);
    }
    snKinematics_Velocity(skeleton, ws->qd_mid, ws->motion);
    return true;
}
