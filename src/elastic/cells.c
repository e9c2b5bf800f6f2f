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
    int32_t cell, kind;
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

// Kinds -----------------------------------------------------------------------

// Cells are of a kind when their Dm^-1 are the same to this part of its largest entry, four units
// in the last place. Of meshes with more kinds than this, the cells after are of no kind.
#define ALIKE 2.4e-7
enum { MOST_KINDS = 32 };

typedef struct Kinds {
    int32_t count;
    float B[MOST_KINDS][9];
    int32_t shape[MOST_KINDS]; // of blocks of that kind alone; -1 until there is one
} Kinds;

static void invert(const snCellsDef* def, int32_t cell, float out[9])
{
    snMat3 B = snMatInverse(restEdges(def, cell), NULL);
    const double entries[9] = {B.m00, B.m01, B.m02, B.m10, B.m11, B.m12, B.m20, B.m21, B.m22};
    for (int k = 0; k < 9; ++k) {
        out[k] = (float)entries[k];
    }
}

static int32_t kindOf(const snCellsDef* def, int32_t cell, Kinds* kinds)
{
    float B[9], largest = 0;
    invert(def, cell, B);
    for (int k = 0; k < 9; ++k) {
        largest = fabsf(B[k]) > largest ? fabsf(B[k]) : largest;
    }
    for (int32_t i = 0; i < kinds->count; ++i) {
        float apart = 0;
        for (int k = 0; k < 9; ++k) {
            float d = fabsf(B[k] - kinds->B[i][k]);
            apart = d > apart ? d : apart;
        }
        if ((double)apart <= ALIKE * (double)largest) {
            return i;
        }
    }
    if (kinds->count < MOST_KINDS) {
        memcpy(kinds->B[kinds->count++], B, sizeof B);
        return kinds->count - 1;
    }
    return MOST_KINDS;
}

// Puts the cells of a chunk in the order of their kinds. Neighbours, which share nodes, are then
// seldom in one block, so that sums over nodes do not wait for each other.
static void sortKinds(Place* places, int32_t count)
{
    Place sorted[SN_CHUNK_CELLS];
    int32_t n = 0;
    for (int32_t kind = 0; kind <= MOST_KINDS; ++kind) {
        for (int32_t i = 0; i < count; ++i) {
            if (places[i].kind == kind) {
                sorted[n++] = places[i];
            }
        }
    }
    memcpy(places, sorted, (size_t)count * sizeof *places);
}

// Of cells that are sorted: whether all are of one kind.
static bool areAlike(const Place* places, int32_t count)
{
    return places[0].kind < MOST_KINDS && places[count - 1].kind == places[0].kind;
}

// Sorts the cells of all chunks, and tells how many shapes their blocks have at most.
static size_t sortBlocks(Place* places, int32_t count, Kinds* kinds)
{
    size_t shapes = (size_t)kinds->count;
    for (int32_t i = 0; i < count; i += SN_CHUNK_CELLS) {
        int32_t end = count - i < SN_CHUNK_CELLS ? count : i + SN_CHUNK_CELLS;
        sortKinds(places + i, end - i);
        for (int32_t k = i; k < end; k += LANES) {
            shapes += !areAlike(places + k, end - k < LANES ? end - k : LANES);
        }
    }
    for (int32_t i = 0; i < MOST_KINDS; ++i) {
        kinds->shape[i] = -1;
    }
    return shapes;
}

// Build -----------------------------------------------------------------------

// The arrays of snCells while they are written.
typedef struct Draft {
    snCells* cells;
    snCellChunk* chunks;
    snCellBlock* blocks;
    int32_t* block_shape;
    snCellShape* shapes;
    Kinds* kinds;
    int32_t* slot_nodes;
    int32_t* lane_cells;
    int32_t* local; // of each node: its place in the list of the chunk under way, or -1
} Draft;

static void fillLane(const snCellsDef* def, snCellBlock* b, int lane, int32_t cell)
{
    double w = def->weight ? def->weight[cell] : 1;
    b->volume[lane] = (float)(w * snDet(restEdges(def, cell)) / 6);
    b->mu[lane] = (float)def->mu[cell];
    b->lambda[lane] = def->node_averaged ? 0 : (float)def->lambda[cell];
}

// A block's shape: that of its kind when all its cells are of one, else its own.
static int32_t shapeOf(const snCellsDef* def, Draft* d, const Place* places, int32_t count)
{
    Kinds* kinds = d->kinds;
    int32_t kind = places[0].kind, index = d->cells->shape_count;
    bool alike = areAlike(places, count);
    if (alike && kinds->shape[kind] >= 0) {
        return kinds->shape[kind];
    }
    snCellShape* shape = &d->shapes[d->cells->shape_count++];
    for (int32_t i = 0; i < (alike ? LANES : count); ++i) {
        float own[9];
        const float* B = own;
        if (alike || places[i].kind < MOST_KINDS) {
            B = kinds->B[alike ? kind : places[i].kind];
        } else {
            invert(def, places[i].cell, own);
        }
        for (int k = 0; k < 9; ++k) {
            shape->B[k][i] = B[k];
        }
    }
    if (alike) {
        kinds->shape[kind] = index;
    }
    return index;
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
    for (int32_t i = 0; i < c->block_count; ++i) {
        int32_t begin = i * LANES, left = count - begin;
        d->block_shape[c->block_begin + i] =
            shapeOf(def, d, places + begin, left < LANES ? left : LANES);
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
    Kinds all = {.count = 0}, *kinds = &all;
    for (int32_t i = 0; i < def->cell_count; ++i) {
        const int32_t* n = def->tets + 4 * (size_t)i;
        snVec3 a = restOf(def, n[0]), b = restOf(def, n[1]), c = restOf(def, n[2]);
        snVec3 sum = snAdd(snAdd(a, b), snAdd(c, restOf(def, n[3])));
        places[i] = (Place){{sum.x, sum.y, sum.z}, i, kindOf(def, i, kinds)};
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
               snArena_Push(arena, blocks, sizeof(int32_t)),
               snArena_Push(arena, sortBlocks(places, def->cell_count, kinds), sizeof(snCellShape)),
               kinds,
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
        int32_t count = left < SN_CHUNK_CELLS ? left : SN_CHUNK_CELLS;
        fillChunk(def, &d, i, places + begin, count);
    }
    cells->chunks = d.chunks;
    cells->blocks = d.blocks;
    cells->block_shape = d.block_shape;
    cells->shapes = d.shapes;
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
