// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How time grows with the model: per tet from a thousand to ten million tets, per bone from 30 to
// 10,000 bones.
//
// A body of ten million cells takes minutes to build around a surface (sampling, stable step). So
// here a cube of lattice cells becomes flesh without bones directly: the same tables, cells and
// passes over nodes as in a step, without contact and without checks of energy.
#include "bench.h"

#include "base/cpu.h"
#include "base/message.h"
#include "flesh/tables.h"
#include "geom/bcc.h"
#include "method/explicit/nodes.h"
#include "tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 1.0  // m
#define SPIN 3.0  // rad/s
#define STEP 1e-9 // s: time hardly moves, so that no step is unstable

// Tets ------------------------------------------------------------------------

typedef struct Block {
    snArena arena;
    snFlesh flesh;
    snNodes nodes;
    snTasks* tasks;
    void* state;
} Block;

static void closeBlock(Block* b)
{
    snSkeleton_Release(b->flesh.skeleton);
    snTasks_Free(b->tasks);
    snArena_Free(&b->arena);
    free(b->state);
}

static snStatus makeTets(Block* b, int32_t cubes, snMessage* why)
{
    const snBcc lattice = {{0, 0, 0}, SIDE / cubes, cubes, cubes, cubes};
    const size_t tets = (size_t)snBcc_TetCount(&lattice);
    uint8_t* keep = malloc(tets);
    if (!keep) {
        return snFail(why, sn_errorMemory, "no memory for %zu tets", tets);
    }
    memset(keep, 1, tets);
    snStatus status = snBcc_Extract(&b->arena, &lattice, keep, &b->flesh.tets, NULL, why);
    free(keep);
    return status;
}

// Full cells, masses lumped at nodes, nothing fixed, no surface.
static snStatus makeFlesh(Block* b, const snFleshDef* def, snMessage* why)
{
    snFlesh* f = &b->flesh;
    const size_t cells = (size_t)f->tets.tet_count, nodes = (size_t)f->tets.node_count;
    double* fill = snArena_Push(&b->arena, cells, sizeof(double));
    double* mass = snArena_Push(&b->arena, nodes, sizeof(double));
    double* lame = snArena_Push(&b->arena, 2 * cells, sizeof(double));
    f->binding.bone = snArena_Push(&b->arena, nodes, sizeof(int32_t));
    f->binding.fixed = snArena_Push(&b->arena, nodes, sizeof(int32_t));
    if (b->arena.failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
    }
    const snLame constants = snLame_FromYoung(def->material.young, def->material.poisson);
    for (size_t e = 0; e < cells; ++e) {
        fill[e] = 1;
        lame[e] = constants.mu;
        lame[cells + e] = constants.lambda;
        for (int k = 0; k < 4; ++k) {
            mass[f->tets.tet[4 * e + (size_t)k]] +=
                def->material.density * snTets_Volume(&f->tets, (int32_t)e) / 4;
        }
    }
    for (size_t i = 0; i < nodes; ++i) {
        f->binding.bone[i] = f->binding.fixed[i] = -1;
    }
    f->fill = fill;
    f->mass = mass;
    snCellsDef made;
    snCellsDef_Init(&made);
    made.node_count = f->tets.node_count;
    made.cell_count = f->tets.tet_count;
    made.rest = &f->tets.position->x;
    made.tets = f->tets.tet;
    made.mu = lame;
    made.lambda = lame + cells;
    snStatus status = snCells_Build(&b->arena, &made, &f->cells, why);
    return status ? status : snTables_Fill(&b->arena, def, f, why);
}

static snStatus openBlock(Block* b, int32_t cubes, int threads, snMessage* why)
{
    snSkeleton* none = NULL;
    snFleshDef def;
    snHost host;
    *b = (Block){.tasks = NULL};
    snArena_Init(&b->arena, NULL);
    snHost_Init(&host);
    host.thread_count = threads;
    snFleshDef_Init(&def);
    snStatus status = snSkeleton_Create(NULL, NULL, 0, &none, why);
    def.skeleton = none;
    status = status ? status : snTasks_Create(&host, &b->tasks, why);
    status = status ? status : makeTets(b, cubes, why);
    status = status ? status : makeFlesh(b, &def, why);
    snSkeleton_Release(none);
    if (status) {
        return status;
    }
    const size_t bytes = snNodes_StateSize(&b->flesh);
    snNodes_Push(&b->nodes, &b->flesh, snCpu_Best(), &b->arena);
    b->state = aligned_alloc(SN_ALIGNMENT, bytes);
    if (b->arena.failed || !b->state) {
        return snFail(why, sn_errorMemory, "no memory for %d cells", (int)b->flesh.tets.tet_count);
    }
    memset(b->state, 0, bytes);
    snNodes_At(&b->nodes, b->state);
    const snBase base = {.R = snMat3_Identity()};
    snNodes_Place(&b->nodes, NULL, NULL, &base, (snVec3){0, 0, 0}, (snVec3){SPIN, 0, 0});
    return sn_ok;
}

static void runStep(void* block, int n)
{
    const snVec3 gravity = {0, -SN_GRAVITY, 0};
    Block* b = block;
    snNodes* nodes = &b->nodes;
    for (int i = 0; i < n; ++i) {
        snNodes_Drift(nodes, b->tasks, STEP / 2);
        snNodes_Hold(nodes, NULL);
        snCells_Forces(b->flesh.cells, b->tasks, nodes->isa, nodes->x, nodes->v, nodes->cells_work,
                       nodes->f);
        snNodes_Kick(nodes, b->tasks, STEP, gravity, true);
        snWhole whole = snNodes_Settle(nodes, b->tasks, STEP, STEP / 2, gravity, NULL, true);
        snNodes_Turn(nodes, b->tasks, whole.momentum.com, (snTwist){.w = {0, 0, 0}});
    }
}

static snStatus benchTets(const snBenchOut* out, snMessage* why)
{
    static const struct {
        const char* name;
        int32_t cubes; // along each side
    } SIZES[5] = {
        {"tets_1k", 5}, {"tets_10k", 10}, {"tets_100k", 21}, {"tets_1M", 44}, {"tets_10M", 95}};
    static snBenchRunner r;
    snStatus status = sn_ok;
    for (int k = 0; k < (out->small ? 2 : 5) && !status; ++k) {
        Block block;
        status = openBlock(&block, SIZES[k].cubes, 1, why);
        if (!status) {
            r = snBenchRunner_Of(runStep, NULL, &block);
            snBench_Time(out, &r, 1, 1);
            const double tets = block.flesh.tets.tet_count;
            snBenchRow row = {.bench = "scaling", .name = SIZES[k].name, .threads = 1};
            row.metric = "tets";
            row.unit = "count";
            snBench_EmitNumber(out, &row, tets);
            row.metric = "ns_per_tet";
            row.unit = "ns";
            snBench_Emit(out, &row, &r, 1e9 / tets);
        }
        closeBlock(&block);
    }
    return status;
}

// Bones -----------------------------------------------------------------------

// Arms of ten bones on a free hub, as many as it takes: what grows is the number of bones alone.
static snStatus makeManyArms(int32_t bones, snSkeleton** skeleton, snMessage* why)
{
    snBoneDef* defs = calloc((size_t)bones, sizeof *defs);
    char(*names)[16] = calloc((size_t)bones, sizeof *names);
    if (!defs || !names) {
        free(defs);
        free(names);
        return snFail(why, sn_errorMemory, "no memory for %d bones", (int)bones);
    }
    for (int32_t i = 0; i < bones; ++i) {
        snBoneDef* b = &defs[i];
        snBoneDef_Init(b);
        snprintf(names[i], sizeof names[i], "b%d", (int)i);
        b->name = names[i];
        b->parent = i == 0 ? -1 : (i - 1) % 10 == 0 ? 0 : i - 1;
        b->joint = i == 0 ? sn_jointFree : sn_jointRevolute;
        b->axis = (snVec3){0, i % 2, 1};
        b->anchor.p = (snVec3){0.1, 0, 0};
        b->mass = snMass_Capsule((snVec3){0, 0, 0}, (snVec3){0.1, 0, 0}, 0.03, 1000);
    }
    snStatus status = snSkeleton_Create(NULL, defs, bones, skeleton, why);
    free(defs);
    free(names);
    return status;
}

static snStatus benchBones(const snBenchOut* out, snMessage* why)
{
    enum { COUNT = 4 };
    static const int32_t SIZES[COUNT] = {30, 100, 1000, 10000};
    static const char* const NAMES[COUNT] = {"bones_30", "bones_100", "bones_1000", "bones_10000"};
    static snBenchRunner runners[COUNT];
    snTree trees[COUNT] = {{.skeleton = NULL}};
    snStatus status = sn_ok;
    for (int k = 0; k < COUNT && !status; ++k) {
        snSkeleton* skeleton = NULL;
        status = makeManyArms(SIZES[k], &skeleton, why);
        status = status ? status : snTree_Open(&trees[k], skeleton, why);
        runners[k] = snBenchRunner_Of(snTree_Forward, NULL, &trees[k]);
    }
    if (!status) {
        snBench_Time(out, runners, COUNT, 1);
    }
    for (int k = 0; k < COUNT; ++k) {
        if (!status) {
            snBenchRow row = {.bench = "scaling", .name = NAMES[k], .unit = "ns", .threads = 1};
            row.metric = "ns_per_bone";
            snBench_Emit(out, &row, &runners[k], 1e9 / SIZES[k]);
        }
        snTree_Close(&trees[k]);
    }
    return status;
}

snStatus snBench_Scaling(const snBenchOut* out, snMessage* why)
{
    snStatus status = benchTets(out, why);
    return status ? status : benchBones(out, why);
}
