// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Flesh, ground and built-in characters in scene files: what they say is what is built, and what is
// wrong with them is said.
#include "io/folder.h"

#include "base/memory.h"
#include "scenes/scenes.h"

#define EXAMPLES SN_TEST_DATA "/../../docs/examples/"

// A box of 0.2 x 0.3 x 0.4 m
#define BOX                                                                                       \
    "v 0 0 0\nv 0.2 0 0\nv 0.2 0.3 0\nv 0 0.3 0\nv 0 0 0.4\nv 0.2 0 0.4\nv 0.2 0.3 0.4\nv 0 0.3 " \
    "0.4\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n"
#define BOX_VOLUME (0.2 * 0.3 * 0.4)

#define HEAD "{\"sinew\": 1, \"characters\": [{\"name\": \"c\", \"body\": "
#define TAIL "}]}"

static void writeText(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static snScene* load(const char* path)
{
    snScene* scene;
    snMessage why;
    assert_ok(snScene_Load(NULL, path, snBuiltinLibrary(), &scene, &why), why);
    return scene;
}

static void testBody(void** state)
{
    (void)state;
    mkdir("meshes", 0700);
    writeText("meshes/box.obj", BOX);
    writeText("body.json",
              HEAD "{\"surface\": \"meshes/box.obj\", \"cells\": 200, \"density\": 500, \"young\": "
                   "1e5, \"poisson\": 0.3, \"damping\": 1, \"strain_damping\": 0.01, \"law\": "
                   "\"corotated\", \"regions\": [{\"from\": [0.1, 0.15, 0.2], \"radius\": 10, "
                   "\"density\": 700}]}" TAIL);
    snScene* scene = load("body.json");
    const snCharacter* c = snScene_Character(scene, 0);
    const snFleshInfo* info = snCharacter_Flesh(c);
    assert_non_null(info);
    assert_string_equal(snCharacter_Name(c), "c");
    assert_int_equal(info->vertex_count, 8);
    assert_int_equal(info->triangle_count, 12);
    assert_int_equal(snSkeleton_BoneCount(snCharacter_Skeleton(c)), 0);
    assert_in_range(info->cell_count, 100, 400);
    // the region is everything: 700 kg/m^3, to the error of sampling
    assert_relative(info->flesh_mass, 700 * BOX_VOLUME, 0.03, 0);
    snScene_Free(scene);
}

static void testCellSize(void** state)
{
    (void)state;
    writeText("box.obj", BOX);
    writeText("size.json", HEAD "{\"surface\": \"box.obj\", \"cell_size\": 0.1}" TAIL);
    snScene* scene = load("size.json");
    assert_close(snCharacter_Flesh(snScene_Character(scene, 0))->cell_size, 0.1, 1e-12);
    snScene_Free(scene);
}

// A body around bones; the path is found from the scene's folder, wherever that is.
static void testBones(void** state)
{
    (void)state;
    mkdir("deep", 0700);
    writeText("box.obj", BOX);
    writeText("deep/bones.json",
              "{\"sinew\": 1, \"characters\": [{\"name\": \"c\", \"skeleton\": {\"bones\": "
              "[{\"name\": \"b\", \"joint\": \"free\", \"position\": [0.1, 0.15, 0.05], "
              "\"capsule\": {\"to\": [0, 0, 0.3], \"radius\": 0.05}}]}, \"body\": {\"surface\": "
              "\"../box.obj\", \"cells\": 300, \"bone_mass\": 0.5}, \"velocity\": [1, 0, 0]}]}");
    snScene* scene = load("deep/bones.json");
    const snCharacter* c = snScene_Character(scene, 0);
    assert_int_equal(snSkeleton_BoneCount(snCharacter_Skeleton(c)), 1);
    const snFleshInfo* info = snCharacter_Flesh(c);
    assert_true(info->fixed_count > 0);
    assert_close(info->total_mass - info->flesh_mass,
                 0.5 * snSkeleton_Mass(snCharacter_Skeleton(c)), 1e-6);
    snScene_Free(scene);
}

static void testGround(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        int there;
        double height, friction;
    } wanted[] = {{"true", 1, 0, 0.6},
                  {"false", 0, 0, 0.6},
                  {"{}", 1, 0, 0.6},
                  {"{\"height\": -2.5}", 1, -2.5, 0.6},
                  {"{\"friction\": 0, \"height\": 3}", 1, 3, 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
        char text[300];
        snScene* scene;
        snMessage why;
        snprintf(text, sizeof text,
                 "{\"sinew\": 1, \"ground\": %s, \"characters\": [{\"name\": \"f\", \"skeleton\": "
                 "\"fish\"}]}",
                 wanted[i].text);
        assert_ok(snScene_Parse(NULL, text, strlen(text), "x", snBuiltinLibrary(), &scene, &why),
                  why);
        const snSceneDef* def = snScene_Def(scene);
        assert_int_equal(def->ground, wanted[i].there);
        assert_close(def->ground_height, wanted[i].height, 0);
        assert_close(def->friction, wanted[i].friction, 0);
        snScene_Free(scene);
    }
}

// A library of one character
static snStatus findOne(void* user, const snHost* host, const char* name, snCharacter** character,
                        snMessage* why)
{
    (void)host;
    (void)why;
    *character = strcmp(name, "octopus") == 0 ? snCharacter_Retain(user) : NULL;
    return sn_ok;
}

static snStatus parseWith(const snLibrary* library, const char* text, snScene** scene,
                          snMessage* why)
{
    return snScene_Parse(NULL, text, strlen(text), "file", library, scene, why);
}

static void testLibrary(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"octopus", NULL};
    snMessage why;
    snScene* scene;
    snSkeleton* skeleton;
    snCharacter* octopus;
    snBoneDef bone;
    snBoneDef_Init(&bone);
    bone.name = "hub";
    bone.joint = sn_jointFree;
    bone.mass = snMass_Point(1, (snVec3){0, 0, 0});
    bone.mass.inertia = (snSym3){1, 1, 1, 0, 0, 0};
    assert_ok(snSkeleton_Create(NULL, &bone, 1, &skeleton, &why), why);
    assert_ok(snCharacter_Create(NULL, "octopus", skeleton, &octopus, &why), why);
    const snLibrary library = {octopus, NULL, NULL, findOne, NAMES};
#define CALLED "{\"sinew\": 1, \"characters\": [{\"character\": "
    assert_ok(parseWith(&library, CALLED "\"octopus\", \"spin\": [0, 90, 0]}]}", &scene, &why),
              why);
    assert_ptr_equal(snScene_Character(scene, 0), octopus);
    snScene_Free(scene);

    assert_int_equal(parseWith(&library, CALLED "\"octopos\"}]}", &scene, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "did you mean \"octopus\"?"));
    assert_int_equal(parseWith(NULL, CALLED "\"octopus\"}]}", &scene, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "there is no built-in character"));
    assert_int_equal(parseWith(&library, CALLED "\"octopus\", \"name\": \"Otto\"}]}", &scene, &why),
                     sn_errorFile);
    assert_non_null(strstr(why.text, "\"name\" does not go with \"character\""));
    assert_int_equal(
        parseWith(&library, CALLED "\"octopus\", \"body\": {\"surface\": \"x\"}}]}", &scene, &why),
        sn_errorFile);
    // no function for skeletons either
    assert_int_equal(parseWith(&library,
                               "{\"sinew\": 1, \"characters\": [{\"name\": \"c\", \"skeleton\": "
                               "\"fish\"}]}",
                               &scene, &why),
                     sn_errorFile);
    snCharacter_Release(octopus);
    snSkeleton_Release(skeleton);
}

typedef struct Wrong {
    const char* body;
    const char* said; // in the message
} Wrong;

// Each is an error of the file that names it, the place and the matter.
static void checkWrong(const Wrong* wrong)
{
    char text[2000];
    snScene* scene;
    snMessage why;
    snprintf(text, sizeof text, HEAD "%s" TAIL, wrong->body);
    writeText("wrong.json", text);
    assert_int_equal(snScene_Load(NULL, "wrong.json", NULL, &scene, &why), sn_errorFile);
    assert_null(scene);
    assert_memory_equal(why.text, "wrong.json: line 1, column ", 27);
    if (!strstr(why.text, wrong->said)) {
        fail_msg("%s\n does not say '%s'", why.text, wrong->said);
    }
}

static void testWrong(void** state)
{
    (void)state;
#define WITH(rest) "{\"surface\": \"box.obj\", " rest "}"
    static const Wrong bodies[] = {
        {"3", "\"body\" is 3; give an object"},
        {"{}", "a body must have \"surface\""},
        {"{\"surface\": 7}", "\"surface\" is 7; give the path of a file"},
        {"{\"surface\": \"\"}", "\"surface\" is \"\""},
        {"{\"surface\": \"a\\u0000b\"}", "control characters"},
        {"{\"surface\": \"missing.obj\"}", "missing.obj"},
        {"{\"surface\": \".\"}", "directory"},
        {"{\"surface\": \"nan.obj\"}", "nan.obj: line 2"},
        {"{\"surface\": \"range.obj\"}", "there is no vertex 9"},
        {"{\"surface\": \"empty.obj\"}", "the file is empty"},
        {"{\"surface\": \"tet.mesh\", \"cells\": 10}",
         "column 75: \"cells\" is for surfaces; 'tet.mesh' has 1 tet of its own"},
        {"{\"cell_size\": 0.1, \"surface\": \"tet.mesh\"}", "\"cell_size\" is for surfaces"},
        {"{\"surface\": \"points.obj\"}", "no surface in it: 3 vertices, 0 faces"},
        {"{\"surface\": \"flat.obj\"}", "flat.obj: "},
        {"{\"surface\": \"vast.obj\"}", "vast.obj: vertex "},
        {"{\"surface\": \"wrong.json\"}", "which is not OBJ"},
        {WITH("\"cells\": 0"), "\"cells\" is 0; give a whole number from 1 to 1"},
        {WITH("\"cells\": 2.5"), "\"cells\" is 2.5"},
        {WITH("\"cells\": 1e10"), "\"cells\" is 10000000000"},
        {WITH("\"cells\": \"many\""), "\"cells\" is \"many\""},
        {WITH("\"cell_size\": 0"), "above 0 and up to 1000 m"},
        {WITH("\"cell_size\": 0.1, \"cells\": 10"), "remove one of them"},
        {WITH("\"density\": 0"), "from 1 to 1"},
        {WITH("\"young\": -1"), "Pa"},
        {WITH("\"poisson\": 0.5"), "from 0 to 0.49"},
        {WITH("\"damping\": [1]"), "1/s"},
        {WITH("\"strain_damping\": 2"), "from 0 to 1 s"},
        {WITH("\"bone_mass\": 0"), "from 0.001 to 1"},
        {WITH("\"law\": \"neohookean\""), "did you mean \"neo_hookean\"?"},
        {WITH("\"yung\": 1"), "did you mean \"young\"?"},
        {WITH("\"regions\": {}"), "an array of 0 to 1000 entries"},
        {WITH("\"regions\": [5]"), "a region is 5"},
        {WITH("\"regions\": [{\"radius\": 1}]"), "a region must have \"from\""},
        {WITH("\"regions\": [{\"from\": [0, 0, 0]}]"), "a region must have \"radius\""},
        {WITH("\"regions\": [{\"from\": [0, 0], \"radius\": 1}]"), "an array of 3 numbers"},
        {WITH("\"regions\": [{\"from\": [0, 0, 0], \"radius\": -1}]"), "\"radius\" is -1"},
        {WITH("\"regions\": [{\"from\": [0, 0, 0], \"radius\": 1, \"poisson\": 0.6}]"), "0.49"},
        {WITH("\"regions\": [{\"from\": [0, 0, 0], \"radius\": 1, \"yung\": 1}]"), "\"young\"?"},
    };
    writeText("box.obj", BOX);
    writeText("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    writeText("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 9\n");
    writeText("empty.obj", "");
    writeText("tet.mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n"
                          "0 1 0 0\n0 0 1 0\nTetrahedra 1\n1 2 3 4 0\n");
    writeText("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    writeText("flat.obj",
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\nf 3 2 1\nf 3 4 2\n");
    writeText("vast.obj",
              "v 0 0 0\nv 1e9 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i) {
        checkWrong(&bodies[i]);
    }
}

static void testWrongScene(void** state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"{\"sinew\": 1, \"ground\": 3, \"characters\": []}", "\"ground\" is 3; give true, false"},
        {"{\"sinew\": 1, \"ground\": {\"height\": \"low\"}}", "\"height\" is \"low\""},
        {"{\"sinew\": 1, \"ground\": {\"friction\": -1}}", "from 0 to 10"},
        {"{\"sinew\": 1, \"ground\": {\"frictoin\": 1}}", "did you mean \"friction\"?"},
        {"{\"sinew\": 1, \"characters\": [{\"name\": \"c\"}]}", "\"body\" or both"},
        {"{\"sinew\": 1, \"characters\": [{\"character\": 4}]}", "\"character\" is 4"},
        // text in memory reads no files
        {HEAD "{\"surface\": \"box.obj\"}" TAIL, "\"surface\" names a file"},
    };
    writeText("box.obj", BOX);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        snScene* scene;
        snMessage why;
        assert_int_equal(parseWith(snBuiltinLibrary(), wrong[i].text, &scene, &why), sn_errorFile);
        assert_memory_equal(why.text, "file: line 1, column ", 21);
        if (!strstr(why.text, wrong[i].said)) {
            fail_msg("%s\n does not say '%s'", why.text, wrong[i].said);
        }
    }
}

// The example falls on its ground and stays above it.
static void testExample(void** state)
{
    (void)state;
    snScene* scene = load(EXAMPLES "jelly.json");
    snSim* sim;
    snMessage why;
    assert_close(snScene_Def(scene)->friction, 0.8, 0);
    assert_ok(snSim_Create(scene, &sim, &why), why);
    double low = 1;
    int32_t contacts = 0;
    for (int k = 0; k < 30; ++k) {
        assert_ok(snSim_Advance(sim, 1.0 / 60, &why), why);
        const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
        for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
            low = fmin(low, c->origin.y + (double)c->surfaces[0].position[3 * i + 1]);
        }
        contacts = c->contact_count > contacts ? c->contact_count : contacts;
    }
    print_message("%d contacts, lowest vertex at %g m\n", contacts, low);
    assert_true(contacts > 0 && low > -0.05 && low < 0.02); // how deep is not for this test
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBody),       cmocka_unit_test(testCellSize),
        cmocka_unit_test(testBones),      cmocka_unit_test(testGround),
        cmocka_unit_test(testLibrary),    cmocka_unit_test(testWrong),
        cmocka_unit_test(testWrongScene), cmocka_unit_test(testExample),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
