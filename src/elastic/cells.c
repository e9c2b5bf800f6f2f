// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "elastic/cells.h"

#include "base/message.h"
#include "elastic/pass.h"

enum { LANES = SN_LANES, LINE = SN_ALIGNMENT / sizeof(snVec4f) };

void snCellsDef_Init(snCellsDef* def)
{
    *def = (snCellsDef){
        .material = {sn_materialStvk, sn_diagonalizeSelective, SN_STRETCH_LOWER, SN_STRETCH_UPPER}};
}

// Checks ----------------------------------------------------------------------

static snVec3 restOf(const snCellsDef* def, int32_t node)
{
    const double* x = def->rest + 3 * (size_t)node;
    return snV3(x[0], x[1], x[2]);
}

static snMat3 restEdges(const snCellsDef* def, int32_t cell)
{
    const int32_t* n = def->tets + 4 * (size_t)cell;
    snVec3 o = restOf(def, n[0]);
    return snMatFromCols(snSub(restOf(def, n[1]), o), snSub(restOf(def, n[2]), o),
                         snSub(restOf(def, n[3]), o));
}

static snStatus checkLaw(const snCellsDef* def, snMessage* why)
{
    const snMaterial* m = &def->material;
    if (def->node_count < 0 || def->cell_count < 0 || def->cell_count > INT32_MAX / 8) {
        return snFail(why, sn_errorArgument, "%d nodes and %d cells: out of range", def->node_count,
                      def->cell_count);
    }
    if ((int)m->kind < sn_materialStvk || m->kind > sn_materialCorotated ||
        (int)m->diagonalize < sn_diagonalizeSelective || m->diagonalize > sn_diagonalizeNone) {
        return snFail(why, sn_errorArgument, "unknown kind of material or of diagonalisation");
    }
    if (m->kind == sn_materialStvk &&
        !(m->lower * m->lower * 3 > 1 && m->lower < 1 && m->upper > 1 && isfinite(m->upper))) {
        return snFail(why, sn_errorArgument,
                      "the range of stretches must begin in (0.58, 1), below which the stress of "
                      "StVK falls with compression, and end above 1");
    }
    if (!(def->damping >= 0 && isfinite(def->damping))) {
        return snFail(why, sn_errorArgument, "the strain-rate damping time must be 0 or more");
    }
    if (def->general_svd && !snGeneralSvd()) {
        return snFail(why, sn_errorUnsupported,
                      "this build has no LAPACK for the general SVD; use the 3 x 3 one");
    }
    return sn_ok;
}

static snStatus checkCells(const snCellsDef* def, snMessage* why)
{
    for (int32_t i = 0; i < def->node_count; ++i) {
        snVec3 x = restOf(def, i);
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z)) {
            return snFail(why, sn_errorArgument, "node %d: its position is not finite", i);
        }
    }
    for (int32_t i = 0; i < def->cell_count; ++i) {
        for (int k = 0; k < 4; ++k) {
            int32_t n = def->tets[4 * (size_t)i + (size_t)k];
            if (n < 0 || n >= def->node_count) {
                return snFail(why, sn_errorArgument, "cell %d: node %d, but there are %d nodes", i,
                              n, def->node_count);
            }
        }
        bool regular;
        snMat3 Dm = restEdges(def, i);
        (void)snMatInverse(Dm, &regular);
        if (!regular || !(snDet(Dm) > 0)) {
            return snFail(why, sn_errorArgument,
                          "cell %d: flat, or its nodes are in the order of negative volume", i);
        }
        double mu = def->mu[i], lambda = def->lambda[i], w = def->weight ? def->weight[i] : 1;
        if (!(mu > 0 && isfinite(mu) && lambda >= 0 && isfinite(lambda))) {
            return snFail(why, sn_errorArgument, "cell %d: mu must be > 0 and lambda >= 0", i);
        }
        if (!(w >= 0 && w <= 1)) {
            return snFail(why, sn_errorArgument, "cell %d: its weight must be in [0, 1]", i);
        }
    }
    return sn_ok;
}

// Order -----------------------------------------------------------------------

typedef struct Place {
    double centre[3];
    int32_t cell;
} Place;

static bool before(const Place* a, const Place* b, int axis)
{
    return a->centre[axis] < b->centre[axis] ||
           (a->centre[axis] == b->centre[axis] && a->cell < b->cell);
}

// Hoare's selection: afterwards the `nth` smallest along the axis come first.
static void partition(Place* p, int32_t count, int32_t nth, int axis)
{
    int32_t lo = 0, hi = count - 1;
    while (lo < hi) {
        Place pivot = p[lo + (hi - lo) / 2];
        int32_t i = lo, j = hi;
        while (i <= j) {
            while (before(&p[i], &pivot, axis)) {
                ++i;
            }
            while (before(&pivot, &p[j], axis)) {
                --j;
            }
            if (i <= j) {
                Place swap = p[i];
                p[i++] = p[j];
                p[j--] = swap;
            }
        }
        if (nth <= j) {
            hi = j;
        } else if (nth >= i) {
            lo = i;
        } else {
            break;
        }
    }
}

// Recursive bisection along the longest axis, into whole chunks, then into whole blocks.
static void bisect(Place* p, int32_t count)
{
    if (count <= LANES) {
        return;
    }
    double lo[3], hi[3];
    for (int k = 0; k < 3; ++k) {
        lo[k] = hi[k] = p[0].centre[k];
        for (int32_t i = 1; i < count; ++i) {
            lo[k] = p[i].centre[k] < lo[k] ? p[i].centre[k] : lo[k];
            hi[k] = p[i].centre[k] > hi[k] ? p[i].centre[k] : hi[k];
        }
    }
    int axis = hi[1] - lo[1] > hi[0] - lo[0] ? 1 : 0;
    axis = hi[2] - lo[2] > hi[axis] - lo[axis] ? 2 : axis;
    int32_t unit = count > SN_CHUNK_CELLS ? SN_CHUNK_CELLS : LANES;
    int32_t left = (count + unit - 1) / unit / 2 * unit;
    partition(p, count, left, axis);
    bisect(p, left);
    bisect(p + left, count - left);
}

// Build -----------------------------------------------------------------------

// The arrays of snCells while they are written.
typedef struct Draft {
    snCells* cells;
    snCellChunk* chunks;
    snCellBlock* blocks;
    int32_t* slot_nodes;
    int32_t* lane_cells;
    int32_t* local; // of each node: its place in the list of the chunk under way, or -1
} Draft;

static void fillLane(const snCellsDef* def, snCellBlock* b, int lane, int32_t cell)
{
    snMat3 Dm = restEdges(def, cell), B = snMatInverse(Dm, NULL);
    const double entries[9] = {B.m00, B.m01, B.m02, B.m10, B.m11, B.m12, B.m20, B.m21, B.m22};
    for (int k = 0; k < 9; ++k) {
        b->B[k][lane] = (float)entries[k];
    }
    double w = def->weight ? def->weight[cell] : 1;
    b->volume[lane] = (float)(w * snDet(Dm) / 6);
    b->mu[lane] = (float)def->mu[cell];
    b->lambda[lane] = def->node_averaged ? 0 : (float)def->lambda[cell];
}

static void fillChunk(const snCellsDef* def, Draft* d, int32_t index, const Place* places,
                      int32_t count)
{
    snCellChunk* c = &d->chunks[index];
    c->block_begin = index * SN_CHUNK_BLOCKS;
    c->block_count = (count + LANES - 1) / LANES;
    c->slot_begin = d->cells->slot_count;
    for (int32_t i = 0; i < count; ++i) {
        snCellBlock* b = &d->blocks[c->block_begin + i / LANES];
        int32_t cell = places[i].cell;
        fillLane(def, b, i % LANES, cell);
        d->lane_cells[c->block_begin * LANES + i] = cell;
        for (int k = 0; k < 4; ++k) {
            int32_t node = def->tets[4 * (size_t)cell + (size_t)k];
            if (d->local[node] < 0) {
                d->local[node] = c->node_count;
                d->slot_nodes[c->slot_begin + c->node_count++] = node;
            }
            b->node[k][i % LANES] = (uint16_t)d->local[node];
        }
    }
    for (int32_t i = 0; i < c->node_count; ++i) {
        d->local[d->slot_nodes[c->slot_begin + i]] = -1;
    }
    d->cells->slot_count += (c->node_count + LINE - 1) / LINE * LINE;
}

// node_begin and node_slots from slot_nodes
static void listSlots(snArena* arena, snCells* cells)
{
    int32_t* begin = snArena_Push(arena, (size_t)cells->node_count + 1, sizeof *begin);
    int32_t* slots = snArena_Push(arena, (size_t)cells->slot_count, sizeof *slots);
    if (!begin || !slots) {
        return;
    }
    for (int32_t s = 0; s < cells->slot_count; ++s) {
        if (cells->slot_nodes[s] >= 0) {
            ++begin[cells->slot_nodes[s] + 1];
        }
    }
    for (int32_t n = 0; n < cells->node_count; ++n) {
        begin[n + 1] += begin[n];
    }
    // each begin is advanced to its end, which is the next one's begin, and set back afterwards
    for (int32_t s = 0; s < cells->slot_count; ++s) {
        if (cells->slot_nodes[s] >= 0) {
            slots[begin[cells->slot_nodes[s]]++] = s;
        }
    }
    for (int32_t n = cells->node_count; n > 0; --n) {
        begin[n] = begin[n - 1];
    }
    begin[0] = 0;
    cells->node_begin = begin;
    cells->node_slots = slots;
}

// W_n = sum of V w / 4 over the cells of a node, lambda_n = the mean of theirs with these weights
static void averageNodes(snArena* arena, const snCellsDef* def, snCells* cells)
{
    float* lambda = snArena_Push(arena, (size_t)cells->node_count, sizeof *lambda);
    float* volume = snArena_Push(arena, (size_t)cells->node_count, sizeof *volume);
    double* sums = snHost_Allocate(&arena->host, 2 * sizeof *sums * (size_t)cells->node_count);
    if (!lambda || !volume || !sums) {
        arena->failed = true;
        return;
    }
    for (int32_t i = 0; i < def->cell_count; ++i) {
        double w = def->weight ? def->weight[i] : 1, share = w * snDet(restEdges(def, i)) / 24;
        for (int k = 0; k < 4; ++k) {
            double* s = sums + 2 * (size_t)def->tets[4 * (size_t)i + (size_t)k];
            s[0] += share;
            s[1] += share * def->lambda[i];
        }
    }
    for (int32_t n = 0; n < cells->node_count; ++n) {
        const double* s = sums + 2 * (size_t)n;
        volume[n] = (float)s[0];
        lambda[n] = s[0] > 0 ? (float)(s[1] / s[0]) : 0;
    }
    snHost_Release(&arena->host, sums, 2 * sizeof *sums * (size_t)cells->node_count);
    cells->node_lambda = lambda;
    cells->node_volume = volume;
}

static void fill(snArena* arena, const snCellsDef* def, Place* places, int32_t* local,
                 snCells* cells)
{
    for (int32_t i = 0; i < def->cell_count; ++i) {
        const int32_t* n = def->tets + 4 * (size_t)i;
        snVec3 a = restOf(def, n[0]), b = restOf(def, n[1]), c = restOf(def, n[2]);
        snVec3 sum = snAdd(snAdd(a, b), snAdd(c, restOf(def, n[3])));
        places[i] = (Place){{sum.x, sum.y, sum.z}, i};
    }
    bisect(places, def->cell_count);
    for (int32_t i = 0; i < def->node_count; ++i) {
        local[i] = -1;
    }

    cells->chunk_count = (def->cell_count + SN_CHUNK_CELLS - 1) / SN_CHUNK_CELLS;
    cells->block_count = (def->cell_count + LANES - 1) / LANES;
    size_t chunks = (size_t)cells->chunk_count, blocks = (size_t)cells->block_count;
    size_t most_slots = 4 * (size_t)def->cell_count + LINE * chunks;
    Draft d = {cells,
               snArena_Push(arena, chunks, sizeof(snCellChunk)),
               snArena_Push(arena, blocks, sizeof(snCellBlock)),
               snArena_Push(arena, most_slots, sizeof(int32_t)),
               snArena_Push(arena, blocks * LANES, sizeof(int32_t)),
               local};
    if (arena->failed) {
        return;
    }
    memset(d.slot_nodes, 0xff, most_slots * sizeof *d.slot_nodes);
    memset(d.lane_cells, 0xff, blocks * LANES * sizeof *d.lane_cells);
    for (int32_t i = 0; i < cells->chunk_count; ++i) {
        int32_t begin = i * SN_CHUNK_CELLS, left = def->cell_count - begin;
        fillChunk(def, &d, i, places + begin, left < SN_CHUNK_CELLS ? left : SN_CHUNK_CELLS);
    }
    cells->chunks = d.chunks;
    cells->blocks = d.blocks;
    cells->slot_nodes = d.slot_nodes;
    cells->lane_cells = d.lane_cells;
    listSlots(arena, cells);
    if (def->node_averaged) {
        averageNodes(arena, def, cells);
    }
}

snStatus snCells_Build(snArena* arena, const snCellsDef* def, const snCells** out, snMessage* why)
{
    snMessage_Clear(why);
    *out = NULL;
    snStatus status = checkLaw(def, why);
    if (status || (status = checkCells(def, why))) {
        return status;
    }
    snCells* cells = snArena_Push(arena, 1, sizeof *cells);
    size_t place_bytes = (size_t)def->cell_count * sizeof(Place);
    size_t local_bytes = (size_t)def->node_count * sizeof(int32_t);
    Place* places = snHost_Allocate(&arena->host, place_bytes + 1);
    int32_t* local = snHost_Allocate(&arena->host, local_bytes + 1);
    if (cells && places && local) {
        cells->node_count = def->node_count;
        cells->cell_count = def->cell_count;
        cells->material = def->material;
        cells->general_svd = def->general_svd;
        cells->node_averaged = def->node_averaged;
        cells->damping = def->damping;
        fill(arena, def, places, local, cells);
    } else {
        arena->failed = true;
    }
    snHost_Release(&arena->host, local, local_bytes + 1);
    snHost_Release(&arena->host, places, place_bytes + 1);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory for %d cells", def->cell_count);
    }
    *out = cells;
    return sn_ok;
}
