// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The smooth surface: exact for rigid motions and affine maps, smooth where cells bend.
#include "flesh/skin.h"

#include "base/cpu.h"
#include "flesh/bodies.h"
#include "math/quat.h"

// Node positions are floats: places are off by their rounding, gradients by that over a cell.
#define PLACE 3e-7
#define NORMAL 2e-5

typedef struct Worn {
    Case c;
    const snSkin* skin;
    snVec4f* x;
    void* work;
    float *position, *normal;
    snTasks* tasks;
    snIsa isa;
} Worn;

typedef snVec3 MapFcn(snVec3 X);

static void dress(Worn* w, int32_t vertices, int32_t cells)
{
    snMessage why;
    setUp(&w->c, wormField, vertices, makeNoBones, cells);
    build(&w->c);
    assert_ok(snSkin_Build(&w->c.arena, &w->c.flesh, &w->c.surface, &w->skin, &why), why);
    size_t n = 3 * (size_t)w->c.surface.vertex_count;
    w->x = snArena_Push(&w->c.arena, (size_t)w->c.flesh.tets.node_count, sizeof(snVec4f));
    w->work = snArena_Push(&w->c.arena, snSkin_WorkSize(w->skin), 1);
    w->position = snArena_Push(&w->c.arena, n, sizeof(float));
    w->normal = snArena_Push(&w->c.arena, n, sizeof(float));
    assert_false(w->c.arena.failed);
    assert_ok(snTasks_Create(NULL, &w->tasks, &why), why);
    w->isa = snCpu_Choose(sn_isaAuto);
}

static void undress(Worn* w)
{
    snTasks_Free(w->tasks);
    drop(&w->c);
}

static void move(Worn* w, MapFcn* map, snVec3 shift)
{
    for (int32_t i = 0; i < w->c.flesh.tets.node_count; ++i) {
        snVec3 y = map(w->c.flesh.tets.position[i]);
        w->x[i] = (snVec4f){(float)y.x, (float)y.y, (float)y.z, 0};
    }
    snSkin_Update(w->skin, w->tasks, w->isa, w->x, shift, w->work, w->position, w->normal);
}

static snVec3 at(const float* packed, int32_t i)
{
    return snV3((double)packed[3 * i], (double)packed[3 * i + 1], (double)packed[3 * i + 2]);
}

static snVec3 turned(snVec3 X)
{
    snQuat q = snQFromAxisAngle(snNormalize(snV3(1, 2, -1)), 2.1);
    return snAdd(snQRotate(q, X), snV3(0.3, -0.2, 0.5));
}

static snVec3 sheared(snVec3 X)
{
    return snV3(1.3 * X.x + 0.4 * X.y - 0.1, 0.8 * X.y - 0.3 * X.z, 1.1 * X.z + 0.2 * X.x);
}

static snVec3 flat(snVec3 X)
{
    return snV3(X.x, 0, X.z);
}

static snVec3 mirrored(snVec3 X)
{
    return snV3(-X.x, X.y, X.z);
}

static snVec3 collapsed(snVec3 X)
{
    (void)X;
    return snV3(0.1, 0.2, 0.3);
}

// Along z, bent to a circle of radius 0.4 m in the y-z plane.
static snVec3 bent(snVec3 X)
{
    double angle = X.z / 0.4, r = 0.4 - X.y;
    return snV3(X.x, 0.4 - r * snCos(angle), r * snSin(angle));
}

static void affineMapsAreExact(void** state)
{
    (void)state;
    static MapFcn* const MAPS[2] = {turned, sheared};
    Worn w;
    snVec3 shift = snV3(10, 20, -30), N[2000];
    dress(&w, 262, 714);
    assert_true(w.c.surface.vertex_count <= 2000);
    snSurface_Normals(&w.c.surface, N);
    for (int m = 0; m < 2; ++m) {
        snVec3 o = MAPS[m](snV3(0, 0, 0));
        snVec3 a = snSub(MAPS[m](snV3(1, 0, 0)), o), b = snSub(MAPS[m](snV3(0, 1, 0)), o);
        snVec3 c = snSub(MAPS[m](snV3(0, 0, 1)), o);
        move(&w, MAPS[m], snV3(0, 0, 0));
        for (int32_t i = 0; i < w.c.surface.vertex_count; ++i) {
            snVec3 y = MAPS[m](w.c.surface.position[i]), n = snScale(N[i].x, snCross(b, c));
            n = snMulAdd(snMulAdd(n, N[i].y, snCross(c, a)), N[i].z, snCross(a, b));
            assert_below(snLength(snSub(at(w.position, i), y)), PLACE);
            assert_below(snLength(snSub(at(w.normal, i), snNormalize(n))), NORMAL);
        }
        move(&w, MAPS[m], shift); // added before rounding
        for (int32_t i = 0; i < w.c.surface.vertex_count; ++i) {
            snVec3 y = snAdd(MAPS[m](w.c.surface.position[i]), shift);
            assert_below(snLength(snSub(at(w.position, i), y)), PLACE + 31 * 0x1p-24);
        }
    }
    undress(&w);
}

// Flattened, inside out, or all in one point: normals are unit, whatever else.
static void normalsStayUnit(void** state)
{
    (void)state;
    static MapFcn* const MAPS[3] = {flat, mirrored, collapsed};
    Worn w;
    dress(&w, 262, 300);
    for (int m = 0; m < 3; ++m) {
        move(&w, MAPS[m], snV3(0, 0, 0));
        for (int32_t i = 0; i < w.c.surface.vertex_count; ++i) {
            assert_close(snLength(at(w.normal, i)), 1, 1e-6);
        }
    }
    undress(&w);
}

static snVec3 plainAt(const Worn* w, int32_t i)
{
    const snTie* t = &w->c.flesh.ties[i];
    snVec3 y = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        const snVec4f* p = &w->x[t->node[k]];
        y = snMulAdd(y, (double)t->weight[k], snV3((double)p->x, (double)p->y, (double)p->z));
    }
    return y;
}

static snVec3 nodeAt(const Worn* w, int32_t node)
{
    const snVec4f* p = &w->x[node];
    return snV3((double)p->x, (double)p->y, (double)p->z);
}

// Mean gradients of all nodes, cell by cell.
static snMat3* plainGradients(Worn* w)
{
    const snTets* tets = &w->c.flesh.tets;
    size_t n = (size_t)tets->node_count;
    snMat3* F = snArena_Push(&w->c.arena, n, sizeof(snMat3));
    double* total = snArena_Push(&w->c.arena, n, sizeof(double));
    for (int32_t c = 0; c < tets->tet_count; ++c) {
        const int32_t* v = tets->tet + 4 * (size_t)c;
        snVec3 rest[3], now[3];
        bool ok;
        for (int k = 0; k < 3; ++k) {
            rest[k] = snSub(tets->position[v[k + 1]], tets->position[v[0]]);
            now[k] = snSub(nodeAt(w, v[k + 1]), nodeAt(w, v[0]));
        }
        snMat3 G = snMatMul(snMatFromCols(now[0], now[1], now[2]),
                            snMatInverse(snMatFromCols(rest[0], rest[1], rest[2]), &ok));
        double weight = w->c.flesh.fill[c] * snTets_Volume(tets, c);
        for (int k = 0; k < 4; ++k) {
            F[v[k]] = snMatAdd(F[v[k]], snMatScale(weight, G));
            total[v[k]] += weight;
        }
    }
    for (size_t i = 0; i < n; ++i) {
        F[i] = snMatScale(1 / total[i], F[i]);
    }
    return F;
}

// The formula of skin.h, and areas by the cofactor.
static void plainSkin(const Worn* w, const snMat3* F, int32_t i, snVec3 N, snVec3* y, snVec3* n)
{
    const snTie* t = &w->c.flesh.ties[i];
    snMat3 blend = snMat3_Diagonal(0, 0, 0);
    *y = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        const snMat3* G = &F[t->node[k]];
        double weight = (double)t->weight[k];
        snVec3 d = snSub(w->c.surface.position[i], w->c.flesh.tets.position[t->node[k]]);
        snVec3 part = snMulAdd(nodeAt(w, t->node[k]), 0.5, snMatVec(*G, d));
        *y = snMulAdd(*y, weight, part);
        blend = snMatAdd(blend, snMatScale(weight, *G));
    }
    snVec3 a = snMatCol(blend, 0), b = snMatCol(blend, 1), c = snMatCol(blend, 2);
    *n = snScale(N.x, snCross(b, c));
    *n = snNormalize(snMulAdd(snMulAdd(*n, N.y, snCross(c, a)), N.z, snCross(a, b)));
}

// Every instruction set and number of threads gives the same bits, and they are the formula's but
// for rounding.
static void lanesAgreeWithTheFormula(void** state)
{
    (void)state;
    Worn w;
    dress(&w, 4000, 700);
    size_t n = (size_t)w.c.surface.vertex_count, bytes = 3 * n * sizeof(float);
    snVec3* N = snArena_Push(&w.c.arena, n, sizeof(snVec3));
    float* first = snArena_Push(&w.c.arena, 6 * n, sizeof(float));
    snSurface_Normals(&w.c.surface, N);
    move(&w, bent, snV3(0, 0, 0));
    memcpy(first, w.position, bytes);
    memcpy(first + 3 * n, w.normal, bytes);
    const snMat3* F = plainGradients(&w);
    for (int32_t i = 0; i < w.c.surface.vertex_count; ++i) {
        snVec3 y, normal;
        plainSkin(&w, F, i, N[i], &y, &normal);
        assert_below(snLength(snSub(at(w.position, i), y)), 1e-7);
        assert_below(snLength(snSub(at(w.normal, i), normal)), 2e-7);
    }
    for (int k = 0; k < 6; ++k) {
        snMessage why;
        snHost host;
        snHost_Init(&host);
        host.thread_count = k % 2 ? 3 : 1;
        snTasks_Free(w.tasks);
        assert_ok(snTasks_Create(&host, &w.tasks, &why), why);
        w.isa = snCpu_Choose(sn_isaBaseline + k / 2);
        memset(w.position, 0, bytes);
        memset(w.normal, 0, bytes);
        move(&w, bent, snV3(0, 0, 0));
        assert_memory_equal(first, w.position, bytes);
        assert_memory_equal(first + 3 * n, w.normal, bytes);
    }
    undress(&w);
}

// An edge of the surface and one of its triangles.
typedef struct Edge {
    int32_t a, b, triangle;
} Edge;

static int compareEdges(const void* p, const void* q)
{
    const Edge *e = p, *f = q;
    int32_t d = e->a != f->a ? e->a - f->a : e->b != f->b ? e->b - f->b : e->triangle - f->triangle;
    return d;
}

static snVec3 faceNormal(const snSurface* s, const snVec3* y, int32_t t)
{
    const int32_t* v = s->triangle + 3 * (size_t)t;
    return snNormalize(snTriangleCross(y[v[0]], y[v[1]], y[v[2]]));
}

// Root of the mean square, over edges, of how much their crease differs from that of the exact map.
static double creases(const snSurface* s, const Edge* edges, const snVec3* y, const snVec3* exact)
{
    double sum = 0;
    int32_t count = 0;
    for (int32_t i = 0; i + 1 < 3 * s->triangle_count; ++i) {
        if (edges[i].a == edges[i + 1].a && edges[i].b == edges[i + 1].b) {
            int32_t t = edges[i].triangle, u = edges[i + 1].triangle;
            snVec3 got = snSub(faceNormal(s, y, t), faceNormal(s, y, u));
            snVec3 want = snSub(faceNormal(s, exact, t), faceNormal(s, exact, u));
            sum += snLengthSq(snSub(got, want));
            ++count;
        }
    }
    return sqrt(sum / count);
}

// A bar bent to a circle on exactly bent nodes: plain embedding shows the cells as creases, the
// skin hardly.
static void bendingHasNoCreases(void** state)
{
    (void)state;
    Worn w;
    dress(&w, 4000, 700);
    const snSurface* s = &w.c.surface;
    size_t n = (size_t)s->vertex_count, sides = 3 * (size_t)s->triangle_count;
    snVec3* exact = snArena_Push(&w.c.arena, n, sizeof(snVec3));
    snVec3* plain = snArena_Push(&w.c.arena, n, sizeof(snVec3));
    snVec3* smooth = snArena_Push(&w.c.arena, n, sizeof(snVec3));
    Edge* edges = snArena_Push(&w.c.arena, sides, sizeof(Edge));
    for (size_t i = 0; i < sides; ++i) {
        int32_t a = s->triangle[i], b = s->triangle[i / 3 * 3 + (i + 1) % 3];
        edges[i] = (Edge){a < b ? a : b, a < b ? b : a, (int32_t)(i / 3)};
    }
    qsort(edges, sides, sizeof(Edge), compareEdges);
    move(&w, bent, snV3(0, 0, 0));
    double off_plain = 0, off_smooth = 0;
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        exact[i] = bent(s->position[i]);
        plain[i] = plainAt(&w, i);
        smooth[i] = at(w.position, i);
        off_plain = fmax(off_plain, snLength(snSub(plain[i], exact[i])));
        off_smooth = fmax(off_smooth, snLength(snSub(smooth[i], exact[i])));
    }
    double rough = creases(s, edges, plain, exact), fine = creases(s, edges, smooth, exact);
    print_message("creases: %.3f rad plain, %.3f rad smooth; farthest off %.2g and %.2g m\n", rough,
                  fine, off_plain, off_smooth);
    assert_below(fine, 0.35 * rough);
    assert_below(off_smooth, 0.5 * off_plain);
    undress(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affineMapsAreExact),
        cmocka_unit_test(normalsStayUnit),
        cmocka_unit_test(lanesAgreeWithTheFormula),
        cmocka_unit_test(bendingHasNoCreases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
