// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Point caches of a bake, for programs that play vertices: a file for each clip and mesh object,
// and a script that makes Blender play them (script.c).
//
// An object is what Blender makes of a node with a mesh. Of glTF: all primitives one after the
// other, of each the vertices that its triangles have, in the file's order; what is skinned is in
// the world, since its node does not count, the rest in the space of its node. Of FBX: the control
// points of the artist's mesh, in the world.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bake/script.h"
#include "base/file.h"
#include "io/sink/point_cache.h"
#include "rig/matrix.h"

// PC2 is written as it lies in memory, MDD swapped.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the PC2 writer swaps no bytes");

static bool isMdd(const snBaker* b)
{
    return b->def->as == sn_bakeMdd;
}

static snStatus failMemory(const snBaker* b)
{
    return snFail(b->why, sn_errorMemory, "out of memory");
}

// Objects --------------------------------------------------------------------------

static bool hasFlesh(const snBaker* b, int32_t instance)
{
    for (int32_t i = 0; i < b->surface->moving_count; ++i) {
        if (b->surface->instance[i] == instance) {
            return true;
        }
    }
    return b->rig->instances[instance].info.skin >= 0;
}

// Control points of a shape's vertices; NULL = not known
static const float* pointsOf(const snBaker* b, const snRigShape* s)
{
    bool counted = s->point_count > 0 && strcmp(b->rig->info.kind, "fbx") == 0;
    for (int32_t i = 0; i < s->attribute_count && counted; ++i) {
        const snRigAttribute* a = &s->attributes[i];
        if (a->width == 1 && strcmp(a->name, "_CONTROL_POINT") == 0) {
            return a->values;
        }
    }
    return NULL;
}

// Instances of an artist's mesh that has control points are one object; of others those of a node.
static bool isOneObject(const snBaker* b, int32_t i, int32_t k)
{
    const snRigInstance *m = &b->rig->instances[i], *n = &b->rig->instances[k];
    bool counted = pointsOf(b, m->shape) != NULL;
    if (counted != (pointsOf(b, n->shape) != NULL)) {
        return false;
    }
    return counted ? strcmp(m->shape->model, n->shape->model) == 0 &&
                         m->shape->point_count == n->shape->point_count
                   : m->info.node == n->info.node;
}

// The vertices that triangles have, one after the other
static void addUsed(snCacheObject* o, int32_t instance, const snRigMesh* m, uint8_t* used)
{
    memset(used, 0, (size_t)m->vertex_count);
    for (size_t i = 0; i < 3 * (size_t)m->triangle_count; ++i) {
        used[m->triangles[i]] = 1;
    }
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        if (used[v]) {
            o->instance[o->points] = instance;
            o->vertex[o->points++] = v;
        }
    }
}

// One of the vertices of each control point. They are at one place: what tells them apart is
// normals and texture coordinates.
static void addPoints(snCacheObject* o, int32_t instance, const snRigMesh* m, const float* points)
{
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        int32_t point = (int32_t)points[v];
        if (point >= 0 && point < o->points) {
            o->instance[point] = instance;
            o->vertex[point] = v;
        }
    }
}

// Points that no polygon has go along with the one before.
static void fillGaps(snCacheObject* o)
{
    int32_t last = 0;
    while (last < o->points - 1 && o->instance[last] < 0) {
        ++last;
    }
    for (int32_t i = 0; i < o->points; ++i) {
        last = o->instance[i] < 0 ? last : i;
        o->instance[i] = o->instance[last];
        o->vertex[i] = o->vertex[last];
    }
}

// The object that an instance is the first of
static snStatus makeObject(snBaker* b, int32_t first, snCacheObject* o, uint8_t* used)
{
    const snRigInstance* m = &b->rig->instances[first];
    bool counted = pointsOf(b, m->shape) != NULL;
    size_t room = counted ? (size_t)m->shape->point_count : 0;
    for (int32_t i = first; i < b->rig->info.mesh_count && !counted; ++i) {
        room += isOneObject(b, first, i) ? (size_t)b->rig->instances[i].info.vertex_count : 0;
    }
    *o = (snCacheObject){.first = first,
                         .points = counted ? m->shape->point_count : 0,
                         .name = counted ? m->shape->model : b->rig->nodes[m->info.node].name,
                         .instance = snArena_Push(&b->arena, room, sizeof *o->instance),
                         .vertex = snArena_Push(&b->arena, room, sizeof *o->vertex)};
    if (b->arena.failed) {
        return failMemory(b);
    }
    memset(o->instance, -1, room * sizeof *o->instance);
    for (int32_t i = first; i < b->rig->info.mesh_count; ++i) {
        const snRigInstance* part = &b->rig->instances[i];
        if (!isOneObject(b, first, i)) {
            continue;
        }
        if (counted) {
            addPoints(o, i, &part->info, pointsOf(b, part->shape));
        } else {
            addUsed(o, i, &part->info, used);
        }
        o->has_flesh = o->has_flesh || hasFlesh(b, i);
        o->is_in_world = counted || part->info.skin >= 0;
        o->mesh = part->info.name;
    }
    fillGaps(o);
    return sn_ok;
}

static snStatus findObjects(snBaker* b, snCacheList* list, uint8_t* used)
{
    int32_t count = b->rig->info.mesh_count;
    list->objects = snArena_Push(&b->arena, (size_t)count, sizeof *list->objects);
    for (int32_t i = 0; i < count && list->objects; ++i) {
        bool is_first = true;
        for (int32_t k = 0; k < i && is_first; ++k) {
            is_first = !isOneObject(b, k, i);
        }
        snCacheObject* o = &list->objects[list->object_count];
        snStatus status = is_first ? makeObject(b, i, o, used) : sn_ok;
        if (status) {
            return status;
        }
        list->object_count += is_first && o->has_flesh && o->points > 0;
    }
    return list->objects ? sn_ok : failMemory(b);
}

// Names ----------------------------------------------------------------------------

// Appends _NAME; what file names should not have in them becomes "_".
static void addName(char* out, size_t size, const char* name)
{
    size_t n = strlen(out);
    for (size_t i = 0; i <= strlen(name) && n + 1 < size; ++i) {
        unsigned char c = i == 0 ? '_' : (unsigned char)name[i - 1];
        bool fine = c >= 0x80 || c == '-' || c == '.' || (c >= '0' && c <= '9') ||
                    (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        out[n++] = fine ? (char)c : '_';
    }
    out[n] = 0;
}

static bool isTaken(const snCacheList* list, const char* path)
{
    for (int32_t i = 0; i < list->file_count; ++i) {
        if (strcmp(list->files[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

// x.pc2; of several clips x_CLIP.pc2; of several objects x_NODE.pc2 or x_CLIP_NODE.pc2
static bool nameFile(snBaker* b, const snCacheList* list, snCacheFile* file)
{
    const snCacheObject* o = &list->objects[file->object];
    const char* end = strrchr(b->path, '.');
    char path[SN_PATH_SIZE], number[32];
    for (int32_t k = 1; k <= list->file_count + 1; ++k) {
        snprintf(path, sizeof path, "%.*s", (int)(end - b->path), b->path);
        if (b->clip_count > 1) {
            snprintf(number, sizeof number, "%d", (int)file->clip->facts->clip);
            addName(path, sizeof path - 32,
                    file->clip->facts->name[0] ? file->clip->facts->name : number);
        }
        if (list->object_count > 1) {
            addName(path, sizeof path - 32, o->name[0] ? o->name : o->mesh);
        }
        snprintf(number, sizeof number, "%d", (int)k);
        if (k > 1) {
            addName(path, sizeof path - 16, number);
        }
        snprintf(path + strlen(path), sizeof path - strlen(path), "%.8s", end);
        if (!isTaken(list, path)) {
            break;
        }
    }
    file->path = snArena_String(&b->arena, path, strlen(path));
    return file->path != NULL;
}

// Writing --------------------------------------------------------------------------

static void putWords(const snBaker* b, snFileWriter* file, void* words, size_t count)
{
    uint8_t* bytes = words;
    for (size_t i = 0; i < count && isMdd(b); ++i) {
        uint8_t *w = bytes + 4 * i, a = w[0], c = w[1];
        w[0] = w[3], w[1] = w[2], w[2] = c, w[3] = a;
    }
    snFileWriter_Write(file, words, 4 * count);
}

// See io/point_cache.h.
static void putHeader(const snBaker* b, const snBakeClip* c, int32_t points, snFileWriter* file)
{
    int32_t frames = c->made, version = 1;
    float first = 0, step = 1;
    if (isMdd(b)) {
        putWords(b, file, &frames, 1);
        putWords(b, file, &points, 1);
        for (int32_t i = 0; i < c->made; ++i) {
            float time = (float)(snBakeClip_Time(c, i) - snBakeClip_Time(c, 0));
            putWords(b, file, &time, 1);
        }
        return;
    }
    snFileWriter_Write(file, "POINTCACHE2", 12);
    putWords(b, file, &version, 1);
    putWords(b, file, &points, 1);
    putWords(b, file, &first, 1);
    putWords(b, file, &step, 1);
    putWords(b, file, &frames, 1);
}

// What one frame of an object takes: vertices of its largest instance, and its points
typedef struct Buffers {
    uint8_t* used;
    float *all, *points;
} Buffers;

static void putObject(snBaker* b, const snCacheObject* o, Buffers* buffers, snFileWriter* file)
{
    snMatrix to = snMatrix_Identity();
    if (!o->is_in_world) {
        bool ok;
        int32_t node = b->rig->instances[o->first].info.node;
        snMatrix found = snMatrix_Inverse(&b->surface->nodes[node], &ok);
        to = ok ? found : to; // a flat node shows nothing
    }
    for (int32_t i = o->first; i < b->rig->info.mesh_count; ++i) {
        if (!isOneObject(b, o->first, i)) {
            continue;
        }
        snFollowSurface_Instance(b->surface, i, buffers->all, NULL);
        for (int32_t k = 0; k < o->points; ++k) {
            if (o->instance[k] != i) {
                continue;
            }
            const float* x = buffers->all + 3 * (size_t)o->vertex[k];
            snVec3 p = snV3((double)x[0], (double)x[1], (double)x[2]);
            p = o->is_in_world ? p : snMatrix_Point(&to, p);
            float* out = buffers->points + 3 * (size_t)k;
            out[0] = (float)p.x, out[1] = (float)p.y, out[2] = (float)p.z;
        }
    }
    putWords(b, file, buffers->points, 3 * (size_t)o->points);
}

static snStatus writeClip(snBaker* b, snCacheList* list, snBakeClip* c, Buffers* buffers)
{
    int32_t count = list->object_count, opened = 0;
    snFileWriter* files = snArena_Push(&b->arena, (size_t)count, sizeof *files);
    snStatus status = files ? sn_ok : failMemory(b);
    snCacheFile* first = &list->files[list->file_count];
    for (int32_t k = 0; k < count && !status; ++k) {
        snCacheFile* file = &list->files[list->file_count];
        *file = (snCacheFile){.clip = c, .object = k};
        status = nameFile(b, list, file) ? snFileWriter_Open(&files[k], file->path, b->why)
                                         : failMemory(b);
        ++list->file_count;
        if (!status) {
            ++opened;
            putHeader(b, c, list->objects[k].points, &files[k]);
        }
    }
    for (int32_t i = 0; i < c->made && !status; ++i) {
        status = snBaker_IsStopped(b) ? sn_errorInterrupted : snBaker_UpdateSurface(b, c, i);
        for (int32_t k = 0; k < count && !status; ++k) {
            putObject(b, &list->objects[first[k].object], buffers, &files[k]);
        }
        ++b->done;
        snBaker_Tell(b, "write", c);
    }
    for (int32_t k = 0; k < opened; ++k) {
        if (status) {
            snFileWriter_Abort(&files[k]);
        } else {
            status = snFileWriter_Close(&files[k], b->why);
        }
    }
    return status;
}

snStatus snBaker_WriteCaches(snBaker* b)
{
    size_t most = 1, points = 1;
    snCacheList list = {0};
    for (int32_t i = 0; i < b->rig->info.mesh_count; ++i) {
        size_t count = (size_t)b->rig->instances[i].info.vertex_count;
        most = count > most ? count : most;
    }
    Buffers buffers = {.used = snArena_Push(&b->arena, most, 1),
                       .all = snArena_Push(&b->arena, 3 * most, sizeof(float))};
    snStatus status = b->arena.failed ? failMemory(b) : findObjects(b, &list, buffers.used);
    for (int32_t i = 0; i < list.object_count; ++i) {
        size_t count = (size_t)list.objects[i].points;
        points = count > points ? count : points;
    }
    buffers.points = snArena_Push(&b->arena, 3 * points, sizeof(float));
    size_t files = (size_t)list.object_count * (size_t)b->clip_count;
    list.files = snArena_Push(&b->arena, files, sizeof *list.files);
    status = status || (list.files && buffers.points) ? status : failMemory(b);
    b->done = 0;
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        status = writeClip(b, &list, &b->clips[i], &buffers);
    }
    const char** paths = snArena_Push(&b->arena, (size_t)list.file_count, sizeof *paths);
    for (int32_t i = 0; i < list.file_count && paths && list.files; ++i) {
        paths[i] = list.files[i].path;
    }
    status = status || paths ? status : failMemory(b);
    status = status ? status : snBaker_NameFiles(b, paths, list.file_count);
    return status ? status : snBaker_WriteScript(b, &list);
}
