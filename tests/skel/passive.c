// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Springs, limits, dampers and servos: torque = -d energy, dampers only take, limits only push.
#include "skel/passive.h"
#include "skel/joint.h"
#include "skel/tree.h"

// Central differences of an energy over 2e-5: rounding leaves 1e-16 E / 1e-5, the third derivative
// of a limit's ramp 1e-10 k / w; measured against the torque's size.
#define STEP 1e-5
#define DERIVATIVE 1e-6

typedef struct Joint {
    snSkeleton* skeleton;
    const snBone* bone;
    const snPassiveDef* def;
    int32_t nv;
} Joint;

static snBoneDef plainDef(int32_t type)
{
    snBoneDef d;
    snBoneDef_Init(&d);
    d.name = "bone";
    d.joint = type;
    d.mass = (snMass){2, {0.1, 0.2, -0.1}, {0.2, 0.25, 0.3, 0.02, 0.01, -0.03}};
    return d;
}

static Joint makeJoint(const snBoneDef* def)
{
    Joint j;
    snMessage why;
    assert_ok(snSkeleton_Create(NULL, def, 1, &j.skeleton, &why), why);
    j.bone = &j.skeleton->bones[0];
    j.def = j.bone->passive >= 0 ? &j.skeleton->passives[j.bone->passive] : NULL;
    j.nv = j.bone->nv;
    return j;
}

static void randomPlace(snRandom* r, int32_t type, double size, double* q)
{
    int32_t nq = snJoint_Shape(type)->nq;
    for (int32_t k = 0; k < nq; ++k) {
        q[k] = snRandom_Range(r, -size, size);
    }
    if (type == sn_jointBall || type == sn_jointFree) {
        snStoreQ(q + nq - 4, randomQuat(r));
    }
}

// The whole torque f - C qd, C with the limits' directions.
static void torqueOf(const Joint* j, const snServo* servo, const double* q, const double* qd,
                     double* torque)
{
    if (servo) {
        snPassive_ServoTorque(j->bone, servo, q, qd, torque);
        return;
    }
    snPassive p;
    snPassive_Eval(j->bone, j->def, q, qd, &p);
    bool ball = j->bone->type == sn_jointBall || j->bone->type == sn_jointFree;
    for (int32_t k = 0; k < j->nv; ++k) {
        torque[k] = p.f[k] - p.c[ball ? k / 3 : k] * qd[k];
    }
    for (int32_t i = 0; i < p.along_count; ++i) {
        snVec3 n = p.along[i];
        double pull = p.along_c[i] * snDot(n, snLoad3(qd));
        torque[0] -= pull * n.x, torque[1] -= pull * n.y, torque[2] -= pull * n.z;
    }
}

static double energyAt(const Joint* j, const double* q, int32_t k, double step)
{
    double unit[6] = {0}, moved[7];
    unit[k] = 1;
    snJoint_Integrate(j->bone->type, q, unit, step, moved);
    return snPassive_Energy(j->bone, j->def, moved);
}

static void checkGradient(const Joint* j, const double* q, double floor)
{
    double zero[6] = {0}, torque[6], size = floor;
    torqueOf(j, NULL, q, zero, torque);
    for (int32_t k = 0; k < j->nv; ++k) {
        size = fmax(size, fabs(torque[k]));
    }
    for (int32_t k = 0; k < j->nv; ++k) {
        double slope = (energyAt(j, q, k, STEP) - energyAt(j, q, k, -STEP)) / (2 * STEP);
        assert_close(torque[k], -slope, DERIVATIVE * size);
    }
}

// A limit's torque at the end of its soft zone, the scale of what differences can resolve within
// it.
static double fullPush(const Joint* j)
{
    double k = fmax(j->def->limit_k[0], fmax(j->def->limit_k[1], j->def->limit_k[2]));
    return 0.5 * SN_LIMIT_SOFTNESS * k;
}

static void springsAreGradients(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int32_t type = 1; type < sn_jointTypeCount; ++type) {
        for (int n = 0; n < 100; ++n) {
            snBoneDef d = plainDef(type);
            d.axis = randomVec(&r, 1);
            d.axis2 = snPerpendicular(snNormalize(d.axis));
            for (int i = 0; i < 3; ++i) {
                d.dof[i].stiffness = snRandom_Range(&r, 0.1, 50);
                d.dof[i].rest = snRandom_Range(&r, -1, 1);
            }
            Joint j = makeJoint(&d);
            double q[7];
            for (int m = 0; m < 10; ++m) {
                randomPlace(&r, type, 2, q);
                // a ball's spring has a ridge half a turn from its rest
                snQuat rest = snQFromAxisAngle(j.bone->axis, d.dof[0].rest);
                snQuat here = snLoadQ(q + (type == sn_jointFree ? 3 : 0));
                bool ball = type == sn_jointBall || type == sn_jointFree;
                if (!ball || fabs(snQDot(rest, here)) > 1e-3) {
                    checkGradient(&j, q, 1);
                }
            }
            snSkeleton_Release(j.skeleton);
        }
    }
}

// At rest a spring is slack, and a ball's rest turns about its axis.
static void springsAreSlackAtRest(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int32_t type = 1; type < sn_jointTypeCount; ++type) {
        snBoneDef d = plainDef(type);
        d.axis = randomVec(&r, 1);
        d.axis2 = snPerpendicular(snNormalize(d.axis));
        double q[7] = {0}, zero[6] = {0}, torque[6];
        for (int i = 0; i < 3; ++i) {
            d.dof[i].stiffness = 100;
            d.dof[i].rest = q[i] = snRandom_Range(&r, -1, 1);
        }
        Joint j = makeJoint(&d);
        if (type == sn_jointBall || type == sn_jointFree) {
            double* rotation = q + (type == sn_jointFree ? 3 : 0);
            memset(q, 0, sizeof q); // a free joint's travel springs back to its anchor
            snStoreQ(rotation, snQFromAxisAngle(j.bone->axis, d.dof[0].rest));
        }
        torqueOf(&j, NULL, q, zero, torque);
        for (int32_t k = 0; k < j.nv; ++k) {
            assert_close(torque[k], 0, 1e-13);
        }
        assert_close(snPassive_Energy(j.bone, j.def, q), 0, 1e-13);
        snSkeleton_Release(j.skeleton);
    }
}

// Hinge, slide, universal, planar: both limits, within the soft zone and far beyond.
static void limitsAreGradientsAndOnlyPush(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    const int32_t types[] = {sn_jointRevolute, sn_jointPrismatic, sn_jointUniversal,
                             sn_jointPlanar};
    for (int n = 0; n < 4000; ++n) {
        snBoneDef d = plainDef(types[n % 4]);
        for (int i = 0; i < 3; ++i) {
            d.dof[i].lower = snRandom_Range(&r, -1, 0);
            d.dof[i].upper = snRandom_Range(&r, 0, 1);
        }
        Joint j = makeJoint(&d);
        double q[3], zero[3] = {0}, still[3], torque[3], qd[3];
        for (int i = 0; i < 3; ++i) {
            double depth = n % 3 == 0   ? snRandom_Range(&r, 2e-5, 0.9 * SN_LIMIT_SOFTNESS)
                           : n % 3 == 1 ? snRandom_Range(&r, 1.1 * SN_LIMIT_SOFTNESS, 2)
                                        : -snRandom_Range(&r, 1e-4, 0.1);
            q[i] = snRandom_Unit(&r) < 0.5 ? d.dof[i].lower - depth : d.dof[i].upper + depth;
            qd[i] = snRandom_Range(&r, -3, 3);
        }
        checkGradient(&j, q, fullPush(&j));
        torqueOf(&j, NULL, q, zero, still);
        torqueOf(&j, NULL, q, qd, torque);
        for (int32_t k = 0; k < j.nv; ++k) {
            bool below = q[k]<d.dof[k].lower, above = q[k]> d.dof[k].upper;
            if (!below && !above) {
                assert_true(torque[k] == 0 && still[k] == 0);
            } else {
                assert_true(below ? still[k] > 0 : still[k] < 0);
                assert_true(below ? torque[k] >= 0 : torque[k] <= 0);
                assert_true((torque[k] - still[k]) * qd[k] <= 0);
            }
        }
        snSkeleton_Release(j.skeleton);
    }
}

static void stiffnessIsTheSlopeOfTheTorque(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    const int32_t types[] = {sn_jointRevolute, sn_jointPrismatic, sn_jointUniversal,
                             sn_jointPlanar};
    for (int n = 0; n < 2000; ++n) {
        snBoneDef d = plainDef(types[n % 4]);
        for (int i = 0; i < 3; ++i) {
            d.dof[i].lower = -0.5;
            d.dof[i].upper = 0.5;
            d.dof[i].stiffness = snRandom_Range(&r, 0, 50);
        }
        Joint j = makeJoint(&d);
        double q[3], zero[3] = {0};
        for (int32_t k = 0; k < 3; ++k) {
            q[k] = n % 2 ? snRandom_Range(&r, -1, 1)
                         : copysign(0.5 + snRandom_Range(&r, 0, SN_LIMIT_SOFTNESS),
                                    snRandom_Range(&r, -1, 1));
        }
        snPassive p, before, after;
        snPassive_Eval(j.bone, j.def, q, zero, &p);
        for (int32_t k = 0; k < j.nv; ++k) {
            double deep = fabs(q[k]) - 0.5, x = q[k];
            if (fabs(deep) < 2 * STEP || fabs(deep - SN_LIMIT_SOFTNESS) < 2 * STEP) {
                continue; // a kink of the stiffness
            }
            q[k] = x - STEP;
            snPassive_Eval(j.bone, j.def, q, zero, &before);
            q[k] = x + STEP;
            snPassive_Eval(j.bone, j.def, q, zero, &after);
            q[k] = x;
            assert_relative(p.k[k], -(after.f[k] - before.f[k]) / (2 * STEP), DERIVATIVE, 1);
        }
        snSkeleton_Release(j.skeleton);
    }
}

static Joint limitedBall(snRandom* r)
{
    snBoneDef d = plainDef(sn_jointBall);
    d.axis = randomVec(r, 1);
    d.dof[0].lower = snRandom_Range(r, -1.5, 0);
    d.dof[0].upper = snRandom_Range(r, 0, 1.5);
    d.swing = snRandom_Range(r, 0.1, 2);
    return makeJoint(&d);
}

static void swingAndTwistAreGradients(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    int deep = 0;
    for (int n = 0; n < 300; ++n) {
        Joint j = limitedBall(&r);
        for (int m = 0; m < 20; ++m) {
            // twist about the axis, then a swing across it; some near quarter turns of both
            double twist = m % 4 ? snRandom_Range(&r, -3, 3) : 0.5 * SN_PI + 1e-3 * m;
            double swing = m % 4 ? snRandom_Range(&r, 0.01, 2.8) : 0.5 * SN_PI - 1e-3 * m;
            snVec3 across = snNormalize(snCross(j.bone->axis, randomVec(&r, 1)));
            snQuat q = snQMul(snQExp(snScale(swing, across)), //
                              snQFromAxisAngle(j.bone->axis, twist));
            double x[4], zero[3] = {0}, torque[3];
            snStoreQ(x, m % 2 ? q : snQNegate(q));
            checkGradient(&j, x, fullPush(&j));
            torqueOf(&j, NULL, x, zero, torque);
            deep += snLength(snLoad3(torque)) > 0;
            // energies see exactly the swing and the twist that were put in
            bool inside =
                swing < j.def->swing && twist > j.def->dof[0].lower && twist < j.def->dof[0].upper;
            assert_int_equal(snPassive_Energy(j.bone, j.def, x) == 0, inside);
            assert_int_equal(snLength(snLoad3(torque)) == 0, inside);
        }
        snSkeleton_Release(j.skeleton);
    }
    assert_true(deep > 1000); // the test did go where limits act
}

// Random rotations are rarely at half a turn of swing, where twist loses its meaning.
static void randomRotationsAreGradientsToo(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    for (int n = 0; n < 2000; ++n) {
        Joint j = limitedBall(&r);
        double q[4];
        snQuat p = randomQuat(&r);
        snStoreQ(q, p);
        double cosine = snDot(j.bone->axis, snQRotate(p, j.bone->axis));
        double twist = 2 * atan2(fabs(snDot(snV3(p.x, p.y, p.z), j.bone->axis)), fabs(p.w));
        if (cosine > -0.98 && cosine < 1 - 1e-6 && twist < SN_PI - 1e-3) {
            checkGradient(&j, q, fullPush(&j));
        }
        snSkeleton_Release(j.skeleton);
    }
}

static void ballLimitsOnlyPushAndDampersOnlyTake(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(7);
    for (int n = 0; n < 2000; ++n) {
        Joint j = limitedBall(&r);
        double q[4], qd[3], zero[3] = {0}, still[3], torque[3];
        snStoreQ(q, randomQuat(&r));
        snStore3(qd, randomVec(&r, 5));
        torqueOf(&j, NULL, q, zero, still);
        torqueOf(&j, NULL, q, qd, torque);
        snVec3 damped = snSub(snLoad3(torque), snLoad3(still));
        assert_below(snDot(damped, snLoad3(qd)), 1e-9);
        // each limit's push alone: never along its own outward direction
        snPassive p;
        snPassive_Eval(j.bone, j.def, q, qd, &p);
        if (p.along_count == 1) {
            double outward = snDot(p.along[0], snLoad3(still)),
                   now = snDot(p.along[0], snLoad3(torque));
            assert_true(outward * now >= 0);
        }
        snSkeleton_Release(j.skeleton);
    }
}

static void dampersOnlyTake(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(8);
    for (int n = 0; n < 2000; ++n) {
        snBoneDef d = plainDef(1 + n % 6);
        for (int i = 0; i < 3; ++i) {
            d.dof[i].damping = snRandom_Range(&r, 0, 10);
        }
        Joint j = makeJoint(&d);
        double q[7], qd[6], torque[6], power = 0, square = 0;
        randomPlace(&r, d.joint, 1, q);
        for (int32_t k = 0; k < j.nv; ++k) {
            qd[k] = snRandom_Range(&r, -3, 3);
        }
        torqueOf(&j, NULL, q, qd, torque);
        bool ball = d.joint == sn_jointBall || d.joint == sn_jointFree;
        for (int32_t k = 0; k < j.nv; ++k) {
            power += torque[k] * qd[k];
            square += d.dof[ball ? k / 3 : k].damping * qd[k] * qd[k];
        }
        assert_true(power <= 0);
        assert_close(power, -square, 1e-12 * fmax(1, square));
        snSkeleton_Release(j.skeleton);
    }
}

// Below its bound a servo is the spring-damper it says it is; above, its torque has the bound's
// size and keeps the direction.
static void servosSaturateAtTheirLimit(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(9);
    for (int n = 0; n < 3000; ++n) {
        int32_t type = 1 + n % 6;
        snBoneDef d = plainDef(type);
        Joint j = makeJoint(&d);
        double q[7], target[7], qd[6], rate[6], kp[6], kd[6], limit[6], torque[6], gap[6];
        randomPlace(&r, type, 1, q);
        randomPlace(&r, type, 1, target);
        bool ball = type == sn_jointBall || type == sn_jointFree, bound = n % 12 < 6;
        for (int32_t k = 0; k < j.nv; ++k) {
            qd[k] = snRandom_Range(&r, -1, 1);
            rate[k] = snRandom_Range(&r, -1, 1);
            kp[k] = snRandom_Range(&r, 0, 20);
            kd[k] = snRandom_Range(&r, 0, 5);
            limit[k] = bound ? snRandom_Range(&r, 0, 5) : (double)INFINITY;
        }
        snServo servo = {target, rate, kp, kd, limit};
        torqueOf(&j, &servo, q, qd, torque);
        snJoint_Difference(type, q, target, gap);
        int32_t width = ball ? 3 : 1;
        for (int32_t g = 0; g < j.nv; g += width) {
            double want[3], square = 0, got = 0;
            for (int32_t k = 0; k < width; ++k) {
                want[k] = kp[g] * gap[g + k] + kd[g] * (rate[g + k] - qd[g + k]);
                square += want[k] * want[k];
            }
            double size = sqrt(square), scale = size > limit[g] ? limit[g] / size : 1;
            for (int32_t k = 0; k < width; ++k) {
                assert_close(torque[g + k], scale * want[k], 1e-12 * fmax(1, size));
                got += torque[g + k] * torque[g + k];
            }
            assert_true(sqrt(got) <= limit[g] + 1e-12);
        }
        snSkeleton_Release(j.skeleton);
    }
}

static bool isNothing(const snPassive* p)
{
    static const snPassive NOTHING;
    return memcmp(p, &NOTHING, sizeof NOTHING) == 0;
}

static void actsWhenEverEvalGivesAnything(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(10);
    int quiet = 0, loud = 0;
    for (int n = 0; n < 6000; ++n) {
        snBoneDef d = plainDef(1 + n % 6);
        for (int i = 0; i < 3; ++i) {
            if (snRandom_Unit(&r) < 0.3) {
                d.dof[i].stiffness = 10;
            }
            if (snRandom_Unit(&r) < 0.3) {
                d.dof[i].damping = 1;
            }
            if (snRandom_Unit(&r) < 0.3) {
                d.dof[i].armature = 1;
            }
            if (snRandom_Unit(&r) < 0.3) {
                d.dof[i].lower = -0.5;
            }
            if (snRandom_Unit(&r) < 0.3) {
                d.dof[i].upper = 0.5;
            }
        }
        d.swing = snRandom_Unit(&r) < 0.3 ? 1 : (double)INFINITY;
        Joint j = makeJoint(&d);
        double q[7], qd[6];
        randomPlace(&r, d.joint, 1, q);
        for (int32_t k = 0; k < 6; ++k) {
            qd[k] = snRandom_Range(&r, -1, 1);
        }
        snPassive p;
        snPassive_Eval(j.bone, j.def, q, qd, &p);
        bool acts = j.def && snPassive_Acts(j.bone, j.def, q);
        assert_true(acts || isNothing(&p));
        quiet += !acts, loud += acts;
        snSkeleton_Release(j.skeleton);
    }
    assert_true(quiet > 500 && loud > 500);
}

// As stiff as was asked for: the limb bounces at limit_frequency, critically damped.
static void limitsHaveTheirFrequency(void** state)
{
    (void)state;
    snBoneDef d = plainDef(sn_jointRevolute);
    d.dof[0].upper = 0.3;
    d.limit_frequency = 7;
    Joint j = makeJoint(&d);
    // inertia about x: 0.2 + 2 (0.2^2 + 0.1^2)
    double I = 0.3, w = 2 * SN_PI * 7;
    assert_relative(j.def->limit_k[0], I * w * w, 1e-12, 0);
    assert_relative(j.def->limit_d[0], 2 * sqrt(j.def->limit_k[0] * I), 1e-12, 0);
    snSkeleton_Release(j.skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springsAreGradients),
        cmocka_unit_test(springsAreSlackAtRest),
        cmocka_unit_test(limitsAreGradientsAndOnlyPush),
        cmocka_unit_test(stiffnessIsTheSlopeOfTheTorque),
        cmocka_unit_test(swingAndTwistAreGradients),
        cmocka_unit_test(randomRotationsAreGradientsToo),
        cmocka_unit_test(ballLimitsOnlyPushAndDampersOnlyTake),
        cmocka_unit_test(dampersOnlyTake),
        cmocka_unit_test(servosSaturateAtTheirLimit),
        cmocka_unit_test(actsWhenEverEvalGivesAnything),
        cmocka_unit_test(limitsHaveTheirFrequency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
