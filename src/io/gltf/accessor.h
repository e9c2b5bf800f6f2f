// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The numbers that accessors name: of every component type, normalised, with strides, sparse.
#ifndef SN_IO_GLTF_ACCESSOR_H
#define SN_IO_GLTF_ACCESSOR_H

#include "io/gltf/document.h"

// As floats, normalised where the accessor says so; all are finite and within SN_RIG_LARGEST. type:
// what is expected ("VEC3"), NULL = any. They live as long as the rig and are shared by all who
// ask.
snStatus snGltf_Floats(snGltf* gltf, const snJson* index, const char* type, snGltfNumbers* out);

// As whole numbers, of unsigned component types. They live as long as the document.
snStatus snGltf_Ints(snGltf* gltf, const snJson* index, const char* type, snGltfNumbers* out);

#endif
