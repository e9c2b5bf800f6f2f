// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Each school of spelling gives the same parts; helpers are left out.
#include "rig/names.h"
#include "check.h"

#define MOST 24

// A chain is enough where only names matter.
static void find(const char* const* names, int32_t count, int32_t* roles)
{
    int32_t parents[MOST];
    for (int32_t i = 0; i < count; ++i) {
        parents[i] = i - 1;
    }
    snRoles_Find(names, parents, count, roles);
}

static void same(const char* name, const char* part)
{
    int32_t role;
    find(&name, 1, &role);
    const char* found = snRole_Name(role);
    if (!part ? found != NULL : !found || strcmp(found, part) != 0) {
        fail_msg("'%s' is taken for %s, not for %s", name, found ? found : "nothing",
                 part ? part : "nothing");
    }
}

static void namesThatLeaveNoDoubt(void** state)
{
    (void)state;
    static const char* const PAIRS[][2] = {
        {"Hips", "pelvis"},
        {"hip", "pelvis"},
        {"mixamorig:Hips", "pelvis"},
        {"Bip01 Pelvis", "pelvis"},
        {"LowerBack", "trunk"},
        {"Spine1", "trunk"},
        {"spine_03", "trunk"},
        {"mixamorig:Spine2", "trunk"},
        {"abdomen", "trunk"},
        {"Neck1", "neck"},
        {"Head", "head"},
        {"lCollar", "collar_l"},
        {"Clavicle_R", "collar_r"},
        {"upper_arm.L", "upper_arm_l"},
        {"UpArm_R", "upper_arm_r"},
        {"rShldr", "upper_arm_r"},
        {"lhumerus", "upper_arm_l"},
        {"mixamorig:LeftForeArm", "forearm_l"},
        {"Character1_RightForeArm", "forearm_r"},
        {"lowerarm_l", "forearm_l"},
        {"LoArm_L", "forearm_l"},
        {"LeftElbow", "forearm_l"},
        {"lradius", "forearm_l"},
        {"RightWrist", "hand_r"},
        {"LThumb", "thumb_l"},
        {"LeftHandThumb1", "thumb_l"},
        {"index_01_r", "index1_r"},
        {"rMid2", "fingers2_r"},
        {"LeftUpLeg", "thigh_l"},
        {"thigh.R", "thigh_r"},
        {"Bip01 L Thigh", "thigh_l"},
        {"rfemur", "thigh_r"},
        {"LoLeg_L", "shin_l"},
        {"calf_r", "shin_r"},
        {"ltibia", "shin_l"},
        {"RightAnkle", "foot_r"},
        {"mixamorig:LeftToeBase", "toes_l"},
        {"ball_r", "toes_r"},
        // our own
        {"pelvis", "pelvis"},
        {"upper_arm_l", "upper_arm_l"},
        {"fingers1_r", "fingers1_r"},
        {"toes_r", "toes_r"},
    };
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; ++i) {
        same(PAIRS[i][0], PAIRS[i][1]);
    }
}

static void helpersAreNothing(void** state)
{
    (void)state;
    static const char* const NONE[] = {"LHipJoint",
                                       "HeadTop_End",
                                       "LeftToe_End",
                                       "LeftFingerBase",
                                       "leftEye",
                                       "rButtock",
                                       "Thumb2_L",
                                       "thigh_twist_01_l",
                                       "ik_foot_l",
                                       "Tongue1",
                                       "Root",
                                       "",
                                       "arm",
                                       "12",
                                       "::",
                                       "__",
                                       "socket_hand_L",
                                       "foot_attach_r",
                                       "head_attachment"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; ++i) {
        same(NONE[i], NULL);
    }
    char longest[600];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    same(longest, NULL);
    for (size_t i = 0; i + 1 < sizeof longest; ++i) {
        longest[i] = i % 2 ? 'B' : '_';
    }
    same(longest, NULL);
}

static void expect(const char* const* names, const char* const* parts, int32_t count)
{
    int32_t roles[MOST];
    find(names, count, roles);
    for (int32_t i = 0; i < count; ++i) {
        const char* found = snRole_Name(roles[i]);
        if (!parts[i] ? found != NULL : !found || strcmp(found, parts[i]) != 0) {
            fail_msg("'%s' is taken for %s", names[i], found ? found : "nothing");
        }
    }
}

// The shoulder is the collar bone where there is an arm, else the upper arm; and the like.
static void neighboursDecide(void** state)
{
    (void)state;
    static const char* const MIXAMO[] = {"LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand",
                                         "LeftUpLeg",    "LeftLeg", "LeftFoot",    "LeftToeBase"};
    static const char* const MIXAMO_PARTS[] = {"collar_l", "upper_arm_l", "forearm_l", "hand_l",
                                               "thigh_l",  "shin_l",      "foot_l",    "toes_l"};
    expect(MIXAMO, MIXAMO_PARTS, 8);
    static const char* const JOINTS[] = {"LeftCollar", "LeftShoulder", "LeftElbow", "LeftWrist",
                                         "LeftHip",    "LeftKnee",     "LeftAnkle"};
    static const char* const JOINT_PARTS[] = {"collar_l", "upper_arm_l", "forearm_l", "hand_l",
                                              "thigh_l",  "shin_l",      "foot_l"};
    expect(JOINTS, JOINT_PARTS, 7);
    static const char* const SMPL[] = {"L_Hip",      "L_Knee",  "L_Ankle", "L_Foot", "L_Collar",
                                       "L_Shoulder", "L_Elbow", "L_Wrist", "L_Hand"};
    static const char* const SMPL_PARTS[] = {"thigh_l",   "shin_l",   "foot_l",
                                             "toes_l",    "collar_l", "upper_arm_l",
                                             "forearm_l", "hand_l",   NULL};
    expect(SMPL, SMPL_PARTS, 9);
}

// MakeHuman puts a helper of the same name above each limb.
static void theLowerOfTwoWins(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"__UpLeg_L", "UpLeg_L"};
    static const char* const PARTS[] = {NULL, "thigh_l"};
    expect(NAMES, PARTS, 2);
}

static void legsTellThePelvis(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"Reference", "Body", "LeftUpLeg", "RightUpLeg"};
    static const int32_t PARENTS[] = {-1, 0, 1, 1};
    int32_t roles[4];
    snRoles_Find(NAMES, PARENTS, 4, roles);
    assert_int_equal(roles[0], sn_partNone);
    assert_string_equal(snRole_Name(roles[1]), "pelvis");
}

// Limbs with one name and numbers are told apart by where they hang.
static void numberedLimbs(void** state)
{
    (void)state;
    static const struct {
        const char *name, *part;
        int32_t parent;
    } JOINTS[] = {
        {"Skeleton_torso_joint_1", "pelvis", -1},
        {"Skeleton_torso_joint_2", "trunk", 0},
        {"torso_joint_3", "trunk", 1},
        {"Skeleton_neck_joint_1", "neck", 2},
        {"Skeleton_neck_joint_2", "head", 3},
        {"Skeleton_arm_joint_L__4_", "upper_arm_l", 2},
        {"Skeleton_arm_joint_L__3_", "forearm_l", 5},
        {"Skeleton_arm_joint_L__2_", "hand_l", 6},
        {"Skeleton_arm_joint_R", "upper_arm_r", 2},
        {"Skeleton_arm_joint_R__2_", "forearm_r", 8},
        {"Skeleton_arm_joint_R__3_", "hand_r", 9},
        {"leg_joint_L_1", "thigh_l", 0},
        {"leg_joint_L_2", "shin_l", 11},
        {"leg_joint_L_3", "foot_l", 12},
        {"leg_joint_L_5", "toes_l", 13},
        {"leg_joint_R_1", "thigh_r", 0},
        {"leg_joint_R_2", "shin_r", 15},
        {"leg_joint_R_3", "foot_r", 16},
    };
    enum { COUNT = sizeof JOINTS / sizeof *JOINTS };
    const char* names[COUNT];
    int32_t parents[COUNT], roles[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        names[i] = JOINTS[i].name;
        parents[i] = JOINTS[i].parent;
    }
    snRoles_Find(names, parents, COUNT, roles);
    for (int i = 0; i < COUNT; ++i) {
        assert_non_null(snRole_Name(roles[i]));
        assert_string_equal(snRole_Name(roles[i]), JOINTS[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(namesThatLeaveNoDoubt), cmocka_unit_test(helpersAreNothing),
        cmocka_unit_test(neighboursDecide),      cmocka_unit_test(theLowerOfTwoWins),
        cmocka_unit_test(legsTellThePelvis),     cmocka_unit_test(numberedLimbs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
