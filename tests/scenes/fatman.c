// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Fatman has the paper's numbers, fingers of their own, and dances at the paper's step: nothing
// tears, turns inside out or spikes, and his belly shakes.
#include "math/quat.h"
#include "scenes/cells.h"
#include "sim/puppet.h"

#include <scenes/scenes.h>

#define SHARE 0.15     // that counts may differ from the paper's
#define STRETCH 3.0    // most that an edge of the skin may grow: fingers bend in coarse cells
#define SHORT 0.002    // m: added to edges, which are 9 mm, so that slivers do not count
#define SHAKE_MM 10.0  // least that the navel moves against the spine
#define SHAKE_MOST 150 // mm, most

static snScene* scene;

static int open(void** state)
{
    (void)state;
    snMessage why;
    return snBuiltinScene_Find("fatman_dance")->make(NULL, &scene, &why) != sn_ok;
}

static int shut(void** state)
{
    (void)state;
    snScene_Free(scene);
    return 0;
}

static snVec3 restAt(const snFleshInfo* f, int32_t v)
{
    return snV3(f->vertices[3 * v], f->vertices[3 * v + 1], f->vertices[3 * v + 2]);
}

static int32_t nearestVertex(const snFleshInfo* f, snVec3 p)
{
    int32_t best = 0;
    for (int32_t v = 1; v < f->vertex_count; ++v) {
        if (snLength(snSub(restAt(f, v), p)) < snLength(snSub(restAt(f, best), p))) {
            best = v;
        }
    }
    return best;
}

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

// How much the edge of the skin that has grown most is longer than at rest.
static double mostStretch(const snFleshInfo* f, const float* x)
{
    double most = 0;
    for (int32_t i = 0; i < 3 * f->triangle_count; ++i) {
        int32_t a = f->triangles[i], b = f->triangles[i % 3 == 2 ? i - 2 : i + 1];
        double rest = snLength(snSub(restAt(f, a), restAt(f, b)));
        double now = snLength(snSub(pointAt(x, a), pointAt(x, b)));
        most = fmax(most, now / (rest + SHORT));
    }
    return most;
}

static void testDance(void** state)
{
    (void)state;
    const snSceneDef* def = snScene_Def(scene);
    const snCharacter* fatman = snScene_Character(scene, 0);
    const snFleshInfo* f = snCharacter_Flesh(fatman);
    int32_t navel = nearestVertex(f, snV3(0, 1.08, 0.27));
    int32_t spine = snSkeleton_FindBone(snCharacter_Skeleton(fatman), "spine");
    double stretch = 0, low = HUGE_VAL, high = -HUGE_VAL;
    snSim* sim = startSim(scene);
    assert_relative(snSim_Step(sim), 0.5e-3, 0.05, 0); // the paper's
    while (snSim_Time(sim) < def->duration - 1e-6) {
        advance(sim, 1 / def->frame_rate);
        const snFrame* frame = snSim_Frame(sim);
        const snFrameCharacter* c = &frame->characters[0];
        assert_int_equal(frame->guard.retries, 0);
        assert_int_equal(c->inverted, 0);
        stretch = fmax(stretch, mostStretch(f, c->surfaces[0].position));
        // up and down in the spine's frame
        snVec3 p = snSub(pointAt(c->surfaces[0].position, navel), c->bones[spine].p);
        double y = snQRotate(snQConj(c->bones[spine].q), p).y;
        low = frame->time > 1 ? fmin(low, y) : low;
        high = frame->time > 1 ? fmax(high, y) : high;
    }
    double shake = 1e3 * (high - low);
    print_message("fatman_dance: skin grows by %.2f at most, the navel shakes by %.0f mm\n",
                  stretch, shake);
    assert_below(stretch, STRETCH);
    assert_true(shake > SHAKE_MM && shake < SHAKE_MOST);
    snSim_Free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testCounts), cmocka_unit_test(testOwnCells),
                                       cmocka_unit_test(testDance)};
    return cmocka_run_group_tests(tests, open, shut);
}
