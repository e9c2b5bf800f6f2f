// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rigs of formats that Assimp reads: FBX and Collada.
#ifndef SN_IO_FBX_ASSIMP_FILE_H
#define SN_IO_FBX_ASSIMP_FILE_H

#include "rig/rig.h"

// What the content is: "fbx", "dae"; NULL = neither.
const char* snAssimp_Kind(const uint8_t* bytes, size_t count);

// Makes a glTF document of rig->source.bytes, and puts it in their place. generator: the program
// that wrote the file; lives as long as the rig.
snStatus snAssimp_Convert(snRig* rig, const char* kind, const char** generator, snMessage* why);

#endif
