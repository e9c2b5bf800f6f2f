// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The passes of snCells over chunks and nodes; the arithmetic of a chunk is in cells_isa.c
// and energy_isa.c.

#include "elastic/pass.h"
#include "math/isa.h"

SN_ISA_DECLARE(snCellsChunkFcn, snCellsForces);
SN_ISA_DECLARE(snCellsChunkFcn, snCellsSwelling);
SN_ISA_DECLARE(snCellsChunkFcn, snCellsEnergy);
SN_ISA_DECLARE(snCellsChunkFcn, snCellsFine);

// Nodes that one task of pass 2 sums.
enum { NODE_RANGE = 1024 };

// Slots of a node lie in several chunks. Where these do not fit the caches near the processor they
// are fetched so far ahead.
enum { AHEAD = 24, MANY_SLOTS = 1 << 16 };

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
    const size_t sizes[] = {slots * sizeof *pass->slots,
                            chunks * sizeof *pass->tallies,
                            chunks * sizeof *pass->energies,
                            averaged * slots * sizeof *pass->swelling,
                            averaged * (size_t)c->node_count * sizeof *pass->pressure,
                            slots * sizeof *pass->stiffness};
    size_t offsets[7] = {0};
    for (int i = 0; i < 6; ++i) {
        offsets[i + 1] = offsets[i] + aligned(sizes[i]);
    }
    if (work) {
        char* base = work;
        pass->slots = (void*)(base + offsets[0]);
        pass->tallies = (void*)(base + offsets[1]);
        pass->energies = (void*)(base + offsets[2]);
        pass->swelling = (void*)(base + offsets[3]);
        pass->pressure = (void*)(base + offsets[4]);
        pass->stiffness = (void*)(base + offsets[5]);
    }
    return offsets[6];
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

static inline void sumSlots(const snCellsPass* pass, int32_t begin, int32_t end, bool far)
{
    const snCells* c = pass->cells;
    const snVec4f* slots = pass->slots;
    const int32_t *first = c->node_begin, *list = c->node_slots;
    const int32_t last = first[c->node_count] - 1;
    for (int32_t n = begin; n < end; ++n) {
        snVec4f sum = {0, 0, 0, 0};
        for (int32_t k = first[n]; k < first[n + 1]; ++k) {
            const snVec4f* s = &slots[list[k]];
            if (far) {
                __builtin_prefetch(&slots[list[k + AHEAD < last ? k + AHEAD : last]]);
            }
            sum.x += s->x, sum.y += s->y, sum.z += s->z, sum.w += s->w;
        }
        pass->f[n] = sum;
    }
}

static void sumForces(void* argument, int index, int worker)
{
    const snCellsPass* pass = &((const Job*)argument)->pass;
    const snCells* c = pass->cells;
    int32_t begin, end;
    (void)worker;
    nodesOf(c, index, &begin, &end);
    if (c->slot_count > MANY_SLOTS) {
        sumSlots(pass, begin, end, true);
    } else {
        sumSlots(pass, begin, end, false);
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

// Energy ----------------------------------------------------------------------

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

static double sumEnergy(const snCellsPass* pass)
{
    double sum = 0;
    for (int32_t i = 0; i < pass->cells->chunk_count; ++i) {
        sum += pass->energies[i];
    }
    return sum;
}

double snCells_Energy(const snCells* cells, snTasks* tasks, snIsa isa, const snVec4f* x, void* work)
{
    Job job = {.pass = {.cells = cells, .x = x}, .kernel = SN_ISA_CHOOSE(isa, snCellsEnergy)};
    divide(cells, work, &job.pass);
    snTasks_Run(tasks, cells->chunk_count, runChunk, &job);
    double sum = sumEnergy(&job.pass);
    if (cells->node_averaged) {
        job.kernel = SN_ISA_CHOOSE(isa, snCellsSwelling);
        snTasks_Run(tasks, cells->chunk_count, runChunk, &job);
        snTasks_Run(tasks, rangeCount(cells), sumSwelling, &job);
        sum += volumeEnergy(&job.pass);
    }
    return sum;
}

// Forces ----------------------------------------------------------------------

static void sumStiffness(const snCellsPass* pass, float* stiffness)
{
    const snCells* c = pass->cells;
    for (int32_t n = 0; n < c->node_count; ++n) {
        float sum = 0;
        for (int32_t k = c->node_begin[n]; k < c->node_begin[n + 1]; ++k) {
            sum += pass->stiffness[c->node_slots[k]];
        }
        stiffness[n] = sum;
    }
}

snCellsCount snCells_ForcesAt(const snCells* cells, snTasks* tasks, snIsa isa,
                              const snCellsMotion* at, void* work, snVec4f* f, snCellsLook* look)
{
    Job job = {.pass = {.cells = cells,
                        .x = at->x,
                        .lost = at->lost,
                        .v = at->v,
                        .measured = look != NULL,
                        .f = f}};
    job.pass.svd = cells->svd ? cells->svd : snSvdBatch(isa);
    divide(cells, work, &job.pass);
    if (cells->node_averaged) {
        job.kernel = SN_ISA_CHOOSE(isa, snCellsSwelling);
        snTasks_Run(tasks, cells->chunk_count, runChunk, &job);
        snTasks_Run(tasks, rangeCount(cells), sumSwelling, &job);
    }
    if (look) {
        memset(job.pass.stiffness, 0, (size_t)cells->slot_count * sizeof(float));
    }
    bool fine = at->fine && !cells->node_averaged;
    job.kernel = fine ? SN_ISA_CHOOSE(isa, snCellsFine) : SN_ISA_CHOOSE(isa, snCellsForces);
    snTasks_Run(tasks, cells->chunk_count, runChunk, &job);
    snTasks_Run(tasks, rangeCount(cells), sumForces, &job);
    if (look) {
        look->energy = sumEnergy(&job.pass) + (cells->node_averaged ? volumeEnergy(&job.pass) : 0);
        sumStiffness(&job.pass, look->stiffness);
    }
    snCellsCount count = {0, 0};
    for (int32_t i = 0; i < cells->chunk_count; ++i) {
        count.diagonalized += job.pass.tallies[i].diagonalized;
        count.inverted += job.pass.tallies[i].inverted;
    }
    return count;
}

snCellsCount snCells_Forces(const snCells* cells, snTasks* tasks, snIsa isa, const snVec4f* x,
                            const snVec4f* v, void* work, snVec4f* f)
{
    const snCellsMotion at = {.x = x, .v = v};
    return snCells_ForcesAt(cells, tasks, isa, &at, work, f, NULL);
}
