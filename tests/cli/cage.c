// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// needs: cli

// The outside of a block of tets: closed, outward, every edge once.
#include "check.h"

#include <cli/cage.h>

#define SIDE 3 // cubes along each side of the block
#define POINTS (SIDE + 1)
#define CUBES (SIDE * SIDE * SIDE)

typedef struct Block {
    double nodes[POINTS * POINTS * POINTS * 3];
    int32_t cells[CUBES * 6 * 4];
    snFleshInfo info;
} Block;

static int32_t nodeAt(int x, int y, int z)
{
    return (int32_t)((x * POINTS + y) * POINTS + z);
}

// Each cube in six tets around its diagonal (Kuhn): one for every order of the three axes.
static void addCube(Block* b, int x, int y, int z)
{
    static const int ORDERS[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int k = 0; k < 6; ++k) {
        int at[3] = {x, y, z};
        int32_t* cell = b->cells + (ptrdiff_t)4 * b->info.cell_count++;
        cell[0] = nodeAt(x, y, z);
        for (int step = 0; step < 3; ++step) {
            at[ORDERS[k][step]]++;
            cell[step + 1] = nodeAt(at[0], at[1], at[2]);
        }
        if (k >= 3) { // odd orders give negative volumes
            int32_t last = cell[3];
            cell[3] = cell[2];
            cell[2] = last;
        }
    }
}

static void makeBlock(Block* b)
{
    b->info =
        (snFleshInfo){.node_count = POINTS * POINTS * POINTS, .nodes = b->nodes, .cells = b->cells};
    for (int i = 0; i < POINTS * POINTS * POINTS; ++i) {
        b->nodes[3 * i] = i / (POINTS * POINTS);
        b->nodes[3 * i + 1] = i / POINTS % POINTS;
        b->nodes[3 * i + 2] = i % POINTS;
    }
    for (int i = 0; i < CUBES; ++i) {
        addCube(b, i / (SIDE * SIDE), i / SIDE % SIDE, i % SIDE);
    }
}

// The volume that a surface encloses, positive when its triangles are seen counter-clockwise from
// outside.
static double volumeInside(const Cage* cage, const double* nodes)
{
    double sum = 0;
    for (int32_t i = 0; i < cage->triangle_count; ++i) {
        const double *a = nodes + 3 * cage->triangles[3 * i],
                     *b = nodes + 3 * cage->triangles[3 * i + 1],
                     *c = nodes + 3 * cage->triangles[3 * i + 2];
        sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                a[2] * (b[0] * c[1] - b[1] * c[0])) /
               6;
    }
    return sum;
}

static void outsideOfABlock(void** state)
{
    (void)state;
    static Block b;
    Cage cage;
    makeBlock(&b);
    assert_true(makeCage(&b.info, &cage));
    assert_int_equal(cage.triangle_count, 6 * SIDE * SIDE * 2);
    assert_int_equal(2 * cage.edge_count, 3 * cage.triangle_count); // two triangles at each edge
    assert_true(fabs(volumeInside(&cage, b.nodes) - CUBES) < 1e-9);
    for (int32_t i = 0; i < 2 * cage.edge_count; i += 2) {
        assert_true(cage.edges[i] < cage.edges[i + 1]);
        assert_true(i == 0 || cage.edges[i] > cage.edges[i - 2] ||
                    (cage.edges[i] == cage.edges[i - 2] && cage.edges[i + 1] > cage.edges[i - 1]));
    }
    freeCage(&cage);
}

static void nothingHasNoOutside(void** state)
{
    (void)state;
    const snFleshInfo none = {0};
    Cage cage;
    assert_true(makeCage(&none, &cage));
    assert_int_equal(cage.triangle_count, 0);
    assert_int_equal(cage.edge_count, 0);
    freeCage(&cage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outsideOfABlock),
        cmocka_unit_test(nothingHasNoOutside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
