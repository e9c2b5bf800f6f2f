// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A body does not feel the flesh around a point as something that it touches. What is around is
// told by the way through the flesh, along edges of cells: fingers and thighs may be close to each
// other and yet strangers. Parts share nodes only where they are joined.
#include "base/message.h"
#include "contact/tissue.h"

// Ways along the edges of a body-centred lattice are at most this much longer than straight ones.
#define DETOUR 1.25

// Of depths at rest, so that rounding of places does not make contacts, in cells.
#define SLACK 1e-3

// An edge as seen from one of its nodes.
typedef struct Edge {
    int32_t to;
    double length; // m
} Edge;

typedef struct Maker {
    snTissue* tissue;
    snArena scratch;
    double limit;     // of the way through the flesh, m
    int32_t* begin;   // of a node's edges; (node_count + 1)
    Edge* edges;      // each as often as there are cells around it, or less
    double* way;      // to a node from the present cell, m; infinite: farther; (node_count)
    int32_t* reached; // nodes with a way; (node_count)
    int32_t* queue;   // nodes whose neighbours may be nearer now, a ring; (node_count)
    bool* queued;     // (node_count)
    // results, NULL while they are counted
    snTissueGroup* groups;
    snTissueKin* strangers;
    int32_t group_count, stranger_count;
    int32_t* group_at; // of a cell; -1: it has no points, or they have no strangers; (tet_count)
} Maker;

static const int32_t* cornersOf(const snTissue* tissue, int32_t cell)
{
    return tissue->flesh.tets.tet + 4 * (size_t)cell;
}

// Ways through the flesh ---------------------------------------------------------

static void addEdge(Maker* m, int32_t from, int32_t* count, int32_t to)
{
    const snVec3* at = m->tissue->flesh.tets.position;
    Edge* own = m->edges + m->begin[from];
    for (int32_t i = 0; i < *count; ++i) {
        if (own[i].to == to) {
            return;
        }
    }
    own[(*count)++] = (Edge){to, snLength(snSub(at[to], at[from]))};
}

// begin leaves room for three edges per node of a cell; what is not used of it has no length.
static void listEdges(Maker* m, int32_t* counts)
{
    const snTets* tets = &m->tissue->flesh.tets;
    for (int32_t i = 0; i < 4 * tets->tet_count; ++i) {
        m->begin[tets->tet[i] + 1] += 3;
    }
    for (int32_t i = 0; i < tets->node_count; ++i) {
        m->begin[i + 1] += m->begin[i];
    }
    for (int32_t e = 0; e < tets->tet_count; ++e) {
        const int32_t* n = cornersOf(m->tissue, e);
        for (int k = 0; k < 12; ++k) {
            addEdge(m, n[k / 3], &counts[n[k / 3]], n[(k / 3 + k % 3 + 1) % 4]);
        }
    }
}

// The ways from a cell to the nodes within the limit, put right until none gets shorter. Returns
// how many there are.
static int32_t walk(Maker* m, int32_t cell)
{
    const int32_t room = m->tissue->flesh.tets.node_count;
    int32_t count = 0, from = 0, waiting = 0;
    for (int k = 0; k < 4; ++k) {
        int32_t node = cornersOf(m->tissue, cell)[k];
        m->way[node] = 0;
        m->reached[count++] = m->queue[waiting++] = node;
        m->queued[node] = true;
    }
    while (waiting > 0) {
        int32_t node = m->queue[from];
        from = (from + 1) % room;
        --waiting;
        m->queued[node] = false;
        for (int32_t i = m->begin[node]; i < m->begin[node + 1] && m->edges[i].length > 0; ++i) {
            int32_t to = m->edges[i].to;
            double way = m->way[node] + m->edges[i].length;
            if (way >= m->way[to] || way > m->limit) {
                continue;
            }
            if (isinf(m->way[to])) {
                m->reached[count++] = to;
            }
            m->way[to] = way;
            if (!m->queued[to]) {
                m->queued[to] = true;
                m->queue[(from + waiting++) % room] = to;
            }
        }
    }
    return count;
}

// Strangers ------------------------------------------------------------------------

// Whether a cell is near a place, and no way was found to it.
static bool isStrange(const Maker* m, int32_t cell, snVec3 centre, double reach)
{
    const snVec3* at = m->tissue->flesh.tets.position;
    const int32_t* n = cornersOf(m->tissue, cell);
    bool near = false;
    for (int k = 0; k < 4; ++k) {
        if (!isinf(m->way[n[k]])) {
            return false;
        }
        near = near || snLengthSq(snSub(at[n[k]], centre)) < reach * reach;
    }
    return near;
}

// Cells that are closer than `apart` to places of this one, but not through the flesh.
static void findStrangers(Maker* m, int32_t cell)
{
    const snTissue* tissue = m->tissue;
    const snBvh* bvh = &tissue->cell_tree;
    const snVec3* at = tissue->flesh.tets.position;
    const int32_t* n = cornersOf(tissue, cell);
    snVec3 centre = snScale(0.25, snAdd(snAdd(at[n[0]], at[n[1]]), snAdd(at[n[2]], at[n[3]])));
    double reach = tissue->apart + tissue->flesh.cell;
    int32_t stack[SN_BVH_DEPTH + 2], reached = walk(m, cell);
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        int32_t here = stack[--top];
        const snBvhNode* node = &bvh->nodes[here];
        uint32_t lanes = 0;
        if (snBox_DistanceSq(&node->box, centre) > reach * reach) {
            continue;
        }
        for (int32_t i = 0; i < node->count; ++i) {
            lanes |= (uint32_t)isStrange(m, bvh->order[node->first + i], centre, reach) << i;
        }
        if (lanes && m->strangers) {
            m->strangers[m->stranger_count] = (snTissueKin){tissue->block_of[here], here, lanes};
        }
        m->stranger_count += lanes != 0;
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
        }
    }
    for (int32_t i = 0; i < reached; ++i) {
        m->way[m->reached[i]] = (double)INFINITY;
    }
}

static void sortStrangers(snTissueKin* kin, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        snTissueKin one = kin[i];
        int32_t k = i;
        for (; k > 0 && kin[k - 1].block > one.block; --k) {
            kin[k] = kin[k - 1];
        }
        kin[k] = one;
    }
}

// Groups of the points that are tied to the same cell. group_at: not -1 where there are points.
static void findGroups(Maker* m)
{
    m->group_count = m->stranger_count = 0;
    for (int32_t e = 0; e < m->tissue->flesh.tets.tet_count; ++e) {
        int32_t first = m->stranger_count;
        if (m->group_at[e] >= 0) {
            findStrangers(m, e);
        }
        bool any = m->stranger_count > first;
        if (any && m->groups) {
            m->groups[m->group_count] = (snTissueGroup){first, m->stranger_count - first};
            sortStrangers(m->strangers + first, m->stranger_count - first);
        }
        m->group_at[e] = any ? m->group_count++ : -1;
    }
}

// How deep a point is in strangers at rest.
static float restDepth(const snTissue* tissue, const snVec4f* x, const snTissueGroup* group,
                       int32_t point)
{
    double most = 0;
    for (int32_t i = group->stranger; i < group->stranger + group->stranger_count; ++i) {
        const snTissueCorners* corners = &tissue->corners[tissue->strangers[i].block];
        for (int k = 0; k < corners->count; ++k) {
            snTissueHit hit;
            if ((tissue->strangers[i].lanes >> k & 1) &&
                snTissue_Probe(tissue, x, corners->cell[k], tissue->point_rest[point], &hit)) {
                most = fmax(most, hit.depth);
            }
        }
    }
    return (float)(most + SLACK * tissue->flesh.cell);
}

static void fillPoints(const Maker* m, const snVec4f* x, int32_t* group_of, float* sunk)
{
    const snTissue* tissue = m->tissue;
    for (int32_t i = 0; i < tissue->flesh.point_count; ++i) {
        group_of[i] = m->group_at[tissue->flesh.cell_of[i]];
        if (group_of[i] >= 0) {
            sunk[i] = restDepth(tissue, x, &tissue->groups[group_of[i]], i);
        }
    }
}

static void markCells(Maker* m)
{
    for (int32_t e = 0; e < m->tissue->flesh.tets.tet_count; ++e) {
        m->group_at[e] = -1;
    }
    for (int32_t i = 0; i < m->tissue->flesh.point_count; ++i) {
        m->group_at[m->tissue->flesh.cell_of[i]] = 0;
    }
}

// Where each cell is among the blocks.
static void findHomes(const snTissue* tissue, int32_t* home)
{
    for (int32_t b = 0; b < tissue->block_count; ++b) {
        for (int k = 0; k < tissue->corners[b].count; ++k) {
            home[tissue->corners[b].cell[k]] = SN_TISSUE_LANES * b + k;
        }
    }
}

static void pushScratch(Maker* m)
{
    const snTets* tets = &m->tissue->flesh.tets;
    size_t nodes = (size_t)tets->node_count;
    m->begin = snArena_Push(&m->scratch, nodes + 1, sizeof(int32_t));
    m->edges = snArena_Push(&m->scratch, 12 * (size_t)tets->tet_count, sizeof(Edge));
    m->way = snArena_Push(&m->scratch, nodes, sizeof(double));
    m->reached = snArena_Push(&m->scratch, nodes, sizeof(int32_t));
    m->queue = snArena_Push(&m->scratch, nodes, sizeof(int32_t));
    m->queued = snArena_Push(&m->scratch, nodes, sizeof(bool));
    int32_t* counts = snArena_Push(&m->scratch, nodes, sizeof(int32_t));
    if (!m->scratch.failed) {
        listEdges(m, counts);
        for (size_t i = 0; i < nodes; ++i) {
            m->way[i] = (double)INFINITY;
        }
    }
}

static bool make(Maker* m, snArena* arena)
{
    snTissue* tissue = m->tissue;
    const snTets* tets = &tissue->flesh.tets;
    size_t points = (size_t)tissue->flesh.point_count, cells = (size_t)tets->tet_count;
    pushScratch(m);
    m->group_at = snArena_Push(&m->scratch, cells, sizeof(int32_t));
    snVec4f* x = snArena_Push(&m->scratch, (size_t)tets->node_count, sizeof(snVec4f));
    int32_t* home = snArena_Push(arena, cells, sizeof(int32_t));
    int32_t* group_of = snArena_Push(arena, points, sizeof(int32_t));
    float* sunk = snArena_Push(arena, points, sizeof(float));
    if (m->scratch.failed || arena->failed) {
        return false;
    }
    findHomes(tissue, home);
    markCells(m);
    findGroups(m);
    m->groups = snArena_Push(arena, (size_t)m->group_count, sizeof(snTissueGroup));
    m->strangers = snArena_Push(arena, (size_t)m->stranger_count, sizeof(snTissueKin));
    if (arena->failed) {
        return false;
    }
    findGroups(m);
    for (int32_t i = 0; i < tets->node_count; ++i) {
        snVec3 p = tets->position[i];
        x[i] = (snVec4f){(float)p.x, (float)p.y, (float)p.z, 0};
    }
    tissue->home = home;
    tissue->group_of = group_of;
    tissue->sunk = sunk;
    tissue->group_count = m->group_count;
    tissue->groups = m->groups;
    tissue->strangers = m->strangers;
    fillPoints(m, x, group_of, sunk);
    return true;
}

snStatus snTissue_BuildStrangers(snArena* arena, snTissue* tissue, snMessage* why)
{
    Maker m = {.tissue = tissue, .limit = DETOUR * tissue->apart};
    snArena_Init(&m.scratch, &arena->host);
    bool made = make(&m, arena);
    snArena_Free(&m.scratch);
    return made ? sn_ok : snFail(why, sn_errorMemory, "no memory for self contact");
}

uint32_t snTissue_StrangersIn(const snTissue* tissue, int32_t point, int32_t block)
{
    const int32_t g = tissue->group_of[point];
    if (g < 0) {
        return 0;
    }
    const snTissueKin* kin = tissue->strangers + tissue->groups[g].stranger;
    int32_t low = 0, high = tissue->groups[g].stranger_count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        bool before = kin[middle].block < block;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < tissue->groups[g].stranger_count && kin[low].block == block ? kin[low].lanes : 0;
}
