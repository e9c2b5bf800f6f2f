// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SN_CHARACTER_CHARACTER_H
#define SN_CHARACTER_CHARACTER_H

#include "skel/skeleton.h"
#include <sinew/character.h>

struct snCharacter {
    snHost host;
    atomic_int owners;
    char name[256];
    snSkeleton* skeleton;
};

#endif
