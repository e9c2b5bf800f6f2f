// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Pass 1: strain, stress and nodal forces of a chunk, 16 cells at a time. Matrices of a block lie
// entry by entry, 16 lanes each.

#include "elastic/pass.h"
#include "math/isa.h"
#include "math/lanes.h"

enum { LANES = SN_LANES, ENTRIES = 9 * SN_LANES };

// The most nodes of a chunk: no two cells share any.
enum { NODES = 4 * SN_CHUNK_CELLS };

// What a pass over a chunk keeps beside its constants; a few KiB of it are used.
typedef struct Local {
    _Alignas(SN_ALIGNMENT) float F[SN_CHUNK_BLOCKS][ENTRIES];
    float P[SN_CHUNK_BLOCKS][ENTRIES];
    snVec4f node[NODES];            // position, then velocity
    uint16_t large[SN_CHUNK_CELLS]; // cells to diagonalise: block * LANES + lane
    int large_count;
} Local;

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

// F = D B of all blocks. Not block by block: a register loaded from several stores just made would
// have to wait for them.
static void gradients(const snCellBlock* blocks, int count, const snVec4f* x,
                      float (*restrict F)[ENTRIES])
{
    for (int k = 0; k < count; ++k) {
        gatherEdges(&blocks[k], x, F[k]);
    }
    for (int k = 0; k < count; ++k) {
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            snLanes_Store(F[k] + i,
                          times(snLanes_Load(F[k] + i), snLanes_Load(&blocks[k].B[0][i])));
        }
    }
}

// What a block's cells are told apart by: not positive means large, and inverted.
typedef struct Marks {
    _Alignas(SN_ALIGNMENT) float slack[LANES];
    float det[LANES];
} Marks;

// Whether any cell is inverted or, if the selective test is asked for, large.
static bool markCells(const snCellBlock* b, const float* F, const snMaterial* law, bool selective,
                      Marks* restrict marks)
{
    const float L = (float)(law->lower * law->lower), U = (float)(law->upper * law->upper);
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snMat3f m = snLanes_Load(F + i);
        float det = snDeterminantf(m), slack = snStretchSlackf(m, L, U);
        marks->det[i] = b->volume[i] > 0 ? det : 1;
        marks->slack[i] = b->volume[i] > 0 ? slack : 1;
    }
    const float* decisive = selective ? marks->slack : marks->det;
    int any = 0;
    for (int i = 0; i < LANES; ++i) {
        any |= !(decisive[i] > 0);
    }
    return any != 0;
}

static void stvkStresses(const snCellBlock* b, const float* F, float* restrict P)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snLanes_Store(P + i, snStvkStressf(snLanes_Load(F + i), b->mu[i], b->lambda[i]));
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

static void spreadForces(const snCellBlock* b, const float* P, snVec4f* f)
{
    _Alignas(SN_ALIGNMENT) float H[ENTRIES];
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snLanes_Store(H + i, timesTransposed(scaled(-b->volume[i], snLanes_Load(P + i)),
                                             snLanes_Load(&b->B[0][i])));
    }
    scatterForces(b, H, f);
}

// Chunks ----------------------------------------------------------------------

static void collect(Local* local, snCellsTally* tally, int block, const Marks* marks,
                    bool selective)
{
    for (int i = 0; i < LANES; ++i) {
        tally->inverted += !(marks->det[i] > 0);
        if (selective && !(marks->slack[i] > 0)) {
            local->large[local->large_count++] = (uint16_t)(block * LANES + i);
        }
    }
}

// The large cells of the chunk, packed 16 by 16, since they are rare and the SVD is dear.
static void diagonalizeLarge(const snCellsPass* pass, const snCellBlock* blocks, Local* local)
{
    _Alignas(SN_ALIGNMENT) float F[ENTRIES] = {0}, P[ENTRIES], mu[LANES] = {0}, lambda[LANES] = {0};
    for (int begin = 0; begin < local->large_count; begin += LANES) {
        int count = local->large_count - begin < LANES ? local->large_count - begin : LANES;
        for (int i = 0; i < count; ++i) {
            int block = local->large[begin + i] / LANES, lane = local->large[begin + i] % LANES;
            mu[i] = blocks[block].mu[lane];
            lambda[i] = blocks[block].lambda[lane];
            for (int k = 0; k < 9; ++k) {
                F[k * LANES + i] = local->F[block][k * LANES + lane];
            }
        }
        principalStresses(pass, F, mu, lambda, P);
        for (int i = 0; i < count; ++i) {
            int block = local->large[begin + i] / LANES, lane = local->large[begin + i] % LANES;
            for (int k = 0; k < 9; ++k) {
                local->P[block][k * LANES + lane] = P[k * LANES + i];
            }
        }
    }
}

// P of every cell of the chunk from F; counts.
static void stresses(const snCellsPass* pass, const snCellChunk* c, Local* local,
                     snCellsTally* tally)
{
    const snMaterial* m = &pass->cells->material;
    const snCellBlock* blocks = pass->cells->blocks + c->block_begin;
    bool stvk = m->kind == sn_materialStvk;
    bool plain = stvk && m->diagonalize != sn_diagonalizeAlways;
    bool selective = stvk && m->diagonalize == sn_diagonalizeSelective;
    local->large_count = 0;
    for (int i = 0; i < c->block_count; ++i) {
        const snCellBlock* b = &blocks[i];
        const float* F = local->F[i];
        Marks marks;
        if (markCells(b, F, m, selective, &marks)) {
            collect(local, tally, i, &marks, selective);
        }
        if (plain) {
            stvkStresses(b, F, local->P[i]);
        } else if (m->kind == sn_materialNeoHookean) {
            neoHookeanStresses(b, F, local->P[i]);
        } else {
            principalStresses(pass, F, b->mu, b->lambda, local->P[i]);
            for (int k = 0; k < LANES; ++k) {
                tally->diagonalized += b->volume[k] > 0;
            }
        }
    }
    diagonalizeLarge(pass, blocks, local);
    tally->diagonalized += local->large_count;
}

snCellsChunkFcn SN_ISA_NAME(snCellsForces), SN_ISA_NAME(snCellsSwelling);

void SN_ISA_NAME(snCellsForces)(const snCellsPass* pass, int chunk)
{
    const snCells* cells = pass->cells;
    const snCellChunk* c = &cells->chunks[chunk];
    const snCellBlock* blocks = cells->blocks + c->block_begin;
    snCellsTally tally = {0, 0};
    Local local;
    gatherNodes(cells, c, pass->x, local.node);
    gradients(blocks, c->block_count, local.node, local.F);
    stresses(pass, c, &local, &tally);
    if (cells->damping > 0 && pass->v) {
        _Alignas(SN_ALIGNMENT) float Fdot[SN_CHUNK_BLOCKS][ENTRIES];
        gatherNodes(cells, c, pass->v, local.node);
        gradients(blocks, c->block_count, local.node, Fdot);
        for (int i = 0; i < c->block_count; ++i) {
            addDamping(&blocks[i], (float)cells->damping, local.F[i], Fdot[i], local.P[i]);
        }
    }
    if (cells->node_averaged) {
        float pressure[NODES];
        for (int i = 0; i < c->node_count; ++i) {
            pressure[i] = pass->pressure[cells->slot_nodes[c->slot_begin + i]];
        }
        for (int i = 0; i < c->block_count; ++i) {
            addPressure(&blocks[i], pressure, local.F[i], local.P[i]);
        }
    }
    snVec4f* f = pass->slots + c->slot_begin;
    memset(f, 0, (size_t)c->node_count * sizeof *f);
    for (int i = 0; i < c->block_count; ++i) {
        spreadForces(&blocks[i], local.P[i], f);
    }
    pass->tallies[chunk] = tally;
}

// Node-averaged volume, pass 0: V w / 4 (J - 1) of each cell to its nodes' slots.
void SN_ISA_NAME(snCellsSwelling)(const snCellsPass* pass, int chunk)
{
    const snCells* cells = pass->cells;
    const snCellChunk* c = &cells->chunks[chunk];
    const snCellBlock* blocks = cells->blocks + c->block_begin;
    snVec4f x[NODES];
    _Alignas(SN_ALIGNMENT) float F[SN_CHUNK_BLOCKS][ENTRIES], grown[SN_CHUNK_BLOCKS][LANES];
    gatherNodes(cells, c, pass->x, x);
    gradients(blocks, c->block_count, x, F);
    for (int k = 0; k < c->block_count; ++k) {
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            float J = snDeterminantf(snLanes_Load(F[k] + i));
            grown[k][i] = 0.25F * blocks[k].volume[i] * (J - 1);
        }
    }
    float* sum = pass->swelling + c->slot_begin;
    memset(sum, 0, (size_t)c->node_count * sizeof *sum);
    for (int k = 0; k < c->block_count; ++k) {
        for (int i = 0; i < LANES; ++i) {
            for (int n = 0; n < 4; ++n) {
                sum[blocks[k].node[n][i]] += grown[k][i];
            }
        }
    }
}
