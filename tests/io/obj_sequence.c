// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A file per frame holds the very floats of the frame; nothing is left of a run that was given up.

#include <sys/stat.h>

#include "base/file.h"
#include "base/number.h"
#include "io/blob.h"
#include "io/obj.h"

#define FRAMES 3

static snSink* openSink(FleshStage* f, const char* path)
{
    snMessage why;
    snSink* sink;
    assert_ok(snSink_Open(NULL, f->stage.scene, path, NULL, &sink, &why), why);
    return sink;
}

static void writeFrames(FleshStage* f, snSink* sink)
{
    snMessage why;
    for (int k = 0; k < FRAMES; ++k) {
        assert_ok(snSink_Write(sink, makeFleshFrame(f, k, k / 60.0), &why), why);
    }
}

// The numbers after the n-th line that begins with a word
static void findVector(const char* text, const char* word, int n, float out[3])
{
    char start[8];
    snprintf(start, sizeof start, "\n%s ", word);
    for (int i = 0; i <= n; ++i) {
        text = strstr(text + (i > 0), start);
        assert_non_null(text);
    }
    text += strlen(start);
    for (int k = 0; k < 3; ++k) {
        double value;
        size_t used = snNumber_Parse(text, strlen(text), &value);
        assert_true(used > 0);
        out[k] = (float)value;
        text += used + 1;
    }
}

static void checkFile(const FleshStage* f, const char* path)
{
    snMessage why;
    uint8_t* bytes;
    size_t size;
    snArena arena;
    snSurface read;
    assert_ok(snFile_Read(NULL, path, 1 << 20, &bytes, &size, &why), why);
    const char* text = (const char*)bytes;
    assert_non_null(strstr(text, "o actor, first\n"));
    assert_non_null(strstr(text, "\no stand\n"));
    for (int i = 0; i < CHARACTERS * BLOB_VERTICES; i += 37) {
        const Blob* blob = &f->blobs[i / BLOB_VERTICES];
        float n[3];
        findVector(text, "vn", i, n);
        assert_memory_equal(n, blob->normal + 3 * (i % BLOB_VERTICES), sizeof n);
    }
    char corner[64];
    int32_t last = BLOB_VERTICES + f->blobs[1].triangles[3 * BLOB_TRIANGLES - 1] + 1;
    snprintf(corner, sizeof corner, " %d//%d\n", last, last);
    assert_string_equal(text + size - strlen(corner), corner);
    snHost_Release(NULL, bytes, size + 1);

    snArena_Init(&arena, NULL);
    assert_ok(snObj_Read(&arena, path, &read, &why), why);
    assert_int_equal(read.vertex_count, CHARACTERS * BLOB_VERTICES);
    assert_int_equal(read.triangle_count, CHARACTERS * BLOB_TRIANGLES);
    for (int i = 0; i < read.vertex_count; ++i) {
        snVec3 wanted = f->blobs[i / BLOB_VERTICES].world[i % BLOB_VERTICES];
        assert_true((float)read.position[i].x == (float)wanted.x);
        assert_true((float)read.position[i].y == (float)wanted.y);
        assert_true((float)read.position[i].z == (float)wanted.z);
    }
    for (int i = 0; i < 3 * BLOB_TRIANGLES; ++i) {
        assert_int_equal(read.triangle[i], f->blobs[0].triangles[i]);
        assert_int_equal(read.triangle[3 * BLOB_TRIANGLES + i],
                         BLOB_VERTICES + f->blobs[1].triangles[i]);
    }
    snArena_Free(&arena);
}

static void test_frames(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    openFleshStage(&f, 1);
    snSink* sink = openSink(&f, "sequence.obj");
    writeFrames(&f, sink);
    assert_ok(snSink_Close(sink, &why), why);
    assert_false(fileExists("sequence.obj"));
    assert_false(fileExists("sequence_0003.obj"));
    for (int k = 0; k < FRAMES; ++k) {
        char path[64];
        snprintf(path, sizeof path, "sequence_%04d.obj", k);
        makeFleshFrame(&f, k, k / 60.0);
        checkFile(&f, path);
    }
    closeStage(&f.stage);
}

// remove() takes a folder only when it is empty.
static void test_abort(void** state)
{
    (void)state;
    FleshStage f;
    openFleshStage(&f, 1);
    mkdir("sequence", 0700);
    snSink* sink = openSink(&f, "sequence/x.OBJ");
    writeFrames(&f, sink);
    assert_true(fileExists("sequence/x_0002.obj"));
    snSink_Abort(sink);
    snSink_Abort(openSink(&f, "sequence/x.obj"));
    assert_int_equal(remove("sequence"), 0);
    closeStage(&f.stage);
}

// Bones are left out beside a surface; alone they are an error that says what to do.
static void test_bones(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    openFleshStage(&f, 1);
    f.stage.characters[0].surface_count = 0;
    snSink* sink = openSink(&f, "half.obj");
    writeFrames(&f, sink);
    assert_ok(snSink_Close(sink, &why), why);
    f.stage.characters[1].surface_count = 0;
    sink = openSink(&f, "bones.obj");
    assert_int_equal(snSink_Write(sink, makeFleshFrame(&f, 0, 0), &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "bones alone"));
    assert_non_null(strstr(why.text, ".glb"));
    // who looks only at the end learns it too
    assert_int_equal(snSink_Close(sink, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "bones alone"));
    assert_false(fileExists("bones_0000.obj"));
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
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_abort),
        cmocka_unit_test(test_bones),
        cmocka_unit_test(test_unwritable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
