// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The shared rigs: hold a frame of one of their clips, and the surface settles to the plain skinned one; no
// number ever is not finite, no limit is passed.

#include "sim/follow.h"

#include "base/random.h"
#include "rig/shared.h"

static const double law = 0.005;            // of the size, after `hold`
static const double hold = 2;               // s
static const double still_tolerance = 1e-4; // of the size, after as many jiggles as 5 Hz has in it

static double largest(const float* offsets, int32_t count)
{
    double most = 0;
    for (int32_t v = 0; v < count; ++v) {
        const float* o = offsets + 3 * (ptrdiff_t)v;
        most = fmax(most, (double)(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]));
    }
    return sqrt(most);
}

static void holdFrame(const snRigBody* body, const snRigTrack* track, double time, double* moved,
                      double* left)
{
    snMessage why;
    snFollow* follow;
    snFollowSetup def;
    int32_t vertices = body->weld.surface.vertex_count;
    float* offsets = calloc(3 * (size_t)vertices, sizeof *offsets);
    snFollowSetup_Init(&def);
    def.body = body;
    def.track = track;
    def.rate = 30;
    def.hold = time;
    assert_ok(snFollow_Make(NULL, &def, &follow, &why), why);
    snFollow_Begin(follow);
    *moved = 0;
    for (double end = time + hold * 5 / body->def.softness; snFollow_Facts(follow).time < end;) {
        assert_true(snFollow_Go(follow));
        snFollow_Offsets(follow, offsets);
        *left = largest(offsets, vertices) * body->unit;
        *moved = fmax(*moved, *left);
        if (snFollow_Facts(follow).time >= time + hold) {
            assert_below(*left, law * body->size);
        }
    }
    assert_below(snFollow_Facts(follow).nearest_limit, 1.00001);
    snFollow_Free(follow);
    free(offsets);
}

typedef struct Look {
    snRandom random;
    int refused; // rigs that no body could be made for
} Look;

static void checkRig(const char* name, snRig* rig, void* user)
{
    Look* look = user;
    snMessage why;
    snRigBody body;
    snBodyDef def;
    snArena arena;
    snArena_Init(&arena, NULL);
    snBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    if (snRigBody_Make(&arena, rig, &def, &body, &why)) {
        print_message("%s: %s\n", name, why.text);
        look->refused++;
    } else {
        double moved = 0, left = 0;
        if (rig->info.clip_count > 0) {
            snRigTrack track;
            int32_t clip = (int32_t)snRandom_Below(&look->random, (uint32_t)rig->info.clip_count);
            assert_ok(snRigTrack_Make(&arena, rig, clip, NULL, &track, &why), why);
            double length = fmin(track.last - track.first, 1.5);
            holdFrame(&body, &track, track.first + snRandom_Range(&look->random, 0, length), &moved,
                      &left);
        }
        print_message("%s: %d cells, %d regions, moved %.2f %%, left %.1e %%\n", name,
                      (int)body.tets.tet_count, (int)body.regions.count, 100 * moved / body.size,
                      100 * left / body.size);
        assert_below(left, still_tolerance * body.size);
    }
    snArena_Free(&arena);
}

static void test_still(void** state)
{
    (void)state;
    Look look = {.random = snRandom_Seed(6)};
    eachRig(checkRig, &look);
    assert_true(look.refused <= 1); // a sheet of two triangles
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_still)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
