// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Coordinates of a joint: Integrate and Difference undo each other, rotations stay rotations.
#include "skel/joint.h"
#include "skel/tree.h"

// Rotation vectors go through exp, product, log: some ten roundings on numbers of about pi.
#define SAME 4e-15

static void randomPlace(snRandom* r, int32_t type, double* q)
{
    int32_t nq = snJoint_Shape(type)->nq;
    for (int32_t k = 0; k < nq; ++k) {
        q[k] = snRandom_Range(r, -3, 3);
    }
    if (type == sn_jointBall || type == sn_jointFree) {
        snStoreQ(q + nq - 4, randomQuat(r));
    }
}

static snQuat rotationOf(int32_t type, const double* q)
{
    return snLoadQ(q + snJoint_Shape(type)->nq - 4);
}

static double placesApart(int32_t type, const double* a, const double* b)
{
    double gap[6], most = 0;
    snJoint_Difference(type, a, b, gap);
    for (int32_t k = 0; k < snJoint_Shape(type)->nv; ++k) {
        most = fmax(most, fabs(gap[k]));
    }
    return most;
}

static void countsAreThoseOfTheTable(void** state)
{
    (void)state;
    const char* names[] = {"weld", "revolute", "prismatic", "universal", "ball", "planar", "free"};
    const int32_t nq[] = {0, 1, 1, 2, 4, 3, 7}, nv[] = {0, 1, 1, 2, 3, 3, 6};
    for (int32_t type = 0; type < sn_jointTypeCount; ++type) {
        assert_int_equal(snJoint_Shape(type)->nq, nq[type]);
        assert_int_equal(snJoint_Shape(type)->nv, nv[type]);
        assert_string_equal(snJointType_Name(type), names[type]);
    }
    assert_null(snJointType_Name(-1));
    assert_null(snJointType_Name(sn_jointTypeCount));
}

static void differenceUndoesIntegrate(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int32_t type = 0; type < sn_jointTypeCount; ++type) {
        for (int n = 0; n < 3000; ++n) {
            double q[7], qd[6], moved[7], rate[6], h = 0.7;
            randomPlace(&r, type, q);
            // rotations of less than half a turn, some of them tiny: beyond, another way is shorter
            double size = pow(10, snRandom_Range(&r, -12, 0.4));
            for (int32_t k = 0; k < 6; ++k) {
                qd[k] = snRandom_Range(&r, -size, size);
            }
            snJoint_Integrate(type, q, qd, h, moved);
            snJoint_Difference(type, q, moved, rate);
            for (int32_t k = 0; k < snJoint_Shape(type)->nv; ++k) {
                assert_close(rate[k], h * qd[k], SAME);
            }
        }
    }
}

static void integrateUndoesDifference(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int32_t type = 0; type < sn_jointTypeCount; ++type) {
        for (int n = 0; n < 3000; ++n) {
            double from[7], to[7], rate[6] = {0}, arrived[7];
            randomPlace(&r, type, from);
            randomPlace(&r, type, to);
            snJoint_Difference(type, from, to, rate);
            snJoint_Integrate(type, from, rate, 1, arrived);
            assert_below(placesApart(type, arrived, to), SAME);
            snJoint_Integrate(type, from, rate, 1, from); // in place
            assert_memory_equal(from, arrived, (size_t)snJoint_Shape(type)->nq * sizeof(double));
        }
    }
}

static void theWayIsTheShortest(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int n = 0; n < 3000; ++n) {
        double from[4], to[4], back[4], rate[3], other[3];
        snStoreQ(from, randomQuat(&r));
        snStoreQ(to, randomQuat(&r));
        snStoreQ(back, snQNegate(snLoadQ(to))); // the same rotation
        snJoint_Difference(sn_jointBall, from, to, rate);
        snJoint_Difference(sn_jointBall, from, back, other);
        assert_below(snLength(snLoad3(rate)), SN_PI + 1e-15);
        // the angle between two rotations is 2 acos |q1.q2|
        double angle = 2 * acos(fmin(1, fabs(snQDot(snLoadQ(from), snLoadQ(to)))));
        assert_close(snLength(snLoad3(rate)), angle, 1e-7); // acos near 1
        assert_below(snLength(snSub(snLoad3(rate), snLoad3(other))), SAME);
    }
}

// Rates are in the anchor's axes: turning on about the same fixed axis adds angles, wherever the
// joint is.
static void ratesAreInTheAnchorsAxes(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int n = 0; n < 1000; ++n) {
        double q[7], moved[7], qd[6];
        randomPlace(&r, sn_jointFree, q);
        for (int32_t k = 0; k < 6; ++k) {
            qd[k] = snRandom_Range(&r, -5, 5);
        }
        snJoint_Integrate(sn_jointFree, q, qd, 0.3, moved);
        snQuat turn = snQExp(snScale(0.3, snLoad3(qd)));
        snVec3 v = randomVec(&r, 1);
        snVec3 want = snQRotate(turn, snQRotate(rotationOf(sn_jointFree, q), v));
        assert_below(snLength(snSub(snQRotate(rotationOf(sn_jointFree, moved), v), want)), 1e-14);
        for (int32_t k = 0; k < 3; ++k) {
            assert_close(moved[k], q[k] + 0.3 * qd[3 + k], 1e-14);
        }
    }
}

static void rotationsStayOfUnitLength(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    double q[4] = {0, 0, 0, 1}, qd[3], worst = 0;
    for (int n = 0; n < 1000000; ++n) {
        if (n % 64 == 0) {
            double speed = pow(10, snRandom_Range(&r, -3, 3));
            snStore3(qd, randomVec(&r, speed));
        }
        snJoint_Integrate(sn_jointBall, q, qd, 1e-3, q);
        worst = fmax(worst, fabs(snQDot(snLoadQ(q), snLoadQ(q)) - 1));
    }
    assert_below(worst,
                 1e-15); // two roundings of a number near 1, after a million steps as after one
}

// No orientation is special: a small turn about any axis changes the orientation by its angle
// everywhere, at right angles and half turns too, where Euler angles lock.
static void noOrientationIsSpecial(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    for (int n = 0; n < 64; ++n) {
        // all combinations of quarter turns about x, y, z
        snQuat base = snQMul(snQFromAxisAngle(snV3(1, 0, 0), 0.5 * SN_PI * (n & 3)),
                             snQMul(snQFromAxisAngle(snV3(0, 1, 0), 0.5 * SN_PI * (n >> 2 & 3)),
                                    snQFromAxisAngle(snV3(0, 0, 1), 0.5 * SN_PI * (n >> 4))));
        for (int m = 0; m < 30; ++m) {
            double q[4], moved[4], qd[3], rate[3];
            double angle = pow(10, snRandom_Range(&r, -15, 0));
            snStoreQ(q, snQMul(snQExp(randomVec(&r, m % 2 ? 1e-8 : 0)), base));
            snStore3(qd, snScale(angle, snNormalize(randomVec(&r, 1))));
            snJoint_Integrate(sn_jointBall, q, qd, 1, moved);
            snJoint_Difference(sn_jointBall, q, moved, rate);
            assert_below(snLength(snSub(snLoad3(rate), snLoad3(qd))), SAME);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(countsAreThoseOfTheTable),  cmocka_unit_test(differenceUndoesIntegrate),
        cmocka_unit_test(integrateUndoesDifference), cmocka_unit_test(theWayIsTheShortest),
        cmocka_unit_test(ratesAreInTheAnchorsAxes),  cmocka_unit_test(rotationsStayOfUnitLength),
        cmocka_unit_test(noOrientationIsSpecial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
