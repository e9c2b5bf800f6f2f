// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The entries of snImporters, each in the file of the library that it stands on.
#ifndef SN_IMPORT_PARTS_H
#define SN_IMPORT_PARTS_H

#include "base/importers.h"

snStatus snAssimp_Import(const snHost* host, const char* kind, const uint8_t* bytes, size_t count,
                         uint8_t** answer, size_t* answer_count, snMessage* why);
snStatus snQhull_Delaunay(const snHost* host, const snVec3* point, int32_t count, int32_t** tet,
                          int32_t* tet_count, snMessage* why);
void snLapack_Svd(int block_count, const float* F, float* U, float* s, float* V);

#endif
