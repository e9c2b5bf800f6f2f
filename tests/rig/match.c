// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Spines of other lengths, and what a mapping file says.
#include "rig/dancer.h"

static const char* jointOf(const snClip* clip, const snSkeleton* s, const snMatch* m,
                           const char* bone)
{
    int32_t joint = m->joint[snSkeleton_FindBone(s, bone)];
    return joint < 0 ? "-" : clip->joints[joint].name;
}

static void find(snClip* clip, const snSkeleton* s, snArena* arena, snMatch* m)
{
    snMessage why;
    clip->info.matched = 0;
    assert_ok(snClip_Finish(clip, NULL, &why), why);
    assert_ok(snMatch_Find(arena, clip, s, m, &why), why);
}

static void everyBoneButFingersFollows(void** state)
{
    (void)state;
    snArena arena;
    snMatch m;
    snArena_Init(&arena, NULL);
    snSkeleton* s = makeHumanoid();
    snClip* clip = makeGroove();
    find(clip, s, &arena, &m);
    for (int32_t i = 0; i < s->bone_count; ++i) {
        const char* name = s->defs[i].name;
        bool finger = !strncmp(name, "thumb", 5) || !strncmp(name, "index", 5) ||
                      !strncmp(name, "fingers", 7);
        assert_int_equal(m.joint[i] < 0, finger);
    }
    assert_string_equal(jointOf(clip, s, &m, "spine"), "Spine");
    assert_string_equal(jointOf(clip, s, &m, "chest"), "Chest");
    snClip_Free(clip);
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

// The last of a spine follows the last, whatever is between.
static void spinesInProportion(void** state)
{
    (void)state;
    snArena arena;
    snMatch m;
    snArena_Init(&arena, NULL);
    snSkeleton* s = makeHumanoid();
    snClip* clip = makeGroove();
    clip->joints[3].name = "Spine2"; // hips, spine, chest, spine2, head: three of a trunk, no neck
    clip->joints[4].name = "Head";
    find(clip, s, &arena, &m);
    assert_string_equal(jointOf(clip, s, &m, "spine"), "Chest");
    assert_string_equal(jointOf(clip, s, &m, "chest"), "Spine2");
    assert_string_equal(jointOf(clip, s, &m, "neck"), "-");
    snClip_Free(clip);
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

static void aMappingDecides(void** state)
{
    (void)state;
    snArena arena;
    snMatch m;
    snMessage why;
    snArena_Init(&arena, NULL);
    snSkeleton* s = makeHumanoid();
    snClip* clip = makeGroove();
    clip->alias[6] = "upper_arm_r"; // arms change sides
    clip->alias[10] = "upper_arm_l";
    clip->alias[8] = "-";
    clip->alias[2] = "spine";
    find(clip, s, &arena, &m);
    assert_string_equal(jointOf(clip, s, &m, "upper_arm_r"), "LeftArm");
    assert_string_equal(jointOf(clip, s, &m, "upper_arm_l"), "RightArm");
    assert_string_equal(jointOf(clip, s, &m, "hand_l"), "-");
    assert_string_equal(jointOf(clip, s, &m, "spine"), "Chest");
    clip->alias[6] = "uper_arm_x";
    clip->info.matched = 0;
    assert_ok(snClip_Finish(clip, NULL, &why), why);
    assert_int_equal(snMatch_Find(&arena, clip, s, &m, &why), sn_errorArgument);
    assert_non_null(strstr(
        why.text,
        "of the mapping file makes joint 'LeftArm' the bone 'uper_arm_x', which there is not"));
    snClip_Free(clip);
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyBoneButFingersFollows),
        cmocka_unit_test(spinesInProportion),
        cmocka_unit_test(aMappingDecides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
