// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/gltf/patch.h"

#include <string.h>

#include "base/file.h"
#include "io/gltf/patcher.h"
#include "io/gltf/uri.h"

// Lists ----------------------------------------------------------------------------

void snGltfPatcher_Begin(const snGltfPatcher* p, snJsonWriter* w)
{
    snJsonWriter_Init(w, &p->rig->host, 0);
    snJsonWriter_BeginArray(w);
}

const char* snGltfPatcher_End(snGltfPatcher* p, snJsonWriter* w)
{
    snJsonWriter_EndArray(w);
    p->arena.failed = p->arena.failed || w->failed;
    const char* text =
        p->arena.failed ? NULL : snArena_String(&p->arena, w->text + 1, w->length - 2);
    snJsonWriter_Free(w);
    return text ? text : "";
}

void snGltfPatcher_Extend(snGltfPatcher* p, const char* list, const char* elements)
{
    const snJson* array = snJson_Get(p->root, list);
    if (array) {
        snGltfEdits_Append(&p->edits, array, elements);
    } else if (elements[0]) {
        snGltfEdits_Add(&p->edits, p->root, list, snGltf_Text(&p->arena, "[%s]", elements));
    }
}

void snGltfPatcher_Note(snGltfPatcher* p, snGltfNote note, const size_t* numbers, size_t count,
                        const char* text)
{
    snJsonWriter* w = &p->notes[note];
    snJsonWriter_BeginArray(w);
    for (size_t i = 0; i < count; ++i) {
        snJsonWriter_Int(w, numbers[i] == SN_GLTF_NONE ? -1 : (int64_t)numbers[i]);
    }
    if (text) {
        snJsonWriter_String(w, text);
    }
    snJsonWriter_EndArray(w);
}

// Buffers --------------------------------------------------------------------------

// The document's data in one piece
typedef struct Data {
    size_t* offsets; // of the buffers; (buffer_count)
    size_t size;     // a multiple of 4
} Data;

static size_t padded(size_t size)
{
    return (size + 3) / 4 * 4;
}

// Bytes of a buffer that are kept; of the binary chunk all, even if the document names fewer
static size_t keptOf(const snRigSource* s, int32_t i)
{
    const snRigBuffer* b = &s->buffers[i];
    bool chunk = s->bin_begin > 0 && b->data == s->bytes + s->bin_begin;
    return chunk ? s->bin_size : b->size;
}

static bool placeBuffers(snGltfPatcher* p, Data* data)
{
    const snRigSource* s = &p->rig->source;
    data->offsets = snArena_Push(&p->arena, (size_t)s->buffer_count, sizeof *data->offsets);
    data->size = 0;
    for (int32_t i = 0; i < s->buffer_count && data->offsets; ++i) {
        data->offsets[i] = data->size;
        if (!snSizeAdd(data->size, padded(keptOf(s, i)), &data->size)) {
            return false;
        }
    }
    return data->offsets != NULL;
}

// Views of buffers that follow the first one
static snStatus moveViews(snGltfPatcher* p, const Data* data)
{
    uint64_t count = (uint64_t)p->rig->source.buffer_count;
    for (size_t i = 0; i < p->views.count && count > 1; ++i) {
        const snJson *view = p->views.items[i], *offset = snJson_Get(view, "byteOffset");
        const snJson* extensions = snJson_Get(view, "extensions");
        for (const snJson* j = extensions ? extensions->child : NULL; j; j = j->next) {
            if (snJson_Get(j, "buffer")) {
                return snFail(p->why, sn_errorUnsupported,
                              "bufferViews[%zu]: its %.60s has data in a buffer of its own, which "
                              "cannot be put into a GLB file; export the file again without it",
                              i, j->key);
            }
        }
        int64_t b = snGltf_Member(view, "buffer", count, -1);
        int64_t from = snGltf_Member(view, "byteOffset", SN_GLTF_MOST_BYTES, 0);
        if (b < 0 || from < 0) {
            return snFail(p->why, sn_errorFile,
                          "bufferViews[%zu]: there is no such buffer, or no such offset in it" //
                          SN_GLTF_AGAIN,
                          i);
        }
        if (b > 0) {
            const char* to = snGltf_Text(&p->arena, "%zu", data->offsets[b] + (size_t)from);
            snGltfEdits_Replace(&p->edits, snJson_Get(view, "buffer"), "0");
            if (offset) {
                snGltfEdits_Replace(&p->edits, offset, to);
            } else {
                snGltfEdits_Add(&p->edits, view, "byteOffset", to);
            }
        }
    }
    return sn_ok;
}

// All buffers become one, that of the GLB file.
static void joinBuffers(snGltfPatcher* p, size_t size)
{
    const snJson* list = snJson_Get(p->root, "buffers");
    const char* length = snGltf_Text(&p->arena, "%zu", size);
    if (!list || list->count == 0) {
        const char* buffer = snGltf_Text(&p->arena, "{\"byteLength\":%s}", length);
        snGltfPatcher_Extend(p, "buffers", size > 0 ? buffer : "");
        return;
    }
    const snJson *first = list->child, *uri = snJson_Get(first, "uri");
    snGltfEdits_Replace(&p->edits, snJson_Get(first, "byteLength"), length);
    if (uri) {
        snGltfEdits_Remove(&p->edits, first, uri);
    }
    snGltfEdits_KeepFirst(&p->edits, list);
}

// Images in other files are named from another folder.
static void nameImages(snGltfPatcher* p)
{
    const char* before = p->patch->before_images;
    const snJson* list = before && before[0] ? snJson_Get(p->root, "images") : NULL;
    size_t i = 0;
    for (const snJson* j = list ? list->child : NULL; j; j = j->next, ++i) {
        const snJson* uri = snJson_Get(j, "uri");
        if (!uri || uri->kind != sn_jsonString || !snUri_IsRelative(uri->string)) {
            continue;
        }
        snJsonWriter w;
        snGltfPatcher_Begin(p, &w);
        snJsonWriter_String(&w, snGltf_Text(&p->arena, "%s%s", before, uri->string));
        snGltfEdits_Replace(&p->edits, uri, snGltfPatcher_End(p, &w));
        snGltfPatcher_Note(p, sn_noteImages, &i, 1, uri->string);
    }
}

// What was changed -----------------------------------------------------------------

static const char* finishNotes(snGltfPatcher* p)
{
    static const char* const NAMES[sn_noteCount] = {"targets",    "nodes",  "lists",    "samplers",
                                                    "filled",     "joints", "children", "skins",
                                                    "influences", "images"};
    const snRigSource* s = &p->rig->source;
    const char* text =
        snGltf_Text(&p->arena,
                    "{\"accessors\":%zu,\"bufferViews\":%zu,\"meshes\":%zu,\"animations\":%zu,"
                    "\"byteLength\":%zu",
                    p->accessors.count, p->views.count, p->meshes.count, p->animations.count,
                    s->buffer_count > 0 ? s->buffers[0].size : 0);
    if (s->buffer_count > 1) {
        text = snGltf_Text(&p->arena, "%s,\"buffers\":%d", text, (int)s->buffer_count);
    }
    for (int i = 0; i < sn_noteCount; ++i) {
        const char* list = snGltfPatcher_End(p, &p->notes[i]);
        if (list[0]) {
            text = snGltf_Text(&p->arena, "%s,\"%s\":[%s]", text, NAMES[i], list);
        }
    }
    return snGltf_Text(&p->arena, "%s}", text);
}

// Into asset.extras, unless that is something strange. A document that was patched before has one
// already, so ours may be sinew_2.
static void addNotes(snGltfPatcher* p)
{
    const snJson* asset = snJson_Get(p->root, "asset");
    const snJson* extras = snJson_Get(asset, "extras");
    const char *notes = finishNotes(p), *key = "sinew";
    for (int i = 2; extras && snJson_Get(extras, key) && !p->arena.failed; ++i) {
        key = snGltf_Text(&p->arena, "sinew_%d", i);
    }
    if (!extras) {
        snGltfEdits_Add(&p->edits, asset, "extras",
                        snGltf_Text(&p->arena, "{\"%s\":%s}", key, notes));
    } else if (extras->kind == sn_jsonObject) {
        snGltfEdits_Add(&p->edits, extras, key, notes);
    }
}

// The file -------------------------------------------------------------------------

// "glTF", "JSON", "BIN\0"
enum { GLTF = 0x46546C67, JSON = 0x4E4F534A, BIN = 0x004E4942 };

static void putWord(uint8_t* to, size_t word)
{
    for (int k = 0; k < 4; ++k) {
        to[k] = (uint8_t)(word >> (8 * k));
    }
}

// Chunks that others have put behind the binary one
static size_t restOf(const snRigSource* s, const uint8_t** rest)
{
    const uint8_t* b = s->bytes;
    size_t begin = s->bin_begin > 0 ? s->bin_begin + s->bin_size : s->json_begin + s->json_size;
    size_t end =
        s->binary ? (size_t)b[11] << 24 | (size_t)b[10] << 16 | (size_t)b[9] << 8 | b[8] : 0;
    *rest = b + begin;
    return end >= begin + 8 ? end - begin : 0;
}

static snStatus assemble(snGltfPatcher* p, const Data* data, const snGltfAdded* added,
                         const char* text, size_t length, uint8_t** bytes, size_t* count)
{
    const snRigSource* s = &p->rig->source;
    const uint8_t* rest;
    size_t json = padded(length), bin = data->size + added->size, more = restOf(s, &rest);
    uint64_t wanted = (uint64_t)data->size + added->size + json + more + 28;
    if (wanted >= SN_GLTF_MOST_BYTES) {
        return snFail(
            p->why, sn_errorUnsupported,
            "the file would have %llu bytes, and GLB files end at 4 GiB; bake fewer clips "
            "or frames at a time",
            (unsigned long long)wanted);
    }
    size_t total = 20 + json + (bin > 0 ? 8 + bin : 0) + more;
    uint8_t* out = snHost_Allocate(&p->rig->host, total);
    if (!out) {
        return snFail(p->why, sn_errorMemory, "out of memory");
    }
    putWord(out, GLTF);
    putWord(out + 4, 2);
    putWord(out + 8, total);
    putWord(out + 12, json);
    putWord(out + 16, JSON);
    memcpy(out + 20, text, length);
    memset(out + 20 + length, ' ', json - length);
    uint8_t* at = out + 20 + json;
    if (bin > 0) {
        putWord(at, bin);
        putWord(at + 4, BIN);
        for (int32_t i = 0; i < s->buffer_count; ++i) {
            size_t kept = keptOf(s, i);
            if (kept > 0) {
                memcpy(at + 8 + data->offsets[i], s->buffers[i].data, kept);
            }
        }
        if (added->size > 0) {
            memcpy(at + 8 + data->size, added->bytes, added->size);
        }
        at += 8 + bin;
    }
    if (more > 0) {
        memcpy(at, rest, more);
    }
    *bytes = out;
    *count = total;
    return sn_ok;
}

// The patch ------------------------------------------------------------------------

static snStatus openPatcher(snGltfPatcher* p, const snGltfPatch* patch, snMessage* why)
{
    const snRigSource* s = &patch->rig->source;
    *p = (snGltfPatcher){.patch = patch, .rig = patch->rig, .why = why};
    snArena_Init(&p->arena, &p->rig->host);
    p->text = (const char*)s->bytes + s->json_begin;
    p->length = s->json_size;
    snStatus status = snJson_Parse(&p->arena, p->text, p->length, &p->root, why);
    p->nodes = snGltfList_Of(&p->arena, snJson_Get(p->root, "nodes"));
    p->meshes = snGltfList_Of(&p->arena, snJson_Get(p->root, "meshes"));
    p->accessors = snGltfList_Of(&p->arena, snJson_Get(p->root, "accessors"));
    p->views = snGltfList_Of(&p->arena, snJson_Get(p->root, "bufferViews"));
    p->animations = snGltfList_Of(&p->arena, snJson_Get(p->root, "animations"));
    p->edits = (snGltfEdits){.arena = &p->arena, .source = p->text};
    snGltfStore_Init(&p->store, &p->arena, p->accessors.count, p->views.count);
    for (int i = 0; i < sn_noteCount; ++i) {
        snGltfPatcher_Begin(p, &p->notes[i]);
    }
    return status ? status : p->arena.failed ? snFail(why, sn_errorMemory, "out of memory") : sn_ok;
}

static void closePatcher(snGltfPatcher* p)
{
    for (int i = 0; i < sn_noteCount; ++i) {
        snJsonWriter_Free(&p->notes[i]);
    }
    snGltfStore_Free(&p->store);
    snArena_Free(&p->arena);
}

static snStatus patchDocument(snGltfPatcher* p, uint8_t** bytes, size_t* count)
{
    Data data;
    snGltfAdded added;
    size_t length = 0, mark = p->length >= 3 && memcmp(p->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    snStatus status = snGltfPatcher_Meshes(p);
    status = status ? status : snGltfPatcher_Joints(p);
    status = status ? status : snGltfPatcher_Clips(p);
    if (status) {
        return status;
    }
    if (!placeBuffers(p, &data) || !snGltfStore_Finish(&p->store, data.size, &added)) {
        return snFail(p->why, sn_errorMemory, "out of memory");
    }
    snGltfPatcher_Extend(p, "accessors", added.accessors);
    snGltfPatcher_Extend(p, "bufferViews", added.views);
    status = moveViews(p, &data);
    if (status) {
        return status;
    }
    joinBuffers(p, data.size + added.size);
    nameImages(p);
    addNotes(p);
    const char* text = snGltfEdits_Render(&p->edits, mark, p->length, &length);
    return text ? assemble(p, &data, &added, text, length, bytes, count)
                : snFail(p->why, sn_errorMemory, "out of memory");
}

snStatus snGltfPatch_Build(const snGltfPatch* patch, uint8_t** bytes, size_t* count, snMessage* why)
{
    *bytes = NULL;
    *count = 0;
    snGltfPatcher p;
    snStatus status = snGltfPatch_Check(patch, why);
    if (status) {
        return status;
    }
    status = openPatcher(&p, patch, why);
    status = status ? status : patchDocument(&p, bytes, count);
    closePatcher(&p);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}

// What comes before images' URIs in a file; NULL = nothing that is known
static const char* imagesFrom(const snRig* rig, const char* path, snArena* arena)
{
    const char* slash = strrchr(path, '/');
    const char* folder = snArena_String(arena, path, slash ? (size_t)(slash - path) + 1 : 0);
    return rig->source.folder && folder ? snUri_Between(arena, rig->source.folder, folder) : NULL;
}

snStatus snGltfPatch_Save(const snGltfPatch* patch, const char* path, snMessage* why)
{
    uint8_t* bytes;
    size_t count;
    snFileWriter file;
    snArena arena;
    snGltfPatch placed = *patch;
    snArena_Init(&arena, &patch->rig->host);
    placed.before_images = imagesFrom(patch->rig, path, &arena);
    snStatus status = snGltfPatch_Build(&placed, &bytes, &count, why);
    snArena_Free(&arena);
    if (status) {
        snMessage_Prefix(why, "cannot write '%.300s'", path);
        return status;
    }
    status = snFileWriter_Open(&file, path, why);
    if (!status) {
        snFileWriter_Write(&file, bytes, count);
        status = snFileWriter_Close(&file, why);
    }
    snHost_Release(&patch->rig->host, bytes, count);
    return status;
}
