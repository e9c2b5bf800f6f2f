// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/weights.h"

#include "base/message.h"
#include "geom/sort.h"
#include "linsolve/cg.h"

#include <string.h>

// Joints that are solved for at once: one pass over the matrix serves them all, and memory does not
// grow with their number.
#define LANES SN_CG_LANES

// How much stronger than its neighbours the skin holds a node. Larger follows the artist's noise,
// less rounds off the ends of steep ramps.
#define HOLD 10.0

// Vertices farther outside their cell than this, as a barycentric weight, are taken to it: what
// they would say of the nodes across is extrapolated too far.
#define OUTSIDE (-0.5)

// A cell counts as filled by this part at least: it must tie its nodes to something.
#define EMPTY 0.01

#define PRECISE 1e-5    // residual, relative to the right side: weights to about 1e-4
#define ITERATIONS 2000 // at most; usual are 10 to 60

typedef double Lanes[LANES];

typedef struct System {
    size_t nodes;
    int64_t* row;       // (nodes + 1)
    int32_t* column;    // ascending in each row
    double* value;      // L + B' M B
    double* diagonal;   // (nodes)
    double* hold;       // m of each vertex; 0: it tells nothing; (vertex_count)
    double (*embed)[4]; // b of each vertex; (vertex_count)
    int32_t* order;     // nodes as the skin's vertices and then their neighbours reach them
    size_t reached;     // of them
    int32_t* step;      // at which each was reached, 0 at the skin, -1: never; (nodes)
} System;

// The matrix -----------------------------------------------------------------------

static void findNeighbours(snArena* arena, const snTets* mesh, System* s)
{
    size_t pairs = 16 * (size_t)mesh->tet_count, kept = 0;
    uint64_t* key = snArena_Push(arena, pairs, sizeof *key);
    int32_t* nothing = snArena_Push(arena, pairs, sizeof *nothing);
    s->row = snArena_Push(arena, s->nodes + 1, sizeof *s->row);
    if (arena->failed) {
        return;
    }
    for (size_t i = 0; i < pairs; ++i) {
        const int32_t* n = mesh->tet + 4 * (i / 16);
        key[i] = (uint64_t)n[i / 4 % 4] << 32 | (uint64_t)n[i % 4];
    }
    snSort_Pairs(arena, key, nothing, (int64_t)pairs);
    for (size_t i = 0; i < pairs; ++i) {
        if (i == 0 || key[i] != key[i - 1]) {
            key[kept++] = key[i];
        }
    }
    s->column = snArena_Push(arena, kept, sizeof *s->column);
    s->value = snArena_Push(arena, kept, sizeof *s->value);
    for (size_t i = 0; !arena->failed && i < kept; ++i) {
        s->column[i] = (int32_t)(key[i] & 0xffffffffu);
        ++s->row[(key[i] >> 32) + 1];
    }
    for (size_t i = 0; i < s->nodes; ++i) {
        s->row[i + 1] += s->row[i];
    }
}

static double* entry(const System* s, int32_t a, int32_t b)
{
    int64_t low = s->row[a], high = s->row[a + 1] - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->column[middle] < b) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return &s->value[low];
}

// K_ij = V grad N_i . grad N_j. With the edges e_k from the last node, grad N_k is the cross
// product of the other two over 6 V.
static void addStiffness(const snTets* mesh, const double* fill, System* s)
{
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        const int32_t* n = mesh->tet + 4 * (ptrdiff_t)e;
        snVec3 o = mesh->position[n[3]], a = snSub(mesh->position[n[0]], o);
        snVec3 b = snSub(mesh->position[n[1]], o), c = snSub(mesh->position[n[2]], o);
        snVec3 g[4] = {snCross(b, c), snCross(c, a), snCross(a, b), {0, 0, 0}};
        double six = fabs(snDot(a, g[0])), longest = fmax(snLengthSq(a), snLengthSq(b));
        longest = sqrt(fmax(longest, snLengthSq(c)));
        g[3] = snNeg(snAdd(g[0], snAdd(g[1], g[2])));
        // a flat one would tie its nodes together for no reason
        double part = fill ? fmax(fill[e], EMPTY) : 1;
        double scale = part / (6 * fmax(six, 1e-3 * longest * longest * longest));
        for (int i = 0; i < 4 && longest > 0; ++i) {
            for (int j = 0; j < 4; ++j) {
                *entry(s, n[i], n[j]) += scale * snDot(g[i], g[j]);
            }
        }
    }
    for (size_t i = 0; i < s->nodes; ++i) {
        bool has = s->row[i + 1] > s->row[i];
        s->diagonal[i] = has ? *entry(s, (int32_t)i, (int32_t)i) : 0;
    }
}

// m_v = HOLD sum_k b_k D_k / S_k with D the stiffness of a node and S what all vertices have on it
static void addSkin(snArena* arena, const snTets* mesh, const snEmbedding* embedding,
                    const snInfluences* skin, System* s)
{
    size_t vertices = (size_t)skin->vertex_count;
    double* sum = snArena_Push(arena, s->nodes, sizeof *sum);
    for (size_t v = 0; sum && v < vertices; ++v) {
        const int32_t* n = mesh->tet + 4 * (ptrdiff_t)embedding->cell[v];
        double least = 0, total = 0;
        for (int k = 0; k < 4; ++k) {
            least = fmin(least, embedding->weight[v][k]);
        }
        for (int k = 0; k < 4; ++k) {
            double b = embedding->weight[v][k];
            total += s->embed[v][k] = least < OUTSIDE ? fmax(b, 0) : b;
        }
        for (int k = 0; k < 4; ++k) {
            s->embed[v][k] /= total;
            sum[n[k]] += skin->first[v + 1] > skin->first[v] ? fabs(s->embed[v][k]) : 0;
        }
    }
    for (size_t v = 0; sum && v < vertices; ++v) {
        const int32_t* n = mesh->tet + 4 * (ptrdiff_t)embedding->cell[v];
        const double* b = s->embed[v];
        for (int k = 0; k < 4 && skin->first[v + 1] > skin->first[v]; ++k) {
            s->hold[v] += HOLD * fabs(b[k]) * s->diagonal[n[k]] / fmax(sum[n[k]], 1e-30);
        }
        for (int k = 0; k < 16 && s->hold[v] > 0; ++k) {
            *entry(s, n[k / 4], n[k % 4]) += s->hold[v] * b[k / 4] * b[k % 4];
        }
    }
    for (size_t i = 0; i < s->nodes; ++i) {
        bool has = s->row[i + 1] > s->row[i];
        s->diagonal[i] = has ? *entry(s, (int32_t)i, (int32_t)i) : 0;
    }
}

// Nodes that vertices touch, then their neighbours, and so on
static void reachNodes(const snTets* mesh, const snEmbedding* embedding, const snInfluences* skin,
                       System* s)
{
    for (size_t i = 0; i < s->nodes; ++i) {
        s->step[i] = -1;
    }
    for (size_t v = 0; v < (size_t)skin->vertex_count; ++v) {
        const int32_t* n = mesh->tet + 4 * (ptrdiff_t)embedding->cell[v];
        for (int k = 0; k < 4 && s->hold[v] > 0; ++k) {
            if (s->step[n[k]] < 0 && s->embed[v][k] != 0) {
                s->step[n[k]] = 0;
                s->order[s->reached++] = n[k];
            }
        }
    }
    for (size_t i = 0; i < s->reached; ++i) {
        int32_t a = s->order[i];
        for (int64_t k = s->row[a]; k < s->row[a + 1]; ++k) {
            int32_t b = s->column[k];
            if (s->step[b] < 0) {
                s->step[b] = s->step[a] + 1;
                s->order[s->reached++] = b;
            }
        }
    }
}

// Solving --------------------------------------------------------------------------

// Unknowns of LANES joints
typedef struct Fields {
    Lanes *x, *r;  // (nodes)
    void* work;    // of conjugate gradients
    double* mass;  // of a node's vertices, scratch; (nodes)
    int32_t* lane; // of each joint, -1: not now; (joint_count)
} Fields;

// Right side B' M w, in r
static void setRight(const snTets* mesh, const snEmbedding* embedding, const snInfluences* skin,
                     const System* s, Fields* f)
{
    for (size_t i = 0; i < s->nodes; ++i) {
        f->mass[i] = 0;
        for (int l = 0; l < LANES; ++l) {
            f->r[i][l] = f->x[i][l] = 0;
        }
    }
    for (size_t v = 0; v < (size_t)skin->vertex_count; ++v) {
        const int32_t* n = mesh->tet + 4 * (ptrdiff_t)embedding->cell[v];
        for (int k = 0; k < 4; ++k) {
            f->mass[n[k]] += s->hold[v] * fabs(s->embed[v][k]);
        }
        for (int32_t i = skin->first[v]; i < skin->first[v + 1]; ++i) {
            int32_t l = f->lane[skin->joint[i]];
            for (int k = 0; k < 4 && l >= 0; ++k) {
                double w = s->hold[v] * (double)skin->weight[i];
                f->r[n[k]][l] += w * s->embed[v][k];
                f->x[n[k]][l] += w * fabs(s->embed[v][k]);
            }
        }
    }
}

// The first guess: the mean of a node's vertices, then of its neighbours that have one. A part
// with one joint is right at once.
static void guess(const System* s, Fields* f)
{
    for (size_t i = 0; i < s->reached; ++i) {
        int32_t a = s->order[i];
        double *x = f->x[a], count = f->mass[a];
        if (s->step[a] > 0) {
            count = 0;
            for (int64_t k = s->row[a]; k < s->row[a + 1]; ++k) {
                int32_t b = s->column[k];
                bool before = s->step[b] >= 0 && s->step[b] < s->step[a];
                count += before ? 1 : 0;
                for (int l = 0; l < LANES && before; ++l) {
                    x[l] += f->x[b][l];
                }
            }
        }
        for (int l = 0; l < LANES; ++l) {
            x[l] /= count;
        }
    }
}

static void multiply(void* user, const double* in, double* out)
{
    const System* s = user;
    for (size_t i = 0; i < s->nodes; ++i) {
        Lanes sum = {0};
        for (int64_t k = s->row[i]; k < s->row[i + 1]; ++k) {
            const double* at = in + (size_t)s->column[k] * LANES;
            for (int l = 0; l < LANES; ++l) {
                sum[l] += s->value[k] * at[l];
            }
        }
        memcpy(out + i * LANES, sum, sizeof sum);
    }
}

// By the inverse of the diagonal; nodes of no cell have none
static void precondition(void* user, const double* r, double* z)
{
    const System* s = user;
    for (size_t i = 0; i < s->nodes; ++i) {
        double scale = s->diagonal[i] > 0 ? 1 / s->diagonal[i] : 0;
        for (size_t l = i * LANES; l < (i + 1) * LANES; ++l) {
            z[l] = scale * r[l];
        }
    }
}

static snCg solver(System* s)
{
    return (snCg){.n = s->nodes,
                  .lanes = LANES,
                  .chunk = s->nodes, // one plain sum
                  .tolerance = PRECISE,
                  .most = ITERATIONS,
                  .operate = multiply,
                  .precondition = precondition,
                  .user = s};
}

// Keeping --------------------------------------------------------------------------

// Largest first; of equal ones the joint that came first
static void keep(snNodeWeights* node, int32_t joint, double weight, double* dropped)
{
    int at = SN_WEIGHTS_MOST;
    while (at > 0 && (node->joint[at - 1] < 0 || (double)node->weight[at - 1] < weight)) {
        --at;
    }
    if (weight < SN_WEIGHTS_LEAST) {
        return;
    }
    *dropped += at < SN_WEIGHTS_MOST ? (double)node->weight[SN_WEIGHTS_MOST - 1] : weight;
    for (int k = SN_WEIGHTS_MOST - 1; k > at; --k) {
        node->joint[k] = node->joint[k - 1];
        node->weight[k] = node->weight[k - 1];
    }
    if (at < SN_WEIGHTS_MOST) {
        node->joint[at] = joint;
        node->weight[at] = (float)weight;
    }
}

// Sums of 1. Nodes that nothing reached take the weights of the nearest node that has some.
static void finish(const snTets* mesh, const System* s, const double* dropped, snNodeWeights* out,
                   snWeightsFacts* facts)
{
    for (size_t i = 0; i < s->nodes; ++i) {
        double sum = 0;
        for (int k = 0; k < SN_WEIGHTS_MOST; ++k) {
            sum += (double)out[i].weight[k];
        }
        facts->dropped = fmax(facts->dropped, dropped[i]);
        for (int k = 0; k < SN_WEIGHTS_MOST && sum > 0; ++k) {
            out[i].weight[k] = (float)((double)out[i].weight[k] / sum);
        }
    }
    for (size_t i = 0; i < s->nodes; ++i) {
        if (s->step[i] >= 0) {
            continue;
        }
        double nearest = HUGE_VAL;
        ++facts->bare;
        for (size_t j = 0; j < s->reached; ++j) {
            snVec3 d = snSub(mesh->position[s->order[j]], mesh->position[i]);
            if (snLengthSq(d) < nearest) {
                nearest = snLengthSq(d);
                out[i] = out[s->order[j]];
            }
        }
    }
}

// Making ---------------------------------------------------------------------------

static snStatus check(const snTets* mesh, const snEmbedding* embedding, const snInfluences* skin,
                      snMessage* why)
{
    bool any = false;
    for (int32_t v = 0; v < skin->vertex_count; ++v) {
        if (embedding->cell[v] < 0 || embedding->cell[v] >= mesh->tet_count) {
            return snFail(why, sn_errorArgument, "weights: vertex %d is in no cell", (int)v);
        }
        for (int32_t i = skin->first[v]; i < skin->first[v + 1]; ++i) {
            any = true;
            if (skin->joint[i] < 0 || skin->joint[i] >= skin->joint_count) {
                return snFail(why, sn_errorArgument, "weights: vertex %d names joint %d of %d",
                              (int)v, (int)skin->joint[i], (int)skin->joint_count);
            }
        }
    }
    return any ? sn_ok : snFail(why, sn_errorArgument, "weights: no vertex has a joint");
}

static bool assemble(snArena* arena, const snTets* mesh, const double* fill,
                     const snEmbedding* embedding, const snInfluences* skin, System* s)
{
    size_t vertices = (size_t)skin->vertex_count;
    s->nodes = (size_t)mesh->node_count;
    s->diagonal = snArena_Push(arena, s->nodes, sizeof *s->diagonal);
    s->hold = snArena_Push(arena, vertices, sizeof *s->hold);
    s->embed = snArena_Push(arena, vertices, sizeof *s->embed);
    s->order = snArena_Push(arena, s->nodes, sizeof *s->order);
    s->step = snArena_Push(arena, s->nodes, sizeof *s->step);
    findNeighbours(arena, mesh, s);
    if (arena->failed) {
        return false;
    }
    addStiffness(mesh, fill, s);
    addSkin(arena, mesh, embedding, skin, s);
    reachNodes(mesh, embedding, skin, s);
    return !arena->failed;
}

// All joints, LANES at a time
static bool diffuse(snArena* arena, const snTets* mesh, const snEmbedding* embedding,
                    const snInfluences* skin, System* s, snNodeWeights* out, snWeightsFacts* facts)
{
    size_t joints = (size_t)skin->joint_count;
    uint8_t* used = snArena_Push(arena, joints, 1);
    double* dropped = snArena_Push(arena, s->nodes, sizeof *dropped);
    snCg cg = solver(s);
    Fields f = {.x = snArena_Push(arena, s->nodes, sizeof(Lanes)),
                .r = snArena_Push(arena, s->nodes, sizeof(Lanes)),
                .work = snArena_Push(arena, snCg_WorkSize(&cg), 1),
                .lane = snArena_Push(arena, joints, sizeof(int32_t)),
                .mass = snArena_Push(arena, s->nodes, sizeof(double))};
    if (arena->failed) {
        return false;
    }
    for (int32_t i = skin->first[0]; i < skin->first[skin->vertex_count]; ++i) {
        used[skin->joint[i]] |= skin->weight[i] > 0;
    }
    for (size_t begin = 0, next = 0; begin < joints; begin = next) {
        int32_t who[LANES], count = 0;
        for (size_t j = 0; j < joints; ++j) {
            f.lane[j] = -1;
        }
        for (next = begin; next < joints && count < LANES; ++next) {
            if (used[next]) {
                f.lane[next] = count;
                who[count++] = (int32_t)next;
            }
        }
        facts->joints += count;
        setRight(mesh, embedding, skin, s, &f);
        guess(s, &f);
        int32_t iterations = count ? snCg_Solve(&cg, *f.x, *f.r, f.work).iterations : 0;
        facts->iterations = iterations > facts->iterations ? iterations : facts->iterations;
        for (size_t i = 0; i < s->nodes; ++i) {
            for (int32_t l = 0; l < count; ++l) {
                keep(&out[i], who[l], f.x[i][l], &dropped[i]);
            }
        }
    }
    finish(mesh, s, dropped, out, facts);
    return true;
}

snStatus snWeights_Diffuse(snArena* arena, const snTets* mesh, const double* fill,
                           const snEmbedding* embedding, const snInfluences* skin,
                           snNodeWeights** out, snWeightsFacts* facts, snMessage* why)
{
    snArena scratch;
    System system = {0};
    snWeightsFacts found = {0};
    snStatus status = check(mesh, embedding, skin, why);
    if (status) {
        return status;
    }
    snArena_Init(&scratch, &arena->host);
    *out = snArena_Push(arena, (size_t)mesh->node_count, sizeof **out);
    bool done = *out && assemble(&scratch, mesh, fill, embedding, skin, &system);
    for (int32_t i = 0; done && i < mesh->node_count; ++i) {
        for (int k = 0; k < SN_WEIGHTS_MOST; ++k) {
            (*out)[i].joint[k] = -1;
        }
    }
    done = done && diffuse(&scratch, mesh, embedding, skin, &system, *out, &found);
    snArena_Free(&scratch);
    if (!done) {
        return snFail(why, sn_errorMemory, "out of memory for the flesh's weights");
    }
    if (facts) {
        *facts = found;
    }
    snMessage_Clear(why);
    return sn_ok;
}
