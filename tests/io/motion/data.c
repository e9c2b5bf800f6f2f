// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Real characters with motions of other files: an FBX walk on the woman it was made for, and
// recordings on a frog and on Cesium Man, in whose names there is no forearm. What is measured is
// what one sees: soles of the skinned mesh, against the ground.

#include "import/host.h"
#include "io/motion/soles.h"
#include "math/trig.h"
#include "rig/pose.h"
#include "rig/shared.h"
#include "rig/track.h"

#define MOCAP SN_SHARED_DATA "/mocap"

#define DEGREES (180 / SN_PI)

#define MOST_LEAN 20.0 // deg, hips to head, where the recording stands

typedef struct Show {
    const char *hero, *motion;
    bool copied; // as it is
    bool runs;   // there are times without a foot on the ground
} Show;

static void play(const Show* show)
{
    char path[1024], motion[1024];
    snMessage why;
    snMotionReport r;
    snRig* rig;
    snprintf(path, sizeof path, "%s/%s", RIGS, show->hero);
    snprintf(motion, sizeof motion, SN_SHARED_DATA "/%s", show->motion);
    snStatus status = snRig_Load(importHost(), path, &rig, &why);
    if (status == sn_errorUnsupported) {
        printf("SKIP: %s: %s\n", show->hero, why.text);
        return;
    }
    assert_ok(status, why);
    assert_ok(snRig_AddMotion(rig, motion, NULL, &r, &why), why);
    const snRigClipData* clip = &rig->clips[r.clip];
    print_message(
        "%s, %s: %d joints%s, %d stances, height %.1f -> %.1f mm, slide %.1f -> %.1f mm\n",
        show->hero, clip->info.name, (int)r.joint_count, r.copied ? ", copied" : "", (int)r.stances,
        1e3 * r.height_before, 1e3 * r.height_after, 1e3 * r.slide_before, 1e3 * r.slide_after);
    assert_int_equal(r.copied, show->copied);
    assert_int_equal(r.motion_only, 1);
    assert_below(18, r.joint_count);
    assert_below(r.lean, MOST_LEAN);
    assert_true(!r.is_partial && (r.copied || (r.follows[0] && !r.missing[0])));
    assert_below(1, clip->info.duration);
    measureSoles(rig, clip, show->runs);
    snRig_Release(rig);
}

static void test_characters(void** state)
{
    (void)state;
    static const Show SHOWS[] = {
        {"Female_Adult_01.fbx", "rigs/f_walk_neutral.max.fbx", .copied = true},
        {"Female_Adult_01.fbx", "mocap/cmu_02_01.bvh", .copied = false},
        {"100Avatars_010_Froggy.vrm", "mocap/cmu_60_12.bvh", .copied = false},
        {"100Avatars_010_Froggy.vrm", "mocap/cmu_02_01.bvh", .copied = false},
        {"100Avatars_010_Froggy.vrm", "rigs/f_walk_neutral.max.fbx", .copied = false},
        {"CesiumMan.glb", "mocap/cmu_60_12.bvh", .copied = false},
        {"CesiumMan.glb", "mocap/cmu_02_03.bvh", .runs = true},
        {"CesiumMan.dae", "mocap/cmu_02_01.bvh", .copied = false},
        {"maya_kenney_character_7700_binary.fbx", "mocap/cmu_02_01.bvh", .copied = false},
    };
    for (size_t i = 0; i < sizeof SHOWS / sizeof *SHOWS; ++i) {
        play(&SHOWS[i]);
    }
}

// A clip of one pose is said to be one; a snake has no legs, a horse none that is known, and a fox
// and a dragon do not stand.
static void test_refusals(void** state)
{
    (void)state;
    static const char* const CASES[][3] = {
        {"100Avatars_010_Froggy.vrm", "/rigs/Female_Adult_01.fbx", "it is one pose"},
        {"snake-animations.glb", "/mocap/cmu_02_01.bvh", "too few joints fit"},
        {"horse-animations.glb", "/mocap/cmu_02_01.bvh", "nothing here fits its 'LeftUpLeg'"},
        {"kaiju-animations.glb", "/mocap/cmu_60_12.bvh", "needs both legs or both arms"},
        {"Fox.glb", "/mocap/cmu_02_01.bvh", "nothing fits 'LeftUpLeg'"},
        {"Trex.glb", "/mocap/cmu_60_12.bvh", "degrees off the vertical"},
        {"dragon-animations.glb", "/mocap/cmu_02_01.bvh", "degrees off the vertical"},
        {"CesiumMan.glb", "/rigs/100Avatars_010_Froggy.vrm", "no clips"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        char path[1024], motion[1024];
        snMessage why;
        snRig* rig;
        snprintf(path, sizeof path, "%s/%s", RIGS, CASES[i][0]);
        snprintf(motion, sizeof motion, SN_SHARED_DATA "%s", CASES[i][1]);
        assert_ok(snRig_Load(importHost(), path, &rig, &why), why);
        snStatus status = snRig_AddMotion(rig, motion, NULL, NULL, &why);
        if (status == sn_errorUnsupported) {
            printf("SKIP: %s\n", why.text);
        } else if (status != sn_errorArgument || !strstr(why.text, CASES[i][2])) {
            fail_msg("no '%s' in: %s", CASES[i][2], why.text);
        }
        print_message("%s\n", why.text);
        snRig_Release(rig);
    }
}

// Whoever maps a fox's legs gets them moved, and is told that it does not stand.
static void test_fox_by_map(void** state)
{
    (void)state;
    static const char MAP[] = "LeftUpLeg b_LeftLeg01_015\nLeftLeg b_LeftLeg02_016\n"
                              "RightUpLeg b_RightLeg01_019\nRightLeg b_RightLeg02_020\n";
    const char* map = "motion_data_fox.txt";
    FILE* file = fopen(map, "w");
    assert_non_null(file);
    assert_true(fputs(MAP, file) >= 0);
    assert_int_equal(fclose(file), 0);
    snMessage why;
    snMotionDef def;
    snMotionReport r;
    snRig* rig;
    snMotionDef_Init(&def);
    def.map = map;
    assert_ok(snRig_Load(importHost(), RIGS "/Fox.glb", &rig, &why), why);
    assert_ok(snRig_AddMotion(rig, MOCAP "/cmu_02_01.bvh", &def, &r, &why), why);
    assert_true(!r.is_partial && !r.missing[0]);
    assert_non_null(strstr(r.follows, "'b_LeftLeg01_015' by 'LeftUpLeg'"));
    assert_below(45, r.rest_lean);
    assert_below(45, r.lean);
    assert_false(r.feet);
    snRig_Release(rig);
    assert_int_equal(remove(map), 0);
}

// A walk that begins in mid-step: held, it is the loop that it was, and feet that stand flat point
// ahead, both alike.
static void test_walk(void** state)
{
    (void)state;
    static const char* const FEET[2][2] = {{"mixamorig:LeftFoot", "mixamorig:LeftToeBase"},
                                           {"mixamorig:RightFoot", "mixamorig:RightToeBase"}};
    static const double STANCE[2] = {0.55, 0.1}; // s
    snMessage why;
    snMotionReport r;
    snRig* rig;
    snArena arena;
    snRigTrack track;
    assert_ok(snRig_Load(importHost(), RIGS "/100Avatars_010_Froggy.vrm", &rig, &why), why);
    snStatus status = snRig_AddMotion(rig, RIGS "/f_walk_neutral.max.fbx", NULL, &r, &why);
    if (status == sn_errorUnsupported) {
        printf("SKIP: %s\n", why.text);
        snRig_Release(rig);
        return;
    }
    assert_ok(status, why);
    snArena_Init(&arena, NULL);
    assert_ok(snRigTrack_Build(&arena, rig, r.clip, NULL, &track, &why), why);
    assert_true(track.is_loop);
    snMatrix* world = snArena_Push(&arena, (size_t)rig->info.node_count, sizeof *world);
    for (int side = 0; side < 2; ++side) {
        int32_t node[2] = {-1, -1};
        for (int32_t n = 0; n < rig->info.node_count; ++n) {
            for (int k = 0; k < 2; ++k) {
                node[k] = strcmp(rig->nodes[n].name, FEET[side][k]) == 0 ? n : node[k];
            }
        }
        assert_true(node[0] >= 0 && node[1] >= 0);
        snRigClipData_World(rig, &rig->clips[r.clip], STANCE[side], world, NULL);
        snVec3 foot = snSub(world[node[1]].p, world[node[0]].p); // it faces -z
        double out = DEGREES * snAtan2(side ? foot.x : -foot.x, -foot.z);
        print_message("%s: %.1f degrees out\n", FEET[side][0], out);
        assert_below(0, out);
        assert_below(out, 8);
    }
    snArena_Free(&arena);
    snRig_Release(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_fox_by_map),
    };
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
