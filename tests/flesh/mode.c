// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Regions are what hangs together; their slowest modes are eigenvectors of the stiffness that the
// elastic forces have, and nothing is slower.

#include "flesh/mode.h"

#include "base/random.h"
#include "elastic/cells.h"
#include "flesh/held_bar.h"

static const double residual_tolerance = 0.05; // of lambda M u: the iteration ends at 0.2 %
static const double quotient_tolerance = 0.01;

// K u by the forces' slope at rest, Young's modulus 1
static void multiply(const Bar* b, const snVec3* u, double* Ku)
{
    size_t nodes = (size_t)b->mesh.node_count, cells = (size_t)b->mesh.tet_count;
    double* mu = calloc(cells, sizeof *mu);
    double* lambda = calloc(cells, sizeof *lambda);
    double* x = calloc(3 * nodes, sizeof *x);
    double* work = calloc(3 * nodes, sizeof *work);
    snLame lame = snLame_FromYoung(1, POISSON);
    snCellsDef def;
    snCellsDef_Init(&def);
    for (size_t e = 0; e < cells; ++e) {
        mu[e] = lame.mu;
        lambda[e] = lame.lambda;
    }
    def.node_count = b->mesh.node_count;
    def.cell_count = b->mesh.tet_count;
    def.rest = &b->mesh.position->x;
    def.tets = b->mesh.tet;
    def.mu = mu;
    def.lambda = lambda;
    for (size_t i = 0; i < 3 * nodes; ++i) {
        x[i] = (&b->mesh.position->x)[i] + 1e-6 * (&u->x)[i];
    }
    snCells_Forces_ref(&def, x, NULL, work, Ku);
    for (size_t i = 0; i < 3 * nodes; ++i) {
        Ku[i] = b->held[i / 3] ? 0 : -1e6 * Ku[i];
    }
    free(mu);
    free(lambda);
    free(x);
    free(work);
}

static void test_eigen(void** state)
{
    Bar b;
    (void)state;
    openBar(&b, 1);
    assert_int_equal(b.regions.count, 2);
    size_t n = 3 * (size_t)b.mesh.node_count;
    double* Ku = calloc(n, sizeof *Ku);
    double left = 0, all = 0;
    multiply(&b, b.regions.mode, Ku);
    for (size_t i = 0; i < n; ++i) {
        int32_t r = b.regions.of_node[i / 3];
        double Mu = r < 0 ? 0 : b.mass[i / 3] * (&b.regions.mode->x)[i] * b.regions.slowest[r];
        left += (Ku[i] - Mu) * (Ku[i] - Mu) / b.mass[i / 3];
        all += Mu * Mu / b.mass[i / 3];
    }
    assert_below(sqrt(left / all), residual_tolerance);
    // smooth trials are not slower: quarter waves of any direction in the second region
    snRandom random = snRandom_Seed(3);
    snVec3* u = calloc((size_t)b.mesh.node_count, sizeof *u);
    for (int trial = 0; trial < 20; ++trial) {
        double top = 0, bottom = 0, power = snRandom_Range(&random, 1, 2.5);
        snVec3 way = snV3(snRandom_Range(&random, -0.3, 0.3), snRandom_Range(&random, -1, 1),
                          snRandom_Range(&random, -1, 1));
        for (int32_t i = 0; i < b.mesh.node_count; ++i) {
            double x = b.mesh.position[i].x - 1;
            u[i] = b.regions.of_node[i] == 1 && x > 0 ? snScale(pow(x, power), way) : snV3(0, 0, 0);
        }
        multiply(&b, u, Ku);
        for (size_t i = 0; i < n; ++i) {
            top += (&u->x)[i] * Ku[i];
            bottom += b.mass[i / 3] * (&u->x)[i] * (&u->x)[i];
        }
        assert_true(top / bottom > b.regions.slowest[1] * (1 - quotient_tolerance));
    }
    free(u);
    free(Ku);
    closeBar(&b);
}

// Twice as large: as stiff against its mass as a quarter
static void test_scale(void** state)
{
    Bar a, b;
    (void)state;
    openBar(&a, 1);
    openBar(&b, 2);
    assert_relative(a.regions.slowest[1], 4 * b.regions.slowest[1], quotient_tolerance, 0);
    assert_true(a.regions.is_held[0] && a.regions.is_held[1]);
    assert_true(a.mesh.position[a.regions.loosest[1]].x > 1.9); // its free end
    closeBar(&a);
    closeBar(&b);
}

// A bar held at both ends sags as the beam it is, and not where nodes are still; a free one more.
static void test_sag(void** state)
{
    Bar b;
    snMessage why;
    (void)state;
    openBar(&b, 1);
    size_t nodes = (size_t)b.mesh.node_count;
    double* sag = calloc(nodes, sizeof *sag);
    double most[2] = {0}, usual;
    uint8_t* still = calloc(nodes, 1);
    assert_ok(snRegions_Sag(&b.regions, NULL, &b.mesh, b.fill, b.mass, NULL, POISSON, sag, &why),
              why);
    for (size_t i = 0; i < nodes; ++i) {
        int32_t r = b.regions.of_node[i];
        assert_true(r >= 0 ? sag[i] > 0 : sag[i] == 0);
        if (r >= 0) {
            most[r] = fmax(most[r], sag[i]);
        }
        still[i] = b.mesh.position[i].x > 1.5;
    }
    usual = most[1];
    // the second is free at its end; what moves as its slowest mode sags by about 1/eigenvalue
    assert_true(most[1] > 4 * most[0]);
    assert_true(usual * b.regions.slowest[1] > 0.8 && usual * b.regions.slowest[1] < 2.5);
    assert_ok(snRegions_Sag(&b.regions, NULL, &b.mesh, b.fill, b.mass, still, POISSON, sag, &why),
              why);
    for (size_t i = 0; i < nodes; ++i) {
        assert_true(!still[i] || sag[i] == 0);
        assert_true(b.regions.of_node[i] != 1 || sag[i] < 0.25 * usual);
    }
    free(still);
    free(sag);
    closeBar(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_eigen), cmocka_unit_test(test_scale),
                                       cmocka_unit_test(test_sag)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
