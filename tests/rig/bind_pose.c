// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// In the bind pose all joints of a skin say the same of its mesh, the joint that carries most of it
// is where the nodes' own pose has it, and what no skin names goes along with its parent.

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

// Handles of the feet come first in the file, and a foot weighs more than the hips: the body, bound
// lying on its back, is still where the hips say. A hat on the head goes along with it, though its
// skin comes first.
static void test_hips_say_where(void** state)
{
    (void)state;
    enum { SCENE, HANDLE, HIPS, HEAD, FOOT, COUNT };
    static const int32_t parents[COUNT] = {-1, SCENE, SCENE, HIPS, HIPS};
    static const double weights[COUNT] = {0, 0, 0.1, 0.3, 0.6};
    snRigNode nodes[COUNT] = {0};
    int32_t body[4] = {HANDLE, HIPS, HEAD, FOOT}, hat[1] = {HEAD};
    snMatrix bind[COUNT], inverse[4], on_hat, pose[COUNT], M[4], own[COUNT];
    snMatrix lying = snMatrix_FromParts(
        snV3(0, 0, 0), snQFromAxisAngle(snV3(1, 0, 0), -1.5707963267948966), snV3(1, 1, 1));
    bool ok;
    for (int i = 0; i < COUNT; ++i) {
        nodes[i].parent = parents[i];
        nodes[i].local = some(0.9 * i, snV3(0.1 * i, 0.4, 0), 1); // any pose
        own[i] = i == 0 ? nodes[i].local : snMatrix_Mul(&own[parents[i]], &nodes[i].local);
        bind[i] = some(0.2 * i, snV3(0, 0, 0.3 * i), 1);
    }
    own[HIPS] = snMatrix_Mul(&lying, &bind[HIPS]); // as it was bound, but stood up
    snMatrix up = snMatrix_Inverse(&own[SCENE], &ok);
    nodes[HIPS].local = snMatrix_Mul(&up, &own[HIPS]);
    for (int j = 0; j < 4; ++j) {
        inverse[j] = snMatrix_Inverse(&bind[body[j]], &ok);
    }
    on_hat = snMatrix_Identity();
    int32_t first[2] = {0, 3}, joint[3] = {1, 2, 3}, zero = 0, ends[2] = {0, 1};
    float weight[3], one = 1;
    for (int k = 0; k < 3; ++k) {
        weight[k] = (float)weights[body[joint[k]]];
    }
    snRigShape shapes[2] = {
        {.vertex_count = 1, .first = first, .joint = joint, .weight = weight},
        {.vertex_count = 1, .first = ends, .joint = &zero, .weight = &one},
    };
    snRigInstance instances[2] = {{{.vertex_count = 1, .skin = 1}, &shapes[0]},
                                  {{.vertex_count = 1, .skin = 0}, &shapes[1]}};
    snRigSkin skins[2] = {{"hat", 1, hat, &on_hat, true}, {"body", 4, body, inverse, true}};
    snRig rig = {.nodes = nodes,
                 .skins = skins,
                 .instances = instances,
                 .info = {.node_count = COUNT, .skin_count = 2, .mesh_count = 2}};
    snMessage why;
    snHost_Init(&rig.host);
    assert_ok(snRig_BindPose(&rig, pose, &why), why);
    assert_below(apart(&pose[HIPS], &own[HIPS]), tolerance);
    snLbs_Joints(&skins[1], pose, M);
    for (int j = 0; j < 4; ++j) {
        assert_below(apart(&M[j], &lying), 100 * tolerance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_skins),
        cmocka_unit_test(test_hips_say_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
