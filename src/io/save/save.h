// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rigs, bodies and characters in archives. A rig is there as far as it is needed to play it: no
// document, no colours, no attributes, no remarks.
#ifndef SN_IO_SAVE_SAVE_H
#define SN_IO_SAVE_SAVE_H

#include "character/body.h"
#include "character/character.h"
#include "io/save/archive.h"

#define SN_SAVE_KIND "saved" // snRigInfo.kind of a rig that was read from an archive

// Everything in it is sound when it was read without failure. Written: `rig` is a copy.
void snSave_Rig(snArchive* a, snRig* rig);

// The same; body->rig is there already.
void snSave_Body(snArchive* a, snRigBody* body);

// Nodes and tets; indices and numbers are sound when they were read.
void snSave_Tets(snArchive* a, snTets* tets);

// A character as snCharacter_Assemble takes it. Read: the skeleton of the def is a new one, for
// whose release the caller cares; arrays are where the archive has them.
typedef struct snSavedCharacter {
    snCharacterDef def;
    snFlesh mesh; // what snMesh_Build fills, and the step; without nodes: bones alone
    double advised;
} snSavedCharacter;

void snSave_Character(snArchive* a, snSavedCharacter* saved);

#endif
