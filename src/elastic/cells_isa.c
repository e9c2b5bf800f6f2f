// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Pass 1: strain, stress and nodal forces of a chunk, 16 cells at a time. Matrices of a block lie
// entry by entry, 16 lanes each. A chunk is done in batches of blocks: what a batch keeps, with its
// constants, fits a first-level cache of 32 KiB.

#include "elastic/pass.h"
#include "math/isa.h"
#include "math/lanes.h"

enum { LANES = SN_LANES, ENTRIES = 9 * SN_LANES, BATCH = 16 };

// The most nodes of a chunk: no two cells share any.
enum { NODES = 4 * SN_CHUNK_CELLS };

// What is kept of a batch beside its constants.
typedef struct Batch {
    _Alignas(SN_ALIGNMENT) float F[BATCH][ENTRIES];
    float P[BATCH][ENTRIES];
    int32_t block_begin, block_count;
    uint16_t large[BATCH * LANES]; // cells to diagonalise: block * LANES + lane
    int large_count;
} Batch;

SN_KERNEL snMat3f times(snMat3f A, snMat3f B)
{
    snMat3f C;
    C.m00 = A.m00 * B.m00 + A.m01 * B.m10 + A.m02 * B.m20;
    C.m01 = A.m00 * B.m01 + A.m01 * B.m11 + A.m02 * B.m21;
    C.m02 = A.m00 * B.m02 + A.m01 * B.m12 + A.m02 * B.m22;
    C.m10 = A.m10 * B.m00 + A.m11 * B.m10 + A.m12 * B.m20;
    C.m11 = A.m10 * B.m01 + A.m11 * B.m11 + A.m12 * B.m21;
    C.m12 = A.m10 * B.m02 + A.m11 * B.m12 + A.m12 * B.m22;
    C.m20 = A.m20 * B.m00 + A.m21 * B.m10 + A.m22 * B.m20;
    C.m21 = A.m20 * B.m01 + A.m21 * B.m11 + A.m22 * B.m21;
    C.m22 = A.m20 * B.m02 + A.m21 * B.m12 + A.m22 * B.m22;
    return C;
}

SN_KERNEL snMat3f scaled(float k, snMat3f A)
{
    A.m00 *= k, A.m01 *= k, A.m02 *= k;
    A.m10 *= k, A.m11 *= k, A.m12 *= k;
    A.m20 *= k, A.m21 *= k, A.m22 *= k;
    return A;
}

// A B'
SN_KERNEL snMat3f timesTransposed(snMat3f A, snMat3f B)
{
    snMat3f C;
    C.m00 = A.m00 * B.m00 + A.m01 * B.m01 + A.m02 * B.m02;
    C.m01 = A.m00 * B.m10 + A.m01 * B.m11 + A.m02 * B.m12;
    C.m02 = A.m00 * B.m20 + A.m01 * B.m21 + A.m02 * B.m22;
    C.m10 = A.m10 * B.m00 + A.m11 * B.m01 + A.m12 * B.m02;
    C.m11 = A.m10 * B.m10 + A.m11 * B.m11 + A.m12 * B.m12;
    C.m12 = A.m10 * B.m20 + A.m11 * B.m21 + A.m12 * B.m22;
    C.m20 = A.m20 * B.m00 + A.m21 * B.m01 + A.m22 * B.m02;
    C.m21 = A.m20 * B.m10 + A.m21 * B.m11 + A.m22 * B.m12;
    C.m22 = A.m20 * B.m20 + A.m21 * B.m21 + A.m22 * B.m22;
    return C;
}

// Gather and scatter ----------------------------------------------------------

static void gatherNodes(const snCells* cells, const snCellChunk* c, const snVec4f* x, snVec4f* out)
{
    const int32_t* nodes = cells->slot_nodes + c->slot_begin;
    for (int i = 0; i < c->node_count; ++i) {
        out[i] = x[nodes[i]];
    }
}

// Positions and forces move as whole snVec4f: twice as fast as by components.
typedef float Four __attribute__((vector_size(16)));

SN_KERNEL Four get(const void* p)
{
    Four v;
    memcpy(&v, p, sizeof v);
    return v;
}

SN_KERNEL void put(void* p, Four v)
{
    memcpy(p, &v, sizeof v);
}

// D = (x1 - x0, x2 - x0, x3 - x0)
static void gatherEdges(const snCellBlock* b, const snVec4f* x, float* restrict D)
{
    for (int i = 0; i < LANES; i += 4) {
        const uint16_t* o = &b->node[0][i];
        Four o0 = get(&x[o[0]]), o1 = get(&x[o[1]]), o2 = get(&x[o[2]]), o3 = get(&x[o[3]]);
        for (int k = 0; k < 3; ++k) {
            const uint16_t* n = &b->node[k + 1][i];
            Four d0 = get(&x[n[0]]) - o0, d1 = get(&x[n[1]]) - o1;
            Four d2 = get(&x[n[2]]) - o2, d3 = get(&x[n[3]]) - o3;
            Four xy01 = __builtin_shufflevector(d0, d1, 0, 4, 1, 5);
            Four xy23 = __builtin_shufflevector(d2, d3, 0, 4, 1, 5);
            Four z01 = __builtin_shufflevector(d0, d1, 2, 6, 2, 6);
            Four z23 = __builtin_shufflevector(d2, d3, 2, 6, 2, 6);
            put(&D[k * LANES + i], __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5));
            put(&D[(3 + k) * LANES + i], __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7));
            put(&D[(6 + k) * LANES + i], __builtin_shufflevector(z01, z23, 0, 1, 4, 5));
        }
    }
}

SN_KERNEL void addTo(snVec4f* f, Four a)
{
    put(f, get(f) + a);
}

// The columns of H are the forces on nodes 1, 2, 3.
static void scatterForces(const snCellBlock* b, const float* H, snVec4f* restrict f)
{
    const Four zero = {0, 0, 0, 0};
    for (int i = 0; i < LANES; i += 4) {
        Four o0 = zero, o1 = zero, o2 = zero, o3 = zero;
        for (int k = 0; k < 3; ++k) {
            Four x = get(&H[k * LANES + i]), y = get(&H[(3 + k) * LANES + i]);
            Four z = get(&H[(6 + k) * LANES + i]);
            Four xy01 = __builtin_shufflevector(x, y, 0, 4, 1, 5);
            Four xy23 = __builtin_shufflevector(x, y, 2, 6, 3, 7);
            Four z01 = __builtin_shufflevector(z, zero, 0, 4, 1, 5);
            Four z23 = __builtin_shufflevector(z, zero, 2, 6, 3, 7);
            Four f0 = __builtin_shufflevector(xy01, z01, 0, 1, 4, 5);
            Four f1 = __builtin_shufflevector(xy01, z01, 2, 3, 6, 7);
            Four f2 = __builtin_shufflevector(xy23, z23, 0, 1, 4, 5);
            Four f3 = __builtin_shufflevector(xy23, z23, 2, 3, 6, 7);
            const uint16_t* n = &b->node[k + 1][i];
            addTo(&f[n[0]], f0);
            addTo(&f[n[1]], f1);
            addTo(&f[n[2]], f2);
            addTo(&f[n[3]], f3);
            o0 -= f0, o1 -= f1, o2 -= f2, o3 -= f3;
        }
        const uint16_t* o = &b->node[0][i];
        addTo(&f[o[0]], o0);
        addTo(&f[o[1]], o1);
        addTo(&f[o[2]], o2);
        addTo(&f[o[3]], o3);
    }
}

// Kernels ---------------------------------------------------------------------

// F = D B of a batch. Not block by block: a register loaded from several stores just made would
// have to wait for them.
static void gradients(const snCells* cells, int32_t begin, int32_t count, const snVec4f* x,
                      float (*restrict F)[ENTRIES])
{
    for (int32_t k = 0; k < count; ++k) {
        gatherEdges(&cells->blocks[begin + k], x, F[k]);
    }
    for (int32_t k = 0; k < count; ++k) {
        const float* B = snCells_Shape(cells, begin + k)->B[0];
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            snLanes_Store(F[k] + i, times(snLanes_Load(F[k] + i), snLanes_Load(B + i)));
        }
    }
}

// What a block's cells are told apart by: not positive means large, and inverted.
typedef struct Marks {
    _Alignas(SN_ALIGNMENT) float slack[LANES];
    float det[LANES];
} Marks;

// Whether any of the block's cells is inverted or, if the selective test is asked for, large.
static bool anyMarked(const Marks* marks, bool selective)
{
    const float* decisive = selective ? marks->slack : marks->det;
    int any = 0;
    for (int i = 0; i < LANES; ++i) {
        any |= !(decisive[i] > 0);
    }
    return any != 0;
}

static void markCells(const snCellBlock* b, const float* F, Marks* restrict marks)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        float det = snDeterminantf(snLanes_Load(F + i));
        marks->det[i] = b->volume[i] > 0 ? det : 1;
    }
}

// Marks too, since both need F'F.
static void stvkStresses(const snCellBlock* b, const float* F, const snMaterial* law,
                         float* restrict P, Marks* restrict marks)
{
    const float L = (float)(law->lower * law->lower), U = (float)(law->upper * law->upper);
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snMat3f m = snLanes_Load(F + i);
        float det = snDeterminantf(m), slack = snStretchSlackf(m, L, U);
        marks->det[i] = b->volume[i] > 0 ? det : 1;
        marks->slack[i] = b->volume[i] > 0 ? slack : 1;
        snLanes_Store(P + i, snStvkStressf(m, b->mu[i], b->lambda[i]));
    }
}

static void neoHookeanStresses(const snCellBlock* b, const float* F, float* restrict P)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snLanes_Store(P + i, snNeoHookeanStressf(snLanes_Load(F + i), b->mu[i], b->lambda[i]));
    }
}

typedef struct Principal {
    _Alignas(SN_ALIGNMENT) float U[ENTRIES];
    float V[ENTRIES], s[3 * LANES];
} Principal;

static void principalStresses(const snCellsPass* pass, const float* F, const float* mu,
                              const float* lambda, float* restrict P)
{
    const snMaterial* m = &pass->cells->material;
    const float lower = (float)m->lower, upper = (float)m->upper;
    Principal d;
    pass->svd(1, F, d.U, d.s, d.V);
    if (m->kind == sn_materialStvk) {
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            snColumnf s = snColumnOff(d.s[i], d.s[LANES + i], d.s[2 * LANES + i]);
            snColumnf p = snStvkPrincipalf(s, mu[i], lambda[i], lower, upper);
            snLanes_Store(P + i, snFromPrincipalf(snLanes_Load(d.U + i), p, snLanes_Load(d.V + i)));
        }
    } else {
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            snColumnf s = snColumnOff(d.s[i], d.s[LANES + i], d.s[2 * LANES + i]);
            snColumnf p = snCorotatedPrincipalf(s, mu[i], lambda[i]);
            snLanes_Store(P + i, snFromPrincipalf(snLanes_Load(d.U + i), p, snLanes_Load(d.V + i)));
        }
    }
}

static void addDamping(const snCellBlock* b, float time, const float* F, const float* Fdot,
                       float* restrict P)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snMat3f D = snDampingStressf(snLanes_Load(F + i), snLanes_Load(Fdot + i), time * b->mu[i],
                                     time * b->lambda[i]);
        snLanes_Store(P + i, snCombinef(1, snLanes_Load(P + i), 1, D));
    }
}

// P += p dJ/dF, p the mean of the nodes' pressures
static void addPressure(const snCellBlock* b, const float* pressure, const float* F,
                        float* restrict P)
{
    _Alignas(SN_ALIGNMENT) float p[LANES];
    for (int i = 0; i < LANES; ++i) {
        p[i] = 0.25F * ((pressure[b->node[0][i]] + pressure[b->node[1][i]]) +
                        (pressure[b->node[2][i]] + pressure[b->node[3][i]]));
    }
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snLanes_Store(P + i,
                      snCombinef(1, snLanes_Load(P + i), p[i], snCofactorf(snLanes_Load(F + i))));
    }
}

static void spreadForces(const snCellBlock* b, const snCellShape* shape, const float* P, snVec4f* f)
{
    const float* B = &shape->B[0][0];
    _Alignas(SN_ALIGNMENT) float H[ENTRIES];
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snLanes_Store(H + i, timesTransposed(scaled(-b->volume[i], snLanes_Load(P + i)),
                                             snLanes_Load(B + i)));
    }
    scatterForces(b, H, f);
}

// Batches ---------------------------------------------------------------------

static void collect(Batch* batch, snCellsTally* tally, int block, const Marks* marks,
                    bool selective)
{
    for (int i = 0; i < LANES; ++i) {
        tally->inverted += !(marks->det[i] > 0);
        if (selective && !(marks->slack[i] > 0)) {
            batch->large[batch->large_count++] = (uint16_t)(block * LANES + i);
        }
    }
}

// The large cells of the batch, packed 16 by 16, since they are rare and the SVD is dear.
static void diagonalizeLarge(const snCellsPass* pass, const snCellBlock* blocks, Batch* batch)
{
    _Alignas(SN_ALIGNMENT) float F[ENTRIES] = {0}, P[ENTRIES], mu[LANES] = {0}, lambda[LANES] = {0};
    for (int begin = 0; begin < batch->large_count; begin += LANES) {
        int count = batch->large_count - begin < LANES ? batch->large_count - begin : LANES;
        for (int i = 0; i < count; ++i) {
            int block = batch->large[begin + i] / LANES, lane = batch->large[begin + i] % LANES;
            mu[i] = blocks[block].mu[lane];
            lambda[i] = blocks[block].lambda[lane];
            for (int k = 0; k < 9; ++k) {
                F[k * LANES + i] = batch->F[block][k * LANES + lane];
            }
        }
        principalStresses(pass, F, mu, lambda, P);
        for (int i = 0; i < count; ++i) {
            int block = batch->large[begin + i] / LANES, lane = batch->large[begin + i] % LANES;
            for (int k = 0; k < 9; ++k) {
                batch->P[block][k * LANES + lane] = P[k * LANES + i];
            }
        }
    }
}

// P of every cell of the batch from F; counts.
static void stresses(const snCellsPass* pass, Batch* batch, snCellsTally* tally)
{
    const snMaterial* m = &pass->cells->material;
    const snCellBlock* blocks = pass->cells->blocks + batch->block_begin;
    bool stvk = m->kind == sn_materialStvk;
    bool plain = stvk && m->diagonalize != sn_diagonalizeAlways;
    bool selective = stvk && m->diagonalize == sn_diagonalizeSelective;
    batch->large_count = 0;
    for (int i = 0; i < batch->block_count; ++i) {
        const snCellBlock* b = &blocks[i];
        const float* F = batch->F[i];
        Marks marks;
        if (plain) {
            stvkStresses(b, F, m, batch->P[i], &marks);
        } else if (m->kind == sn_materialNeoHookean) {
            markCells(b, F, &marks);
            neoHookeanStresses(b, F, batch->P[i]);
        } else {
            markCells(b, F, &marks);
            principalStresses(pass, F, b->mu, b->lambda, batch->P[i]);
            for (int k = 0; k < LANES; ++k) {
                tally->diagonalized += b->volume[k] > 0;
            }
        }
        if (anyMarked(&marks, selective)) {
            collect(batch, tally, i, &marks, selective);
        }
    }
    diagonalizeLarge(pass, blocks, batch);
    tally->diagonalized += batch->large_count;
}

// A chunk's nodes.
typedef struct Nodes {
    _Alignas(SN_ALIGNMENT) snVec4f x[NODES];
    snVec4f v[NODES];      // where damped
    float pressure[NODES]; // where node-averaged
} Nodes;

static void damp(const snCells* cells, const snVec4f* v, Batch* batch)
{
    _Alignas(SN_ALIGNMENT) float Fdot[BATCH][ENTRIES];
    gradients(cells, batch->block_begin, batch->block_count, v, Fdot);
    for (int i = 0; i < batch->block_count; ++i) {
        addDamping(&cells->blocks[batch->block_begin + i], (float)cells->damping, batch->F[i],
                   Fdot[i], batch->P[i]);
    }
}

// Chunks ----------------------------------------------------------------------

snCellsChunkFcn SN_ISA_NAME(snCellsForces), SN_ISA_NAME(snCellsSwelling);

void SN_ISA_NAME(snCellsForces)(const snCellsPass* pass, int chunk)
{
    const snCells* cells = pass->cells;
    const snCellChunk* c = &cells->chunks[chunk];
    bool damped = cells->damping > 0 && pass->v;
    snVec4f* f = pass->slots + c->slot_begin;
    snCellsTally tally = {0, 0};
    Nodes nodes;
    Batch batch;
    gatherNodes(cells, c, pass->x, nodes.x);
    if (damped) {
        gatherNodes(cells, c, pass->v, nodes.v);
    }
    for (int i = 0; i < c->node_count && cells->node_averaged; ++i) {
        nodes.pressure[i] = pass->pressure[cells->slot_nodes[c->slot_begin + i]];
    }
    memset(f, 0, (size_t)c->node_count * sizeof *f);
    for (int32_t done = 0; done < c->block_count; done += BATCH) {
        int32_t left = c->block_count - done;
        batch.block_begin = c->block_begin + done;
        batch.block_count = left < BATCH ? left : BATCH;
        gradients(cells, batch.block_begin, batch.block_count, nodes.x, batch.F);
        stresses(pass, &batch, &tally);
        if (damped) {
            damp(cells, nodes.v, &batch);
        }
        for (int32_t i = 0; i < batch.block_count; ++i) {
            const snCellBlock* b = &cells->blocks[batch.block_begin + i];
            if (cells->node_averaged) {
                addPressure(b, nodes.pressure, batch.F[i], batch.P[i]);
            }
            spreadForces(b, snCells_Shape(cells, batch.block_begin + i), batch.P[i], f);
        }
    }
    pass->tallies[chunk] = tally;
}

// Node-averaged volume, pass 0: V w / 4 (J - 1) of each cell to its nodes' slots.
void SN_ISA_NAME(snCellsSwelling)(const snCellsPass* pass, int chunk)
{
    const snCells* cells = pass->cells;
    const snCellChunk* c = &cells->chunks[chunk];
    const snCellBlock* blocks = cells->blocks + c->block_begin;
    float* sum = pass->swelling + c->slot_begin;
    snVec4f x[NODES];
    _Alignas(SN_ALIGNMENT) float F[BATCH][ENTRIES], grown[LANES];
    gatherNodes(cells, c, pass->x, x);
    memset(sum, 0, (size_t)c->node_count * sizeof *sum);
    for (int32_t k = 0; k < c->block_count; ++k) {
        if (k % BATCH == 0) {
            int32_t left = c->block_count - k;
            gradients(cells, c->block_begin + k, left < BATCH ? left : BATCH, x, F);
        }
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            float J = snDeterminantf(snLanes_Load(F[k % BATCH] + i));
            grown[i] = 0.25F * blocks[k].volume[i] * (J - 1);
        }
        for (int i = 0; i < LANES; ++i) {
            for (int n = 0; n < 4; ++n) {
                sum[blocks[k].node[n][i]] += grown[i];
            }
        }
    }
}
