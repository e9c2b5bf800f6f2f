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
    a->first = snArena_Push(arena, bones + 1, sizeof(int32_t));
    a->unit = snArena_Push(arena, k, sizeof(snTwist));
    a->felt = snArena_Push(arena, k, sizeof(snWrench));
    a->answer = snArena_Push(arena, 6 * k, sizeof(double));
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
        a->first[i + 1] = a->count;
    }
}

static void keepBase(snAffine* a, const snWorkspace* ws, snVec3 gravity)
{
    memcpy(a->tau0, a->tau, (size_t)ws->skeleton->nv * sizeof(double));
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        a->base[i] = snTwistFrom(ws->motion[i].dw, snAdd(ws->motion[i].dv, gravity));
    }
}

// Columns by solves -----------------------------------------------------------

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

static void findColumns(snAffine* a, snWorkspace* ws, snHybridStep* how, const snAffineQuery* query)
{
    const snSkeleton* skeleton = ws->skeleton;
    // without velocities, outer forces and what acts in joints by itself
    how->qd = a->none;
    memset(a->given, 0, (size_t)skeleton->nv * sizeof(double));
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        memset(ws->factor.joints[i].f, 0, sizeof ws->factor.joints[i].f);
    }
    snKinematics_Velocity(skeleton, a->none, ws->motion);
    for (int32_t k = 0; k < a->count; ++k) {
        findColumn(a, ws, how, k, query);
    }
    snKinematics_Velocity(skeleton, ws->qd_mid, ws->motion);
}

// Columns where only the root is passive --------------------------------------

static bool onlyRootIsPassive(const snAffine* a, const snSkeleton* skeleton)
{
    for (int32_t i = 1; i < skeleton->bone_count; ++i) {
        if (!a->prescribed[i] || skeleton->bones[i].parent < 0) {
            return false;
        }
    }
    return true;
}

static snTwist unitTwist(const snBone* b, const snBoneMotion* m, int32_t k)
{
    double unit[6] = {0};
    unit[k] = 1;
    return snKinematics_JointTwist(b, m, unit);
}

static double power(snWrench force, snTwist motion)
{
    return snDot(force.n, motion.w) + snDot(force.f, motion.v);
}

// M of a coordinate with those of its own joint and of joints above; returns what the root feels.
static snWrench weighColumn(snAffine* a, const snWorkspace* ws, int32_t bone, int32_t column)
{
    snTwist unit = a->unit[column];
    snWrench force = snInertia6_Times(&ws->factor.bones[bone].J, unit.w, unit.v);
    for (int32_t i = bone;; i = ws->skeleton->bones[i].parent) {
        const snBone* b = &ws->skeleton->bones[i];
        for (int32_t k = a->first[i]; k < a->first[i + 1]; ++k) {
            double mass = power(force, a->unit[k]);
            a->T[(ptrdiff_t)k * a->count + column] = a->T[(ptrdiff_t)column * a->count + k] = mass;
        }
        if (b->parent < 0) {
            return force;
        }
        force.n = snAdd(force.n, snCross(ws->motion[i].r, force.f));
    }
}

static void weighColumns(snAffine* a, snWorkspace* ws)
{
    const snSkeleton* skeleton = ws->skeleton;
    memset(a->T, 0, (size_t)a->count * (size_t)a->count * sizeof(double));
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        int32_t count = a->first[i + 1] - a->first[i];
        for (int32_t k = 0; k < count; ++k) {
            a->unit[a->first[i] + k] = unitTwist(b, &ws->motion[i], k);
        }
        for (int32_t k = 0; k < count; ++k) {
            int32_t column = a->first[i] + k, group = b->ball >= 0 ? k / 3 : k;
            a->felt[column] = weighColumn(a, ws, i, column);
            a->T[(ptrdiff_t)column * (a->count + 1)] +=
                b->passive >= 0 ? skeleton->passives[b->passive].dof[group].armature : 0;
        }
    }
}

// One row of R' Y: entry c is the power of the force on answer c.
static void addPowers(double* restrict row, const double* restrict answer, snWrench force,
                      int32_t count)
{
    const double *wx = answer, *wy = wx + count, *wz = wy + count;
    const double *vx = wz + count, *vy = vx + count, *vz = vy + count;
    for (int32_t c = 0; c < count; ++c) {
        row[c] += (force.n.x * wx[c] + force.n.y * wy[c] + force.n.z * wz[c]) +
                  (force.f.x * vx[c] + force.f.y * vy[c] + force.f.z * vz[c]);
    }
}

static void answerColumns(snAffine* a, snWorkspace* ws)
{
    int32_t count = a->count;
    for (int32_t c = 0; c < count; ++c) {
        snTwist y = snHybrid_Answer(ws->skeleton, 0, ws->motion, &ws->factor, a->felt[c]);
        double parts[6] = {y.w.x, y.w.y, y.w.z, y.v.x, y.v.y, y.v.z};
        for (int32_t k = 0; k < 6; ++k) {
            a->answer[k * count + c] = parts[k];
        }
    }
    for (int32_t r = 0; r < count; ++r) {
        addPowers(a->T + (ptrdiff_t)r * count, a->answer, a->felt[r], count);
    }
}

static snTwist answerOf(const snAffine* a, int32_t c)
{
    const double* y = a->answer + c;
    int32_t n = a->count;
    return snTwistFrom(snV3(y[0], y[n], y[2 * n]), snV3(y[3 * n], y[4 * n], y[5 * n]));
}

static snTwist carry(snTwist motion, snVec3 way)
{
    return snTwistFrom(motion.w, snAdd(motion.v, snCross(motion.w, way)));
}

// A watched bone moves with the root and with the joints above it.
static void watchBone(const snAffine* a, const snWorkspace* ws, int32_t bone, snTwist* G)
{
    snVec3 way = snV3(0, 0, 0);
    memset(G, 0, (size_t)a->count * sizeof *G);
    for (int32_t i = bone;; i = ws->skeleton->bones[i].parent) {
        for (int32_t k = a->first[i]; k < a->first[i + 1]; ++k) {
            G[k] = carry(a->unit[k], way);
        }
        if (ws->skeleton->bones[i].parent < 0) {
            break;
        }
        way = snAdd(way, ws->motion[i].r);
    }
    for (int32_t k = 0; k < a->count && !a->prescribed[0]; ++k) {
        snTwist all = carry(answerOf(a, k), way);
        G[k] = snTwistFrom(snAdd(G[k].w, all.w), snAdd(G[k].v, all.v));
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
    if (query->plain || !onlyRootIsPassive(a, skeleton)) {
        findColumns(a, ws, &how, query);
        return true;
    }
    weighColumns(a, ws);
    if (!a->prescribed[0]) {
        answerColumns(a, ws);
    }
    for (int32_t i = 0; i < query->watch_count; ++i) {
        watchBone(a, ws, query->watch[i], a->G + (ptrdiff_t)i * a->count);
    }
    return true;
}
