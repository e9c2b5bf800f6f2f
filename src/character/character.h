// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SN_CHARACTER_CHARACTER_H
#define SN_CHARACTER_CHARACTER_H

#include "flesh/skin.h"
#include "skel/skeleton.h"
#include <sinew/character.h>

struct snCharacter {
    snHost host;
    atomic_int owners;
    char name[256];
    snSkeleton* skeleton; // as given

    // flesh; without it bodies are bones alone
    bool has_flesh;
    snArena arena; // of everything below
    snSurface surface;
    snFlesh flesh;
    const snSkin* skin;
    snFleshInfo info;
};

// What is stepped: the skeleton as given, or with the flesh's fixed masses merged.
const snSkeleton* snCharacter_Moving(const snCharacter* character);

#endif
