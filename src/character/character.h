// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SN_CHARACTER_CHARACTER_H
#define SN_CHARACTER_CHARACTER_H

#include "base/owners.h"
#include "flesh/skin.h"
#include "skel/skeleton.h"
#include <sinew/character.h>

SN_BEGIN_C

struct snCharacter {
    snHost host;
    snOwners owners;
    char name[256];
    snSkeleton* skeleton; // as given

    // flesh; without it bodies are bones alone
    bool has_flesh;
    snArena arena;      // of everything below
    snCharacterDef def; // what it was built from: name, skeleton, numbers and regions
    snSurface surface;
    snFlesh flesh;
    const snSkin* skin;
    snFleshInfo info;
};

// Are counts, numbers and indices of a def in their ranges?
snStatus snCharacterDef_Check(const snCharacterDef* def, snMessage* why);

// What is stepped: the skeleton as given, or with the flesh's fixed masses merged.
const snSkeleton* snCharacter_Moving(const snCharacter* character);

// snCharacter_Build with a mesh from before, of which everything that snMesh_Build fills, and the
// step, are copied; `advised` is its snFleshInfo.young_advised. What the def says of cells does not
// count.
snStatus snCharacter_Assemble(const snHost* host, const snCharacterDef* def, const snFlesh* mesh,
                              double advised, snCharacter** character, snMessage* why);

SN_END_C

#endif
