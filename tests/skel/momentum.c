// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The momentum law by its parts: joining bodies, the correction, the root that carries it.
#include "skel/momentum.h"

#include "skel/tree.h"

#define ROUNDING 1e-12 // of sums of some dozen terms in double

#define POINTS 12

// Masses that fly about.
typedef struct Cloud {
    double m[POINTS];
    snVec3 x[POINTS], v[POINTS];
} Cloud;

static Cloud randomCloud(snRandom* r, snVec3 place)
{
    Cloud c;
    for (int i = 0; i < POINTS; ++i) {
        c.m[i] = snRandom_Range(r, 0.1, 2);
        c.x[i] = snAdd(place, randomVec(r, 0.5));
        c.v[i] = randomVec(r, 3);
    }
    return c;
}

// Straight from the definitions.
static snWhole wholeOf(const Cloud* c, int begin, int end)
{
    snWhole w = {0};
    snVec3 moment = snV3(0, 0, 0);
    for (int i = begin; i < end; ++i) {
        w.momentum.mass += c->m[i];
        moment = snMulAdd(moment, c->m[i], c->x[i]);
        w.momentum.linear = snMulAdd(w.momentum.linear, c->m[i], c->v[i]);
    }
    w.momentum.com = snScale(1 / w.momentum.mass, moment);
    for (int i = begin; i < end; ++i) {
        snVec3 r = snSub(c->x[i], w.momentum.com);
        double m = c->m[i];
        w.momentum.angular = snMulAdd(w.momentum.angular, m, snCross(r, c->v[i]));
        w.inertia.xx += m * (r.y * r.y + r.z * r.z);
        w.inertia.yy += m * (r.x * r.x + r.z * r.z);
        w.inertia.zz += m * (r.x * r.x + r.y * r.y);
        w.inertia.xy -= m * r.x * r.y;
        w.inertia.xz -= m * r.x * r.z;
        w.inertia.yz -= m * r.y * r.z;
    }
    return w;
}

static void assertSame(const snWhole* a, const snWhole* b, double tolerance)
{
    const snMomentum *p = &a->momentum, *q = &b->momentum;
    const double *s = &a->inertia.xx, *t = &b->inertia.xx;
    assert_relative(p->mass, q->mass, tolerance, 0);
    assert_below(snLength(snSub(p->com, q->com)), tolerance * (1 + snLength(q->com)));
    assert_below(snLength(snSub(p->linear, q->linear)), tolerance * (1 + snLength(q->linear)));
    assert_below(snLength(snSub(p->angular, q->angular)), tolerance * (1 + snLength(q->angular)));
    for (int i = 0; i < 6; ++i) {
        assert_close(s[i], t[i], tolerance * (a->inertia.xx + a->inertia.yy + a->inertia.zz));
    }
}

static void joiningIsSumming(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int trial = 0; trial < 100; ++trial) {
        // far from the origin centres of mass lose digits, and the rest should not
        double away = trial % 2 ? 1000 : 0;
        Cloud c = randomCloud(&r, snV3(away, -away, away));
        int cut = 1 + (int)snRandom_Below(&r, POINTS - 1);
        snWhole a = wholeOf(&c, 0, cut), b = wholeOf(&c, cut, POINTS), all = wholeOf(&c, 0, POINTS);
        snWhole ab = snWhole_Join(&a, &b), ba = snWhole_Join(&b, &a);
        assertSame(&ab, &all, away > 0 ? 1e-9 : ROUNDING);
        assertSame(&ba, &all, away > 0 ? 1e-9 : ROUNDING);
    }
}

static void nothingAddsNothing(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    Cloud c = randomCloud(&r, snV3(0, 0, 0));
    snWhole a = wholeOf(&c, 0, POINTS), none = {0};
    snWhole left = snWhole_Join(&none, &a), right = snWhole_Join(&a, &none);
    assert_memory_equal(&left, &a, sizeof a);
    assert_memory_equal(&right, &a, sizeof a);
}

// The rigid velocity change, given to every point, puts the cloud on its target.
static void correctionIsExact(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int trial = 0; trial < 100; ++trial) {
        Cloud c = randomCloud(&r, randomVec(&r, 5));
        snWhole now = wholeOf(&c, 0, POINTS);
        snMomentumTarget target = {0};
        snMomentum_Take(&target, &now);
        assert_true(target.known);
        snMomentumTarget again = target;
        snWhole other = {0};
        snMomentum_Take(&again, &other); // known already
        assert_memory_equal(&again, &target, sizeof target);

        snWrench load = snWrenchFrom(randomVec(&r, 9), randomVec(&r, 40));
        double h = 0.01;
        snMomentum_Push(&target, h, load);
        assert_below(snLength(snSub(target.linear, snMulAdd(now.momentum.linear, h, load.f))),
                     ROUNDING * 100);
        assert_below(snLength(snSub(target.angular, snMulAdd(now.momentum.angular, h, load.n))),
                     ROUNDING * 100);
        snTwist change = snMomentum_Correction(&target, &now);
        for (int i = 0; i < POINTS; ++i) {
            snVec3 arm = snSub(c.x[i], now.momentum.com);
            c.v[i] = snAdd(c.v[i], snAdd(change.v, snCross(change.w, arm)));
        }
        snWhole then = wholeOf(&c, 0, POINTS);
        assert_below(snLength(snSub(then.momentum.linear, target.linear)), 1e-11);
        assert_below(snLength(snSub(then.momentum.angular, target.angular)), 1e-11);
    }
    // masses on a line cannot take every turn; the rest is corrected
    Cloud line = randomCloud(&r, snV3(0, 0, 0));
    for (int i = 0; i < POINTS; ++i) {
        line.x[i] = snV3(0.1 * i, 0, 0);
    }
    snWhole thin = wholeOf(&line, 0, POINTS);
    snMomentumTarget target = {snV3(1, 2, 3), snV3(1, 1, 1), 1};
    snTwist change = snMomentum_Correction(&target, &thin);
    assert_true(isfinite(snLengthSq(change.w)) && isfinite(snLengthSq(change.v)));
}

// Bones -----------------------------------------------------------------------

static const TreeKind FREE_TREE = {.bones = 9, .joint = -1, .mass_ratio = 30, .free_root = true};

// MoveRoot gives every bone the rigid velocity change: angular and at any point.
static void rootCarriesAll(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    static Tree tree;
    for (int trial = 0; trial < 50; ++trial) {
        snMessage why;
        snSkeleton* s = NULL;
        randomTree(&r, &FREE_TREE, &tree);
        assert_ok(snSkeleton_Create(NULL, tree.defs, tree.count, &s, &why), why);
        double q[16 * 7], qd[16 * 6];
        snBoneMotion motion[16], before[16];
        randomState(&r, s, 1, 2, q, qd);
        snKinematics_State(s, q, qd, NULL, motion);
        memcpy(before, motion, sizeof before);
        snWhole now = snWhole_OfBones(s, motion);
        snMomentumTarget target = {randomVec(&r, 20), randomVec(&r, 5), 1};
        snTwist change = snMomentum_Correction(&target, &now);
        snMomentum_MoveRoot(s, motion, now.momentum.com, change, qd);
        snKinematics_Velocity(s, qd, motion);
        for (int32_t i = 0; i < s->bone_count; ++i) {
            snVec3 arm = snSub(motion[i].p, now.momentum.com);
            snVec3 v = snAdd(before[i].v, snAdd(change.v, snCross(change.w, arm)));
            assert_below(snLength(snSub(motion[i].w, snAdd(before[i].w, change.w))), 1e-10);
            assert_below(snLength(snSub(motion[i].v, v)), 1e-10);
        }
        snWhole then = snWhole_OfBones(s, motion);
        assert_below(snLength(snSub(then.momentum.linear, target.linear)), 1e-9);
        assert_below(snLength(snSub(then.momentum.angular, target.angular)), 1e-9);
        snSkeleton_Release(s);
    }
}

// The load is what outer forces sum up to, about the point it is asked for.
static void loadIsTheSum(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    static Tree tree;
    snMessage why;
    snSkeleton* s = NULL;
    randomTree(&r, &FREE_TREE, &tree);
    assert_ok(snSkeleton_Create(NULL, tree.defs, tree.count, &s, &why), why);
    double q[16 * 7], qd[16 * 6], tau[16 * 6] = {0};
    snBoneMotion motion[16];
    snWrench external[16];
    randomState(&r, s, 1, 2, q, qd);
    snKinematics_State(s, q, qd, NULL, motion);
    snVec3 com = randomVec(&r, 2), f = snV3(0, 0, 0), n = snV3(0, 0, 0);
    for (int32_t i = 0; i < s->bone_count; ++i) {
        external[i] = snWrenchFrom(randomVec(&r, 3), randomVec(&r, 9));
        f = snAdd(f, external[i].f);
        n = snAdd(n, snAdd(external[i].n, snCross(snSub(motion[i].p, com), external[i].f)));
    }
    snWrench load = snMomentum_Load(s, motion, external, NULL, com);
    assert_below(snLength(snSub(load.f, f)) + snLength(snSub(load.n, n)), 1e-11);
    // inner torques do not count, the root's own do: along the joint's axes
    for (int32_t k = 6; k < s->nv; ++k) {
        tau[k] = 100;
    }
    load = snMomentum_Load(s, motion, NULL, tau, com);
    assert_close(snLength(load.f) + snLength(load.n), 0, 0);
    for (int32_t k = 0; k < 6; ++k) {
        double unit[6] = {0};
        memset(tau, 0, sizeof tau);
        tau[k] = unit[k] = 1;
        snTwist axis = snKinematics_JointTwist(&s->bones[0], &motion[0], unit);
        load = snMomentum_Load(s, motion, NULL, tau, com);
        snVec3 moment = snAdd(axis.w, snCross(snSub(motion[0].p, com), axis.v));
        assert_below(snLength(snSub(load.f, axis.v)), ROUNDING);
        assert_below(snLength(snSub(load.n, moment)), ROUNDING);
    }
    snSkeleton_Release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joiningIsSumming),  cmocka_unit_test(nothingAddsNothing),
        cmocka_unit_test(correctionIsExact), cmocka_unit_test(rootCarriesAll),
        cmocka_unit_test(loadIsTheSum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
