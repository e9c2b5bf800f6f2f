// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Against formulas written another way, dense sampling, and each kind of shape against another that
// is the same body.
#include "contact/solid.h"
#include "base/random.h"
#include "geom/shapes.h"
#include "math/transform.h"
#include <sinew/skeleton.h>

static snArena arena;

static int setUp(void** state)
{
    (void)state;
    snArena_Init(&arena, NULL);
    return 0;
}

static int tearDown(void** state)
{
    (void)state;
    snArena_Free(&arena);
    return 0;
}

static snVec3 draw(snRandom* r, double size)
{
    double x = snRandom_Range(r, -size, size), y = snRandom_Range(r, -size, size);
    return snV3(x, y, snRandom_Range(r, -size, size));
}

static snTransform drawPose(snRandom* r)
{
    snVec3 p = draw(r, 1);
    return snT(p, snQExp(draw(r, 3)));
}

static snVec3 drawIn(snRandom* r, const snSolid* s, double grow)
{
    snVec3 middle = snScale(0.5, snAdd(s->box.lo, s->box.hi)), d = snSub(s->box.hi, s->box.lo);
    return snAdd(middle, snMul3(d, draw(r, 0.5 * grow)));
}

static snSolid make(const snShapeDef* defs, int32_t count, double spacing)
{
    snSolid solid;
    snMessage why;
    assert_ok(snSolid_Build(&arena, defs, count, spacing, &solid, &why), why);
    return solid;
}

static snShapeDef boxDef(snTransform pose, snVec3 half)
{
    return (snShapeDef){.kind = sn_shapeBox, .pose = pose, .half = half};
}

static snShapeDef capsuleDef(snTransform pose, double radius, double half_length)
{
    return (snShapeDef){
        .kind = sn_shapeCapsule, .pose = pose, .radius = radius, .half_length = half_length};
}

static snShapeDef sphereDef(snTransform pose, double radius)
{
    return (snShapeDef){.kind = sn_shapeSphere, .pose = pose, .radius = radius};
}

static snShapeDef meshDef(snTransform pose, const snSurface* s)
{
    return (snShapeDef){.kind = sn_shapeMesh,
                        .pose = pose,
                        .vertex_count = s->vertex_count,
                        .triangle_count = s->triangle_count,
                        .vertices = s->position,
                        .triangles = s->triangle};
}

// A box of twelve triangles.
static snSurface boxSurface(snVec3 half)
{
    static const int32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    snSurface s = newSurface(&arena, 8, 12);
    for (int i = 0; i < 8; ++i) {
        s.position[i] = snMul3(half, snV3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    }
    for (int q = 0; q < 6; ++q) {
        const int32_t* v = quads[q];
        const int32_t two[6] = {v[0], v[1], v[2], v[0], v[2], v[3]};
        memcpy(s.triangle + 6 * q, two, sizeof two);
    }
    return s;
}

// A tube with thick walls, closed: a square swept about the y axis. Concave.
static snSurface tubeSurface(int n, double inner, double outer, double half)
{
    snSurface s = newSurface(&arena, 4 * n, 8 * n);
    for (int i = 0; i < n; ++i) {
        double u = 2 * SN_PI * i / n, c = snCos(u), z = snSin(u);
        const double ring[4] = {inner, outer, outer, inner}, y[4] = {-half, -half, half, half};
        for (int j = 0; j < 4; ++j) {
            s.position[4 * i + j] = snV3(ring[j] * c, y[j], ring[j] * z);
            int32_t a = 4 * i + j, b = (i + 1) % n * 4 + j;
            int32_t d = 4 * i + (j + 1) % 4, e = (i + 1) % n * 4 + (j + 1) % 4;
            const int32_t two[6] = {a, d, e, a, e, b};
            memcpy(s.triangle + 6 * (4 * i + j), two, sizeof two);
        }
    }
    return s;
}

// Signed distance of analytic shapes, negative inside; that of a box is right inside only.
static double signedDistance(const snShapeDef* def, snVec3 p)
{
    snVec3 q = snTPoint(snTInverse(def->pose), p);
    if (def->kind == sn_shapeBox) {
        double x = fabs(q.x) - def->half.x, y = fabs(q.y) - def->half.y;
        return fmax(fmax(x, y), fabs(q.z) - def->half.z);
    }
    double L = def->kind == sn_shapeCapsule ? def->half_length : 0;
    q.y = q.y > L ? q.y - L : q.y < -L ? q.y + L : 0;
    return snLength(q) - def->radius;
}

static void drawAnalytic(snRandom* r, int kind, snShapeDef* def)
{
    double a = snRandom_Range(r, 0.1, 1), b = snRandom_Range(r, 0.1, 1);
    snTransform pose = drawPose(r);
    *def = kind == 0   ? boxDef(pose, snV3(a, b, snRandom_Range(r, 0.1, 1)))
           : kind == 1 ? sphereDef(pose, a)
                       : capsuleDef(pose, a, b);
}

// Inside: depth is the distance, and along the normal it is left, not sooner.
static void test_inside(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    int in = 0, out = 0;
    for (int i = 0; i < 60; ++i) {
        snShapeDef def;
        drawAnalytic(&r, i % 3, &def);
        snSolid solid = make(&def, 1, 10);
        for (int k = 0; k < 500; ++k) {
            snVec3 p = drawIn(&r, &solid, 1.2);
            double distance = signedDistance(&def, p);
            snSolidHit hit;
            bool inside = snSolid_Inside(&solid, p, &hit);
            assert_int_equal(inside, distance < 0);
            out += !inside;
            if (inside) {
                assert_close(hit.depth, -distance, 1e-13);
                assert_close(snLength(hit.normal), 1, 1e-14);
                assert_int_equal(hit.shape, 0);
                snSolidHit other;
                assert_false(
                    snSolid_Inside(&solid, snMulAdd(p, hit.depth + 1e-9, hit.normal), &other));
                assert_true(
                    snSolid_Inside(&solid, snMulAdd(p, hit.depth - 1e-9, hit.normal), &other));
                ++in;
            }
        }
    }
    assert_true(in > 5000 && out > 5000);
}

// Outside of an analytic shape; 0 inside.
static double gapTo(const snShapeDef* def, snVec3 p)
{
    snVec3 q = snTPoint(snTInverse(def->pose), p);
    double x = fmax(fabs(q.x) - def->half.x, 0), y = fmax(fabs(q.y) - def->half.y, 0);
    double z = fmax(fabs(q.z) - def->half.z, 0);
    return def->kind == sn_shapeBox ? sqrt(x * x + y * y + z * z) : fmax(signedDistance(def, p), 0);
}

// The distance, and the way along which it grows.
static void checkOutside(const snSolid* solid, const snShapeDef* def, snVec3 p)
{
    snSolidHit hit, there;
    double gap = gapTo(def, p);
    assert_false(snSolid_Outside(solid, p, 0.999 * gap, &hit));
    assert_true(snSolid_Outside(solid, p, 1.001 * gap, &hit));
    assert_close(hit.depth, gap, 1e-12);
    assert_close(snLength(hit.normal), 1, 1e-12);
    snVec3 on = snMulAdd(p, -gap, hit.normal);
    assert_close(gapTo(def, on), 0, 1e-9);
    assert_close(gapTo(def, snMulAdd(p, 0.1, hit.normal)), gap + 0.1, 1e-9);
    assert_true(snSolid_Outside(solid, on, 1e-9, &there)); // also there it has a normal
    assert_close(snLength(there.normal), 1, 1e-9);
}

static void test_outside(void** state)
{
    snRandom r = snRandom_Seed(5);
    int seen = 0;
    (void)state;
    for (int i = 0; i < 600; ++i) {
        snShapeDef def;
        drawAnalytic(&r, i % 3, &def);
        snSolid solid = make(&def, 1, 0.3);
        snVec3 p = drawIn(&r, &solid, 1.6);
        if (gapTo(&def, p) > 1e-6) {
            checkOutside(&solid, &def, p);
            ++seen;
        }
    }
    assert_true(seen > 300);
}

// A box of triangles, and another one that is none: the nearer one tells.
static void test_outsideOfSeveral(void** state)
{
    snRandom r = snRandom_Seed(6);
    snVec3 half = snV3(0.3, 0.2, 0.5);
    snSurface surface = boxSurface(half);
    snTransform here = snT(snV3(0, 0, 0), snQIdentity()), there = snT(snV3(2, 0, 0), here.q);
    snShapeDef plain[2] = {boxDef(here, half), boxDef(there, half)};
    snShapeDef both[2] = {meshDef(here, &surface), plain[1]};
    snSolid solid = make(both, 2, 0.3);
    int seen[2] = {0, 0};
    (void)state;
    for (int i = 0; i < 2000; ++i) {
        snVec3 p = drawIn(&r, &solid, 1.5);
        double one = gapTo(&plain[0], p), two = gapTo(&plain[1], p);
        if (one > 1e-6 && two > 1e-6 && fabs(one - two) > 0.1) {
            checkOutside(&solid, &plain[one < two ? 0 : 1], p);
            ++seen[one < two];
        }
    }
    assert_true(seen[0] > 300 && seen[1] > 300);
}

// The first of many small steps that is inside, when the start is not.
static double march(const snShapeDef* def, snVec3 a, snVec3 b, int steps)
{
    bool was = signedDistance(def, a) < 0;
    for (int i = 1; i <= steps; ++i) {
        bool is = signedDistance(def, snMulAdd(a, (double)i / steps, snSub(b, a))) < 0;
        if (is && !was) {
            return (double)i / steps;
        }
        was = is;
    }
    return -1;
}

static void test_cast(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    enum { steps = 400 };
    int hits = 0, misses = 0;
    snShapeDef def;
    snSolid solid = {0};
    for (int i = 0; i < 3000; ++i) {
        if (i % 20 == 0) {
            drawAnalytic(&r, i / 20 % 3, &def);
            solid = make(&def, 1, 10);
        }
        snVec3 a = drawIn(&r, &solid, 2.5), b = drawIn(&r, &solid, 2.5);
        double length = snLength(snSub(b, a)), there = march(&def, a, b, steps);
        snSolidHit hit;
        bool found = snSolid_Cast(&solid, a, b, &hit);
        if (there >= 0) { // marching may miss a corner, the cast may not
            assert_true(found);
            assert_close(hit.depth / length, there - 0.5 / steps, 0.5 / steps + 1e-12);
            ++hits;
        }
        misses += !found;
        if (found) {
            snVec3 at = snMulAdd(a, hit.depth / length, snSub(b, a));
            assert_close(signedDistance(&def, at), 0, 1e-12);
            assert_true(snDot(hit.normal, snSub(b, a)) <= 0);
            snSolidHit in; // just below the surface the way out is the normal
            if (snSolid_Inside(&solid, snMulAdd(at, -1e-7, hit.normal), &in) && in.depth < 2e-7) {
                assert_close(snDot(in.normal, hit.normal), 1, 1e-6);
            }
        }
    }
    assert_true(hits > 500 && misses > 500);
}

// Twelve triangles are the same as a box.
static void test_cube(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    int in = 0, hits = 0;
    for (int i = 0; i < 4; ++i) {
        snTransform pose = drawPose(&r);
        snVec3 half = snV3(0.5, 0.3, 0.7);
        snSurface surface = boxSurface(half);
        if (i % 2) {
            turnInsideOut(&surface);
        }
        snShapeDef def[2] = {boxDef(pose, half), meshDef(pose, &surface)};
        snSolid box = make(&def[0], 1, 10), mesh = make(&def[1], 1, 10);
        assert_relative(mesh.volume, box.volume, 1e-12, 0);
        assert_relative(mesh.thickness, box.thickness, 1e-12, 0);
        assert_close(snLength(snSub(mesh.com, box.com)), 0, 1e-12);
        assert_close(mesh.inertia.xx, box.inertia.xx, 1e-12);
        assert_close(mesh.inertia.xy, box.inertia.xy, 1e-12);
        for (int k = 0; k < 3000; ++k) {
            snVec3 p = drawIn(&r, &box, 1.1), q = drawIn(&r, &box, 2);
            snSolidHit a = {0}, b = {0};
            bool inside = snSolid_Inside(&box, p, &a);
            assert_int_equal(inside, snSolid_Inside(&mesh, p, &b));
            assert_close(a.depth, b.depth, 1e-12);
            assert_close(snLength(snSub(a.normal, b.normal)), 0, 1e-12);
            in += inside;
            bool hit = snSolid_Cast(&box, q, p, &a);
            assert_int_equal(hit, snSolid_Cast(&mesh, q, p, &b));
            if (hit) {
                assert_close(a.depth, b.depth, 1e-12);
                assert_close(snLength(snSub(a.normal, b.normal)), 0, 1e-12);
                ++hits;
            }
        }
    }
    assert_true(in > 1000 && hits > 1000);
}

// Concave meshes against the nearest point and the exact winding number, one by one.
static void test_mesh(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    snTransform pose = drawPose(&r);
    snSurface surfaces[2] = {makeTorus(&arena, 24, 12, 1, 0.3), tubeSurface(20, 0.5, 0.7, 0.4)};
    for (int i = 0; i < 2; ++i) {
        snShapeDef def = meshDef(pose, &surfaces[i]);
        snSolid solid = make(&def, 1, 10);
        const snSurface* s = &solid.shapes[0].mesh->nearest.surface;
        int in = 0, hits = 0;
        for (int k = 0; k < 3000; ++k) {
            snVec3 p = drawIn(&r, &solid, 1), q = drawIn(&r, &solid, 1.5);
            double exact = snWinding_Exact(s, p);
            snSolidHit hit;
            bool inside = snSolid_Inside(&solid, p, &hit);
            assert_int_equal(inside, exact > 0.5);
            if (inside) {
                snNearestHit nearest;
                snNearest_Find(&solid.shapes[0].mesh->nearest, p, (double)INFINITY, &nearest);
                assert_close(hit.depth, nearest.distance, 1e-14);
                assert_close(snLength(snSub(snMulAdd(p, hit.depth, hit.normal), nearest.point)), 0,
                             1e-12);
                assert_false(
                    snSolid_Inside(&solid, snMulAdd(p, hit.depth + 1e-9, hit.normal), &hit));
                ++in;
            }
            // the first of 200 steps from outside to inside
            if (k % 30 == 0 && snSolid_Cast(&solid, q, p, &hit)) {
                double length = snLength(snSub(p, q));
                bool was = snWinding_Exact(s, q) > 0.5;
                for (int m = 1; m <= 200; ++m) {
                    bool is = snWinding_Exact(s, snMulAdd(q, m / 200.0, snSub(p, q))) > 0.5;
                    if (is && !was) {
                        assert_true(hit.depth <= m / 200.0 * length + 1e-12);
                        break;
                    }
                    assert_true(is || was || hit.depth > (m - 1) / 200.0 * length - length / 200);
                    was = is;
                }
                snVec3 at = snMulAdd(q, hit.depth / length, snSub(p, q));
                snVec3 d = snScale(1e-9, snNormalize(snSub(p, q)));
                assert_true(snWinding_Exact(s, snSub(at, d)) < 0.5);
                assert_true(snWinding_Exact(s, snAdd(at, d)) > 0.5);
                ++hits;
            } else if (k % 30 == 0) {
                assert_true(!inside || snWinding_Exact(s, q) > 0.5); // else it was entered
            }
        }
        assert_true(in > 200 && hits > 20);
    }
}

// Ways that end in the body enter it, however they pass edges and corners: through each vertex,
// each edge's middle, and in pieces whose ends lie on the surface.
static void test_watertight(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    snSurface ball = makeBall(&arena, 6, snV3(0, 0, 0), 1);
    snShapeDef def = meshDef(drawPose(&r), &ball);
    snSolid solid = make(&def, 1, 10);
    const snSurface* s = &solid.shapes[0].mesh->nearest.surface;
    snVec3 centre = def.pose.p;
    for (int32_t i = 0; i < 3 * s->triangle_count; ++i) {
        snVec3 a = s->position[s->triangle[i]];
        snVec3 b = s->position[s->triangle[i % 3 == 2 ? i - 2 : i + 1]];
        const snVec3 through[2] = {a, snScale(0.5, snAdd(a, b))};
        for (int k = 0; k < 2; ++k) {
            snVec3 from = snMulAdd(through[k], 0.7, snSub(through[k], centre));
            snSolidHit hit;
            assert_true(snSolid_Cast(&solid, from, centre, &hit));
            // in two pieces: one of them enters
            assert_true(snSolid_Cast(&solid, from, through[k], &hit) ||
                        snSolid_Cast(&solid, through[k], centre, &hit));
            assert_false(snSolid_Cast(&solid, centre, from, &hit));
        }
    }
}

// A way that starts on the surface and passes through the whole body enters at its start, unless it
// started inside by rounding.
static void test_start(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(10);
    snSurface ball = makeBall(&arena, 5, snV3(0, 0, 0), 0.7);
    for (int i = 0; i < 12; ++i) {
        snShapeDef def;
        drawAnalytic(&r, i % 3, &def);
        def = i < 9 ? def : meshDef(drawPose(&r), &ball);
        snSolid solid = make(&def, 1, 0.1);
        for (int32_t k = 0; k < solid.point_count; ++k) {
            snVec3 a = solid.points[k], b = snMulAdd(a, 3, snSub(def.pose.p, a));
            snSolidHit hit, in;
            bool inside = snSolid_Inside(&solid, a, &in),
                 entered = snSolid_Cast(&solid, a, b, &hit);
            assert_true(inside || entered);
            assert_below(inside ? in.depth : hit.depth, 1e-14);
        }
    }
}

// Volume, centre and inertia by sampling; boxes that overlap count twice.
static void test_mass(void** state)
{
    (void)state;
    enum { count = 60000 };
    const double tolerance = 0.03; // 5 deviations of so many samples
    snRandom r = snRandom_Seed(6);
    snSurface tube = tubeSurface(16, 0.4, 0.8, 0.5);
    for (int kind = 0; kind < 4; ++kind) {
        snShapeDef def[2];
        drawAnalytic(&r, kind % 3, &def[0]);
        def[0] = kind == 3 ? meshDef(drawPose(&r), &tube) : def[0];
        def[1] = boxDef(snT(def[0].pose.p, snQExp(draw(&r, 1))), snV3(0.3, 0.6, 0.2));
        snSolid solid = make(def, 2, 10), part[2] = {make(def, 1, 10), make(def + 1, 1, 10)};
        double volume = 0;
        snVec3 first = snV3(0, 0, 0);
        snMat3 second = snMatScale(0, snMat3_Identity());
        snVec3 d = snSub(solid.box.hi, solid.box.lo);
        for (int i = 0; i < count; ++i) {
            snVec3 p = drawIn(&r, &solid, 1), q = snSub(p, solid.com);
            snSolidHit hit;
            double w = snSolid_Inside(&part[0], p, &hit) + snSolid_Inside(&part[1], p, &hit);
            w *= d.x * d.y * d.z / count;
            volume += w;
            first = snMulAdd(first, w, q);
            second = snMatAdd(second, snMatScale(w, snOuter(q, q)));
        }
        double trace = second.m00 + second.m11 + second.m22, scale = trace;
        assert_relative(volume, solid.volume, tolerance, 0);
        assert_below(snLength(first), tolerance * volume * solid.size);
        assert_close(solid.inertia.xx, trace - second.m00, tolerance * scale);
        assert_close(solid.inertia.yy, trace - second.m11, tolerance * scale);
        assert_close(solid.inertia.zz, trace - second.m22, tolerance * scale);
        assert_close(solid.inertia.xy, -second.m01, tolerance * scale);
        assert_close(solid.inertia.xz, -second.m02, tolerance * scale);
        assert_close(solid.inertia.yz, -second.m12, tolerance * scale);
    }
    snShapeDef ball = sphereDef(snTIdentity(), 0.5);
    snSolid solid = make(&ball, 1, 10);
    assert_relative(solid.volume, SN_PI / 6, 1e-14, 0);
    assert_relative(solid.inertia.yy, 0.1 * SN_PI / 6, 1e-14, 0); // 2/5 V r^2
}

// Of several shapes the deepest counts; from one into the next is not entering.
static void test_several(void** state)
{
    (void)state;
    snTransform left = snT(snV3(-1, 0, 0), snQIdentity()),
                right = snT(snV3(1, 0, 0), snQIdentity());
    const snShapeDef def[3] = {boxDef(left, snV3(1, 1, 1)), boxDef(right, snV3(1, 1, 1)),
                               sphereDef(snT(snV3(0, 5, 0), snQIdentity()), 1)};
    snSolid solid = make(def, 3, 0.5);
    snSolidHit hit;
    assert_true(snSolid_Inside(&solid, snV3(-0.1, 0.5, 0), &hit));
    assert_int_equal(hit.shape, 0);
    assert_close(hit.depth, 0.1, 1e-15);
    // side by side: through the common face
    assert_false(snSolid_Cast(&solid, snV3(-0.5, 0, 0), snV3(0.5, 0.1, 0), &hit));
    assert_false(snSolid_Cast(&solid, snV3(0.5, 0.3, 0), snV3(-0.5, 0.1, 0), &hit));
    // out, and into the ball
    assert_true(snSolid_Cast(&solid, snV3(0.2, 0, 0), snV3(0.2, 8, 0), &hit));
    assert_int_equal(hit.shape, 2);
    assert_close(hit.normal.y, -sqrt(0.96), 1e-12);
    // from outside, also where the two boxes meet
    assert_true(snSolid_Cast(&solid, snV3(0, -3, 0.2), snV3(0.1, 0, 0.2), &hit));
    assert_close(hit.normal.y, -1, 1e-15);
    assert_true(snSolid_Cast(&solid, snV3(-4, 0, 0), snV3(4, 0, 0), &hit));
    assert_int_equal(hit.shape, 0);
    assert_close(hit.depth, 2, 1e-15);
    // no points on the common face
    for (int32_t i = 0; i < solid.point_count; ++i) {
        snVec3 p = solid.points[i];
        assert_true(fabs(p.x) > 1e-9 || fabs(p.y) > 0.99 || fabs(p.z) > 0.99);
    }
    // overlapping: none inside, and entering counts once
    const snShapeDef cross[2] = {boxDef(snTIdentity(), snV3(2, 0.5, 0.5)),
                                 boxDef(snTIdentity(), snV3(0.5, 2, 0.5))};
    solid = make(cross, 2, 0.2);
    assert_false(snSolid_Cast(&solid, snV3(-1, 0, 0), snV3(1, 0.1, 0), &hit));
    assert_true(snSolid_Cast(&solid, snV3(-1, 1, 0), snV3(1, 1, 0), &hit));
    assert_int_equal(hit.shape, 1);
    for (int32_t i = 0; i < solid.point_count; ++i) {
        assert_false(snSolid_Inside(&solid, solid.points[i], &hit) && hit.depth > 1e-9);
    }
}

// Many shapes: the tree finds what trying one by one finds.
static void test_tree(void** state)
{
    (void)state;
    enum { count = 60 };
    snRandom r = snRandom_Seed(7);
    snShapeDef def[count];
    for (int i = 0; i < count; ++i) {
        drawAnalytic(&r, i % 3, &def[i]);
        def[i].pose.p = draw(&r, 6);
    }
    snSolid solid = make(def, count, 1);
    int in = 0;
    for (int k = 0; k < 5000; ++k) {
        snVec3 p = drawIn(&r, &solid, 1);
        double least = 0;
        int32_t deepest = -1;
        for (int i = 0; i < count; ++i) {
            double distance = signedDistance(&def[i], p);
            deepest = distance < least ? i : deepest;
            least = distance < least ? distance : least;
        }
        snSolidHit hit;
        assert_int_equal(snSolid_Inside(&solid, p, &hit), deepest >= 0);
        if (deepest >= 0) {
            assert_int_equal(hit.shape, deepest);
            assert_close(hit.depth, -least, 1e-13);
            ++in;
        }
    }
    assert_true(in > 200);
}

// A random place of the surface.
static snVec3 drawSurface(snRandom* r, const snSolid* solid, const snShapeDef* def)
{
    if (def->kind == sn_shapeMesh) {
        const snSurface* s = &solid->shapes[0].mesh->nearest.surface;
        const int32_t* v = s->triangle + 3 * snRandom_Below(r, (uint32_t)s->triangle_count);
        double a = snRandom_Unit(r), b = snRandom_Unit(r);
        a = a + b > 1 ? 1 - a : a, b = a + b > 1 ? 1 - b : b;
        snVec3 p = s->position[v[0]];
        return snAdd(p, snAdd(snScale(a, snSub(s->position[v[1]], p)),
                              snScale(b, snSub(s->position[v[2]], p))));
    }
    for (;;) { // from somewhere in the middle until it is left
        snVec3 d = snNormalize(draw(r, 1)), a = def->pose.p, b = snMulAdd(a, 2 * solid->size, d);
        snSolidHit hit;
        if (snSolid_Cast(solid, b, a, &hit)) {
            return snMulAdd(b, -hit.depth, d);
        }
    }
}

static double surfaceDistance(const snSolid* solid, const snShapeDef* def, snVec3 p)
{
    if (def->kind != sn_shapeMesh) {
        return fabs(signedDistance(def, p));
    }
    snNearestHit hit;
    snNearest_Find(&solid->shapes[0].mesh->nearest, p, (double)INFINITY, &hit);
    return hit.distance;
}

// On the surface, and every place of it has one within about the spacing.
static void test_points(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(8);
    snSurface torus = makeTorus(&arena, 60, 30, 1, 0.3), tube = tubeSurface(64, 0.5, 0.7, 0.6);
    snSurface brick = boxSurface(snV3(0.4, 0.2, 1));
    snTransform pose = drawPose(&r);
    const snShapeDef defs[] = {boxDef(pose, snV3(0.4, 0.2, 1)),
                               sphereDef(pose, 0.6),
                               capsuleDef(pose, 0.2, 1.2),
                               capsuleDef(pose, 0.6, 0.1),
                               meshDef(pose, &torus),
                               meshDef(pose, &tube),
                               meshDef(pose, &brick)};
    const double spacings[] = {0.4, 0.15, 0.07};
    for (int i = 0; i < (int)(sizeof defs / sizeof defs[0]); ++i) {
        for (int k = 0; k < 3; ++k) {
            snSolid solid = make(&defs[i], 1, spacings[k]);
            double area = solid.shapes[0].area, farthest = 0;
            double square = spacings[k] * spacings[k];
            for (int32_t j = 0; j < solid.point_count; ++j) {
                assert_below(surfaceDistance(&solid, &defs[i], solid.points[j]), 1e-9);
            }
            bool round = defs[i].kind == sn_shapeSphere || defs[i].kind == sn_shapeCapsule;
            for (int j = 0; j < (round ? 500 : 0); ++j) {
                snVec3 p = drawSurface(&r, &solid, &defs[i]);
                double least = HUGE_VAL;
                for (int32_t m = 0; m < solid.point_count; ++m) {
                    least = fmin(least, snLengthSq(snSub(p, solid.points[m])));
                }
                farthest = fmax(farthest, sqrt(least));
            }
            print_message("%s: %d points, %.2f for a square, farthest %.2f spacings\n",
                          defs[i].kind == sn_shapeMesh ? "mesh" : "analytic",
                          (int)solid.point_count, solid.point_count * square / area,
                          farthest / spacings[k]);
            assert_below(farthest, 1.2 * spacings[k]);
            assert_below(solid.point_count, 60 + 4 * area / square);
        }
    }
    // corners first; of a mesh too
    for (int i = 0; i < 7; i += 6) {
        snSolid solid = make(&defs[i], 1, 0.3);
        for (int k = 0; k < 8; ++k) {
            snVec3 q = snTPoint(snTInverse(pose), solid.points[k]);
            assert_close(fabs(q.x), 0.4, 1e-12);
            assert_close(fabs(q.y), 0.2, 1e-12);
            assert_close(fabs(q.z), 1, 1e-12);
        }
    }
}

// However small the spacing and however many the shapes.
static void test_bound(void** state)
{
    (void)state;
    snSurface torus = makeTorus(&arena, 160, 80, 1, 0.3);
    const snShapeDef defs[3] = {boxDef(snTIdentity(), snV3(1e3, 1, 1e-4)),
                                sphereDef(snTIdentity(), 100), meshDef(snTIdentity(), &torus)};
    for (int i = 0; i < 3; ++i) {
        snSolid solid = make(&defs[i], 1, i == 2 ? 1e-3 : 1e-9);
        print_message("%d points\n", (int)solid.point_count);
        assert_true(solid.point_count > 5000 && solid.point_count <= 20000);
    }
    snShapeDef many[1000];
    for (int i = 0; i < 1000; ++i) {
        many[i] = sphereDef(snT(snV3(i % 10, i / 10 % 10, i / 100), snQIdentity()), 0.3);
    }
    snSolid solid = make(many, 1000, 0.01);
    assert_true(solid.point_count >= 16000 && solid.point_count <= 20000);
}

typedef struct Log {
    const char* word; // that a line must hold
    int warnings;
} Log;

static void takeLog(void* user, snLogLevel level, const char* text)
{
    Log* log = user;
    assert_non_null(strstr(text, log->word));
    log->warnings += level == sn_logWarning;
}

// Two balls in one mesh that overlap: inside is what is inside either.
static void test_overlap(void** state)
{
    (void)state;
    snHost host;
    snHost_Init(&host);
    Log log = {"overlap", 0};
    host.user = &log;
    host.log = takeLog;
    snArena own;
    snArena_Init(&own, &host);
    snSurface a = makeBall(&arena, 8, snV3(-0.4, 0, 0), 1);
    snSurface b = makeBall(&arena, 8, snV3(0.4, 0, 0), 1), both = joinSurfaces(&arena, &a, &b);
    snShapeDef def = meshDef(snTIdentity(), &both);
    snSolid solid;
    snMessage why;
    assert_ok(snSolid_Build(&own, &def, 1, 0.3, &solid, &why), why);
    assert_int_equal(log.warnings, 1);
    snRandom r = snRandom_Seed(11);
    for (int k = 0; k < 800; ++k) {
        snVec3 p = draw(&r, 1.5), from = snV3(0, 4, 0);
        double near =
            fmin(snLength(snAdd(p, snV3(0.4, 0, 0))), snLength(snSub(p, snV3(0.4, 0, 0))));
        snSolidHit hit;
        if (fabs(near - 1) > 0.03) { // facets
            assert_int_equal(snSolid_Inside(&solid, p, &hit), near < 1);
            assert_true(near > 1 || snSolid_Cast(&solid, from, p, &hit));
        }
    }
    snArena_Free(&own);
}

// A ball without one triangle: the winding number closes the hole; one line says so.
static void test_open(void** state)
{
    (void)state;
    snHost host;
    snHost_Init(&host);
    Log log = {"not closed", 0};
    host.user = &log;
    host.log = takeLog;
    snArena own;
    snArena_Init(&own, &host);
    snSurface ball = makeBall(&arena, 8, snV3(0, 0, 0), 1);
    snShapeDef def = meshDef(snTIdentity(), &ball);
    def.triangle_count -= 1;
    snSolid solid;
    snMessage why;
    assert_ok(snSolid_Build(&own, &def, 1, 0.3, &solid, &why), why);
    assert_int_equal(log.warnings, 1);
    assert_relative(solid.volume, 4 * SN_PI / 3, 0.03, 0);
    snRandom r = snRandom_Seed(9);
    for (int k = 0; k < 2000; ++k) {
        snVec3 p = draw(&r, 1), q = snScale(3, snNormalize(draw(&r, 1)));
        double length = snLength(p);
        snSolidHit hit;
        if (length > 0.95 && length < 1.05) {
            continue; // facets, and the hole
        }
        bool inside = snSolid_Inside(&solid, p, &hit);
        assert_int_equal(inside, length < 1);
        if (inside && length > 0.1) {
            assert_close(hit.depth, 1 - length, 0.05);
            assert_true(snDot(hit.normal, p) > 0.8 * length);
        }
        if (snSolid_Cast(&solid, q, snScale(0.5, p), &hit)) {
            assert_true(snDot(hit.normal, q) > 0);
        }
    }
    snArena_Free(&own);
}

static void fails(const snShapeDef* def, const char* word)
{
    snSolid solid;
    snMessage why;
    assert_int_equal(snSolid_Build(&arena, def, 1, 0.1, &solid, &why), sn_errorArgument);
    if (!strstr(why.text, word) || !strstr(why.text, "shape 0: ")) {
        fail_msg("\"%s\" does not say \"%s\"", why.text, word);
    }
}

static void test_errors(void** state)
{
    (void)state;
    snShapeDef def = boxDef(snTIdentity(), snV3(1, 1, 0));
    fails(&def, "half sides");
    def = sphereDef(snTIdentity(), (double)NAN);
    fails(&def, "radius");
    def = capsuleDef(snTIdentity(), 1, -1);
    fails(&def, "half_length");
    def = sphereDef(snT(snV3(0, 0, 0), snQ(0, 0, 0, 0)), 1);
    fails(&def, "quaternion");
    def = sphereDef(snT(snV3(0, (double)INFINITY, 0), snQIdentity()), 1);
    fails(&def, "pose");
    def.kind = 17;
    fails(&def, "kind");
    snSurface s = boxSurface(snV3(1, 1, 1));
    def = meshDef(snTIdentity(), &s);
    def.triangle_count = 0;
    fails(&def, "at least 4");
    def = meshDef(snTIdentity(), &s);
    s.triangle[5] = 8;
    fails(&def, "vertex 8");
    s = boxSurface(snV3(1, 1, 0)); // flat
    def = meshDef(snTIdentity(), &s);
    fails(&def, "thickness");
    s.position[3].x = (double)NAN;
    fails(&def, "vertex 3");
    snSolid solid;
    snMessage why;
    assert_int_equal(snSolid_Build(&arena, &def, 0, 0.1, &solid, &why), sn_errorArgument);
    assert_int_equal(snSolid_Build(&arena, &def, 1, 0, &solid, &why), sn_errorArgument);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setUp, tearDown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_inside),  TEST(test_cast),       TEST(test_cube),
        TEST(test_mesh),    TEST(test_watertight), TEST(test_mass),
        TEST(test_several), TEST(test_tree),       TEST(test_points),
        TEST(test_bound),   TEST(test_overlap),    TEST(test_start),
        TEST(test_open),    TEST(test_outside),    TEST(test_outsideOfSeveral),
        TEST(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
