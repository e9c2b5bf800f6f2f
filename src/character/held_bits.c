// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "character/held_bits.h"

#include "base/message.h"
#include "geom/parts.h"
#include <stdlib.h>

// Parts with fewer cells than this are held as a whole when they are not held well.
#define CRUMB 400

// Held nodes within this many cells of a line hold nothing against spinning about it.
#define OFF_LINE 0.4

// A slowest mode in which less than this part of its region moves is that of a bit, not of flesh;
// those of its nodes are held that move more than this part of what moves most.
#define BIT 0.06
#define MUCH 0.2

// Regions with fewer free nodes are held, and those with less than this part of all mass that are
// nowhere this soft: blotches at the edges of what is rigid or thin.
#define FEW 12
#define BLOTCH 0.03
#define SOFT 0.9

#define ROUNDS 8
#define ROUGHLY 3e-3 // how well modes are known there

// Part of all mass that a region has at most to be held for being too slow
#define SMALL 0.05

// Parts ----------------------------------------------------------------------------

typedef struct Face {
    int32_t node[3], cell;
} Face;

static int byNodes(const void* a, const void* b)
{
    const Face *x = a, *y = b;
    for (int k = 0; k < 3; ++k) {
        if (x->node[k] != y->node[k]) {
            return x->node[k] < y->node[k] ? -1 : 1;
        }
    }
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static void exchange(int32_t* a, int32_t* b)
{
    if (*a > *b) {
        int32_t was = *a;
        *a = *b;
        *b = was;
    }
}

// Joins cells with a free node that share a face; part: (tet_count)
static bool joinCells(snArena* scratch, const snTets* mesh, const uint8_t* held, int32_t* part)
{
    Face* faces = snArena_Push(scratch, 4 * (size_t)mesh->tet_count, sizeof *faces);
    size_t count = 0;
    if (!faces) {
        return false;
    }
    snParts_Start(part, mesh->tet_count);
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        const int32_t* n = mesh->tet + 4 * (size_t)e;
        if (held[n[0]] && held[n[1]] && held[n[2]] && held[n[3]]) {
            continue;
        }
        for (int k = 0; k < 4; ++k) {
            Face f = {{n[(k + 1) & 3], n[(k + 2) & 3], n[(k + 3) & 3]}, e};
            exchange(&f.node[0], &f.node[1]);
            exchange(&f.node[1], &f.node[2]);
            exchange(&f.node[0], &f.node[1]);
            faces[count++] = f;
        }
    }
    qsort(faces, count, sizeof *faces, byNodes);
    for (size_t i = 1; i < count; ++i) {
        const Face *a = &faces[i - 1], *b = &faces[i];
        if (a->node[0] == b->node[0] && a->node[1] == b->node[1] && a->node[2] == b->node[2]) {
            snParts_Join(part, a->cell, b->cell);
        }
    }
    return true;
}

// What holds a part: two held nodes far apart, and how far another is off the line between them
typedef struct Hold {
    int32_t cells, a, b;
    double apart, off;
    snVec3 sum; // of all corners
} Hold;

static void holdCorner(const snTets* mesh, Hold* h, int32_t node, int pass)
{
    snVec3 p = mesh->position[node];
    if (h->a < 0) {
        h->a = node;
    } else if (pass == 0) {
        double d = snLength(snSub(p, mesh->position[h->a]));
        if (d > h->apart) {
            h->apart = d;
            h->b = node;
        }
    } else if (h->apart > 0) {
        snVec3 a = mesh->position[h->a], along = snSub(mesh->position[h->b], a);
        double d = snLength(snCross(snSub(p, a), along)) / h->apart;
        h->off = d > h->off ? d : h->off;
    }
}

static void lookAtParts(const snTets* mesh, const uint8_t* held, int32_t* part, Hold* holds)
{
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        holds[e] = (Hold){.a = -1, .b = -1};
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t e = 0; e < mesh->tet_count; ++e) {
            Hold* h = &holds[snParts_Find(part, e)];
            h->cells += pass == 0;
            for (int k = 0; k < 4; ++k) {
                int32_t node = mesh->tet[4 * (size_t)e + (size_t)k];
                h->sum = pass == 0 ? snAdd(h->sum, mesh->position[node]) : h->sum;
                if (held[node]) {
                    holdCorner(mesh, h, node, pass);
                }
            }
        }
    }
}

// Holds parts that are not held well: small ones as a whole, others about their middles.
static void holdParts(const snHeldBitsDef* def, int32_t* part, const Hold* holds, uint8_t* held)
{
    const snTets* mesh = def->mesh;
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        const Hold* h = &holds[snParts_Find(part, e)];
        bool line = h->apart < OFF_LINE * def->cell || h->off < OFF_LINE * def->cell;
        for (int k = 0; line && k < 4; ++k) {
            int32_t node = mesh->tet[4 * (size_t)e + (size_t)k];
            snVec3 middle = snScale(0.25 / h->cells, h->sum);
            double d = snLength(snSub(mesh->position[node], middle));
            held[node] |= !def->still[node] && (h->cells < CRUMB || d < 1.5 * def->cell);
        }
    }
}

static snStatus markParts(const snHeldBitsDef* def, const snHost* host, uint8_t* held,
                          snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, host);
    size_t cells = (size_t)def->mesh->tet_count;
    int32_t* part = snArena_Push(&scratch, cells, sizeof *part);
    Hold* holds = snArena_Push(&scratch, cells, sizeof *holds);
    bool ok = !scratch.failed && joinCells(&scratch, def->mesh, held, part);
    if (ok) {
        lookAtParts(def->mesh, held, part, holds);
        holdParts(def, part, holds, held);
    }
    snArena_Free(&scratch);
    return ok ? sn_ok : snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
}

// Bits -----------------------------------------------------------------------------

static double massOf(const snRegions* regions)
{
    double all = 0;
    for (int32_t r = 0; r < regions->count; ++r) {
        all += regions->mass[r];
    }
    return all;
}

// softest: workspace; (regions' count)
static bool markFew(const snHeldBitsDef* def, const snRegions* regions, float* softest,
                    uint8_t* held)
{
    bool any = false;
    double all = massOf(regions);
    for (int32_t i = 0; i < def->mesh->node_count; ++i) {
        int32_t r = regions->of_node[i];
        if (r >= 0) {
            softest[r] = fmaxf(softest[r], def->soft[i]);
        }
    }
    for (int32_t i = 0; i < def->mesh->node_count; ++i) {
        int32_t r = regions->of_node[i];
        if (r >= 0 && (regions->node_count[r] < FEW ||
                       (regions->mass[r] < BLOTCH * all && (double)softest[r] < SOFT))) {
            held[i] = 1;
            any = true;
        }
    }
    return any;
}

static bool markBits(const snHeldBitsDef* def, const snRegions* regions, uint8_t* held)
{
    bool any = false;
    double all = massOf(regions);
    for (int32_t i = 0; i < def->mesh->node_count; ++i) {
        int32_t r = regions->of_node[i];
        if (r < 0 || def->still[i]) {
            continue;
        }
        if (regions->slowest[r] < def->slowest && regions->mass[r] < SMALL * all) {
            held[i] = 1;
            any = true;
        } else if (regions->share[r] < BIT) {
            double most = snLength(regions->mode[regions->loosest[r]]);
            held[i] = snLength(regions->mode[i]) > MUCH * most;
            any |= held[i];
        }
    }
    return any;
}

snStatus snHeldBits_Mark(snArena* arena, const snHeldBitsDef* def, uint8_t* held, snMessage* why)
{
    snRegions regions = {0};
    snStatus status = sn_ok;
    bool again = true;
    for (int round = 0; round <= ROUNDS && again && !status; ++round) {
        // what is held may leave others without hold
        for (int k = 0; k < 2 && !status; ++k) {
            status = markParts(def, &arena->host, held, why);
        }
        for (again = true; again && !status;) {
            status = snRegions_Find(arena, def->mesh, def->mass, held, &regions, why);
            size_t count = status ? 0 : (size_t)regions.count;
            float* softest = snArena_Push(arena, count, sizeof *softest);
            status = status || softest ? status : snFail(why, sn_errorMemory, "out of memory");
            again = !status && softest && markFew(def, &regions, softest, held);
        }
        if (!status && round < ROUNDS) {
            status = snRegions_Slowest(&regions, &arena->host, def->mesh, def->stiff, def->mass,
                                       def->still, def->poisson, ROUGHLY, why);
            again = !status && markBits(def, &regions, held);
        }
    }
    return status;
}
