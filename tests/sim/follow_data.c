// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The shared rigs: hold frames of their clips, and the surface settles to the plain skinned one; no
// number ever is not finite, no limit is passed.

#include "sim/follow.h"

#include <dirent.h>

#include "base/random.h"
#include "check.h"

#define RIGS SN_SHARED_DATA "/rigs"
#define SKIPPED 77

static const double still_tolerance = 1e-4; // of the size; the law is 0.5 %
static const double hold = 2;               // s

static bool isRig(const char* name)
{
    const char* dot = strrchr(name, '.');
    return dot && (!strcmp(dot, ".glb") || !strcmp(dot, ".vrm") || !strcmp(dot, ".gltf"));
}

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
    snFollowDef def;
    int32_t vertices = body->weld.surface.vertex_count;
    float* offsets = calloc(3 * (size_t)vertices, sizeof *offsets);
    snFollowDef_Init(&def);
    def.body = body;
    def.track = track;
    def.rate = 30;
    def.hold = time;
    assert_ok(snFollow_Create(NULL, &def, &follow, &why), why);
    snFollow_Begin(follow);
    *moved = 0;
    for (double end = time + hold; snFollow_Facts(follow).time < end;) {
        assert_true(snFollow_Advance(follow));
        snFollow_Offsets(follow, offsets);
        *left = largest(offsets, vertices) * body->unit;
        *moved = fmax(*moved, *left);
    }
    assert_below(snFollow_Facts(follow).nearest_limit, 1.00001);
    snFollow_Free(follow);
    free(offsets);
}

static void checkRig(const char* name, snRandom* random)
{
    char path[1024];
    snMessage why;
    snRig* rig;
    snRigBody body;
    snRigBodyDef def;
    snArena arena;
    snprintf(path, sizeof path, "%s/%s", RIGS, name);
    assert_ok(snRig_Load(NULL, path, &rig, &why), why);
    snArena_Init(&arena, NULL);
    snRigBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    if (snRigBody_Make(&arena, rig, &def, &body, &why)) {
        print_message("%s: %s\n", name, why.text);
    } else {
        double worst = 0, most = 0, moved = 0, left = 0;
        for (int k = 0; k < 2 && rig->info.clip_count > 0; ++k) {
            snRigTrack track;
            int32_t clip = (int32_t)snRandom_Below(random, (uint32_t)rig->info.clip_count);
            assert_ok(snRigTrack_Make(&arena, rig, clip, NULL, &track, &why), why);
            double length = fmin(track.last - track.first, 1.5);
            holdFrame(&body, &track, track.first + snRandom_Range(random, 0, length), &moved,
                      &left);
            worst = fmax(worst, left / body.size);
            most = fmax(most, moved / body.size);
        }
        print_message("%s: %d cells, %d regions, moved %.2f %%, left after %g s %.1e %%\n", name,
                      (int)body.tets.tet_count, (int)body.regions.count, 100 * most, hold,
                      100 * worst);
        assert_below(worst, still_tolerance);
    }
    snArena_Free(&arena);
    snRig_Release(rig);
}

static void test_still(void** state)
{
    DIR* folder = opendir(RIGS);
    snRandom random = snRandom_Seed(6);
    (void)state;
    assert_non_null(folder);
    for (struct dirent* entry = readdir(folder); entry; entry = readdir(folder)) {
        if (isRig(entry->d_name)) {
            checkRig(entry->d_name, &random);
        }
    }
    closedir(folder);
}

int main(void)
{
    DIR* folder = opendir(RIGS);
    if (!folder) {
        print_message("SKIP: no rigs in %s\n", RIGS);
        return SKIPPED;
    }
    closedir(folder);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_still)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
