// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Three bars of different thickness in one and the same cage of cells, with the same foot, which is
// held, and the same heavy knob at their other end (after Kim & Pollard 2011, Fig. 8). Cells count
// as much as they hold: the thin one bends most. Were all cells taken for full, all three would
// bend alike.
#include "recipes.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define END 0.45   // m from the middle to where foot and knob are
#define LARGE 0.11 // m: radius of foot and knob

// The foot in a vice: a bone that is wide enough to hold all nodes of the cage's end.
static snStatus makeVice(const snHost* host, snSkeleton** skeleton, snMessage* why)
{
    snBoneDef bone;
    snBoneDef_Init(&bone);
    bone.name = "vice";
    bone.anchor.p = (snVec3){0, 0, 0.56};
    bone.tip = (snVec3){0, 0, -0.1};
    bone.radius = 0.32;
    bone.mass = snMass_Capsule((snVec3){0, 0, 0}, bone.tip, 0.1, 1000);
    return snSkeleton_Create(host, &bone, 1, skeleton, why);
}

static snStatus makeFill(const snHost* host, const char* name, double radius,
                         snCharacter** character, snMessage* why)
{
    enum { BOXES = 8 };
    const snLump lumps[] = {SN_CONE(0, 0, END, LARGE, 0, 0, 0.4, LARGE, 0),
                            SN_CONE(0, 0, -END, LARGE, 0, 0, -0.4, LARGE, 0),
                            SN_CONE(0, 0, END, radius, 0, 0, -END, radius, 0.02)};
    const snLumps body = {lumps, COUNT(lumps), {{-0.2, -0.2, -0.65}, {0.2, 0.2, 0.65}}, {0.025, 0}};
    const snRegionDef knob = {{0, 0, -END}, {0, 0, -END}, 0.12, {3000, 2e6, 0.4, 5}};
    snSection sections[BOXES + 1];
    snCage cage;
    snCharacterDef def;
    for (int i = 0; i <= BOXES; ++i) {
        sections[i] = (snSection){0.58 - 1.16 * i / BOXES, -0.125, 0.125, {0.125, 0.125, 0.125}, 1};
    }
    snCage_Make(sections, BOXES, &cage);
    snCharacterDef_Init(&def);
    def.name = name;
    def.node_count = cage.node_count;
    def.nodes = &cage.nodes->x;
    def.cell_count = cage.tet_count;
    def.tets = cage.tets;
    def.material.young = 2e6;
    def.material.damping = 5;
    def.regions = &knob;
    def.region_count = 1;
    return snRecipe_BuildLumps(host, &def, makeVice, &body, character, why);
}

snStatus snMakeThick(const snHost* host, snCharacter** character, snMessage* why)
{
    return makeFill(host, "fill_thick", 0.105, character, why);
}

snStatus snMakeMedium(const snHost* host, snCharacter** character, snMessage* why)
{
    return makeFill(host, "fill_medium", 0.08, character, why);
}

snStatus snMakeThin(const snHost* host, snCharacter** character, snMessage* why)
{
    return makeFill(host, "fill_thin", 0.055, character, why);
}
