// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The point caches of a bake, and the script that makes Blender play them.
#ifndef SN_BAKE_SCRIPT_H
#define SN_BAKE_SCRIPT_H

#include "bake/baker.h"

// What Blender makes of a node with a mesh
typedef struct snCacheObject {
    int32_t first;           // of its instances
    const char *name, *mesh; // of the node or the artist's object; of its mesh
    bool has_flesh;
    bool is_in_world; // not in the space of its node
    int32_t points;
    int32_t *instance, *vertex; // that show each; (points)
} snCacheObject;

typedef struct snCacheFile {
    const snBakeClip* clip;
    int32_t object;
    const char* path;
} snCacheFile;

typedef struct snCacheList {
    int32_t object_count;
    snCacheObject* objects;
    int32_t file_count;
    snCacheFile* files;
} snCacheList;

// Writes hero_apply_in_blender.py beside hero.pc2.
snStatus snBaker_WriteScript(snBaker* b, const snCacheList* list);

#endif
