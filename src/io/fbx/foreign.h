// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rigs of formats that the host's importers turn into glTF: FBX and Collada.
#ifndef SN_IO_FBX_FOREIGN_H
#define SN_IO_FBX_FOREIGN_H

#include "rig/rig.h"

// What the content is: "fbx", "dae"; NULL = neither.
const char* snForeign_Kind(const uint8_t* bytes, size_t count);

// What begins every binary FBX file
#define SN_FBX_HEAD_BYTES 27

// FBX in its binary form
bool snForeign_IsBinaryFbx(const uint8_t* bytes, size_t count);

// What follows a text in the head of a file; NULL = it is not there
const char* snForeign_FindText(const uint8_t* bytes, size_t count, const char* text);

// Makes a glTF document of rig->source.bytes, and puts it in their place. generator: the program
// that wrote the file; lives as long as the rig.
snStatus snForeign_Convert(snRig* rig, const char* kind, const char** generator, snMessage* why);

#endif
