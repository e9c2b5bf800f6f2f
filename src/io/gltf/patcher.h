// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the parts of the patching of a glTF document share.
#ifndef SN_IO_GLTF_PATCHER_H
#define SN_IO_GLTF_PATCHER_H

#include "io/gltf/document.h"
#include "io/gltf/edit.h"
#include "io/gltf/patch.h"
#include "io/gltf/store.h"

// Lists of what was changed, as the head of patch.h says
typedef enum snGltfNote {
    sn_noteTargets,
    sn_noteNodes,
    sn_noteLists,
    sn_noteSamplers,
    sn_noteFilled,
    sn_noteJoints,
    sn_noteChildren,
    sn_noteSkins,
    sn_noteInfluences,
    sn_noteImages,
    sn_noteCount,
} snGltfNote;

typedef struct snGltfPatcher {
    const snGltfPatch* patch;
    const snRig* rig;
    snArena arena;
    const char* text; // the document
    size_t length;
    const snJson* root;
    snGltfList nodes, meshes, accessors, views, animations;
    snGltfEdits edits;
    snGltfStore store;
    snJsonWriter notes[sn_noteCount]; // arrays that are not closed yet
    snMessage* why;
} snGltfPatcher;

// Appends an array of whole numbers to notes, with a string at its end unless that is NULL.
void snGltfPatcher_Note(snGltfPatcher* patcher, snGltfNote note, const size_t* numbers,
                        size_t count, const char* text);

// Of what was not there: -1 in notes
#define SN_GLTF_NONE SIZE_MAX

// Begins an array in a writer, and ends it: what stood between its brackets. The arena fails when
// the writer did.
void snGltfPatcher_Begin(const snGltfPatcher* patcher, snJsonWriter* writer);
const char* snGltfPatcher_End(snGltfPatcher* patcher, snJsonWriter* writer);

// Appends elements to a list of the document, which may not be there.
void snGltfPatcher_Extend(snGltfPatcher* patcher, const char* list, const char* elements);

// Parts of the patch, one a file, in this order:
snStatus snGltfPatch_Check(const snGltfPatch* patch, snMessage* why);
snStatus snGltfPatcher_Meshes(snGltfPatcher* patcher);
snStatus snGltfPatcher_Joints(snGltfPatcher* patcher);
snStatus snGltfPatcher_Clips(snGltfPatcher* patcher);

// What is wrong with helper joints that a caller gives
snStatus snGltfJoints_Check(const snGltfPatch* patch, snMessage* why);

#endif
