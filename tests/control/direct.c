// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Direct control: commands do what was planned, targets are followed as closely as physics allows,
// bounds and limits hold, and nothing but inner forces acts.
#include "control/direct.h"

#include "math/trig.h"
#include "skel/dynamics.h"
#include "skel/tree.h"

#define MOST 400

// A character under direct control, stepped by hand.
typedef struct Puppet {
    snSkeleton* skeleton;
    snDynamics* dynamics;
    snArena arena;
    snDirect direct;
    snCommandArrays arrays;
    snJointCommand command;
    snStep step;
    double q[MOST], qd[MOST], hold[MOST], most_torque[MOST], most_acceleration[MOST];
    uint8_t active[TREE_BONES];
    snDirectPull pull;
    snDirectTask task;
} Puppet;

// Everything but a free root is active; holds the pose it is in.
static void makePuppet(Puppet* p, const Tree* tree, const double* q, const double* qd)
{
    memset(p, 0, sizeof *p);
    p->dynamics = makeDynamics(tree, &p->skeleton);
    const snSkeleton* s = p->skeleton;
    snArena_Init(&p->arena, NULL);
    snDirect_Push(&p->direct, s->bone_count, s->nv, &p->arena);
    snCommandArrays_Push(&p->arrays, s, &p->arena);
    assert_false(p->arena.failed);
    snSkeleton_ZeroPose(s, p->q);
    if (q) {
        memcpy(p->q, q, (size_t)s->nq * sizeof(double));
        memcpy(p->qd, qd, (size_t)s->nv * sizeof(double));
    }
    memcpy(p->hold, p->q, sizeof p->q);
    for (int32_t i = 0; i < s->bone_count; ++i) {
        p->active[i] = s->bones[i].type != sn_jointFree;
    }
    for (int32_t k = 0; k < s->nv; ++k) {
        p->most_torque[k] = p->most_acceleration[k] = (double)INFINITY;
    }
    p->pull = (snDirectPull){
        .bone = s->bone_count - 1, .target.q = {0, 0, 0, 1}, .frequency = 5, .position_weight = 1};
    p->task = (snDirectTask){.pulls = &p->pull,
                             .pull_count = 1,
                             .active = p->active,
                             .hold_q = p->hold,
                             .hold_frequency = 1,
                             .hold_weight = 1e-4,
                             .most_torque = p->most_torque,
                             .most_acceleration = p->most_acceleration};
    p->step = (snStep){p->q, p->qd, 1e-3, sn_integratorMidpoint, {0, -9.81, 0}, NULL};
    p->command =
        (snJointCommand){.mode = p->arrays.mode, .tau = p->arrays.tau, .qdd = p->arrays.qdd};
}

static void freePuppet(Puppet* p)
{
    snArena_Free(&p->arena);
    snDynamics_Free(p->dynamics);
    snSkeleton_Release(p->skeleton);
}

static void plan(Puppet* p)
{
    snDrive* none[TREE_BONES] = {NULL};
    snDriveStep when = {0, p->step.h, p->q, p->qd};
    snDrive_CommandStep(p->skeleton, none, &when, &p->arrays);
    snIntegrate_Begin(&p->dynamics->ws, &p->step, &p->command);
    assert_true(
        snDirect_Solve(&p->direct, &p->dynamics->ws, &p->step, &p->task, &p->command, &p->arrays));
}

static void stepPuppet(Puppet* p)
{
    int32_t bad;
    plan(p);
    assert_true(snIntegrate_Finish(&p->dynamics->ws, &p->step, &p->command, &bad));
}

static snVec3 pointNow(Puppet* p)
{
    snMessage why;
    assert_ok(snDynamics_SetState(p->dynamics, p->q, p->qd, &why), why);
    return snDynamics_Point(p->dynamics, p->pull.bone, p->pull.point);
}

// Links of 0.3 m on revolute joints about z and x in turn, the first hung on `root`.
static void armTree(Tree* tree, int32_t links, int32_t root)
{
    tree->count = links;
    for (int32_t i = 0; i < links; ++i) {
        snBoneDef* d = &tree->defs[i];
        snBoneDef_Init(d);
        snprintf(tree->names[i], sizeof tree->names[i], "link%d", (int)i);
        d->name = tree->names[i];
        d->parent = i - 1;
        d->joint = i == 0 ? root : sn_jointRevolute;
        d->anchor.p = snV3(0, i == 0 ? 0 : 0.3, 0);
        d->axis = i % 2 ? snV3(1, 0, 0) : snV3(0, 0, 1);
        d->tip = snV3(0, 0.3, 0);
        d->mass = snMass_Capsule(snV3(0, 0, 0), d->tip, 0.04, 1000);
    }
}

// The acceleration of the point that is pulled, at `arm` from its bone, by the plan.
static snTwist plannedOf(const Puppet* p, snVec3 w, snVec3 arm)
{
    const snDirect* d = &p->direct;
    snTwist a = d->affine.base[p->pull.bone];
    for (int32_t k = 0; k < d->affine.count; ++k) {
        a.w = snMulAdd(a.w, d->x[k], d->affine.G[k].w);
        a.v = snMulAdd(a.v, d->x[k], d->affine.G[k].v);
    }
    a.v = snAdd(a.v, snAdd(snCross(a.w, arm), snCross(w, snCross(w, arm))));
    return a;
}

// What hybrid dynamics makes of the command is what was planned, torques or accelerations.
static void plansComeTrue(void** state)
{
    (void)state;
    static Puppet p;
    Tree tree;
    snRandom r = snRandom_Seed(1);
    for (int round = 0; round < 80; ++round) {
        double q[MOST], qd[MOST], qdd[MOST], tau[MOST];
        bool torques = round % 4 > 1;
        // springs act implicitly in joints that get torques, and are not planned for
        TreeKind kind = {2 + (int32_t)snRandom_Below(&r, 20), -1,   3, round % 2 == 0,
                         !torques && round % 3 == 0,          false};
        snWrench external[TREE_BONES];
        snInertia6 drag[TREE_BONES] = {0};
        randomTree(&r, &kind, &tree);
        snSkeleton* shape = NULL;
        snDynamics_Free(makeDynamics(&tree, &shape));
        randomState(&r, shape, 0.5, 2, q, qd);
        snSkeleton_Release(shape);
        makePuppet(&p, &tree, q, qd);
        for (int32_t i = 0; i < p.skeleton->bone_count; ++i) {
            external[i] = snWrenchFrom(randomVec(&r, 1), randomVec(&r, 5));
            drag[i].M = snSymDiagonal(0.3);
            drag[i].A = snSymDiagonal(0.01);
        }
        p.active[p.skeleton->bone_count - 1] = 1;
        if (p.skeleton->bones[p.skeleton->bone_count - 1].type == sn_jointWeld) {
            freePuppet(&p);
            continue;
        }
        p.command.external = external;
        p.step.drag = drag;
        p.task.torques = torques;
        p.pull.point = randomVec(&r, 0.2);
        p.pull.target = (snTransform){randomVec(&r, 1), randomQuat(&r)};
        p.pull.rotation_weight = 0.1;
        plan(&p);
        snWorkspace* ws = &p.dynamics->ws;
        snHybridStep how = {.h = p.step.h,
                            .midpoint = true,
                            .prescribed = ws->prescribed,
                            .q = ws->q_mid,
                            .qd = p.qd,
                            .drag = drag};
        snHybridLoad load = {p.arrays.tau, ws->qdd_given, external, p.step.gravity};
        int32_t bad;
        assert_true(snHybrid_Run(p.skeleton, ws->motion, &how, &load, &ws->factor, qdd, tau, &bad));
        const snBoneMotion* m = &ws->motion[p.pull.bone];
        snVec3 arm = snMatVec(m->R, p.pull.point), g = p.step.gravity;
        snVec3 turn = snAdd(snCross(m->dw, arm), snCross(m->w, snCross(m->w, arm)));
        snVec3 a = snAdd(snAdd(m->dv, g), turn);
        // accelerations of bones are sums of those of joints, which may be much larger
        double size = 10;
        for (int32_t k = 0; k < p.skeleton->nv; ++k) {
            size += fabs(qdd[k]);
        }
        snTwist planned = plannedOf(&p, m->w, arm);
        assert_below(snLength(snSub(a, planned.v)), 1e-9 * size);
        assert_below(snLength(snSub(m->dw, planned.w)), 1e-9 * size);
        freePuppet(&p);
    }
}

// The tip of an arm on the ground follows a target on a slow figure of eight, after the first
// second within a millimetre, with either command and either integrator.
static void followsTarget(void** state)
{
    (void)state;
    static Puppet p;
    Tree tree;
    armTree(&tree, 5, sn_jointRevolute);
    for (int variant = 0; variant < 4; ++variant) {
        makePuppet(&p, &tree, NULL, NULL);
        for (int32_t k = 0; k < p.skeleton->nq; ++k) {
            p.q[k] = p.hold[k] = k % 2 ? 0.5 : -0.6;
        }
        p.task.torques = variant & 1;
        p.step.integrator = variant & 2 ? sn_integratorEuler : sn_integratorMidpoint;
        p.pull.point = snV3(0, 0.3, 0);
        snVec3 home = pointNow(&p);
        double worst = 0;
        for (int i = 1; i <= 3000; ++i) {
            double t = i * p.step.h, s, c, s2, c2, w = 2, w2 = 4;
            snSinCos(w * t, &s, &c);
            snSinCos(w2 * t, &s2, &c2);
            p.pull.target.p = snAdd(home, snV3(0.2 * s, -0.1 - 0.1 * s2, 0.1 * c));
            p.pull.rate.v = snV3(0.2 * w * c, -0.1 * w2 * c2, -0.1 * w * s);
            p.pull.second.v = snV3(-0.2 * w * w * s, 0.1 * w2 * w2 * s2, -0.1 * w * w * c);
            stepPuppet(&p);
            double away = snLength(snSub(pointNow(&p), p.pull.target.p));
            worst = i > 1000 && away > worst ? away : worst;
        }
        assert_below(worst, 1e-3);
        freePuppet(&p);
    }
}

// A hand that is also told how to be turned ends up there.
static void turnsTo(void** state)
{
    (void)state;
    static Puppet p;
    Tree tree;
    armTree(&tree, 7, sn_jointRevolute);
    makePuppet(&p, &tree, NULL, NULL);
    for (int32_t k = 0; k < p.skeleton->nq; ++k) {
        p.q[k] = p.hold[k] = 0.4;
    }
    p.pull.point = snV3(0, 0.1, 0);
    pointNow(&p);
    snTransform pose = snDynamics_BonePose(p.dynamics, p.pull.bone);
    snQuat turn = snQMul(snQFromAxisAngle(snV3(0, 0.6, 0.8), 0.7), pose.q);
    p.pull.target = (snTransform){snAdd(pointNow(&p), snV3(0.1, -0.1, 0.05)), turn};
    p.pull.rotation_weight = 0.1;
    for (int i = 0; i < 3000; ++i) {
        stepPuppet(&p);
    }
    // what is left is the pose that is held: hold_weight / rotation_weight (1 Hz / 5 Hz)^2 of some
    // radians
    assert_below(snLength(snSub(pointNow(&p), p.pull.target.p)), 1e-3);
    snQuat now = snDynamics_BonePose(p.dynamics, p.pull.bone).q;
    assert_below(snLength(snQLog(snQMul(turn, snQConj(now)))), 3e-3);
    freePuppet(&p);
}

// A target out of reach: the tip comes as near as inverse kinematics does, and rests there.
static void reachesAsFar(void** state)
{
    (void)state;
    static Puppet p;
    Tree tree;
    snMessage why;
    armTree(&tree, 5, sn_jointRevolute);
    for (int round = 0; round < 4; ++round) {
        makePuppet(&p, &tree, NULL, NULL);
        for (int32_t k = 0; k < p.skeleton->nq; ++k) {
            p.q[k] = p.hold[k] = k % 2 ? 0.5 : -0.6;
        }
        p.pull.point = snV3(0, 0.3, 0);
        p.pull.target.p = snV3(round % 2 ? 2 : -1, 1, round > 1 ? 1.5 : -0.5);
        p.task.torques = round & 1;
        snIkDef def;
        snIkDef_Init(&def);
        snIkTarget target = {.bone = p.pull.bone,
                             .point = p.pull.point,
                             .position = p.pull.target.p,
                             .position_weight = 1};
        snIkResult best;
        pointNow(&p);
        assert_ok(snDynamics_SolveIk(p.dynamics, &def, &target, 1, &best, &why), why);
        for (int i = 0; i < 4000; ++i) {
            stepPuppet(&p);
        }
        double away = snLength(snSub(pointNow(&p), p.pull.target.p));
        assert_below(away, best.error + 5e-3);
        snVec3 v = snDynamics_PointVelocity(p.dynamics, p.pull.bone, p.pull.point);
        assert_below(snLength(v), 0.01);
        freePuppet(&p);
    }
}

// A floating character turns and stretches by itself: no outer force, so its momentum stays, as
// exactly as the plain step keeps it. The centre of mass does not move towards the target.
static void momentumStays(void** state)
{
    (void)state;
    static Puppet p;
    Tree tree;
    for (int variant = 0; variant < 2; ++variant) {
        armTree(&tree, 7, sn_jointFree);
        makePuppet(&p, &tree, NULL, NULL);
        p.step.gravity = snV3(0, 0, 0);
        p.task.torques = variant;
        p.qd[0] = 0.3, p.qd[4] = 0.2;
        for (int32_t k = 6; k < p.skeleton->nv; ++k) {
            p.q[k + 1] = p.hold[k + 1] = 0.5;
        }
        p.pull.point = snV3(0, 0.3, 0);
        p.pull.target.p = snAdd(pointNow(&p), snV3(0.5, 0.3, -0.4));
        snMomentum start = snDynamics_Momentum(p.dynamics);
        double moved = 0;
        for (int i = 0; i < 1000; ++i) {
            plan(&p);
            // the plan itself: nothing acts on the root
            for (int32_t k = 0; k < 6; ++k) {
                assert_close(p.arrays.tau[k], 0, 0);
            }
            assert_int_equal(p.arrays.mode[0], sn_modeTorque);
            int32_t bad;
            assert_true(snIntegrate_Finish(&p.dynamics->ws, &p.step, &p.command, &bad));
        }
        moved = snLength(snSub(pointNow(&p), p.pull.target.p));
        assert_below(moved, 0.7 * snLength(snV3(0.5, 0.3, -0.4))); // it did reach out
        snMomentum end = snDynamics_Momentum(p.dynamics);
        // midpoint steps keep it to second order; sims correct the rest
        assert_below(snLength(snSub(end.linear, start.linear)), 1e-3 * snLength(start.linear));
        snVec3 turned = snSub(end.angular, start.angular);
        assert_below(snLength(turned), 1e-3 * snLength(start.angular));
        freePuppet(&p);
    }
}

// At the instant, exactly: the momentum's rate of change that the plan leads to is that of the
// outer forces.
static void innerForcesOnly(void** state)
{
    (void)state;
    static Puppet p;
    Tree tree;
    snRandom r = snRandom_Seed(9);
    for (int round = 0; round < 20; ++round) {
        TreeKind kind = {8, sn_jointBall, 3, true, false, false};
        double q[MOST], qd[MOST], qdd[MOST], tau[MOST];
        randomTree(&r, &kind, &tree);
        snSkeleton* shape = NULL;
        snDynamics_Free(makeDynamics(&tree, &shape));
        randomState(&r, shape, 0.5, 1, q, qd);
        snSkeleton_Release(shape);
        makePuppet(&p, &tree, q, qd);
        p.step.gravity = snV3(0, 0, 0);
        p.pull.target.p = randomVec(&r, 2);
        plan(&p);
        snWorkspace* ws = &p.dynamics->ws;
        snHybridStep how = {.h = p.step.h,
                            .midpoint = true,
                            .prescribed = ws->prescribed,
                            .q = ws->q_mid,
                            .qd = p.qd};
        snHybridLoad load = {p.arrays.tau, ws->qdd_given, NULL, p.step.gravity};
        int32_t bad;
        assert_true(snHybrid_Run(p.skeleton, ws->motion, &how, &load, &ws->factor, qdd, tau, &bad));
        snVec3 force = {0, 0, 0}, moment = {0, 0, 0};
        double size = 0;
        for (int32_t i = 0; i < p.skeleton->bone_count; ++i) {
            const snBoneMotion* m = &ws->motion[i];
            snInertia6 J = snInertia6_Rigid(&p.skeleton->bones[i], m);
            snWrench rate = snInertia6_Times(&J, m->dw, m->dv);
            rate.n = snAdd(rate.n, snCross(m->w, snSymTimes(m->I, m->w)));
            rate.f =
                snMulAdd(rate.f, p.skeleton->bones[i].mass, snCross(m->w, snCross(m->w, m->c)));
            force = snAdd(force, rate.f);
            moment = snAdd(moment, snAdd(rate.n, snCross(m->p, rate.f)));
            size += snLength(rate.f) + snLength(rate.n);
        }
        assert_below(snLength(force), 1e-10 * size);
        assert_below(snLength(moment), 1e-10 * size);
        freePuppet(&p);
    }
}

// Torques of the step, as it reports them, keep within their bounds, also when the target is wild
// and gravity too much for them; with wide bounds the target is reached all the same.
static void torqueBounds(void** state)
{
    (void)state;
    static Puppet p;
    Tree tree;
    armTree(&tree, 5, sn_jointRevolute);
    static const double BOUNDS[] = {0.5, 8, 60};
    for (int variant = 0; variant < 3; ++variant) {
        makePuppet(&p, &tree, NULL, NULL);
        double most = 0, away = 0;
        for (int32_t k = 0; k < p.skeleton->nv; ++k) {
            p.q[k] = p.hold[k] = k % 2 ? 0.5 : -0.6;
            p.most_torque[k] = BOUNDS[variant];
        }
        p.pull.point = snV3(0, 0.3, 0);
        snVec3 home = pointNow(&p);
        for (int i = 0; i < 2000; ++i) {
            p.pull.target.p = snAdd(home, snV3(i < 500 && i % 50 < 25 ? 0.3 : -0.2, -0.2, 0.1));
            stepPuppet(&p);
            for (int32_t k = 0; k < p.skeleton->nv; ++k) {
                most = fmax(most, fabs(p.dynamics->ws.tau[k]));
            }
        }
        away = snLength(snSub(pointNow(&p), p.pull.target.p));
        assert_below(most, BOUNDS[variant]);
        assert_true(variant == 2 || most == BOUNDS[variant]); // they were needed
        if (variant == 2) {
            assert_below(away, 1e-3);
        }
        freePuppet(&p);
    }
}

// Bounds on accelerations, and limits of joints of every kind: never far beyond.
static void accelerationsAndLimits(void** state)
{
    (void)state;
    static Puppet p;
    Tree tree;
    for (int variant = 0; variant < 4; ++variant) {
        bool ball = variant & 1, bounded = variant & 2;
        armTree(&tree, 4, sn_jointRevolute);
        for (int32_t i = 0; i < 4; ++i) {
            snBoneDef* d = &tree.defs[i];
            d->joint = ball ? sn_jointBall : sn_jointUniversal;
            d->axis = snV3(0, ball ? 1 : 0, ball ? 0 : 1);
            d->axis2 = snV3(1, 0, 0);
            d->dof[0].lower = d->dof[1].lower = -0.3;
            d->dof[0].upper = d->dof[1].upper = 0.4;
            d->swing = 0.5;
        }
        makePuppet(&p, &tree, NULL, NULL);
        for (int32_t k = 0; bounded && k < p.skeleton->nv; ++k) {
            p.most_acceleration[k] = 40;
        }
        p.pull.point = snV3(0, 0.3, 0);
        double fastest = 0, beyond = 0;
        for (int i = 0; i < 3000; ++i) {
            p.pull.target.p = i < 1500 ? snV3(1, -0.5, 0.8) : snV3(-0.9, -0.3, 0.2);
            stepPuppet(&p);
            for (int32_t k = 0; k < p.skeleton->nv; ++k) {
                fastest = fmax(fastest, fabs(p.arrays.qdd[k]));
            }
            for (int32_t b = 0; b < 4; ++b) {
                const double* q = p.q + p.skeleton->bones[b].qi;
                if (ball) {
                    snVec3 y = snQRotate(snQ(q[0], q[1], q[2], q[3]), snV3(0, 1, 0));
                    double twist = 2 * snAtan2(q[1], q[3]);
                    beyond = fmax(beyond, snAcos(y.y) - 0.5);
                    beyond = fmax(beyond, fmax(twist - 0.4, -0.3 - twist));
                } else {
                    for (int k = 0; k < 2; ++k) {
                        beyond = fmax(beyond, fmax(q[k] - 0.4, -0.3 - q[k]));
                    }
                }
            }
        }
        // rows give a millionth; a ball's angles are linear in its rotation for small steps only
        assert_below(beyond, bounded ? 0.05 : 0.01);
        if (bounded) {
            assert_below(fastest, 40.01);
        }
        freePuppet(&p);
    }
}

// Nothing active, or a character too large: nothing is touched.
static void declines(void** state)
{
    (void)state;
    static Puppet p;
    Tree tree;
    armTree(&tree, 3, sn_jointRevolute);
    makePuppet(&p, &tree, NULL, NULL);
    memset(p.active, 0, sizeof p.active);
    assert_int_equal(snDirect_Count(p.skeleton, p.active), 0);
    snIntegrate_Begin(&p.dynamics->ws, &p.step, &p.command);
    assert_false(
        snDirect_Solve(&p.direct, &p.dynamics->ws, &p.step, &p.task, &p.command, &p.arrays));
    memset(p.active, 1, sizeof p.active);
    p.direct.affine.most = 2;
    assert_false(
        snDirect_Solve(&p.direct, &p.dynamics->ws, &p.step, &p.task, &p.command, &p.arrays));
    for (int32_t i = 0; i < 3; ++i) {
        assert_int_equal(p.arrays.mode[i], sn_modeTorque);
    }
    freePuppet(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plansComeTrue), cmocka_unit_test(followsTarget),
        cmocka_unit_test(turnsTo),       cmocka_unit_test(reachesAsFar),
        cmocka_unit_test(momentumStays), cmocka_unit_test(innerForcesOnly),
        cmocka_unit_test(torqueBounds),  cmocka_unit_test(accelerationsAndLimits),
        cmocka_unit_test(declines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
