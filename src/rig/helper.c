// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/helper.h"

#include <math.h>
#include <string.h>

#include "linsolve/dense.h"
#include "math/vec.h"

#define ROUNDS 10    // of travel and weights in turn
#define GAIN 1e-5    // of a vertex's movement: what a change of its weights must be worth
#define RIDGE 1e-6   // of the mean diagonal: helpers that few vertices have stay near their place
#define STRANGER 0.3 // of the body's size: as far as a vertex of another joint counts

static snVec3 vec(const float* d)
{
    return snV3((double)d[0], (double)d[1], (double)d[2]);
}

static snVec3 loadVec(const double* d)
{
    return snV3(d[0], d[1], d[2]);
}

static snHelperTie* tiesOf(const snHelpers* h, int32_t v)
{
    return h->ties + (size_t)v * (size_t)h->goal->slots;
}

// Clusters -----------------------------------------------------------------------------

// An influence of a vertex, as helpers are placed by
typedef struct Sample {
    int32_t vertex, joint;
    double energy; // of its share
    double far;    // square of the distance to the next helper
} Sample;

// Places helpers one by one where most moves far from those there are.
static void placeHelpers(snHelpers* h, Sample* samples, int32_t sample_count, double size)
{
    const snVec3* x = h->goal->position;
    int32_t wanted = h->count;
    for (h->count = 0; h->count < wanted; ++h->count) {
        int32_t best = -1;
        double most = 0;
        for (int32_t i = 0; i < sample_count; ++i) {
            double score = sqrt(samples[i].energy) * samples[i].far;
            best = score > most ? i : best;
            most = fmax(most, score);
        }
        if (best < 0) {
            return;
        }
        const Sample seed = samples[best];
        h->joint[h->count] = seed.joint;
        h->centre[h->count] = x[seed.vertex];
        for (int32_t i = 0; i < sample_count; ++i) {
            double far = snLengthSq(snSub(x[samples[i].vertex], x[seed.vertex]));
            far += samples[i].joint != seed.joint ? STRANGER * size * STRANGER * size : 0;
            samples[i].far = fmin(samples[i].far, far);
        }
    }
}

// Each influence begins with the next helper of its joint, as much as the vertex moves.
static void tieNearest(snHelpers* h, const double* energy)
{
    const snHelperGoal* g = h->goal;
    double most = 0;
    for (int32_t v = 0; v < g->vertex_count; ++v) {
        most = fmax(most, energy[v]);
    }
    for (int32_t v = 0; v < g->vertex_count; ++v) {
        snHelperTie* ties = tiesOf(h, v);
        for (int32_t i = g->first[v]; i < g->first[v + 1]; ++i) {
            int32_t room = g->slots - h->tie_count[v] - (g->first[v + 1] - i), next = -1;
            double near = (double)INFINITY, share = (double)g->share[i];
            for (int32_t k = 0; k < h->count; ++k) {
                double far = snLengthSq(snSub(h->centre[k], g->position[v]));
                if (h->joint[k] == g->joint[i] && far < near) {
                    near = far;
                    next = k;
                }
            }
            double part = next < 0 || room < 1 || !(most > 0) ? 0 : sqrt(sqrt(energy[v] / most));
            if (part > 0) {
                ties[h->tie_count[v]++] = (snHelperTie){g->joint[i], next, part * share};
            }
            if (part < 1) {
                ties[h->tie_count[v]++] = (snHelperTie){g->joint[i], -1, (1 - part) * share};
            }
        }
    }
}

// Travel -------------------------------------------------------------------------------

static void sumPairs(snHelpers* h)
{
    size_t n = (size_t)h->count;
    memset(h->S, 0, n * n * sizeof *h->S);
    for (int32_t v = 0; v < h->goal->vertex_count; ++v) {
        const snHelperTie* ties = tiesOf(h, v);
        for (int32_t a = 0; a < h->tie_count[v]; ++a) {
            for (int32_t b = 0; b < h->tie_count[v]; ++b) {
                if (ties[a].helper >= 0 && ties[b].helper >= 0) {
                    h->S[(size_t)ties[a].helper * n + (size_t)ties[b].helper] +=
                        ties[a].weight * ties[b].weight;
                }
            }
        }
    }
}

// Normal equations: sum_b S_ab W_a' W_b t_b = W_a' sum_v w_va D_v
void snHelpers_Move(snHelpers* h, const float* D, const snMat3* W, double* t)
{
    int32_t n = 3 * h->count;
    double trace = 0;
    memset(t, 0, (size_t)n * sizeof *t);
    for (int32_t v = 0; v < h->goal->vertex_count; ++v) {
        const snHelperTie* ties = tiesOf(h, v);
        for (int32_t a = 0; a < h->tie_count[v]; ++a) {
            for (int k = 0; k < 3 && ties[a].helper >= 0; ++k) {
                t[3 * ties[a].helper + k] += ties[a].weight * (double)D[3 * (size_t)v + (size_t)k];
            }
        }
    }
    for (int32_t a = 0; a < h->count; ++a) {
        snMat3 back = snTranspose(W[h->joint[a]]);
        snVec3 right = snMatVec(back, loadVec(t + 3 * a));
        t[3 * a] = right.x, t[3 * a + 1] = right.y, t[3 * a + 2] = right.z;
        for (int32_t b = 0; b <= a; ++b) {
            double s = h->S[(size_t)a * (size_t)h->count + (size_t)b];
            snMat3 block = snMatMul(back, W[h->joint[b]]);
            for (int32_t i = 0; i < 3; ++i) {
                snVec3 column = snMatCol(block, i);
                double* row = h->A + (size_t)(3 * a) * (size_t)n + (size_t)(3 * b + i);
                row[0] = s * column.x;
                row[n] = s * column.y;
                row[2 * n] = s * column.z;
            }
        }
        for (int32_t i = 3 * a; i < 3 * a + 3; ++i) {
            trace += h->A[(size_t)i * (size_t)n + (size_t)i];
        }
    }
    for (int32_t i = 0; i < n; ++i) {
        h->A[(size_t)i * (size_t)n + (size_t)i] += RIDGE * trace / n;
    }
    if (n > 0 && trace > 0 && snCholesky_Factor(h->A, n)) {
        snCholesky_Solve(h->A, n, t);
    } else {
        memset(t, 0, (size_t)n * sizeof *t);
    }
}

snVec3 snHelpers_VertexOffset(const snHelpers* h, int32_t v, const snMat3* W, const double* t)
{
    const snHelperTie* ties = tiesOf(h, v);
    snVec3 sum = snV3(0, 0, 0);
    for (int32_t a = 0; a < h->tie_count[v]; ++a) {
        if (ties[a].helper >= 0) {
            snVec3 way = snMatVec(W[ties[a].joint], loadVec(t + 3 * ties[a].helper));
            sum = snMulAdd(sum, ties[a].weight, way);
        }
    }
    return sum;
}

static void moveAll(snHelpers* h)
{
    const snHelperGoal* g = h->goal;
    sumPairs(h);
    for (int32_t f = 0; f < g->frame_count; ++f) {
        snHelpers_Move(h, g->D + 3 * (size_t)f * (size_t)g->vertex_count,
                       g->W + (size_t)f * (size_t)g->joint_count,
                       h->t + 3 * (size_t)f * (size_t)h->count);
    }
}

// Weights ------------------------------------------------------------------------------

// A vertex's problem: least w'Gw/2 - b'w. What a joint keeps moves nothing.
typedef struct Vertex {
    const snHelpers* h;
    const double* G; // products of helpers' ways, summed over frames; (count, count)
    const double* b; // of the vertex's with helpers'; (count)
    snHelperTie* ties;
    int32_t count;
} Vertex;

static double product(const Vertex* v, int32_t a, int32_t b)
{
    return a < 0 || b < 0 ? 0 : v->G[(size_t)a * (size_t)v->h->count + (size_t)b];
}

static double slope(const Vertex* v, int32_t helper)
{
    double sum = helper < 0 ? 0 : -v->b[helper];
    for (int32_t i = 0; i < v->count && helper >= 0; ++i) {
        sum += product(v, helper, v->ties[i].helper) * v->ties[i].weight;
    }
    return sum;
}

// What is best moved from a tie to a helper of the same joint, and what that gains
static double exchange(const Vertex* v, const snHelperTie* from, int32_t to, double* gain)
{
    double fall = slope(v, from->helper) - slope(v, to);
    double curve = product(v, to, to) + product(v, from->helper, from->helper) -
                   2 * product(v, to, from->helper);
    double by = !(fall > 0) ? 0 : curve * from->weight > fall ? fall / curve : from->weight;
    *gain = by * (fall - 0.5 * curve * by);
    return by;
}

static snHelperTie* findTie(const Vertex* v, int32_t joint, int32_t helper)
{
    for (int32_t i = 0; i < v->count; ++i) {
        if (v->ties[i].joint == joint && v->ties[i].helper == helper) {
            return &v->ties[i];
        }
    }
    return NULL;
}

// The change that gains most: weight from a tie to another helper of its joint, or to the joint.
// Without a free slot a helper that is new must take all. False when nothing is worth it.
static bool improve(Vertex* v, double least)
{
    const snHelpers* h = v->h;
    double most = least, by = 0;
    int32_t from = -1, to = -1;
    for (int32_t i = 0; i < v->count; ++i) {
        for (int32_t k = -1; k < h->count; ++k) {
            const snHelperTie* tie = &v->ties[i];
            if (k == tie->helper || (k >= 0 && h->joint[k] != tie->joint)) {
                continue;
            }
            double gain, way = exchange(v, tie, k, &gain);
            bool fits = v->count < h->goal->slots || findTie(v, tie->joint, k);
            if (!fits && way < tie->weight) {
                double all = tie->weight, fall = slope(v, tie->helper) - slope(v, k);
                double curve = product(v, k, k) + product(v, tie->helper, tie->helper) -
                               2 * product(v, k, tie->helper);
                way = all;
                gain = all * (fall - 0.5 * curve * all);
            }
            if (gain > most) {
                most = gain;
                by = way;
                from = i;
                to = k;
            }
        }
    }
    if (from < 0) {
        return false;
    }
    snHelperTie* source = &v->ties[from];
    snHelperTie* target = findTie(v, source->joint, to);
    bool all = by >= source->weight;
    if (target) {
        target->weight += by;
    } else if (all) {
        source->helper = to;
        return true;
    } else {
        v->ties[v->count++] = (snHelperTie){source->joint, to, by};
    }
    source->weight -= by;
    if (all) {
        *source = v->ties[--v->count];
    }
    return true;
}

// Ways of helpers in the world and their products. U: (frame_count, count, 3)
static void multiply(const snHelpers* h, double* U, double* G)
{
    const snHelperGoal* g = h->goal;
    size_t n = (size_t)h->count;
    memset(G, 0, n * n * sizeof *G);
    for (int32_t f = 0; f < g->frame_count; ++f) {
        const snMat3* W = g->W + (size_t)f * (size_t)g->joint_count;
        double* u = U + 3 * n * (size_t)f;
        for (size_t k = 0; k < n; ++k) {
            snVec3 way = snMatVec(W[h->joint[k]], loadVec(h->t + 3 * (n * (size_t)f + k)));
            u[3 * k] = way.x, u[3 * k + 1] = way.y, u[3 * k + 2] = way.z;
        }
        for (size_t a = 0; a < n; ++a) {
            for (size_t b = 0; b < n; ++b) {
                G[a * n + b] += snDot(loadVec(u + 3 * a), loadVec(u + 3 * b));
            }
        }
    }
}

static void weighAll(snHelpers* h, const double* energy, double* U, double* G, double* b)
{
    const snHelperGoal* g = h->goal;
    size_t n = (size_t)h->count;
    multiply(h, U, G);
    for (int32_t v = 0; v < g->vertex_count; ++v) {
        memset(b, 0, n * sizeof *b);
        for (int32_t f = 0; f < g->frame_count && energy[v] > 0; ++f) {
            size_t at = (size_t)f * (size_t)g->vertex_count + (size_t)v;
            snVec3 d = vec(g->D + 3 * at);
            for (size_t k = 0; k < n; ++k) {
                b[k] += snDot(d, loadVec(U + 3 * (n * (size_t)f + k)));
            }
        }
        Vertex vertex = {h, G, b, tiesOf(h, v), h->tie_count[v]};
        int32_t most = 4 * g->slots;
        for (int32_t i = 0; i < most && energy[v] > 0 && improve(&vertex, GAIN * energy[v]); ++i) {
        }
        h->tie_count[v] = vertex.count;
    }
}

// All ----------------------------------------------------------------------------------

// Where helpers are: in the middle of what they move
static void centreHelpers(snHelpers* h, double* sums)
{
    memset(sums, 0, (size_t)h->count * sizeof *sums);
    for (int32_t k = 0; k < h->count; ++k) {
        snVec3 sum = snV3(0, 0, 0);
        for (int32_t v = 0; v < h->goal->vertex_count; ++v) {
            const snHelperTie* ties = tiesOf(h, v);
            for (int32_t a = 0; a < h->tie_count[v]; ++a) {
                double w = ties[a].helper == k ? ties[a].weight : 0;
                sum = snMulAdd(sum, w, h->goal->position[v]);
                sums[k] += w;
            }
        }
        h->centre[k] = sums[k] > 0 ? snScale(1 / sums[k], sum) : h->centre[k];
    }
}

static double sizeOf(const snHelperGoal* g)
{
    snVec3 low = g->position[0], high = low;
    for (int32_t v = 1; v < g->vertex_count; ++v) {
        snVec3 x = g->position[v];
        low = snV3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = snV3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return snLength(snSub(high, low));
}

static int32_t takeSamples(const snHelperGoal* g, double size, double* energy, Sample* samples)
{
    int32_t count = 0;
    for (int32_t v = 0; v < g->vertex_count; ++v) {
        energy[v] = 0;
        for (int32_t f = 0; f < g->frame_count; ++f) {
            size_t at = (size_t)f * (size_t)g->vertex_count + (size_t)v;
            energy[v] += snLengthSq(vec(g->D + 3 * at));
        }
        for (int32_t i = g->first[v]; i < g->first[v + 1]; ++i) {
            samples[count++] =
                (Sample){v, g->joint[i], energy[v] * (double)g->share[i], size * size};
        }
    }
    return count;
}

snStatus snHelpers_Find(snArena* arena, const snHelperGoal* g, int32_t count, snHelpers* h,
                        snMessage* why)
{
    size_t vertices = (size_t)g->vertex_count, frames = (size_t)g->frame_count, n = (size_t)count;
    size_t ties = (size_t)g->first[vertices];
    *h = (snHelpers){.goal = g,
                     .count = count,
                     .joint = snArena_Push(arena, n, sizeof *h->joint),
                     .centre = snArena_Push(arena, n, sizeof *h->centre),
                     .tie_count = snArena_Push(arena, vertices, sizeof *h->tie_count),
                     .ties = snArena_Push(arena, vertices * (size_t)g->slots, sizeof *h->ties),
                     .S = snArena_Push(arena, n * n, sizeof *h->S),
                     .t = snArena_Push(arena, 3 * n * frames, sizeof *h->t),
                     .A = snArena_Push(arena, 9 * n * n, sizeof *h->A)};
    Sample* samples = snArena_Push(arena, ties, sizeof *samples);
    double* energy = snArena_Push(arena, vertices, sizeof *energy);
    double* U = snArena_Push(arena, 3 * n * frames, sizeof *U);
    double* G = snArena_Push(arena, n * n, sizeof *G);
    double* b = snArena_Push(arena, n, sizeof *b);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    double size = sizeOf(g);
    int32_t sample_count = takeSamples(g, size, energy, samples);
    placeHelpers(h, samples, sample_count, size);
    tieNearest(h, energy);
    for (int round = 0; round < ROUNDS; ++round) {
        moveAll(h);
        weighAll(h, energy, U, G, b);
    }
    sumPairs(h);
    centreHelpers(h, b);
    return sn_ok;
}
