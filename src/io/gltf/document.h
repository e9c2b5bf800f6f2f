// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A glTF document as its readers see it: the tree of its text, its lists, its buffers. Places in it
// are named in messages as JavaScript would: accessors[12], meshes[0].primitives[1].
#ifndef SN_IO_GLTF_DOCUMENT_H
#define SN_IO_GLTF_DOCUMENT_H

#include "base/json.h"
#include "rig/rig.h"

// Numbers that accessors may give beyond what is in the file as 32-bit floats already: this many,
// and SN_GLTF_TIMES the file's bytes. A short document can name the same bytes again and again, and
// sparse accessors need none.
#define SN_GLTF_NUMBERS (1 << 20)
#define SN_GLTF_TIMES 64

// No file may be larger: GLB files end there.
#define SN_GLTF_MOST_BYTES ((uint64_t)4 << 30)

// What to do about a document that is wrong
#define SN_GLTF_AGAIN "; export the file again"

// Elements of an array in the document
typedef struct snGltfList {
    const snJson** items;
    size_t count;
} snGltfList;

// Numbers of an accessor, `width` for each of `count` elements, one of both kinds
typedef struct snGltfNumbers {
    size_t count, width;
    const float* floats;
    const uint32_t* ints;
} snGltfNumbers;

typedef struct snGltf {
    snRig* rig;    // that is being filled; what stays goes into its arena
    snArena arena; // the document's tree and what only reading needs
    const snJson* root;
    snGltfList accessors, views, nodes, meshes, skins, materials;
    snGltfNumbers* known; // accessors that were looked at; (accessors.count)
    int32_t* place;       // of the document's nodes in the rig; (nodes.count)
    uint64_t left;        // numbers that may still be taken
    snMessage* why;       // for errors
} snGltf;

// Finds the chunks of rig->source.bytes, reads the document and its buffers. folder: where files
// are that it names, NULL = it may name none. Free afterwards, also when it failed.
snStatus snGltf_Open(snGltf* gltf, snRig* rig, const char* folder, snMessage* why);
void snGltf_Close(snGltf* gltf);

// Takes from what may be taken. An error when that is not enough.
snStatus snGltf_Spend(snGltf* gltf, uint64_t numbers);

snStatus snGltf_FailMemory(const snGltf* gltf);

// Empty when it is no array, or memory runs out
snGltfList snGltfList_Of(snArena* arena, const snJson* array);

// A whole number in 0..limit-1; otherwise -1
int64_t snGltf_Index(const snJson* json, uint64_t limit);

// The same of a member; `absent` when there is none
int64_t snGltf_Member(const snJson* object, const char* key, uint64_t limit, int64_t absent);

bool snGltf_IsText(const snJson* json, const char* text);

// A copy that lives as long as the rig, of a name; "" when there is none
const char* snGltf_Name(const snGltf* gltf, const snJson* object, const char* key);

// Exactly so many numbers of an array; true and unchanged when there is none
bool snGltf_Numbers(const snJson* array, size_t count, double* out);

// Parts of the reader, one a file; each fills its part of the rig. In this order:
snStatus snGltf_ReadNodes(snGltf* gltf);
snStatus snGltf_ReadSkins(snGltf* gltf);
snStatus snGltf_ReadMeshes(snGltf* gltf);
snStatus snGltf_ReadClips(snGltf* gltf);

// A primitive of a mesh; *skipped when it has no triangles by its kind. where: its place, for
// messages.
snStatus snGltf_ReadShape(snGltf* gltf, const snJson* primitive, const char* where,
                          snRigShape* shape, bool* skipped);

// Joints and weights of a shape whose vertices are known
snStatus snGltf_ReadInfluences(snGltf* gltf, const snJson* attributes, const char* where,
                               snRigShape* shape);

#endif
