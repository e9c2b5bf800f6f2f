// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// PC2 and MDD hold the very floats of the frames, in the formats' order of bytes and fields.

#include "io/folder.h"

#include "base/file.h"
#include "io/sink/blob.h"
#include "io/sink/point_cache.h"

#define FRAMES 5

// The bytes of a file
typedef struct Bytes {
    uint8_t* at;
    size_t count;
} Bytes;

static Bytes readBytes(const char* path)
{
    Bytes b;
    snMessage why;
    assert_ok(snFile_Read(NULL, path, 1 << 24, &b.at, &b.count, &why), why);
    return b;
}

static uint32_t wordAt(Bytes b, size_t offset, bool big)
{
    uint32_t word = 0;
    assert_true(offset + 4 <= b.count);
    for (size_t k = 0; k < 4; ++k) {
        word |= (uint32_t)b.at[offset + k] << 8 * (big ? 3 - k : k);
    }
    return word;
}

static float floatAt(Bytes b, size_t offset, bool big)
{
    uint32_t word = wordAt(b, offset, big);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static snSink* openSink(FleshStage* f, const char* path)
{
    snMessage why;
    snSink* sink;
    assert_ok(snSink_Open(NULL, f->stage.scene, path, NULL, &sink, &why), why);
    return sink;
}

static double timeOf(int frame)
{
    return frame / 60.0 + (frame > 2 ? 0.25 : 0);
}

static void writeFrames(FleshStage* f, snSink* sink)
{
    snMessage why;
    for (int k = 0; k < FRAMES; ++k) {
        assert_ok(snSink_Write(sink, makeFleshFrame(f, k, timeOf(k)), &why), why);
    }
}

// Every vertex of every frame, from an offset to the end of the file
static void checkFrames(FleshStage* f, int character, Bytes b, size_t offset, bool big)
{
    assert_int_equal(b.count, offset + FRAMES * BLOB_VERTICES * 12);
    for (int k = 0; k < FRAMES; ++k) {
        makeFleshFrame(f, k, timeOf(k));
        for (int i = 0; i < BLOB_VERTICES; ++i) {
            snVec3 wanted = f->blobs[character].world[i];
            assert_true(floatAt(b, offset, big) == (float)wanted.x);
            assert_true(floatAt(b, offset + 4, big) == (float)wanted.y);
            assert_true(floatAt(b, offset + 8, big) == (float)wanted.z);
            offset += 12;
        }
    }
}

static void checkPc2(FleshStage* f, int character, const char* path)
{
    Bytes b = readBytes(path);
    assert_true(b.count > SN_PC2_HEADER);
    assert_memory_equal(b.at, "POINTCACHE2\0\1\0\0", 16);
    assert_int_equal(wordAt(b, 16, false), BLOB_VERTICES);
    assert_true(floatAt(b, 20, false) == 0);
    assert_true(floatAt(b, 24, false) == 1);
    assert_int_equal(wordAt(b, SN_PC2_COUNT_OFFSET, false), FRAMES);
    checkFrames(f, character, b, SN_PC2_HEADER, false);
    snHost_Release(NULL, b.at, b.count + 1);
}

static void checkMdd(FleshStage* f, int character, const char* path)
{
    Bytes b = readBytes(path);
    assert_int_equal(wordAt(b, 0, true), FRAMES);
    assert_int_equal(wordAt(b, 4, true), BLOB_VERTICES);
    for (int k = 0; k < FRAMES; ++k) {
        assert_true(floatAt(b, 8 + 4 * (size_t)k, true) == (float)timeOf(k));
    }
    checkFrames(f, character, b, 8 + 4 * FRAMES, true);
    snHost_Release(NULL, b.at, b.count + 1);
}

// One surface: the path as it was given. The other character is left out.
static void test_one(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    openFleshStage(&f, 1);
    f.stage.characters[1].surface_count = 0;
    remove("one.pc2");
    remove("one.MDD");
    snSink* sink = openSink(&f, "one.pc2");
    writeFrames(&f, sink);
    assert_false(fileExists("one.pc2"));
    assert_ok(snSink_Close(sink, &why), why);
    checkPc2(&f, 0, "one.pc2");
    sink = openSink(&f, "one.MDD");
    writeFrames(&f, sink);
    assert_false(fileExists("one.MDD"));
    assert_ok(snSink_Close(sink, &why), why);
    checkMdd(&f, 0, "one.MDD");
    assert_false(fileExists("one.MDD.frames.tmp-0"));
    closeStage(&f.stage);
}

// Several surfaces: a file each, named after the characters.
static void test_several(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    openFleshStage(&f, 1);
    snSink* sink = openSink(&f, "two.pc2");
    writeFrames(&f, sink);
    assert_ok(snSink_Close(sink, &why), why);
    checkPc2(&f, 0, "two_actor__first.pc2");
    checkPc2(&f, 1, "two_stand.pc2");
    assert_false(fileExists("two.pc2"));
    sink = openSink(&f, "two.mdd");
    writeFrames(&f, sink);
    assert_ok(snSink_Close(sink, &why), why);
    checkMdd(&f, 0, "two_actor__first.mdd");
    checkMdd(&f, 1, "two_stand.mdd");
    closeStage(&f.stage);
}

// Characters of one name: the second file has a number.
static void test_names(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene;
    snSink* sink;
    snBoneDef bone = boneDef("bone", -1, sn_jointFree, snV3(0, 0, 0), snV3(0, 0, 0));
    snCharacter* twin = makeCharacter("a/b", &bone, 1);
    assert_ok(snScene_Create(NULL, NULL, &scene, &why), why);
    assert_ok(snScene_Add(scene, twin, NULL, NULL, &why), why);
    assert_ok(snScene_Add(scene, twin, NULL, NULL, &why), why);
    snCharacter_Release(twin);
    static Blob blob;
    linkBlob(&blob);
    moveBlob(&blob, 0, 0, snV3(0, 0, 0));
    snTransform pose = {{0, 0, 0}, {0, 0, 0, 1}};
    snFrameCharacter one = {
        .bone_count = 1, .bones = &pose, .surface_count = 1, .surfaces = &blob.surface};
    snFrameCharacter both[2] = {one, one};
    snFrame frame = {.character_count = 2, .characters = both};
    assert_ok(snSink_Open(NULL, scene, "twins.pc2", NULL, &sink, &why), why);
    assert_ok(snSink_Write(sink, &frame, &why), why);
    snScene_Free(scene); // a sink does not need it any more
    assert_ok(snSink_Close(sink, &why), why);
    assert_true(fileExists("twins_a_b.pc2"));
    assert_true(fileExists("twins_a_b_2.pc2"));
}

// remove() takes a folder only when it is empty.
static void test_abort(void** state)
{
    (void)state;
    FleshStage f;
    openFleshStage(&f, 1);
    const char* const paths[] = {"cache/x.pc2", "cache/x.mdd"};
    for (int i = 0; i < 2; ++i) {
        mkdir("cache", 0700);
        snSink* sink = openSink(&f, paths[i]);
        writeFrames(&f, sink);
        snSink_Abort(sink);
        snSink_Abort(openSink(&f, paths[i]));
        assert_int_equal(remove("cache"), 0);
    }
    closeStage(&f.stage);
}

// When the second file cannot be finished, the first one goes too.
static void test_halfway(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    openFleshStage(&f, 1);
    const char* const paths[] = {"half/x.pc2", "half/x.mdd"};
    const char* const walls[] = {"half/x_stand.pc2", "half/x_stand.mdd"};
    for (int i = 0; i < 2; ++i) {
        mkdir("half", 0700);
        snSink* sink = openSink(&f, paths[i]);
        writeFrames(&f, sink);
        mkdir(walls[i], 0700);
        assert_int_equal(snSink_Close(sink, &why), sn_errorIo);
        assert_non_null(strstr(why.text, walls[i]));
        assert_int_equal(remove(walls[i]), 0);
        assert_int_equal(remove("half"), 0);
    }
    closeStage(&f.stage);
}

static void test_refusals(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    snSink* sink;
    openFleshStage(&f, 1);
    assert_int_equal(snSink_Open(NULL, f.stage.scene, "no folder/x.pc2", NULL, &sink, &why),
                     sn_errorIo);
    assert_int_equal(snSink_Open(NULL, f.stage.scene, "no folder/x.mdd", NULL, &sink, &why),
                     sn_errorIo);
    f.stage.characters[0].surface_count = f.stage.characters[1].surface_count = 0;
    const char* const paths[] = {"bones.pc2", "bones.mdd"};
    for (int i = 0; i < 2; ++i) {
        sink = openSink(&f, paths[i]);
        assert_int_equal(snSink_Write(sink, makeFleshFrame(&f, 0, 0), &why), sn_errorUnsupported);
        assert_non_null(strstr(why.text, "bones alone"));
        assert_int_equal(snSink_Close(sink, &why), sn_errorUnsupported);
        assert_false(fileExists(paths[i]));
    }
    closeStage(&f.stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one),     cmocka_unit_test(test_several),
        cmocka_unit_test(test_names),   cmocka_unit_test(test_abort),
        cmocka_unit_test(test_halfway), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
