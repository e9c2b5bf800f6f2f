// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What libsinew_import does for the library, which itself needs the C library alone: each entry is
// NULL where that library was built without what it stands on. snImport_Register fills
// snHost.importers.
#ifndef SN_BASE_IMPORTERS_H
#define SN_BASE_IMPORTERS_H

#include "base/language.h"
#include "sinew/base.h"

SN_BEGIN_C

struct snImporters {
    uint32_t version; // snVersion() of what it was built with

    // A glTF document of a file of that kind ("fbx", "dae"), by Assimp. The answer begins with a
    // uint64_t, the bytes of a text that follows: the program that wrote the file, then remarks, a
    // 0 after each; the rest is the document. Release *answer_count + 1 bytes.
    snStatus (*rig)(const snHost* host, const char* kind, const uint8_t* bytes, size_t count,
                    uint8_t** answer, size_t* answer_count, snMessage* why);

    // Delaunay tets of at least four finite points, in any orientation, flat ones too, by Qhull.
    // Release 16 bytes for each.
    snStatus (*delaunay)(const snHost* host, const snVec3* point, int32_t count, int32_t** tet,
                         int32_t* tet_count, snMessage* why);

    // Singular values by LAPACK, in the layout of snSvdBatch
    void (*svd)(int block_count, const float* F, float* U, float* s, float* V);
};

// Fails with sn_errorUnsupported: `what` needs `maker`, and how to get it. instead: what else the
// caller can do, "" = nothing.
snStatus snImporters_Fail(const snHost* host, const char* what, const char* maker,
                          const char* package, const char* instead, snMessage* why);

SN_END_C

#endif
