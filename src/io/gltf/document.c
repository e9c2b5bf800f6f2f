// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/gltf/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/gltf/buffer.h"

// Small helpers --------------------------------------------------------------------

snStatus snGltf_FailMemory(const snGltf* g)
{
    return snFail(g->why, sn_errorMemory, "out of memory");
}

snStatus snGltf_Spend(snGltf* g, uint64_t numbers)
{
    if (numbers > g->left) {
        return snFail(g->why, sn_errorUnsupported,
                      "the document asks for far more numbers than a file of its size holds: the "
                      "same data is named again and again, or sparse accessors are huge" //
                      SN_GLTF_AGAIN);
    }
    g->left -= numbers;
    return sn_ok;
}

snGltfList snGltfList_Of(snArena* arena, const snJson* array)
{
    snGltfList list = {0};
    size_t count = array && array->kind == sn_jsonArray ? array->count : 0;
    list.items = snArena_Push(arena, count, sizeof(*list.items));
    for (const snJson* j = count && list.items ? array->child : NULL; j; j = j->next) {
        list.items[list.count++] = j;
    }
    return list;
}

int64_t snGltf_Index(const snJson* j, uint64_t limit)
{
    bool fine = j && j->kind == sn_jsonNumber && j->number >= 0 && j->number < 9e15 &&
                j->number < (double)limit && j->number == floor(j->number);
    return fine ? (int64_t)j->number : -1;
}

int64_t snGltf_Member(const snJson* object, const char* key, uint64_t limit, int64_t absent)
{
    const snJson* j = snJson_Get(object, key);
    return j ? snGltf_Index(j, limit) : absent;
}

bool snGltf_IsText(const snJson* j, const char* text)
{
    return j && j->kind == sn_jsonString && strcmp(j->string, text) == 0;
}

const char* snGltf_Name(const snGltf* g, const snJson* object, const char* key)
{
    const snJson* j = snJson_Get(object, key);
    const char* text = j && j->kind == sn_jsonString && j->string[0]
                           ? snArena_String(&g->rig->arena, j->string, j->string_length)
                           : "";
    return text ? text : "";
}

bool snGltf_Numbers(const snJson* array, size_t count, double* out)
{
    size_t n = 0;
    if (!array) {
        return true;
    }
    if (array->kind != sn_jsonArray || array->count != count) {
        return false;
    }
    for (const snJson* j = array->child; j; j = j->next) {
        if (j->kind != sn_jsonNumber || !(fabs(j->number) <= SN_RIG_LARGEST)) {
            return false;
        }
    }
    for (const snJson* j = array->child; j; j = j->next) {
        out[n++] = j->number;
    }
    return true;
}

// The file -------------------------------------------------------------------------

static uint32_t wordAt(const uint8_t* b)
{
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | (uint32_t)b[0];
}

// The chunks of a GLB file: the document, then perhaps binary data, then what others put there
static snStatus findChunks(snGltf* g)
{
    snRigSource* s = &g->rig->source;
    const uint8_t* b = s->bytes;
    if (s->size < 20 || wordAt(b + 4) != 2) {
        return snFail(g->why, sn_errorFile,
                      "it is no GLB file of version 2 (version %u, %zu bytes)" SN_GLTF_AGAIN
                      " as glTF 2.0",
                      s->size < 8 ? 0 : (unsigned)wordAt(b + 4), s->size);
    }
    size_t end = wordAt(b + 8);
    if (end > s->size) {
        return snFail(g->why, sn_errorFile,
                      "it has %zu bytes, but its header promises %zu: it is cut off; write or copy "
                      "it again",
                      s->size, end);
    }
    if (end < s->size) {
        snRig_Warn(g->rig, "%zu bytes follow the end that the GLB's header states; passed over",
                   s->size - end);
    }
    if (memcmp(b + 16, "JSON", 4) != 0) {
        return snFail(g->why, sn_errorFile, "its document does not come first; write it again");
    }
    s->json_begin = 20;
    s->json_size = wordAt(b + 12);
    if (end < 20 || s->json_size > end - 20) {
        return snFail(g->why, sn_errorFile, "its document reaches beyond the file; write it again");
    }
    size_t at = 20 + s->json_size;
    if (end - at >= 8 && memcmp(b + at + 4, "BIN\0", 4) == 0) {
        s->bin_begin = at + 8;
        s->bin_size = wordAt(b + at);
        if (s->bin_size > end - s->bin_begin) {
            return snFail(g->why, sn_errorFile,
                          "its binary chunk reaches beyond the file: it is cut off; write or copy "
                          "it again");
        }
    }
    return sn_ok;
}

static snStatus findDocument(snGltf* g)
{
    snRigSource* s = &g->rig->source;
    s->binary = s->size >= 4 && memcmp(s->bytes, "glTF", 4) == 0;
    s->json_size = s->size;
    if (s->size == 0) {
        return snFail(g->why, sn_errorFile,
                      "it is empty, of 0 bytes: copying or exporting it failed" SN_GLTF_AGAIN);
    }
    snStatus status = s->binary ? findChunks(g) : sn_ok;
    if (status) {
        return status;
    }
    status = snJson_Parse(&g->arena, (const char*)s->bytes + s->json_begin, s->json_size, &g->root,
                          g->why);
    if (status && s->size >= 6 && memcmp(s->bytes, "SNBODY", 6) == 0) {
        return snFail(g->why, sn_errorFile,
                      "it is a saved body, which snBody_Load reads; give the rig that it was made "
                      "of ('sinew rig hero.glb --save hero.body')");
    }
    if (status == sn_errorFile && !s->binary) {
        snMessage_Prefix(g->why, "it is no GLB file, and no glTF document");
    }
    return status;
}

// What it is -----------------------------------------------------------------------

static snStatus checkVersion(const snGltf* g)
{
    const snJson* asset = snJson_Get(g->root, "asset");
    const snJson* version = snJson_Get(asset, "version");
    if (!asset || !version || version->kind != sn_jsonString) {
        return snFail(g->why, sn_errorFile,
                      "it is no glTF document: it has no \"asset\" with a \"version\"; check that "
                      "this is the right file");
    }
    if (strncmp(version->string, "2.", 2) != 0) {
        return snFail(g->why, sn_errorUnsupported,
                      "asset.version: it is glTF %.20s; export it as glTF 2.0", version->string);
    }
    const snJson* least = snJson_Get(asset, "minVersion");
    return !least || snGltf_IsText(least, "2.0")
               ? sn_ok
               : snFail(g->why, sn_errorUnsupported,
                        "asset.minVersion: it needs a reader of glTF newer than 2.0; export it as "
                        "glTF 2.0");
}

// Those that change no numbers that are read here; a * stands for any end
static const char* const UNDERSTOOD[] = {
    "KHR_mesh_quantization", "KHR_materials_*", "KHR_texture_*", "EXT_texture_*", "MSFT_texture_*",
    "KHR_lights_*",          "EXT_lights_*",    "KHR_xmp*",      "VRM",           "VRMC_*",
};

static bool isUnderstood(const char* name)
{
    for (size_t i = 0; i < sizeof UNDERSTOOD / sizeof *UNDERSTOOD; ++i) {
        const char* star = strchr(UNDERSTOOD[i], '*');
        if (star ? strncmp(name, UNDERSTOOD[i], (size_t)(star - UNDERSTOOD[i])) == 0
                 : strcmp(name, UNDERSTOOD[i]) == 0) {
            return true;
        }
    }
    return false;
}

static snStatus checkExtensions(const snGltf* g)
{
    char names[400] = "";
    bool draco = false, packed = false;
    size_t length = 0;
    const snJson* required = snJson_Get(g->root, "extensionsRequired");
    for (const snJson* j = required ? required->child : NULL; j; j = j->next) {
        const char* name = j->kind == sn_jsonString ? j->string : "?";
        if (isUnderstood(name)) {
            continue;
        }
        draco = draco || strstr(name, "draco");
        packed = packed || strstr(name, "meshopt");
        int n =
            snprintf(names + length, sizeof names - length, "%s%.60s", length ? ", " : "", name);
        length =
            n < 0 || (size_t)n >= sizeof names - length ? sizeof names - 1 : length + (size_t)n;
    }
    if (length == 0) {
        return sn_ok;
    }
    return snFail(g->why, sn_errorUnsupported,
                  "extensionsRequired: it cannot be read without %s, which is not understood here; "
                  "export it again %s",
                  names,
                  draco    ? "without Draco compression (Blender: glTF export, Data, Compression)"
                  : packed ? "without meshopt compression (gltfpack: without -c and -cc)"
                           : "without that extension");
}

static snStatus makeLists(snGltf* g)
{
    g->accessors = snGltfList_Of(&g->arena, snJson_Get(g->root, "accessors"));
    g->views = snGltfList_Of(&g->arena, snJson_Get(g->root, "bufferViews"));
    g->nodes = snGltfList_Of(&g->arena, snJson_Get(g->root, "nodes"));
    g->meshes = snGltfList_Of(&g->arena, snJson_Get(g->root, "meshes"));
    g->skins = snGltfList_Of(&g->arena, snJson_Get(g->root, "skins"));
    g->materials = snGltfList_Of(&g->arena, snJson_Get(g->root, "materials"));
    g->known = snArena_Push(&g->arena, g->accessors.count, sizeof *g->known);
    g->place = snArena_Push(&g->arena, g->nodes.count, sizeof *g->place);
    return g->arena.failed ? snGltf_FailMemory(g) : sn_ok;
}

snStatus snGltf_Open(snGltf* g, snRig* rig, const char* folder, snMessage* why)
{
    *g = (snGltf){.rig = rig, .why = why};
    snArena_Init(&g->arena, &rig->host);
    snStatus status = findDocument(g);
    status = status ? status : checkVersion(g);
    status = status ? status : checkExtensions(g);
    status = status ? status : makeLists(g);
    status = status ? status : snGltf_ReadBuffers(g, folder);
    uint64_t bytes = rig->source.size;
    for (int32_t i = 0; i < rig->source.buffer_count; ++i) {
        bytes += rig->source.buffers[i].file_size;
    }
    g->left = SN_GLTF_NUMBERS + SN_GLTF_TIMES * bytes;
    return status;
}

void snGltf_Close(snGltf* g)
{
    snArena_Free(&g->arena);
}
