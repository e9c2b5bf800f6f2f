// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Cells give way by how much they hold: three bars in the same cage, of different thickness, bend
// under the same load, the thin one most (Kim & Pollard 2011, Fig. 8).
#include "math/vec.h"
#include "sim/puppet.h"

#include <scenes/scenes.h>

#define BARS 3
#define KNOB (-0.44) // m: z of where the knobs begin at rest
#define APART 1.5    // times that a bar bends as much as the next thicker one

static snVec3 pointOf(const double* x, int32_t i)
{
    return snV3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}

static snScene* openFills(void)
{
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snBuiltinScene_Find("three_fills")->make(NULL, &scene, &why), why);
    assert_int_equal(snScene_CharacterCount(scene), BARS);
    return scene;
}

// Nodes of thinner bars are nodes of the thickest one's cage, which is whole; thinner bars fill it
// less; the loads are the same.
static void testSameCage(void** state)
{
    (void)state;
    snScene* scene = openFills();
    const snFleshInfo* whole = snCharacter_Flesh(snScene_Character(scene, 0));
    double load[BARS];
    for (int32_t b = 0; b < BARS; ++b) {
        const snFleshInfo* f = snCharacter_Flesh(snScene_Character(scene, b));
        load[b] = 0;
        for (int32_t i = 0; i < f->node_count; ++i) {
            int same = 0;
            for (int32_t j = 0; j < whole->node_count; ++j) {
                same += snLength(snSub(pointOf(f->nodes, i), pointOf(whole->nodes, j))) == 0;
            }
            assert_int_equal(same, 1);
            load[b] += f->nodes[3 * i + 2] < KNOB ? f->mass[i] : 0;
        }
        if (b > 0) {
            const snFleshInfo* thicker = snCharacter_Flesh(snScene_Character(scene, b - 1));
            assert_true(f->volume < 0.8 * thicker->volume);
            assert_relative(load[b], load[0], 0.15, 0); // fillets between knob and bar differ
        }
    }
    snScene_Free(scene);
}

// How far the knob is below where it started, m.
static double bendOf(const snScene* scene, const snFrame* first, const snFrame* now, int32_t bar)
{
    const snFleshInfo* f = snCharacter_Flesh(snScene_Character(scene, bar));
    const float* a = first->characters[bar].surfaces[0].position;
    const float* b = now->characters[bar].surfaces[0].position;
    double sum = 0;
    int count = 0;
    for (int32_t v = 0; v < f->vertex_count; ++v) {
        if (f->vertices[3 * v + 2] < KNOB) {
            sum += (double)(a[3 * v + 1] - b[3 * v + 1]);
            ++count;
        }
    }
    assert_true(count > 0);
    return sum / count;
}

static void testOrder(void** state)
{
    (void)state;
    snScene* scene = openFills();
    snSim *still = startSim(scene), *sim = startSim(scene);
    double bend[BARS], before[BARS];
    const snFrame* first = snSim_Frame(still);
    advance(sim, snScene_Def(scene)->duration - 0.1);
    for (int32_t b = 0; b < BARS; ++b) {
        before[b] = bendOf(scene, first, snSim_Frame(sim), b);
    }
    advance(sim, 0.1);
    const snFrame* now = snSim_Frame(sim);
    assert_int_equal(now->guard.retries, 0);
    for (int32_t b = 0; b < BARS; ++b) {
        bend[b] = bendOf(scene, first, now, b);
        print_message("%s bends by %.3f m\n", now->characters[b].name, bend[b]);
        assert_close(bend[b], before[b], 2e-3); // it hangs still
        assert_int_equal(now->characters[b].inverted, 0);
    }
    assert_true(bend[0] > 0.02);
    assert_true(bend[1] > APART * bend[0] && bend[2] > APART * bend[1]);
    snSim_Free(sim);
    snSim_Free(still);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testSameCage), cmocka_unit_test(testOrder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
