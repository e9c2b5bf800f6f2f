// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the JSON reader accepts must be written and read again to the same tree.
#include <string.h>

#include "base/json.h"
#include "ration.h"

static void writeTree(snJsonWriter* writer, const snJson* node)
{
    if (node->key) {
        snJsonWriter_Key(writer, node->key);
    }
    switch (node->kind) {
    case sn_jsonNull:
        snJsonWriter_Null(writer);
        break;
    case sn_jsonBool:
        snJsonWriter_Bool(writer, node->boolean);
        break;
    case sn_jsonNumber:
        snJsonWriter_Number(writer, node->number);
        break;
    case sn_jsonString:
        snJsonWriter_Bytes(writer, node->string, node->string_length);
        break;
    case sn_jsonArray:
        snJsonWriter_BeginArray(writer);
        for (const snJson* child = node->child; child; child = child->next) {
            writeTree(writer, child);
        }
        snJsonWriter_EndArray(writer);
        break;
    case sn_jsonObject:
        snJsonWriter_BeginObject(writer);
        for (const snJson* child = node->child; child; child = child->next) {
            writeTree(writer, child);
        }
        snJsonWriter_EndObject(writer);
        break;
    }
}

static void requireSame(const snJson* a, const snJson* b)
{
    require(a->kind == b->kind && a->boolean == b->boolean && a->count == b->count);
    require(memcmp(&a->number, &b->number, sizeof(double)) == 0);
    require(a->string_length == b->string_length);
    require(!a->string == !b->string && !a->key == !b->key);
    require(!a->string || memcmp(a->string, b->string, a->string_length + 1) == 0);
    require(!a->key || strcmp(a->key, b->key) == 0);
    size_t count = 0;
    const snJson* p = a->child;
    const snJson* q = b->child;
    for (; p && q; p = p->next, q = q->next) {
        requireSame(p, q);
        ++count;
    }
    require(!p && !q && count == a->count);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Ration ration;
    snHost host = rationedHost(&ration, size, 200); // "0," becomes 128 bytes
    snArena arena, again;
    snArena_Init(&arena, &host);
    snArena_Init(&again, NULL);
    snMessage why = {""};
    const snJson* first;
    snStatus status = snJson_Parse(&arena, (const char*)data, size, &first, &why);
    require((status == sn_ok) == (first != NULL) && (status == sn_ok) == (why.text[0] == 0));
    for (int indent = 0; first && indent <= 2; indent += 2) {
        snJsonWriter writer;
        snJsonWriter_Init(&writer, NULL, indent);
        writeTree(&writer, first);
        require(snJsonWriter_Finish(&writer, &why) == sn_ok);
        const snJson* second;
        require(snJson_Parse(&again, writer.text, writer.length, &second, &why) == sn_ok);
        requireSame(first, second);
        snJsonWriter_Free(&writer);
    }
    snArena_Free(&again);
    snArena_Free(&arena);
    return 0;
}
