// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A vector of four is a column of a gradient; normals go in lanes of 16 vertices.
#include "flesh/skin_pass.h"
#include "math/isa.h"
#include <string.h>

enum { LANES = SN_SKIN_LANES };

typedef float Four __attribute__((vector_size(16)));
typedef double Quad __attribute__((vector_size(32)));

snSkinRangeFcn SN_ISA_NAME(snSkinNodes), SN_ISA_NAME(snSkinVertices);

SN_KERNEL Four get(const snVec4f* x)
{
    Four v;
    memcpy(&v, x, sizeof v);
    return v;
}

void SN_ISA_NAME(snSkinNodes)(const snSkinPass* pass, int32_t begin, int32_t end)
{
    const snSkin* skin = pass->skin;
    for (int32_t i = begin; i < end; ++i) {
        Quad F[3] = {{0}}, o = __builtin_convertvector(get(&pass->x[skin->used[i]]), Quad);
        for (int32_t k = skin->begin[i]; k < skin->begin[i + 1]; ++k) {
            const snSkinNeighbour* n = &skin->neighbours[k];
            Quad d = __builtin_convertvector(get(&pass->x[n->node]), Quad) - o;
            F[0] += d * n->g.x;
            F[1] += d * n->g.y;
            F[2] += d * n->g.z;
        }
        snVec3 X = skin->flesh->tets.position[skin->used[i]];
        o -= SN_SKIN_LEAN * (F[0] * X.x + F[1] * X.y + F[2] * X.z);
        for (int k = 0; k < 3; ++k) {
            F[k][3] = o[k];
            memcpy(pass->nodes[i].column[k], &F[k], sizeof F[k]);
        }
    }
}

// Blended columns of a block's vertices, then lane by lane.
typedef struct Block {
    _Alignas(SN_ALIGNMENT) double column[3][LANES][4];
    double F[3][4][LANES];
    double position[3][LANES], normal[3][LANES];
} Block;

static void blendVertex(const snSkinPass* pass, int32_t vertex, int lane, Block* b)
{
    const snSkinTie* t = &pass->skin->ties[vertex];
    Quad F[3] = {{0}};
    for (int k = 0; k < 4; ++k) {
        const snSkinNode* node = &pass->nodes[t->slot[k]];
        const double w = (double)t->weight[k];
        for (int j = 0; j < 3; ++j) {
            Quad c;
            memcpy(&c, node->column[j], sizeof c);
            F[j] += w * c;
        }
    }
    for (int j = 0; j < 3; ++j) {
        memcpy(b->column[j][lane], &F[j], sizeof F[j]);
    }
}

static void split(double (*restrict in)[4], double (*restrict out)[LANES])
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        out[0][i] = in[i][0];
        out[1][i] = in[i][1];
        out[2][i] = in[i][2];
        out[3][i] = in[i][3];
    }
}

// One of x, y and z: F Y/2 + o, and the shift. a, b, c: its row of F.
static void place(const snSkinBlock* at, const double* restrict a, const double* restrict b,
                  const double* restrict c, const double* restrict o, double shift,
                  double* restrict out)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        double turned = a[i] * at->Y[0][i] + b[i] * at->Y[1][i] + c[i] * at->Y[2][i];
        out[i] = shift + at->scale[i] * (o[i] + SN_SKIN_LEAN * turned);
    }
}

// Areas map by the cofactor, n = cof(F) N, whose columns are the products of F's. Where F has lost
// two directions, that says nothing: then a direction that F keeps, or the old one.
// Inlined, clang does not vectorise it.
__attribute__((noinline)) static void
carryNormals(double (*restrict a)[LANES], double (*restrict b)[LANES], double (*restrict c)[LANES],
             const double (*restrict N)[LANES], double (*restrict n)[LANES])
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        double ax = a[0][i], ay = a[1][i], az = a[2][i];
        double bx = b[0][i], by = b[1][i], bz = b[2][i];
        double cx = c[0][i], cy = c[1][i], cz = c[2][i];
        double X = N[0][i], Y = N[1][i], Z = N[2][i];
        double nx = X * (by * cz - bz * cy) + Y * (cy * az - cz * ay) + Z * (ay * bz - az * by);
        double ny = X * (bz * cx - bx * cz) + Y * (cz * ax - cx * az) + Z * (az * bx - ax * bz);
        double nz = X * (bx * cy - by * cx) + Y * (cx * ay - cy * ax) + Z * (ax * by - ay * bx);
        double size = ax * ax + ay * ay + az * az + (bx * bx + by * by + bz * bz) +
                      (cx * cx + cy * cy + cz * cz);
        double square = nx * nx + ny * ny + nz * nz, least = 1e-20 * size * size;
        double mx = ax * X + bx * Y + cx * Z, my = ay * X + by * Y + cy * Z;
        double mz = az * X + bz * Y + cz * Z;
        nx = square > least ? nx : mx;
        ny = square > least ? ny : my;
        nz = square > least ? nz : mz;
        square = nx * nx + ny * ny + nz * nz;
        bool fits = (square > 1e-20) & (square < 1e300);
        nx = fits ? nx : X;
        ny = fits ? ny : Y;
        nz = fits ? nz : Z;
        double scale = 1 / sqrt(nx * nx + ny * ny + nz * nz);
        n[0][i] = scale * nx;
        n[1][i] = scale * ny;
        n[2][i] = scale * nz;
    }
}

static void store(const snSkinPass* pass, int32_t vertex, int lane, const Block* b)
{
    for (int j = 0; j < 3; ++j) {
        pass->position[3 * (size_t)vertex + (size_t)j] = (float)b->position[j][lane];
    }
    for (int j = 0; j < 3 && pass->normal; ++j) {
        pass->normal[3 * (size_t)vertex + (size_t)j] = (float)b->normal[j][lane];
    }
}

// begin: a multiple of the lanes
void SN_ISA_NAME(snSkinVertices)(const snSkinPass* pass, int32_t begin, int32_t end)
{
    const double shift[3] = {pass->shift.x, pass->shift.y, pass->shift.z};
    Block b;
    memset(b.column, 0, sizeof b.column);
    for (int32_t first = begin; first < end; first += LANES) {
        const int count = end - first < LANES ? end - first : LANES;
        const snSkinBlock* at = &pass->skin->blocks[first / LANES];
        for (int i = 0; i < count; ++i) {
            blendVertex(pass, first + i, i, &b);
        }
        for (int j = 0; j < 3; ++j) {
            split(b.column[j], b.F[j]);
        }
        for (int j = 0; j < 3; ++j) {
            place(at, b.F[0][j], b.F[1][j], b.F[2][j], b.F[j][3], shift[j], b.position[j]);
        }
        if (pass->normal) {
            carryNormals(b.F[0], b.F[1], b.F[2], at->N, b.normal);
        }
        for (int i = 0; i < count; ++i) {
            store(pass, first + i, i, &b);
        }
    }
}
