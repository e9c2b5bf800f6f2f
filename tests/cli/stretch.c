// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// needs: cli

// Stretches of cells that were deformed by known maps.
#include "check.h"

#include <cli/stretch.h>

#define EXACT 1e-5 // positions are floats of about 1

// Two tets that share a face, neither at the origin nor along the axes.
static const double NODES[5 * 3] = {0.1, 0.2, 0.3,  1.2, 0.3, 0.1, 0.2, 1.1,
                                    0.2, 0.3, -0.1, 1.4, 1.1, 1.2, 1.0};
static const int32_t CELLS[2 * 4] = {0, 1, 2, 3, 1, 4, 2, 3};
static const double FILL[2] = {1, 1};
static const snFleshInfo FLESH = {
    .node_count = 5, .cell_count = 2, .nodes = NODES, .cells = CELLS, .fill = FILL};

// Scales along three axes that are turned by an angle about z and one about x, then turns the whole
// by another angle.
static void deform(const double scale[3], double angle, float nodes[15])
{
    double c = cos(0.7), s = sin(0.7), d = cos(-0.4), e = sin(-0.4);
    const double axes[3][3] = {{c, s, 0}, {-s * d, c * d, e}, {s * e, -c * e, d}};
    for (int i = 0; i < 5; ++i) {
        double p[3] = {0, 0, 0};
        for (int a = 0; a < 3; ++a) {
            double along = 0;
            for (int k = 0; k < 3; ++k) {
                along += axes[a][k] * NODES[3 * i + k];
            }
            for (int k = 0; k < 3; ++k) {
                p[k] += scale[a] * along * axes[a][k];
            }
        }
        nodes[3 * i] = (float)(cos(angle) * p[0] - sin(angle) * p[2]);
        nodes[3 * i + 1] = (float)(p[1] + 0.5);
        nodes[3 * i + 2] = (float)(sin(angle) * p[0] + cos(angle) * p[2]);
    }
}

static void expectStretch(double a, double b, double c, double wanted)
{
    const double scale[3] = {a, b, c};
    float nodes[15], means[5];
    for (int turn = 0; turn < 4; ++turn) {
        deform(scale, 1.3 * turn, nodes);
        for (int32_t cell = 0; cell < 2; ++cell) {
            assert_close(cellStretch(&FLESH, cell, nodes), wanted, EXACT);
        }
        assert_true(nodeStretch(&FLESH, nodes, means));
        for (int i = 0; i < 5; ++i) {
            assert_close((double)means[i], wanted, EXACT);
        }
    }
}

static void theStretchFarthestFromOneCounts(void** state)
{
    (void)state;
    expectStretch(1, 1, 1, 1);
    expectStretch(1.3, 1, 1, 1.3);
    expectStretch(0.9, 1.3, 0.9, 1.3);
    expectStretch(1.1, 1.1, 0.8, 0.8);
    expectStretch(0.6, 0.7, 0.8, 0.6);
    expectStretch(2, 0.4, 1, 0.4); // 2.5 times is farther than 2 times
}

static void insideOutIsNothing(void** state)
{
    (void)state;
    expectStretch(-1, 1, 1, 0);
    expectStretch(1, 1, 0, 0);
}

// A node's value is a mean by volume of what its cells have.
static void nodesHaveTheMean(void** state)
{
    (void)state;
    const double scale[3] = {1, 1, 1};
    float nodes[15], means[5];
    deform(scale, 0, nodes);
    nodes[12] += 0.5f; // the node of the second cell alone
    double first = cellStretch(&FLESH, 0, nodes), second = cellStretch(&FLESH, 1, nodes);
    assert_close(first, 1, EXACT);
    assert_true(second > 1.1);
    assert_true(nodeStretch(&FLESH, nodes, means));
    assert_close((double)means[0], first, EXACT);
    assert_close((double)means[4], second, EXACT);
    for (int i = 1; i < 4; ++i) {
        assert_true((double)means[i] > first + 0.01 && (double)means[i] < second - 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theStretchFarthestFromOneCounts),
        cmocka_unit_test(insideOutIsNothing),
        cmocka_unit_test(nodesHaveTheMean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
