// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What holds for every format.

#include "io/folder.h"

#include "io/sink/frames.h"

#define FORMATS 2

static const char* const paths[FORMATS] = {"folder/x.glb", "folder/x.CSV"};

static void makeFolder(void)
{
    mkdir("folder", 0700);
}

// remove() takes a folder only when it is empty.
static void dropFolder(void)
{
    assert_int_equal(remove("folder"), 0);
}

static void test_extension(void** state)
{
    (void)state;
    static const char* const wrong[] = {"x", "x.gltf", ".glb", "x.glb.txt", "", "glb"};
    Stage stage;
    openStage(&stage);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
        snMessage why;
        snSink* sink;
        assert_int_equal(snSink_Open(NULL, stage.scene, wrong[i], NULL, &sink, &why),
                         sn_errorUnsupported);
        assert_null(sink);
        assert_non_null(strstr(why.text, ".glb"));
        assert_non_null(strstr(why.text, ".csv"));
    }
    closeStage(&stage);
}

static void test_unwritable(void** state)
{
    (void)state;
    static const char* const wrong[] = {"no such folder/x.glb", "no such folder/x.csv"};
    Stage stage;
    openStage(&stage);
    for (size_t i = 0; i < 2; ++i) {
        snMessage why;
        snSink* sink;
        assert_int_equal(snSink_Open(NULL, stage.scene, wrong[i], NULL, &sink, &why), sn_errorIo);
        assert_null(sink);
        assert_non_null(strstr(why.text, wrong[i]));
    }
    closeStage(&stage);
}

// Nothing is left when a sink is aborted, or closed without frames.
static void test_abort(void** state)
{
    (void)state;
    Stage stage;
    openStage(&stage);
    makeFolder();
    for (int i = 0; i < FORMATS; ++i) {
        snMessage why;
        snSink* sink;
        assert_ok(snSink_Open(NULL, stage.scene, paths[i], NULL, &sink, &why), why);
        assert_ok(snSink_Write(sink, makeFrame(&stage, 0, 0), &why), why);
        snSink_Abort(sink);
        assert_ok(snSink_Open(NULL, stage.scene, paths[i], NULL, &sink, &why), why);
        assert_int_equal(snSink_Close(sink, &why), sn_errorArgument);
        assert_non_null(strstr(why.text, "no frame"));
    }
    snSink_Abort(NULL);
    dropFolder();
    closeStage(&stage);
}

// The old file stays until the new one is whole.
static void test_replace(void** state)
{
    (void)state;
    Stage stage;
    openStage(&stage);
    makeFolder();
    for (int i = 0; i < FORMATS; ++i) {
        snMessage why;
        snSink* sink;
        FILE* old = fopen(paths[i], "wb");
        assert_non_null(old);
        fputs("old", old);
        fclose(old);
        assert_ok(snSink_Open(NULL, stage.scene, paths[i], NULL, &sink, &why), why);
        assert_ok(snSink_Write(sink, makeFrame(&stage, 0, 0), &why), why);
        char text[4] = "";
        old = fopen(paths[i], "rb");
        assert_int_equal(fread(text, 1, 3, old), 3);
        fclose(old);
        assert_string_equal(text, "old");
        assert_ok(snSink_Close(sink, &why), why);
        old = fopen(paths[i], "rb");
        assert_int_equal(fread(text, 1, 3, old), 3);
        fclose(old);
        assert_string_not_equal(text, "old");
        assert_int_equal(remove(paths[i]), 0);
    }
    dropFolder();
    closeStage(&stage);
}

// A frame changed into one that must be refused
typedef void Spoil(Stage* stage);

static void spoilCharacters(Stage* stage)
{
    stage->frame.character_count = 1;
}

static void spoilBones(Stage* stage)
{
    stage->characters[1].bone_count = 3;
}

static void spoilPosition(Stage* stage)
{
    stage->bones[0][3].p.y = (double)NAN;
}

static void spoilInfinite(Stage* stage)
{
    stage->bones[1][1].p.z = -(double)INFINITY;
}

static void spoilHuge(Stage* stage)
{
    stage->bones[1][1].p.z = 1e200;
}

static void spoilRotation(Stage* stage)
{
    stage->bones[0][2].q.w = (double)NAN;
}

static void spoilLength(Stage* stage)
{
    stage->bones[0][2].q = snQ(0, 0, 0, 0);
}

static void spoilTime(Stage* stage)
{
    stage->frame.time = (double)NAN;
}

static void spoilOrder(Stage* stage)
{
    stage->frame.time = 1;
}

static void spoilNegative(Stage* stage)
{
    stage->frame.time = -1;
}

static void spoilEnergy(Stage* stage)
{
    stage->characters[0].energy.elastic = (double)NAN;
}

static void spoilMomentum(Stage* stage)
{
    stage->characters[1].momentum.angular.z = (double)INFINITY;
}

// Refused frames leave no trace: the file is the same as without them.
static void test_refused(void** state)
{
    (void)state;
    static Spoil* const spoils[] = {spoilCharacters, spoilBones,    spoilPosition, spoilInfinite,
                                    spoilHuge,       spoilRotation, spoilLength,   spoilTime,
                                    spoilOrder,      spoilNegative, spoilEnergy,   spoilMomentum};
    makeFolder();
    for (int i = 0; i < FORMATS; ++i) {
        static char bytes[2][100000];
        size_t count[2];
        for (int spoilt = 0; spoilt < 2; ++spoilt) {
            Stage stage;
            snMessage why;
            snSink* sink;
            openStage(&stage);
            assert_ok(snSink_Open(NULL, stage.scene, paths[i], NULL, &sink, &why), why);
            assert_ok(snSink_Write(sink, makeFrame(&stage, 0, 1), &why), why);
            for (size_t k = 0; k < sizeof(spoils) / sizeof(spoils[0]) && spoilt; ++k) {
                Stage copy = stage;
                makeFrame(&copy, 1, 2);
                copy.characters[0].bones = copy.bones[0];
                copy.characters[1].bones = copy.bones[1];
                copy.frame.characters = copy.characters;
                spoils[k](&copy);
                assert_int_equal(snSink_Write(sink, &copy.frame, &why), sn_errorArgument);
                assert_true(strlen(why.text) > 10);
            }
            assert_ok(snSink_Write(sink, makeFrame(&stage, 1, 2), &why), why);
            assert_string_equal(why.text, "");
            assert_ok(snSink_Close(sink, &why), why);
            FILE* file = fopen(paths[i], "rb");
            count[spoilt] = fread(bytes[spoilt], 1, sizeof(bytes[spoilt]), file);
            fclose(file);
            assert_int_equal(remove(paths[i]), 0);
            closeStage(&stage);
        }
        assert_true(count[0] > 100 && count[0] == count[1]);
        assert_memory_equal(bytes[0], bytes[1], count[0]);
    }
    dropFolder();
}

static void test_arguments(void** state)
{
    (void)state;
    Stage stage;
    snMessage why;
    snSink* sink;
    snScene* empty;
    openStage(&stage);
    assert_int_equal(snSink_Open(NULL, NULL, "x.glb", NULL, &sink, &why), sn_errorArgument);
    assert_int_equal(snSink_Open(NULL, stage.scene, NULL, NULL, &sink, &why), sn_errorArgument);
    assert_int_equal(snSink_Open(NULL, stage.scene, "x.glb", NULL, NULL, &why), sn_errorArgument);
    assert_int_equal(snSink_Write(NULL, &stage.frame, &why), sn_errorArgument);
    assert_int_equal(snSink_Close(NULL, NULL), sn_errorArgument);
    assert_ok(snScene_Create(NULL, NULL, &empty, &why), why);
    assert_int_equal(snSink_Open(NULL, empty, "x.glb", NULL, &sink, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "no characters"));
    snScene_Free(empty);
    closeStage(&stage);
}

// The sink keeps what it needs of a scene.
static void test_lifetime(void** state)
{
    (void)state;
    Stage stage;
    snMessage why;
    snSink* sink;
    openStage(&stage);
    makeFolder();
    assert_ok(snSink_Open(NULL, stage.scene, paths[0], NULL, &sink, &why), why);
    assert_ok(snSink_Write(sink, makeFrame(&stage, 0, 0), &why), why);
    closeStage(&stage);
    assert_ok(snSink_Close(sink, &why), why);
    assert_int_equal(remove(paths[0]), 0);
    dropFolder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extension), cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_abort),     cmocka_unit_test(test_replace),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_lifetime),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
