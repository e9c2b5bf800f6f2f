// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Adding ----------------------------------------------------------------------

static DrawItem* addItem(DrawList* list, int32_t kind, int32_t count)
{
    if (list->failed || count <= 0) {
        return NULL;
    }
    if (list->count == list->capacity) {
        int32_t capacity = list->capacity ? 2 * list->capacity : 8;
        DrawItem* items = realloc(list->items, (size_t)capacity * sizeof *items);
        if (!items) {
            list->failed = true;
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    DrawItem* item = &list->items[list->count++];
    memset(item, 0, sizeof *item); // padding too: items are compared and written as bytes
    item->kind = kind;
    item->count = count;
    return item;
}

// Room for one array of an item; NULL after a failure.
static void* addPiece(DrawList* list, DrawItem* item, int piece, size_t bytes)
{
    item->data[piece] = malloc(bytes);
    item->bytes[piece] = item->data[piece] ? bytes : 0;
    list->failed = list->failed || !item->data[piece];
    return item->data[piece];
}

static void copyPiece(DrawList* list, DrawItem* item, int piece, const void* data, size_t bytes)
{
    void* copy = data ? addPiece(list, item, piece, bytes) : NULL;
    if (copy) {
        memcpy(copy, data, bytes);
    }
}

void addMesh(DrawList* list, const DrawMesh* mesh)
{
    DrawItem* item = addItem(list, drawMesh, mesh->triangle_count > 0 ? mesh->vertex_count : 0);
    if (!item) {
        return;
    }
    for (int32_t i = 0; i < 3 * mesh->triangle_count; ++i) {
        if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->vertex_count) {
            list->failed = true;
            return;
        }
    }
    size_t vertices = (size_t)mesh->vertex_count * 3 * sizeof(float);
    item->triangle_count = mesh->triangle_count;
    item->scenery = mesh->scenery;
    item->colour = mesh->colour;
    copyPiece(list, item, 0, mesh->positions, vertices);
    copyPiece(list, item, 1, mesh->normals, vertices);
    copyPiece(list, item, 2, mesh->triangles, (size_t)mesh->triangle_count * 3 * sizeof(int32_t));
    copyPiece(list, item, 3, mesh->colours, vertices);
}

void addLines(DrawList* list, const float* points, int32_t count, Colour colour, float width)
{
    DrawItem* item = addItem(list, drawLines, count);
    if (item) {
        item->colour = colour;
        item->width = width;
        copyPiece(list, item, 0, points, (size_t)count * 6 * sizeof(float));
    }
}

void addSpheres(DrawList* list, const float* spheres, const Colour* colours, int32_t count,
                Colour colour)
{
    DrawItem* item = addItem(list, drawCapsules, count);
    DrawBone* bones = item ? addPiece(list, item, 0, (size_t)count * sizeof *bones) : NULL;
    for (int32_t i = 0; bones && i < count; ++i) {
        memcpy(bones[i].from, spheres + 4 * i, sizeof bones[i].from);
        memcpy(bones[i].to, spheres + 4 * i, sizeof bones[i].to);
        bones[i].radius = spheres[4 * i + 3];
        bones[i].colour = colours ? colours[i] : colour;
    }
}

void addBones(DrawList* list, DrawKind kind, const DrawBone* bones, int32_t count)
{
    DrawItem* item = addItem(list, (int32_t)kind, count);
    if (item) {
        copyPiece(list, item, 0, bones, (size_t)count * sizeof *bones);
    }
}

void clearDrawList(DrawList* list)
{
    for (int32_t i = 0; i < list->count; ++i) {
        for (int k = 0; k < DRAW_PIECES; ++k) {
            free(list->items[i].data[k]);
        }
    }
    free(list->items);
    *list = (DrawList){0};
}

// Measuring -------------------------------------------------------------------

Extent emptyExtent(void)
{
    return (Extent){{1e30, 1e30, 1e30}, {-1e30, -1e30, -1e30}, {-1e30, -1e30, -1e30, -1e30}};
}

bool isEmpty(const Extent* e)
{
    return e->low.x > e->high.x;
}

static snVec3 least(snVec3 a, snVec3 b)
{
    return (snVec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}

static snVec3 most(snVec3 a, snVec3 b)
{
    return (snVec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}

void joinExtent(Extent* e, const Extent* other)
{
    e->low = least(e->low, other->low);
    e->high = most(e->high, other->high);
    for (int k = 0; k < 4; ++k) {
        e->side[k] = fmax(e->side[k], other->side[k]);
    }
}

static void measurePoint(const float* p, double radius, const snVec3 normals[4], Extent* e)
{
    double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    e->low = least(e->low, (snVec3){x - radius, y - radius, z - radius});
    e->high = most(e->high, (snVec3){x + radius, y + radius, z + radius});
    for (int k = 0; k < 4; ++k) {
        e->side[k] =
            fmax(e->side[k], normals[k].x * x + normals[k].y * y + normals[k].z * z + radius);
    }
}

void measureItem(const DrawItem* item, const snVec3 normals[4], Extent* extent)
{
    const float* points = item->data[0];
    const DrawBone* bones = item->data[0];
    for (int32_t k = 0; k < item->count; ++k) {
        if (item->kind == drawMesh) {
            measurePoint(points + 3 * (size_t)k, 0, normals, extent);
        } else if (item->kind == drawLines) {
            measurePoint(points + 6 * (size_t)k, 0, normals, extent);
            measurePoint(points + 6 * (size_t)k + 3, 0, normals, extent);
        } else {
            measurePoint(bones[k].from, (double)bones[k].radius, normals, extent);
            measurePoint(bones[k].to, (double)bones[k].radius, normals, extent);
        }
    }
}

void measureDrawList(const DrawList* list, bool scenery, const snVec3 normals[4], Extent* extent)
{
    for (int32_t i = 0; i < list->count; ++i) {
        if ((list->items[i].scenery != 0) == scenery) {
            measureItem(&list->items[i], normals, extent);
        }
    }
}

// Colours ---------------------------------------------------------------------

Colour scaleColour(const Scale* scale, double place)
{
    double at = fmin(fmax(place, 0), 1) * (SCALE_STOPS - 1);
    int i = at < SCALE_STOPS - 1 ? (int)at : SCALE_STOPS - 2;
    float t = (float)(at - i);
    const Colour *a = &scale->stops[i], *b = &scale->stops[i + 1];
    return (Colour){a->r + t * (b->r - a->r), a->g + t * (b->g - a->g), a->b + t * (b->b - a->b),
                    a->a + t * (b->a - a->a)};
}

// Keeping ---------------------------------------------------------------------

// The array that `last` has in the same place, when it has as many bytes.
static const void* samePlace(const DrawList* last, int32_t item, int piece, size_t bytes)
{
    return last && item < last->count && last->items[item].bytes[piece] == bytes
               ? last->items[item].data[piece]
               : NULL;
}

bool writeDrawList(FILE* file, const DrawList* list, const DrawList* last)
{
    bool ok = fwrite(&list->count, sizeof list->count, 1, file) == 1;
    for (int32_t i = 0; i < list->count && ok; ++i) {
        const DrawItem* item = &list->items[i];
        ok = fwrite(item, sizeof *item, 1, file) == 1;
        for (int k = 0; k < DRAW_PIECES && ok; ++k) {
            size_t bytes = item->bytes[k];
            const void* other = samePlace(last, i, k, bytes);
            int same = bytes && other && memcmp(other, item->data[k], bytes) == 0;
            ok = !bytes || (fputc(same, file) != EOF &&
                            (same || fwrite(item->data[k], 1, bytes, file) == bytes));
        }
    }
    return ok;
}

static bool readPiece(FILE* file, DrawList* list, int32_t i, int k, size_t bytes,
                      const DrawList* last)
{
    int same = fgetc(file);
    void* data = addPiece(list, &list->items[i], k, bytes);
    const void* other = samePlace(last, i, k, bytes);
    if (data && same == 1 && other) {
        memcpy(data, other, bytes);
        return true;
    }
    return data && same == 0 && fread(data, 1, bytes, file) == bytes;
}

bool readDrawList(FILE* file, DrawList* list, const DrawList* last)
{
    int32_t count = 0;
    bool ok = fread(&count, sizeof count, 1, file) == 1;
    for (int32_t i = 0; i < count && ok; ++i) {
        DrawItem written;
        ok = fread(&written, sizeof written, 1, file) == 1;
        DrawItem* item = ok ? addItem(list, written.kind, written.count) : NULL;
        ok = item != NULL;
        if (ok) {
            item->triangle_count = written.triangle_count;
            item->scenery = written.scenery;
            item->colour = written.colour;
            item->width = written.width;
        }
        for (int k = 0; k < DRAW_PIECES && ok; ++k) {
            ok = !written.bytes[k] || readPiece(file, list, i, k, written.bytes[k], last);
        }
    }
    return ok;
}
