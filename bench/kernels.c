// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Elastic forces and the 3 x 3 SVD, in turns with copies and fused multiply-adds, which say what
// the machine can do at most.
#include "bench.h"

#include "base/cpu.h"
#include "base/message.h"
#include "base/random.h"
#include "machine.h"
#include "subject.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES ((size_t)64 << 20) // far above every cache
#define CACHE_BYTES ((size_t)512 << 10) // two of them fit the second-level cache
#define FMA_ROUNDS 20000
#define WARM 0.3 // s

// Additions and multiplications of a cell in the kernels' sources, when it is not diagonalised: of
// one by itself, and how many fewer of one in a fan.
#define FLOPS_PER_TET 290.0
#define FLOPS_SHARED 14.0

#define PAPER_RATE (37573 / 17.611e-3) // tets/s, Table III, very fine

static const struct {
    const char *name, *character;
} MODELS[] = {
    {"starfish_coarse", "starfish_coarse"},
    {"starfish_moderate", "starfish"},
    {"starfish_fine", "starfish_fine"},
    {"starfish_very_fine", "starfish_very_fine"},
    {"fatman", "fatman"},
};

enum { MODEL_COUNT = sizeof MODELS / sizeof MODELS[0], ISA_COUNT = sn_isaAvx512, SVD_BLOCKS = 64 };

// What takes turns; after the models the SVD of each instruction set.
enum { COPY_MEMORY, COPY_CACHE, FMA, ELASTIC, MOST = ELASTIC + MODEL_COUNT + ISA_COUNT };

typedef struct Svd {
    snSvdBatchFcn* function;
    float *F, *U, *s, *V;
} Svd;

typedef struct Bodies {
    snMachineCopy memory, cache;
    snMachineFma fma;
    Svd svd[ISA_COUNT];
    float* matrices;
    int model_count, isa_count;
    snSubject subjects[MODEL_COUNT];
} Bodies;

static void runSvd(void* subject, int n)
{
    const Svd* s = subject;
    for (int i = 0; i < n; ++i) {
        s->function(SVD_BLOCKS, s->F, s->U, s->s, s->V);
    }
}

static void runElastic(void* subject, int n)
{
    snSubject* s = subject;
    snNodes* nodes = snExplicit_Nodes(s->data, s->state, 0);
    for (int i = 0; i < n; ++i) {
        snCells_Forces(nodes->flesh->cells, s->tasks, nodes->isa, nodes->x, nodes->v,
                       nodes->cells_work, nodes->f);
    }
}

// As in a simulation, where the same model was at work just before: what takes turns with it here
// has swept the caches.
static void readyElastic(void* subject)
{
    snSubject_Rewind(subject);
    runElastic(subject, 1);
}

// Random matrices, for every instruction set that there is.
static snStatus openSvd(Bodies* b, snMessage* why)
{
    const size_t block = (size_t)SVD_BLOCKS * 16;
    snRandom random = snRandom_Seed(1);
    b->matrices = aligned_alloc(SN_ALIGNMENT, 30 * block * sizeof(float));
    if (!b->matrices) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (size_t i = 0; i < 9 * block; ++i) {
        b->matrices[i] = (float)snRandom_Range(&random, -1, 1);
    }
    b->isa_count = (int)snCpu_Best();
    for (int i = 0; i < b->isa_count && i < ISA_COUNT; ++i) {
        b->svd[i] = (Svd){snSvdBatch((snIsa)(i + 1)), b->matrices, b->matrices + 9 * block,
                          b->matrices + 18 * block, b->matrices + 21 * block};
    }
    return sn_ok;
}

static snStatus openBodies(Bodies* b, bool small, snMessage* why)
{
    snStatus status = openSvd(b, why);
    if (!status && (!snMachineCopy_Open(&b->memory, small ? CACHE_BYTES : MEMORY_BYTES) ||
                    !snMachineCopy_Open(&b->cache, CACHE_BYTES))) {
        status = snFail(why, sn_errorMemory, "out of memory");
    }
    b->fma.isa = snCpu_Best();
    b->fma.rounds = FMA_ROUNDS;
    const int models = small ? 1 : MODEL_COUNT;
    for (int i = 0; i < models && !status; ++i) {
        snScene* scene = NULL;
        status = snSubject_Fall(NULL, MODELS[i].character, 0, &scene, why);
        if (!status) {
            status = snSubject_Open(&b->subjects[i], scene, 0, WARM, why);
            b->model_count = i + 1;
        }
    }
    return status;
}

static void closeBodies(Bodies* b)
{
    for (int i = 0; i < b->model_count; ++i) {
        snSubject_Close(&b->subjects[i]);
    }
    snMachineCopy_Close(&b->memory);
    snMachineCopy_Close(&b->cache);
    free(b->matrices);
}

// Bytes that elastic forces move: cells, shapes, each chunk's nodes read, slots written and read,
// node forces written.
static double bytesPerTet(const snCells* c)
{
    const double slots = c->slot_count;
    return (c->block_count * (double)(sizeof(snCellVolume) + 2 * sizeof(int32_t)) +
            (c->block_count - SN_FAN_CELLS * c->fan_count) * (double)sizeof(snCellBlock) +
            c->fan_count * (double)sizeof(snCellFan) +
            c->shape_count * (double)sizeof(snCellShape) +
            c->law_count * (double)sizeof(snCellLaw) +
            slots * (3 * sizeof(snVec4f) + 2 * sizeof(int32_t)) +
            c->node_count * (double)(sizeof(snVec4f) + sizeof(int32_t))) /
           c->cell_count;
}

static double flopsPerTet(const snCells* c)
{
    const double in_fans = (double)c->fan_count * SN_FAN_CELLS * SN_LANES / c->cell_count;
    return FLOPS_PER_TET - FLOPS_SHARED * (in_fans < 1 ? in_fans : 1);
}

static double bestOf(snBenchRunner* r)
{
    return snBench_Summarise(r->samples, r->count).best;
}

static void emitMachine(const snBenchOut* out, const Bodies* b, snBenchRunner* r, int threads)
{
    snBenchRow row = {.bench = "kernels", .threads = threads};
    row.name = "copy_memory";
    row.metric = "bandwidth_GBps";
    row.unit = "GB/s";
    snBench_EmitRate(out, &row, &r[COPY_MEMORY], 2e-9 * (double)b->memory.bytes);
    row.name = "copy_cache";
    snBench_EmitRate(out, &row, &r[COPY_CACHE], 2e-9 * (double)b->cache.bytes);
    const double flops = snMachineFma_Flops(&b->fma) * threads;
    if (flops > 0) {
        row.name = "fma";
        row.metric = "fma_GFLOPs";
        row.unit = "GFLOP/s";
        snBench_EmitRate(out, &row, &r[FMA], 1e-9 * flops);
    }
    for (int i = 0; i < b->isa_count && threads == 1; ++i) {
        char name[32];
        snprintf(name, sizeof name, "svd_%s", snIsa_Name((snIsa)(i + 1)));
        row.name = name;
        row.metric = "svd_ns";
        row.unit = "ns";
        snBench_Emit(out, &row, &r[ELASTIC + b->model_count + i], 1e9 / (SVD_BLOCKS * 16));
    }
}

// Best against best, of what takes turns.
static void emitModels(const snBenchOut* out, Bodies* b, snBenchRunner* r, int threads)
{
    const double flops = 1e-9 * snMachineFma_Flops(&b->fma) * threads / bestOf(&r[FMA]);
    const double bytes = 2 * (double)b->cache.bytes / bestOf(&r[COPY_CACHE]);
    for (int i = 0; i < b->model_count; ++i) {
        const snCells* cells = b->subjects[i].data->around.neighbours[0].flesh->cells;
        const double rate = cells->cell_count / bestOf(&r[ELASTIC + i]);
        snBenchRow row = {.bench = "kernels", .name = MODELS[i].name, .threads = threads};
        row.metric = "tets_per_s";
        row.unit = "1/s";
        row.paper = strcmp(row.name, "starfish_very_fine") == 0 ? PAPER_RATE : 0;
        snBench_EmitRate(out, &row, &r[ELASTIC + i], cells->cell_count);
        row.paper = 0;
        row.unit = "%";
        if (flops > 0) {
            row.metric = "share:fma";
            snBench_EmitNumber(out, &row, 100 * 1e-9 * rate * flopsPerTet(cells) / flops);
        }
        row.metric = "share:cache";
        snBench_EmitNumber(out, &row, 100 * rate * bytesPerTet(cells) / bytes);
        row.metric = "bytes_per_tet";
        row.unit = "B";
        snBench_EmitNumber(out, &row, bytesPerTet(cells));
    }
}

static snStatus timeAll(const snBenchOut* out, Bodies* b, int threads, snMessage* why)
{
    static snBenchRunner r[MOST];
    snHost host;
    snTasks* tasks = NULL;
    snHost_Init(&host);
    host.thread_count = threads;
    snStatus status = snTasks_Create(&host, &tasks, why);
    for (int i = 0; i < b->model_count && !status; ++i) {
        status = snSubject_SetThreads(&b->subjects[i], threads, why);
    }
    if (!status) {
        b->memory.tasks = b->cache.tasks = b->fma.tasks = tasks;
        r[COPY_MEMORY] = snBenchRunner_Of(snMachineCopy_Run, NULL, &b->memory);
        r[COPY_CACHE] = snBenchRunner_Of(snMachineCopy_Run, NULL, &b->cache);
        r[FMA] = snBenchRunner_Of(snMachineFma_Run, NULL, &b->fma);
        for (int i = 0; i < b->model_count; ++i) {
            r[ELASTIC + i] = snBenchRunner_Of(runElastic, readyElastic, &b->subjects[i]);
        }
        const int svd = ELASTIC + b->model_count;
        for (int i = 0; i < b->isa_count; ++i) {
            r[svd + i] = snBenchRunner_Of(runSvd, NULL, &b->svd[i]);
        }
        snBench_Time(out, r, svd + b->isa_count, threads);
        emitMachine(out, b, r, threads);
        emitModels(out, b, r, threads);
    }
    snTasks_Free(tasks);
    return status;
}

snStatus snBench_Kernels(const snBenchOut* out, snMessage* why)
{
    static Bodies bodies;
    int counts[2];
    bodies = (Bodies){.model_count = 0};
    snBench_Threads(counts);
    snStatus status = openBodies(&bodies, out->small, why);
    for (int i = 0; i < 2 && counts[i] > 0 && !status; ++i) {
        status = timeAll(out, &bodies, counts[i], why);
    }
    closeBodies(&bodies);
    return status;
}
