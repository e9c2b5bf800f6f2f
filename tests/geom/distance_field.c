// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Against distances that are known: interpolation is off by spacing^2/8 times the second
// derivatives, and by nothing where there are none.
#include "geom/distance_field.h"
#include "base/random.h"
#include "shapes.h"

// Samples are floats: distances below 1 m, and sums of eight of them.
#define FLOAT_ERROR 3e-7

static snArena arena;

static int open(void** state)
{
    (void)state;
    snArena_Init(&arena, NULL);
    return 0;
}

static int shut(void** state)
{
    (void)state;
    snArena_Free(&arena);
    return 0;
}

static snVec3 draw(snRandom* r, snVec3 size)
{
    double x = snRandom_Range(r, -size.x, size.x), y = snRandom_Range(r, -size.y, size.y);
    return snV3(x, y, snRandom_Range(r, -size.z, size.z));
}

static snDistanceField make(const snSurface* s, double spacing, double band)
{
    snDistanceField field;
    snMessage why;
    assert_ok(snDistanceField_Build(&arena, s, spacing, band, &field, &why), why);
    assert_true((int64_t)field.nx * field.ny * field.nz <= SN_FIELD_SAMPLES);
    return field;
}

// The Hessian of |p| has the trace 2/|p| and no negative eigenvalue: error <= h^2/8 2/|p|.
static void ballWithinItsCurvature(void** state)
{
    (void)state;
    const double R = 0.5, edge = R * SN_PI / 2 / 40, sag = edge * edge / R;
    snSurface ball = makeBall(&arena, 40, snV3(0.1, 0.2, 0.3), R);
    double worst[2] = {0, 0};
    for (int fine = 0; fine < 2; ++fine) {
        double h = fine ? 0.03 : 0.06;
        snDistanceField f = make(&ball, h, R);
        assert_close(f.spacing, h, 0);
        snRandom r = snRandom_Seed(1);
        for (int i = 0; i < 8000; ++i) {
            snVec3 q = draw(&r, snV3(0.55, 0.55, 0.55)), g;
            double size = snLength(q), nearest = size - sqrt(3) * h; // corners used
            double phi = snDistanceField_At(&f, snAdd(q, snV3(0.1, 0.2, 0.3)), &g);
            if (nearest < 0.15 || size > R + h / 4) {
                continue;
            }
            double off = fabs(phi - (size - R));
            assert_below(off, h * h / 8 * 2 / nearest + sag);
            worst[fine] = size > 0.3 ? fmax(worst[fine], off) : worst[fine];
            assert_below(snLength(snSub(g, snScale(1 / size, q))), 2 * h / nearest + sag / h);
        }
    }
    print_message("worst %.3g at 60 mm, %.3g at 30 mm\n", worst[0], worst[1]);
    assert_below(worst[1], worst[0] / 3 + sag); // of second order
}

static void torusOnBothSides(void** state)
{
    (void)state;
    const double h = 0.03, sag = 6e-3;
    snSurface torus = makeTorus(&arena, 90, 45, 1, 0.4);
    snDistanceField f = make(&torus, h, 0.4);
    snRandom r = snRandom_Seed(2);
    for (int i = 0; i < 8000; ++i) {
        snVec3 q = draw(&r, snV3(1.5, 0.5, 1.5));
        double ring = sqrt(q.x * q.x + q.z * q.z) - 1, d = sqrt(ring * ring + q.y * q.y) - 0.4;
        double phi = snDistanceField_At(&f, q, NULL);
        if (d > h / 4) { // corners of its grid cell are cut
            assert_true(phi > 0);
        } else if (d > -0.25) { // curvatures of the offset surfaces: at most 1/0.15 and 1/0.5
            assert_close(phi, d, sag + h * h / 8 * (1 / (0.15 - sqrt(3) * h) + 2));
        }
    }
    // the deepest places, and the hole
    assert_close(snDistanceField_At(&f, snV3(1, 0, 0), NULL), -0.4, h);
    assert_close(snDistanceField_At(&f, snV3(0, 0, 0), NULL), f.outer, FLOAT_ERROR);
}

static snSurface makeCube(double side)
{
    snSurface s = newSurface(&arena, 8, 12);
    static const int32_t T[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    for (int i = 0; i < 8; ++i) {
        s.position[i] = snScale(0.5 * side, snV3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    }
    memcpy(s.triangle, T, sizeof(T));
    return s;
}

// Planes are exact; within reach of an edge, or of where two faces are as near, errors stay below a
// spacing.
static void cubeHasPlanes(void** state)
{
    (void)state;
    const double h = 0.04;
    snSurface cube = makeCube(1);
    snDistanceField f = make(&cube, h, 0.5);
    snRandom r = snRandom_Seed(3);
    int exact = 0;
    for (int i = 0; i < 8000; ++i) {
        snVec3 q = draw(&r, snV3(0.5, 0.5, 0.5)), g;
        double a[3] = {0.5 - fabs(q.x), 0.5 - fabs(q.y), 0.5 - fabs(q.z)};
        int k = a[0] < a[1] && a[0] < a[2] ? 0 : a[1] < a[2] ? 1 : 2;
        double phi = snDistanceField_At(&f, q, &g), next = fmin(a[(k + 1) % 3], a[(k + 2) % 3]);
        if (next > a[k] + 2 * h) {
            assert_close(phi, -a[k], FLOAT_ERROR);
            assert_close(snLength(g), 1, FLOAT_ERROR / h);
            ++exact;
        } else {
            assert_close(phi, -a[k], h);
        }
    }
    assert_true(exact > 2000);
    // no place without a gradient, not even the middle
    snVec3 g;
    snDistanceField_At(&f, snV3(0, 0, 0), &g);
    assert_true(snLength(g) > 0.1);
}

// Along an axis the interpolated field is linear within a grid cell.
static void gradientIsTheSlope(void** state)
{
    (void)state;
    snSurface ball = makeBall(&arena, 12, snV3(0, 0, 0), 0.5);
    snDistanceField f = make(&ball, 0.07, 0.5);
    const double e = 1e-6;
    const snVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    snRandom r = snRandom_Seed(4);
    for (int i = 0; i < 3000; ++i) {
        snVec3 q = draw(&r, snV3(0.5, 0.5, 0.5)), g;
        snVec3 u = snScale(1 / f.spacing, snSub(q, f.origin));
        if (u.x - floor(u.x) < 0.01 || u.y - floor(u.y) < 0.01 || u.z - floor(u.z) < 0.01) {
            continue; // a step back could leave the grid cell
        }
        double phi = snDistanceField_At(&f, q, &g);
        for (int k = 0; k < 3; ++k) {
            double before = snDistanceField_At(&f, snMulAdd(q, -e, axes[k]), NULL);
            assert_close((phi - before) / e, snDot(g, axes[k]), 1e-8);
        }
    }
}

// Beyond the band values are cut; nothing outside the grid has a gradient.
static void valuesAreCut(void** state)
{
    (void)state;
    snSurface ball = makeBall(&arena, 20, snV3(0, 0, 0), 0.5);
    snDistanceField f = make(&ball, 0.02, 0.1);
    snVec3 g;
    assert_close(snDistanceField_At(&f, snV3(0, 0.1, 0), &g), -0.1, 1e-8);
    assert_close(snLength(g), 0, 0);
    assert_close(snDistanceField_At(&f, snV3(0, 0.45, 0), NULL), -0.05, 1e-3);
    const snVec3 outside[] = {{2, 0, 0}, {0, -2, 0}, {0, 0, 1e300}, {(double)NAN, 0, 0}};
    for (int i = 0; i < 4; ++i) {
        assert_true(snDistanceField_At(&f, outside[i], &g) == f.outer);
        assert_close(snLength(g), 0, 0);
    }
    assert_true(f.outer > 0);
}

// A ball of its own beside, and a cavity.
static void shellsWindAroundTheirOwn(void** state)
{
    (void)state;
    snSurface a = makeBall(&arena, 20, snV3(0, 0, 0), 0.5),
              b = makeBall(&arena, 20, snV3(0, 0, 0), 0.2);
    snSurface c = makeBall(&arena, 20, snV3(1, 0, 0), 0.3);
    turnInsideOut(&b);
    snSurface ab = joinSurfaces(&arena, &a, &b), all = joinSurfaces(&arena, &ab, &c);
    snDistanceField f = make(&all, 0.03, 0.5);
    snRandom r = snRandom_Seed(5);
    for (int i = 0; i < 5000; ++i) {
        snVec3 q = draw(&r, snV3(1.3, 0.5, 0.5));
        double first = snLength(q) - 0.5, hole = 0.2 - snLength(q);
        double second = snLength(snSub(q, snV3(1, 0, 0))) - 0.3;
        double d = fmin(fmax(first, hole), second);
        if (fabs(d) > 0.01) {
            assert_int_equal(snDistanceField_At(&f, q, NULL) < 0, d < 0);
        }
    }
}

static void nonsenseIsRefused(void** state)
{
    (void)state;
    snSurface cube = makeCube(1), none = newSurface(&arena, 0, 0);
    snDistanceField f;
    snMessage why;
    assert_int_equal(snDistanceField_Build(&arena, &cube, 0, 1, &f, &why), sn_errorArgument);
    assert_int_equal(snDistanceField_Build(&arena, &none, 0.1, 1, &f, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "needs triangles"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ballWithinItsCurvature), cmocka_unit_test(torusOnBothSides),
        cmocka_unit_test(cubeHasPlanes),          cmocka_unit_test(gradientIsTheSlope),
        cmocka_unit_test(valuesAreCut),           cmocka_unit_test(shellsWindAroundTheirOwn),
        cmocka_unit_test(nonsenseIsRefused),
    };
    return cmocka_run_group_tests(tests, open, shut);
}
