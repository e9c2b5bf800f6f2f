// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What sinks wrote comes back: the same places at the same times. What is wrong with a file is
// said.

#include "io/folder.h"

#include "base/file.h"
#include "io/mesh/meshes.h"
#include "io/sink/animation.h"
#include "io/sink/blob.h"
#include "io/sink/point_cache.h"

#define FRAMES 6

// Floats of a node's motion and of morph targets, relative to coordinates of a few metres.
static const double glb_tolerance = 5e-6;

static double timeOf(int frame)
{
    return frame / 60.0;
}

static void record(FleshStage* f, const char* path, double error)
{
    snMessage why;
    snSink* sink;
    snSinkDef def;
    snSinkDef_Init(&def);
    def.error = error;
    assert_ok(snSink_Open(NULL, f->stage.scene, path, &def, &sink, &why), why);
    for (int k = 0; k < FRAMES; ++k) {
        assert_ok(snSink_Write(sink, makeFleshFrame(f, k, timeOf(k)), &why), why);
    }
    assert_ok(snSink_Close(sink, &why), why);
}

static snAnimation* load(const char* path, const char* mesh)
{
    snMessage why;
    snAnimation* a;
    snAnimationDef def;
    snAnimationDef_Init(&def);
    def.mesh = mesh;
    assert_ok(snAnimation_Load(NULL, path, &def, &a, &why), why);
    return a;
}

static const snFrame* show(snAnimation* a, int frame)
{
    snMessage why;
    const snFrame* shown;
    assert_ok(snAnimation_Frame(a, frame, &shown, &why), why);
    return shown;
}

// One surface against the blob of a character, and its normals against unit length
static void checkSurface(const snFrameCharacter* c, const Blob* blob, double tolerance)
{
    assert_int_equal(c->surface_count, 1);
    const snFrameSurface* s = &c->surfaces[0];
    assert_int_equal(s->vertex_count, BLOB_VERTICES);
    assert_int_equal(s->triangle_count, BLOB_TRIANGLES);
    assert_memory_equal(s->triangles, blob->triangles, sizeof blob->triangles);
    for (int i = 0; i < BLOB_VERTICES; ++i) {
        const float *x = s->position + 3 * i, *n = s->normal + 3 * i;
        const double length =
            (double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] + (double)n[2] * (double)n[2];
        assert_close((double)x[0], (double)(float)blob->world[i].x, tolerance);
        assert_close((double)x[1], (double)(float)blob->world[i].y, tolerance);
        assert_close((double)x[2], (double)(float)blob->world[i].z, tolerance);
        assert_close(length, 1, 1e-5);
    }
}

static void test_caches(void** state)
{
    (void)state;
    FleshStage f;
    openFleshStage(&f, 1);
    f.stage.characters[1].surface_count = 0;
    record(&f, "one.obj", 0);
    const char* const paths[] = {"one.pc2", "one.mdd"};
    for (int i = 0; i < 2; ++i) {
        record(&f, paths[i], 0);
        snAnimation* a = load(paths[i], "one_0000.obj");
        assert_int_equal(snAnimation_FrameCount(a), FRAMES);
        for (int k = FRAMES - 1; k >= 0; --k) {
            makeFleshFrame(&f, k, timeOf(k));
            const snFrame* shown = show(a, k);
            assert_int_equal(shown->character_count, 1);
            assert_close(shown->time, timeOf(k), 1e-7);
            assert_true(shown->time == snAnimation_Time(a, k));
            checkSurface(&shown->characters[0], &f.blobs[0], 0);
        }
        snAnimation_Free(a);
        // without a mesh the points alone
        a = load(paths[i], NULL);
        assert_int_equal(show(a, 2)->characters[0].surfaces[0].triangle_count, 0);
        assert_int_equal(show(a, 2)->characters[0].surfaces[0].vertex_count, BLOB_VERTICES);
        snAnimation_Free(a);
    }
    closeStage(&f.stage);
}

static void test_glb(void** state)
{
    (void)state;
    FleshStage f;
    openFleshStage(&f, 1);
    record(&f, "two.glb", 0);
    snAnimation* a = load("two.glb", NULL);
    assert_int_equal(snAnimation_FrameCount(a), FRAMES);
    for (int k = 0; k < FRAMES; ++k) {
        makeFleshFrame(&f, k, timeOf(k));
        const snFrame* shown = show(a, k);
        assert_int_equal(shown->character_count, CHARACTERS);
        assert_string_equal(shown->characters[0].name, "actor, first");
        assert_close(shown->time, timeOf(k), 1e-7);
        checkSurface(&shown->characters[0], &f.blobs[0], glb_tolerance);
        // far away: floats in the world are 1 mm apart
        checkSurface(&shown->characters[1], &f.blobs[1], 2e-3);
    }
    snAnimation_Free(a);
    closeStage(&f.stage);
}

// Bones are octahedra, whose ends are the bones' own.
static void test_bones(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    const snFrame* shown;
    openFleshStage(&f, 1);
    f.stage.characters[0].surface_count = f.stage.characters[1].surface_count = 0;
    record(&f, "bones.glb", 0);
    snAnimation* a = load("bones.glb", NULL);
    for (int k = 0; k < FRAMES; ++k) {
        const snFrame* frame = makeFleshFrame(&f, k, timeOf(k));
        shown = show(a, k);
        assert_int_equal(shown->characters[0].surfaces[0].vertex_count, 24 * ACTOR_BONES);
        assert_int_equal(shown->characters[0].surfaces[0].triangle_count, 8 * ACTOR_BONES);
        const snFrameSurface* s = &shown->characters[0].surfaces[0];
        const snTransform* shoulder = &frame->characters[0].bones[2];
        snVec3 tip = snTPoint(*shoulder, snV3(0, 0.3, 0));
        double nearest = HUGE_VAL;
        for (int i = 0; i < s->vertex_count; ++i) {
            const float* x = s->position + 3 * i;
            snVec3 gap = snSub(tip, snV3((double)x[0], (double)x[1], (double)x[2]));
            nearest = fmin(nearest, snLength(gap));
        }
        assert_close(nearest, 0, glb_tolerance);
    }
    assert_int_equal(snAnimation_Frame(a, FRAMES, &shown, &why), sn_errorArgument);
    assert_null(shown);
    assert_int_equal(snAnimation_Frame(a, -1, &shown, &why), sn_errorArgument);
    snAnimation_Free(a);
    closeStage(&f.stage);
}

// Malformed files ------------------------------------------------------------------

typedef struct Wrong {
    size_t offset;
    const char* bytes;
    size_t count;
    snStatus status;
    const char* said;
} Wrong;

static void expectWrong(snAnimationKind kind, const uint8_t* bytes, size_t size, const Wrong* w)
{
    snMessage why;
    snAnimation* a;
    uint8_t* copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    memcpy(copy + w->offset, w->bytes, w->count);
    assert_int_equal(snAnimation_Parse(NULL, kind, copy, size, NULL, 60, &a, &why), w->status);
    if (!strstr(why.text, w->said)) {
        fail_msg("expected '%s', found '%s'", w->said, why.text);
    }
    assert_null(a);
    free(copy);
}

static void test_wrong_caches(void** state)
{
    (void)state;
    uint8_t* b;
    size_t size;
    snMessage why;
    static const Wrong pc2[] = {
        {0, "X", 1, sn_errorFile, "no PC2 file"},
        {12, "\2", 1, sn_errorUnsupported, "version 2"},
        {16, "\0\0\0\0", 4, sn_errorFile, "of 0 points"},
        {16, "\xff\xff\xff\xff", 4, sn_errorFile, "of -1 points"},
        {16, "\xff\xff\xff\x7f", 4, sn_errorUnsupported, "more than"},
        {24, "\0\0\xc0\x7f", 4, sn_errorFile, "frames per sample"},
        {28, "\xff\xff\xff\x7f", 4, sn_errorFile, "cut off"},
        {32 + 12 * BLOB_VERTICES + 24, "\0\0\xc0\x7f", 4, sn_errorFile,
         "frame 1: a coordinate is not finite, or beyond 1e+15 m (1 of 6 frames, first at point "
         "2)"},
    };
    static const Wrong mdd[] = {
        {0, "\0\0\0\0", 4, sn_errorFile, "0 frames"},
        {0, "\x7f\xff\xff\xff", 4, sn_errorFile, "cut off"},
        {12, "\x7f\xc0\0\0", 4, sn_errorFile, "frame 1: its time"},
        {8 + 4 * FRAMES, "\x7f\x80\0\0", 4, sn_errorFile, "frame 0: a coordinate"},
    };
    assert_ok(snFile_Read(NULL, "one.pc2", 1 << 20, &b, &size, &why), why);
    for (size_t i = 0; i < sizeof pc2 / sizeof *pc2; ++i) {
        expectWrong(sn_animationPc2, b, size, &pc2[i]);
    }
    expectWrong(sn_animationPc2, b, size - 1, &(Wrong){0, "", 0, sn_errorFile, "cut off"});
    expectWrong(sn_animationPc2, b, 20, &(Wrong){0, "", 0, sn_errorFile, "no PC2"});
    snHost_Release(NULL, b, size + 1);
    assert_ok(snFile_Read(NULL, "one.mdd", 1 << 20, &b, &size, &why), why);
    for (size_t i = 0; i < sizeof mdd / sizeof *mdd; ++i) {
        expectWrong(sn_animationMdd, b, size, &mdd[i]);
    }
    expectWrong(sn_animationMdd, b, 4, &(Wrong){0, "", 0, sn_errorFile, "no MDD"});
    snHost_Release(NULL, b, size + 1);
}

// Puts `with` in place of the first `what` in the document, which must be as long.
static void expectWrongGlb(const uint8_t* b, size_t size, const char* what, const char* with,
                           snStatus status, const char* said)
{
    char* text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, b, size);
    for (size_t i = 0; i < 20; ++i) {
        text[i] = text[i] ? text[i] : ' '; // so that the header does not end the search
    }
    const char* found = strstr(text, what);
    assert_non_null(found);
    assert_int_equal(strlen(what), strlen(with));
    expectWrong(sn_animationGlb, b, size,
                &(Wrong){(size_t)(found - text), with, strlen(with), status, said});
    free(text);
}

static void test_wrong_glb(void** state)
{
    (void)state;
    uint8_t* b;
    size_t size;
    snMessage why;
    assert_ok(snFile_Read(NULL, "two.glb", 1 << 24, &b, &size, &why), why);
    expectWrong(sn_animationGlb, b, size, &(Wrong){0, "X", 1, sn_errorFile, "no GLB"});
    expectWrong(sn_animationGlb, b, size - 1, &(Wrong){0, "", 0, sn_errorFile, "cut off"});
    expectWrong(sn_animationGlb, b, 12, &(Wrong){0, "", 0, sn_errorFile, "no GLB"});
    expectWrong(sn_animationGlb, b, size,
                &(Wrong){12, "\xff\xff\xff\xff", 4, sn_errorFile, "beyond the file"});
    expectWrong(sn_animationGlb, b, size, &(Wrong){20, "}", 1, sn_errorFile, "line 1"});
    expectWrongGlb(b, size, "\"bufferViews\"", "\"bufferViewz\"", sn_errorFile,
                   "].bufferView: there is no such view");
    expectWrongGlb(b, size, "\"input\":", "\"inpot\":", sn_errorFile,
                   "input of its sampler: it names no accessor");
    expectWrongGlb(b, size, "\"meshes\"", "\"mashes\"", sn_errorFile,
                   "mesh: there is no such mesh");
    expectWrongGlb(b, size, "\"VEC4\"", "\"VEC3\"", sn_errorFile, "type: expected VEC4");
    expectWrongGlb(b, size, "\"count\":6", "\"count\":0", sn_errorFile, "count: expected");
    expectWrongGlb(b, size, "\"children\":[1,", "\"children\":[0,", sn_errorFile, "circle");
    snHost_Release(NULL, b, size + 1);
}

// A file of a few hundred bytes that promises 2^31 vertices or frames takes no memory for them.
static void test_lies(void** state)
{
    (void)state;
    static const struct {
        snAnimationKind kind;
        uint32_t points, frames;
        const char* said;
    } lies[] = {
        {sn_animationPc2, INT32_MAX, 1, "more than"},
        {sn_animationPc2, SN_ANIMATION_MOST, INT32_MAX, "cut off"},
        {sn_animationPc2, UINT32_MAX, UINT32_MAX, "expected some"},
        {sn_animationMdd, INT32_MAX, 1, "more than"},
        {sn_animationMdd, SN_ANIMATION_MOST, INT32_MAX, "cut off"},
        {sn_animationMdd, 1, INT32_MAX, "cut off"},
        {sn_animationGlb, INT32_MAX, 1, "beyond its data"},
        {sn_animationGlb, 9, 1, "beyond its data"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i) {
        Bytes b = {.big = lies[i].kind == sn_animationMdd};
        if (lies[i].kind == sn_animationPc2) {
            putText(&b, "POINTCACHE2");
            putBits(&b, 0, 1);
            putBits(&b, 1, 4);
            putBits(&b, lies[i].points, 4);
            putFloat(&b, 0);
            putFloat(&b, 1);
            putBits(&b, lies[i].frames, 4);
        } else if (lies[i].kind == sn_animationMdd) {
            putBits(&b, lies[i].frames, 4);
            putBits(&b, lies[i].points, 4);
        } else {
            char text[512];
            int length = snprintf(
                text, sizeof text,
                "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{"
                "\"primitives\":[{\"attributes\":{"
                "\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
                "\"type\":\"VEC3\",\"count\":%u}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%u}"
                "],\"buffers\":[{\"byteLength\":64}]}",
                lies[i].points, 12 * lies[i].points);
            putText(&b, "glTF");
            putBits(&b, 2, 4);
            putBits(&b, (uint64_t)length + 28 + 64, 4);
            putBits(&b, (uint64_t)length, 4);
            putText(&b, "JSON");
            putText(&b, text);
            putBits(&b, 64, 4);
            putText(&b, "BIN");
            putBits(&b, 0, 1);
        }
        b.count += 64; // zeros
        Ration ration = {.blocks = 1000};
        snHost host = rationedHost(&ration);
        snMessage why;
        snAnimation* a;
        assert_int_not_equal(snAnimation_Parse(&host, lies[i].kind, (const uint8_t*)b.data, b.count,
                                               NULL, 60, &a, &why),
                             sn_ok);
        if (!strstr(why.text, lies[i].said)) {
            fail_msg("case %zu: expected '%s', found '%s'", i, lies[i].said, why.text);
        }
        assert_below((double)ration.most, 1e6); // a block of the arena or two
        assert_int_equal(ration.used, 0);
    }
}

#define SIDE 20 // of a grid of points

// A cache of one frame with the grid's points, larger by a scale, each at the place of another one.
static double misfitOf(float scale, int step)
{
    static Bytes b;
    snVec3 points[SIDE * SIDE];
    int32_t triangles[3 * 2 * (SIDE - 1) * (SIDE - 1)], count = 0;
    memset(&b, 0, sizeof b);
    putText(&b, "POINTCACHE2");
    putBits(&b, 0, 1);
    putBits(&b, 1, 4);
    putBits(&b, SIDE * SIDE, 4);
    putFloat(&b, 0);
    putFloat(&b, 1);
    putBits(&b, 1, 4);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int shown = i * step % (SIDE * SIDE);
        points[i] = snV3(i % SIDE, i / SIDE, 0);
        putFloat(&b, scale * (float)(shown % SIDE));
        putFloat(&b, scale * (float)(shown / SIDE));
        putFloat(&b, 0);
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            const int32_t two[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
            memcpy(triangles + 3 * count, two, sizeof two);
            count += 2;
        }
    }
    const snSurface mesh = {SIDE * SIDE, count, points, triangles};
    snMessage why;
    snAnimation* a;
    assert_ok(snAnimation_Parse(NULL, sn_animationPc2, (const uint8_t*)b.data, b.count, &mesh, 60,
                                &a, &why),
              why);
    double misfit = snAnimation_Misfit(a);
    snAnimation_Free(a);
    return misfit;
}

// Vertices in another order give edges across the body, whatever the units.
static void test_misfit(void** state)
{
    (void)state;
    assert_true(misfitOf(1, 1) == 0);
    assert_true(misfitOf(1000, 1) == 0);
    assert_true(misfitOf(1, 7) > 0.5);
    assert_true(misfitOf(0.001f, 141) > 0.5);
    assert_true(snAnimation_Misfit(NULL) == 0);
    // what has no order at all is refused
    snMessage why;
    snAnimation* a;
    snAnimationDef def;
    snAnimationDef_Init(&def);
    def.mesh = "facet.stl";
    FILE* file = fopen(def.mesh, "wb");
    assert_non_null(file);
    fputs("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
          "endloop\nendfacet\nendsolid\n",
          file);
    fclose(file);
    assert_int_equal(snAnimation_Load(NULL, "one.pc2", &def, &a, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "facet.stl: STL keeps no order of vertices"));
    // a cache of no bytes
    file = fopen("none.mdd", "wb");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(snAnimation_Load(NULL, "none.mdd", NULL, &a, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "none.mdd: the file is empty"));
}

static void test_arguments(void** state)
{
    (void)state;
    snMessage why;
    snAnimation* a;
    snAnimationDef def;
    snAnimationDef_Init(&def);
    assert_int_equal(snAnimation_Load(NULL, "one.obj", NULL, &a, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, ".pc2"));
    assert_int_equal(snAnimation_Load(NULL, "absent.mdd", NULL, &a, &why), sn_errorIo);
    assert_int_equal(snAnimation_Load(NULL, NULL, NULL, &a, &why), sn_errorArgument);
    def.mesh = "one_0000.obj";
    assert_int_equal(snAnimation_Load(NULL, "two.glb", &def, &a, &why), sn_errorArgument);
    def.frame_rate = 0;
    assert_int_equal(snAnimation_Load(NULL, "one.pc2", &def, &a, &why), sn_errorArgument);
    def.size = 0;
    assert_int_equal(snAnimation_Load(NULL, "one.pc2", &def, &a, &why), sn_errorArgument);
    // a mesh of another character
    FILE* file = fopen("triangle.obj", "wb");
    assert_non_null(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", file);
    fclose(file);
    snAnimationDef_Init(&def);
    def.mesh = "triangle.obj";
    assert_int_equal(snAnimation_Load(NULL, "one.pc2", &def, &a, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "one.pc2"));
    assert_non_null(strstr(why.text, "3 vertices"));
    snAnimation_Free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caches),    cmocka_unit_test(test_glb),
        cmocka_unit_test(test_bones),     cmocka_unit_test(test_wrong_caches),
        cmocka_unit_test(test_wrong_glb), cmocka_unit_test(test_lies),
        cmocka_unit_test(test_misfit),    cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
