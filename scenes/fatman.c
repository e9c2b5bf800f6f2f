// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Fatman: a chubby man, 1.8 m tall, arms out to the sides, with as many surface vertices and cells
// as Kim & Pollard's (2011, Table IV), around the bones of snMakeHumanoid; and what he dances.
#include "recipes.h"

#include "math/quat.h"
#include <stdio.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define DEGREE 0.017453292519943295

// Body ------------------------------------------------------------------------

static const snLump FATMAN[] = {
    // trunk: hips, belly, ribs, chest, sides, breast, bottom, navel
    SN_OVAL(0, 0.97, -0.01, 0.18, 0.14, 0.14, 0),
    SN_OVAL(0, 1.11, 0.065, 0.21, 0.18, 0.205, 0.06),
    SN_OVAL(0, 1.25, 0.01, 0.19, 0.16, 0.14, 0.05),
    SN_OVAL(0, 1.37, -0.005, 0.18, 0.14, 0.125, 0.06),
    SN_OVAL(0.12, 1.09, -0.02, 0.10, 0.11, 0.12, 0.09),
    SN_OVAL(0.085, 1.35, 0.085, 0.085, 0.06, 0.05, 0.04),
    SN_OVAL(0.085, 0.92, -0.08, 0.10, 0.105, 0.09, 0.04),
    SN_CARVED(0, 1.10, 0.285, 0.018, 0, 1.10, 0.27, 0.012, 0.02),
    // shoulder and neck
    SN_CONE(0.08, 1.44, -0.01, 0.08, 0.19, 1.47, 0, 0.078, 0.06),
    SN_CONE(0.02, 1.56, -0.02, 0.055, 0.14, 1.50, -0.01, 0.055, 0.04),
    SN_CONE(0, 1.45, -0.01, 0.095, 0, 1.62, 0, 0.075, 0.05),
    // head: skull, jaw, double chin, cheek, brow, eye, nose, mouth, ear
    SN_OVAL(0, 1.69, 0, 0.10, 0.112, 0.115, 0.02),
    SN_OVAL(0, 1.62, 0.03, 0.098, 0.07, 0.085, 0.04),
    SN_OVAL(0, 1.562, 0.03, 0.085, 0.035, 0.065, 0.015),
    SN_OVAL(0.052, 1.635, 0.068, 0.036, 0.034, 0.036, 0.02),
    SN_CONE(0.022, 1.716, 0.106, 0.010, 0.056, 1.718, 0.088, 0.010, 0.012),
    SN_OVAL(0.037, 1.69, 0.096, 0.018, 0.017, 0.018, 0.004),
    SN_CONE(0, 1.69, 0.108, 0.014, 0, 1.656, 0.13, 0.024, 0.01),
    SN_CARVED(0, 1.60, 0.118, 0.009, 0.04, 1.614, 0.106, 0.007, 0.008),
    SN_OVAL(0.105, 1.665, -0.005, 0.015, 0.036, 0.025, 0.008),
    // arm: upper, fore, palm
    SN_CONE(0.19, 1.47, 0, 0.078, 0.45, 1.48, 0, 0.062, 0.04),
    SN_CONE(0.45, 1.48, 0, 0.062, 0.70, 1.48, 0, 0.038, 0),
    SN_OVAL(0.765, 1.478, 0, 0.072, 0.026, 0.055, 0.03),
    // thumb and fingers: index, and two that move together
    SN_CONE(0.735, 1.477, 0.03, 0.02, 0.79, 1.475, 0.08, 0.0145, 0.015),
    SN_CONE(0.81, 1.48, 0.035, 0.0155, 0.893, 1.48, 0.048, 0.0125, 0.008),
    SN_CONE(0.81, 1.48, 0, 0.016, 0.905, 1.48, 0.002, 0.0125, 0.008),
    SN_CONE(0.80, 1.48, -0.034, 0.015, 0.88, 1.48, -0.046, 0.012, 0.008),
    // leg: thigh, shin, calf
    SN_CONE(0.118, 0.87, 0, 0.105, 0.118, 0.53, 0, 0.086, 0.06),
    SN_CONE(0.118, 0.53, 0, 0.086, 0.107, 0.12, -0.005, 0.05, 0),
    SN_OVAL(0.115, 0.36, -0.03, 0.062, 0.13, 0.06, 0.03),
    // foot: heel, middle, toes
    SN_OVAL(0.107, 0.048, -0.025, 0.046, 0.048, 0.05, 0.02),
    SN_CONE(0.107, 0.065, 0.01, 0.055, 0.118, 0.038, 0.14, 0.038, 0.02),
    SN_OVAL(0.088, 0.028, 0.185, 0.024, 0.026, 0.034, 0.008),
    SN_OVAL(0.125, 0.024, 0.18, 0.02, 0.022, 0.03, 0.008),
    SN_OVAL(0.154, 0.022, 0.158, 0.017, 0.02, 0.026, 0.008),
};

// Head, hands and feet are firm, the belly is loose. kg/m^3, Pa, Poisson's ratio, 1/s
#define FIRM                 \
    {                        \
        1000, 150e3, 0.4, 12 \
    }
#define LOOSE              \
    {                      \
        1000, 12e3, 0.4, 4 \
    }

static const snRegionDef REGIONS[] = {
    {{0, 1.10, 0.10}, {0, 1.10, 0.10}, 0.19, LOOSE},
    {{0, 1.60, 0}, {0, 1.70, 0}, 0.15, FIRM},
    {{0.73, 1.48, 0}, {0.90, 1.48, 0}, 0.09, FIRM},
    {{-0.73, 1.48, 0}, {-0.90, 1.48, 0}, 0.09, FIRM},
    {{0.11, 0.05, 0}, {0.12, 0.04, 0.18}, 0.08, FIRM},
    {{-0.11, 0.05, 0}, {-0.12, 0.04, 0.18}, 0.08, FIRM},
};

snStatus snMakeFatman(const snHost* host, snCharacter** character, snMessage* why)
{
    static const snLumps BODY = {
        FATMAN, COUNT(FATMAN), {{-0.95, -0.05, -0.3}, {0.95, 1.85, 0.35}}, {0.0091, 0}};
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "fatman";
    def.cells = 8619;
    def.regions = REGIONS;
    def.region_count = COUNT(REGIONS);
    return snRecipe_BuildLumps(host, &def, snMakeHumanoid, &BODY, character, why);
}

// Dance -----------------------------------------------------------------------

#define BAR 8              // keys of a bar
#define KEYS (1 + 2 * BAR) // the zero pose, then two bars
#define FIRST 0.5          // s to the first key of a bar
#define BEAT 0.25          // s from key to key: bars end at 4.25 s

// What a joint does in a bar, in degrees: angles, or the rotation vector of a ball joint. Of a bone
// on the left (_l) there is one on the right too, which does the same in the mirror half a bar
// later.
typedef struct Move {
    const char* bone;
    double keys[BAR][3];
} Move;

// He steps from one foot to the other, bends his knees on every beat, twists and pumps his arms.
static const Move MOVES[] = {
    {"spine",
     {{0, 12, 4}, {0, 16, 8}, {0, 8, 4}, {0}, {0, -12, -4}, {0, -16, -8}, {0, -8, -4}, {0}}},
    {"chest", {{4, 8, 0}, {0, 12, 4}, {4, 6, 0}, {0}, {4, -8, 0}, {0, -12, -4}, {4, -6, 0}, {0}}},
    {"neck", {{4, -12, 0}, {0, -18, -8}, {4, -8, 0}, {0}, {4, 12, 0}, {0, 18, 8}, {4, 8, 0}, {0}}},
    {"head", {{8}, {-4}, {8}, {-4}, {8}, {-4}, {8}, {-4}}},
    {"collar_l", {{0}, {5}, {0}, {10}, {15}, {18}, {12}, {5}}},
    {"upper_arm_l",
     {{0, -20, -55},
      {0, -35, -45},
      {0, -20, -55},
      {0, -10, -25},
      {0, 0, 5},
      {0, 5, 25},
      {0, 0, 5},
      {0, -10, -30}}},
    {"forearm_l", {{60}, {85}, {60}, {50}, {50}, {75}, {50}, {55}}},
    {"hand_l", {{15}, {-15}, {15}, {0}, {20}, {-20}, {20}, {0}}},
    {"thumb_l", {{-10}, {-20}, {-10}, {0}, {0}, {0}, {0}, {0}}},
    {"index1_l", {{15}, {40}, {15}, {5}, {0}, {0}, {0}, {5}}},
    {"index2_l", {{15}, {40}, {15}, {5}, {0}, {0}, {0}, {5}}},
    {"fingers1_l", {{20}, {50}, {20}, {5}, {0}, {0}, {0}, {5}}},
    {"fingers2_l", {{20}, {50}, {20}, {5}, {0}, {0}, {0}, {5}}},
    {"thigh_l", {{-20}, {-50}, {-20}, {0}, {-20}, {0}, {-20}, {0}}},
    {"shin_l", {{35}, {70}, {35}, {2}, {35}, {2}, {35}, {2}}},
    {"foot_l", {{-15}, {0}, {-15}, {-2}, {-15}, {-2}, {-15}, {-2}}},
    {"toes_l", {{0}, {10}, {0}, {0}, {0}, {0}, {0}, {0}}},
};

// The pelvis: how far to the left and up, m, and the rotation vector, degrees.
static const double HIPS[BAR][5] = {
    {-0.01, -0.04, 0, 4, 0}, {-0.03, 0, 0, 6, -4}, {-0.01, -0.04, 0, 3, 0}, {0, 0, 0, 0, 0},
    {0.01, -0.04, 0, -4, 0}, {0.03, 0, 0, -6, 4},  {0.01, -0.04, 0, -3, 0}, {0, 0, 0, 0, 0}};

static snQuat turnBy(const double* degrees)
{
    return snQExp(snScale(DEGREE, snV3(degrees[0], degrees[1], degrees[2])));
}

static snStatus drive(snScene* scene, int32_t who, int32_t bone, const double* keys, snMessage* why)
{
    double times[KEYS] = {0};
    snDriveDef def;
    snDriveDef_Init(&def);
    for (int k = 1; k < KEYS; ++k) {
        times[k] = FIRST + BEAT * (k - 1);
    }
    def.kind = sn_driveTrajectory;
    def.bone = bone;
    def.key_count = KEYS;
    def.times = times;
    def.keys = keys;
    return snScene_SetDrive(scene, who, &def, why);
}

static snStatus driveMove(snScene* scene, int32_t who, const Move* move, bool right, snMessage* why)
{
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    char name[24];
    snprintf(name, sizeof name, "%s", move->bone);
    if (right) {
        name[strlen(name) - 1] = 'r';
    }
    int32_t bone = snSkeleton_FindBone(skeleton, name);
    int32_t joint = snSkeleton_Bone(skeleton, bone)->joint;
    int width = joint == sn_jointBall ? 4 : joint == sn_jointUniversal ? 2 : 1;
    double keys[4 * KEYS] = {0};
    for (int k = 0; k < KEYS; ++k) {
        const double* key = move->keys[(k + BAR - 1 + (right ? BAR / 2 : 0)) % BAR];
        double side = right ? -1 : 1, turn[3] = {key[0], side * key[1], side * key[2]};
        double* at = keys + (size_t)(width * k);
        if (width == 4) {
            snQuat q = k > 0 ? turnBy(turn) : snQIdentity();
            at[0] = q.x, at[1] = q.y, at[2] = q.z, at[3] = q.w;
        } else if (k > 0) {
            at[0] = key[0] * DEGREE;
            at[width - 1] = key[width - 1] * DEGREE;
        }
    }
    return drive(scene, who, bone, keys, why);
}

snStatus snDanceFatman(snScene* scene, int32_t who, snMessage* why)
{
    double keys[7 * KEYS];
    for (int k = 0; k < KEYS; ++k) {
        const double* key = HIPS[(k + BAR - 1) % BAR];
        snQuat q = k > 0 ? turnBy(key + 2) : snQIdentity();
        const double at[7] = {k ? key[0] : 0, k ? key[1] : 0, 0, q.x, q.y, q.z, q.w};
        memcpy(keys + (size_t)(7 * k), at, sizeof at);
    }
    snStatus status = drive(scene, who, 0, keys, why);
    for (int i = 0; i < COUNT(MOVES) && !status; ++i) {
        const char* bone = MOVES[i].bone;
        bool left = strcmp(bone + strlen(bone) - 2, "_l") == 0;
        status = driveMove(scene, who, &MOVES[i], false, why);
        status = status || !left ? status : driveMove(scene, who, &MOVES[i], true, why);
    }
    return status;
}
