// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Vertices of a document that is made.
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "geom/sort.h"
#include "io/gltf/rig_document.h"

int32_t snDocumentPart_AddField(snDocumentPart* part, const char* name, int32_t width)
{
    if (part->field_count == SN_DOCUMENT_FIELDS) {
        return -1;
    }
    snDocumentField* field = &part->fields[part->field_count++];
    field->offset = (int32_t)part->width;
    field->width = width;
    snprintf(field->name, sizeof field->name, "%s", name);
    part->width += (size_t)width;
    return field->offset;
}

// Which vertices are the first of their kind, and which are like them
static bool findSame(const snDocumentPart* p, snArena* arena, int32_t* first, size_t* unique)
{
    size_t room = 16, bytes = p->width * sizeof *p->rows;
    while (room < 2 * p->vertex_count) {
        room *= 2;
    }
    int32_t* table = snArena_Push(arena, room, sizeof *table); // vertex + 1
    *unique = 0;
    for (size_t v = 0; table && v < p->vertex_count; ++v) {
        const float* row = p->rows + v * p->width;
        size_t slot = snHash(row, bytes, 0) & (room - 1);
        while (table[slot] &&
               memcmp(p->rows + (size_t)(table[slot] - 1) * p->width, row, bytes) != 0) {
            slot = (slot + 1) & (room - 1);
        }
        if (!table[slot]) {
            table[slot] = (int32_t)v + 1;
            ++*unique;
        }
        first[v] = table[slot] - 1;
    }
    return table != NULL;
}

bool snDocumentPart_Weld(snDocumentPart* p, snArena* arena, int32_t column)
{
    size_t count = p->vertex_count, unique = 0, n = 0;
    int32_t* first = snArena_Push(arena, count, sizeof *first);
    if (!first || !findSame(p, arena, first, &unique)) {
        return false;
    }
    uint64_t* key = snArena_Push(arena, unique, sizeof *key);
    int32_t* kept = snArena_Push(arena, unique, sizeof *kept);
    uint32_t* place = snArena_Push(arena, count, sizeof *place);
    float* rows = snArena_Push(arena, unique, p->width * sizeof *rows);
    if (arena->failed) {
        return false;
    }
    for (size_t v = 0; v < count; ++v) {
        if (first[v] == (int32_t)v) {
            key[n] = column < 0 ? n : (uint64_t)p->rows[v * p->width + (size_t)column];
            kept[n++] = (int32_t)v;
        }
    }
    snSort_Pairs(arena, key, kept, (int64_t)unique);
    for (size_t i = 0; i < unique; ++i) {
        place[kept[i]] = (uint32_t)i;
        memcpy(rows + i * p->width, p->rows + (size_t)kept[i] * p->width, p->width * sizeof *rows);
    }
    for (size_t i = 0; i < p->index_count; ++i) {
        p->indices[i] = place[first[p->indices[i]]];
    }
    p->rows = rows;
    p->vertex_count = unique;
    return !arena->failed;
}
