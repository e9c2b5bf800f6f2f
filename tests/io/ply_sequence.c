// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A binary PLY per frame holds the very floats of the frame, as its header says.

#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/blob.h"

#define FRAMES 3
#define VERTEX_BYTES 24 // six floats
#define FACE_BYTES 13   // a count and three ints

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
        assert_ok(snSink_Write(sink, makeFleshFrame(f, k, k / 64.0), &why), why);
    }
}

// The number after a line's beginning
static int countAfter(const char* text, const char* word)
{
    const char* found = strstr(text, word);
    assert_non_null(found);
    return atoi(found + strlen(word));
}

static void checkFile(const FleshStage* f, const char* path)
{
    snMessage why;
    uint8_t* bytes;
    size_t size;
    assert_ok(snFile_Read(NULL, path, 1 << 20, &bytes, &size, &why), why);
    const char *text = (const char*)bytes, *end = strstr(text, "end_header\n");
    assert_memory_equal(text, "ply\nformat binary_little_endian 1.0\n", 36);
    assert_non_null(end);
    assert_int_equal(countAfter(text, "\nelement vertex "), CHARACTERS * BLOB_VERTICES);
    assert_int_equal(countAfter(text, "\nelement face "), CHARACTERS * BLOB_TRIANGLES);
    const uint8_t* at = (const uint8_t*)end + strlen("end_header\n");
    assert_int_equal(bytes + size - at, CHARACTERS * BLOB_VERTICES * VERTEX_BYTES +
                                            CHARACTERS * BLOB_TRIANGLES * FACE_BYTES);
    for (int i = 0; i < CHARACTERS * BLOB_VERTICES; ++i, at += VERTEX_BYTES) {
        const Blob* blob = &f->blobs[i / BLOB_VERTICES];
        snVec3 x = blob->world[i % BLOB_VERTICES];
        float wanted[6] = {(float)x.x, (float)x.y, (float)x.z};
        memcpy(wanted + 3, blob->normal + 3 * (i % BLOB_VERTICES), 12);
        assert_memory_equal(at, wanted, VERTEX_BYTES);
    }
    for (int i = 0; i < CHARACTERS * BLOB_TRIANGLES; ++i, at += FACE_BYTES) {
        int32_t corners[3], before = i / BLOB_TRIANGLES * BLOB_VERTICES;
        memcpy(corners, at + 1, sizeof corners);
        assert_int_equal(at[0], 3);
        for (int k = 0; k < 3; ++k) {
            int32_t corner = f->blobs[0].triangles[3 * (i % BLOB_TRIANGLES) + k];
            assert_int_equal(corners[k], before + corner);
        }
    }
    snHost_Release(NULL, bytes, size + 1);
}

static void test_frames(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    openFleshStage(&f, 1);
    snSink* sink = openSink(&f, "sequence.ply");
    writeFrames(&f, sink);
    assert_ok(snSink_Close(sink, &why), why);
    assert_false(fileExists("sequence.ply"));
    assert_false(fileExists("sequence_0003.ply"));
    for (int k = 0; k < FRAMES; ++k) {
        char path[64];
        snprintf(path, sizeof path, "sequence_%04d.ply", k);
        makeFleshFrame(&f, k, k / 64.0);
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
    snSink* sink = openSink(&f, "sequence/x.ply");
    writeFrames(&f, sink);
    assert_true(fileExists("sequence/x_0002.ply"));
    snSink_Abort(sink);
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
    snSink* sink = openSink(&f, "half.ply");
    writeFrames(&f, sink);
    assert_ok(snSink_Close(sink, &why), why);
    f.stage.characters[1].surface_count = 0;
    sink = openSink(&f, "bones.ply");
    assert_int_equal(snSink_Write(sink, makeFleshFrame(&f, 0, 0), &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "bones alone"));
    snSink_Abort(sink);
    assert_false(fileExists("bones_0000.ply"));
    closeStage(&f.stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_abort),
        cmocka_unit_test(test_bones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
