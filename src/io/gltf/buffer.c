// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/gltf/buffer.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/gltf/uri.h"

// Text -----------------------------------------------------------------------------

static int base64Digit(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

bool snBase64_Decode(const char* text, size_t length, uint8_t* out, size_t* count)
{
    uint32_t bits = 0;
    size_t n = 0;
    *count = 0;
    while (length > 0 && text[length - 1] == '=') {
        --length;
    }
    for (; n < length; ++n) {
        int digit = base64Digit(text[n]);
        if (digit < 0) {
            return false;
        }
        bits = bits << 6 | (uint32_t)digit;
        if (n % 4 > 0) { // a byte is complete
            out[(*count)++] = (uint8_t)(bits >> (6 - 2 * (n % 4)));
        }
    }
    return n % 4 != 1;
}

// Buffers --------------------------------------------------------------------------

// data:application/octet-stream;base64,AAAA...
static snStatus readText(const snGltf* g, size_t i, const char* uri, size_t length, snRigBuffer* b)
{
    static const char MARK[] = ";base64,";
    const char* comma = strchr(uri, ',');
    size_t head = comma ? (size_t)(comma - uri) + 1 : 0, mark = sizeof MARK - 1;
    if (head < mark || memcmp(uri + head - mark, MARK, mark) != 0) {
        return snFail(g->why, sn_errorUnsupported,
                      "buffers[%zu].uri: expected data:...;base64,..." SN_GLTF_AGAIN, i);
    }
    uint8_t* data = snArena_Push(&g->rig->arena, (length - head) / 4 * 3 + 3, 1);
    if (!data) {
        return snGltf_FailMemory(g);
    }
    if (!snBase64_Decode(uri + head, length - head, data, &b->size)) {
        return snFail(g->why, sn_errorFile,
                      "buffers[%zu].uri: a character of its base64 text does not belong there, or "
                      "the text is cut off" SN_GLTF_AGAIN,
                      i);
    }
    b->data = data;
    return sn_ok;
}

static snStatus readFile(const snGltf* g, size_t i, const char* uri, const char* folder,
                         snRigBuffer* b)
{
    char name[SN_PATH_SIZE], path[2 * SN_PATH_SIZE];
    if (!snUri_Path(uri, name, sizeof name)) {
        return snFail(g->why, sn_errorUnsupported,
                      "buffers[%zu].uri: '%.200s' is not in the folder of the document, where all "
                      "its files must be; put it there, or save the character as .glb",
                      i, uri);
    }
    if (!folder) {
        return snFail(g->why, sn_errorUnsupported,
                      "buffers[%zu].uri: its data is in the file '%.200s', which cannot be read "
                      "from memory; save the character as .glb",
                      i, uri);
    }
    for (int32_t k = 0; k < (int32_t)i; ++k) { // perhaps it is there already
        const snRigBuffer* other = &g->rig->source.buffers[k];
        if (other->uri && strcmp(other->uri, uri) == 0) {
            b->data = other->data;
            b->size = other->size;
            return sn_ok;
        }
    }
    snprintf(path, sizeof path, "%.4090s%s", folder, name);
    size_t limit = SN_GLTF_MOST_BYTES < SIZE_MAX ? (size_t)SN_GLTF_MOST_BYTES : SIZE_MAX / 2;
    snStatus status = snFile_Read(&g->rig->host, path, limit, &b->file, &b->size, g->why);
    if (status) {
        snMessage_Prefix(g->why, "buffers[%zu].uri", i);
        return status;
    }
    b->file_size = b->size;
    b->data = b->file;
    return sn_ok;
}

static snStatus readBuffer(snGltf* g, const snJson* json, size_t i, const char* folder)
{
    snRigSource* s = &g->rig->source;
    snRigBuffer* b = &s->buffers[i];
    const snJson* uri = snJson_Get(json, "uri");
    snStatus status = sn_ok;
    if (uri && uri->kind == sn_jsonString) {
        bool text = strncmp(uri->string, "data:", 5) == 0;
        b->uri = text ? NULL : snGltf_Name(g, json, "uri");
        status = text ? readText(g, i, uri->string, uri->string_length, b)
                      : readFile(g, i, uri->string, folder, b);
    } else if (i == 0 && s->bin_begin > 0) {
        b->data = s->bytes + s->bin_begin;
        b->size = s->bin_size;
    } else {
        return snFail(g->why, sn_errorFile,
                      "buffers[%zu]: it has no uri, and the file has no binary chunk for it" //
                      SN_GLTF_AGAIN,
                      i);
    }
    if (status) {
        return status;
    }
    int64_t length = snGltf_Index(snJson_Get(json, "byteLength"), SN_GLTF_MOST_BYTES + 1);
    if (length < 0 || (uint64_t)length > b->size) {
        return snFail(
            g->why, sn_errorFile,
            "buffers[%zu].byteLength: expected the buffer's size, which is at most the %zu "
            "bytes that are there; the data is cut off or of another file, copy it again",
            i, b->size);
    }
    b->size = (size_t)length;
    return sn_ok;
}

snStatus snGltf_ReadBuffers(snGltf* g, const char* folder)
{
    snRigSource* s = &g->rig->source;
    snGltfList list = snGltfList_Of(&g->arena, snJson_Get(g->root, "buffers"));
    s->buffers = snArena_Push(&g->rig->arena, list.count, sizeof *s->buffers);
    if (g->arena.failed || !s->buffers || list.count > INT32_MAX) {
        return snGltf_FailMemory(g);
    }
    s->buffer_count = (int32_t)list.count;
    snStatus status = sn_ok;
    for (size_t i = 0; i < list.count && !status; ++i) {
        status = readBuffer(g, list.items[i], i, folder);
    }
    return status;
}
