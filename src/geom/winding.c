// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/winding.h"

#include <string.h>

#include "base/cpu.h"
#include "base/message.h"
#include "geom/sort.h"
#include "math/isa.h"
#include "math/trig.h"

// Triangles of a leaf: below it, testing a node costs more than its triangles.
#define LEAF_SIZE 4

// The expansion is used beyond this many reaches. With three terms the error there is about
// FAR^-5 of the whole; 2 is what Barill et al. found best.
#define FAR 2.0

// Points of one task.
#define CHUNK 1024

// Farther from the body than this many of its sizes, w is below 1e-12: zero.
#define FAR_AWAY 1e6

SN_ISA_DECLARE(snWindingBlockFcn, snWindingBlock);

// tan(w 2 pi) of one triangle: a . (b x c) over |a||b||c| + a.b |c| + b.c |a| + c.a |b| (van
// Oosterom & Strackee 1983).
double snWinding_Exact(const snSurface* surface, snVec3 q)
{
    double sum = 0;
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        const int32_t* v = surface->triangle + 3 * (size_t)t;
        snVec3 a = snSub(surface->position[v[0]], q), b = snSub(surface->position[v[1]], q);
        snVec3 c = snSub(surface->position[v[2]], q);
        double la = snLength(a), lb = snLength(b), lc = snLength(c);
        double re = la * lb * lc + snDot(a, b) * lc + snDot(b, c) * la + snDot(c, a) * lb;
        sum += snAtan2(snDot(a, snCross(b, c)), re);
    }
    return sum / (2 * SN_PI);
}

// Building ---------------------------------------------------------------------

// n_i, n_i y_j and n_i y_j y_k integrated over triangles.
typedef struct Moments {
    double n[3], ny[3][3], nyy[3][3][3];
} Moments;

static snVec3 cornerAt(const double* corner, int k)
{
    return snV3(corner[3 * k], corner[3 * k + 1], corner[3 * k + 2]);
}

// Over a triangle the mean of y is m = (a + b + c)/3 and that of y y' is (aa' + bb' + cc' + 9
// mm')/12.
static void addTriangle(Moments* M, const double* corner, snVec3 centre)
{
    snVec3 p[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = snSub(cornerAt(corner, k), centre);
    }
    snVec3 half = snScale(0.5, snTriangleCross(p[0], p[1], p[2]));
    snVec3 mean = snScale(1.0 / 3, snAdd(p[0], snAdd(p[1], p[2])));
    const double n[3] = {half.x, half.y, half.z}, m[3] = {mean.x, mean.y, mean.z};
    const double y[3][3] = {
        {p[0].x, p[1].x, p[2].x}, {p[0].y, p[1].y, p[2].y}, {p[0].z, p[1].z, p[2].z}};
    for (int i = 0; i < 3; ++i) {
        M->n[i] += n[i];
        for (int j = 0; j < 3; ++j) {
            M->ny[i][j] += n[i] * m[j];
            for (int k = 0; k < 3; ++k) {
                double yy = y[j][0] * y[k][0] + y[j][1] * y[k][1] + y[j][2] * y[k][2];
                M->nyy[i][j][k] += n[i] * (yy + 9 * m[j] * m[k]) / 12;
            }
        }
    }
}

// Symmetric traceless parts, in units of reach and of the whole sphere.
static void storeMoments(snWindingNode* node, const Moments* M)
{
    double s2 = 1 / (4 * SN_PI * node->reach * node->reach);
    double s3 = 3 * s2 / node->reach, s4 = 7.5 * s2 / (node->reach * node->reach);
    const double(*Q)[3] = M->ny;
    double trace = (Q[0][0] + Q[1][1] + Q[2][2]) / 3;
    node->x = s2 * M->n[0], node->y = s2 * M->n[1], node->z = s2 * M->n[2];
    node->xx = s3 * (Q[0][0] - trace), node->yy = s3 * (Q[1][1] - trace);
    node->xy = s3 * (Q[0][1] + Q[1][0]);
    node->xz = s3 * (Q[0][2] + Q[2][0]);
    node->yz = s3 * (Q[1][2] + Q[2][1]);

    double S[3][3][3], t[3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) {
                S[i][j][k] = (M->nyy[i][j][k] + M->nyy[j][k][i] + M->nyy[k][i][j]) / 3;
            }
        }
    }
    for (int k = 0; k < 3; ++k) {
        t[k] = (S[0][0][k] + S[1][1][k] + S[2][2][k]) / 5;
    }
    node->xyy = s4 * (S[0][1][1] - t[0]), node->xzz = s4 * (S[0][2][2] - t[0]);
    node->yxx = s4 * (S[1][0][0] - t[1]), node->yzz = s4 * (S[1][2][2] - t[1]);
    node->zxx = s4 * (S[2][0][0] - t[2]), node->zyy = s4 * (S[2][1][1] - t[2]);
    node->xyz = 6 * s4 * S[0][1][2];
}

static void expand(snWindingNode* node, const double* corner, int32_t count)
{
    double area = 0, reach_sq = 0;
    snVec3 sum = snV3(0, 0, 0), plain = sum;
    for (int32_t t = 0; t < count; ++t) {
        const double* p = corner + 9 * (size_t)t;
        snVec3 a0 = cornerAt(p, 0), a1 = cornerAt(p, 1), a2 = cornerAt(p, 2);
        double a = snLength(snTriangleCross(a0, a1, a2));
        snVec3 mean = snScale(1.0 / 3, snAdd(a0, snAdd(a1, a2)));
        area += a;
        sum = snMulAdd(sum, a, mean);
        plain = snAdd(plain, mean);
    }
    snVec3 centre = area > 0 ? snScale(1 / area, sum) : snScale(1.0 / count, plain);
    Moments M;
    memset(&M, 0, sizeof(M));
    for (int32_t t = 0; t < count; ++t) {
        addTriangle(&M, corner + 9 * (size_t)t, centre);
        for (int k = 0; k < 3; ++k) {
            double d = snLengthSq(snSub(cornerAt(corner + 9 * (size_t)t, k), centre));
            reach_sq = d > reach_sq ? d : reach_sq;
        }
    }
    node->cx = centre.x, node->cy = centre.y, node->cz = centre.z;
    node->reach = sqrt(reach_sq);
    node->far_sq = reach_sq > 0 ? FAR * FAR * reach_sq : 1e-300;
    if (node->reach > 0) {
        storeMoments(node, &M);
    }
}

// The tree's lengths: the largest side of the box becomes 1/2 .. 1.
static void chooseUnit(snWinding* winding, snBox box)
{
    snVec3 size = snSub(box.hi, box.lo);
    double largest = size.x > size.y ? size.x : size.y;
    largest = size.z > largest ? size.z : largest;
    winding->unit = 1;
    while (largest * winding->unit > 1 && winding->unit > 0x1p-1000) {
        winding->unit *= 0.5;
    }
    while (largest > 0 && largest * winding->unit <= 0.5 && winding->unit < 0x1p+1000) {
        winding->unit *= 2;
    }
    winding->origin = snAdd(box.lo, snScale(0.5, size));
}

static void listCorners(snWinding* winding, const snSurface* surface, const int32_t* order)
{
    for (int32_t i = 0; i < 3 * surface->triangle_count; ++i) {
        int32_t v = surface->triangle[3 * (size_t)order[i / 3] + (size_t)(i % 3)];
        snVec3 p = snScale(winding->unit, snSub(surface->position[v], winding->origin));
        double* corner = winding->corner + 3 * (size_t)i;
        corner[0] = p.x, corner[1] = p.y, corner[2] = p.z;
    }
}

snStatus snWinding_Build(snArena* arena, const snSurface* surface, snWinding* winding,
                         snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snBvh bvh;
    snStatus status = snBvh_OfSurface(&scratch, surface, LEAF_SIZE, &bvh, why);
    if (status) {
        snArena_Free(&scratch);
        return status;
    }
    size_t nodes = (size_t)bvh.node_count;
    *winding = (snWinding){.node_count = bvh.node_count, .triangle_count = surface->triangle_count};
    winding->nodes = snArena_Push(arena, nodes, sizeof(snWindingNode));
    winding->corner = snArena_Push(arena, 9 * (size_t)surface->triangle_count, sizeof(double));
    winding->block = SN_ISA_CHOOSE(snCpu_Choose(arena->host.isa), snWindingBlock);
    int32_t* start = snArena_Push(&scratch, nodes, sizeof(int32_t));
    int32_t* count = snArena_Push(&scratch, nodes, sizeof(int32_t));
    if (!winding->nodes || !winding->corner || scratch.failed) {
        snArena_Free(&scratch);
        return snFail(why, sn_errorMemory, "out of memory for the winding number of %d triangles",
                      surface->triangle_count);
    }
    if (nodes > 0) {
        chooseUnit(winding, bvh.nodes[0].box);
    }
    listCorners(winding, surface, bvh.order);
    for (int32_t i = bvh.node_count - 1; i >= 0; --i) {
        const snBvhNode* b = &bvh.nodes[i];
        start[i] = b->count > 0 ? b->first : start[b->first];
        count[i] = b->count > 0 ? b->count : count[b->first] + count[b->first + 1];
        snWindingNode* node = &winding->nodes[i];
        node->first = b->first;
        node->count = b->count;
        expand(node, winding->corner + 9 * (size_t)start[i], count[i]);
    }
    snArena_Free(&scratch);
    return sn_ok;
}

// Queries ----------------------------------------------------------------------

// One block of points; what is far away or not a number is moved to where w is zero.
static void solveBlock(const snWinding* winding, const snVec3* q, const int32_t* order, int count,
                       double* out)
{
    double x[SN_WINDING_LANES], y[SN_WINDING_LANES], z[SN_WINDING_LANES], w[SN_WINDING_LANES];
    for (int i = 0; i < SN_WINDING_LANES; ++i) {
        int32_t k = order ? order[i < count ? i : 0] : 0;
        snVec3 p = snScale(winding->unit, snSub(q[k], winding->origin));
        bool near = fabs(p.x) < FAR_AWAY && fabs(p.y) < FAR_AWAY && fabs(p.z) < FAR_AWAY;
        x[i] = near ? p.x : FAR_AWAY;
        y[i] = near ? p.y : FAR_AWAY;
        z[i] = near ? p.z : FAR_AWAY;
    }
    winding->block(winding, x, y, z, w);
    for (int i = 0; i < count; ++i) {
        int32_t k = order ? order[i] : 0;
        out[k] = x[i] < FAR_AWAY ? w[i] : 0;
    }
}

double snWinding_At(const snWinding* winding, snVec3 q)
{
    double w;
    snFpMode mode = snFpMode_Enter(); // as in tasks
    solveBlock(winding, &q, NULL, 1, &w);
    snFpMode_Leave(mode);
    return w;
}

typedef struct Batch {
    const snWinding* winding;
    const snVec3* q;
    const int32_t* order;
    int32_t count;
    double* w;
} Batch;

static void solveChunk(void* argument, int index, int worker)
{
    (void)worker;
    const Batch* b = argument;
    int32_t end = b->count - index * CHUNK < CHUNK ? b->count : (index + 1) * CHUNK;
    for (int32_t i = index * CHUNK; i < end; i += SN_WINDING_LANES) {
        int count = end - i < SN_WINDING_LANES ? (int)(end - i) : SN_WINDING_LANES;
        solveBlock(b->winding, b->q, b->order + i, count, b->w);
    }
}

// Every third bit from the lowest 16 of v.
static uint64_t spread(double v)
{
    uint64_t b = v > 0 ? v < 65535 ? (uint64_t)v : 65535 : 0;
    b = (b | b << 16) & 0x0000ff0000ff;
    b = (b | b << 8) & 0x00f00f00f00f;
    b = (b | b << 4) & 0x0c30c30c30c3;
    return (b | b << 2) & 0x249249249249;
}

// A part of the points that 32-bit indices can number, along a curve that keeps neighbours together
// (Morton 1966).
static snStatus solvePart(Batch* b, const snHost* host, snTasks* tasks, snMessage* why)
{
    snArena arena;
    snArena_Init(&arena, host);
    uint64_t* key = snArena_Push(&arena, (size_t)b->count, sizeof(uint64_t));
    int32_t* order = snArena_Push(&arena, (size_t)b->count, sizeof(int32_t));
    for (int32_t i = 0; i < b->count && !arena.failed; ++i) {
        snVec3 p = snScale(b->winding->unit, snSub(b->q[i], b->winding->origin));
        key[i] = spread((p.x + 1) * 32768) | spread((p.y + 1) * 32768) << 1 |
                 spread((p.z + 1) * 32768) << 2;
        order[i] = i;
    }
    if (!arena.failed) {
        snSort_Pairs(&arena, key, order, b->count);
    }
    if (arena.failed) {
        snArena_Free(&arena);
        return snFail(why, sn_errorMemory, "out of memory for %d points", b->count);
    }
    b->order = order;
    int chunks = (b->count + CHUNK - 1) / CHUNK;
    if (tasks) {
        snTasks_Run(tasks, chunks, solveChunk, b);
    } else {
        snFpMode mode = snFpMode_Enter();
        for (int i = 0; i < chunks; ++i) {
            solveChunk(b, i, 0);
        }
        snFpMode_Leave(mode);
    }
    snArena_Free(&arena);
    return sn_ok;
}

snStatus snWinding_Batch(const snWinding* winding, const snVec3* q, int64_t count, double* w,
                         const snHost* host, snTasks* tasks, snMessage* why)
{
    const int64_t part = (int64_t)1 << 24;
    snStatus status = sn_ok;
    for (int64_t first = 0; first < count && !status; first += part) {
        int64_t size = count - first < part ? count - first : part;
        Batch batch = {winding, q + first, NULL, (int32_t)size, NULL};
        batch.w = &w[first];
        status = solvePart(&batch, host, tasks, why);
    }
    return status;
}
