// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Embedding reproduces linear functions, inside and outside the mesh.
#include "flesh/embed.h"

#include "base/random.h"
#include "flesh/box.h"

#define POINTS 2000

static snVec3 embedded(const snTets* mesh, const snEmbedding* e, int32_t i)
{
    snVec3 y = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        y = snMulAdd(y, e->weight[i][k], mesh->position[mesh->tet[4 * e->cell[i] + k]]);
    }
    return y;
}

static void pointsComeBack(void** state)
{
    (void)state;
    static snVec3 points[POINTS];
    snTets mesh = makeBox(snV3(-1, 0, 2), snV3(1, 0.7, 2.9), 9, 4, 5);
    snRandom r = snRandom_Seed(3);
    snArena arena;
    snEmbedding e;
    snMessage why;
    for (int i = 0; i < POINTS; ++i) {
        double slack = i % 2 ? 0 : 0.4; // every other point may lie outside
        points[i] =
            snV3(snRandom_Range(&r, -1 - slack, 1 + slack), snRandom_Range(&r, -slack, 0.7 + slack),
                 snRandom_Range(&r, 2 - slack, 2.9 + slack));
    }
    snArena_Init(&arena, NULL);
    assert_ok(snEmbed_Points(&arena, &mesh, points, POINTS, &e, &why), why);
    int outside = 0;
    for (int i = 0; i < POINTS; ++i) {
        assert_below(snLength(snSub(embedded(&mesh, &e, i), points[i])), 1e-12);
        snVec3 p = points[i];
        bool out = p.x < -1 || p.x > 1 || p.y < 0 || p.y > 0.7 || p.z < 2 || p.z > 2.9;
        outside += out;
        double least = 0;
        for (int k = 0; k < 4; ++k) {
            least = fmin(least, e.weight[i][k]);
        }
        assert_int_equal(out, least < -1e-11);
    }
    assert_int_equal(e.outside, outside);
    assert_below(e.farthest, 0.4 * 1.74);
    snArena_Free(&arena);
    freeBox(&mesh);
}

// The cell taken for a point outside is one with the least gap of all.
static void outsideTakesTheNearestCell(void** state)
{
    (void)state;
    snTets mesh = makeBox(snV3(0, 0, 0), snV3(1, 1, 1), 3, 3, 3);
    snVec3 point = snV3(0.5, 0.5, 5);
    snArena arena;
    snEmbedding e;
    snMessage why;
    snArena_Init(&arena, NULL);
    assert_ok(snEmbed_Points(&arena, &mesh, &point, 1, &e, &why), why);
    bool top = false;
    for (int k = 0; k < 4; ++k) {
        top = top || mesh.position[mesh.tet[4 * e.cell[0] + k]].z == 1;
    }
    assert_true(top);
    assert_close(e.farthest, 4, 1e-9);
    snArena_Free(&arena);
    freeBox(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointsComeBack),
        cmocka_unit_test(outsideTakesTheNearestCell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
