// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The ground: flesh that falls does not go below it, comes back from it, and what the clip itself
// has below it is left alone.

#include "sim/follow_ground.h"

#include "sim/reed.h"

static const double near = 1e-5; // of the size: offsets are floats

// The reed goes down by 0.3 m in 0.15 s and stops with its end at y = low.
static void fall(Reed* r, double low)
{
    for (int i = 0; i < KEYS; ++i) {
        double t = fmin(1, fmax(0, (i / 60.0 - 0.1) / 0.15));
        r->values[3 * i] = (float)(0.5 * t);
        r->values[3 * i + 1] = (float)(0.1 + low + 0.3 * (1 - t * t * (3 - 2 * t)));
        r->values[3 * i + 2] = 0;
    }
    addChannel(&r->made, 0, sn_pathTranslation, false, KEYS, r->times, r->values);
}

// The lowest that flesh adds to what is below 0, and how far it is at the end
typedef struct Fall {
    double below; // by which vertices are below both the ground and their skinned places, at most
    double most;  // largest offset
    double left;  // in the end
} Fall;

static Fall watchFall(double low, bool ground)
{
    Reed r;
    snBodyDef def;
    Fall out = {0};
    snBodyDef_Init(&def);
    def.softness = 3;
    openReed(&r);
    fall(&r, low);
    buildReed(&r, &def);
    snFollowSetup setup;
    snFollowSetup_Init(&setup);
    setup.ground = ground;
    snFollow* follow = startOn(&r, &setup, NULL);
    int32_t n = r.body.weld.surface.vertex_count;
    float* offsets = calloc(3 * (size_t)n, sizeof *offsets);
    for (int i = 1; i < 170; ++i) {
        assert_true(snFollow_AdvanceFrame(follow));
        snFollow_Offsets(follow, offsets);
        out.left = 0;
        for (int32_t v = 0; v < n; ++v) {
            const float* o = offsets + 3 * (ptrdiff_t)v;
            double skinned = r.body.weld.surface.position[v].y - 0.1 + (double)r.values[3 * i + 1];
            double length = lengthOf((snVec4f){o[0], o[1], o[2], 0});
            out.below = fmax(out.below, fmin(0, skinned) - (skinned + (double)o[1]));
            out.most = fmax(out.most, length);
            out.left = fmax(out.left, length);
        }
    }
    free(offsets);
    snFollow_Free(follow);
    closeReed(&r);
    return out;
}

static void test_ground(void** state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) { // it stops above, on, and below the ground
        double low = 0.01 * (1 - k);
        Fall without = watchFall(low, false), with = watchFall(low, true);
        print_message("low %.2f: below %.4f and %.4f m, most %.4f and %.4f\n", low, without.below,
                      with.below, without.most, with.most);
        assert_true(without.below > 0.005);
        assert_below(with.below, near);
        assert_true(with.most > 0.3 * without.most);
        assert_below(with.left, 1e-3 * with.most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ground)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
