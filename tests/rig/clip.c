// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What a clip is said to be, and which rest pose is taken.
#include "rig/dancer.h"

static void finish(snClip* clip, int32_t rest)
{
    snMessage why;
    snClipDef def;
    snClipDef_Init(&def);
    def.rest = rest;
    clip->info.matched = 0;
    assert_ok(snClip_Finish(clip, &def, &why), why);
}

// The same by one joint as by all
static void placesAgree(void** state)
{
    (void)state;
    snClip* clip = makeGroove();
    snTransform pose[32];
    for (int32_t f = -1; f < 40; ++f) {
        snClip_Pose(clip, f, pose);
        for (int32_t j = 0; j < clip->info.joint_count; ++j) {
            snTransform one = snClip_Place(clip, f, j);
            assert_close(snLength(snSub(one.p, pose[j].p)), 0, 1e-11); // cm, 200 of them
        }
    }
    assert_close(snLength(snClip_Place(clip, 9999, 3).p), 0, 0);
    assert_null(snClip_Joint(clip, 99));
    assert_null(snClip_Joint(clip, -1));
    assert_null(snClip_Info(NULL));
    snClip_Free(clip);
}

static void restPoses(void** state)
{
    (void)state;
    snClip* clip = makeGroove();
    const snClipInfo* info = snClip_Info(clip);
    assert_int_equal(info->first, 1); // the T-pose
    assert_close(info->duration, 8, 1e-12);
    finish(clip, sn_restZero);
    assert_int_equal(info->first, 0);
    finish(clip, sn_restFirst);
    assert_int_equal(info->first, 1);
    // arms down in the first frame: no T-pose
    size_t arms[2] = {6, 10};
    for (int side = 0; side < 2; ++side) {
        clip->turn[arms[side]] = snQFromAxisAngle(snV3(0, 0, 1), side ? 1.2 : -1.2);
    }
    finish(clip, sn_restAuto);
    assert_int_equal(clip->rest_frame, -1);
    assert_int_equal(info->first, 0);
    snClip_Free(clip);
}

static void unitsAreGuessed(void** state)
{
    (void)state;
    static const struct {
        double scale; // of centimetres
        const char* name;
    } CASES[] = {{1, "cm"},  {0.01, "m"},        {0.1, "dm"},
                 {10, "mm"}, {1 / 2.54, "inch"}, {1 / 5.64, "CMU's (5.64 cm)"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snClip* clip = makeGroove();
        for (int32_t j = 0; j < clip->info.joint_count; ++j) {
            clip->joints[j].offset = snScale(CASES[i].scale, clip->joints[j].offset);
        }
        finish(clip, sn_restAuto);
        assert_string_equal(clip->info.unit_name, CASES[i].name);
        snClip_Free(clip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placesAgree),
        cmocka_unit_test(restPoses),
        cmocka_unit_test(unitsAreGuessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
