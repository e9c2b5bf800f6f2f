// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rigs from files and memory.
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/fbx/foreign.h"
#include "io/gltf/document.h"
#include "io/gltf/uri.h"

// VRM ------------------------------------------------------------------------------

static void addHuman(snGltf* g, const char* bone, const snJson* node)
{
    int64_t n = snGltf_Index(node, g->nodes.count);
    if (n < 0) {
        snRig_Warn(g->rig, "VRM humanoid: bone '%.60s' is no node; left out", bone);
        return;
    }
    const char* name = snArena_String(&g->rig->arena, bone, strlen(bone));
    if (name) {
        g->rig->humans[g->rig->info.human_count++] = (snRigHuman){name, g->place[n]};
    }
}

// 0.x: [{"bone": "hips", "node": 3}, ...]; 1.0: {"hips": {"node": 3}, ...}
static snStatus readHumans(snGltf* g)
{
    const snJson* extensions = snJson_Get(g->root, "extensions");
    const snJson *old = snJson_Get(extensions, "VRM"), *new = snJson_Get(extensions, "VRMC_vrm");
    const snJson* bones = snJson_Get(snJson_Get(new ? new : old, "humanoid"), "humanBones");
    g->rig->info.kind = old || new ? "vrm" : g->rig->source.binary ? "glb" : "gltf";
    g->rig->humans = snArena_Push(&g->rig->arena, bones ? bones->count : 0, sizeof(snRigHuman));
    if (!g->rig->humans) {
        return snGltf_FailMemory(g);
    }
    for (const snJson* j = bones ? bones->child : NULL; j; j = j->next) {
        const snJson* bone = snJson_Get(j, "bone");
        if (j->key || (bone && bone->kind == sn_jsonString)) {
            addHuman(g, j->key ? j->key : bone->string, snJson_Get(j, "node"));
        }
    }
    return sn_ok;
}

// Images ---------------------------------------------------------------------------

// Images stay in their files, which a result names too; says which are not there.
static void lookForImages(snGltf* g, const char* folder)
{
    const snJson* images = snJson_Get(g->root, "images");
    const char* first = "";
    size_t missing = 0;
    for (const snJson* j = images ? images->child : NULL; j; j = j->next) {
        const snJson* uri = snJson_Get(j, "uri");
        char name[SN_PATH_SIZE], path[2 * SN_PATH_SIZE];
        if (!uri || uri->kind != sn_jsonString || !snUri_Path(uri->string, name, sizeof name)) {
            continue; // in the document, or in another place
        }
        snprintf(path, sizeof path, "%s%s", folder, name);
        FILE* file = snFile_Open(path, "rb");
        if (file) {
            fclose(file);
        } else {
            first = missing++ == 0 ? uri->string : first;
        }
    }
    if (missing) {
        snRig_Warn(g->rig, "%zu image%s not where the file says, such as '%.200s'", missing,
                   missing > 1 ? "s are" : " is", first);
    }
}

// Rigs -----------------------------------------------------------------------------

static snStatus readRig(snRig* rig, const char* folder, snMessage* why)
{
    snGltf g;
    snStatus status = snGltf_Open(&g, rig, folder, why);
    status = status ? status : snGltf_ReadNodes(&g);
    status = status ? status : snGltf_ReadSkins(&g);
    status = status ? status : snGltf_ReadMeshes(&g);
    status = status ? status : snGltf_ReadClips(&g);
    status = status ? status : readHumans(&g);
    if (!status) {
        if (folder) {
            lookForImages(&g, folder);
        }
        const snJson* asset = snJson_Get(g.root, "asset");
        const snJson* extras = asset ? snJson_Get(asset, "extras") : NULL;
        rig->info.generator = snGltf_Name(&g, asset, "generator");
        rig->info.is_baked = extras && snJson_Get(extras, "sinew") != NULL;
    }
    snGltf_Close(&g);
    return status ? status : snRig_Finish(rig, why);
}

// Makes a rig of a file that is there, which then belongs to the rig or is released.
static snStatus makeRig(const snHost* host, uint8_t* bytes, size_t count, const char* name,
                        const char* folder, snRig** out, snMessage* why)
{
    snRig* rig = snRig_New(host);
    if (!rig) {
        snHost_Release(host, bytes, count + 1);
        return snFail(why, sn_errorMemory, "out of memory");
    }
    rig->source.bytes = bytes;
    rig->source.size = count;
    rig->source.folder = folder ? snArena_String(&rig->arena, folder, strlen(folder)) : NULL;
    const char *kind = snForeign_Kind(bytes, count), *generator = "";
    snStatus status = kind ? snForeign_Convert(rig, kind, &generator, why) : sn_ok;
    status = status ? status : readRig(rig, folder, why);
    if (kind) {
        rig->info.kind = kind;
        rig->info.generator = generator;
        // these files state their unit, which is believed where none is more likely
        rig->info.unit_name = rig->info.unit > 0 ? rig->info.unit_name : "m";
        rig->info.unit = rig->info.unit > 0 ? rig->info.unit : 1;
    }
    if (status) {
        snMessage_Prefix(why, "%.300s", name);
        snRig_Release(rig);
        return status;
    }
    *out = rig;
    snMessage_Clear(why);
    return sn_ok;
}

snStatus snRig_Parse(const snHost* host, const void* bytes, size_t count, const char* name,
                     snRig** rig, snMessage* why)
{
    if (!bytes || !rig) {
        return snFail(why, sn_errorArgument, "snRig_Parse: %s is NULL", bytes ? "rig" : "bytes");
    }
    *rig = NULL;
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status) {
        return status;
    }
    uint8_t* copy = count < SIZE_MAX ? snHost_Allocate(&taken, count + 1) : NULL;
    if (!copy) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    memcpy(copy, bytes, count);
    return makeRig(&taken, copy, count, name ? name : "rig", NULL, rig, why);
}

snStatus snRig_Load(const snHost* host, const char* path, snRig** rig, snMessage* why)
{
    if (!path || !rig) {
        return snFail(why, sn_errorArgument, "snRig_Load: %s is NULL", path ? "rig" : "path");
    }
    *rig = NULL;
    snHost taken;
    uint8_t* bytes = NULL;
    size_t count = 0;
    char folder[SN_PATH_SIZE] = "";
    const char* slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof folder) {
        return snFail(why, sn_errorArgument, "the path is too long");
    }
    memcpy(folder, path, length);
    snStatus status = snHost_Take(host, &taken, why);
    if (!status) {
        size_t limit = SN_GLTF_MOST_BYTES < SIZE_MAX ? (size_t)SN_GLTF_MOST_BYTES : SIZE_MAX / 2;
        status = snFile_Read(&taken, path, limit, &bytes, &count, why);
    }
    return status ? status : makeRig(&taken, bytes, count, path, folder, rig, why);
}
