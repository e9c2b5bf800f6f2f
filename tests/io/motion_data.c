// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Real characters with motions of other files: an FBX walk on the woman it was made for, and
// recordings on a frog and on Cesium Man, in whose names there is no forearm. What is measured is
// what one sees: soles of the skinned mesh, against the ground.

#include "io/soles.h"
#include "rig/shared.h"

#define MOCAP SN_SHARED_DATA "/mocap"

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
    snStatus status = snRig_Load(NULL, path, &rig, &why);
    if (status == sn_errorUnsupported) {
        printf("SKIP: %s: %s\n", show->hero, why.text);
        return;
    }
    assert_ok(status, why);
    assert_ok(snRig_AddMotion(rig, motion, NULL, &r, &why), why);
    const snRigMotion* clip = &rig->clips[r.clip];
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
        assert_ok(snRig_Load(NULL, path, &rig, &why), why);
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
    assert_ok(snRig_Load(NULL, RIGS "/Fox.glb", &rig, &why), why);
    assert_ok(snRig_AddMotion(rig, MOCAP "/cmu_02_01.bvh", &def, &r, &why), why);
    assert_true(!r.is_partial && !r.missing[0]);
    assert_non_null(strstr(r.follows, "'b_LeftLeg01_015' by 'LeftUpLeg'"));
    assert_below(45, r.rest_lean);
    assert_below(45, r.lean);
    assert_false(r.feet);
    snRig_Release(rig);
    assert_int_equal(remove(map), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_fox_by_map),
    };
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
