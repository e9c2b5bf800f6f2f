// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What is written comes back through our own readers: the same triangles on the very floats of the
// frame, in every format. Nothing is left of a run that was given up.
#include "io/folder.h"

#include "base/file.h"
#include "base/number.h"
#include "io/mesh/file.h"
#include "io/sink/blob.h"

#define FRAMES 3
#define VERTICES (CHARACTERS * BLOB_VERTICES)
#define TRIANGLES (CHARACTERS * BLOB_TRIANGLES)

static const char* const KINDS[] = {"obj", "ply", "off", "stl"};
#define KIND_COUNT 4

static snSink* openSink(FleshStage* f, const char* path, bool single)
{
    snMessage why;
    snSink* sink;
    snSinkDef def;
    snSinkDef_Init(&def);
    def.single = single;
    assert_ok(snSink_Open(NULL, f->stage.scene, path, &def, &sink, &why), why);
    return sink;
}

static void writeFrames(FleshStage* f, snSink* sink)
{
    snMessage why;
    for (int k = 0; k < FRAMES; ++k) {
        assert_ok(snSink_Write(sink, makeFleshFrame(f, k, k / 64.0), &why), why);
    }
}

static void assertSame(snVec3 read, snVec3 wanted)
{
    // text has the fewest digits that give the float back
    assert_true((float)read.x == (float)wanted.x && (float)read.y == (float)wanted.y &&
                (float)read.z == (float)wanted.z);
}

// Vertices keep their order, but for STL, which has none: there corners are compared alone.
static void checkFile(const FleshStage* f, const char* path, bool ordered)
{
    snMessage why;
    snArena arena;
    snMeshFile file;
    snArena_Init(&arena, NULL);
    assert_ok(snMeshFile_Read(&arena, path, &file, &why), why);
    const snSurface* s = &file.surface;
    assert_int_equal(s->triangle_count, TRIANGLES);
    assert_int_equal(s->vertex_count, VERTICES);
    for (int i = 0; i < VERTICES && ordered; ++i) {
        assertSame(s->position[i], f->blobs[i / BLOB_VERTICES].world[i % BLOB_VERTICES]);
    }
    for (int i = 0; i < 3 * TRIANGLES; ++i) {
        const Blob* blob = &f->blobs[i / (3 * BLOB_TRIANGLES)];
        int32_t corner = blob->triangles[i % (3 * BLOB_TRIANGLES)];
        assertSame(s->position[s->triangle[i]], blob->world[corner]);
        if (ordered) {
            int32_t before = i / (3 * BLOB_TRIANGLES) * BLOB_VERTICES;
            assert_int_equal(s->triangle[i], before + corner);
        }
    }
    snArena_Free(&arena);
}

static void test_round_trip(void** state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        FleshStage f;
        snMessage why;
        char path[64];
        openFleshStage(&f, 1);
        snprintf(path, sizeof path, "a.%s", KINDS[kind]);
        snSink* sink = openSink(&f, path, false);
        writeFrames(&f, sink);
        assert_ok(snSink_Close(sink, &why), why);
        assert_false(fileExists(path));
        for (int k = 0; k < FRAMES; ++k) {
            snprintf(path, sizeof path, "a_%04d.%s", k, KINDS[kind]);
            makeFleshFrame(&f, k, k / 64.0);
            checkFile(&f, path, kind < 3);
        }
        snprintf(path, sizeof path, "a_%04d.%s", FRAMES, KINDS[kind]);
        assert_false(fileExists(path));
        closeStage(&f.stage);
    }
}

// One frame goes to the very file; a second is refused, and the first stays good.
static void test_single(void** state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        FleshStage f;
        snMessage why;
        char path[64];
        openFleshStage(&f, 1);
        snprintf(path, sizeof path, "single.%s", KINDS[kind]);
        snSink* sink = openSink(&f, path, true);
        assert_ok(snSink_Write(sink, makeFleshFrame(&f, 0, 0.5), &why), why);
        assert_int_equal(snSink_Write(sink, makeFleshFrame(&f, 1, 0.6), &why), sn_errorArgument);
        assert_non_null(strstr(why.text, "single"));
        assert_ok(snSink_Close(sink, &why), why);
        makeFleshFrame(&f, 0, 0.5);
        checkFile(&f, path, kind < 3);
        snprintf(path, sizeof path, "single_0000.%s", KINDS[kind]);
        assert_false(fileExists(path));
        closeStage(&f.stage);
    }
    // capitals stay, and a sink that is given up leaves nothing
    FleshStage f;
    snMessage why;
    openFleshStage(&f, 1);
    snSink* sink = openSink(&f, "Big.STL", true);
    assert_ok(snSink_Write(sink, makeFleshFrame(&f, 0, 0), &why), why);
    assert_true(fileExists("Big.STL"));
    snSink_Abort(sink);
    assert_false(fileExists("Big.STL"));
    closeStage(&f.stage);
}

// What the readers pass over ------------------------------------------------------

static char* readText(const char* path, size_t* size)
{
    snMessage why;
    uint8_t* bytes = NULL;
    assert_ok(snFile_Read(NULL, path, 1 << 20, &bytes, size, &why), why);
    assert_non_null(bytes);
    return (char*)bytes;
}

// The numbers after the n-th line that begins with a word
static void findVector(const char* text, const char* word, int n, float out[3])
{
    for (int i = 0; i <= n; ++i) {
        text = strstr(text + (i > 0), word);
        assert_non_null(text);
    }
    text += strlen(word);
    for (int k = 0; k < 3; ++k) {
        double value;
        size_t used = snNumber_Parse(text, strlen(text), &value);
        assert_true(used > 0);
        out[k] = (float)value;
        text += used + 1;
    }
}

// Names, normals and times of the first frame
static void test_rest(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    size_t size;
    openFleshStage(&f, 1);
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        char path[64];
        snprintf(path, sizeof path, "rest.%s", KINDS[kind]);
        snSink* sink = openSink(&f, path, true);
        assert_ok(snSink_Write(sink, makeFleshFrame(&f, 1, 0.25), &why), why);
        assert_ok(snSink_Close(sink, &why), why);
    }
    char* text = readText("rest.obj", &size);
    assert_non_null(strstr(text, "o actor, first\n"));
    assert_non_null(strstr(text, "\no stand\n"));
    for (int i = 0; i < VERTICES; i += 37) {
        float n[3];
        findVector(text, "\nvn ", i, n);
        assert_memory_equal(n, f.blobs[i / BLOB_VERTICES].normal + 3 * (i % BLOB_VERTICES),
                            sizeof n);
    }
    snHost_Release(NULL, text, size + 1);
    text = readText("rest.ply", &size);
    assert_non_null(strstr(text, "\ncomment time 0.25 s\n"));
    size_t start = size - VERTICES * 24 - TRIANGLES * 13;
    assert_memory_equal(text + start - 11, "end_header\n", 11);
    for (size_t i = 0; i < VERTICES; ++i) {
        const float* wanted = f.blobs[i / BLOB_VERTICES].normal + 3 * (i % BLOB_VERTICES);
        assert_memory_equal(text + start + 24 * i + 12, wanted, 12);
    }
    snHost_Release(NULL, text, size + 1);
    text = readText("rest.off", &size);
    assert_memory_equal(text, "OFF\n# time 0.25 s\n", 18);
    snHost_Release(NULL, text, size + 1);
    // normals by the right hand's rule
    text = readText("rest.stl", &size);
    assert_int_equal(size, 84 + 50 * TRIANGLES);
    assert_non_null(strstr(text, "time 0.25 s"));
    for (int i = 0; i < TRIANGLES; i += 7) {
        float x[12];
        snVec3 v[4];
        memcpy(x, text + 84 + 50 * i, sizeof x);
        for (int k = 0; k < 4; ++k) {
            v[k] = snV3((double)x[3 * k], (double)x[3 * k + 1], (double)x[3 * k + 2]);
        }
        snVec3 n = snNormalize(snTriangleCross(v[1], v[2], v[3]));
        assert_below(snLength(snSub(v[0], n)), 1e-6); // floats
    }
    snHost_Release(NULL, text, size + 1);
    closeStage(&f.stage);
}

// Sequences ----------------------------------------------------------------------

// remove() takes a folder only when it is empty.
static void test_abort(void** state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        FleshStage f;
        char path[64];
        openFleshStage(&f, 1);
        mkdir("sequence", 0700);
        snprintf(path, sizeof path, "sequence/x.%s", KINDS[kind]);
        snSink* sink = openSink(&f, path, false);
        writeFrames(&f, sink);
        snprintf(path, sizeof path, "sequence/x_0002.%s", KINDS[kind]);
        assert_true(fileExists(path));
        snSink_Abort(sink);
        snSink_Abort(openSink(&f, path, false));
        assert_int_equal(remove("sequence"), 0);
        closeStage(&f.stage);
    }
}

// Bones are left out beside a surface; alone they are an error that says what to do.
static void test_bones(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    openFleshStage(&f, 1);
    f.stage.characters[0].surface_count = 0;
    snSink* sink = openSink(&f, "half.obj", false);
    writeFrames(&f, sink);
    assert_ok(snSink_Close(sink, &why), why);
    f.stage.characters[1].surface_count = 0;
    sink = openSink(&f, "bones.stl", false);
    assert_int_equal(snSink_Write(sink, makeFleshFrame(&f, 0, 0), &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "bones alone, and STL holds surfaces"));
    assert_non_null(strstr(why.text, ".glb"));
    // who looks only at the end learns it too
    assert_int_equal(snSink_Close(sink, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "bones alone"));
    assert_false(fileExists("bones_0000.stl"));
    closeStage(&f.stage);
}

static void test_unwritable(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    snSink* sink;
    openFleshStage(&f, 1);
    assert_int_equal(snSink_Open(NULL, f.stage.scene, "no folder/x.obj", NULL, &sink, &why),
                     sn_errorIo);
    assert_non_null(strstr(why.text, "no folder/x_0000.obj"));
    char path[5000];
    memset(path, 'a', sizeof path);
    memcpy(path + sizeof path - 5, ".obj", 5);
    assert_int_equal(snSink_Open(NULL, f.stage.scene, path, NULL, &sink, &why), sn_errorArgument);
    closeStage(&f.stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_single),
        cmocka_unit_test(test_rest),       cmocka_unit_test(test_abort),
        cmocka_unit_test(test_bones),      cmocka_unit_test(test_unwritable),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
