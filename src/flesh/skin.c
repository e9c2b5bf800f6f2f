// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/skin.h"

#include "base/message.h"
#include "flesh/skin_pass.h"
#include "math/isa.h"
#include "math/mat.h"

SN_ISA_DECLARE(snSkinRangeFcn, snSkinNodes);
SN_ISA_DECLARE(snSkinRangeFcn, snSkinVertices);

// Building ----------------------------------------------------------------------

typedef struct Builder {
    const snTets* tets;
    const double* fill;
    int32_t* first; // of a node's cells in `cells`; (node_count + 1)
    int32_t* cells;
    int32_t* place; // of a node among the neighbours being listed, or -1; (node_count)
} Builder;

static snStatus startBuilder(snArena* scratch, const snFlesh* flesh, Builder* b, snMessage* why)
{
    const snTets* tets = &flesh->tets;
    size_t nodes = (size_t)tets->node_count, corners = 4 * (size_t)tets->tet_count;
    *b = (Builder){tets, flesh->fill, snArena_Push(scratch, nodes + 2, sizeof(int32_t)),
                   snArena_Push(scratch, corners, sizeof(int32_t)),
                   snArena_Push(scratch, nodes, sizeof(int32_t))};
    if (scratch->failed) {
        return snFail(why, sn_errorMemory, "no memory for a skin of %zu nodes", nodes);
    }
    for (size_t i = 0; i < corners; ++i) {
        ++b->first[tets->tet[i] + 2];
    }
    for (size_t i = 0; i < nodes; ++i) {
        b->place[i] = -1;
        b->first[i + 2] += b->first[i + 1];
    }
    for (size_t i = 0; i < corners; ++i) {
        b->cells[b->first[tets->tet[i] + 1]++] = (int32_t)(i / 4);
    }
    return sn_ok;
}

// Gradients of a cell's shape functions: those of corners 1..3 are the rows of Dm^-1.
static void gradientsOf(const snTets* tets, const int32_t* n, snVec3 g[4])
{
    bool regular;
    snVec3 o = tets->position[n[0]];
    snMat3 B =
        snMatInverse(snMatFromCols(snSub(tets->position[n[1]], o), snSub(tets->position[n[2]], o),
                                   snSub(tets->position[n[3]], o)),
                     &regular);
    for (int k = 0; k < 3; ++k) {
        g[k + 1] = snMatRow(B, k);
    }
    g[0] = snNeg(snAdd(g[1], snAdd(g[2], g[3])));
}

// Mean over the node's cells of the gradients of its neighbours' shape functions, weighted by V w.
// Returns how many neighbours there are; list NULL: only counts.
static int32_t listNeighbours(Builder* b, int32_t node, snSkinNeighbour* list)
{
    int32_t count = 0;
    double total = 0;
    for (int32_t c = b->first[node]; c < b->first[node + 1]; ++c) {
        const int32_t* n = b->tets->tet + 4 * (size_t)b->cells[c];
        double weight = b->fill[b->cells[c]] * snTets_Volume(b->tets, b->cells[c]);
        snVec3 g[4];
        if (list) {
            gradientsOf(b->tets, n, g);
        }
        total += weight;
        for (int k = 0; k < 4; ++k) {
            if (n[k] == node) {
                continue;
            }
            if (b->place[n[k]] < 0) {
                b->place[n[k]] = count++;
                if (list) {
                    list[count - 1] = (snSkinNeighbour){{0, 0, 0}, n[k]};
                }
            }
            if (list) {
                snVec3* sum = &list[b->place[n[k]]].g;
                *sum = snMulAdd(*sum, weight, g[k]);
            }
        }
    }
    for (int32_t c = b->first[node]; c < b->first[node + 1]; ++c) {
        for (int k = 0; k < 4; ++k) {
            b->place[b->tets->tet[4 * (size_t)b->cells[c] + (size_t)k]] = -1;
        }
    }
    for (int32_t i = 0; i < count && list; ++i) {
        list[i].g = snScale(1 / total, list[i].g);
    }
    return count;
}

// slot_of: place of a node among those used
static snStatus tieVertices(snArena* arena, const int32_t* slot_of, snSkin* s, snMessage* why)
{
    const snFlesh* f = s->flesh;
    snSkinTie* ties = snArena_Push(arena, (size_t)f->vertex_count, sizeof(snSkinTie));
    if (!ties) {
        return snFail(why, sn_errorMemory, "no memory for a skin of %d vertices",
                      (int)f->vertex_count);
    }
    for (int32_t i = 0; i < f->vertex_count; ++i) {
        for (int k = 0; k < 4; ++k) {
            ties[i].slot[k] = slot_of[f->ties[i].node[k]];
            ties[i].weight[k] = f->ties[i].weight[k];
        }
    }
    s->ties = ties;
    return sn_ok;
}

static double totalOf(const snTie* tie)
{
    double total = 0;
    for (int k = 0; k < 4; ++k) {
        total += (double)tie->weight[k];
    }
    return total;
}

static void fillBlocks(const snFlesh* f, const snSurface* surface, const snVec3* normal,
                       snSkinBlock* blocks)
{
    for (int32_t i = 0; i < surface->vertex_count; ++i) {
        snSkinBlock* b = &blocks[i / SN_SKIN_LANES];
        const int lane = i % SN_SKIN_LANES;
        snVec3 Y = surface->position[i];
        // a vertex without area has no normal
        snVec3 N = snLengthSq(normal[i]) > 0 ? normal[i] : snV3(0, 1, 0);
        b->Y[0][lane] = Y.x, b->Y[1][lane] = Y.y, b->Y[2][lane] = Y.z;
        b->N[0][lane] = N.x, b->N[1][lane] = N.y, b->N[2][lane] = N.z;
        b->scale[lane] = 1 / totalOf(&f->ties[i]);
    }
}

static snStatus listUsed(snArena* arena, snArena* scratch, snSkin* s, snMessage* why)
{
    const snFlesh* f = s->flesh;
    size_t nodes = (size_t)f->tets.node_count;
    int32_t* slot_of = snArena_Push(scratch, nodes, sizeof(int32_t));
    int32_t* used = snArena_Push(arena, nodes, sizeof(int32_t));
    int32_t* begin = snArena_Push(arena, nodes + 1, sizeof(int32_t));
    Builder b;
    snStatus status = startBuilder(scratch, f, &b, why);
    if (status || arena->failed) {
        return status ? status : snFail(why, sn_errorMemory, "no memory for %zu nodes", nodes);
    }
    for (int32_t i = 0; i < f->vertex_count; ++i) {
        for (int k = 0; k < 4; ++k) {
            slot_of[f->ties[i].node[k]] = 1;
        }
    }
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        int32_t slot = slot_of[i] ? s->used_count++ : -1;
        slot_of[i] = slot;
        if (slot >= 0) {
            used[slot] = i;
            begin[slot + 1] = begin[slot] + listNeighbours(&b, i, NULL);
        }
    }
    snSkinNeighbour* list =
        snArena_Push(arena, (size_t)begin[s->used_count], sizeof(snSkinNeighbour));
    if (!list) {
        return snFail(why, sn_errorMemory, "no memory for %d neighbours",
                      (int)begin[s->used_count]);
    }
    for (int32_t i = 0; i < s->used_count; ++i) {
        listNeighbours(&b, used[i], list + begin[i]);
    }
    s->used = used;
    s->begin = begin;
    s->neighbours = list;
    return tieVertices(arena, slot_of, s, why);
}

snStatus snSkin_Build(snArena* arena, const snFlesh* flesh, const snSurface* surface,
                      const snSkin** out, snMessage* why)
{
    size_t count = (size_t)surface->vertex_count;
    size_t block_count = (count + SN_SKIN_LANES - 1) / SN_SKIN_LANES;
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snSkin* s = snArena_Push(arena, 1, sizeof *s);
    snSkinBlock* blocks = snArena_Push(arena, block_count, sizeof(snSkinBlock));
    snVec3* normal = snArena_Push(&scratch, count, sizeof(snVec3));
    snStatus status = sn_errorMemory;
    if (s && blocks && normal) {
        snSurface_Normals(surface, normal);
        fillBlocks(flesh, surface, normal, blocks);
        *s = (snSkin){.flesh = flesh, .blocks = blocks};
        status = listUsed(arena, &scratch, s, why);
    } else {
        snFail(why, status, "no memory for a skin of %zu vertices", count);
    }
    snArena_Free(&scratch);
    *out = s;
    return status;
}

// Updating ----------------------------------------------------------------------

size_t snSkin_WorkSize(const snSkin* skin)
{
    return (size_t)(skin->used_count > 0 ? skin->used_count : 1) * sizeof(snSkinNode);
}

typedef struct Job {
    const snSkinPass* pass;
    snSkinRangeFcn* kernel;
    int32_t count; // of nodes or vertices
} Job;

static void runRange(void* argument, int index, int worker)
{
    const Job* job = argument;
    int32_t begin = index * SN_SKIN_RANGE, left = job->count - begin;
    (void)worker;
    job->kernel(job->pass, begin, begin + (left < SN_SKIN_RANGE ? left : SN_SKIN_RANGE));
}

static void run(snTasks* tasks, const snSkinPass* pass, snSkinRangeFcn* kernel, int32_t count)
{
    Job job = {pass, kernel, count};
    snTasks_Run(tasks, (count + SN_SKIN_RANGE - 1) / SN_SKIN_RANGE, runRange, &job);
}

void snSkin_Update(const snSkin* skin, snTasks* tasks, snIsa isa, const snVec4f* x, snVec3 shift,
                   void* work, float* position, float* normal)
{
    snSkinPass pass = {.skin = skin, .x = x, .shift = shift, .nodes = work};
    pass.position = position;
    pass.normal = normal;
    run(tasks, &pass, SN_ISA_CHOOSE(isa, snSkinNodes), skin->used_count);
    run(tasks, &pass, SN_ISA_CHOOSE(isa, snSkinVertices), skin->flesh->vertex_count);
}
