// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full
// needs: mujoco

// Kinematics and dynamics of random trees against MuJoCo.
//
// Accelerations are the hard part: both programs solve M qdd = tau - b in double, and the solution
// is only as good as M's condition allows. MuJoCo's is therefore also compared after two steps of
// iterative refinement with its own inverse dynamics and its own factors of M, which takes most of
// its rounding away.
#include "bench/peers/mjcf.h"
#include "bench/peers/mujoco_model.h"
#include "linsolve/dense.h"
#include "math/twist.h"
#include "skel/joint.h"
#include "skel/tree.h"
#include <float.h>

#define MOST 24 // bones
#define NV (6 * MOST)
#define NQ (7 * MOST)

// Both programs work in double, with other algorithms and other frames.
#define SAME 1e-9

// Our accelerations in MuJoCo's equations of motion: what is left over, per coordinate, relative to
// the sum of the sizes of the terms. A backward stable solver leaves some hundred roundings at any
// mass ratio.
#define LEFT_OVER 1e-12

// What is compared, each relative to its own size.
typedef enum Quantity {
    poses,
    velocities,
    momenta,
    energies,
    massMatrix,
    inverse,       // torques for given accelerations
    leftOver,      // of the equations of motion
    accelerations, // of bones and centres of mass
    forward,       // qdd for given torques
    refined,       // the same, MuJoCo's refined
    quantityCount,
} Quantity;

static const char* const QUANTITY_NAMES[quantityCount] = {
    "poses",
    "velocities",
    "centre of mass, momentum",
    "energies",
    "mass matrix",
    "inverse dynamics",
    "left over by forward dynamics",
    "accelerations of bones",
    "forward dynamics",
    "forward dynamics, refined",
};

// How hard the trees are.
typedef enum Family {
    plain,   // bones of one size whatever their mass, free joints inside short trees only
    extreme, // light bones are small too, inertias differ by 5e6; free joints anywhere
} Family;

typedef struct Case {
    Tree tree;
    snSkeleton* skeleton;
    snDynamics* dynamics;
    snMjcf mjcf;
    mjModel* model;
    mjData* data;
    int32_t n, nv;
    snVec3 gravity;
    double q[NQ], qd[NV], tau[NV], qdd[NV]; // qdd is what inverse dynamics is asked for
    snWrench external[MOST];                // at the bone's origin
    double M[NV * NV];                      // ours, written by compareMass
    double off[quantityCount];
} Case;

static void setUpMujoco(Case* c)
{
    char error[500] = "no memory";
    snMessage why;
    assert_ok(snMjcf_Write(c->skeleton, c->gravity, &c->mjcf, &why), why);
    c->model = loadMujocoModel(c->mjcf.text, error, sizeof error);
    if (!c->model) {
        print_error("%s\n%s", error, c->mjcf.text);
    }
    assert_non_null(c->model);
    c->model->opt.enableflags |= mjENBL_ENERGY;
    c->data = mj_makeData(c->model);
    assert_non_null(c->data);
    assert_int_equal(c->model->nbody, c->n + 1);
    assert_int_equal(c->model->nq, snSkeleton_PositionCount(c->skeleton));
    assert_int_equal(c->model->nv, c->nv);
    snMjcf_Position(&c->mjcf, c->q, c->data->qpos);
    snMjcf_Rate(&c->mjcf, c->q, c->qd, c->data->qvel);
    snMjcf_Rate(&c->mjcf, c->q, c->tau, c->data->qfrc_applied);
}

static void makeTree(Case* c, snRandom* r, const TreeKind* kind, Family family)
{
    randomTree(r, kind, &c->tree);
    for (int32_t i = 0; i < kind->bones; ++i) {
        snBoneDef* d = &c->tree.defs[i];
        if (family == plain) {
            d->mass = randomBox(r, kind->mass_ratio);
            // free joints inside a long tree bring cond(M) to 1e8 and MuJoCo's own error above 1e-9
            bool inner = i > 0 && d->joint == sn_jointFree;
            d->joint = inner && kind->bones > 8 ? sn_jointBall : d->joint;
        }
        if (kind->joint < 0 && snRandom_Unit(r) < 0.1) {
            d->joint = i > 0 ? sn_jointWeld : d->joint;
        }
        if (d->joint == sn_jointBall || d->joint == sn_jointFree) {
            d->dof[0].rest = 0; // MuJoCo's only choice
        }
        if (i == 0 && snRandom_Unit(r) < 0.5) {
            d->dof[1] = d->dof[0]; // MuJoCo's own free joint has one spring for all
        }
    }
}

static void setUp(Case* c, snRandom* r, const TreeKind* kind, Family family)
{
    snMessage why;
    memset(c->off, 0, sizeof c->off);
    makeTree(c, r, kind, family);
    c->dynamics = makeDynamics(&c->tree, &c->skeleton);
    c->n = c->tree.count;
    c->nv = snSkeleton_VelocityCount(c->skeleton);
    c->gravity = randomVec(r, 10);
    randomState(r, c->skeleton, 1.2, 2, c->q, c->qd);
    assert_ok(snDynamics_SetState(c->dynamics, c->q, c->qd, &why), why);
    snDynamics_SetGravity(c->dynamics, c->gravity);
    for (int32_t k = 0; k < c->nv; ++k) {
        c->tau[k] = snRandom_Range(r, -5, 5);
        c->qdd[k] = snRandom_Range(r, -5, 5);
    }
    for (int32_t i = 0; i < c->n; ++i) {
        c->external[i] = (snWrench){randomVec(r, 3), randomVec(r, 3)};
    }
    setUpMujoco(c);
}

static void tearDown(Case* c)
{
    mj_deleteData(c->data);
    mj_deleteModel(c->model);
    snMjcf_Free(&c->mjcf);
    snDynamics_Free(c->dynamics);
    snSkeleton_Release(c->skeleton);
}

// Comparing -------------------------------------------------------------------

static snVec3 vec(const mjtNum* x)
{
    return snV3(x[0], x[1], x[2]);
}

// Largest difference over largest size of many vectors.
typedef struct Gap {
    double off, size;
} Gap;

static void compareVec(Gap* gap, snVec3 ours, snVec3 theirs)
{
    gap->off = fmax(gap->off, snLength(snSub(ours, theirs)));
    gap->size = fmax(gap->size, snLength(theirs));
}

static void compareNumbers(Gap* gap, const double* ours, const double* theirs, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        gap->off = fmax(gap->off, fabs(ours[i] - theirs[i]));
        gap->size = fmax(gap->size, fabs(theirs[i]));
    }
}

static void note(Case* c, Quantity what, Gap gap)
{
    double off = gap.off == 0 ? 0 : gap.off / gap.size;
    c->off[what] = off <= c->off[what] ? c->off[what] : off; // NaN stays
}

// Poses and velocities of the bones' frames, positions and velocities of their centres of mass.
static void compareKinematics(Case* c)
{
    Gap position = {0, 0}, axes = {0, 0}, spin = {0, 0}, speed = {0, 0};
    for (int32_t i = 0; i < c->n; ++i) {
        int body = c->mjcf.bones[i].body;
        const mjtNum* R = c->data->xmat + 9 * body;
        snVec3 com = c->tree.defs[i].mass.com;
        snMat3 ours = snMatFromQ(snDynamics_BonePose(c->dynamics, i).q);
        char name[16];
        snprintf(name, sizeof name, "%d", (int)i);
        assert_int_equal(mj_name2id(c->model, mjOBJ_BODY, name), body);
        compareVec(&position, snDynamics_BonePose(c->dynamics, i).p, vec(c->data->xpos + 3 * body));
        compareVec(&position, snDynamics_Point(c->dynamics, i, com),
                   vec(c->data->xipos + 3 * body));
        for (int k = 0; k < 3; ++k) {
            compareVec(&axes, snMatRow(ours, k), vec(R + 3 * k));
        }
        mjtNum frame[6], centre[6]; // angular, linear
        mj_objectVelocity(c->model, c->data, mjOBJ_XBODY, body, frame, 0);
        mj_objectVelocity(c->model, c->data, mjOBJ_BODY, body, centre, 0);
        snTwist twist = snDynamics_BoneTwist(c->dynamics, i);
        compareVec(&spin, twist.w, vec(frame));
        compareVec(&speed, twist.v, vec(frame + 3));
        compareVec(&speed, snDynamics_PointVelocity(c->dynamics, i, com), vec(centre + 3));
    }
    note(c, poses, position);
    note(c, poses, axes);
    note(c, velocities, spin);
    note(c, velocities, speed);
}

// Sums are relative to the sum of their parts' sizes: parts may cancel.
static void compareSums(Case* c)
{
    snMomentum ours = snDynamics_Momentum(c->dynamics);
    snEnergy energy = snDynamics_Energy(c->dynamics);
    mj_subtreeVel(c->model, c->data);
    double mass = c->model->body_subtreemass[0], potential = fabs(energy.elastic);
    Gap com = {0, 0}, linear = {0, 0}, angular = {0, 0};
    compareVec(&com, ours.com, vec(c->data->subtree_com));
    compareVec(&linear, ours.linear, snScale(mass, vec(c->data->subtree_linvel)));
    compareVec(&angular, ours.angular, vec(c->data->subtree_angmom));
    for (int32_t i = 0; i < c->n; ++i) {
        snVec3 at = c->tree.defs[i].mass.com, p = snDynamics_Point(c->dynamics, i, at);
        double m = c->tree.defs[i].mass.mass;
        double push = m * snLength(snDynamics_PointVelocity(c->dynamics, i, at));
        com.size += m / mass * snLength(p);
        linear.size += push;
        angular.size += push * (snLength(snSub(p, ours.com)) + snLength(at));
        potential += m * fabs(snDot(c->gravity, p));
    }
    note(c, momenta, (Gap){fabs(ours.mass - mass), mass});
    note(c, momenta, com);
    note(c, momenta, linear);
    note(c, momenta, angular);
    note(c, energies, (Gap){fabs(energy.gravity + energy.elastic - c->data->energy[0]), potential});
    note(c, energies, (Gap){fabs(energy.kinetic - c->data->energy[1]), energy.kinetic});
}

// In our coordinates theirs is T' M T with qvel = T qd, T orthogonal. Entries are relative to
// sqrt(Mii Mjj), so that light joints count as much as heavy ones.
static void compareMass(Case* c)
{
    static double full[NV * NV];
    double unit[NV] = {0}, column[NV], product[NV];
    int32_t nv = c->nv;
    snDynamics_MassMatrix(c->dynamics, c->M);
    mj_fullM(c->model, full, c->data->qM);
    for (int32_t k = 0; k < nv; ++k) {
        unit[k] = 1;
        snMjcf_Rate(&c->mjcf, c->q, unit, column);
        unit[k] = 0;
        mju_mulMatVec(product, full, column, nv, nv);
        snMjcf_RateBack(&c->mjcf, c->q, product, column);
        for (int32_t i = 0; i < nv; ++i) {
            note(c, massMatrix,
                 (Gap){fabs(column[i] - c->M[i * nv + k]),
                       sqrt(c->M[i * nv + i] * c->M[k * nv + k])});
        }
    }
}

// The outer wrenches as MuJoCo takes them: force at the centre of mass, torque about it.
static void applyExternal(Case* c)
{
    for (int32_t i = 0; i < c->n; ++i) {
        mjtNum* at = c->data->xfrc_applied + 6 * c->mjcf.bones[i].body;
        snVec3 arm =
            snMatVec(snMatFromQ(snDynamics_BonePose(c->dynamics, i).q), c->tree.defs[i].mass.com);
        snWrench w = snWrenchAt(c->external[i], arm);
        snStore3(at, w.f);
        snStore3(at + 3, w.n);
    }
}

// What MuJoCo's inverse dynamics asks for besides the outer wrenches to have the accelerations qdd.
static void invert(Case* c, const double* qdd, double* tau)
{
    double pushed[NV] = {0};
    snMjcf_Rate(&c->mjcf, c->q, qdd, c->data->qacc);
    mj_inverse(c->model, c->data);
    for (int32_t i = 0; i < c->n; ++i) {
        int body = c->mjcf.bones[i].body;
        const mjtNum* at = c->data->xfrc_applied + 6 * body;
        mj_applyFT(c->model, c->data, at, at + 3, c->data->xipos + 3 * body, body, pushed);
    }
    for (int32_t k = 0; k < c->nv; ++k) {
        pushed[k] = c->data->qfrc_inverse[k] - pushed[k];
    }
    snMjcf_RateBack(&c->mjcf, c->q, pushed, tau);
}

// |M| |x| + |b| + |tau| per coordinate: the size of the terms of the equations of motion.
static void findTerms(const Case* c, const double* b, const double* tau, const double* x,
                      double* size)
{
    for (int32_t i = 0; i < c->nv; ++i) {
        size[i] = fabs(b[i]) + (tau ? fabs(tau[i]) : 0);
        for (int32_t j = 0; j < c->nv; ++j) {
            size[i] += fabs(c->M[i * c->nv + j] * x[j]);
        }
    }
}

static void compareTorques(Case* c, Quantity what, const double* ours, const double* theirs,
                           const double* size)
{
    for (int32_t k = 0; k < c->nv; ++k) {
        note(c, what, (Gap){fabs(ours[k] - theirs[k]), size[k]});
    }
}

static void compareInverse(Case* c, double* bias)
{
    double ours[NV], theirs[NV], size[NV];
    uint8_t all[MOST];
    memset(all, 1, sizeof all);
    snHybridInput still = {.prescribed = all, .external = c->external};
    snDynamics_Hybrid(c->dynamics, &still, NULL, bias);
    snHybridInput moving = {.prescribed = all, .qdd = c->qdd, .external = c->external};
    snDynamics_Hybrid(c->dynamics, &moving, NULL, ours);
    invert(c, c->qdd, theirs);
    findTerms(c, bias, NULL, c->qdd, size);
    compareTorques(c, inverse, ours, theirs, size);
}

// After snDynamics_Hybrid found `qdd`: the same accelerations by MuJoCo's recursion.
static void compareAccelerations(Case* c, const double* qdd)
{
    Gap spin = {0, 0}, pull = {0, 0};
    snMjcf_Rate(&c->mjcf, c->q, qdd, c->data->qacc);
    mj_rnePostConstraint(c->model, c->data);
    for (int32_t i = 0; i < c->n; ++i) {
        int body = c->mjcf.bones[i].body;
        mjtNum frame[6], centre[6]; // angular, linear less gravity's
        mj_objectAcceleration(c->model, c->data, mjOBJ_XBODY, body, frame, 0);
        mj_objectAcceleration(c->model, c->data, mjOBJ_BODY, body, centre, 0);
        snTwist ours = snDynamics_BoneAcceleration(c->dynamics, i);
        snVec3 com = snDynamics_PointAcceleration(c->dynamics, i, c->tree.defs[i].mass.com);
        compareVec(&spin, ours.w, vec(frame));
        compareVec(&pull, ours.v, snAdd(vec(frame + 3), c->gravity));
        compareVec(&pull, com, snAdd(vec(centre + 3), c->gravity));
    }
    note(c, accelerations, spin);
    note(c, accelerations, pull);
}

// x += M^-1 (tau - inverse dynamics of x)
static void refine(Case* c, double* x)
{
    double gap[NV], turned[NV], step[NV];
    invert(c, x, gap);
    for (int32_t k = 0; k < c->nv; ++k) {
        gap[k] = c->tau[k] - gap[k];
    }
    snMjcf_Rate(&c->mjcf, c->q, gap, turned);
    mj_solveM(c->model, c->data, step, turned, 1);
    snMjcf_RateBack(&c->mjcf, c->q, step, gap);
    for (int32_t k = 0; k < c->nv; ++k) {
        x[k] += gap[k];
    }
}

static void compareForward(Case* c, const double* bias)
{
    double ours[NV], theirs[NV], tau[NV], size[NV];
    snHybridInput in = {.tau = c->tau, .external = c->external};
    snDynamics_Hybrid(c->dynamics, &in, ours, NULL);
    compareAccelerations(c, ours);
    mj_forward(c->model, c->data);
    snMjcf_RateBack(&c->mjcf, c->q, c->data->qacc, theirs);
    Gap gap = {0, 0};
    compareNumbers(&gap, ours, theirs, c->nv);
    note(c, forward, gap);

    invert(c, ours, tau);
    findTerms(c, bias, c->tau, ours, size);
    compareTorques(c, leftOver, tau, c->tau, size);

    refine(c, theirs);
    refine(c, theirs);
    gap = (Gap){0, 0};
    compareNumbers(&gap, ours, theirs, c->nv);
    note(c, refined, gap);
}

// Condition of M with its diagonal scaled to 1, in the norm of row sums.
static double condition(const Case* c)
{
    static double L[NV * NV];
    double x[NV], sum[NV] = {0}, size = 0, inverse_size = 0;
    int32_t nv = c->nv;
    for (int32_t i = 0; i < nv; ++i) {
        double row = 0;
        for (int32_t j = 0; j < nv; ++j) {
            L[i * nv + j] = c->M[i * nv + j] / sqrt(c->M[i * nv + i] * c->M[j * nv + j]);
            row += fabs(L[i * nv + j]);
        }
        size = fmax(size, row);
    }
    assert_true(snCholesky_Factor(L, nv));
    for (int32_t k = 0; k < nv; ++k) {
        memset(x, 0, sizeof x);
        x[k] = 1;
        snCholesky_Solve(L, nv, x);
        for (int32_t i = 0; i < nv; ++i) {
            sum[i] += fabs(x[i]);
            inverse_size = fmax(inverse_size, sum[i]);
        }
    }
    return size * inverse_size;
}

static void compareAll(Case* c)
{
    double bias[NV];
    mj_forward(c->model, c->data);
    compareKinematics(c);
    compareSums(c);
    compareMass(c);
    applyExternal(c);
    mj_forward(c->model, c->data);
    compareInverse(c, bias);
    compareForward(c, bias);
}

// Families --------------------------------------------------------------------

typedef struct Score {
    double worst[quantityCount];
    int below[quantityCount]; // trees with an error below SAME
    int trees, bones;
} Score;

static void count(Score* s, const Case* c)
{
    for (int k = 0; k < quantityCount; ++k) {
        s->worst[k] = c->off[k] <= s->worst[k] ? s->worst[k] : c->off[k];
        s->below[k] += c->off[k] <= SAME;
    }
    s->trees++;
    s->bones += c->n;
}

static void printScore(const Score* s, const char* name)
{
    print_message("%s: %d trees, %d bones\n", name, s->trees, s->bones);
    for (int k = 0; k < quantityCount; ++k) {
        print_message("  %-30s worst %8.2g, within %g: %d\n", QUANTITY_NAMES[k], s->worst[k], SAME,
                      s->below[k]);
    }
}

// All but the accelerations of forward dynamics.
static void assertScore(const Score* s)
{
    for (int k = 0; k < forward; ++k) {
        assert_below(s->worst[k], k == leftOver ? LEFT_OVER : SAME);
    }
}

// Every joint type alone and mixes; with and without a free root; springs, damping and armature in
// half of them.
static void treesAgreeWithMujoco(void** state)
{
    (void)state;
    static Case c;
    Score score = {0};
    snRandom r = snRandom_Seed(21);
    for (int n = 0; n < 1200; ++n) {
        int32_t joint = n % 10 < 6 ? -1 : 1 + (int32_t)snRandom_Below(&r, 6);
        TreeKind kind = {
            1 + (int32_t)snRandom_Below(&r, MOST), joint, 1e4, n % 4 < 2, n % 2 == 0, false};
        setUp(&c, &r, &kind, plain);
        compareAll(&c);
        count(&score, &c);
        tearDown(&c);
    }
    printScore(&score, "bones of one size, masses 1 to 1e4");
    assertScore(&score);
    assert_below(score.worst[refined], SAME);
    assert_true(score.below[forward] >= 1000); // the few others are MuJoCo's rounding: see refined
}

// Trees on which the condition of M alone puts 1e-9 out of reach: there qdd may differ by that
// condition times a few roundings, all else as above.
static void extremeTreesAgreeAsFarAsRoundingLets(void** state)
{
    (void)state;
    static Case c;
    Score score = {0};
    double worst_condition = 0, worst_share = 0;
    snRandom r = snRandom_Seed(22);
    for (int n = 0; n < 500; ++n) {
        TreeKind kind = {1 + (int32_t)snRandom_Below(&r, MOST),
                         n % 5 == 0 ? sn_jointFree : -1,
                         1e4,
                         n % 2 == 0,
                         false,
                         false};
        setUp(&c, &r, &kind, extreme);
        compareAll(&c);
        count(&score, &c);
        double bound = condition(&c) * DBL_EPSILON;
        worst_condition = fmax(worst_condition, bound / DBL_EPSILON);
        worst_share = fmax(worst_share, c.off[refined] / fmax(bound, SAME));
        tearDown(&c);
    }
    printScore(&score, "light bones small, no springs");
    print_message("  condition of M up to %.2g; refined is %.2g of what that allows\n",
                  worst_condition, worst_share);
    assertScore(&score);
    assert_below(worst_share, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(treesAgreeWithMujoco),
        cmocka_unit_test(extremeTreesAgreeAsFarAsRoundingLets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
