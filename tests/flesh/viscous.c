// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Viscosity slows how each region sways at the rate that was asked for, takes energy from every
// motion, acts and reacts, leaves what moves as one alone, slows nothing more than sweeps bear, and
// is as strong as was painted.

#include "flesh/viscous.h"

#include "base/random.h"
#include "flesh/held_bar.h"

static const double near = 1e-5; // rates are floats

static snViscous makeViscous(Bar* b, const double* rate, const float* factor, double step)
{
    snMessage why;
    snViscous out;
    const double usual[2] = {0, 0};
    snViscousDef def = {.mesh = &b->mesh,
                        .fill = b->fill,
                        .mass = b->mass,
                        .regions = &b->regions,
                        .rate = rate,
                        .usual = usual,
                        .factor = factor,
                        .step = step};
    assert_ok(snViscous_Build(&b->arena, &def, &out, &why), why);
    return out;
}

static snVec3 dragOf(const snViscous* v, const snVec3* w, int32_t i)
{
    snVec3 a = snScale(-(double)v->total[i], w[i]);
    for (int32_t k = v->first[i]; k < v->first[i + 1]; ++k) {
        a = snMulAdd(a, (double)v->rate[k], w[v->node[k]]);
    }
    return a;
}

static double powerOf(const Bar* b, const snViscous* v, const snVec3* w, int32_t region)
{
    double sum = 0;
    for (int32_t i = 0; i < b->mesh.node_count; ++i) {
        bool here = region < 0 ? b->regions.of_node[i] >= 0 : b->regions.of_node[i] == region;
        sum += here ? b->mass[i] * snDot(w[i], dragOf(v, w, i)) : 0;
    }
    return sum;
}

static void test_rates(void** state)
{
    Bar b;
    (void)state;
    openBar(&b, 1);
    assert_int_equal(b.regions.count, 2);
    const double rate[2] = {3, 7};
    snViscous v = makeViscous(&b, rate, NULL, 1e-4);
    for (int32_t r = 0; r < 2; ++r) {
        assert_relative(v.made[r], rate[r], near, 0);
        assert_relative(-powerOf(&b, &v, b.regions.swaying, r), rate[r], near, 0);
    }
    closeBar(&b);
}

static void test_laws(void** state)
{
    Bar b;
    snRandom random = snRandom_Seed(4);
    const double rate[2] = {5, 5};
    (void)state;
    openBar(&b, 1);
    snViscous v = makeViscous(&b, rate, NULL, 1e-4);
    snVec3* w = calloc((size_t)b.mesh.node_count, sizeof *w);
    for (int round = 0; round < 20; ++round) {
        for (int32_t i = 0; i < b.mesh.node_count; ++i) {
            w[i] = b.held[i] ? snV3(0, 0, 0)
                             : snV3(snRandom_Normal(&random), snRandom_Normal(&random),
                                    snRandom_Normal(&random));
        }
        assert_true(powerOf(&b, &v, w, -1) < 0);
    }
    for (int32_t i = 0; i < b.mesh.node_count; ++i) {
        w[i] = snV3(1, -2, 3); // held ones too
    }
    for (int32_t i = 0; i < b.mesh.node_count; ++i) {
        assert_below(snLength(dragOf(&v, w, i)), near * (double)v.total[i] + near);
        for (int32_t k = v.first[i]; k < v.first[i + 1]; ++k) {
            int32_t j = v.node[k];
            for (int32_t back = v.first[j]; back < v.first[j + 1]; ++back) {
                if (v.node[back] == i) {
                    assert_relative(b.mass[i] * (double)v.rate[k], b.mass[j] * (double)v.rate[back],
                                    near, 1e-9);
                }
            }
        }
    }
    free(w);
    closeBar(&b);
}

// A step that is far too long for one sweep: no row slows its node by more than all in each of two
// sweeps (in one by more than half, with a shorter step), so that no mode turns round in a step.
static void test_steps(void** state)
{
    Bar b;
    const double rate[2] = {5, 5}, step = 0.05;
    (void)state;
    openBar(&b, 1);
    float* factor = snArena_Push(&b.arena, (size_t)b.mesh.node_count, sizeof *factor);
    for (int32_t i = 0; i < b.mesh.node_count; ++i) {
        factor[i] = i % (NX + 1) < NX / 2 ? 4 : 0.5f;
    }
    snViscous v = makeViscous(&b, rate, factor, step);
    assert_int_equal(v.sweeps, SN_VISCOUS_SWEEPS);
    snViscous one = makeViscous(&b, rate, NULL, 1e-4);
    assert_int_equal(one.sweeps, 1);
    assert_true(v.made[1] < rate[1]);
    for (int32_t i = 0; i < b.mesh.node_count; ++i) {
        double row = 0, other = 0;
        for (int32_t k = v.first[i]; k < v.first[i + 1]; ++k) {
            row += fabs((double)v.rate[k]);
            other += fabs((double)one.rate[k]);
        }
        assert_below(other * 1e-4, 0.5 * (1 + near));
        assert_below(row * step / v.sweeps, 1 + near);
    }
    for (int32_t r = 0; r < 2; ++r) {
        assert_relative(-powerOf(&b, &v, b.regions.swaying, r), v.made[r], near, 0);
    }
    closeBar(&b);
}

// A node feels as many times the friction with each neighbour as was painted on it, nothing where
// that is 0; the neighbours' own does not matter.
static void test_painted(void** state)
{
    static const float paint[] = {0, 0.5f, 1, 3};
    Bar b;
    const double rate[2] = {5, 5}, step = 1e-5; // so short that none is slowed less
    (void)state;
    openBar(&b, 1);
    float* factor = snArena_Push(&b.arena, (size_t)b.mesh.node_count, sizeof *factor);
    for (int32_t i = 0; i < b.mesh.node_count; ++i) {
        factor[i] = paint[i % 4];
    }
    snViscous plain = makeViscous(&b, rate, NULL, step), v = makeViscous(&b, rate, factor, step);
    for (int32_t i = 0; i < b.mesh.node_count; ++i) {
        double times = (double)factor[i];
        assert_int_equal(v.first[i + 1] - v.first[i], plain.first[i + 1] - plain.first[i]);
        assert_relative((double)v.total[i], times * (double)plain.total[i], near, 1e-9);
        for (int32_t k = v.first[i]; k < v.first[i + 1]; ++k) {
            assert_int_equal(v.node[k], plain.node[k]);
            assert_relative((double)v.rate[k], times * (double)plain.rate[k], near, 1e-9);
        }
    }
    closeBar(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_painted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
