// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Triangles of every kind of primitive, morph targets, colours and own attributes.

#include "io/gltf/gltf.h"

// Five vertices in a zigzag: accessor 0
static void addZigzag(Document* d)
{
    static const double x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0};
    addNumbers(d, "VEC3", G_FLOAT, x, 5, 3);
}

static void checkTriangles(const char* primitive, const int32_t* wanted, int32_t count)
{
    static const double order[5] = {4, 3, 2, 1, 0};
    Document d = {0};
    char rest[512];
    addZigzag(&d);
    addNumbers(&d, "SCALAR", G_UBYTE, order, 5, 1);
    addNumbers(&d, "SCALAR", G_USHORT, order, 5, 1);
    addNumbers(&d, "SCALAR", G_UINT, order, 5, 1);
    snprintf(rest, sizeof rest,
             "'meshes':[{'primitives':[{'attributes':{'POSITION':0}%s}]}],'nodes':[{'mesh':0}]",
             primitive);
    snRig* rig = parseDocument(&d, rest);
    const snRigMesh* mesh = snRig_Mesh(rig, 0);
    assert_int_equal(mesh->vertex_count, 5);
    assert_int_equal(mesh->triangle_count, count);
    assert_memory_equal(mesh->triangles, wanted, (size_t)(3 * count) * sizeof *wanted);
    snRig_Release(rig);
}

// glTF 2.0, 3.7.2.1: strips are p_i = {v_i, v_(i+1+i%2), v_(i+2-i%2)}, fans {v_(i+1), v_(i+2), v_0}
static void test_kinds(void** state)
{
    (void)state;
    checkTriangles("", (const int32_t[]){0, 1, 2}, 1); // two corners are left over
    checkTriangles(",'mode':5", (const int32_t[]){0, 1, 2, 1, 3, 2, 2, 3, 4}, 3);
    checkTriangles(",'mode':6", (const int32_t[]){1, 2, 0, 2, 3, 0, 3, 4, 0}, 3);
    checkTriangles(",'mode':6,'indices':1", (const int32_t[]){3, 2, 4, 2, 1, 4, 1, 0, 4}, 3);
    checkTriangles(",'mode':5,'indices':2", (const int32_t[]){4, 3, 2, 3, 1, 2, 2, 1, 0}, 3);
    checkTriangles(",'mode':4,'indices':3", (const int32_t[]){4, 3, 2}, 1);
}

// Points and lines are left out with a note.
static void test_left_out(void** state)
{
    (void)state;
    Document d = {0};
    addZigzag(&d);
    snRig* rig = parseDocument(
        &d, "'meshes':[{'primitives':[{'mode':0,'attributes':{'POSITION':0}},{'mode':3,'attributes'"
            ":{'POSITION':0}},{'mode':5,'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0}]");
    assert_int_equal(rig->info.mesh_count, 1);
    assert_int_equal(snRig_Mesh(rig, 0)->primitive, 2);
    assert_true(warns(rig, "meshes[0].primitives[0]: it is of points"));
    assert_true(warns(rig, "meshes[0].primitives[1]: it is of lines"));
    snRig_Release(rig);
}

static void test_paint(void** state)
{
    (void)state;
    static const double soft[5] = {0, 0.25, 0.5, 0.75, 1};
    static const double color[20] = {255, 0, 0, 255, 0, 255, 0, 255};
    static const double up[15] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    Document d = {0};
    addZigzag(&d);
    addNumbers(&d, "SCALAR", G_FLOAT, soft, 5, 1);
    int view = addView(&d, G_UBYTE, color, 20);
    addAccessor(&d,
                "\"bufferView\":%d,\"componentType\":5121,\"normalized\":true,\"count\":5,\"type\":"
                "\"VEC4\"",
                view);
    addNumbers(&d, "VEC3", G_FLOAT, up, 5, 3);
    snRig* rig = parseDocument(
        &d, "'materials':[{},{'name':'skin'}],'meshes':[{'primitives':[{'mode':5,'material':1,"
            "'attributes':{'POSITION':0,'_SOFT':1,'COLOR_0':2,'NORMAL':3}}]}],'nodes':[{'mesh':0,"
            "'name':'body'}]");
    const snRigShape* s = &rig->shapes[0];
    assert_string_equal(s->attributes[0].name, "_SOFT");
    assert_true(s->attributes[0].width == 1 && s->attributes[0].values[3] == 0.75f);
    assert_true(s->color_width == 4 && s->color[0] == 1 && s->color[5] == 1 && s->color[7] == 1);
    assert_true(s->normal[2] == 1);
    assert_string_equal(snRig_Mesh(rig, 0)->material, "skin");
    assert_string_equal(snRig_Mesh(rig, 0)->name, "body");
    snRig_Release(rig);
}

static void test_targets(void** state)
{
    (void)state;
    static const double delta[15] = {0, 0, 0.5};
    Document d = {0};
    addZigzag(&d);
    addNumbers(&d, "VEC3", G_FLOAT, delta, 5, 3);
    snRig* rig = parseDocument(
        &d, "'meshes':[{'weights':[0.5,0],'primitives':[{'mode':5,'attributes':{'POSITION':0},"
            "'targets':[{'POSITION':1},{'NORMAL':1}]}]}],'nodes':[{'mesh':0},{'mesh':0,'weights':"
            "[1,2]},{'mesh':0,'weights':[1]}]");
    assert_int_equal(rig->info.weight_count, 6);
    assert_int_equal(rig->info.target_count, 6);
    assert_int_equal(rig->shape_count, 1);
    assert_true(rig->shapes[0].targets[0].position[2] == 0.5f);
    assert_null(rig->shapes[0].targets[0].normal);
    assert_true(rig->shapes[0].targets[1].normal[2] == 0.5f);
    assert_true(rig->weights[0] == 0.5 && rig->weights[2] == 1 && rig->weights[3] == 2);
    assert_true(rig->weights[4] == 0 && warns(rig, "meshes[0] on nodes[2]: expected 2 weights"));
    snRig_Release(rig);
}

static void test_refused(void** state)
{
    (void)state;
    static const double four[12] = {0}, beyond[3] = {0, 1, 5};
    Document d = {0};
    addZigzag(&d);
    addNumbers(&d, "VEC3", G_FLOAT, four, 4, 3);
    addNumbers(&d, "SCALAR", G_UBYTE, beyond, 3, 1);
    addNumbers(&d, "SCALAR", G_FLOAT, beyond, 3, 1);
    addNumbers(&d, "SCALAR", G_FLOAT, four, 5, 1);
    static const struct {
        const char *primitive, *says;
    } cases[] = {
        {"'attributes':{}", "meshes[0].primitives[0].attributes.POSITION: it names no accessor"},
        {"'attributes':{'POSITION':9}", "there is no such accessor; there are 5"},
        {"'attributes':{'POSITION':0},'mode':7", "meshes[0].primitives[0].mode: expected 0..6"},
        {"'attributes':{'POSITION':0,'NORMAL':1}", "NORMAL: there are 4 values for 5 vertices"},
        {"'attributes':{'POSITION':0,'_A':1}", "_A: there are 4 values for 5 vertices"},
        {"'attributes':{'POSITION':0,'COLOR_0':4}", "COLOR_0: expected VEC3 or VEC4"},
        {"'attributes':{'POSITION':0},'indices':2",
         "meshes[0].primitives[0].indices: number 2 is vertex 5; there are 5"},
        {"'attributes':{'POSITION':0},'indices':3",
         "accessors[3].componentType: expected UNSIGNED_BYTE, UNSIGNED_SHORT or UNSIGNED_INT, "
         "found "
         "FLOAT"},
        {"'attributes':{'POSITION':0},'targets':[{'POSITION':1}]", "target 0: targets.POSITION"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char rest[512];
        snprintf(rest, sizeof rest, "'meshes':[{'primitives':[{%s}]}],'nodes':[{'mesh':0}]",
                 cases[i].primitive);
        refuse(&d, rest, sn_errorFile, cases[i].says);
    }
    refuse(&d, "'nodes':[{'mesh':0}]", sn_errorFile, "nodes[0].mesh: there is no such mesh");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),   cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_paint),   cmocka_unit_test(test_targets),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
