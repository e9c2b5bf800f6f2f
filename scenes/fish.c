// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The fish: 1 m long, head at +z, with as many surface vertices and cells as Kim & Pollard's
// (2011, Table IV). Its bones run along the middle of the body into the tail fin.
#include "recipes.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define FIN 0.014  // m: half of a fin's thickness
#define FIRM 1.2e5 // Pa

// normals of fins that stand up, and of pectoral fins, which droop by 20 degrees
#define UP SN_NORMAL(1, 0, 0)
#define OUT SN_NORMAL(0.3420201433256687, 0.9396926207859084, 0)

static const snLump FISH[] = {
    // trunk, head and tail, higher than wide
    SN_OVAL(0, 0, 0.13, 0.085, 0.15, 0.31, 0),
    SN_OVAL(0, -0.01, 0.33, 0.07, 0.095, 0.165, 0.06),
    SN_OVAL(0, 0.005, -0.14, 0.05, 0.075, 0.25, 0.08),
    // tail fin: two lobes
    SN_PLATE(0, 0.01, -0.31, 0.05, 0, 0.125, -0.43, 0.07, 0.03, FIN, UP),
    SN_PLATE(0, -0.01, -0.31, 0.05, 0, -0.115, -0.43, 0.07, 0.03, FIN, UP),
    // dorsal fin, the one below, pectoral fins
    SN_PLATE(0, 0.10, 0.18, 0.07, 0, 0.165, -0.01, 0.055, 0.03, FIN, UP),
    SN_PLATE(0, -0.06, -0.07, 0.06, 0, -0.12, -0.15, 0.04, 0.03, FIN, UP),
    SN_PLATE(0.06, -0.05, 0.19, 0.04, 0.12, -0.0718, 0.09, 0.045, 0.03, FIN, OUT),
    // eyes
    SN_OVAL(0.064, 0.035, 0.375, 0.025, 0.027, 0.027, 0.006),
};

// The cage is wide where the pectoral fins are; its middle nodes lie on the bones.
static const snSection SECTIONS[] = {
    {0.525, -0.05, 0.04, {0, 0, 0}, 1},
    {0.39, -0.13, 0.12, {0.08, 0.11, 0.085}, 0.75},
    {0.28, -0.16, 0.15, {0.085, 0.12, 0.08}, 0.7},
    {0.17, -0.175, 0.20, {0.15, 0.17, 0.085}, 0.66},
    {0.04, -0.175, 0.245, {0.165, 0.18, 0.075}, 0.62},
    {-0.09, -0.17, 0.235, {0.05, 0.09, 0.055}, 0.6},
    {-0.20, -0.195, 0.11, {0.035, 0.065, 0.045}, 0.72},
    {-0.30, -0.085, 0.09, {0.035, 0.045, 0.035}, 0.8},
    {-0.39, -0.18, 0.185, {0.026, 0.03, 0.026}, 0.95},
    {-0.51, -0.20, 0.215, {0.026, 0.026, 0.026}, 0.95},
};

static snStatus makeFish(const snHost* host, const char* name, double young,
                         snCharacter** character, snMessage* why)
{
    static const snLumps BODY = {
        FISH, COUNT(FISH), {{-0.25, -0.25, -0.55}, {0.25, 0.3, 0.55}}, {0, 958}};
    snCage cage;
    snCharacterDef def;
    snCage_Make(SECTIONS, COUNT(SECTIONS) - 1, &cage);
    snCharacterDef_Init(&def);
    def.name = name;
    def.material.young = young > 0 ? young : def.material.young;
    def.node_count = cage.node_count;
    def.nodes = &cage.nodes->x;
    def.cell_count = cage.tet_count;
    def.tets = cage.tets;
    return snRecipe_BuildLumps(host, &def, snMakeFish, &BODY, character, why);
}

snStatus snMakeFishBody(const snHost* host, snCharacter** character, snMessage* why)
{
    return makeFish(host, "fish", 0, character, why);
}

// Muscle that works is firm: jelly would let the bones run ahead and stay behind.
snStatus snMakeFirmFish(const snHost* host, snCharacter** character, snMessage* why)
{
    return makeFish(host, "fish_firm", FIRM, character, why);
}
