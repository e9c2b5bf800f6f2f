// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Rigs as animations: which clip, which frames, which surfaces. That our own files come back is
// tested in animation.c.

#include "io/folder.h"

#include "io/gltf/gltf.h"
#include "io/sink/animation.h"

static snAnimation* show(const Document* d, const char* rest, const char* clip)
{
    static Bytes b;
    snAnimation* a;
    snMessage why;
    snAnimationDef def;
    finishGlb(d, rest, &b);
    FILE* file = fopen("test.glb", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b.data, 1, b.count, file), b.count);
    fclose(file);
    snAnimationDef_Init(&def);
    def.clip = clip;
    assert_ok(snAnimation_Load(NULL, "test.glb", &def, &a, &why), why);
    return a;
}

static const snFrameSurface* surfaceAt(snAnimation* a, int64_t number, int32_t character)
{
    snMessage why;
    const snFrame* frame;
    assert_ok(snAnimation_Frame(a, number, &frame, &why), why);
    assert_true(character < frame->character_count);
    return &frame->characters[character].surfaces[0];
}

// A triangle (accessor 0) that moves along x: 0 at 1 s, 1 at 1.05 s, 2 at 1.1 s; a second clip of
// two keys, 0 at 0 s and 3 at 1.01 s
#define MOVING                                                                                     \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'name':'it','mesh':0}],"  \
    "'animations':[{'name':'a','samplers':[{'input':1,'output':2}],'channels':[{'sampler':0,"      \
    "'target':{'node':0,'path':'translation'}}]},{'name':'b','samplers':[{'input':3,'output':4}]," \
    "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]"

static void addMotion(Document* d)
{
    static const double times[3] = {1, 1.05, 1.1}, move[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    static const double long_times[2] = {0, 1.01}, far[6] = {0, 0, 0, 3, 0, 0};
    addTriangle(d);
    addNumbers(d, "SCALAR", G_FLOAT, times, 3, 1);
    addNumbers(d, "VEC3", G_FLOAT, move, 3, 3);
    addNumbers(d, "SCALAR", G_FLOAT, long_times, 2, 1);
    addNumbers(d, "VEC3", G_FLOAT, far, 2, 3);
}

static void test_clips(void** state)
{
    (void)state;
    Document d = {0};
    addMotion(&d);
    // keys that are near each other are frames
    snAnimation* a = show(&d, MOVING, NULL);
    assert_int_equal(snAnimation_FrameCount(a), 3);
    for (int64_t k = 0; k < 3; ++k) {
        assert_close(snAnimation_Time(a, k), 1 + 0.05 * (double)k, 1e-6);
        assert_true(surfaceAt(a, k, 0)->position[0] == (float)k);
    }
    snAnimation_Free(a);
    // otherwise there are 60 a second, and the end
    a = show(&d, MOVING, "b");
    assert_int_equal(snAnimation_FrameCount(a), 62);
    assert_close(snAnimation_Time(a, 30), 0.5, 1e-9);
    assert_close((double)surfaceAt(a, 30, 0)->position[0], 3 * 0.5 / 1.01, 1e-6);
    assert_close(snAnimation_Time(a, 61), 1.01, 1e-6);
    assert_true(surfaceAt(a, 61, 0)->position[0] == 3);
    snAnimation_Free(a);
    // without clips there is one frame
    a = show(&d, ONE_MESH, NULL);
    assert_int_equal(snAnimation_FrameCount(a), 1);
    assert_true(snAnimation_Time(a, 0) == 0);
    snAnimation_Free(a);
}

static void test_wrong_clips(void** state)
{
    (void)state;
    Document d = {0};
    snMessage why;
    snAnimation* a;
    snAnimationDef def;
    addMotion(&d);
    snAnimation_Free(show(&d, MOVING, NULL)); // writes the file
    snAnimationDef_Init(&def);
    def.clip = "none of these";
    assert_int_equal(snAnimation_Load(NULL, "test.glb", &def, &a, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "test.glb: it has no clip 'none of these'"));
    assert_null(a);
    assert_int_equal(snAnimation_Load(NULL, "test.pc2", &def, &a, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "has no clips"));
    snAnimation_Free(show(&d, ONE_MESH, NULL));
    assert_int_equal(snAnimation_Load(NULL, "test.glb", &def, &a, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "it has no clips"));
}

// Without skins a surface for each child of a single top, or each top; with skins one for each top
static void test_surfaces(void** state)
{
    (void)state;
    static const double joints[12] = {0}, weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    Document d = {0};
    snMessage why;
    const snFrame* frame;
    addTriangle(&d);
    addNumbers(&d, "VEC4", G_UBYTE, joints, 3, 4);
    addNumbers(&d, "VEC4", G_FLOAT, weights, 3, 4);
    snAnimation* a = show(
        &d,
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'children':[1,2]},"
        "{'name':'one','children':[3]},{'name':'two','mesh':0},{'mesh':0},{'mesh':0}],'scenes':"
        "[{'nodes':[0]}]",
        NULL);
    assert_ok(snAnimation_Frame(a, 0, &frame, &why), why);
    assert_int_equal(frame->character_count, 1); // two tops: the first with all below it
    assert_int_equal(frame->characters[0].surfaces[0].vertex_count, 6);
    snAnimation_Free(a);
    a = show(
        &d,
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'children':[1,2]},"
        "{'name':'one','children':[3]},{'name':'two','mesh':0},{'mesh':0}]",
        NULL);
    assert_ok(snAnimation_Frame(a, 0, &frame, &why), why);
    assert_int_equal(frame->character_count, 2);
    assert_string_equal(frame->characters[0].name, "two");
    assert_string_equal(frame->characters[1].name, "one");
    snAnimation_Free(a);
    a = show(&d,
             "'skins':[{'joints':[1]}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
             "'JOINTS_0':1,'WEIGHTS_0':2}}]}],'nodes':[{'name':'hero','children':[1,2]},{},{'mesh':"
             "0,'skin':0,'children':[3]},{'mesh':0}]",
             NULL);
    assert_ok(snAnimation_Frame(a, 0, &frame, &why), why);
    assert_int_equal(frame->character_count, 1);
    assert_string_equal(frame->characters[0].name, "hero");
    assert_int_equal(frame->characters[0].surfaces[0].triangle_count, 2);
    snAnimation_Free(a);
}

// A node that mirrors shows its mesh from outside all the same.
static void test_mirrored(void** state)
{
    (void)state;
    Document d = {0};
    addTriangle(&d);
    snAnimation* a = show(&d,
                          "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{"
                          "'mesh':0,'scale':[1,1,-1]},{'mesh':0,'scale':[-1,1,1]}]",
                          NULL);
    // seen from +z the triangle is outside: mirrored in z it is from -z, in x still from +z
    assert_true(surfaceAt(a, 0, 0)->normal[2] == -1);
    assert_true(surfaceAt(a, 0, 1)->normal[2] == 1);
    snAnimation_Free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clips), cmocka_unit_test(test_wrong_clips),
        cmocka_unit_test(test_surfaces), cmocka_unit_test(test_mirrored)};
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
