// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Point caches of a bake, for programs that play vertices: a file for each clip and mesh object,
// and a script that makes Blender play them (bake_script.c).
//
// An object is what Blender makes of a node with a mesh: all primitives one after the other, of
// each the vertices that its triangles have, in the file's order. What is skinned is in the world,
// since its node does not count; the rest is in the space of its node.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/bake_script.h"
#include "io/point_cache.h"
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

// Marks the vertices of an instance that triangles have; returns how many.
static int32_t markUsed(const snRigMesh* m, uint8_t* used)
{
    int32_t count = 0;
    memset(used, 0, (size_t)m->vertex_count);
    for (size_t i = 0; i < 3 * (size_t)m->triangle_count; ++i) {
        count += !used[m->triangles[i]];
        used[m->triangles[i]] = 1;
    }
    return count;
}

static snStatus findObjects(snBaker* b, snCacheList* list, uint8_t* used)
{
    const snRig* rig = b->rig;
    list->objects = snArena_Push(&b->arena, (size_t)rig->info.node_count, sizeof *list->objects);
    for (int32_t n = 0; n < rig->info.node_count && list->objects; ++n) {
        snCacheObject o = {.node = n};
        bool wanted = false;
        for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
            const snRigMesh* m = &rig->instances[i].info;
            if (m->node == n) {
                wanted = wanted || hasFlesh(b, i);
                o.points += markUsed(m, used);
                o.is_skinned = m->skin >= 0;
                o.mesh = m->name;
            }
        }
        if (wanted && o.points > 0) {
            list->objects[list->object_count++] = o;
        }
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
            const char* name = b->rig->nodes[o->node].name;
            addName(path, sizeof path - 32, name[0] ? name : o->mesh);
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

// What one frame of an object takes: of its largest instance
typedef struct Buffers {
    uint8_t* used;
    float *all, *some;
} Buffers;

static void putObject(snBaker* b, const snCacheObject* o, Buffers* buffers, snFileWriter* file)
{
    snMatrix to = snMatrix_Identity();
    if (!o->is_skinned) {
        bool ok;
        snMatrix found = snMatrix_Inverse(&b->surface->nodes[o->node], &ok);
        to = ok ? found : to; // a flat node shows nothing
    }
    for (int32_t i = 0; i < b->rig->info.mesh_count; ++i) {
        const snRigMesh* m = &b->rig->instances[i].info;
        size_t n = 0;
        if (m->node != o->node) {
            continue;
        }
        markUsed(m, buffers->used);
        snFollowSurface_Instance(b->surface, i, buffers->all, NULL);
        for (int32_t v = 0; v < m->vertex_count; ++v) {
            const float* x = buffers->all + 3 * (size_t)v;
            if (buffers->used[v]) {
                snVec3 p = snV3((double)x[0], (double)x[1], (double)x[2]);
                p = o->is_skinned ? p : snMatrix_Point(&to, p);
                float* out = buffers->some + 3 * n++;
                out[0] = (float)p.x, out[1] = (float)p.y, out[2] = (float)p.z;
            }
        }
        putWords(b, file, buffers->some, 3 * n);
    }
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
        status = snBaker_IsStopped(b) ? sn_errorInterrupted : snBaker_Show(b, c, i);
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
    size_t most = 1;
    snCacheList list = {0};
    for (int32_t i = 0; i < b->rig->info.mesh_count; ++i) {
        size_t count = (size_t)b->rig->instances[i].info.vertex_count;
        most = count > most ? count : most;
    }
    Buffers buffers = {.used = snArena_Push(&b->arena, most, 1),
                       .all = snArena_Push(&b->arena, 3 * most, sizeof(float)),
                       .some = snArena_Push(&b->arena, 3 * most, sizeof(float))};
    snStatus status = b->arena.failed ? failMemory(b) : findObjects(b, &list, buffers.used);
    size_t files = (size_t)list.object_count * (size_t)b->clip_count;
    list.files = snArena_Push(&b->arena, files, sizeof *list.files);
    status = status || list.files ? status : failMemory(b);
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
