// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Rigid motions meet no resistance, a stretch as much as Hooke says, and K is symmetric.

#include "flesh/stiffness.h"

#include "base/random.h"
#include "flesh/box.h"

static const double rounding = 1e-12;

typedef struct Stage {
    snArena arena;
    snTets mesh;
    double* fill;
    uint8_t* moves;
    snVec3 *u, *v, *Ku, *Kv;
    snStiffness K;
} Stage;

static void open(Stage* s, bool all)
{
    snMessage why;
    snArena_Init(&s->arena, NULL);
    s->mesh = makeBox(snV3(0, 0, 0), snV3(1, 0.5, 0.4), 4, 3, 2);
    size_t nodes = (size_t)s->mesh.node_count, cells = (size_t)s->mesh.tet_count;
    s->fill = snArena_Push(&s->arena, cells, sizeof *s->fill);
    s->moves = snArena_Push(&s->arena, nodes, 1);
    snVec3** arrays[] = {&s->u, &s->v, &s->Ku, &s->Kv};
    for (int k = 0; k < 4; ++k) {
        *arrays[k] = snArena_Push(&s->arena, nodes, sizeof(snVec3));
    }
    for (size_t e = 0; e < cells; ++e) {
        s->fill[e] = 0.5;
    }
    for (size_t i = 0; i < nodes; ++i) {
        s->moves[i] = all || s->mesh.position[i].x > 0.1;
    }
    assert_ok(snStiffness_Build(&s->arena, &s->mesh, s->fill, s->moves, snLame_FromYoung(2, 0.3),
                                &s->K, &why),
              why);
}

static void close(Stage* s)
{
    freeBox(&s->mesh);
    snArena_Free(&s->arena);
}

static double work(const Stage* s, const snVec3* a, const snVec3* b)
{
    double sum = 0;
    for (int32_t i = 0; i < s->mesh.node_count; ++i) {
        sum += snDot(a[i], b[i]);
    }
    return sum;
}

static void test_rigid(void** state)
{
    Stage s;
    (void)state;
    open(&s, true);
    for (int32_t i = 0; i < s.mesh.node_count; ++i) {
        s.u[i] = snAdd(snV3(1, -2, 3), snCross(snV3(0.3, 0.2, -0.5), s.mesh.position[i]));
    }
    snStiffness_Multiply(&s.K, s.u, s.Ku);
    for (int32_t i = 0; i < s.mesh.node_count; ++i) {
        assert_close(snLength(s.Ku[i]), 0, rounding);
    }
    close(&s);
}

// u = (x, -nu y, -nu z): energy 1/2 E V fill
static void test_stretch(void** state)
{
    Stage s;
    (void)state;
    open(&s, true);
    for (int32_t i = 0; i < s.mesh.node_count; ++i) {
        snVec3 p = s.mesh.position[i];
        s.u[i] = snV3(p.x, -0.3 * p.y, -0.3 * p.z);
    }
    snStiffness_Multiply(&s.K, s.u, s.Ku);
    assert_close(0.5 * work(&s, s.u, s.Ku), 0.5 * 2 * (1 * 0.5 * 0.4) * 0.5, rounding);
    close(&s);
}

// v'Ku = u'Kv, also with nodes that do not move, which feel and do nothing
static void test_symmetric(void** state)
{
    Stage s;
    snRandom random = snRandom_Seed(5);
    (void)state;
    open(&s, false);
    for (int32_t i = 0; i < s.mesh.node_count; ++i) {
        snVec3* pair[] = {&s.u[i], &s.v[i]};
        for (int k = 0; k < 2; ++k) {
            double x = snRandom_Range(&random, -1, 1), y = snRandom_Range(&random, -1, 1);
            *pair[k] = snV3(x, y, snRandom_Range(&random, -1, 1));
        }
    }
    snStiffness_Multiply(&s.K, s.u, s.Ku);
    snStiffness_Multiply(&s.K, s.v, s.Kv);
    assert_relative(work(&s, s.v, s.Ku), work(&s, s.u, s.Kv), rounding, rounding);
    for (int32_t i = 0; i < s.mesh.node_count; ++i) {
        assert_true(s.moves[i] || snLength(s.Ku[i]) == 0);
        s.v[i] = s.moves[i] ? s.u[i] : snV3(0, 0, 0);
    }
    snStiffness_Multiply(&s.K, s.v, s.Kv);
    for (int32_t i = 0; i < s.mesh.node_count; ++i) {
        assert_close(snLength(snSub(s.Ku[i], s.Kv[i])), 0, rounding);
    }
    close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigid), cmocka_unit_test(test_stretch),
                                       cmocka_unit_test(test_symmetric)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
