// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Painted factors: a control that is painted with the same factor everywhere is that many times the
// control, and where it is painted 0 nothing of it is felt.

#include "sim/follow_state.h"

#include "math/trig.h"
#include "sim/reed.h"

static const double tolerance = 1e-6; // of the size: products are rounded in another order
static const double seen = 1e-3;      // of the size: what the control does

// A control of the def, and where its factors are
typedef struct Painted {
    size_t number, factors;
} Painted;

static const Painted CONTROLS[] = {
    {offsetof(snBodyDef, inertia), offsetof(snRigBody, inertia)},
    {offsetof(snBodyDef, gravity), offsetof(snRigBody, gravity)},
    {offsetof(snBodyDef, shape), offsetof(snRigBody, shape)},
};

// Where the nodes of a reed are after some frames; factor 0..1 of nodes that are painted, -1 = none
static snVec4f* run(const Painted* control, double value, double factor, int32_t* count,
                    double* size)
{
    Reed r;
    snBodyDef def;
    float turns[4 * KEYS] = {0};
    snBodyDef_Init(&def);
    def.softness = 3;
    *(double*)((char*)&def + control->number) = value;
    openReed(&r);
    moveReed(&r, 0.2, 0.2);
    for (int i = 0; i < KEYS; ++i) { // and leans, by which its own shape feels gravity
        double half = 0.4 * fmin(1, i / 12.0);
        turns[4 * i + 2] = (float)snSin(half), turns[4 * i + 3] = (float)snCos(half);
    }
    addChannel(&r.made, 0, sn_pathRotation, false, KEYS, r.times, turns);
    buildReed(&r, &def);
    *count = r.body.tets.node_count;
    *size = r.body.size;
    float* factors = calloc((size_t)*count, sizeof *factors);
    for (int32_t i = 0; i < *count; ++i) {
        factors[i] = (float)factor;
    }
    if (factor >= 0) {
        *(const float**)((char*)&r.body + control->factors) = factors;
    }
    snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
    for (int i = 0; i < 16; ++i) {
        assert_true(snFollow_AdvanceFrame(follow));
    }
    snVec4f* nodes = calloc((size_t)*count, sizeof *nodes);
    memcpy(nodes, snFollow_Nodes(follow), (size_t)*count * sizeof *nodes);
    snFollow_Free(follow);
    closeReed(&r);
    free(factors);
    return nodes;
}

static double apart(const snVec4f* a, const snVec4f* b, int32_t count)
{
    double worst = 0;
    for (int32_t i = 0; i < count; ++i) {
        worst =
            fmax(worst, lengthOf((snVec4f){a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z, 0}));
    }
    return worst;
}

static void test_factors(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof CONTROLS / sizeof *CONTROLS; ++k) {
        int32_t count;
        double size;
        snVec4f* whole = run(&CONTROLS[k], 1, -1, &count, &size);
        snVec4f* half = run(&CONTROLS[k], 0.5, -1, &count, &size);
        snVec4f* painted = run(&CONTROLS[k], 1, 0.5, &count, &size);
        snVec4f* none = run(&CONTROLS[k], 0, -1, &count, &size);
        snVec4f* blank = run(&CONTROLS[k], 1, 0, &count, &size);
        assert_true(apart(whole, half, count) > seen * size);
        assert_below(apart(painted, half, count), tolerance * size);
        assert_below(apart(blank, none, count), tolerance * size);
        free(whole);
        free(half);
        free(painted);
        free(none);
        free(blank);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_factors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
