// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The answer to active accelerations is what hybrid dynamics gives with them, whatever else acts.
#include "skel/affine.h"

#include "skel/dynamics.h"
#include "tree.h"

#define MOST 400
#define WATCHES 3

// Mass ratios of 100 and mixed joints cost six digits of sixteen.
#define TOLERANCE 1e-9

typedef struct Case {
    snSkeleton* skeleton;
    snDynamics* dynamics;
    snArena arena;
    snAffine affine;
    snStep step;
    snJointCommand command;
    uint8_t active[TREE_BONES], mode[TREE_BONES];
    double q[MOST], qd[MOST], tau[MOST], qdd[MOST], base[MOST];
    double servo_q[MOST], servo_qd[MOST], kp[MOST], kd[MOST], limit[MOST];
    snWrench external[TREE_BONES];
    snInertia6 drag[TREE_BONES];
    int32_t watch[WATCHES];
} Case;

static void fill(snRandom* r, double* x, int32_t count, double size)
{
    for (int32_t i = 0; i < count; ++i) {
        x[i] = snRandom_Range(r, -size, size);
    }
}

// A tree in motion in the middle of a step: some joints active, some prescribed, some servos;
// driven: none but the root's is passive.
static void makeCase(snRandom* r, const TreeKind* kind, int32_t integrator, bool driven, Case* c)
{
    Tree tree;
    randomTree(r, kind, &tree);
    c->dynamics = makeDynamics(&tree, &c->skeleton);
    const snSkeleton* s = c->skeleton;
    randomState(r, s, 0.5, 2, c->q, c->qd);
    fill(r, c->tau, s->nv, 3), fill(r, c->qdd, s->nv, 5), fill(r, c->base, s->nv, 5);
    memcpy(c->servo_q, c->q, sizeof c->q);
    fill(r, c->servo_qd, s->nv, 1);
    for (int32_t k = 0; k < s->nv; ++k) {
        c->kp[k] = 50, c->kd[k] = 2, c->limit[k] = k % 2 ? (double)INFINITY : 3;
    }
    for (int32_t i = 0; i < s->bone_count; ++i) {
        bool root = i == 0 && kind->free_root;
        c->active[i] = !root && snRandom_Unit(r) < 0.6;
        double draw = root || c->active[i] ? 1 : driven ? 0 : snRandom_Unit(r);
        c->mode[i] = draw < 0.3 ? sn_modeAcceleration : draw < 0.5 ? sn_modeServo : sn_modeTorque;
        c->external[i] = snWrenchFrom(randomVec(r, 2), randomVec(r, 5));
        c->drag[i].M = snSymDiagonal(snRandom_Unit(r));
        c->drag[i].A = snSymDiagonal(0.01 * snRandom_Unit(r));
    }
    c->command = (snJointCommand){.mode = c->mode,
                                  .tau = c->tau,
                                  .qdd = c->qdd,
                                  .servo_q = c->servo_q,
                                  .servo_qd = c->servo_qd,
                                  .servo_kp = c->kp,
                                  .servo_kd = c->kd,
                                  .servo_limit = c->limit,
                                  .external = c->external};
    c->step = (snStep){c->q, c->qd, 1e-3, integrator, {1, -9.81, 2}, c->drag};
    for (int i = 0; i < WATCHES; ++i) {
        c->watch[i] = (int32_t)snRandom_Below(r, (uint32_t)s->bone_count);
    }
    snArena_Init(&c->arena, NULL);
    snAffine_Push(&c->affine, s->bone_count, s->nv, s->nv, WATCHES, &c->arena);
    assert_false(c->arena.failed);
    snIntegrate_Begin(&c->dynamics->ws, &c->step, &c->command);
    snAffineQuery query = {c->active, c->base, c->watch, WATCHES, false};
    assert_true(snAffine_Find(&c->affine, &c->dynamics->ws, &c->step, &c->command, &query));
}

static void freeCase(Case* c)
{
    snArena_Free(&c->arena);
    snDynamics_Free(c->dynamics);
    snSkeleton_Release(c->skeleton);
}

// The same with the active joints prescribed at base + x, by hybrid dynamics.
static void runHybrid(Case* c, const double* x, double* qdd, double* tau)
{
    snWorkspace* ws = &c->dynamics->ws;
    snServo targets = {c->servo_q, c->servo_qd, c->kp, c->kd, c->limit};
    snHybridStep how = {c->step.h,      c->step.integrator == sn_integratorMidpoint,
                        ws->prescribed, ws->servo,
                        &targets,       ws->q_mid,
                        c->qd,          c->drag};
    snHybridLoad load = {c->tau, ws->qdd_given, c->external, c->step.gravity};
    int32_t bad, column = 0;
    for (int32_t i = 0; i < c->skeleton->bone_count; ++i) {
        const snBone* b = &c->skeleton->bones[i];
        for (int32_t k = b->vi; c->active[i] && k < b->vi + b->nv; ++k) {
            ws->qdd_given[k] = c->base[k] + x[column++];
        }
        ws->prescribed[i] = ws->prescribed[i] || c->active[i];
    }
    assert_int_equal(column, c->affine.count);
    assert_true(snHybrid_Run(c->skeleton, ws->motion, &how, &load, &ws->factor, qdd, tau, &bad));
}

static void assertVector(snVec3 a, snVec3 b, double size)
{
    assert_close(a.x, b.x, TOLERANCE * size);
    assert_close(a.y, b.y, TOLERANCE * size);
    assert_close(a.z, b.z, TOLERANCE * size);
}

static void checkCase(snRandom* r, Case* c)
{
    double x[MOST], qdd[MOST], tau[MOST];
    const snAffine* a = &c->affine;
    int32_t n = a->count;
    fill(r, x, n, 10);
    runHybrid(c, x, qdd, tau);
    for (int32_t i = 0; i < n; ++i) {
        double sum = a->tau0[a->coordinate[i]], size = fabs(sum) + 1;
        for (int32_t k = 0; k < n; ++k) {
            sum += a->T[i * n + k] * x[k];
            size += fabs(a->T[i * n + k] * x[k]);
            double scale = sqrt(a->T[i * n + i] * a->T[k * n + k]);
            assert_close(a->T[i * n + k], a->T[k * n + i], TOLERANCE * scale);
        }
        assert_true(a->T[i * n + i] > 0);
        assert_close(sum, tau[a->coordinate[i]], TOLERANCE * size);
    }
    for (int w = 0; w < WATCHES; ++w) {
        const snBoneMotion* m = &c->dynamics->ws.motion[c->watch[w]];
        snTwist sum = a->base[c->watch[w]];
        double size = snLength(sum.w) + snLength(sum.v) + 1;
        for (int32_t k = 0; k < n; ++k) {
            sum.w = snMulAdd(sum.w, x[k], a->G[w * n + k].w);
            sum.v = snMulAdd(sum.v, x[k], a->G[w * n + k].v);
            size += fabs(x[k]) * (snLength(a->G[w * n + k].w) + snLength(a->G[w * n + k].v));
        }
        assertVector(sum.w, m->dw, size);
        assertVector(sum.v, snAdd(m->dv, c->step.gravity), size);
    }
}

static void answersAreHybrids(void** state)
{
    (void)state;
    static Case c;
    snRandom r = snRandom_Seed(1);
    for (int round = 0; round < 120; ++round) {
        TreeKind kind = {1 + (int32_t)snRandom_Below(&r, 30),
                         -1,
                         round % 3 ? 1 : 100,
                         round % 2 == 0,
                         round % 5 > 1,
                         round % 7 > 3};
        memset(&c, 0, sizeof c);
        makeCase(&r, &kind, round % sn_integratorCount, round % 4 > 1, &c);
        checkCase(&r, &c);
        freeCase(&c);
    }
}

// Columns without solves are those with them.
static void shortcutsAgree(void** state)
{
    (void)state;
    static Case c;
    snRandom r = snRandom_Seed(3);
    for (int round = 0; round < 60; ++round) {
        double T[60 * 60];
        snTwist G[WATCHES * 60];
        TreeKind kind = {12, -1, 1, round % 2 == 0, round % 3 > 0, true};
        memset(&c, 0, sizeof c);
        makeCase(&r, &kind, round % sn_integratorCount, true, &c);
        size_t n = (size_t)c.affine.count;
        assert_true(n < 60);
        memcpy(T, c.affine.T, n * n * sizeof *T);
        memcpy(G, c.affine.G, WATCHES * n * sizeof *G);
        snIntegrate_Begin(&c.dynamics->ws, &c.step, &c.command);
        snAffineQuery query = {c.active, c.base, c.watch, WATCHES, true};
        assert_true(snAffine_Find(&c.affine, &c.dynamics->ws, &c.step, &c.command, &query));
        for (size_t i = 0; i < n * n; ++i) {
            double size = sqrt(T[i / n * (n + 1)] * T[i % n * (n + 1)]);
            assert_close(T[i], c.affine.T[i], TOLERANCE * size);
        }
        for (size_t i = 0; i < WATCHES * n; ++i) {
            double size = 1 + snLength(G[i].w) + snLength(G[i].v);
            assertVector(G[i].w, c.affine.G[i].w, size);
            assertVector(G[i].v, c.affine.G[i].v, size);
        }
        freeCase(&c);
    }
}

// A step goes on as if nothing had been asked.
static void leavesNoTrace(void** state)
{
    (void)state;
    static Case c;
    snRandom r = snRandom_Seed(2);
    for (int round = 0; round < 20; ++round) {
        TreeKind kind = {12, -1, 1, true, true, true};
        memset(&c, 0, sizeof c);
        makeCase(&r, &kind, round % sn_integratorCount, round % 4 > 1, &c);
        double q[2][MOST], qd[2][MOST];
        for (int pass = 0; pass < 2; ++pass) {
            int32_t bad;
            memcpy(q[pass], c.q, sizeof c.q), memcpy(qd[pass], c.qd, sizeof c.qd);
            snStep step = {q[pass], qd[pass], 1e-3, c.step.integrator, c.step.gravity, c.drag};
            if (pass == 1) {
                snIntegrate_Begin(&c.dynamics->ws, &step, &c.command);
            }
            assert_true(snIntegrate_Finish(&c.dynamics->ws, &step, &c.command, &bad));
        }
        assert_memory_equal(q[0], q[1], (size_t)c.skeleton->nq * sizeof(double));
        assert_memory_equal(qd[0], qd[1], (size_t)c.skeleton->nv * sizeof(double));
        freeCase(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answersAreHybrids),
        cmocka_unit_test(shortcutsAgree),
        cmocka_unit_test(leavesNoTrace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
