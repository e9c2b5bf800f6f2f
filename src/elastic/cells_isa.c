// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Pass 1: strain, stress and nodal forces of a chunk, 16 cells at a time. Matrices of a block lie
// entry by entry, 16 lanes each. A chunk is done in batches of blocks: what a batch keeps, with its
// constants, fits a first-level cache of 32 KiB.

#include "elastic/gather.inl"
#include "math/isa.h"
#include "math/lanes.h"

enum { ENTRIES = 9 * SN_LANES, BATCH = 16 };

// The most nodes of a chunk: no two cells share any.
enum { NODES = 4 * SN_CHUNK_CELLS };

// Blocks that are done together: all of fans, or none.
typedef struct Range {
    int32_t block_begin, block_count;
    const snCellFan* fans; // NULL: none
} Range;

// What a block's cells are told apart by: not positive means large, and inverted.
typedef struct Marks {
    _Alignas(SN_ALIGNMENT) float slack[LANES];
    float det[LANES];
} Marks;

// Sixteen cells, and what is added up over them when they are looked at.
typedef struct Members {
    const snCellBlock* block;
    const snCellVolume* volume;
    const snCellShape* shape;
    const snCellLaw* law;
} Members;

typedef struct Sums {
    double* energy;   // J; (LANES)
    float* stiffness; // of the chunk's nodes, N/m
} Sums;

// What is kept of a batch beside its constants.
typedef struct Batch {
    _Alignas(SN_ALIGNMENT) float F[BATCH][ENTRIES];
    float P[BATCH][ENTRIES];
    Marks marks[BATCH];
    Range range;
    double energy[LANES]; // J, of all batches so far, if it is asked for
    Sums sums;
} Batch;

// Cells of a chunk that are to be diagonalised, packed lane by lane, since they are rare and the
// SVD is dear.
typedef struct Large {
    _Alignas(SN_ALIGNMENT) float F[ENTRIES];
    snCellShape shape;
    snCellLaw law;
    snCellVolume volume;
    snCellBlock block;
    int count;
    double energy[LANES]; // J, so far, if it is asked for
    Sums sums;
} Large;

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

// Kernels ---------------------------------------------------------------------

// D of a fan's cell whose ring nodes are p and q.
SN_KERNEL snMat3f fanEdges(const float* X, int p, int q)
{
    const float *a = X, *b = X + 3 * LANES, *c = X + 3 * p * LANES, *d = X + 3 * q * LANES;
    snMat3f D;
    D.m00 = b[0] - a[0], D.m10 = b[LANES] - a[LANES], D.m20 = b[2 * LANES] - a[2 * LANES];
    D.m01 = c[0] - a[0], D.m11 = c[LANES] - a[LANES], D.m21 = c[2 * LANES] - a[2 * LANES];
    D.m02 = d[0] - a[0], D.m12 = d[LANES] - a[LANES], D.m22 = d[2 * LANES] - a[2 * LANES];
    return D;
}

static void fanGradients(const snCells* cells, int32_t block, const float* X,
                         float (*restrict F)[ENTRIES])
{
    const float* B[SN_FAN_CELLS];
    for (int k = 0; k < SN_FAN_CELLS; ++k) {
        B[k] = snCells_Shape(cells, block + k)->B[0];
    }
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snLanes_Store(F[0] + i, times(fanEdges(X + i, 2, 3), snLanes_Load(B[0] + i)));
        snLanes_Store(F[1] + i, times(fanEdges(X + i, 3, 4), snLanes_Load(B[1] + i)));
        snLanes_Store(F[2] + i, times(fanEdges(X + i, 4, 5), snLanes_Load(B[2] + i)));
        snLanes_Store(F[3] + i, times(fanEdges(X + i, 5, 2), snLanes_Load(B[3] + i)));
    }
}

// F = D B of fans, and of single cells. Not block by block: a register loaded from several stores
// just made would have to wait for them.
static void gradientsOfFans(const snCells* cells, Range r, const snVec4f* x,
                            float (*restrict F)[ENTRIES])
{
    _Alignas(SN_ALIGNMENT) float X[BATCH / SN_FAN_CELLS][FAN_ROWS];
    for (int32_t k = 0; k < r.block_count; k += SN_FAN_CELLS) {
        gatherFan(&r.fans[k / SN_FAN_CELLS], x, X[k / SN_FAN_CELLS]);
    }
    for (int32_t k = 0; k < r.block_count; k += SN_FAN_CELLS) {
        fanGradients(cells, r.block_begin + k, X[k / SN_FAN_CELLS], F + k);
    }
}

static void gradientsOfSingles(const snCells* cells, Range r, const snVec4f* x,
                               float (*restrict F)[ENTRIES])
{
    for (int32_t k = 0; k < r.block_count; ++k) {
        gatherEdges(&cells->blocks[r.block_begin + k], x, F[k]);
    }
    for (int32_t k = 0; k < r.block_count; ++k) {
        const float* B = snCells_Shape(cells, r.block_begin + k)->B[0];
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            snLanes_Store(F[k] + i, times(snLanes_Load(F[k] + i), snLanes_Load(B + i)));
        }
    }
}

static void gradients(const snCells* cells, Range r, const snVec4f* x, float (*F)[ENTRIES])
{
    if (r.fans) {
        gradientsOfFans(cells, r, x, F);
    } else {
        gradientsOfSingles(cells, r, x, F);
    }
}

// The lanes of a mark that is not positive, bit by bit.
static uint32_t lanesOf(const float* mark)
{
    uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
    for (int i = 0; i < LANES; ++i) {
        bits |= mark[i] > 0 ? 0 : (uint32_t)1 << i;
    }
    return bits;
}

static void markCells(const snCellVolume* volume, const float* F, Marks* restrict marks)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        float det = snDeterminantf(snLanes_Load(F + i));
        marks->det[i] = volume->of[i] > 0 ? det : 1;
    }
}

// Marks too, since both need F'F.
static void stvkStresses(const snMaterial* m, const snCellLaw* law, const snCellVolume* volume,
                         const float* F, float* restrict P, Marks* restrict marks)
{
    const float L = (float)(m->lower * m->lower), U = (float)(m->upper * m->upper);
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snMat3f f = snLanes_Load(F + i);
        float det = snDeterminantf(f), slack = snStretchSlackf(f, L, U);
        marks->det[i] = volume->of[i] > 0 ? det : 1;
        marks->slack[i] = volume->of[i] > 0 ? slack : 1;
        snLanes_Store(P + i, snStvkStressf(f, law->mu[i], law->lambda[i]));
    }
}

static void neoHookeanStresses(const snCellLaw* law, const float* F, float* restrict P)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snLanes_Store(P + i, snNeoHookeanStressf(snLanes_Load(F + i), law->mu[i], law->lambda[i]));
    }
}

// Energies of a block's cells are added to sums, lane by lane, J.
static void addEnergies(const snCellVolume* volume, const float* density, double* restrict sum)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        float energy = volume->of[i] * density[i];
        sum[i] += (double)(volume->of[i] > 0 ? energy : 0);
    }
}

// Of plain StVK where the slack is above `least`; large cells have theirs in addPrincipalEnergies.
static void addStvkEnergies(const snCellLaw* law, const snCellVolume* volume, const float* F,
                            const float* slack, float least, double* restrict sum)
{
    _Alignas(SN_ALIGNMENT) float density[LANES];
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        float psi = snStvkEnergyf(snLanes_Load(F + i), law->mu[i], law->lambda[i]);
        density[i] = slack[i] > least ? psi : 0;
    }
    addEnergies(volume, density, sum);
}

static snMat3 wideOf(const float* F, int lane)
{
    const float* f = F + lane;
    snMat3 wide = {(double)f[0],         (double)f[LANES],     (double)f[2 * LANES],
                   (double)f[3 * LANES], (double)f[4 * LANES], (double)f[5 * LANES],
                   (double)f[6 * LANES], (double)f[7 * LANES], (double)f[8 * LANES]};
    return wide;
}

// In double: near rest its terms cancel.
static void addNeoHookeanEnergies(const snCellLaw* law, const snCellVolume* volume, const float* F,
                                  double* restrict sum)
{
    for (int i = 0; i < LANES; ++i) {
        double part = (double)volume->of[i];
        double mu = (double)law->mu[i], lambda = (double)law->lambda[i];
        double psi = snNeoHookeanEnergy(wideOf(F, i), mu, lambda);
        sum[i] += part > 0 ? part * psi : 0;
    }
}

static void addPrincipalEnergies(const snMaterial* m, const snCellLaw* law,
                                 const snCellVolume* volume, const float* s, double* restrict sum)
{
    const float lower = (float)m->lower, upper = (float)m->upper;
    const bool stvk = m->kind == sn_materialStvk;
    _Alignas(SN_ALIGNMENT) float density[LANES];
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snColumnf at = snColumnOff(s[i], s[LANES + i], s[2 * LANES + i]);
        float strained = snStvkPrincipalEnergyf(at, law->mu[i], law->lambda[i], lower, upper);
        float stretched = snCorotatedEnergyf(at, law->mu[i], law->lambda[i]);
        density[i] = stvk ? strained : stretched;
    }
    addEnergies(volume, density, sum);
}

// Gradient of the shape function of node 1, 2 or 3, 1/m.
static snVec3 slopeOf(const snCellShape* shape, int node, int lane)
{
    const int k = 3 * (node - 1);
    return snV3((double)shape->B[k][lane], (double)shape->B[k + 1][lane],
                (double)shape->B[k + 2][lane]);
}

// Twists beside the edges of inverted cells' energies, over the modulus at rest: no step is short
// enough for larger ones, and none lasts.
#define MOST_TWIST 4.0

// Neo-Hookean cells whose faces have grown so much, in the mean of their squares, are deformed
// much.
#define MUCH 1.5

// The most that the energy's density resists a move of a node whose shape function has the gradient
// g (in the principal axes) by: rows of the 3x3 matrix (u g') : T : (u g') of moves u.
static double principalStiffness(snTangentd T, snVec3 g)
{
    double xx = g.x * g.x, yy = g.y * g.y, zz = g.z * g.z;
    double sx = 0.5 * (T.flip.x + T.twist.x), sy = 0.5 * (T.flip.y + T.twist.y);
    double sz = 0.5 * (T.flip.z + T.twist.z);
    double yz = fabs((T.scale.yz + 0.5 * (T.flip.x - T.twist.x)) * g.y * g.z);
    double xz = fabs((T.scale.xz + 0.5 * (T.flip.y - T.twist.y)) * g.x * g.z);
    double xy = fabs((T.scale.xy + 0.5 * (T.flip.z - T.twist.z)) * g.x * g.y);
    double x = T.scale.xx * xx + sz * yy + sy * zz + xy + xz;
    double y = T.scale.yy * yy + sz * xx + sx * zz + xy + yz;
    double z = T.scale.zz * zz + sy * xx + sx * yy + xz + yz;
    return fmax(x, fmax(y, z));
}

// a |g|^2 + 2 m/(I + 1)^2 |F g|^2 + l |C g|^2, with the names of snNeoHookeanTangent, C = dJ/dF.
static double neoHookeanStiffness(snMat3 F, snMat3 C, double mu, double lambda, snVec3 g)
{
    double m = 4 * mu / 3, l = lambda + 5 * mu / 6, part = 1 / (snNormSqd(F) + 1);
    return m * (1 - part) * snLengthSq(g) + 2 * m * part * part * snLengthSq(snMatVec(F, g)) +
           l * snLengthSq(snMatVec(C, g));
}

static void addStiffness(const Members* c, int lane, int node, double now, snVec3 g,
                         float* stiffness)
{
    double rest = (2 * (double)c->law->mu[lane] + (double)c->law->lambda[lane]) * snLengthSq(g);
    double more = (double)c->volume->of[lane] * (now - rest);
    stiffness[c->block->node[node][lane]] += more > 0 ? (float)more : 0;
}

typedef struct Principal {
    _Alignas(SN_ALIGNMENT) float U[ENTRIES];
    float V[ENTRIES], s[3 * LANES];
} Principal;

// Of cells that are deformed much.
static void addPrincipalStiffness(const snMaterial* m, const Members* c, const Principal* d,
                                  float* stiffness)
{
    for (int i = 0; i < LANES; ++i) {
        double mu = (double)c->law->mu[i], lambda = (double)c->law->lambda[i];
        snColumnd s =
            snColumnOfd((double)d->s[i], (double)d->s[LANES + i], (double)d->s[2 * LANES + i]);
        if (!(c->volume->of[i] > 0) || (s.z > SN_STRETCH_LOWER && s.x < SN_STRETCH_UPPER)) {
            continue;
        }
        snTangentd T = snMaterial_Tangent(m, s, mu, lambda);
        double most = MOST_TWIST * (2 * mu + lambda);
        T.twist = snColumnClampd(T.twist, -most, most);
        snMat3 V = wideOf(d->V, i);
        snVec3 sum = snV3(0, 0, 0);
        for (int k = 1; k <= 4; ++k) { // node 0 last: minus the others' sum
            snVec3 g = k < 4 ? slopeOf(c->shape, k, i) : snNeg(sum);
            sum = snAdd(sum, g);
            addStiffness(c, i, k % 4, principalStiffness(T, snMatTVec(V, g)), g, stiffness);
        }
    }
}

static void addNeoHookeanStiffness(const Members* c, const float* F, float* stiffness)
{
    for (int i = 0; i < LANES; ++i) {
        snMat3 f = wideOf(F, i), C = snCofactord(f);
        if (!(c->volume->of[i] > 0) || snNormSqd(C) < MUCH * 3) {
            continue;
        }
        double mu = (double)c->law->mu[i], lambda = (double)c->law->lambda[i];
        snVec3 sum = snV3(0, 0, 0);
        for (int k = 1; k <= 4; ++k) {
            snVec3 g = k < 4 ? slopeOf(c->shape, k, i) : snNeg(sum);
            sum = snAdd(sum, g);
            addStiffness(c, i, k % 4, neoHookeanStiffness(f, C, mu, lambda, g), g, stiffness);
        }
    }
}

static __attribute__((noinline)) void lookAtPrincipal(const snMaterial* m, const Members* c,
                                                      const Principal* d, const Sums* sums)
{
    addPrincipalEnergies(m, c->law, c->volume, d->s, sums->energy);
    addPrincipalStiffness(m, c, d, sums->stiffness);
}

static void principalStresses(const snCellsPass* pass, const Members* c, const float* F,
                              float* restrict P, const Sums* sums)
{
    const snMaterial* m = &pass->cells->material;
    const snCellLaw* law = c->law;
    const float lower = (float)m->lower, upper = (float)m->upper;
    Principal d;
    pass->svd(1, F, d.U, d.s, d.V);
    if (pass->measured) {
        lookAtPrincipal(m, c, &d, sums);
    }
    if (m->kind == sn_materialStvk) {
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            snColumnf s = snColumnOff(d.s[i], d.s[LANES + i], d.s[2 * LANES + i]);
            snColumnf p = snStvkPrincipalf(s, law->mu[i], law->lambda[i], lower, upper);
            snLanes_Store(P + i, snFromPrincipalf(snLanes_Load(d.U + i), p, snLanes_Load(d.V + i)));
        }
    } else {
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            snColumnf s = snColumnOff(d.s[i], d.s[LANES + i], d.s[2 * LANES + i]);
            snColumnf p = snCorotatedPrincipalf(s, law->mu[i], law->lambda[i]);
            snLanes_Store(P + i, snFromPrincipalf(snLanes_Load(d.U + i), p, snLanes_Load(d.V + i)));
        }
    }
}

static void addDamping(const snCellLaw* law, float time, const float* F, const float* Fdot,
                       float* restrict P)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snMat3f D = snDampingStressf(snLanes_Load(F + i), snLanes_Load(Fdot + i), time * law->mu[i],
                                     time * law->lambda[i]);
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

// Forces on nodes 1, 2, 3 of a cell.
SN_KERNEL snMat3f forcesOf(const snCellVolume* volume, const float* B, const float* P, int i)
{
    return timesTransposed(scaled(-volume->of[i], snLanes_Load(P + i)), snLanes_Load(B + i));
}

static void spreadForces(const snCellBlock* b, const snCellVolume* volume, const snCellShape* shape,
                         const float* P, snVec4f* f)
{
    const float* B = &shape->B[0][0];
    _Alignas(SN_ALIGNMENT) float H[ENTRIES];
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snLanes_Store(H + i, forcesOf(volume, B, P, i));
    }
    scatterForces(b, H, f);
}

// What four cells around an edge do to each of the six nodes.
SN_KERNEL void joinForces(snMat3f c0, snMat3f c1, snMat3f c2, snMat3f c3, float* restrict H)
{
    float bx = (c0.m00 + c1.m00) + (c2.m00 + c3.m00), by = (c0.m10 + c1.m10) + (c2.m10 + c3.m10);
    float bz = (c0.m20 + c1.m20) + (c2.m20 + c3.m20);
    float px = c0.m01 + c3.m02, py = c0.m11 + c3.m12, pz = c0.m21 + c3.m22;
    float qx = c1.m01 + c0.m02, qy = c1.m11 + c0.m12, qz = c1.m21 + c0.m22;
    float rx = c2.m01 + c1.m02, ry = c2.m11 + c1.m12, rz = c2.m21 + c1.m22;
    float sx = c3.m01 + c2.m02, sy = c3.m11 + c2.m12, sz = c3.m21 + c2.m22;
    H[0] = -(bx + ((px + qx) + (rx + sx)));
    H[LANES] = -(by + ((py + qy) + (ry + sy)));
    H[2 * LANES] = -(bz + ((pz + qz) + (rz + sz)));
    H[3 * LANES] = bx, H[4 * LANES] = by, H[5 * LANES] = bz;
    H[6 * LANES] = px, H[7 * LANES] = py, H[8 * LANES] = pz;
    H[9 * LANES] = qx, H[10 * LANES] = qy, H[11 * LANES] = qz;
    H[12 * LANES] = rx, H[13 * LANES] = ry, H[14 * LANES] = rz;
    H[15 * LANES] = sx, H[16 * LANES] = sy, H[17 * LANES] = sz;
}

static void spreadFan(const snCells* cells, const snCellFan* fan, int32_t block,
                      float (*P)[ENTRIES], snVec4f* f)
{
    const snCellVolume* V = &cells->volumes[block];
    const float* B[SN_FAN_CELLS];
    _Alignas(SN_ALIGNMENT) float H[FAN_ROWS];
    for (int k = 0; k < SN_FAN_CELLS; ++k) {
        B[k] = snCells_Shape(cells, block + k)->B[0];
    }
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        joinForces(forcesOf(&V[0], B[0], P[0], i), forcesOf(&V[1], B[1], P[1], i),
                   forcesOf(&V[2], B[2], P[2], i), forcesOf(&V[3], B[3], P[3], i), H + i);
    }
    scatterFan(fan, H, f);
}

// Batches ---------------------------------------------------------------------

// Forces of the large cells so far.
static void finishLarge(const snCellsPass* pass, Large* large, snVec4f* f)
{
    _Alignas(SN_ALIGNMENT) float P[ENTRIES];
    if (large->count > 0) {
        const Members c = {&large->block, &large->volume, &large->shape, &large->law};
        principalStresses(pass, &c, large->F, P, &large->sums);
        spreadForces(&large->block, &large->volume, &large->shape, P, f);
    }
    memset(&large->volume, 0, sizeof large->volume);
    large->count = 0;
}

// A cell that the plain law does not hold for: it has no stress until finishLarge.
static void addLarge(const snCells* cells, Batch* batch, int block, int lane, Large* large)
{
    const int32_t from = batch->range.block_begin + block;
    const snCellShape* shape = snCells_Shape(cells, from);
    const snCellLaw* law = snCells_Law(cells, from);
    const int at = large->count++;
    for (int k = 0; k < 9; ++k) {
        large->F[k * LANES + at] = batch->F[block][k * LANES + lane];
        large->shape.B[k][at] = shape->B[k][lane];
        batch->P[block][k * LANES + lane] = 0;
    }
    for (int k = 0; k < 4; ++k) {
        large->block.node[k][at] = cells->blocks[from].node[k][lane];
    }
    large->volume.of[at] = cells->volumes[from].of[lane];
    large->law.mu[at] = law->mu[lane];
    large->law.lambda[at] = law->lambda[lane];
}

// Counts a block's marked cells, and sees to the large ones.
static void collect(const snCellsPass* pass, Batch* batch, int block, bool selective, Large* large,
                    snCellsTally* tally, snVec4f* f)
{
    uint32_t bits = lanesOf(selective ? batch->marks[block].slack : batch->marks[block].det);
    if (bits) { // whoever is inverted is large too
        tally->inverted += __builtin_popcount(lanesOf(batch->marks[block].det));
    }
    for (; selective && bits; bits &= bits - 1) {
        addLarge(pass->cells, batch, block, __builtin_ctz(bits), large);
        ++tally->diagonalized;
        if (large->count == LANES) {
            finishLarge(pass, large, f);
        }
    }
}

// Energies and stiffness of a batch's cells, but for those that are diagonalised. Not inlined,
// which would make passes without a look slower.
static __attribute__((noinline)) void lookAtBatch(const snCells* cells, Batch* batch)
{
    const snMaterial* m = &cells->material;
    const float least = m->diagonalize == sn_diagonalizeSelective ? 0 : -(float)INFINITY;
    for (int i = 0; i < batch->range.block_count; ++i) {
        const int32_t block = batch->range.block_begin + i;
        const Members c = {&cells->blocks[block], &cells->volumes[block],
                           snCells_Shape(cells, block), snCells_Law(cells, block)};
        if (m->kind == sn_materialNeoHookean) {
            addNeoHookeanEnergies(c.law, c.volume, batch->F[i], batch->energy);
            addNeoHookeanStiffness(&c, batch->F[i], batch->sums.stiffness);
        } else if (m->kind == sn_materialStvk && m->diagonalize != sn_diagonalizeAlways) {
            addStvkEnergies(c.law, c.volume, batch->F[i], batch->marks[i].slack, least,
                            batch->energy);
        }
    }
}

// P of every cell of the batch from F; counts. Large cells go their own way to f.
static void stresses(const snCellsPass* pass, Batch* batch, Large* large, snCellsTally* tally,
                     snVec4f* f)
{
    const snCells* cells = pass->cells;
    const snMaterial* m = &cells->material;
    bool stvk = m->kind == sn_materialStvk;
    bool plain = stvk && m->diagonalize != sn_diagonalizeAlways;
    bool selective = stvk && m->diagonalize == sn_diagonalizeSelective;
    for (int i = 0; i < batch->range.block_count; ++i) {
        const snCellLaw* law = snCells_Law(cells, batch->range.block_begin + i);
        const snCellVolume* volume = &cells->volumes[batch->range.block_begin + i];
        const float* F = batch->F[i];
        Marks* marks = &batch->marks[i];
        if (plain) {
            stvkStresses(m, law, volume, F, batch->P[i], marks);
        } else if (m->kind == sn_materialNeoHookean) {
            markCells(volume, F, marks);
            neoHookeanStresses(law, F, batch->P[i]);
        } else {
            markCells(volume, F, marks);
            const int32_t block = batch->range.block_begin + i;
            const Members c = {&cells->blocks[block], volume, snCells_Shape(cells, block), law};
            principalStresses(pass, &c, F, batch->P[i], &batch->sums);
            for (int k = 0; k < LANES; ++k) {
                tally->diagonalized += volume->of[k] > 0;
            }
        }
    }
    // not in the loop above: a branch on its marks would wait for each block's stresses
    for (int i = 0; i < batch->range.block_count; ++i) {
        collect(pass, batch, i, selective, large, tally, f);
    }
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
    gradients(cells, batch->range, v, Fdot);
    for (int i = 0; i < batch->range.block_count; ++i) {
        addDamping(snCells_Law(cells, batch->range.block_begin + i), (float)cells->damping,
                   batch->F[i], Fdot[i], batch->P[i]);
    }
}

// Forces of all its cells.
static void spread(const snCells* cells, const float* pressure, Batch* batch, snVec4f* f)
{
    const Range* r = &batch->range;
    for (int32_t i = 0; cells->node_averaged && i < r->block_count; ++i) {
        addPressure(&cells->blocks[r->block_begin + i], pressure, batch->F[i], batch->P[i]);
    }
    for (int32_t i = 0; r->fans && i < r->block_count; i += SN_FAN_CELLS) {
        spreadFan(cells, &r->fans[i / SN_FAN_CELLS], r->block_begin + i, batch->P + i, f);
    }
    for (int32_t i = 0; !r->fans && i < r->block_count; ++i) {
        const int32_t block = r->block_begin + i;
        spreadForces(&cells->blocks[block], &cells->volumes[block], snCells_Shape(cells, block),
                     batch->P[i], f);
    }
}

// Chunks ----------------------------------------------------------------------

// The batch that begins at a chunk's block `done`.
static Range rangeAt(const snCells* cells, const snCellChunk* c, int32_t done)
{
    int32_t fans = c->fan_count * SN_FAN_CELLS, left = (done < fans ? fans : c->block_count) - done;
    Range r = {c->block_begin + done, left < BATCH ? left : BATCH, NULL};
    if (done < fans) {
        r.fans = cells->fans + c->fan_begin + done / SN_FAN_CELLS;
    }
    return r;
}

static double addLanes(const double* lanes)
{
    double sum = 0;
    for (int i = 0; i < LANES; ++i) {
        sum += lanes[i];
    }
    return sum;
}

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
    Large large = {.count = 0};
    memset(batch.energy, 0, sizeof batch.energy);
    batch.sums = (Sums){batch.energy, pass->stiffness + c->slot_begin};
    large.sums = (Sums){large.energy, pass->stiffness + c->slot_begin};
    gatherPlaces(pass, c, nodes.x);
    if (damped) {
        gatherNodes(cells, c, pass->v, nodes.v);
    }
    for (int i = 0; i < c->node_count && cells->node_averaged; ++i) {
        nodes.pressure[i] = pass->pressure[cells->slot_nodes[c->slot_begin + i]];
    }
    memset(f, 0, (size_t)c->node_count * sizeof *f);
    for (int32_t done = 0; done < c->block_count; done += batch.range.block_count) {
        batch.range = rangeAt(cells, c, done);
        gradients(cells, batch.range, nodes.x, batch.F);
        stresses(pass, &batch, &large, &tally, f);
        if (pass->measured) {
            lookAtBatch(cells, &batch);
        }
        if (damped) {
            damp(cells, nodes.v, &batch);
        }
        spread(cells, nodes.pressure, &batch, f);
    }
    finishLarge(pass, &large, f);
    pass->tallies[chunk] = tally;
    if (pass->measured) {
        pass->energies[chunk] = addLanes(batch.energy) + addLanes(large.energy);
    }
}

// V w / 4 (J - 1) of a block's cells to their nodes.
static void swell(const snCellBlock* b, const snCellVolume* volume, const float* F,
                  float* restrict sum)
{
    _Alignas(SN_ALIGNMENT) float grown[LANES];
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        float J = snDeterminantf(snLanes_Load(F + i));
        grown[i] = 0.25F * volume->of[i] * (J - 1);
    }
    for (int i = 0; i < LANES; ++i) {
        for (int n = 0; n < 4; ++n) {
            sum[b->node[n][i]] += grown[i];
        }
    }
}

// Node-averaged volume, pass 0: into the slots of the chunk's nodes.
void SN_ISA_NAME(snCellsSwelling)(const snCellsPass* pass, int chunk)
{
    const snCells* cells = pass->cells;
    const snCellChunk* c = &cells->chunks[chunk];
    float* sum = pass->swelling + c->slot_begin;
    snVec4f x[NODES];
    _Alignas(SN_ALIGNMENT) float F[BATCH][ENTRIES];
    Range r;
    gatherPlaces(pass, c, x);
    memset(sum, 0, (size_t)c->node_count * sizeof *sum);
    for (int32_t done = 0; done < c->block_count; done += r.block_count) {
        r = rangeAt(cells, c, done);
        gradients(cells, r, x, F);
        for (int32_t k = 0; k < r.block_count; ++k) {
            const int32_t block = r.block_begin + k;
            swell(&cells->blocks[block], &cells->volumes[block], F[k], sum);
        }
    }
}
