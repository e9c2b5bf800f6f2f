// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/gltf/edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* snGltf_Text(snArena* arena, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char* text = snArena_Push(arena, (size_t)(length < 0 ? 0 : length) + 1, 1);
    if (!text) {
        return "";
    }
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

static void add(snGltfEdits* e, size_t at, size_t removed, const char* text)
{
    if (e->count == e->room) {
        size_t room = e->room < 16 ? 16 : 2 * e->room;
        snGltfEdit* items = snArena_Push(e->arena, room, sizeof *items);
        if (!items) {
            return;
        }
        if (e->count > 0) {
            memcpy(items, e->items, e->count * sizeof *items);
        }
        e->items = items;
        e->room = room;
    }
    e->items[e->count] = (snGltfEdit){at, removed, e->count, text, strlen(text)};
    ++e->count;
}

void snGltfEdits_Replace(snGltfEdits* e, const snJson* value, const char* text)
{
    add(e, value->begin, value->end - value->begin, text);
}

// Puts text after the last child of an array or object.
static void addChild(snGltfEdits* e, const snJson* parent, const char* text)
{
    const snJson* last = parent->child;
    size_t at = (size_t)parent->begin + 1;
    bool follows = last != NULL;
    for (; last; last = last->next) {
        at = last->end;
    }
    for (size_t i = 0; i < e->count && !follows; ++i) {
        follows = e->items[i].at == at;
    }
    add(e, at, 0, follows ? snGltf_Text(e->arena, ",%s", text) : text);
}

void snGltfEdits_Append(snGltfEdits* e, const snJson* array, const char* elements)
{
    if (elements[0]) {
        addChild(e, array, elements);
    }
}

void snGltfEdits_Add(snGltfEdits* e, const snJson* object, const char* key, const char* value)
{
    addChild(e, object, snGltf_Text(e->arena, "\"%s\":%s", key, value));
}

void snGltfEdits_Remove(snGltfEdits* e, const snJson* parent, const snJson* child)
{
    const snJson* before = NULL;
    for (const snJson* j = parent->child; j != child; j = j->next) {
        before = j;
    }
    size_t begin = before ? before->end : (size_t)parent->begin + 1, end = child->end;
    if (!before && child->next) {
        while (e->source[end] != ',') { // only space is between
            ++end;
        }
        ++end;
    }
    add(e, begin, end - begin, "");
}

void snGltfEdits_KeepFirst(snGltfEdits* e, const snJson* array)
{
    const snJson* first = array->child;
    for (const snJson* last = first ? first->next : NULL; last; last = last->next) {
        if (!last->next) {
            add(e, first->end, last->end - first->end, "");
        }
    }
}

static int compare(const void* a, const void* b)
{
    const snGltfEdit *x = a, *y = b;
    return x->at != y->at         ? (x->at < y->at ? -1 : 1)
           : x->order < y->order  ? -1
           : x->order == y->order ? 0
                                  : 1;
}

const char* snGltfEdits_Render(snGltfEdits* e, size_t begin, size_t end, size_t* length)
{
    size_t size = end - begin;
    for (size_t i = 0; i < e->count; ++i) {
        size += e->items[i].length;
    }
    char* out = e->arena->failed ? NULL : snArena_Push(e->arena, size + 1, 1);
    if (!out) {
        return NULL;
    }
    if (e->count > 0) {
        qsort(e->items, e->count, sizeof *e->items, compare);
    }
    size_t from = begin, n = 0;
    for (size_t i = 0; i < e->count; ++i) {
        const snGltfEdit* x = &e->items[i];
        memcpy(out + n, e->source + from, x->at - from);
        n += x->at - from;
        memcpy(out + n, x->text, x->length);
        n += x->length;
        from = x->at + x->removed;
    }
    memcpy(out + n, e->source + from, end - from);
    *length = n + (end - from);
    return out;
}
