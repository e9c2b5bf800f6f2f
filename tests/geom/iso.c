// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Closed, oriented outwards, of the right genus, on the surface, well shaped, as many vertices as
// asked for; volumes converge.
#include "geom/iso.h"
#include "geom/field.h"
#include "shapes.h"

typedef struct Recipe {
    int kind;
    int64_t calls;
} Recipe;

static double fieldOf(void* user, snVec3 p)
{
    Recipe* r = user;
    ++r->calls;
    if (r->kind == 0) {
        return snField_Ball(p, snV3(0.1, 0.2, -0.1), 1);
    }
    if (r->kind == 1) { // a torus, R = 1, r = 0.4
        double ring = sqrt(p.x * p.x + p.z * p.z) - 1;
        return sqrt(ring * ring + p.y * p.y) - 0.4;
    }
    if (r->kind == 2) { // a star of five tapered arms
        static const double tip[5][2] = {{0, 1},
                                         {0.951056516295154, 0.309016994374947},
                                         {0.587785252292473, -0.809016994374947},
                                         {-0.587785252292473, -0.809016994374947},
                                         {-0.951056516295154, 0.309016994374947}};
        double f = snField_Ellipsoid(p, snV3(0, 0, 0), snV3(0.3, 0.12, 0.3));
        for (int i = 0; i < 5; ++i) {
            snVec3 end = snV3(tip[i][0], 0, tip[i][1]);
            f = snField_Union(f, snField_Cone(p, snV3(0, 0, 0), 0.16, end, 0.06), 0.1);
        }
        return f;
    }
    if (r->kind == 3) { // two balls that do not touch
        double f = snField_Ball(p, snV3(-0.7, 0, 0), 0.5);
        return snField_Union(f, snField_Ball(p, snV3(0.7, 0, 0), 0.5), 0.1);
    }
    if (r->kind == 4) { // a box with sharp edges: creases
        double x = fabs(p.x) - 0.8, y = fabs(p.y) - 0.5, z = fabs(p.z) - 0.7;
        double most = x > y ? x : y;
        return z > most ? z : most;
    }
    return r->kind == 5 ? -1 : r->kind == 6 ? 1 : (double)NAN;
}

static const snBox box = {{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}};

static snSurface mesh(snArena* arena, int kind, snIsoSize size)
{
    Recipe r = {kind, 0};
    snSurface s;
    snMessage why;
    assert_ok(snIso_Mesh(arena, fieldOf, &r, box, size, &s, &why), why);
    return s;
}

// 1 for an equilateral triangle, 0 for a flat one: 4 sqrt(3) area over the sum of squared edges.
static double shapeOf(const snSurface* s, int32_t t)
{
    const int32_t* v = s->triangle + 3 * t;
    snVec3 a = s->position[v[0]], b = s->position[v[1]], c = s->position[v[2]];
    double sum = snLengthSq(snSub(a, b)) + snLengthSq(snSub(b, c)) + snLengthSq(snSub(c, a));
    return 2 * 1.7320508075688772 * snLength(snTriangleCross(a, b, c)) / sum;
}

static void checkShapes(const snSurface* s, double least, double mean)
{
    double worst = 1, sum = 0;
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        double shape = shapeOf(s, t);
        worst = shape < worst ? shape : worst;
        sum += shape;
    }
    print_message("%d vertices: worst shape %.3f, mean %.3f\n", s->vertex_count, worst,
                  sum / s->triangle_count);
    assert_true(worst > least && sum / s->triangle_count > mean);
}

static void checkOnSurface(const snSurface* s, int kind, double bound)
{
    Recipe r = {kind, 0};
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        assert_below(fabs(fieldOf(&r, s->position[i])), bound);
    }
}

static void test_topology(void** state)
{
    (void)state;
    static const int euler[5] = {2, 0, 2, 4, 2}, shells[5] = {1, 1, 1, 2, 1};
    for (int kind = 0; kind < 5; ++kind) {
        for (int fine = 0; fine < 2; ++fine) {
            snArena arena;
            snArena_Init(&arena, NULL);
            double edge = fine ? 0.1 : 0.2;
            snSurface s = mesh(&arena, kind, (snIsoSize){edge, 0});
            snSurfaceFacts f = factsOf(&s);
            assert_true(snSurfaceFacts_IsClosed(&f));
            assert_int_equal(f.degenerate_triangles + f.duplicate_triangles, 0);
            assert_int_equal(f.unreferenced_vertices, 0);
            assert_int_equal(eulerOf(&s, &f), euler[kind]);
            assert_int_equal(f.shells, shells[kind]);
            assert_true(f.volume > 0);
            if (kind < 4) { // smooth ones
                checkOnSurface(&s, kind, 1e-6 * edge);
                checkShapes(&s, 0.3, 0.9);
            }
            snArena_Free(&arena);
        }
    }
}

static void test_volume(void** state)
{
    (void)state;
    const double exact[2] = {4 * SN_PI / 3, 2 * SN_PI * SN_PI * 0.16};
    for (int kind = 0; kind < 2; ++kind) {
        double error[2];
        for (int fine = 0; fine < 2; ++fine) {
            snArena arena;
            snArena_Init(&arena, NULL);
            snSurface s = mesh(&arena, kind, (snIsoSize){fine ? 0.1 : 0.2, 0});
            snSurfaceFacts f = factsOf(&s);
            error[fine] = (exact[kind] - f.volume) / exact[kind];
            snArena_Free(&arena);
        }
        // vertices on the surface: second order
        assert_in_range((int)(100 * error[0] / error[1]), 320, 480);
        assert_below(error[1], 0.01);
    }
}

static void test_count(void** state)
{
    (void)state;
    const int32_t wanted[] = {100, 2500};
    for (int kind = 1; kind < 3; ++kind) {
        for (int k = 0; k < 2; ++k) {
            snArena arena;
            snArena_Init(&arena, NULL);
            snSurface s = mesh(&arena, kind, (snIsoSize){0, wanted[k]});
            assert_relative(s.vertex_count, wanted[k], 0.05, 0);
            snSurfaceFacts f = factsOf(&s);
            assert_true(snSurfaceFacts_IsClosed(&f));
            snArena_Free(&arena);
        }
    }
}

static void test_mistakes(void** state)
{
    (void)state;
    static const char* const says[] = {"reaches the side", "no body", "not finite"};
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s;
    snMessage why;
    for (int i = 0; i < 3; ++i) {
        Recipe r = {5 + i, 0};
        assert_int_equal(snIso_Mesh(&arena, fieldOf, &r, box, (snIsoSize){0.2, 0}, &s, &why),
                         sn_errorArgument);
        assert_non_null(strstr(why.text, says[i]));
    }
    Recipe r = {0, 0};
    snBox flat = {{0, 0, 0}, {1, 0, 1}};
    assert_int_equal(snIso_Mesh(&arena, fieldOf, &r, flat, (snIsoSize){0.2, 0}, &s, &why),
                     sn_errorArgument);
    assert_int_equal(snIso_Mesh(&arena, fieldOf, &r, box, (snIsoSize){0, 3}, &s, &why),
                     sn_errorArgument);
    assert_int_equal(snIso_Mesh(&arena, fieldOf, &r, box, (snIsoSize){1e-5, 0}, &s, &why),
                     sn_errorArgument);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_topology),
                                       cmocka_unit_test(test_volume), cmocka_unit_test(test_count),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
