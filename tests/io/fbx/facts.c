// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Control points of each material's polygons, axes, unit, and damage, from files as text.

#include "io/fbx/facts.h"

#include "check.h"

// A quad and two triangles on six points, of materials 4 2 4; a bone that stands alone; a curve
#define FILE(bone)                                                                 \
    "FBXHeaderExtension:  {\n\tFBXVersion: 7500\n}\n"                              \
    "GlobalSettings:  {\n\tProperties70:  {\n"                                     \
    "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",2\n"                            \
    "\t\tP: \"FrontAxis\", \"int\", \"Integer\", \"\",1\n"                         \
    "\t\tP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1\n"                    \
    "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\n\t}\n}\n"      \
    "Objects:  {\n"                                                                \
    "\tGeometry: 10, \"Geometry::\", \"Mesh\" {\n"                                 \
    "\t\tVertices: *18 {\n\t\t\ta: 0,0,0,1,0,0,1,1,0,0,1,0,2,0,0,2,1,0\n\t\t}\n"   \
    "\t\tPolygonVertexIndex: *10 {\n\t\t\ta: 0,1,2,-4,1,4,-3,4,5,-3\n\t\t}\n"      \
    "\t\tLayerElementMaterial: 0 {\n\t\t\tMappingInformationType: \"ByPolygon\"\n" \
    "\t\t\tMaterials: *3 {\n\t\t\t\ta: 4,2,4\n\t\t\t}\n\t\t}\n\t}\n"               \
    "\tModel: 11, \"Model::box\", \"Mesh\" {\n\t}\n"                               \
    "\tModel: 12, \"Model::arm\", \"LimbNode\" {\n\t\tProperties70:  {\n"          \
    "\t\t\tP: \"InheritType\", \"enum\", \"\", \"\",2\n\t\t}\n\t}\n"               \
    "\tDeformer: 13, \"SubDeformer::\", \"Cluster\" {\n"                           \
    "\t\tIndexes: *3 {\n\t\t\ta: 0,1,2\n\t\t}\n\t}\n"                              \
    "\tAnimationCurve: 14, \"AnimCurve::\", \"\" {\n"                              \
    "\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n"                           \
    "\t\tKeyValueFloat: *2 {\n\t\t\ta: 0,1\n\t\t}\n"                               \
    "\t\tKeyAttrFlags: *1 {\n\t\t\ta: 8456\n\t\t}\n\t}\n"                          \
    "}\n"                                                                          \
    "Connections:  {\n\tC: \"OO\",10,11\n" bone "\tC: \"OO\",99,11\n}\n"

static snStatus readFacts(const char* text, snArena* arena, snFbxFacts* facts, snMessage* why)
{
    return snFbxFacts_Read(arena, (const uint8_t*)text, strlen(text), facts, why);
}

static void test_facts(void** state)
{
    (void)state;
    snArena arena;
    snFbxFacts f;
    snMessage why;
    snArena_Init(&arena, NULL);
    assert_ok(readFacts(FILE("\tC: \"OO\",12,13\n"), &arena, &f, &why), why);
    assert_close(f.unit, 0.0254, 1e-12);
    assert_true(f.axis[0] == 0 && f.axis[1] == 2 && f.axis[2] == 1);
    assert_true(f.sign[0] == 1 && f.sign[1] == 1 && f.sign[2] == -1);
    assert_int_equal(f.part_count, 2);
    static const int32_t FIRST[] = {0, 1, 2, 3, 4, 5, 2}, SECOND[] = {1, 4, 2};
    assert_string_equal(f.parts[0].node, "box");
    assert_int_equal(f.parts[0].corner_count, 7);
    assert_memory_equal(f.parts[0].point, FIRST, sizeof FIRST);
    assert_int_equal(f.parts[1].number, 1);
    assert_int_equal(f.parts[1].corner_count, 3);
    assert_memory_equal(f.parts[1].point, SECOND, sizeof SECOND);
    assert_int_equal(f.parts[1].point_count, 6);
    assert_int_equal(f.loner_count, 1);
    assert_string_equal(f.loners[0], "arm");
    assert_int_equal(f.bent_count, 1);
    snArena_Free(&arena);
}

static void test_refused(void** state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } CASES[] = {
        {FILE(""), "3 vertices has no bone"},
        {"FBXHeaderExtension:  {\n\tFBXVersion: 6100\n}\n", "save it as FBX 2011"},
        {"FBXHeaderExtension:  {\n\tFBXVersion: 7400\n", "'}' is missing"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snArena arena;
        snFbxFacts f;
        snMessage why = {{0}};
        snArena_Init(&arena, NULL);
        assert_true(readFacts(CASES[i].text, &arena, &f, &why) != sn_ok);
        assert_non_null(strstr(why.text, CASES[i].reason));
        snArena_Free(&arena);
    }
}

// A polygon that names a point which is not there
static void test_outside(void** state)
{
    (void)state;
    char text[4000];
    snArena arena;
    snFbxFacts f;
    snMessage why = {{0}};
    snprintf(text, sizeof text, "%s", FILE("\tC: \"OO\",12,13\n"));
    char* at = strstr(text, "4,5,-3");
    assert_non_null(at);
    memcpy(at, "4,6,-3", 6);
    snArena_Init(&arena, NULL);
    assert_int_equal(readFacts(text, &arena, &f, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "mesh of 'box'"));
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_facts), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
