// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The skeleton of a body weighs what the body does, where it does, and reads poses as they are.

#include "character/rig_skeleton.h"

#include "rig/pose.h"
#include "sim/mast.h"
#include "skel/joint.h"
#include "skel/kinematics.h"

// Samples of rigid parts and cells at the skin overlap by a part of a cell.
static const double mass_error = 0.1;

// Volume of the mast: a prism of 16 sides
static double volumeOf(void)
{
    return 0.5 * 16 * 0.15 * 0.15 * snSin(2 * SN_PI / 16) * 0.9;
}

static snMass wholeOf(const snSkeleton* skeleton, const snBoneMotion* motion)
{
    snMass sum = {0};
    for (int32_t b = 0; b < skeleton->bone_count; ++b) {
        snMass point = snMass_Point(skeleton->bones[b].mass, snAdd(motion[b].p, motion[b].c));
        sum = snMass_Add(&sum, &point);
    }
    return sum;
}

static void test_mass(void** state)
{
    Mast m;
    snMessage why;
    snRigSkeleton rig_skeleton;
    snMatrix nodes[2];
    snBoneMotion motion[2];
    double q[16];
    (void)state;
    openMast(&m, sway);
    snRigClipData_World(&m.made.rig, NULL, 0, nodes, NULL);
    assert_ok(snRigSkeleton_Build(&m.arena, &m.body, m.joints, nodes, &rig_skeleton, &why), why);
    snRigSkeleton_Read(&rig_skeleton, nodes, q);
    snKinematics_Position(rig_skeleton.whole, q, NULL, motion);
    snMass whole = wholeOf(rig_skeleton.whole, motion);
    double soft = 0;
    for (int32_t i = 0; i < m.body.tets.node_count; ++i) {
        soft += m.body.held[i] ? 0 : m.body.mass[i];
    }
    assert_relative(whole.mass, rig_skeleton.mass, 1e-9, 0);
    assert_relative(whole.mass, 1000 * volumeOf() + 0.15 * soft, mass_error, 0);
    assert_relative(whole.mass - soft, snSkeleton_Mass(rig_skeleton.skeleton), 1e-9, 0);
    assert_below(snLength(snSub(whole.com, snV3(0, 0.45, 0))), 0.03);
    // the top's own moment about its joint: a rod of half a metre, at least
    assert_true(rig_skeleton.limb[MAST_TOP] > whole.mass * 0.5 * 0.5 * 0.5 / 3 * 0.5);
    assert_true(rig_skeleton.limb[MAST_FOOT] > rig_skeleton.limb[MAST_TOP]);
    snRigSkeleton_Free(&rig_skeleton);
    closeMast(&m);
}

// A pose that is read puts the bones to its nodes, and the bind pose's places with them.
static void test_pose(void** state)
{
    Mast m;
    snMessage why;
    snRigSkeleton rig_skeleton;
    snMatrix nodes[2];
    snBoneMotion motion[2];
    double q[16];
    (void)state;
    openMast(&m, sway);
    snRigClipData_World(&m.made.rig, NULL, 0, nodes, NULL);
    assert_ok(snRigSkeleton_Build(&m.arena, &m.body, m.joints, nodes, &rig_skeleton, &why), why);
    for (double t = 0; t < 2; t += 0.3) {
        snRigClipData_World(&m.made.rig, &m.made.clip, t, nodes, NULL);
        snRigSkeleton_Read(&rig_skeleton, nodes, q);
        snKinematics_Position(rig_skeleton.skeleton, q, NULL, motion);
        for (int32_t b = 0; b < 2; ++b) {
            snVec3 X = snV3(0.1, 0.7, -0.05), x = snMatrix_Point(&rig_skeleton.map[b], X);
            int32_t n = m.joints->joints[b].node;
            snVec3 skinned = snMatrix_Point(&nodes[n], snMatrix_Point(&m.made.bind[n], X));
            snVec3 at = snAdd(motion[b].p, snMatVec(motion[b].R, x));
            assert_below(snLength(snSub(at, skinned)), 1e-6); // keys are floats
        }
    }
    snRigSkeleton_Free(&rig_skeleton);
    closeMast(&m);
}

// Points of the skin that may touch are on the skin, the lowest and the highest are among them.
static void test_points(void** state)
{
    Mast m;
    snMessage why;
    snRigSkeleton rig_skeleton;
    snMatrix nodes[2];
    double low = 1, high = 0;
    (void)state;
    openMast(&m, sway);
    snRigClipData_World(&m.made.rig, NULL, 0, nodes, NULL);
    assert_ok(snRigSkeleton_Build(&m.arena, &m.body, m.joints, nodes, &rig_skeleton, &why), why);
    for (int32_t i = 0; i < rig_skeleton.point_count; ++i) {
        bool ok;
        snMatrix back = snMatrix_Inverse(&rig_skeleton.map[rig_skeleton.points[i].bone], &ok);
        snVec3 p = snMatrix_Point(&back, rig_skeleton.points[i].place);
        bool cap = p.y < 1e-6 || p.y > 0.9 - 1e-6;
        assert_true(cap || fabs(sqrt(p.x * p.x + p.z * p.z) - 0.15) < 1e-6);
        low = fmin(low, p.y), high = fmax(high, p.y);
    }
    assert_close(low, 0, 1e-6);
    assert_close(high, 0.9, 1e-6);
    snRigSkeleton_Free(&rig_skeleton);
    closeMast(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_pose),
        cmocka_unit_test(test_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
