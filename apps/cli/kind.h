// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What files are for, by their names.
#ifndef SINEW_APPS_CLI_KIND_H
#define SINEW_APPS_CLI_KIND_H

#include <sinew/io.h>
#include <stdbool.h>

// Bodies are made of these.
#define MESH_FILES ((uint32_t)sn_fileSurface | (uint32_t)sn_fileTets)

// Whether one of these, bits of snFileContent, is read from files of that name.
bool isFileOf(const char* path, uint32_t what);

// Whether its frames are points alone, so that it needs a mesh to be a surface.
bool isPointCache(const char* path);

// The extensions of such files: ".glb, .gltf or .vrm".
typedef char FileList[160];
const char* listFilesOf(uint32_t what, FileList list);

#endif
