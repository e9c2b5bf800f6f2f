// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What a rig says of itself: the box around it, its unit, its warnings.

#include "rig/rig.h"

#include "check.h"

// A box of that size on a node that doubles it
static snRig* makeBox(float size)
{
    static float corners[6];
    static snRigShape shape;
    snHost host;
    snHost_Init(&host);
    snRig* rig = snRig_New(&host);
    assert_non_null(rig);
    corners[4] = size; // y
    shape = (snRigShape){.vertex_count = 2, .position = corners};
    rig->nodes = snArena_Push(&rig->arena, 1, sizeof *rig->nodes);
    rig->instances = snArena_Push(&rig->arena, 1, sizeof *rig->instances);
    assert_true(rig->nodes && rig->instances);
    rig->nodes[0] = (snRigNode){.name = "", .parent = -1};
    rig->nodes[0].local = snMatrix_FromParts(snV3(0, 1, 0), snQIdentity(), snV3(2, 2, 2));
    rig->instances[0].shape = &shape;
    rig->instances[0].info = (snRigMesh){.skin = -1, .vertex_count = 2};
    rig->info.node_count = rig->info.mesh_count = 1;
    return rig;
}

static void test_box(void** state)
{
    (void)state;
    static const struct {
        float half;
        double unit;
        const char* name;
    } cases[] = {{0.9f, 1, "m"},   {0.4f, 1, "m"},      {15, 1, "m"},  {40, 0.01, "cm"},
                 {90, 0.01, "cm"}, {3000, 0.001, "mm"}, {1e9f, 0, ""}, {1e-4f, 0, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        snMessage why;
        snRig* rig = makeBox(cases[i].half);
        assert_ok(snRig_Finish(rig, &why), why);
        const snRigInfo* info = snRig_Info(rig);
        assert_true(info->low.y == 1);
        assert_relative(info->high.y, 1 + 2 * (double)cases[i].half, 1e-6, 0);
        assert_true(info->unit == cases[i].unit);
        assert_string_equal(info->unit_name, cases[i].name);
        snRig_Release(rig);
    }
}

static void test_warnings(void** state)
{
    (void)state;
    snMessage why;
    snRig* rig = makeBox(1);
    for (int i = 0; i < SN_RIG_WARNINGS + 7; ++i) {
        snRig_Warn(rig, "remark %d", i);
    }
    assert_ok(snRig_Finish(rig, &why), why);
    assert_int_equal(rig->info.warning_count, SN_RIG_WARNINGS + 1);
    assert_string_equal(rig->info.warnings[2], "remark 2");
    assert_string_equal(rig->info.warnings[SN_RIG_WARNINGS], "7 more remarks are left out");
    snRig_Release(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_box), cmocka_unit_test(test_warnings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
