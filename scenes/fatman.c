// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Fatman: a chubby man, 1.8 m tall, arms out to the sides, with as many surface vertices and cells
// as Kim & Pollard's (2011, Table IV), around the bones of snMakeHumanoid.
#include "recipes.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

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

snStatus snMakeFatman(const snHost* host, snCharacter** character, snMessage* why)
{
    static const snLumps BODY = {
        FATMAN, COUNT(FATMAN), {{-0.95, -0.05, -0.3}, {0.95, 1.85, 0.35}}, {0.0091, 0}};
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "fatman";
    def.cells = 8619;
    return snRecipe_BuildLumps(host, &def, snMakeHumanoid, &BODY, character, why);
}
