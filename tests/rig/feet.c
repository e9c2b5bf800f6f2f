// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Every real clip on the humanoid: finite, without jumps, and feet that stand do stand.
#include <dirent.h>

#include "rig/dancer.h"
#include "skel/joint.h"

#define FOLDER SN_SHARED_DATA "/mocap"
#define SKIPPED 77
#define DEGREES 57.29577951308232

#define MOST_HEIGHT 0.01 // m: what the dancer may be off the ground
#define MOST_SLIDE 0.002 // m: damaged recordings, whose legs cannot follow for a frame or two
#define MOST_JUMP 60.0   // degrees a frame at 120 frames/s

static double largestJump(const snRetarget* r)
{
    const snSkeleton* s = r->skeleton;
    double worst = 0;
    for (int32_t f = 1; f < r->frame_count; ++f) {
        const double* q = r->q + (size_t)f * (size_t)s->nq;
        for (int32_t i = 0; i < s->bone_count; ++i) {
            const snBone* b = &s->bones[i];
            double d[6] = {0}, sum = 0;
            snJoint_Difference(b->type, q - s->nq + b->qi, q + b->qi, d);
            for (int32_t k = 0; k < b->nv && k < 3; ++k) {
                sum += d[k] * d[k];
            }
            assert_true(isfinite(sum));
            worst = fmax(worst, sqrt(sum));
        }
    }
    return DEGREES * worst;
}

static void tryClip(const char* name)
{
    char path[1024];
    snMessage why;
    snClip* clip;
    snFeet feet;
    snRetarget r;
    snFeetError before, after;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSkeleton* s = makeHumanoid();
    snprintf(path, sizeof path, FOLDER "/%s", name);
    assert_ok(snClip_Load(NULL, path, NULL, &clip, &why), why);
    assert_ok(snRetarget_Run(&arena, clip, s, &r, &why), why);
    assert_non_null(r.legs[0]);
    assert_ok(snFeet_Find(&arena, &r, &feet, &why), why);
    assert_ok(snFeet_Measure(&arena, &feet, &before, &why), why);
    snFeet_Hold(&feet);
    assert_ok(snFeet_Measure(&arena, &feet, &after, &why), why);
    double jump = largestJump(&r);
    print_message(
        "%-20s %2d stances, height %5.1f -> %.1f mm, slide %5.1f -> %.1f mm, %.0f degrees a "
        "frame at most\n",
        name, (int)after.stances, 1e3 * before.height, 1e3 * after.height, 1e3 * before.slide,
        1e3 * after.slide, jump);
    assert_below(after.height, MOST_HEIGHT);
    assert_below(after.slide, MOST_SLIDE);
    assert_below(jump, MOST_JUMP * fmax(1, 120 / clip->info.rate));
    snClip_Free(clip);
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

static void everyClip(void** state)
{
    (void)state;
    DIR* folder = opendir(FOLDER);
    struct dirent* entry;
    while ((entry = readdir(folder))) {
        if (strstr(entry->d_name, ".bvh")) {
            tryClip(entry->d_name);
        }
    }
    closedir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everyClip)};
    DIR* folder = opendir(FOLDER);
    if (!folder) {
        printf("SKIP: rig_feet needs the clips of %s, which are not there\n", FOLDER);
        return SKIPPED;
    }
    closedir(folder);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
