// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A vector of four is a column of a gradient; normals go in lanes of 16 vertices.
#include "flesh/skin_pass.h"
#include "math/isa.h"
#include <string.h>

enum { LANES = 16 };

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

// Blended columns of a block's vertices, places and normals at rest.
typedef struct Block {
    _Alignas(SN_ALIGNMENT) double column[3][LANES][4];
    double N[3][LANES];
    float position[3][LANES];
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
    snVec3 Y = pass->skin->surface->position[vertex], N = pass->skin->normal[vertex];
    Quad o = {F[0][3], F[1][3], F[2][3], 0};
    Quad shift = {pass->shift.x, pass->shift.y, pass->shift.z, 0};
    Quad y = shift + t->scale * (o + SN_SKIN_LEAN * (F[0] * Y.x + F[1] * Y.y + F[2] * Y.z));
    for (int j = 0; j < 3; ++j) {
        memcpy(b->column[j][lane], &F[j], sizeof F[j]);
        b->position[j][lane] = (float)y[j];
    }
    b->N[0][lane] = N.x, b->N[1][lane] = N.y, b->N[2][lane] = N.z;
}

static void split(double (*restrict in)[4], double (*restrict out)[LANES])
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        out[0][i] = in[i][0];
        out[1][i] = in[i][1];
        out[2][i] = in[i][2];
    }
}

// Areas map by the cofactor, n = cof(F) N, whose columns are the products of F's. Where F has lost
// two directions, that says nothing: then a direction that F keeps, or the old one.
// Inlined, clang does not vectorise it.
__attribute__((noinline)) static void carryNormals(double (*restrict a)[LANES],
                                                   double (*restrict b)[LANES],
                                                   double (*restrict c)[LANES],
                                                   double (*restrict N)[LANES])
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
        N[0][i] = scale * nx;
        N[1][i] = scale * ny;
        N[2][i] = scale * nz;
    }
}

static void store(const snSkinPass* pass, int32_t vertex, int lane, const Block* b)
{
    for (int j = 0; j < 3; ++j) {
        pass->position[3 * (size_t)vertex + (size_t)j] = b->position[j][lane];
        pass->normal[3 * (size_t)vertex + (size_t)j] = (float)b->N[j][lane];
    }
}

void SN_ISA_NAME(snSkinVertices)(const snSkinPass* pass, int32_t begin, int32_t end)
{
    Block block;
    _Alignas(SN_ALIGNMENT) double a[3][LANES], b[3][LANES], c[3][LANES];
    memset(&block, 0, sizeof block);
    for (int32_t first = begin; first < end; first += LANES) {
        const int count = end - first < LANES ? end - first : LANES;
        for (int i = 0; i < count; ++i) {
            blendVertex(pass, first + i, i, &block);
        }
        split(block.column[0], a);
        split(block.column[1], b);
        split(block.column[2], c);
        carryNormals(a, b, c, block.N);
        for (int i = 0; i < count; ++i) {
            store(pass, first + i, i, &block);
        }
    }
}
