// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Fatman has the paper's numbers, fingers of their own, and dances at the paper's step: nothing
// tears, turns inside out or spikes, and his belly shakes. fatman_long.c dances to the end.
#include "scenes/belly.h"

#define SHARE 0.15 // that counts may differ from the paper's

static void testCounts(void** state)
{
    (void)state;
    const snFleshInfo* f = snCharacter_Flesh(snScene_Character(scene, 0));
    double high = 0;
    assert_relative(f->vertex_count, 34362, SHARE, 0);
    assert_relative(f->cell_count, 8619, SHARE, 0);
    assert_relative(f->node_count, 2121, SHARE, 0);
    assert_true(f->stable_step > 0.5e-3);
    for (int32_t v = 0; v < f->vertex_count; ++v) {
        high = fmax(high, f->vertices[3 * v + 1]);
    }
    assert_relative(high, 1.8, 0.02, 0);
    assert_true(f->total_mass > 100 && f->total_mass < 160); // chubby
}

// Tips of thumb, index and the other fingers, and the inner sides of the thighs, hang on different
// nodes.
static void testOwnCells(void** state)
{
    (void)state;
    enum { PAIRS = 4 };
    static const snVec3 TIPS[PAIRS][2] = {{{0.905, 1.48, 0.05}, {0.917, 1.48, 0}},
                                          {{-0.905, 1.48, 0.05}, {-0.917, 1.48, 0}},
                                          {{0.905, 1.48, 0.05}, {0.80, 1.475, 0.09}},
                                          {{0.025, 0.7, 0}, {-0.025, 0.7, 0}}};
    const snFleshInfo* f = snCharacter_Flesh(snScene_Character(scene, 0));
    for (int i = 0; i < PAIRS; ++i) {
        int32_t a = nearestVertex(f, TIPS[i][0]), b = nearestVertex(f, TIPS[i][1]);
        for (int k = 0; k < 16; ++k) {
            assert_int_not_equal(f->vertex_nodes[4 * a + k / 4], f->vertex_nodes[4 * b + k % 4]);
        }
    }
}

static void testOwnSkin(void** state)
{
    (void)state;
    checkOwnSkin(2);
}

static void testDance(void** state)
{
    (void)state;
    checkDance(2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testCounts), cmocka_unit_test(testOwnCells),
                                       cmocka_unit_test(testOwnSkin), cmocka_unit_test(testDance)};
    return cmocka_run_group_tests(tests, open, shut);
}
