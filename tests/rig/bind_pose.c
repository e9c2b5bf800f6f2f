// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// In the bind pose all joints of a skin say the same of its mesh, the first joint is where the
// nodes' own pose has it, and what no skin names goes along with its parent.

#include "rig/bind_pose.h"

#include "check.h"
#include "rig/lbs.h"

static const double tolerance = 1e-12;

static double apart(const snMatrix* a, const snMatrix* b)
{
    return snLength(snSub(a->x, b->x)) + snLength(snSub(a->y, b->y)) + snLength(snSub(a->z, b->z)) +
           snLength(snSub(a->p, b->p));
}

static snMatrix some(double angle, snVec3 p, double scale)
{
    return snMatrix_FromParts(p, snQFromAxisAngle(snNormalize(snV3(1, 2, -1)), angle),
                              snV3(scale, scale, scale));
}

static void test_two_skins(void** state)
{
    (void)state;
    // 0 - 1 - 2, 3 a child of 1 that no skin names; the second skin has other lengths
    static const int32_t parents[4] = {-1, 0, 1, 1};
    snMatrix bind[3] = {some(0.3, snV3(0, 1, 0), 1), some(-1, snV3(0.2, 1.5, 0), 1),
                        some(2, snV3(0, 2, 0.5), 1)};
    snMatrix mesh = some(0.7, snV3(3, 0, 0), 0.01), other = some(-0.4, snV3(0, 0, 1), 100);
    snRigNode nodes[4] = {0};
    int32_t joints[3] = {0, 1, 2};
    snMatrix first[3], second[3], pose[4], M[3];
    snRigSkin skins[2] = {{"", 3, joints, first, true}, {"", 2, joints + 1, second + 1, true}};
    snRig rig = {.nodes = nodes, .skins = skins, .info = {.node_count = 4, .skin_count = 2}};
    bool ok;
    snHost_Init(&rig.host);
    for (int i = 0; i < 4; ++i) {
        nodes[i].parent = parents[i];
        nodes[i].local = some(i, snV3(0.1 * i, 0.4, 0), 1); // any pose
    }
    for (int i = 0; i < 3; ++i) {
        snMatrix inverse = snMatrix_Inverse(&bind[i], &ok);
        first[i] = snMatrix_Mul(&inverse, &mesh);
        second[i] = snMatrix_Mul(&inverse, &other);
    }
    snMessage why;
    assert_ok(snRig_BindPose(&rig, pose, &why), why);
    assert_below(apart(&pose[0], &nodes[0].local), tolerance);
    for (int s = 0; s < 2; ++s) {
        snLbs_Joints(&skins[s], pose, M);
        for (int j = 1; j < skins[s].joint_count; ++j) {
            assert_below(apart(&M[j], &M[0]), 100 * tolerance);
        }
    }
    snMatrix hung = snMatrix_Mul(&pose[1], &nodes[3].local);
    assert_below(apart(&pose[3], &hung), tolerance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_skins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
