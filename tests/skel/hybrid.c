// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Hybrid dynamics against the dense mass matrix, against itself, and against the laws of mechanics.
#include "base/cpu.h"
#include "linsolve/dense.h"
#include "skel/tree.h"

#define NV (6 * TREE_BONES)
#define NQ (7 * TREE_BONES)

// Both sides solve the same equations in double; what differs is rounding, amplified by the mass
// matrix.
#define SAME 1e-9

typedef struct Case {
    snSkeleton* skeleton;
    snDynamics* dynamics;
    int32_t n, nv;
    double q[NQ], qd[NV], tau[NV], qdd[NV];
    snWrench external[TREE_BONES];
    uint8_t prescribed[TREE_BONES];
} Case;

static void setUp(Case* c, snRandom* r, const TreeKind* kind)
{
    static Tree tree;
    snMessage why;
    randomTree(r, kind, &tree);
    for (int32_t i = 0; i < tree.count; ++i) {
        tree.defs[i].mass = randomBox(r, kind->mass_ratio);
    }
    c->dynamics = makeDynamics(&tree, &c->skeleton);
    c->n = tree.count;
    c->nv = snSkeleton_VelocityCount(c->skeleton);
    randomState(r, c->skeleton, 1.2, 2, c->q, c->qd);
    assert_ok(snDynamics_SetState(c->dynamics, c->q, c->qd, &why), why);
    snDynamics_SetGravity(c->dynamics, randomVec(r, 10));
    for (int32_t k = 0; k < c->nv; ++k) {
        c->tau[k] = snRandom_Range(r, -5, 5);
        c->qdd[k] = snRandom_Range(r, -5, 5);
    }
    for (int32_t i = 0; i < c->n; ++i) {
        c->external[i].n = randomVec(r, 3);
        c->external[i].f = randomVec(r, 3);
        c->prescribed[i] = snRandom_Unit(r) < 0.5;
    }
}

static void tearDown(Case* c)
{
    snDynamics_Free(c->dynamics);
    snSkeleton_Release(c->skeleton);
}

static bool isPrescribed(const Case* c, int32_t dof)
{
    for (int32_t i = c->n - 1; i >= 0; --i) {
        if (dof >= snSkeleton_VelocityStart(c->skeleton, i)) {
            return c->prescribed[i];
        }
    }
    return false;
}

// The dense answer: b from inverse dynamics at qdd = 0, then M_vv qdd_v = tau_v - b_v - M_vu qdd_u
// and tau_u from the rows of the prescribed joints (Kim & Pollard 2011, eq. 18). Two steps of
// iterative refinement take away the rounding that the mass matrix amplifies.
static void solveDense(Case* c, double* qdd, double* tau)
{
    static double M[NV * NV], A[NV * NV], b[NV], rhs[NV];
    static uint8_t all[TREE_BONES];
    int32_t nv = c->nv, map[NV], m = 0;
    memset(all, 1, sizeof all);
    snHybridInput in = {.prescribed = all, .external = c->external};
    snDynamics_Hybrid(c->dynamics, &in, NULL, b);
    snDynamics_MassMatrix(c->dynamics, M);
    for (int32_t k = 0; k < nv; ++k) {
        qdd[k] = c->qdd[k];
        tau[k] = c->tau[k];
        if (!isPrescribed(c, k)) {
            map[m++] = k;
        }
    }
    for (int32_t i = 0; i < m; ++i) {
        qdd[map[i]] = 0;
        for (int32_t j = 0; j < m; ++j) {
            A[i * m + j] = M[map[i] * nv + map[j]];
        }
    }
    assert_true(snCholesky_Factor(A, m));
    for (int round = 0; round < 3; ++round) {
        for (int32_t i = 0; i < m; ++i) {
            rhs[i] = c->tau[map[i]] - b[map[i]];
            for (int32_t k = 0; k < nv; ++k) {
                rhs[i] -= M[map[i] * nv + k] * qdd[k];
            }
        }
        snCholesky_Solve(A, m, rhs);
        for (int32_t i = 0; i < m; ++i) {
            qdd[map[i]] += rhs[i];
        }
    }
    for (int32_t k = 0; k < nv; ++k) {
        if (isPrescribed(c, k)) {
            tau[k] = b[k];
            for (int32_t j = 0; j < nv; ++j) {
                tau[k] += M[k * nv + j] * qdd[j];
            }
        }
    }
}

static double largest(const double* x, int32_t n)
{
    double most = 0;
    for (int32_t i = 0; i < n; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static double apart(const double* x, const double* y, int32_t n)
{
    double most = 0;
    for (int32_t i = 0; i < n; ++i) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most / fmax(largest(y, n), 1e-30);
}

static double compareDense(snRandom* r, const TreeKind* kind, double* feedback)
{
    static Case c;
    double qdd[NV], tau[NV], dense_qdd[NV], dense_tau[NV], again[NV];
    setUp(&c, r, kind);
    snHybridInput in = {c.prescribed, c.tau, c.qdd, c.external};
    snDynamics_Hybrid(c.dynamics, &in, qdd, tau);
    solveDense(&c, dense_qdd, dense_tau);
    double off = fmax(apart(qdd, dense_qdd, c.nv), apart(tau, dense_tau, c.nv));
    // its own torques, fed back as forward dynamics, give the same accelerations
    snHybridInput forward = {NULL, tau, NULL, c.external};
    snDynamics_Hybrid(c.dynamics, &forward, again, NULL);
    *feedback = fmax(*feedback, apart(again, qdd, c.nv));
    tearDown(&c);
    return off;
}

static void everyJointTypeMatchesTheDenseSolution(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(11);
    for (int32_t type = sn_jointRevolute; type < sn_jointTypeCount; ++type) {
        double worst = 0, feedback = 0;
        for (int n = 0; n < 40; ++n) {
            TreeKind kind = {
                1 + (int32_t)snRandom_Below(&r, 8), type, 10, n % 2 == 0, n % 4 >= 2, n % 8 >= 4};
            worst = fmax(worst, compareDense(&r, &kind, &feedback));
        }
        assert_below(worst, SAME);
        assert_below(feedback, SAME);
    }
}

static void mixedTreesMatchTheDenseSolution(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(12);
    double worst = 0, feedback = 0;
    for (int n = 0; n < 300; ++n) {
        TreeKind kind = {2 + (int32_t)snRandom_Below(&r, 20),
                         -1,
                         n % 3 == 0 ? 1e4 : 30,
                         n % 2 == 0,
                         n % 4 >= 2,
                         n % 8 >= 4};
        worst = fmax(worst, compareDense(&r, &kind, &feedback));
    }
    print_message("dense: worst %.2g, torques fed back: worst %.2g\n", worst, feedback);
    assert_below(worst, SAME);
    assert_below(feedback, SAME);
}

// Poses, velocities and both solves of a step.
static void everyInstructionSetGivesTheSameBits(void** state)
{
    (void)state;
    static Case c;
    snRandom r = snRandom_Seed(13);
    for (int n = 0; n < 40; ++n) {
        TreeKind kind = {20, -1, 10, n % 2 == 0, n % 4 >= 2, n % 8 >= 4};
        static double first[4 * NV + NQ], out[4 * NV + NQ];
        setUp(&c, &r, &kind);
        for (snIsa isa = sn_isaBaseline; isa <= snCpu_Best(); ++isa) {
            snMessage why;
            snJointCommand command = {.tau = c.tau, .external = c.external};
            snHybridInput in = {c.prescribed, c.tau, c.qdd, c.external};
            c.skeleton->isa = isa;
            assert_ok(snDynamics_SetState(c.dynamics, c.q, c.qd, &why), why);
            snDynamics_Hybrid(c.dynamics, &in, out, out + NV);
            assert_ok(snDynamics_Step(c.dynamics, 1e-3, sn_integratorMidpoint, 1, &command, &why),
                      why);
            snDynamics_GetState(c.dynamics, out + (ptrdiff_t)4 * NV, out + (ptrdiff_t)3 * NV);
            if (isa == sn_isaBaseline) {
                memcpy(first, out, sizeof first);
            }
            assert_memory_equal(first, out, sizeof first);
        }
        tearDown(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyJointTypeMatchesTheDenseSolution),
        cmocka_unit_test(mixedTreesMatchTheDenseSolution),
        cmocka_unit_test(everyInstructionSetGivesTheSameBits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
