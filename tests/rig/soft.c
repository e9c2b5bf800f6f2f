// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What is soft by names, and what patterns say.

#include "rig/soft.h"

#include "check.h"

static void test_patterns(void** state)
{
    (void)state;
    assert_true(snRigPattern_Matches("*", ""));
    assert_true(snRigPattern_Matches("Hair*", "hair_front"));
    assert_true(snRigPattern_Matches("*_l", "Arm_L"));
    assert_true(snRigPattern_Matches("a*b?d", "aXbYbcd"));
    assert_false(snRigPattern_Matches("a*b?d", "aXbYbcde"));
    assert_false(snRigPattern_Matches("", "x"));
    assert_false(snRigPattern_Matches("?", ""));
}

static void test_flesh(void** state)
{
    (void)state;
    assert_true(snRigSoft_IsFlesh("Stomach_tip"));
    assert_true(snRigSoft_IsFlesh("mixamorig:LeftBreast"));
    assert_false(snRigSoft_IsFlesh("father"));
    assert_false(snRigSoft_IsFlesh("spine_1"));
}

typedef struct Line {
    const char* name;
    int32_t parent;
    double carried;
    int soft;
} Line;

static void check(const Line* lines, int32_t count, const snRigPatterns* patterns)
{
    snRigNode nodes[16] = {0};
    double carried[16];
    uint8_t soft[16];
    snRig rig = {.nodes = nodes, .info = {.node_count = count}};
    for (int32_t i = 0; i < count; ++i) {
        nodes[i].name = lines[i].name;
        nodes[i].parent = lines[i].parent;
        carried[i] = lines[i].carried;
    }
    snRigSoft_Nodes(&rig, carried, patterns, soft);
    for (int32_t i = 0; i < count; ++i) {
        if (soft[i] != lines[i].soft) {
            fail_msg("%s: found %d", lines[i].name, soft[i]);
        }
    }
}

static void test_names(void** state)
{
    static const snRigPatterns none = {0};
    static const Line human[] = {
        {"mixamorig:Hips", -1, 9, 1},
        {"mixamorig:Spine", 0, 9, 1},
        {"mixamorig:Neck", 1, 1, 1},
        {"mixamorig:Head", 2, 4, 0},
        {"mixamorig:HeadTop_End", 3, 0, 0},
        {"mixamorig:LeftArm", 1, 3, 1},
        {"mixamorig:LeftForeArm", 5, 3, 1},
        {"mixamorig:LeftHand", 6, 2, 0},
        {"mixamorig:LeftHandRing1", 7, 1, 0},
        {"jaw", 3, 1, 0},
        {"b_LeftFoot01_017", 0, 1, 0},
        {"wing_tip", 10, 1, 0},
        {"tail01", 0, 3, 1},
    };
    // the head carries all; only itself is rigid
    static const Line snake[] = {{"head", -1, 1, 0}, {"tail1", 0, 5, 1}, {"tail2", 1, 5, 1}};
    // no hand, foot or head is called so: ends are
    static const Line plain[] = {{"torso", -1, 9, 1},        {"arm_joint_L_1", 0, 2, 1},
                                 {"arm_joint_L_2", 1, 2, 1}, {"arm_joint_L_3", 2, 2, 0},
                                 {"neck_joint_1", 0, 1, 1},  {"neck_joint_2", 4, 1, 0},
                                 {"leg_L", 0, 3, 1},         {"leg_L_2", 6, 3, 1},
                                 {"leg_L_3", 7, 1, 0},       {"leg_L_5", 8, 1, 0}};
    (void)state;
    check(human, 13, &none);
    check(snake, 3, &none);
    check(plain, 10, &none);
}

static void test_said(void** state)
{
    static const char* const soft[] = {"*hand*", "spine"};
    static const char* const rigid[] = {"spine", "tail?"};
    static const snRigPatterns patterns = {2, 2, soft, rigid};
    static const Line lines[] = {{"hips", -1, 9, 1},
                                 {"Spine", 0, 5, 0},
                                 {"hand.l", 1, 1, SN_SOFT_ASKED},
                                 {"tail1", 0, 2, 0}};
    (void)state;
    check(lines, 4, &patterns);
}

// Meshes and materials have names too.
static void test_parts(void** state)
{
    const snRigInstance hand = {.info = {.name = "Hand.R", .material = "Grey"}};
    const snRigInstance plate = {.info = {.name = "Part", .material = "armour"}};
    const snRigInstance chest = {.info = {.name = "Chest", .material = "Grey"}};
    (void)state;
    assert_true(snRigSoft_IsRigid(&hand));
    assert_true(snRigSoft_IsRigid(&plate));
    assert_false(snRigSoft_IsRigid(&chest));
    assert_true(snRigSoft_IsTail("b_Tail01_012"));
    assert_false(snRigSoft_IsTail("tall_hat"));
}

// A pattern that matches nothing is a mistake.
static void test_mistyped(void** state)
{
    (void)state;
    snRigNode nodes[] = {{.name = "Hips"}, {.name = "Belly"}};
    snRigInstance instances[] = {{.info = {.name = "Body", .material = "Skin"}}};
    const snRig rig = {
        .nodes = nodes, .instances = instances, .info = {.node_count = 2, .mesh_count = 1}};
    static const char* const GOOD[] = {"belly", "b?dy", "*ki*"};
    static const char* const BAD[] = {"hips", "bely"};
    snMessage why;
    const snRigPatterns good = {3, 3, GOOD, GOOD}, bad = {3, 2, GOOD, BAD};
    assert_ok(snRigPatterns_Check(&good, &rig, &why), why);
    assert_int_equal(snRigPatterns_Check(&bad, &rig, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "'bely', which should be rigid"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns), cmocka_unit_test(test_flesh),
        cmocka_unit_test(test_mistyped), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_names),    cmocka_unit_test(test_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
