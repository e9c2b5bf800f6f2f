// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Clips and mapping files from disk; errors name file, line and, of mapping files, column.
#include "io/folder.h"

#include "rig/clip.h"
#include "scenes/groove.h"

static char groove[SN_GROOVE_SIZE];

static void save(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    fwrite(text, 1, strlen(text), file);
    fclose(file);
}

static snStatus load(const char* map, snClip** clip, snMessage* why)
{
    snClipDef def;
    snClipDef_Init(&def);
    def.map = map;
    return snClip_Load(NULL, "groove.bvh", &def, clip, why);
}

static void bothKindsOfMapping(void** state)
{
    (void)state;
    static const char* const MAPS[2] = {"# joint bone\nLeftArm  upper_arm_r\n\nRightHand -\n",
                                        " {\"LeftArm\": \"upper_arm_r\", \"RightHand\": \"-\"}"};
    snGroove_Write(groove);
    save("groove.bvh", groove);
    for (int i = 0; i < 2; ++i) {
        snMessage why;
        snClip* clip;
        save("map", MAPS[i]);
        assert_ok(load("map", &clip, &why), why);
        assert_string_equal(clip->alias[6], "upper_arm_r");
        assert_string_equal(snClip_Joint(clip, 6)->part, "upper_arm_r");
        assert_null(snClip_Joint(clip, 12)->part);
        snClip_Free(clip);
    }
}

static void wrongMappingsAreRefused(void** state)
{
    (void)state;
    static const char* const CASES[][2] = {
        {"LeftArm\n", "map: line 1, column 1: expected a joint and a bone, found 'LeftArm' alone"},
        {"\n LeftArm a b\n", "map: line 2, column 11: expected the line to end"},
        {"Hips pelvis\nLeftArn upper_arm_l\n",
         "map: line 2, column 1: the clip has no joint 'LeftArn'; did you mean 'LeftArm'?"},
        {"Zzzzzzzz upper_arm_l\n", "'sinew info' lists them"},
        {"LeftArm a\n  LeftArm b\n", "map: line 2, column 3: joint 'LeftArm' is there twice"},
        {"{\"LeftArm\": 3}",
         "map: line 1, column 2: expected the name of a bone after \"LeftArm\""},
        {"{\"LeftArm\"", "map: line 1, column 11"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snMessage why;
        snClip* clip;
        save("map", CASES[i][0]);
        if (load("map", &clip, &why) != sn_errorFile || !strstr(why.text, CASES[i][1])) {
            fail_msg("case %zu: '%s', not '%s'", i, why.text, CASES[i][1]);
        }
        assert_null(clip);
    }
}

static void badCallsAreRefused(void** state)
{
    (void)state;
    snMessage why;
    snClip* clip;
    snClipDef def = {0};
    assert_int_equal(snClip_Load(NULL, "none.bvh", NULL, &clip, &why), sn_errorIo);
    assert_non_null(strstr(why.text, "none.bvh"));
    assert_int_equal(snClip_Load(NULL, "groove.bvh", &def, &clip, &why), sn_errorArgument);
    snClipDef_Init(&def);
    def.rest = 17;
    assert_int_equal(snClip_Load(NULL, "groove.bvh", &def, &clip, &why), sn_errorArgument);
    snClipDef_Init(&def);
    def.map = "map";
    assert_int_equal(snClip_Parse(NULL, groove, strlen(groove), NULL, &def, &clip, &why),
                     sn_errorArgument);
    assert_int_equal(snClip_Parse(NULL, "x", 1, "mine", NULL, &clip, &why), sn_errorFile);
    assert_int_equal(strncmp(why.text, "mine: line 1: ", 14), 0);
    assert_int_equal(snClip_Parse(NULL, NULL, 0, NULL, NULL, &clip, &why), sn_errorArgument);
    snClip_Free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bothKindsOfMapping),
        cmocka_unit_test(wrongMappingsAreRefused),
        cmocka_unit_test(badCallsAreRefused),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
