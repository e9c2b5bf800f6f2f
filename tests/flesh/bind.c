// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Nodes of a box around the worm: each to the nearest bone, the core fixed, joints free to bend.
#include "flesh/bind.h"

#include "flesh/box.h"
#include <scenes/scenes.h>

static void wormIsBoundBoneByBone(void** state)
{
    (void)state;
    snTets mesh = makeBox(snV3(-0.1, -0.1, -0.5), snV3(0.1, 0.1, 0.5), 6, 6, 60);
    snSkeleton* skeleton;
    snMessage why;
    snArena arena;
    snBinding bound;
    snBindDef def = {0.6, 1};
    int32_t per_bone[4] = {0};
    assert_ok(snMakeWorm(NULL, &skeleton, &why), why);
    snArena_Init(&arena, NULL);
    assert_ok(snBind_Nodes(&arena, &mesh, skeleton, &def, &bound, &why), why);
    // joints sit where one bone ends and the next begins, 0.22 m apart from z = 0.44
    for (int32_t i = 0; i < mesh.node_count; ++i) {
        snVec3 p = mesh.position[i];
        double along = 0.44 - p.z;
        int32_t expected = along < 0.22 ? 0 : along < 0.44 ? 1 : along < 0.66 ? 2 : 3;
        double seam = fabs(along / 0.22 - round(along / 0.22)) * 0.22;
        if (seam > 1e-9) {
            assert_int_equal(bound.bone[i], expected);
        }
        if (bound.fixed[i] >= 0) {
            per_bone[bound.fixed[i]]++;
            assert_int_equal(bound.fixed[i], bound.bone[i]);
            assert_below(sqrt(p.x * p.x + p.y * p.y), 0.6 * 0.065 + 1e-12);
            for (int joint = 1; joint <= 3; ++joint) {
                assert_true(snLength(snSub(p, snV3(0, 0, 0.44 - 0.22 * joint))) > 0.059);
            }
        }
    }
    for (int b = 0; b < 4; ++b) {
        assert_true(per_bone[b] > 10);
    }
    assert_int_equal(bound.bare_count, 0);
    snArena_Free(&arena);
    snSkeleton_Release(skeleton);
    freeBox(&mesh);
}

// A mesh too coarse for any node to lie in a core: every bone still gets one.
static void coarseMeshesHoldEveryBone(void** state)
{
    (void)state;
    snTets mesh = makeBox(snV3(-0.2, -0.2, -0.6), snV3(0.2, 0.2, 0.6), 1, 1, 8);
    snSkeleton* skeleton;
    snMessage why;
    snArena arena;
    snBinding bound;
    snBindDef def = {0.6, 1};
    assert_ok(snMakeWorm(NULL, &skeleton, &why), why);
    snArena_Init(&arena, NULL);
    assert_ok(snBind_Nodes(&arena, &mesh, skeleton, &def, &bound, &why), why);
    assert_int_equal(bound.fixed_count, 4);
    for (int b = 0; b < 4; ++b) {
        bool held = false;
        for (int32_t i = 0; i < mesh.node_count; ++i) {
            held = held || bound.fixed[i] == b;
        }
        assert_true(held);
    }
    snArena_Free(&arena);
    snSkeleton_Release(skeleton);
    freeBox(&mesh);
}

// Only the nodes on the worm's axis lie in its core: held by them alone the flesh would spin about
// it. Every bone gets a node off the axis.
static void fleshCannotSpin(void** state)
{
    (void)state;
    snTets mesh = makeBox(snV3(-0.08, -0.08, -0.6), snV3(0.08, 0.08, 0.6), 2, 2, 24);
    snSkeleton* skeleton;
    snMessage why;
    snArena arena;
    snBinding bound;
    snBindDef def = {0.6, 1};
    assert_ok(snMakeWorm(NULL, &skeleton, &why), why);
    snArena_Init(&arena, NULL);
    assert_ok(snBind_Nodes(&arena, &mesh, skeleton, &def, &bound, &why), why);
    for (int b = 0; b < 4; ++b) {
        int on = 0, off = 0;
        for (int32_t i = 0; i < mesh.node_count; ++i) {
            snVec3 p = mesh.position[i];
            bool axis = p.x * p.x + p.y * p.y < 1e-12;
            on += bound.fixed[i] == b && axis;
            off += bound.fixed[i] == b && !axis;
        }
        assert_true(on >= 2);
        assert_int_equal(off, 1); // no more than needed: they make the skin stiff
    }
    snArena_Free(&arena);
    snSkeleton_Release(skeleton);
    freeBox(&mesh);
}

static void noBonesHoldNothing(void** state)
{
    (void)state;
    snTets mesh = makeBox(snV3(0, 0, 0), snV3(1, 1, 1), 2, 2, 2);
    snSkeleton* skeleton;
    snMessage why;
    snArena arena;
    snBinding bound;
    snBindDef def = {0.6, 1};
    assert_ok(snSkeleton_Create(NULL, NULL, 0, &skeleton, &why), why);
    snArena_Init(&arena, NULL);
    assert_ok(snBind_Nodes(&arena, &mesh, skeleton, &def, &bound, &why), why);
    assert_int_equal(bound.fixed_count, 0);
    assert_int_equal(bound.bare_count, 0);
    for (int32_t i = 0; i < mesh.node_count; ++i) {
        assert_int_equal(bound.bone[i], -1);
        assert_int_equal(bound.fixed[i], -1);
    }
    snArena_Free(&arena);
    snSkeleton_Release(skeleton);
    freeBox(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wormIsBoundBoneByBone),
        cmocka_unit_test(coarseMeshesHoldEveryBone),
        cmocka_unit_test(fleshCannotSpin),
        cmocka_unit_test(noBonesHoldNothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
