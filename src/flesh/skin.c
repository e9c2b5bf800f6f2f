// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/skin.h"

#include "base/message.h"
#include "math/mat.h"

// What a neighbour's place adds to a node's mean gradient: F += (x - x_node) g'.
typedef struct Neighbour {
    int32_t node;
    snVec3 g; // 1/m
} Neighbour;

struct snSkin {
    const snFlesh* flesh;
    const snSurface* surface;
    const snVec3* normal; // at rest; (vertex_count)
    // nodes that vertices are tied to
    int32_t used_count;
    const int32_t* used;    // (used_count)
    const int32_t* slot_of; // place of a node in used, or -1; (node_count)
    const int32_t* begin;   // of its neighbours; (used_count + 1)
    const Neighbour* neighbours;
};

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
static int32_t listNeighbours(Builder* b, int32_t node, Neighbour* list)
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
                    list[count - 1] = (Neighbour){n[k], {0, 0, 0}};
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

static snStatus listUsed(snArena* arena, snArena* scratch, snSkin* s, snMessage* why)
{
    const snFlesh* f = s->flesh;
    size_t nodes = (size_t)f->tets.node_count;
    int32_t* slot_of = snArena_Push(arena, nodes, sizeof(int32_t));
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
    Neighbour* list = snArena_Push(arena, (size_t)begin[s->used_count], sizeof(Neighbour));
    if (!list) {
        return snFail(why, sn_errorMemory, "no memory for %d neighbours",
                      (int)begin[s->used_count]);
    }
    for (int32_t i = 0; i < s->used_count; ++i) {
        listNeighbours(&b, used[i], list + begin[i]);
    }
    s->slot_of = slot_of;
    s->used = used;
    s->begin = begin;
    s->neighbours = list;
    return sn_ok;
}

snStatus snSkin_Build(snArena* arena, const snFlesh* flesh, const snSurface* surface,
                      const snSkin** out, snMessage* why)
{
    snSkin* s = snArena_Push(arena, 1, sizeof *s);
    snVec3* normal = snArena_Push(arena, (size_t)surface->vertex_count, sizeof(snVec3));
    if (!s || !normal) {
        return snFail(why, sn_errorMemory, "no memory for a skin of %d vertices",
                      (int)surface->vertex_count);
    }
    snSurface_Normals(surface, normal);
    *s = (snSkin){.flesh = flesh, .surface = surface, .normal = normal};
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snStatus status = listUsed(arena, &scratch, s, why);
    snArena_Free(&scratch);
    *out = s;
    return status;
}

// How much of the nodes' tangents counts, see skin.h.
#define LEAN 0.5

// Updating ----------------------------------------------------------------------

size_t snSkin_WorkSize(const snSkin* skin)
{
    return (size_t)(skin->used_count > 0 ? skin->used_count : 1) * sizeof(snMat3);
}

static snVec3 placeOf(const snVec4f* x, int32_t node)
{
    return snV3((double)x[node].x, (double)x[node].y, (double)x[node].z);
}

static snMat3 meanGradient(const snSkin* skin, int32_t slot, const snVec4f* x)
{
    snMat3 F = snMat3_Diagonal(0, 0, 0);
    snVec3 o = placeOf(x, skin->used[slot]);
    for (int32_t i = skin->begin[slot]; i < skin->begin[slot + 1]; ++i) {
        const Neighbour* n = &skin->neighbours[i];
        F = snMatAdd(F, snOuter(snSub(placeOf(x, n->node), o), n->g));
    }
    return F;
}

// Areas map by the cofactor, n = cof(F) N, whose columns are the products of F's. Where F has lost
// two directions, that says nothing: then a direction that F keeps, or the old one.
static snVec3 carryNormal(snMat3 F, snVec3 N)
{
    snVec3 a = snMatCol(F, 0), b = snMatCol(F, 1), c = snMatCol(F, 2);
    snVec3 n = snScale(N.x, snCross(b, c));
    n = snMulAdd(n, N.y, snCross(c, a));
    n = snMulAdd(n, N.z, snCross(a, b));
    double size = snLengthSq(a) + snLengthSq(b) + snLengthSq(c);
    if (!(snLengthSq(n) > 1e-20 * size * size)) {
        n = snMatVec(F, N);
    }
    if (!(snLengthSq(n) > 1e-20 && snLengthSq(n) < 1e300)) {
        n = snLengthSq(N) > 0 ? N : snV3(0, 1, 0);
    }
    return snNormalize(n);
}

void snSkin_Update(const snSkin* skin, const snVec4f* x, snVec3 shift, void* work, float* position,
                   float* normal)
{
    const snFlesh* f = skin->flesh;
    snMat3* F = work;
    for (int32_t i = 0; i < skin->used_count; ++i) {
        F[i] = meanGradient(skin, i, x);
    }
    for (int32_t i = 0; i < f->vertex_count; ++i) {
        const snTie* t = &f->ties[i];
        snMat3 blend = snMat3_Diagonal(0, 0, 0);
        snVec3 y = snV3(0, 0, 0);
        double total = 0;
        for (int k = 0; k < 4; ++k) {
            const snMat3* Fk = &F[skin->slot_of[t->node[k]]];
            double w = (double)t->weight[k];
            snVec3 d = snSub(skin->surface->position[i], f->tets.position[t->node[k]]);
            y = snMulAdd(y, w, snMulAdd(placeOf(x, t->node[k]), LEAN, snMatVec(*Fk, d)));
            blend = snMatAdd(blend, snMatScale(w, *Fk));
            total += w;
        }
        // weights were rounded: their sum is 1 but for that
        y = snMulAdd(shift, 1 / total, y);
        snVec3 n = carryNormal(blend, skin->normal[i]);
        float* at = position + 3 * (size_t)i;
        at[0] = (float)y.x, at[1] = (float)y.y, at[2] = (float)y.z;
        at = normal + 3 * (size_t)i;
        at[0] = (float)n.x, at[1] = (float)n.y, at[2] = (float)n.z;
    }
}
