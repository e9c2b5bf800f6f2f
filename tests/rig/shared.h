// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The rigs of the shared data, one after the other.
#ifndef SN_TESTS_RIG_SHARED_H
#define SN_TESTS_RIG_SHARED_H

#include <dirent.h>

#include "check.h"
#include "rig/rig.h"

#define RIGS SN_SHARED_DATA "/rigs"
#define SKIPPED 77

// Says so and returns false when they are not there.
static inline bool haveRigs(void)
{
    DIR* folder = opendir(RIGS);
    if (!folder) {
        printf("SKIP: the rigs are not there (" RIGS ")\n");
        return false;
    }
    closedir(folder);
    return true;
}

static inline bool isRig(const char* name)
{
    const char* dot = strrchr(name, '.');
    return dot && (!strcmp(dot, ".glb") || !strcmp(dot, ".vrm") || !strcmp(dot, ".gltf"));
}

// Of another format, which Assimp reads
static inline bool isForeign(const char* name)
{
    const char* dot = strrchr(name, '.');
    return dot && (!strcmp(dot, ".fbx") || !strcmp(dot, ".dae"));
}

typedef void RigFcn(const char* name, snRig* rig, void* user);

// Reads all; returns how many.
static inline int eachRig(RigFcn* look, void* user)
{
    int count = 0;
    DIR* folder = opendir(RIGS);
    assert_non_null(folder);
    for (const struct dirent* entry; (entry = readdir(folder)) != NULL;) {
        char path[1024];
        snRig* rig;
        snMessage why;
        if (!isRig(entry->d_name)) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", RIGS, entry->d_name);
        assert_ok(snRig_Load(NULL, path, &rig, &why), why);
        look(entry->d_name, rig, user);
        snRig_Release(rig);
        ++count;
    }
    closedir(folder);
    return count;
}

#endif
