// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "elastic/cells.h"

#include <float.h>

#include "base/hash.h"
#include "base/importers.h"
#include "base/message.h"
#include "elastic/layout.h"
#include "elastic/pass.h"

enum { LANES = SN_LANES };

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
    return snCellsDef_Edges(def, def->tets + 4 * (size_t)cell);
}

static snSvdBatchFcn* generalSvd(const snHost* host)
{
    return host->importers ? host->importers->svd : NULL;
}

static snStatus checkLaw(const snHost* host, const snCellsDef* def, snMessage* why)
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
    if (def->general_svd && !generalSvd(host)) {
        return snImporters_Fail(host, "the general SVD is done", "LAPACK", "liblapack-dev",
                                "use the 3 x 3 one", why);
    }
    return sn_ok;
}

// Whether kernels, which have 32 bits, can hold them.
static bool fitsFloats(snMat3 B, double volume)
{
    const double entries[] = {B.m00, B.m01, B.m02, B.m10, B.m11,
                              B.m12, B.m20, B.m21, B.m22, volume};
    bool fits = true;
    for (size_t k = 0; k < sizeof entries / sizeof *entries; ++k) {
        fits &= fabs(entries[k]) <= (double)FLT_MAX;
    }
    return fits;
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
        snMat3 B = snMatInverse(Dm, &regular);
        double det = snDet(Dm);
        if (!regular || !(det > 0)) {
            return snFail(why, sn_errorArgument,
                          "cell %d: flat, or its nodes are in the order of negative volume", i);
        }
        if (!fitsFloats(B, det)) {
            return snFail(why, sn_errorArgument,
                          "cell %d: so large, small or flat that its shape is beyond the range of "
                          "32-bit numbers; give positions in metres",
                          i);
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

// Build -----------------------------------------------------------------------

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

static void fill(snArena* arena, const snCellsDef* def, const snCellLayout* layout, snCells* cells)
{
    size_t slots = (size_t)layout->slot_count, blocks = (size_t)layout->block_count;
    cells->chunk_count = layout->chunk_count;
    cells->block_count = layout->block_count;
    cells->fan_count = layout->fan_count;
    cells->shape_count = layout->shape_count;
    cells->law_count = layout->law_count;
    cells->slot_count = layout->slot_count;
    snCellLayout full = *layout;
    full.chunks = snArena_Push(arena, (size_t)layout->chunk_count, sizeof(snCellChunk));
    full.blocks = snArena_Push(arena, blocks, sizeof(snCellBlock));
    full.fans = snArena_Push(arena, (size_t)layout->fan_count, sizeof(snCellFan));
    full.block_shape = snArena_Push(arena, blocks, sizeof(int32_t));
    full.shapes = snArena_Push(arena, (size_t)layout->shape_count, sizeof(snCellShape));
    full.block_law = snArena_Push(arena, blocks, sizeof(int32_t));
    full.laws = snArena_Push(arena, (size_t)layout->law_count, sizeof(snCellLaw));
    full.volumes = snArena_Push(arena, blocks, sizeof(snCellVolume));
    full.slot_nodes = snArena_Push(arena, slots, sizeof(int32_t));
    full.lane_cells = snArena_Push(arena, blocks * LANES, sizeof(int32_t));
    if (arena->failed) {
        return;
    }
    snCellLayout_Run(&full, def);
    cells->chunks = full.chunks;
    cells->blocks = full.blocks;
    cells->fans = full.fans;
    cells->block_shape = full.block_shape;
    cells->shapes = full.shapes;
    cells->block_law = full.block_law;
    cells->laws = full.laws;
    cells->volumes = full.volumes;
    cells->slot_nodes = full.slot_nodes;
    cells->lane_cells = full.lane_cells;
    listSlots(arena, cells);
    if (def->node_averaged) {
        averageNodes(arena, def, cells);
    }
}

snStatus snCells_Build(snArena* arena, const snCellsDef* def, const snCells** out, snMessage* why)
{
    snMessage_Clear(why);
    *out = NULL;
    snStatus status = checkLaw(&arena->host, def, why);
    if (status || (status = checkCells(def, why))) {
        return status;
    }
    snCells* cells = snArena_Push(arena, 1, sizeof *cells);
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    size_t count = (size_t)def->cell_count;
    snCellLayout layout = {.units = snArena_Push(&scratch, count, sizeof(snCellUnit)),
                           .ends = snArena_Push(&scratch, count, sizeof(int32_t)),
                           .local =
                               snArena_Push(&scratch, (size_t)def->node_count, sizeof(int32_t)),
                           .known = snArena_Push(&scratch, count, sizeof(int32_t))};
    if (cells && !scratch.failed) {
        cells->node_count = def->node_count;
        cells->cell_count = def->cell_count;
        cells->material = def->material;
        cells->general_svd = def->general_svd;
        cells->svd = def->general_svd ? generalSvd(&arena->host) : NULL;
        cells->node_averaged = def->node_averaged;
        cells->damping = def->damping;
        layout.chunk_count =
            snCellUnits_Bisect(layout.units, snCellUnits_List(def, layout.units), layout.ends);
        snCellLayout_Run(&layout, def); // counts
        fill(arena, def, &layout, cells);
    } else {
        arena->failed = true;
    }
    snArena_Free(&scratch);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory for %d cells", def->cell_count);
    }
    *out = cells;
    return sn_ok;
}

void snCells_Constants(const snCells* cells, double* mu, double* lambda)
{
    for (int32_t i = 0; i < cells->block_count * LANES; ++i) {
        int32_t cell = cells->lane_cells[i];
        if (cell >= 0) {
            const snCellLaw* law = snCells_Law(cells, i / LANES);
            mu[cell] = (double)law->mu[i % LANES];
            lambda[cell] = (double)law->lambda[i % LANES];
        }
    }
}

uint64_t snCells_Hash(const snCells* cells, uint64_t hash)
{
    size_t blocks = (size_t)cells->block_count;
    hash = snHash(cells->blocks, blocks * sizeof(snCellBlock), hash);
    hash = snHash(cells->volumes, blocks * sizeof(snCellVolume), hash);
    hash = snHash(cells->laws, (size_t)cells->law_count * sizeof(snCellLaw), hash);
    hash = snHash(cells->block_law, blocks * sizeof(int32_t), hash);
    hash = snHash(cells->fans, (size_t)cells->fan_count * sizeof(snCellFan), hash);
    hash = snHash(cells->chunks, (size_t)cells->chunk_count * sizeof(snCellChunk), hash);
    hash = snHash(cells->shapes, (size_t)cells->shape_count * sizeof(snCellShape), hash);
    hash = snHash(cells->block_shape, blocks * sizeof(int32_t), hash);
    const snMaterial* m = &cells->material;
    double law[] = {m->kind,       m->diagonalize,       m->lower,
                    m->upper,      cells->node_averaged, cells->general_svd,
                    cells->damping};
    return snHash(law, sizeof law, hash);
}
