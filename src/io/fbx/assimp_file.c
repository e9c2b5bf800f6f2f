// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/fbx/assimp_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/child.h"
#include "base/hash.h"
#include "geom/sort.h"
#include "io/fbx/assimp_scene.h"

// Larger files are refused: Assimp takes many times their size.
#define MOST_BYTES ((size_t)1 << 29)

// What Assimp may take for a file. Of the shared rigs the worst takes 0.13 us and 25 bytes of
// memory for each of its bytes; damaged counts ask for more.
#define SECONDS 20
#define BYTES_PER_SECOND 500000
#define PATIENCE 10 // times as long on a busy machine
#define MEMORY ((size_t)1 << 30)
#define MEMORY_PER_BYTE ((size_t)64)
#define MOST_ANSWER ((size_t)1 << 31)

// Where the text of a Collada file says so at the latest
#define HEAD_TEXT 4096

const char* snAssimp_Kind(const uint8_t* bytes, size_t count)
{
    static const char COLLADA[] = "<COLLADA";
    size_t length = sizeof COLLADA - 1, most = count < HEAD_TEXT ? count : HEAD_TEXT;
    if (snFbx_Is(bytes, count)) {
        return "fbx";
    }
    for (size_t i = 0; i + length <= most; ++i) {
        if (memcmp(bytes + i, COLLADA, length) == 0) {
            return "dae";
        }
    }
    return NULL;
}

#ifndef SN_HAVE_ASSIMP

snStatus snAssimp_Convert(snRig* rig, const char* kind, const char** generator, snMessage* why)
{
    (void)rig;
    (void)generator;
    return snFail(why, sn_errorUnsupported,
                  "it is %s, which is read through Assimp, and that was missing when Sinew was "
                  "built; install libassimp-dev and build again, or export the character as .glb",
                  strcmp(kind, "fbx") == 0 ? "FBX" : "Collada");
}

#else

#include <assimp/cimport.h>
#include <assimp/commonMetaData.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>

// Small helpers --------------------------------------------------------------------

snStatus snAssimp_FailMemory(const snAssimp* a)
{
    return snFail(a->why, sn_errorMemory, "out of memory");
}

const char* snAssimp_Text(const snAssimp* a, const struct aiString* text)
{
    size_t length = text->length < sizeof text->data ? text->length : sizeof text->data - 1;
    const char* kept = snArena_String(a->arena, text->data, length);
    return kept ? kept : "";
}

bool snAssimp_Matrix(const struct aiMatrix4x4* m, snMatrix* out)
{
    const float* all = &m->a1;
    bool fine = true;
    for (int i = 0; i < 12; ++i) {
        fine = fine && fabs((double)all[i]) <= SN_RIG_LARGEST;
    }
    *out = (snMatrix){snV3((double)m->a1, (double)m->b1, (double)m->c1),
                      snV3((double)m->a2, (double)m->b2, (double)m->c2),
                      snV3((double)m->a3, (double)m->b3, (double)m->c3),
                      snV3((double)m->a4, (double)m->b4, (double)m->c4)};
    return fine;
}

void* snAssimp_Grow(snAssimp* a, void* list, size_t* room, int32_t count, size_t size)
{
    if ((size_t)count < *room) {
        return list;
    }
    size_t larger = *room ? 2 * *room : 16;
    void* moved = snArena_Push(a->arena, larger, size);
    if (moved && count) {
        memcpy(moved, list, (size_t)count * size);
    }
    *room = moved ? larger : *room;
    return moved;
}

int32_t snAssimp_AddNode(snAssimp* a, const char* name, int32_t parent)
{
    snRigDocument* d = &a->document;
    snDocumentNode* nodes =
        snAssimp_Grow(a, d->nodes, &a->node_room, d->node_count, sizeof *d->nodes);
    if (!nodes || !name) {
        return -1;
    }
    d->nodes = nodes;
    d->nodes[d->node_count] = (snDocumentNode){.name = name,
                                               .parent = parent,
                                               .mesh = -1,
                                               .skin = -1,
                                               .rotation = snQIdentity(),
                                               .scale = snV3(1, 1, 1)};
    return d->node_count++;
}

// Nodes ----------------------------------------------------------------------------

static uint64_t hashOf(const char* name)
{
    return snHash(name, strlen(name), 0);
}

int32_t snAssimp_FindNode(const snAssimp* a, const char* name)
{
    uint64_t key = hashOf(name);
    int32_t low = 0, high = a->scene_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (a->name_key[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < a->scene_count && a->name_key[low] == key; ++low) {
        if (strcmp(a->document.nodes[a->name_node[low]].name, name) == 0) {
            return a->name_node[low];
        }
    }
    return -1;
}

// All nodes of the scene, parents first
static snStatus listNodes(snAssimp* a)
{
    size_t room = 0;
    for (int32_t i = -1; i < a->document.node_count; ++i) {
        const struct aiNode* n = i < 0 ? NULL : a->nodes[i];
        unsigned count = i < 0 ? 1 : n->mNumChildren;
        for (unsigned k = 0; k < count; ++k) {
            const struct aiNode* child = n ? n->mChildren[k] : a->scene->mRootNode;
            int32_t place = a->document.node_count;
            a->nodes = snAssimp_Grow(a, a->nodes, &room, place, sizeof *a->nodes);
            if (!a->nodes || snAssimp_AddNode(a, snAssimp_Text(a, &child->mName), i) < 0) {
                return snAssimp_FailMemory(a);
            }
            a->nodes[place] = child;
        }
    }
    a->scene_count = a->document.node_count;
    return sn_ok;
}

static snStatus indexNames(snAssimp* a)
{
    size_t count = (size_t)a->scene_count;
    a->name_key = snArena_Push(a->arena, count, sizeof *a->name_key);
    a->name_node = snArena_Push(a->arena, count, sizeof *a->name_node);
    a->is_moved = snArena_Push(a->arena, count, sizeof *a->is_moved);
    a->is_joint = snArena_Push(a->arena, count, sizeof *a->is_joint);
    a->place = snArena_Push(a->arena, count, sizeof *a->place);
    a->helper = snArena_Push(a->arena, count, sizeof *a->helper);
    if (a->arena->failed) {
        return snAssimp_FailMemory(a);
    }
    for (size_t i = 0; i < count; ++i) {
        a->name_key[i] = hashOf(a->document.nodes[i].name);
        a->name_node[i] = (int32_t)i;
        a->place[i] = a->helper[i] = -1;
    }
    snSort_Pairs(a->arena, a->name_key, a->name_node, a->scene_count);
    return a->arena->failed ? snAssimp_FailMemory(a) : sn_ok;
}

// From the axes and the unit of an FBX file to glTF's: to the right, up, to the front; metres
static snMatrix axesOf(const snFbxFacts* f)
{
    double rows[3][3] = {{0}};
    for (int k = 0; k < 3; ++k) {
        rows[k][f->axis[k]] = f->sign[k] * f->unit;
    }
    return (snMatrix){snV3(rows[0][0], rows[1][0], rows[2][0]),
                      snV3(rows[0][1], rows[1][1], rows[2][1]),
                      snV3(rows[0][2], rows[1][2], rows[2][2]), snV3(0, 0, 0)};
}

// Clips move nodes by parts, so only nodes that none of them moves may have shear.
static void markMoving(const snAssimp* a, bool* moving)
{
    for (unsigned i = 0; i < a->scene->mNumAnimations; ++i) {
        const struct aiAnimation* clip = a->scene->mAnimations[i];
        for (unsigned k = 0; k < clip->mNumChannels; ++k) {
            int32_t node = snAssimp_FindNode(a, clip->mChannels[k]->mNodeName.data);
            if (node >= 0) {
                moving[node] = true;
            }
        }
    }
}

static snStatus placeNodes(snAssimp* a)
{
    bool* moving = snArena_Push(a->arena, (size_t)a->scene_count, sizeof *moving);
    if (!moving) {
        return snAssimp_FailMemory(a);
    }
    markMoving(a, moving);
    for (int32_t i = 0; i < a->scene_count; ++i) {
        snDocumentNode* n = &a->document.nodes[i];
        snMatrix* m = snArena_Push(a->arena, 1, sizeof *m);
        if (!m) {
            return snAssimp_FailMemory(a);
        }
        if (!snAssimp_Matrix(&a->nodes[i]->mTransformation, m)) {
            return snFail(a->why, sn_errorFile,
                          "node '%.60s' is at a place that is not finite; export it again",
                          n->name);
        }
        // an FBX file's root has no place of its own
        *m = a->fbx && i == 0 ? axesOf(a->fbx) : *m;
        bool straight = snMatrix_Split(m, &n->translation, &n->rotation, &n->scale);
        if (!straight && !moving[i]) {
            n->matrix = m;
        }
    }
    return sn_ok;
}

// Nodes that FBX keeps from inheriting their parent's own scale hang on a helper that undoes it:
// place T, then 1 / scale of the parent; then their own rotation and scale.
static snStatus addHelpers(snAssimp* a)
{
    bool* scaled = snArena_Push(a->arena, (size_t)a->scene_count, sizeof *scaled);
    if (!scaled) {
        return snAssimp_FailMemory(a);
    }
    snAssimp_FindScaled(a, scaled);
    for (size_t i = 0; a->fbx && i < a->fbx->loner_count; ++i) {
        int32_t node = snAssimp_FindNode(a, a->fbx->loners[i]);
        int32_t parent = node < 0 ? -1 : a->document.nodes[node].parent;
        if (parent < 0 || !scaled[parent] || a->helper[node] >= 0 ||
            a->document.nodes[node].matrix) {
            continue;
        }
        char name[160];
        snprintf(name, sizeof name, "%.120s (without scale)", a->document.nodes[node].name);
        int32_t helper = snAssimp_AddNode(a, snArena_String(a->arena, name, strlen(name)), parent);
        if (helper < 0) {
            return snAssimp_FailMemory(a);
        }
        snDocumentNode *n = &a->document.nodes[node], *h = &a->document.nodes[helper];
        snVec3 s = a->document.nodes[parent].scale;
        h->translation = n->translation;
        h->scale = snV3(1 / s.x, 1 / s.y, 1 / s.z);
        n->translation = snV3(0, 0, 0);
        n->parent = helper;
        a->helper[node] = helper;
    }
    return sn_ok;
}

// The file -------------------------------------------------------------------------

typedef struct Job {
    const uint8_t* bytes;
    size_t count;
    const char* kind;
} Job;

static const struct aiScene* import(const Job* job)
{
    struct aiPropertyStore* store = aiCreatePropertyStore();
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene* scene = aiImportFileFromMemoryWithProperties(
        (const char*)job->bytes, (unsigned)job->count, aiProcess_Triangulate, job->kind, store);
    aiReleasePropertyStore(store);
    return scene;
}

static const char* generatorOf(const snAssimp* a)
{
    const struct aiMetadata* m = a->scene->mMetaData;
    for (unsigned i = 0; m && i < m->mNumProperties; ++i) {
        if (strcmp(m->mKeys[i].data, AI_METADATA_SOURCE_GENERATOR) == 0 &&
            m->mValues[i].mType == AI_AISTRING) {
            const struct aiString* text = m->mValues[i].mData;
            return snArena_String(&a->rig->arena, text->data, strlen(text->data));
        }
    }
    return "";
}

static void remark(const snAssimp* a)
{
    if (a->fbx && a->fbx->bent_count) {
        snRig_Warn(a->rig,
                   "%zu curves have keys far apart and are no straight lines between them, but are "
                   "taken as such; export it with baked animation (every frame a key)",
                   a->fbx->bent_count);
    }
}

static snStatus convert(snAssimp* a, const char** generator, uint8_t** bytes, size_t* count)
{
    char made_by[200];
    snStatus status = listNodes(a);
    status = status ? status : indexNames(a);
    status = status ? status : placeNodes(a);
    status = status ? status : addHelpers(a);
    status = status ? status : snAssimp_ReadMaterials(a);
    status = status ? status : snAssimp_ReadMeshes(a);
    status = status ? status : snAssimp_ReadClips(a);
    *generator = status ? "" : generatorOf(a);
    if (status || !*generator || a->arena->failed) {
        return status ? status : snAssimp_FailMemory(a);
    }
    remark(a);
    uint32_t version = snVersion();
    snprintf(made_by, sizeof made_by, "Sinew %u.%u.%u%s%.150s", (unsigned)(version / 10000),
             (unsigned)(version / 100 % 100), (unsigned)(version % 100),
             (*generator)[0] ? ", from " : "", *generator);
    a->document.generator = made_by;
    return snRigDocument_Write(&a->document, &a->rig->host, bytes, count, a->why);
}

// Convert with the scene that Assimp makes of it
static snStatus importAndConvert(snAssimp* a, const Job* job, const char** generator,
                                 uint8_t** bytes, size_t* count)
{
    a->scene = import(job);
    if (!a->scene || !a->scene->mRootNode) {
        return snFail(a->why, sn_errorFile,
                      "Assimp cannot read it (%.200s); export it again, or as .glb",
                      a->scene ? "it has no nodes" : aiGetErrorString());
    }
    snStatus status = convert(a, generator, bytes, count);
    aiReleaseImport(a->scene);
    return status;
}

// In a process of its own -----------------------------------------------------------

// The answer: bytes of text, generator and warnings with a 0 after each; then the document
static snStatus pack(const snRig* rig, const char* generator, uint8_t** bytes, size_t* count,
                     snMessage* why)
{
    uint64_t text = strlen(generator) + 1;
    for (int32_t i = 0; i < rig->info.warning_count; ++i) {
        text += strlen(rig->warnings[i]) + 1;
    }
    size_t before = sizeof text + (size_t)text;
    uint8_t* all = snHost_Allocate(&rig->host, before + *count + 1);
    if (!all) {
        snHost_Release(&rig->host, *bytes, *count + 1);
        return snFail(why, sn_errorMemory, "out of memory");
    }
    char* at = (char*)all + sizeof text;
    memcpy(all, &text, sizeof text);
    for (int32_t i = -1; i < rig->info.warning_count; ++i) {
        const char* line = i < 0 ? generator : rig->warnings[i];
        memcpy(at, line, strlen(line) + 1);
        at += strlen(line) + 1;
    }
    memcpy(all + before, *bytes, *count);
    snHost_Release(&rig->host, *bytes, *count + 1);
    *bytes = all;
    *count += before;
    return sn_ok;
}

static snStatus unpack(snRig* rig, const uint8_t* all, size_t count, const char** generator,
                       snMessage* why)
{
    uint64_t text = 0;
    memcpy(&text, all, count < sizeof text ? 0 : sizeof text);
    if (text == 0 || text > count - sizeof text || all[sizeof text + text - 1] != 0) {
        return snFail(why, sn_errorFile,
                      "Assimp, which reads such files, fell over it; export it "
                      "again, or as .glb");
    }
    size_t before = sizeof text + (size_t)text;
    const char *at = (const char*)all + sizeof text, *end = (const char*)all + before;
    uint8_t* document = snHost_Allocate(&rig->host, count - before + 1);
    *generator = snArena_String(&rig->arena, at, strlen(at));
    if (!document || !*generator) {
        snHost_Release(&rig->host, document, count - before + 1);
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
        snRig_Warn(rig, "%s", at);
    }
    memcpy(document, all + before, count - before);
    snHost_Release(&rig->host, rig->source.bytes, rig->source.size + 1);
    rig->source.bytes = document;
    rig->source.size = count - before;
    return sn_ok;
}

static snStatus work(void* argument, const snHost* host, uint8_t** bytes, size_t* count,
                     snMessage* why)
{
    const Job* job = argument;
    const char* generator = "";
    snArena arena;
    snFbxFacts facts;
    snRig* rig = snRig_New(host);
    if (!rig) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snArena_Init(&arena, host);
    snAssimp a = {.rig = rig, .arena = &arena, .left = SN_ASSIMP_MOST, .why = why};
    snStatus status = sn_ok;
    if (strcmp(job->kind, "fbx") == 0) {
        status = snFbxFacts_Read(&arena, job->bytes, job->count, &facts, why);
        a.fbx = &facts;
    }
    status = status ? status : importAndConvert(&a, job, &generator, bytes, count);
    status = status ? status : pack(rig, generator, bytes, count, why);
    snArena_Free(&arena);
    snRig_Release(rig);
    return status;
}

snStatus snAssimp_Convert(snRig* rig, const char* kind, const char** generator, snMessage* why)
{
    size_t size = rig->source.size, count = 0;
    int32_t seconds = (int32_t)(SECONDS + size / BYTES_PER_SECOND);
    Job job = {rig->source.bytes, size, kind};
    snChildDef def = {.work = work,
                      .argument = &job,
                      .seconds = seconds,
                      .patience = PATIENCE * seconds,
                      .memory = MEMORY + MEMORY_PER_BYTE * size,
                      .most = MOST_ANSWER,
                      .who = "Assimp, which reads such files,",
                      .advice = "the file is damaged or unusual: export it again, or open it in "
                                "Blender and export it as glTF (.glb)"};
    uint8_t* bytes = NULL;
    if (size > MOST_BYTES) {
        return snFail(why, sn_errorUnsupported,
                      "it has more than 512 MiB; export the character alone, or as .glb");
    }
    snStatus status = snChild_Run(&rig->host, &def, &bytes, &count, why);
    if (!status) {
        status = unpack(rig, bytes, count, generator, why);
        snHost_Release(&rig->host, bytes, count + 1);
    }
    return status;
}

#endif
