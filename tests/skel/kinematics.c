// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Poses, velocities, accelerations and Jacobians, by the definitions: each is the derivative of the
// one before, and coordinates mean what the table in skeleton.h says.
#include "skel/kinematics.h"
#include "skel/joint.h"
#include "skel/tree.h"

#define BONES 8
#define NV (6 * BONES)
#define NQ (7 * BONES)

// Central differences over 2e-6 s: the third derivative at speeds of 2 per joint leaves 1e-12 of a
// few 1e4, rounding 1e-15 / 2e-6; both stay below this share of the size.
#define STEP 2e-6
#define DERIVATIVE 1e-7
#define ROUNDING 1e-12

typedef struct Scene {
    snSkeleton* skeleton;
    int32_t n, nv;
    double q[NQ], qd[NV], qdd[NV];
    snBase base;
    snBoneMotion motion[BONES];
    snVec3 point[BONES]; // one point of each bone, in its frame
} Scene;

static void setUp(Scene* s, snRandom* r, int32_t type, int32_t bones)
{
    static Tree tree;
    snMessage why;
    TreeKind kind = {bones, type, 10, false, false, false};
    randomTree(r, &kind, &tree);
    for (int32_t i = 0; i < tree.count; ++i) {
        tree.defs[i].mass = randomBox(r, 10);
    }
    if (type < 0 && bones > 2) {
        tree.defs[bones / 2].joint = sn_jointWeld;
    }
    assert_ok(snSkeleton_Create(NULL, tree.defs, tree.count, &s->skeleton, &why), why);
    s->n = tree.count;
    s->nv = snSkeleton_VelocityCount(s->skeleton);
    s->base = (snBase){snMatFromQ(randomQuat(r)), randomVec(r, 2)};
    randomState(r, s->skeleton, 1.5, 2, s->q, s->qd);
    for (int32_t k = 0; k < s->nv; ++k) {
        s->qdd[k] = snRandom_Range(r, -5, 5);
    }
    for (int32_t i = 0; i < s->n; ++i) {
        s->point[i] = randomVec(r, 0.5);
    }
    snKinematics_State(s->skeleton, s->q, s->qd, &s->base, s->motion);
}

// The state t seconds on, along the path with acceleration qdd; exact to second order, so odd in t
// to third.
static void moveAlong(const Scene* s, double t, double* q, double* qd)
{
    double mean[NV];
    for (int32_t k = 0; k < s->nv; ++k) {
        mean[k] = s->qd[k] + 0.5 * t * s->qdd[k];
        qd[k] = s->qd[k] + t * s->qdd[k];
    }
    for (int32_t i = 0; i < s->n; ++i) {
        const snBone* b = &s->skeleton->bones[i];
        snJoint_Integrate(b->type, s->q + b->qi, mean + b->vi, t, q + b->qi);
    }
}

static snVec3 place(const snBoneMotion* m, snVec3 point)
{
    return snAdd(m->p, snMatVec(m->R, point));
}

static snVec3 velocity(const snBoneMotion* m, snVec3 point)
{
    return snAdd(m->v, snCross(m->w, snMatVec(m->R, point)));
}

static void assertVec(snVec3 a, snVec3 b, double tolerance, const char* what)
{
    double off = snLength(snSub(a, b)), size = fmax(1, fmax(snLength(a), snLength(b)));
    if (!(off <= tolerance * size)) {
        fail_msg("%s: (%g, %g, %g) and (%g, %g, %g) are %.3g apart", what, a.x, a.y, a.z, b.x, b.y,
                 b.z, off);
    }
}

static snVec3 slope(snVec3 after, snVec3 before)
{
    return snScale(0.5 / STEP, snSub(after, before));
}

static void checkDerivatives(Scene* s)
{
    static snBoneMotion before[BONES], after[BONES];
    double q[NQ], qd[NV];
    moveAlong(s, -STEP, q, qd);
    snKinematics_State(s->skeleton, q, qd, &s->base, before);
    moveAlong(s, STEP, q, qd);
    snKinematics_State(s->skeleton, q, qd, &s->base, after);
    snVec3 gravity = snV3(1, -9, 2);
    snKinematics_Acceleration(s->skeleton, s->qdd, gravity, s->motion);
    for (int32_t i = 0; i < s->n; ++i) {
        const snBoneMotion* m = &s->motion[i];
        snVec3 x = s->point[i], arm = snMatVec(m->R, x);
        snVec3 v = velocity(m, x);
        assertVec(v, slope(place(&after[i], x), place(&before[i], x)), DERIVATIVE, "velocity");
        // dw and dv carry -gravity, so that weight need not be added bone by bone
        snVec3 dv = snAdd(snAdd(m->dv, gravity), snAdd(snCross(m->dw, arm), //
                                                       snCross(m->w, snCross(m->w, arm))));
        snVec3 measured = slope(velocity(&after[i], x), velocity(&before[i], x));
        assertVec(dv, measured, DERIVATIVE, "acceleration");
        assertVec(m->dw, slope(after[i].w, before[i].w), DERIVATIVE, "angular acceleration");
        // w itself: the axes' rates are w x axis
        snMat3 dR = snMatScale(0.5 / STEP, snMatSub(after[i].R, before[i].R));
        for (int k = 0; k < 3; ++k) {
            assertVec(snMatCol(dR, k), snCross(m->w, snMatCol(m->R, k)), DERIVATIVE, "rotation");
        }
    }
}

// What hangs together with the pose: rotation matrix, centre of mass, inertia, way from the parent.
static void checkPose(const Scene* s)
{
    for (int32_t i = 0; i < s->n; ++i) {
        const snBone* b = &s->skeleton->bones[i];
        const snBoneMotion* m = &s->motion[i];
        snMat3 unit = snMatMul(m->R, snTranspose(m->R));
        for (int k = 0; k < 3; ++k) {
            assertVec(snMatCol(unit, k), snMatCol(snMat3_Identity(), k), ROUNDING, "orthogonal");
        }
        assert_close(snDet(m->R), 1, ROUNDING);
        assertVec(m->c, snMatVec(m->R, b->com), ROUNDING, "centre of mass");
        snVec3 up = b->parent >= 0 ? s->motion[b->parent].p : s->base.p;
        assertVec(snAdd(up, m->r), m->p, ROUNDING, "way from the parent");
        snMat3 I = snMatFromSym(snSymRotate(m->R, b->inertia)), J = snMatFromSym(m->I);
        for (int k = 0; k < 3; ++k) {
            assertVec(snMatCol(I, k), snMatCol(J, k), ROUNDING, "inertia");
        }
    }
}

static void checkJacobian(Scene* s, snRandom* r)
{
    static snBoneMotion before[BONES], after[BONES];
    static double J[6 * NV];
    int32_t bone = (int32_t)snRandom_Below(r, (uint32_t)s->n), nv = s->nv;
    snVec3 x = s->point[bone], at = place(&s->motion[bone], x);
    snKinematics_Jacobian(s->skeleton, s->motion, bone, at, J);
    double sum[6] = {0};
    for (int32_t row = 0; row < 6; ++row) {
        for (int32_t k = 0; k < nv; ++k) {
            sum[row] += J[row * nv + k] * s->qd[k];
        }
    }
    assertVec(snLoad3(sum), s->motion[bone].w, ROUNDING, "J qd, angular");
    assertVec(snLoad3(sum + 3), velocity(&s->motion[bone], x), ROUNDING, "J qd, linear");
    for (int32_t k = 0; k < nv; ++k) {
        Scene one = *s;
        double q[NQ], qd[NV];
        memset(one.qd, 0, sizeof one.qd);
        memset(one.qdd, 0, sizeof one.qdd);
        one.qd[k] = 1;
        moveAlong(&one, -STEP, q, qd);
        snKinematics_Position(s->skeleton, q, &s->base, before);
        moveAlong(&one, STEP, q, qd);
        snKinematics_Position(s->skeleton, q, &s->base, after);
        snVec3 column = snV3(J[3 * nv + k], J[4 * nv + k], J[5 * nv + k]);
        snVec3 w = snV3(J[k], J[nv + k], J[2 * nv + k]);
        assertVec(column, slope(place(&after[bone], x), place(&before[bone], x)), DERIVATIVE,
                  "column, linear");
        snMat3 turn = snMatMul(after[bone].R, snTranspose(before[bone].R));
        snVec3 angle = snScale(0.5 / STEP, snQLog(snQFromMat(turn)));
        assertVec(w, angle, DERIVATIVE, "column, angular");
    }
}

static void everyJointMovesByItsDerivatives(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    static Scene s;
    for (int32_t type = -1; type < sn_jointTypeCount; ++type) {
        for (int n = 0; n < (type < 0 ? 60 : 15); ++n) {
            setUp(&s, &r, type, 1 + n % (BONES / 2));
            checkPose(&s);
            checkDerivatives(&s);
            checkJacobian(&s, &r);
            snSkeleton_Release(s.skeleton);
        }
    }
}

static void stateIsPositionAndVelocity(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    static Scene s;
    static snBoneMotion other[BONES];
    for (int n = 0; n < 100; ++n) {
        setUp(&s, &r, -1, BONES);
        memcpy(other, s.motion, sizeof other);
        for (int32_t i = 0; i < s.n; ++i) { // every field written by State must be written again
            snBoneMotion* m = &other[i];
            m->R = snMat3_Diagonal(7, 7, 7);
            m->p = m->r = m->c = m->w = m->v = m->zw = m->zv = snV3(7, 7, 7);
        }
        snKinematics_Position(s.skeleton, s.q, &s.base, other);
        snKinematics_Velocity(s.skeleton, s.qd, other);
        assert_memory_equal(other, s.motion, sizeof(snBoneMotion) * (size_t)s.n);
        snSkeleton_Release(s.skeleton);
    }
}

// The base frame moves everything rigidly, and NULL is the world's own.
static void theBaseMovesEverythingRigidly(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    static Scene s;
    static snBoneMotion plain[BONES], same[BONES];
    for (int n = 0; n < 100; ++n) {
        setUp(&s, &r, -1, BONES);
        snBase world = {snMat3_Identity(), snV3(0, 0, 0)};
        snKinematics_State(s.skeleton, s.q, s.qd, NULL, plain);
        snKinematics_State(s.skeleton, s.q, s.qd, &world, same);
        for (int32_t i = 0; i < s.n; ++i) {
            snMat3 B = s.base.R;
            const snBoneMotion* m = &s.motion[i];
            const snBoneMotion* o = &plain[i];
            assertVec(same[i].p, o->p, 0, "NULL base");
            assertVec(m->p, snAdd(s.base.p, snMatVec(B, o->p)), ROUNDING, "position");
            snVec3 turned[] = {o->r, o->c, o->w, o->v, o->zw, o->zv};
            snVec3 found[] = {m->r, m->c, m->w, m->v, m->zw, m->zv};
            for (int k = 0; k < 6; ++k) {
                assertVec(found[k], snMatVec(B, turned[k]), ROUNDING, "turned with the base");
            }
            for (int k = 0; k < 3; ++k) {
                assertVec(snMatCol(m->R, k), snMatVec(B, snMatCol(o->R, k)), ROUNDING, "axes");
            }
        }
        snSkeleton_Release(s.skeleton);
    }
}

// The meaning of coordinates, from the table in skeleton.h: the pose of one bone put together by
// hand.
static snTransform poseByHand(const snBoneDef* d, const double* q)
{
    snVec3 a = snNormalize(d->axis), b = snNormalize(d->axis2);
    snTransform joint = {snV3(0, 0, 0), snQIdentity()};
    switch (d->joint) {
    case sn_jointRevolute:
        joint.q = snQFromAxisAngle(a, q[0]);
        break;
    case sn_jointPrismatic:
        joint.p = snScale(q[0], a);
        break;
    case sn_jointUniversal: // the second axis rides on the first rotation
        joint.q = snQMul(snQFromAxisAngle(a, q[0]), snQFromAxisAngle(b, q[1]));
        break;
    case sn_jointBall:
        joint.q = snQ(q[0], q[1], q[2], q[3]);
        break;
    case sn_jointPlanar: {
        snVec3 x = snNormalize(snSub(b, snScale(snDot(a, b), a))), y = snCross(a, x);
        joint.p = snAdd(snScale(q[0], x), snScale(q[1], y));
        joint.q = snQFromAxisAngle(a, q[2]);
        break;
    }
    case sn_jointFree:
        joint.p = snV3(q[0], q[1], q[2]);
        joint.q = snQ(q[3], q[4], q[5], q[6]);
        break;
    default:
        break;
    }
    return (snTransform){snAdd(d->anchor.p, snQRotate(d->anchor.q, joint.p)),
                         snQMul(d->anchor.q, joint.q)};
}

static void coordinatesMeanWhatTheTableSays(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    static Scene s;
    for (int32_t type = 0; type < sn_jointTypeCount; ++type) {
        for (int n = 0; n < 50; ++n) {
            setUp(&s, &r, type, 1);
            snKinematics_State(s.skeleton, s.q, s.qd, NULL, s.motion);
            snTransform want = poseByHand(&s.skeleton->defs[0], s.q);
            assertVec(s.motion[0].p, want.p, ROUNDING, "position");
            for (int k = 0; k < 3; ++k) {
                snVec3 axis = snV3(k == 0, k == 1, k == 2);
                assertVec(snMatCol(s.motion[0].R, k), snQRotate(want.q, axis), ROUNDING, "axes");
            }
            // ball and free: rates in the anchor's axes
            snQuat A = s.skeleton->defs[0].anchor.q;
            if (type == sn_jointBall || type == sn_jointFree) {
                assertVec(s.motion[0].w, snQRotate(A, snLoad3(s.qd)), ROUNDING, "angular rate");
            }
            if (type == sn_jointFree) {
                assertVec(s.motion[0].v, snQRotate(A, snLoad3(s.qd + 3)), ROUNDING, "linear rate");
            }
            snSkeleton_Release(s.skeleton);
        }
    }
}

static void atZeroABoneLiesOnItsAnchor(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    static Scene s;
    setUp(&s, &r, -1, BONES);
    snSkeleton_ZeroPose(s.skeleton, s.q);
    snKinematics_Position(s.skeleton, s.q, NULL, s.motion);
    for (int32_t i = 0; i < s.n; ++i) {
        const snBoneDef* d = &s.skeleton->defs[i];
        snVec3 p = d->anchor.p;
        snMat3 R = snMatFromQ(d->anchor.q);
        if (d->parent >= 0) {
            p = place(&s.motion[d->parent], p);
            R = snMatMul(s.motion[d->parent].R, R);
        }
        assertVec(s.motion[i].p, p, ROUNDING, "origin");
        assertVec(snMatCol(s.motion[i].R, 0), snMatCol(R, 0), ROUNDING, "x");
        assertVec(snMatCol(s.motion[i].R, 1), snMatCol(R, 1), ROUNDING, "y");
    }
    snSkeleton_Release(s.skeleton);
}

// Joints about x, y or z and anchors that are not turned leave out products with 0 and 1.
static void whatIsLeftOutChangesNoBit(void** state)
{
    (void)state;
    static const int32_t TYPES[] = {sn_jointRevolute, sn_jointUniversal, sn_jointPlanar};
    snRandom r = snRandom_Seed(6);
    for (int32_t round = 0; round < 54; ++round) {
        static Tree tree;
        snMessage why;
        int32_t first = round / 3 % 3, second = (first + 1 + round / 9 % 2) % 3;
        TreeKind kind = {BONES, TYPES[round % 3], 10, false, false, false};
        randomTree(&r, &kind, &tree);
        for (int32_t i = 0; i < BONES; ++i) {
            snBoneDef* d = &tree.defs[i];
            d->mass = randomBox(&r, 10);
            d->axis = snV3(first == 0, first == 1, first == 2);
            d->axis2 = snV3(second == 0, second == 1, second == 2);
            d->anchor.q = i % 2 ? snQIdentity() : d->anchor.q;
        }
        snSkeleton* skeleton;
        double q[NQ], qd[NV];
        snBoneMotion fast[BONES] = {0}, plain[BONES] = {0};
        assert_ok(snSkeleton_Create(NULL, tree.defs, BONES, &skeleton, &why), why);
        randomState(&r, skeleton, 3, 2, q, qd);
        snKinematics_State(skeleton, q, qd, NULL, fast);
        const snBoneShape* shapes = skeleton->shapes;
        snBoneShape none[BONES];
        for (int32_t i = 0; i < BONES; ++i) {
            assert_true(shapes[i].about == first && shapes[i].about2 == second);
            assert_true(shapes[i].straight == i % 2);
            none[i] = (snBoneShape){0, -1, -1};
        }
        skeleton->shapes = none;
        snKinematics_State(skeleton, q, qd, NULL, plain);
        skeleton->shapes = shapes;
        const double *a = (const double*)fast, *b = (const double*)plain;
        for (size_t k = 0; k < sizeof fast / (sizeof(double)); ++k) {
            assert_true(a[k] == b[k]);
        }
        snSkeleton_Release(skeleton);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyJointMovesByItsDerivatives),
        cmocka_unit_test(stateIsPositionAndVelocity),
        cmocka_unit_test(theBaseMovesEverythingRigidly),
        cmocka_unit_test(coordinatesMeanWhatTheTableSays),
        cmocka_unit_test(atZeroABoneLiesOnItsAnchor),
        cmocka_unit_test(whatIsLeftOutChangesNoBit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
