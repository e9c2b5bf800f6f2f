// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that are added to a glTF document: bytes for the end of its buffer, and the buffer views
// and accessors that name them.
#ifndef SN_IO_GLTF_STORE_H
#define SN_IO_GLTF_STORE_H

#include "base/json.h"

// Each kind has one buffer view of its own.
typedef enum snGltfSection {
    sn_gltfVectors,  // of vertices
    sn_gltfIndices,  // of sparse accessors
    sn_gltfElements, // of sparse accessors
    sn_gltfTracks,   // times and values of channels
    sn_gltfJoints,   // places in skins, four a vertex
    sn_gltfWeights,  // likewise their weights
    sn_gltfMatrices, // of skins
    sn_gltfSectionCount,
} snGltfSection;

typedef struct snGltfStore {
    snHost host;
    snArena* arena;
    size_t accessor_count, view_count; // those that were there included
    size_t view_first;                 // the first one added
    snJsonWriter accessors;            // an array that is not closed yet
    struct {
        uint8_t* bytes;
        size_t count, room;
        size_t view;
    } sections[sn_gltfSectionCount];
    struct snGltfKnown* known; // accessors that can be shared
    bool failed;               // memory ran out
} snGltfStore;

void snGltfStore_Init(snGltfStore* store, snArena* arena, size_t accessors, size_t views);
void snGltfStore_Free(snGltfStore* store);

// Each of these gives the number of an accessor, of floats but for joints.

// Zeros, which take no bytes. type: "VEC3". Those of one size are shared.
size_t snGltfStore_Zeros(snGltfStore* store, const char* type, size_t count);

// Differences xyz of vertices, which are finite: sparse where that takes fewer bytes.
size_t snGltfStore_Deltas(snGltfStore* store, const float* deltas, size_t count);

// Times of keys; the same ones are shared.
size_t snGltfStore_Times(snGltfStore* store, const float* times, size_t count);

// Values of keys, `width` numbers each of `count` elements. type: "SCALAR" with width 1
size_t snGltfStore_Values(snGltfStore* store, const char* type, size_t width, const float* values,
                          size_t count);

// Joints and weights of vertices, four each. count: vertices
size_t snGltfStore_Joints(snGltfStore* store, const uint16_t* joints, size_t count);
size_t snGltfStore_Weights(snGltfStore* store, const float* weights, size_t count);

// Matrices of joints. count: of them, 16 numbers each
size_t snGltfStore_Matrices(snGltfStore* store, const float* matrices, size_t count);

// At the end: texts of what is added to the document's lists, with commas between elements, and
// the bytes that belong at `offset` of its first buffer, a multiple of 4. False when memory ran
// out.
typedef struct snGltfAdded {
    const char *accessors, *views;
    const uint8_t* bytes;
    size_t size; // a multiple of 4
} snGltfAdded;
bool snGltfStore_Finish(snGltfStore* store, size_t offset, snGltfAdded* out);

#endif
