// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The passes of snCells over chunks and nodes; the arithmetic of a chunk is in cells_isa.c.

#include "elastic/pass.h"
#include "math/isa.h"

SN_ISA_DECLARE(snCellsChunkFcn, snCellsForces);
SN_ISA_DECLARE(snCellsChunkFcn, snCellsSwelling);

// Nodes that one task of pass 2 sums.
enum { NODE_RANGE = 1024 };

typedef struct Job {
    snCellsPass pass;
    snCellsChunkFcn* kernel;
} Job;

static size_t aligned(size_t bytes)
{
    return (bytes + SN_ALIGNMENT - 1) / SN_ALIGNMENT * SN_ALIGNMENT;
}

// Lays the arrays of a pass out in work; returns the bytes.
static size_t divide(const snCells* c, void* work, snCellsPass* pass)
{
    const size_t slots = (size_t)c->slot_count, chunks = (size_t)c->chunk_count;
    const size_t averaged = c->node_averaged ? 1 : 0;
    const size_t sizes[] = {slots * sizeof *pass->slots, chunks * sizeof *pass->tallies,
                            chunks * sizeof *pass->energies,
                            averaged * slots * sizeof *pass->swelling,
                            averaged * (size_t)c->node_count * sizeof *pass->pressure};
    size_t offsets[6] = {0};
    for (int i = 0; i < 5; ++i) {
        offsets[i + 1] = offsets[i] + aligned(sizes[i]);
    }
    if (work) {
        char* base = work;
        pass->slots = (void*)(base + offsets[0]);
        pass->tallies = (void*)(base + offsets[1]);
        pass->energies = (void*)(base + offsets[2]);
        pass->swelling = (void*)(base + offsets[3]);
        pass->pressure = (void*)(base + offsets[4]);
    }
    return offsets[5];
}

size_t snCells_WorkSize(const snCells* cells)
{
    return divide(cells, NULL, NULL);
}

static void runChunk(void* argument, int index, int worker)
{
    const Job* job = argument;
    (void)worker;
    job->kernel(&job->pass, index);
}

static void nodesOf(const snCells* c, int range, int32_t* begin, int32_t* end)
{
    *begin = range * NODE_RANGE;
    *end = c->node_count - *begin < NODE_RANGE ? c->node_count : *begin + NODE_RANGE;
}

static int rangeCount(const snCells* c)
{
    return c->node_count / NODE_RANGE + (c->node_count % NODE_RANGE != 0);
}

static void sumForces(void* argument, int index, int worker)
{
    const snCellsPass* pass = &((const Job*)argument)->pass;
    const snCells* c = pass->cells;
    int32_t begin, end;
    (void)worker;
    nodesOf(c, index, &begin, &end);
    const snVec4f* slots = pass->slots;
    const int32_t *first = c->node_begin, *list = c->node_slots;
    for (int32_t n = begin; n < end; ++n) {
        snVec4f sum = {0, 0, 0, 0};
        for (int32_t k = first[n]; k < first[n + 1]; ++k) {
            const snVec4f* s = &slots[list[k]];
            sum.x += s->x, sum.y += s->y, sum.z += s->z, sum.w += s->w;
        }
        pass->f[n] = sum;
    }
}

static void sumSwelling(void* argument, int index, int worker)
{
    const snCellsPass* pass = &((const Job*)argument)->pass;
    const snCells* c = pass->cells;
    int32_t begin, end;
    (void)worker;
    nodesOf(c, index, &begin, &end);
    for (int32_t n = begin; n < end; ++n) {
        float sum = 0;
        for (int32_t k = c->node_begin[n]; k < c->node_begin[n + 1]; ++k) {
            sum += pass->swelling[c->node_slots[k]];
        }
        float ratio = c->node_volume[n] > 0 ? sum / c->node_volume[n] : 0;
        pass->pressure[n] = c->node_lambda[n] * ratio;
    }
}

snCellsCount snCells_Forces(const snCells* cells, snTasks* tasks, snIsa isa, const snVec4f* x,
                            const snVec4f* v, void* work, snVec4f* f)
{
    Job job = {.pass = {.cells = cells, .x = x, .v = v, .f = f}};
    snSvdBatchFcn* general = cells->general_svd ? snGeneralSvd() : NULL;
    job.pass.svd = general ? general : snSvdBatch(isa);
    divide(cells, work, &job.pass);
    if (cells->node_averaged) {
        job.kernel = SN_ISA_CHOOSE(isa, snCellsSwelling);
        snTasks_Run(tasks, cells->chunk_count, runChunk, &job);
        snTasks_Run(tasks, rangeCount(cells), sumSwelling, &job);
    }
    job.kernel = SN_ISA_CHOOSE(isa, snCellsForces);
    snTasks_Run(tasks, cells->chunk_count, runChunk, &job);
    snTasks_Run(tasks, rangeCount(cells), sumForces, &job);

    snCellsCount count = {0, 0};
    for (int32_t i = 0; i < cells->chunk_count; ++i) {
        count.diagonalized += job.pass.tallies[i].diagonalized;
        count.inverted += job.pass.tallies[i].inverted;
    }
    return count;
}

// Energy ----------------------------------------------------------------------

static snVec3 widen(const snVec4f* p)
{
    return snV3((double)p->x, (double)p->y, (double)p->z);
}

static snMat3 gradient(const snCellsPass* pass, const snCellChunk* c, int32_t block, int lane)
{
    const snCellBlock* b = &pass->cells->blocks[block];
    const snCellShape* shape = snCells_Shape(pass->cells, block);
    const int32_t* nodes = pass->cells->slot_nodes + c->slot_begin;
    snVec3 o = widen(&pass->x[nodes[b->node[0][lane]]]);
    snMat3 D = snMatFromCols(snSub(widen(&pass->x[nodes[b->node[1][lane]]]), o),
                             snSub(widen(&pass->x[nodes[b->node[2][lane]]]), o),
                             snSub(widen(&pass->x[nodes[b->node[3][lane]]]), o));
    double B[9];
    for (int k = 0; k < 9; ++k) {
        B[k] = (double)shape->B[k][lane];
    }
    return snMatMul(
        D, snMatFromRows(snV3(B[0], B[1], B[2]), snV3(B[3], B[4], B[5]), snV3(B[6], B[7], B[8])));
}

static void sumEnergy(void* argument, int index, int worker)
{
    const snCellsPass* pass = &((const Job*)argument)->pass;
    const snCells* cells = pass->cells;
    const snCellChunk* c = &cells->chunks[index];
    double sum = 0;
    (void)worker;
    for (int32_t k = 0; k < c->block_count; ++k) {
        const snCellBlock* b = &cells->blocks[c->block_begin + k];
        for (int i = 0; i < SN_LANES; ++i) {
            double volume = (double)b->volume[i];
            if (volume > 0) {
                snMat3 F = gradient(pass, c, c->block_begin + k, i);
                sum += volume * snMaterial_Energy(&cells->material, F, (double)b->mu[i],
                                                  (double)b->lambda[i]);
            }
        }
    }
    pass->energies[index] = sum;
}

// lambda_n W_n / 2 (J_n - 1)^2
static double volumeEnergy(const snCellsPass* pass)
{
    const snCells* c = pass->cells;
    double sum = 0;
    for (int32_t n = 0; n < c->node_count; ++n) {
        double lambda = (double)c->node_lambda[n], p = (double)pass->pressure[n];
        sum += lambda > 0 ? 0.5 * (double)c->node_volume[n] * p * p / lambda : 0;
    }
    return sum;
}

double snCells_Energy(const snCells* cells, snTasks* tasks, const snVec4f* x, void* work)
{
    Job job = {.pass = {.cells = cells, .x = x}};
    divide(cells, work, &job.pass);
    snTasks_Run(tasks, cells->chunk_count, sumEnergy, &job);
    double sum = 0;
    for (int32_t i = 0; i < cells->chunk_count; ++i) {
        sum += job.pass.energies[i];
    }
    if (cells->node_averaged) {
        job.kernel = snCellsSwelling_baseline;
        snTasks_Run(tasks, cells->chunk_count, runChunk, &job);
        snTasks_Run(tasks, rangeCount(cells), sumSwelling, &job);
        sum += volumeEnergy(&job.pass);
    }
    return sum;
}
