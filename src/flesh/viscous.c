// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/viscous.h"

#include "base/message.h"
#include <stdlib.h>

// Of the largest rate at which a node is slowed, times the time of a step: rates of modes are at
// most twice those of nodes. What a step turned round would gain energy from elastic forces: one
// sweep leaves 1 - h rate, two leave the square of 1 - h rate / 2.
static const double MOST[SN_VISCOUS_SWEEPS] = {0.5, 2.0};

// One sweep is enough when it slows what sways by this part of what is asked.
#define ENOUGH 0.95

// How a node feels another, of one cell
typedef struct Pair {
    int32_t node, other, cell;
    double weight; // - V fill grad N_i . grad N_j, m
} Pair;

static int byNodes(const void* a, const void* b)
{
    const Pair *x = a, *y = b;
    return x->node != y->node     ? (x->node > y->node) - (x->node < y->node)
           : x->other != y->other ? (x->other > y->other) - (x->other < y->other)
                                  : (x->cell > y->cell) - (x->cell < y->cell);
}

// All pairs of free nodes with others, sorted, each once. lambda: of how each region sways, sum
// of V fill |grad u|^2
static size_t listPairs(const snViscousDef* def, Pair* pairs, double* lambda)
{
    const snRegions* regions = def->regions;
    size_t count = 0, kept = 0;
    for (int32_t e = 0; e < def->mesh->tet_count; ++e) {
        const int32_t* n = def->mesh->tet + 4 * (size_t)e;
        snVec3 g[4];
        if (regions->of_cell[e] < 0 || !snTets_Gradients(def->mesh, e, g)) {
            continue;
        }
        double volume = def->fill[e] * fabs(snTets_Volume(def->mesh, e));
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                double weight = volume * snDot(g[i], g[j]);
                lambda[regions->of_cell[e]] +=
                    weight * snDot(regions->swaying[n[i]], regions->swaying[n[j]]);
                if (i != j && regions->of_node[n[i]] >= 0) {
                    pairs[count++] = (Pair){n[i], n[j], e, -weight};
                }
            }
        }
    }
    qsort(pairs, count, sizeof *pairs, byNodes);
    for (size_t i = 0; i < count; ++i) {
        if (kept > 0 && pairs[kept - 1].node == pairs[i].node &&
            pairs[kept - 1].other == pairs[i].other) {
            pairs[kept - 1].weight += pairs[i].weight;
        } else {
            pairs[kept++] = pairs[i];
        }
    }
    return kept;
}

static double factorOf(const snViscousDef* def, int32_t node)
{
    return def->factor ? (double)def->factor[node] : 1;
}

// eta of each region, Pa s
static void chooseEta(const snViscousDef* def, const double* lambda, double* eta)
{
    for (int32_t r = 0; r < def->regions->count; ++r) {
        double own = lambda[r] > 0 ? lambda[r] : def->usual[r];
        eta[r] = own > 0 ? def->rate[r] / own : 0;
    }
}

// Rates of all pairs in so many sweeps a step. Nodes that would be slowed too fast for that, light
// ones, are slowed less. made: 2 zeta omega of how regions sway by that
static void findRates(const snViscousDef* def, const Pair* pairs, size_t count, const double* eta,
                      int32_t sweeps, float* rate, double* made)
{
    const snRegions* regions = def->regions;
    for (int32_t r = 0; r < regions->count; ++r) {
        made[r] = 0;
    }
    for (size_t begin = 0, end; begin < count; begin = end) {
        int32_t node = pairs[begin].node, r = regions->of_node[node];
        double sum = 0, k = factorOf(def, node) * eta[r] / def->mass[node];
        for (end = begin; end < count && pairs[end].node == node; ++end) {
            sum += k * fabs(pairs[end].weight);
        }
        double most = MOST[sweeps - 1] / def->step;
        k *= sum > most ? most / sum : 1;
        for (size_t i = begin; i < end; ++i) {
            snVec3 own = regions->swaying[node], to = snSub(own, regions->swaying[pairs[i].other]);
            rate[i] = (float)(k * pairs[i].weight);
            made[r] += def->mass[node] * k * pairs[i].weight * snDot(own, to);
        }
    }
}

static bool isEnough(const snViscousDef* def, const double* lambda, const double* made)
{
    bool enough = true;
    for (int32_t r = 0; r < def->regions->count; ++r) {
        enough = enough && (lambda[r] <= 0 || made[r] >= ENOUGH * def->rate[r]);
    }
    return enough;
}

snStatus snViscous_Build(snArena* arena, const snViscousDef* def, snViscous* out, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    size_t nodes = (size_t)def->mesh->node_count, regions = (size_t)def->regions->count;
    Pair* pairs = snArena_Push(&scratch, 12 * (size_t)def->mesh->tet_count, sizeof *pairs);
    double* lambda = snArena_Push(&scratch, regions, sizeof *lambda);
    double* eta = snArena_Push(&scratch, regions, sizeof *eta);
    size_t count = scratch.failed ? 0 : listPairs(def, pairs, lambda);
    int32_t* first = snArena_Push(arena, nodes + 1, sizeof *first);
    int32_t* node = snArena_Push(arena, count, sizeof *node);
    float* rate = snArena_Push(arena, count, sizeof *rate);
    float* total = snArena_Push(arena, nodes, sizeof *total);
    double* made = snArena_Push(arena, regions, sizeof *made);
    bool ok = !scratch.failed && !arena->failed;
    *out = (snViscous){first, node, rate, total, made, 0};
    if (ok) {
        chooseEta(def, lambda, eta);
        do {
            findRates(def, pairs, count, eta, ++out->sweeps, rate, made);
        } while (out->sweeps < SN_VISCOUS_SWEEPS && !isEnough(def, lambda, made));
        for (size_t i = 0; i < count; ++i) {
            node[i] = pairs[i].other;
            total[pairs[i].node] += rate[i];
            ++first[pairs[i].node + 1];
        }
        for (size_t i = 0; i < nodes; ++i) {
            first[i + 1] += first[i];
        }
    }
    snArena_Free(&scratch);
    return ok ? sn_ok : snFail(why, sn_errorMemory, "no memory for %zu nodes", nodes);
}
