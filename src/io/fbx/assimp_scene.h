// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// From what Assimp read to a document. Nothing that it gives is believed: indices, counts and
// numbers are looked at before they are used.
#ifndef SN_IO_FBX_ASSIMP_SCENE_H
#define SN_IO_FBX_ASSIMP_SCENE_H

#include "io/fbx/facts.h"
#include "io/gltf/rig_document.h"

#ifdef SN_HAVE_ASSIMP
#include <assimp/scene.h>

typedef struct snAssimp {
    snRig* rig; // for remarks
    snArena* arena;
    const struct aiScene* scene;
    const snFbxFacts* fbx; // NULL: the file is no FBX
    snRigDocument document;
    size_t node_room, skin_room, mesh_room;
    int32_t scene_count;         // nodes of the scene; they come first in the document
    const struct aiNode** nodes; // these; (scene_count)
    uint64_t* name_key;          // hashes of their names, in rising order; (scene_count)
    int32_t* name_node;          // whose; (scene_count)
    bool* is_moved;              // a node that only shows skinned meshes; (scene_count)
    bool* is_joint;              // (scene_count)
    int32_t* place;              // in the skin that is being made; -1 = not there; (scene_count)
    int32_t* helper; // node that undoes the scale of a node's parent; -1 = none; (scene_count)
    uint64_t left;   // numbers of vertices that may still be taken
    snMessage* why;
} snAssimp;

// Numbers of all vertices
#define SN_ASSIMP_MOST ((uint64_t)1 << 28)

// Number of the node of that name; -1 = none
int32_t snAssimp_FindNode(const snAssimp* a, const char* name);

// Appends a node; -1 when memory runs out.
int32_t snAssimp_AddNode(snAssimp* a, const char* name, int32_t parent);

// The list with room for one more than it has; NULL when memory runs out.
void* snAssimp_Grow(snAssimp* a, void* list, size_t* room, int32_t count, size_t size);

bool snAssimp_Matrix(const struct aiMatrix4x4* m, snMatrix* out);
const char* snAssimp_Text(const snAssimp* a, const struct aiString* text);
snStatus snAssimp_FailMemory(const snAssimp* a);

// Parts, one a file: materials, meshes and skins, then clips
snStatus snAssimp_ReadMaterials(snAssimp* a);
snStatus snAssimp_ReadMeshes(snAssimp* a);
snStatus snAssimp_ReadClips(snAssimp* a);

// Nodes whose own scale is not 1, at rest or in a clip. scaled: (scene_count)
void snAssimp_FindScaled(const snAssimp* a, bool* scaled);
#endif

#endif
