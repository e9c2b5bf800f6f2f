// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/mode.h"

#include "base/message.h"
#include "base/random.h"
#include "elastic/material.h"
#include "geom/parts.h"
#include "math/mat.h"

// Regions --------------------------------------------------------------------------

static void joinNodes(const snTets* mesh, const uint8_t* held, int32_t* part)
{
    snParts_Start(part, mesh->node_count);
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        const int32_t* n = mesh->tet + 4 * (size_t)e;
        int32_t first = -1;
        for (int k = 0; k < 4; ++k) {
            if (!held[n[k]] && first >= 0) {
                snParts_Join(part, first, n[k]);
            }
            first = held[n[k]] || first >= 0 ? first : n[k];
        }
    }
}

snStatus snRegions_Find(snArena* arena, const snTets* mesh, const double* mass, const uint8_t* held,
                        snRegions* out, snMessage* why)
{
    size_t nodes = (size_t)mesh->node_count, cells = (size_t)mesh->tet_count;
    *out = (snRegions){.of_node = snArena_Push(arena, nodes, sizeof(int32_t)),
                       .of_cell = snArena_Push(arena, cells, sizeof(int32_t)),
                       .mode = snArena_Push(arena, nodes, sizeof(snVec3))};
    int32_t* part = snArena_Push(arena, nodes, sizeof *part);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu nodes", nodes);
    }
    joinNodes(mesh, held, part);
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        // a set is named by its first node
        int32_t root = snParts_Find(part, i);
        out->of_node[i] = held[i] ? -1 : root == i ? out->count++ : out->of_node[root];
    }
    size_t count = (size_t)out->count;
    out->is_held = snArena_Push(arena, count, 1);
    out->slowest = snArena_Push(arena, count, sizeof(double));
    out->share = snArena_Push(arena, count, sizeof(double));
    out->loosest = snArena_Push(arena, count, sizeof(int32_t));
    out->node_count = snArena_Push(arena, count, sizeof(int32_t));
    out->cell_count = snArena_Push(arena, count, sizeof(int32_t));
    out->mass = snArena_Push(arena, count, sizeof(double));
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu regions", count);
    }
    for (size_t r = 0; r < count; ++r) {
        out->loosest[r] = -1;
    }
    for (size_t i = 0; i < nodes; ++i) {
        if (out->of_node[i] >= 0) {
            ++out->node_count[out->of_node[i]];
            out->mass[out->of_node[i]] += mass[i];
        }
    }
    for (size_t e = 0; e < cells; ++e) {
        int32_t region = -1;
        bool touches = false;
        for (int k = 0; k < 4; ++k) {
            int32_t r = out->of_node[mesh->tet[4 * e + (size_t)k]];
            region = r >= 0 ? r : region;
            touches = touches || r < 0;
        }
        out->of_cell[e] = region;
        if (region >= 0) {
            ++out->cell_count[region];
            out->is_held[region] |= touches;
        }
    }
    return sn_ok;
}

// Stiffness ------------------------------------------------------------------------

// One cell: gradients of the shape functions, and what its material weighs
typedef struct Cell {
    int32_t node[4];
    snVec3 g[4]; // 1/m
    double volume;
} Cell;

typedef struct System {
    int32_t node_count, cell_count;
    Cell* cells;       // those of regions that are held
    const int32_t* of; // region of each node, -1: held
    const double* mass;
    snLame lame;
    double* diagonal; // of K, its mean over the three axes; (node_count)
    snVec3 *u, *y, *r, *z, *p, *Kp;
} System;

static bool makeCell(const snTets* mesh, int32_t e, double fill, Cell* out)
{
    for (int k = 0; k < 4; ++k) {
        out->node[k] = mesh->tet[4 * (size_t)e + (size_t)k];
    }
    out->volume = fill * snTets_Volume(mesh, e);
    return snTets_Gradients(mesh, e, out->g) && out->volume > 0;
}

// K u = sum of V w P(grad u) g, P = mu (G + G') + lambda tr(G) I; rows of held nodes are left out.
static void multiply(const System* s, const snVec3* u, snVec3* Ku)
{
    for (int32_t i = 0; i < s->node_count; ++i) {
        Ku[i] = snV3(0, 0, 0);
    }
    for (int32_t e = 0; e < s->cell_count; ++e) {
        const Cell* c = &s->cells[e];
        snMat3 G = snOuter(u[c->node[0]], c->g[0]);
        for (int k = 1; k < 4; ++k) {
            G = snMatAdd(G, snOuter(u[c->node[k]], c->g[k]));
        }
        snMat3 P = snMatScale(s->lame.mu, snMatAdd(G, snTranspose(G)));
        double trace = s->lame.lambda * (G.m00 + G.m11 + G.m22);
        P.m00 += trace, P.m11 += trace, P.m22 += trace;
        for (int k = 0; k < 4; ++k) {
            Ku[c->node[k]] = snMulAdd(Ku[c->node[k]], c->volume, snMatVec(P, c->g[k]));
        }
    }
    for (int32_t i = 0; i < s->node_count; ++i) {
        if (s->of[i] < 0) {
            Ku[i] = snV3(0, 0, 0);
        }
    }
}

static double dot(const System* s, const snVec3* a, const snVec3* b)
{
    double sum = 0;
    for (int32_t i = 0; i < s->node_count; ++i) {
        sum += snDot(a[i], b[i]);
    }
    return sum;
}

// K y = M u from the y there is, by conjugate gradients to a part of the right side
#define TOLERANCE 1e-3
#define MOST_ITERATIONS 300

static void solve(const System* s)
{
    double first = 0, rz = 0;
    multiply(s, s->y, s->Kp);
    for (int32_t i = 0; i < s->node_count; ++i) {
        double free = s->of[i] >= 0;
        snVec3 b = snScale(free * s->mass[i], s->u[i]);
        first += snLengthSq(b) / s->diagonal[i];
        s->r[i] = snSub(b, s->Kp[i]);
        s->p[i] = s->z[i] = snScale(1 / s->diagonal[i], s->r[i]);
        rz += snDot(s->r[i], s->z[i]);
    }
    for (int k = 0; k < MOST_ITERATIONS && rz > TOLERANCE * TOLERANCE * first; ++k) {
        multiply(s, s->p, s->Kp);
        double pKp = dot(s, s->p, s->Kp);
        if (!(pKp > 0)) {
            return;
        }
        double a = rz / pKp, old = rz;
        rz = 0;
        for (int32_t i = 0; i < s->node_count; ++i) {
            s->y[i] = snMulAdd(s->y[i], a, s->p[i]);
            s->r[i] = snMulAdd(s->r[i], -a, s->Kp[i]);
            s->z[i] = snScale(1 / s->diagonal[i], s->r[i]);
            rz += snDot(s->r[i], s->z[i]);
        }
        for (int32_t i = 0; i < s->node_count; ++i) {
            s->p[i] = snMulAdd(s->z[i], rz / old, s->p[i]);
        }
    }
}

// Modes ----------------------------------------------------------------------------

// Rayleigh's quotient of each region, y'Ky / y'My; u becomes y with y'My = 1 in each, and y what
// the next solution will be near to. Regions do not feel each other: one solution serves all.
static void takeOver(const System* s, int32_t regions, double* top, double* bottom, double* out)
{
    multiply(s, s->y, s->Kp);
    for (int32_t r = 0; r < regions; ++r) {
        top[r] = bottom[r] = 0;
    }
    for (int32_t i = 0; i < s->node_count; ++i) {
        if (s->of[i] >= 0) {
            top[s->of[i]] += snDot(s->y[i], s->Kp[i]);
            bottom[s->of[i]] += s->mass[i] * snLengthSq(s->y[i]);
        }
    }
    for (int32_t r = 0; r < regions; ++r) {
        out[r] = bottom[r] > 0 ? top[r] / bottom[r] : 0;
    }
    for (int32_t i = 0; i < s->node_count; ++i) {
        int32_t r = s->of[i];
        if (r >= 0 && bottom[r] > 0 && out[r] > 0) {
            s->u[i] = snScale(1 / sqrt(bottom[r]), s->y[i]);
            s->y[i] = snScale(1 / out[r], s->u[i]);
        }
    }
}

static bool fillSystem(System* s, snArena* scratch, const snRegions* regions, const snTets* mesh,
                       const double* fill)
{
    size_t n = (size_t)s->node_count;
    int32_t* of = snArena_Push(scratch, n, sizeof *of);
    s->cells = snArena_Push(scratch, (size_t)mesh->tet_count, sizeof *s->cells);
    s->diagonal = snArena_Push(scratch, n, sizeof *s->diagonal);
    snVec3** arrays[] = {&s->u, &s->y, &s->r, &s->z, &s->p, &s->Kp};
    for (int k = 0; k < 6; ++k) {
        *arrays[k] = snArena_Push(scratch, n, sizeof(snVec3));
    }
    if (scratch->failed) {
        return false;
    }
    for (int32_t i = 0; i < s->node_count; ++i) {
        int32_t r = regions->of_node[i];
        of[i] = r >= 0 && regions->is_held[r] ? r : -1;
    }
    s->of = of;
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        int32_t r = regions->of_cell[e];
        Cell* c = &s->cells[s->cell_count];
        if (r < 0 || !regions->is_held[r] || !makeCell(mesh, e, fill[e], c)) {
            continue;
        }
        ++s->cell_count;
        for (int k = 0; k < 4; ++k) {
            s->diagonal[c->node[k]] +=
                c->volume * (4 * s->lame.mu + s->lame.lambda) / 3 * snLengthSq(c->g[k]);
        }
    }
    for (size_t i = 0; i < n; ++i) {
        s->diagonal[i] = s->diagonal[i] > 0 ? s->diagonal[i] : 1;
    }
    return true;
}

// What the modes found look like; sum: scratch, (regions->count)
static void describe(const System* s, snRegions* regions, double* sum)
{
    for (int32_t r = 0; r < regions->count; ++r) {
        sum[r] = 0;
    }
    for (int32_t i = 0; i < s->node_count; ++i) {
        int32_t r = s->of[i];
        regions->mode[i] = r < 0 ? snV3(0, 0, 0) : s->u[i];
        if (r >= 0) {
            int32_t best = regions->loosest[r];
            bool more = best < 0 || snLengthSq(s->u[i]) > snLengthSq(s->u[best]);
            regions->loosest[r] = more ? i : best;
            sum[r] += s->mass[i] * snLength(s->u[i]);
        }
    }
    for (int32_t r = 0; r < regions->count; ++r) {
        regions->share[r] = sum[r] * sum[r] / regions->mass[r];
    }
}

#define MOST_ROUNDS 24

snStatus snRegions_Slowest(snRegions* regions, const snHost* host, const snTets* mesh,
                           const double* fill, const double* mass, double poisson, double change,
                           snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, host);
    System s = {.node_count = mesh->node_count, .mass = mass, .lame = snLame_FromYoung(1, poisson)};
    size_t count = (size_t)regions->count;
    double* top = snArena_Push(&scratch, count, sizeof *top);
    double* bottom = snArena_Push(&scratch, count, sizeof *bottom);
    double* now = snArena_Push(&scratch, count, sizeof *now);
    if (!fillSystem(&s, &scratch, regions, mesh, fill)) {
        snArena_Free(&scratch);
        return snFail(why, sn_errorMemory, "no memory for %d nodes", (int)mesh->node_count);
    }
    snRandom random = snRandom_Seed(1);
    for (int32_t i = 0; i < s.node_count; ++i) {
        // some of everything, most of it the same way, as slow modes move
        double x = snRandom_Range(&random, 0.5, 1), y = snRandom_Range(&random, 0, 1);
        double z = snRandom_Range(&random, -0.2, 0.8);
        s.u[i] = s.of[i] >= 0 ? snV3(x, y, z) : snV3(0, 0, 0);
    }
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        bool still = round > 2;
        solve(&s);
        takeOver(&s, regions->count, top, bottom, now);
        for (size_t r = 0; r < count; ++r) {
            still = still && fabs(now[r] - regions->slowest[r]) <= change * now[r];
            regions->slowest[r] = now[r];
        }
        if (still) {
            break;
        }
    }
    describe(&s, regions, top);
    snArena_Free(&scratch);
    return sn_ok;
}
