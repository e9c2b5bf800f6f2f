// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full
// needs: assimp zlib

// Point caches of FBX have a point for each control point of the artist's mesh, in its order, also
// for those that no polygon has.

#include "io/folder.h"

#include "check.h"
#include "import/host.h"
#include "io/fbx/made_rigs.h"
#include "rig/rig.h"
#include <sinew/bake.h>
#include <sinew/body.h>
#include <sinew/io.h>
#include <sinew/sim.h>

#define RATE 24
#define CORNERS 24 // of the cube's sides; those with one place and one texture coordinate are one

// The made cube, with a control point before all others, and one behind
static const char* withLoners(char out[MADE_SIZE])
{
    static const char OLD[] = "Vertices: *24 {\n\t\t\ta: 0,0,0,1,",
                      NEW[] = "Vertices: *30 {\n\t\t\ta: 7,7,7,0,0,0,1,";
    static const char OLD_END[] = "0,2,1\n\t\t}\n\t\tPolygonVertexIndex: *24 {\n\t\t\ta: "
                                  "0,1,2,-4,4,7,6,-6,0,4,5,-2,1,5,6,-3,2,6,7,-4,3,7,4,-1",
                      NEW_END[] = "0,2,1,8,8,8\n\t\t}\n\t\tPolygonVertexIndex: *24 {\n\t\t\ta: "
                                  "1,2,3,-5,5,8,7,-7,1,5,6,-3,2,6,7,-4,3,7,8,-5,4,8,5,-2";
    char text[MADE_SIZE];
    makeFbx(text, "", "");
    const char *begin = strstr(text, OLD), *end = strstr(text, OLD_END);
    assert_true(begin && end && end > begin);
    snprintf(out, MADE_SIZE, "%.*s%s%.*s%s%s", (int)(begin - text), text, NEW,
             (int)(end - begin - (long)strlen(OLD)), begin + strlen(OLD), NEW_END,
             end + strlen(OLD_END));
    // clusters name control points too
    char* indexes = strstr(out, "a: 0,1,2,3,7\n");
    assert_non_null(indexes);
    memcpy(indexes, "a: 1,2,3,4,8", 12);
    indexes = strstr(out, "a: 4,5,6,7\n");
    assert_non_null(indexes);
    memcpy(indexes, "a: 5,6,7,8", 10);
    return out;
}

static const float* pointsOf(const snRig* rig)
{
    const snRigShape* s = rig->instances[0].shape;
    for (int32_t i = 0; i < s->attribute_count; ++i) {
        if (strcmp(s->attributes[i].name, "_CONTROL_POINT") == 0) {
            return s->attributes[i].values;
        }
    }
    fail();
    return NULL;
}

// first: control point of the cube's first corner; count: of all
static void expectPoints(snBody* body, snAnimation* a, int32_t first, int32_t count)
{
    snMessage why;
    snFollow* follow;
    snFollowDef run;
    const snFrame* frame;
    float wanted[3 * CORNERS];
    snFollowDef_Init(&run);
    run.rate = RATE;
    const snRig* rig = snBody_Rig(body);
    const float* points = pointsOf(rig);
    int32_t vertices = snRig_Info(rig)->vertex_count;
    assert_true(vertices > MADE_POINTS && vertices <= CORNERS);
    assert_ok(snFollow_Create(body, &run, &follow, &why), why);
    assert_int_equal(snAnimation_FrameCount(a), RATE + 1);
    for (int i = 0; i <= RATE; ++i) {
        assert_ok(snAnimation_Frame(a, i, &frame, &why), why);
        const snFrameSurface* s = &frame->characters[0].surfaces[0];
        assert_int_equal(s->vertex_count, count);
        assert_ok(snFollow_Surface(follow, 0, wanted, NULL, &why), why);
        int32_t met = 0;
        for (int32_t v = 0; v < vertices; ++v) {
            int32_t point = (int32_t)points[v];
            met |= 1 << point;
            assert_memory_equal(s->position + 3 * point, wanted + 3 * v, 3 * sizeof(float));
        }
        assert_int_equal(met, ((1 << MADE_POINTS) - 1) << first);
        // loners are with their neighbours
        assert_memory_equal(s->position, s->position + 3 * first, 3 * sizeof(float));
        assert_memory_equal(s->position + 3 * (count - 1),
                            s->position + 3 * (first + MADE_POINTS - 1), 3 * sizeof(float));
        assert_ok(snFollow_Advance(follow, &why), why);
    }
    snFollow_Free(follow);
}

static void bakeAndExpect(const char* text, int32_t first, int32_t count)
{
    snMessage why;
    snRig* rig;
    snBody* body;
    snBodyDef build;
    snBakeDef def;
    snAnimation* animation;
    snAnimationDef read;
    int32_t clip = 0;
    snBodyDef_Init(&build);
    build.quality = sn_qualityDraft;
    snBakeDef_Init(&def);
    def.clips = &clip;
    def.clip_count = 1;
    def.rate = RATE;
    def.as = sn_bakePc2;
    snAnimationDef_Init(&read);
    read.frame_rate = RATE;
    assert_ok(snRig_Parse(importHost(), text, strlen(text), "made.fbx", &rig, &why), why);
    assert_ok(snBody_Build(NULL, rig, &build, &body, &why), why);
    assert_ok(snBake(NULL, body, &def, "made.pc2", NULL, &why), why);
    assert_ok(snAnimation_Load(NULL, "made.pc2", &read, &animation, &why), why);
    expectPoints(body, animation, first, count);
    snAnimation_Free(animation);
    snBody_Release(body);
    snRig_Release(rig);
}

static void test_points(void** state)
{
    (void)state;
    char text[MADE_SIZE];
    bakeAndExpect(makeFbx(text, "", ""), 0, MADE_POINTS);
    bakeAndExpect(withLoners(text), 1, MADE_POINTS + 2);
}

// Blender's importer of FBX begins at frame 1.
static void test_script(void** state)
{
    (void)state;
    char text[8192] = "";
    FILE* file = fopen("made_apply_in_blender.py", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(text, "Import the FBX file first (File > Import > FBX,"));
    assert_non_null(strstr(text, "\nZERO = 1 "));
    assert_non_null(strstr(text, "\"names\": [\n   \"body\","));
    assert_non_null(strstr(text, "\"vertices\": 10,"));
    assert_non_null(strstr(text, "\"world\": 1,"));
}

// A clip that begins half a second before 0 does so on the artist's timeline too.
static void test_start(void** state)
{
    (void)state;
    static const char OLD[] = "a: 0,46186158000\n", NEW[] = "a: -23093079000,23093079000\n";
    char text[MADE_SIZE], made[MADE_SIZE], script[8192] = "";
    makeFbx(text, "", "");
    const char* at = strstr(text, OLD);
    assert_non_null(at);
    snprintf(made, sizeof made, "%.*s%s%s", (int)(at - text), text, NEW, at + strlen(OLD));
    bakeAndExpect(made, 0, MADE_POINTS);
    FILE* file = fopen("made_apply_in_blender.py", "r");
    assert_non_null(file);
    script[fread(script, 1, sizeof script - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(script, "\"first\": -0.5,"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_script),
                                       cmocka_unit_test(test_start)};
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
