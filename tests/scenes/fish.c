// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The fish has the paper's numbers of nodes and cells, a cage that is the same on the left and on
// the right, and flops.
#include "check.h"
#include "geom/tets.h"
#include "scenes/cells.h"
#include "sim/puppet.h"

#include <scenes/scenes.h>

#define SHARE 0.15 // that counts may differ from the paper's

static snVec3 nodeAt(const snFleshInfo* f, int32_t i)
{
    return snV3(f->nodes[3 * i], f->nodes[3 * i + 1], f->nodes[3 * i + 2]);
}

static snCharacter* makeFish(void)
{
    snCharacter* c = NULL;
    snMessage why;
    assert_ok(snBuiltinCharacter_Find("fish")->make(NULL, &c, &why), why);
    return c;
}

static void testCounts(void** state)
{
    (void)state;
    snCharacter* c = makeFish();
    const snFleshInfo* f = snCharacter_Flesh(c);
    assert_relative(f->vertex_count, 958, SHARE, 0);
    assert_relative(f->cell_count, 415, SHARE, 0);
    assert_relative(f->node_count, 107, SHARE, 0);
    assert_true(f->stable_step > 1e-3);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int32_t v = 0; v < f->vertex_count; ++v) {
        low = fmin(low, f->vertices[3 * v + 2]);
        high = fmax(high, f->vertices[3 * v + 2]);
    }
    assert_relative(high - low, 1, 0.02, 0);
    snCharacter_Release(c);
}

// Cells are right side out, and mirrored nodes are fixed to the same bone.
static void testCage(void** state)
{
    (void)state;
    snCharacter* c = makeFish();
    const snFleshInfo* f = snCharacter_Flesh(c);
    for (int32_t e = 0; e < f->cell_count; ++e) {
        const int32_t* n = f->cells + 4 * (size_t)e;
        assert_true(
            snTetVolume(nodeAt(f, n[0]), nodeAt(f, n[1]), nodeAt(f, n[2]), nodeAt(f, n[3])) > 0);
    }
    int mirrored = 0, middle = 0;
    for (int32_t i = 0; i < f->node_count; ++i) {
        snVec3 p = nodeAt(f, i);
        middle += p.x == 0 && p.y == 0;
        for (int32_t j = 0; j < f->node_count; ++j) {
            snVec3 q = nodeAt(f, j);
            mirrored += snLength(snSub(snV3(-p.x, p.y, p.z), q)) < 1e-12;
        }
    }
    // cells without flesh left, and their nodes with them, hardly ever on one side only
    assert_true(mirrored >= f->node_count - 2);
    assert_true(middle >= 8); // on the bones
    snCharacter_Release(c);
}

// It leaps off the ground by its own strength; in the end it only rocks on its fin.
static void testFlop(void** state)
{
    (void)state;
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snBuiltinScene_Find("fish_flop")->make(NULL, &scene, &why), why);
    snSim* sim = startSim(scene);
    const snSceneDef* def = snScene_Def(scene);
    const snFleshInfo* f = snCharacter_Flesh(snScene_Character(scene, 0));
    bool landed = false;
    int leaps = 0, touching = 0;
    double highest = 0;
    assert_relative(snSim_Step(sim), 1e-3, 0.05, 0); // the paper's
    while (snSim_Time(sim) < def->duration - 1e-6) {
        advance(sim, 1 / def->frame_rate);
        const snFrame* frame = snSim_Frame(sim);
        const snFrameCharacter* fish = &frame->characters[0];
        assert_int_equal(frame->guard.retries, 0);
        assert_below(fish->momentum.com.y, 1);
        highest = fmax(highest, fish->momentum.com.y);
        leaps += landed && touching > 0 && fish->contact_count == 0;
        touching = fish->contact_count;
        landed = landed || touching > 0;
    }
    const snFrameCharacter* fish = &snSim_Frame(sim)->characters[0];
    double speed = snLength(fish->momentum.linear) / fish->momentum.mass;
    print_message("fish_flop: %d leaps, up to %.2f m, %.1f mm/s in the end, %d vertices inside "
                  "out\n",
                  leaps, highest, 1e3 * speed, (int)countInverted(f, fish->nodes));
    assert_true(leaps > 0);
    assert_true(touching > 0);
    assert_below(speed, 0.15);
    assert_int_equal(countInverted(f, fish->nodes), 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testCounts), cmocka_unit_test(testCage),
                                       cmocka_unit_test(testFlop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
