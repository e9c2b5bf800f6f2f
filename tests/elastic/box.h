// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A box of regular tets and everything needed to ask for its forces.
#ifndef SN_TESTS_ELASTIC_BOX_H
#define SN_TESTS_ELASTIC_BOX_H

#include "base/cpu.h"
#include "check.h"
#include "elastic/cells.h"
#include "geom/bcc.h"
#include "math/draw.h"

typedef struct Box {
    int cubes[3];
    snCellsDef def;
    double *rest, *mu, *lambda, *weight;
    int32_t* tets;
    snArena arena;
    snTasks* tasks;
    const snCells* cells; // after boxBuild
    void* work;
    snVec4f *x, *v, *f; // as snCells_Forces wants them
} Box;

static inline void* boxArray(Box* b, size_t count, size_t size)
{
    void* p = snArena_Push(&b->arena, count, size);
    assert_non_null(p);
    return p;
}

static inline int32_t boxNode(const Box* b, int i, int j, int k)
{
    return (int32_t)((k * (b->cubes[1] + 1) + j) * (b->cubes[0] + 1) + i);
}

// Six tets around a diagonal of the cube, which alternates from cube to cube so that no direction
// is preferred.
static inline int32_t boxCube(Box* b, int i, int j, int k, int32_t at)
{
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                    {1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
    for (int t = 0; t < 6; ++t) {
        int step[3] = {0, 0, 0}, flips = (i & 1) + (j & 1) + (k & 1);
        int32_t n[4];
        for (int c = 0; c < 4; ++c) {
            int corner[3] = {i & 1 ? 1 - step[0] : step[0], j & 1 ? 1 - step[1] : step[1],
                             k & 1 ? 1 - step[2] : step[2]};
            n[c] = boxNode(b, i + corner[0], j + corner[1], k + corner[2]);
            if (c < 3) {
                step[order[t][c]] = 1;
            }
        }
        bool mirrored = (t >= 3) != (flips % 2 == 1);
        b->tets[4 * at] = n[0];
        b->tets[4 * at + 1] = n[mirrored ? 2 : 1];
        b->tets[4 * at + 2] = n[mirrored ? 1 : 2];
        b->tets[4 * at + 3] = n[3];
        ++at;
    }
    return at;
}

// Room for so many nodes and cells, of one material; rest and tets are to be filled in.
static inline void boxBegin(Box* b, size_t nodes, size_t cells, double young, double poisson)
{
    memset(b, 0, sizeof *b);
    snArena_Init(&b->arena, NULL);
    b->rest = boxArray(b, 3 * nodes, sizeof(double));
    b->tets = boxArray(b, 4 * cells, sizeof(int32_t));
    b->mu = boxArray(b, cells, sizeof(double));
    b->lambda = boxArray(b, cells, sizeof(double));
    b->weight = boxArray(b, cells, sizeof(double));
    snLame lame = snLame_FromYoung(young, poisson);
    for (size_t i = 0; i < cells; ++i) {
        b->mu[i] = lame.mu, b->lambda[i] = lame.lambda, b->weight[i] = 1;
    }
    snCellsDef_Init(&b->def);
    b->def.node_count = (int32_t)nodes;
    b->def.cell_count = (int32_t)cells;
    b->def.rest = b->rest;
    b->def.tets = b->tets;
    b->def.mu = b->mu;
    b->def.lambda = b->lambda;
    b->def.weight = b->weight;
    b->x = boxArray(b, nodes, sizeof(snVec4f));
    b->v = boxArray(b, nodes, sizeof(snVec4f));
    b->f = boxArray(b, nodes, sizeof(snVec4f));
}

// The corners of nx * ny * nz cubes
static inline void boxCorners(Box* b, int nx, int ny, int nz, double edge)
{
    b->cubes[0] = nx, b->cubes[1] = ny, b->cubes[2] = nz;
    for (int k = 0; k <= nz; ++k) {
        for (int j = 0; j <= ny; ++j) {
            for (int i = 0; i <= nx; ++i) {
                double* p = b->rest + 3 * (size_t)boxNode(b, i, j, k);
                p[0] = edge * i, p[1] = edge * j, p[2] = edge * k;
            }
        }
    }
}

// nx * ny * nz cubes of the given edge, six tets each
static inline void boxInit(Box* b, int nx, int ny, int nz, double edge, double young,
                           double poisson)
{
    boxBegin(b, (size_t)((nx + 1) * (ny + 1) * (nz + 1)), (size_t)(6 * nx * ny * nz), young,
             poisson);
    boxCorners(b, nx, ny, nz, edge);
    int32_t at = 0;
    for (int k = 0; k < nz; ++k) {
        for (int j = 0; j < ny; ++j) {
            for (int i = 0; i < nx; ++i) {
                at = boxCube(b, i, j, k, at);
            }
        }
    }
}

// Builds the cells of def as it stands now.
static inline void boxBuild(Box* b, int threads)
{
    snMessage why;
    snHost host;
    snHost_Init(&host);
    host.thread_count = threads;
    snTasks_Free(b->tasks);
    assert_ok(snTasks_Create(&host, &b->tasks, &why), why);
    assert_ok(snCells_Build(&b->arena, &b->def, &b->cells, &why), why);
    b->work = boxArray(b, snCells_WorkSize(b->cells), 1);
}

// In place of a box: a body-centred lattice, every `gap`-th tet left out (0: none), so that fans of
// all sizes occur.
static inline void boxLattice(Box* b, int side, int gap, double edge, double young, double poisson)
{
    const double size = side * edge;
    const snBox box = {{0, 0, 0}, {size, size, size}};
    snBcc lattice;
    snMessage why;
    snArena arena;
    snTets tets;
    snArena_Init(&arena, NULL);
    assert_ok(snBcc_Cover(box, edge, snV3(0, 0, 0), &lattice, &why), why);
    int64_t count = snBcc_TetCount(&lattice);
    uint8_t* keep = snArena_Push(&arena, (size_t)count, 1);
    for (int64_t i = 0; i < count; ++i) {
        keep[i] = gap == 0 || i % gap != 0;
    }
    assert_ok(snBcc_Extract(&arena, &lattice, keep, &tets, NULL, &why), why);
    boxBegin(b, (size_t)tets.node_count, (size_t)tets.tet_count, young, poisson);
    memcpy(b->tets, tets.tet, 4 * (size_t)tets.tet_count * sizeof *b->tets);
    for (int32_t i = 0; i < tets.node_count; ++i) {
        b->rest[3 * i] = tets.position[i].x;
        b->rest[3 * i + 1] = tets.position[i].y;
        b->rest[3 * i + 2] = tets.position[i].z;
    }
    snArena_Free(&arena);
}

static inline void boxFree(Box* b)
{
    snTasks_Free(b->tasks);
    snArena_Free(&b->arena);
}

static inline void boxPut(snVec4f* out, const double* x, int32_t nodes)
{
    for (int32_t n = 0; n < nodes; ++n) {
        const double* p = x + 3 * (size_t)n;
        out[n] = (snVec4f){(float)p[0], (float)p[1], (float)p[2], 0};
    }
}

static inline void boxGet(double* out, const snVec4f* x, int32_t nodes)
{
    for (int32_t n = 0; n < nodes; ++n) {
        double* p = out + 3 * (size_t)n;
        p[0] = (double)x[n].x, p[1] = (double)x[n].y, p[2] = (double)x[n].z;
    }
}

// the largest difference of two packed arrays
static inline double gap(const double* a, const double* b, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; ++i) {
        double d = fabs(a[i] - (b ? b[i] : 0));
        most = d <= most ? most : d;
    }
    return most;
}

#endif
