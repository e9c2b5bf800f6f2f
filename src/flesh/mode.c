// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/mode.h"

#include "base/message.h"
#include "base/random.h"
#include "flesh/stiffness.h"
#include "geom/parts.h"
#include "linsolve/cg.h"

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
                       .mode = snArena_Push(arena, nodes, sizeof(snVec3)),
                       .swaying = snArena_Push(arena, nodes, sizeof(snVec3))};
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
    out->sway = snArena_Push(arena, count, sizeof(double));
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

// Solving --------------------------------------------------------------------------

typedef struct System {
    int32_t node_count;
    snStiffness K;
    const int32_t* of; // region of each node, -1: it does not move
    const double* mass;
    snLame lame;
    snMat3* inverse; // of K's diagonal blocks; (node_count)
    snVec3 *u, *y, *r, *Kp;
    void* work; // of conjugate gradients
} System;

static void multiply(void* user, const double* u, double* Ku)
{
    const System* s = user;
    snStiffness_Multiply(&s->K, (const snVec3*)u, (snVec3*)Ku);
}

// By the inverses of the diagonal blocks
static void precondition(void* user, const double* r, double* z)
{
    const System* s = user;
    for (int32_t i = 0; i < s->node_count; ++i) {
        ((snVec3*)z)[i] = snMatVec(s->inverse[i], ((const snVec3*)r)[i]);
    }
}

// What follows needs no more: inverse iteration takes what is left to its next round.
#define TOLERANCE 1e-3
#define MOST_ITERATIONS 300

static snCg solver(System* s)
{
    return (snCg){.n = 3 * (size_t)s->node_count,
                  .lanes = 1,
                  .chunk = 3, // node by node
                  .tolerance = TOLERANCE,
                  .most = MOST_ITERATIONS,
                  .operate = multiply,
                  .precondition = precondition,
                  .user = s};
}

// K y = M u from the y there is
static void solve(System* s)
{
    snCg cg = solver(s);
    for (int32_t i = 0; i < s->node_count; ++i) {
        double free = s->of[i] >= 0;
        s->r[i] = snScale(free * s->mass[i], s->u[i]);
    }
    snCg_Solve(&cg, &s->y->x, &s->r->x, s->work);
}

// Modes ----------------------------------------------------------------------------

// Rayleigh's quotient of each region, y'Ky / y'My; u becomes y with y'My = 1 in each, and y what
// the next solution will be near to. Regions do not feel each other: one solution serves all.
static void takeOver(const System* s, int32_t regions, double* top, double* bottom, double* out)
{
    snStiffness_Multiply(&s->K, s->y, s->Kp);
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

static snStatus fillSystem(System* s, snArena* scratch, const snRegions* regions,
                           const snTets* mesh, const double* fill, const uint8_t* still,
                           snMessage* why)
{
    size_t n = (size_t)s->node_count;
    int32_t* of = snArena_Push(scratch, n, sizeof *of);
    uint8_t* moves = snArena_Push(scratch, n, 1);
    s->inverse = snArena_Push(scratch, n, sizeof *s->inverse);
    snVec3** arrays[] = {&s->u, &s->y, &s->r, &s->Kp};
    for (int k = 0; k < 4; ++k) {
        *arrays[k] = snArena_Push(scratch, n, sizeof(snVec3));
    }
    snCg cg = solver(s);
    s->work = snArena_Push(scratch, snCg_WorkSize(&cg), 1);
    if (scratch->failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu nodes", n);
    }
    for (int32_t i = 0; i < s->node_count; ++i) {
        int32_t r = regions->of_node[i];
        moves[i] = r >= 0 && regions->is_held[r] && !(still && still[i]);
        of[i] = moves[i] ? r : -1;
    }
    s->of = of;
    snStatus status = snStiffness_Build(scratch, mesh, fill, moves, s->lame, &s->K, why);
    for (int32_t i = 0; i < s->node_count && !status; ++i) {
        for (int32_t k = s->K.first[i]; k < s->K.first[i + 1]; ++k) {
            bool ok = s->K.node[k] == i;
            s->inverse[i] = ok ? snMatInverse(s->K.block[k], &ok) : s->inverse[i];
        }
    }
    return status;
}

// What the modes found look like; sum, mass: scratch, (regions->count)
static void describe(const System* s, snRegions* regions, double* sum, double* mass)
{
    for (int32_t r = 0; r < regions->count; ++r) {
        sum[r] = mass[r] = 0;
    }
    for (int32_t i = 0; i < s->node_count; ++i) {
        int32_t r = s->of[i];
        regions->mode[i] = r < 0 ? snV3(0, 0, 0) : s->u[i];
        if (r >= 0) {
            int32_t best = regions->loosest[r];
            bool more = best < 0 || snLengthSq(s->u[i]) > snLengthSq(s->u[best]);
            regions->loosest[r] = more ? i : best;
            sum[r] += s->mass[i] * snLength(s->u[i]);
            mass[r] += s->mass[i];
        }
    }
    for (int32_t r = 0; r < regions->count; ++r) {
        regions->share[r] = mass[r] > 0 ? sum[r] * sum[r] / mass[r] : 0;
    }
}

#define MOST_ROUNDS 24

snStatus snRegions_Slowest(snRegions* regions, const snHost* host, const snTets* mesh,
                           const double* fill, const double* mass, const uint8_t* still,
                           double poisson, double change, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, host);
    System s = {.node_count = mesh->node_count, .mass = mass, .lame = snLame_FromYoung(1, poisson)};
    size_t count = (size_t)regions->count;
    double* top = snArena_Push(&scratch, count, sizeof *top);
    double* bottom = snArena_Push(&scratch, count, sizeof *bottom);
    double* now = snArena_Push(&scratch, count, sizeof *now);
    snStatus status = fillSystem(&s, &scratch, regions, mesh, fill, still, why);
    if (status) {
        snArena_Free(&scratch);
        return status;
    }
    snRandom random = snRandom_Seed(1);
    for (int32_t i = 0; i < s.node_count; ++i) {
        // some of everything, most of it the same way, as slow modes move
        double x = snRandom_Range(&random, 0.5, 1), y = snRandom_Range(&random, 0, 1);
        double z = snRandom_Range(&random, -0.2, 0.8);
        s.u[i] = s.of[i] >= 0 ? snV3(x, y, z) : snV3(0, 0, 0);
    }
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        bool settled = round > 2;
        solve(&s);
        takeOver(&s, regions->count, top, bottom, now);
        for (size_t r = 0; r < count; ++r) {
            settled = settled && fabs(now[r] - regions->slowest[r]) <= change * now[r];
            regions->slowest[r] = now[r];
        }
        if (settled) {
            break;
        }
    }
    describe(&s, regions, top, bottom);
    snArena_Free(&scratch);
    return sn_ok;
}

// Sag ------------------------------------------------------------------------------

static const snVec3 AXES[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

snStatus snRegions_Sway(snRegions* regions, const snHost* host, const snTets* mesh,
                        const double* fill, const double* mass, const uint8_t* still,
                        double poisson, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, host);
    System s = {.node_count = mesh->node_count, .mass = mass, .lame = snLame_FromYoung(1, poisson)};
    size_t count = (size_t)regions->count;
    double* top = snArena_Push(&scratch, count, sizeof *top);
    double* bottom = snArena_Push(&scratch, count, sizeof *bottom);
    double* now = snArena_Push(&scratch, count, sizeof *now);
    snStatus status = fillSystem(&s, &scratch, regions, mesh, fill, still, why);
    for (int k = 0; k < 3 && !status; ++k) {
        for (int32_t i = 0; i < s.node_count; ++i) {
            s.u[i] = s.of[i] >= 0 ? AXES[k] : snV3(0, 0, 0);
            s.y[i] = snV3(0, 0, 0);
        }
        solve(&s);
        takeOver(&s, regions->count, top, bottom, now);
        for (int32_t i = 0; i < s.node_count; ++i) {
            int32_t r = s.of[i];
            if (r >= 0 && (k == 0 || now[r] < regions->sway[r])) {
                regions->swaying[i] = s.u[i];
            }
        }
        for (size_t r = 0; r < count; ++r) {
            regions->sway[r] = k == 0 ? now[r] : fmin(now[r], regions->sway[r]);
        }
    }
    snArena_Free(&scratch);
    return status;
}

snStatus snRegions_Sag(const snRegions* regions, const snHost* host, const snTets* mesh,
                       const double* fill, const double* mass, const uint8_t* still, double poisson,
                       double* sag, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, host);
    System s = {.node_count = mesh->node_count, .mass = mass, .lame = snLame_FromYoung(1, poisson)};
    snStatus status = fillSystem(&s, &scratch, regions, mesh, fill, still, why);
    if (status) {
        snArena_Free(&scratch);
        return status;
    }
    for (int32_t i = 0; i < s.node_count; ++i) {
        sag[i] = 0;
    }
    for (int k = 0; k < 3; ++k) {
        for (int32_t i = 0; i < s.node_count; ++i) {
            s.u[i] = AXES[k];
            s.y[i] = snV3(0, 0, 0);
        }
        solve(&s);
        for (int32_t i = 0; i < s.node_count; ++i) {
            sag[i] += snLengthSq(s.y[i]);
        }
    }
    for (int32_t i = 0; i < s.node_count; ++i) {
        sag[i] = sqrt(sag[i]);
    }
    snArena_Free(&scratch);
    return sn_ok;
}
