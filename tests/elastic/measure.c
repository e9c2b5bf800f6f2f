// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Stretch and stress of cells against closed forms of uniform strain.

#include "elastic/measure.h"
#include "elastic/box.h"

#define YOUNG 30e3
#define CUBES 3
#define CELLS (6 * CUBES * CUBES * CUBES)
#define NODES ((CUBES + 1) * (CUBES + 1) * (CUBES + 1))

// Positions and Dm^-1 are floats: strain is good to a few 1e-7, stress to as much of the modulus.
static const double stretch_tolerance = 2e-6, stress_tolerance = 2e-6 * 10 * YOUNG;

typedef struct Measured {
    float stretch[CELLS], stress[CELLS];
    uint8_t inverted[CELLS];
} Measured;

static void measure(const Box* b, snMat3 F, Measured* out)
{
    float x[3 * NODES];
    for (int i = 0; i < NODES; ++i) {
        snVec3 p = snMatVec(F, snV3(b->rest[3 * i], b->rest[3 * i + 1], b->rest[3 * i + 2]));
        x[3 * i] = (float)(p.x + 0.3), x[3 * i + 1] = (float)p.y, x[3 * i + 2] = (float)p.z;
    }
    memset(out, 0xff, sizeof *out);
    snCells_Measure(b->cells, x, out->stretch, out->stress, out->inverted);
}

static void expect(const Box* b, snMat3 F, double stretch, double stress, int inverted)
{
    Measured m;
    measure(b, F, &m);
    for (int i = 0; i < CELLS; ++i) {
        assert_close((double)m.stretch[i], stretch, stretch_tolerance);
        assert_close((double)m.stress[i], stress, stress_tolerance);
        assert_int_equal(m.inverted[i], inverted);
    }
}

static snMat3 diagonal(double x, double y, double z)
{
    return snMatFromRows(snV3(x, 0, 0), snV3(0, y, 0), snV3(0, 0, z));
}

// St. Venant-Kirchhoff with Poisson's ratio 0 pulled along x: S = Y (s^2 - 1)/2, and the force per
// present area is s S. Turning before or after changes nothing.
static void test_pull(void** state)
{
    (void)state;
    Box b;
    snRandom r = snRandom_Seed(3);
    boxInit(&b, CUBES, CUBES, CUBES, 0.1, YOUNG, 0);
    boxBuild(&b, 1);
    for (double s = 0.75; s < 1.4; s += 0.1) {
        snMat3 R = snMatFromQ(drawQuat(&r)), Q = snMatFromQ(drawQuat(&r));
        snMat3 F = snMatMul(R, snMatMul(diagonal(s, 1, 1), snTranspose(Q)));
        double stress = fabs(s * YOUNG * (s * s - 1) / 2);
        expect(&b, F, s > 1 ? s : 1, stress, 0);
    }
    boxFree(&b);
}

// Simple shear by g: E_xy = g/2, E_yy = g^2/2, S = 2 mu E + lambda tr E, sigma = F S F'.
static void test_shear(void** state)
{
    (void)state;
    Box b;
    const double g = 0.3, mu = YOUNG / 2.8, lambda = YOUNG * 0.4 / (1.4 * 0.2);
    boxInit(&b, CUBES, CUBES, CUBES, 0.1, YOUNG, 0.4);
    boxBuild(&b, 1);
    double l = lambda * g * g / 2, xx = l, yy = l + mu * g * g, xy = mu * g, zz = l;
    double pxx = xx + 2 * g * xy + g * g * yy, pxy = xy + g * yy;
    double vm =
        sqrt(0.5 * ((pxx - yy) * (pxx - yy) + (yy - zz) * (yy - zz) + (zz - pxx) * (zz - pxx)) +
             3 * pxy * pxy);
    snMat3 F = snMatFromRows(snV3(1, g, 0), snV3(0, 1, 0), snV3(0, 0, 1));
    expect(&b, F, g / 2 + sqrt(1 + g * g / 4), vm, 0);
    boxFree(&b);
}

// Pressure is no von Mises stress, whichever way the volume's strain is taken.
static void test_swelling(void** state)
{
    (void)state;
    for (int averaged = 0; averaged < 2; ++averaged) {
        Box b;
        boxInit(&b, CUBES, CUBES, CUBES, 0.1, YOUNG, 0.4);
        b.def.node_averaged = averaged;
        boxBuild(&b, 1);
        expect(&b, diagonal(1, 1, 1), 1, 0, 0);
        expect(&b, diagonal(1.2, 1.2, 1.2), 1.2, 0, 0);
        boxFree(&b);
    }
}

// Flat and turned inside out: flagged, and every number finite.
static void test_inverted(void** state)
{
    (void)state;
    Box b;
    Measured m;
    boxInit(&b, CUBES, CUBES, CUBES, 0.1, YOUNG, 0.4);
    boxBuild(&b, 1);
    for (double s = 0; s > -1; s -= 0.24) {
        measure(&b, diagonal(1, s, 1), &m);
        for (int i = 0; i < CELLS; ++i) {
            assert_int_equal(m.inverted[i], 1);
            assert_close((double)m.stretch[i], 1, stretch_tolerance);
            assert_true(isfinite(m.stress[i]) && m.stress[i] > 0.1f * (float)YOUNG);
        }
    }
    boxFree(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pull),
        cmocka_unit_test(test_shear),
        cmocka_unit_test(test_swelling),
        cmocka_unit_test(test_inverted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
