// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/kind.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define RIG (sn_fileRig | sn_fileFrames)
#define FACES "surfaces, a file per frame"
#define BINARY_FACES "surfaces, a binary file per frame"
#define PARAVIEW "cells with stress, for ParaView"

static const snFileKind KINDS[sn_kindCount] = {
    [sn_kindGlb] = {".glb", "GLB", RIG, RIG, "glTF 2.0 binary"},
    [sn_kindGltf] = {".gltf", "glTF", RIG, 0, ""},
    [sn_kindVrm] = {".vrm", "VRM", RIG, 0, ""},
    [sn_kindFbx] = {".fbx", "FBX", RIG, 0, ""},
    [sn_kindDae] = {".dae", "Collada", RIG, 0, ""},
    [sn_kindBvh] = {".bvh", "BVH", sn_fileMotion, 0, ""},
    [sn_kindPc2] = {".pc2", "PC2", sn_fileFrames, sn_fileFrames, "point cache of each surface"},
    [sn_kindMdd] = {".mdd", "MDD", sn_fileFrames, sn_fileFrames, "point cache with times"},
    [sn_kindObj] = {".obj", "OBJ", sn_fileSurface, sn_fileFrames, FACES},
    [sn_kindOff] = {".off", "OFF", sn_fileSurface, sn_fileFrames, FACES},
    [sn_kindPly] = {".ply", "PLY", sn_fileSurface, sn_fileFrames, BINARY_FACES},
    [sn_kindStl] = {".stl", "STL", sn_fileSurface, sn_fileFrames, BINARY_FACES},
    [sn_kindGmsh] = {".msh", "Gmsh", sn_fileTets, 0, ""},
    [sn_kindTetgen] = {".ele", "TetGen", sn_fileTets, 0, ""},
    [sn_kindTetgenNodes] = {".node", "TetGen", sn_fileTets, 0, ""},
    [sn_kindVeg] = {".veg", "Vega", sn_fileTets, 0, ""},
    [sn_kindMedit] = {".mesh", "Medit", sn_fileTets, 0, ""},
    [sn_kindJson] = {".json", "JSON", sn_fileScene | sn_fileControls, sn_fileControls, ""},
    [sn_kindBody] = {".body", "saved body", sn_fileBody, sn_fileBody, ""},
    [sn_kindCharacter] = {".character", "saved character", sn_fileCharacter, sn_fileCharacter, ""},
    [sn_kindPvd] = {".pvd", "ParaView", 0, sn_fileFrames, PARAVIEW},
    [sn_kindVtu] = {".vtu", "VTK", 0, sn_fileFrames, PARAVIEW},
    [sn_kindCsv] = {".csv", "CSV", 0, sn_fileFrames, "energies, momenta and efforts as a table"},
};

const char* snKind_Extension(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot : path + strlen(path);
}

static bool isSame(const char* text, const char* small)
{
    while (*text && (*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text) == *small) {
        ++text;
        ++small;
    }
    return *text == *small;
}

snKindNumber snKind_OfPath(const char* path)
{
    const char* extension = snKind_Extension(path);
    bool named = extension > path && extension[-1] != '/';
    for (int i = 0; named && i < sn_kindCount; ++i) {
        if (isSame(extension, KINDS[i].extension)) {
            return (snKindNumber)i;
        }
    }
    return sn_kindNone;
}

const snFileKind* snFileKind_OfPath(const char* path)
{
    return path ? snFileKind_At(snKind_OfPath(path)) : NULL;
}

const snFileKind* snFileKind_At(int32_t number)
{
    return number >= 0 && number < sn_kindCount ? &KINDS[number] : NULL;
}

const char* snFileKind_List(uint32_t reads, uint32_t writes, char* text, size_t size)
{
    const char* known[sn_kindCount];
    int count = 0;
    size_t used = 0;
    if (!text || size == 0) {
        return "";
    }
    for (int i = 0; i < sn_kindCount; ++i) {
        if ((KINDS[i].reads & reads) || (KINDS[i].writes & writes)) {
            known[count++] = KINDS[i].extension;
        }
    }
    text[0] = 0;
    for (int i = 0; i < count && used < size; ++i) {
        const char* before = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, known[i]);
    }
    return text;
}
