// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Meshes on nodes: shared shapes are read once, every place where they are shown is an instance.

#include "io/gltf/gltf.h"

static void test_shared(void** state)
{
    (void)state;
    Document d = {0};
    addTriangle(&d);
    snRig* rig = parseDocument(
        &d, "'meshes':[{'name':'unused','primitives':[{'attributes':{'POSITION':99}}]},{'name':"
            "'body','primitives':[{'attributes':{'POSITION':0}},{'attributes':{'POSITION':0}}]}],"
            "'nodes':[{'mesh':1},{'mesh':1},{}]");
    assert_int_equal(rig->info.mesh_count, 4);
    assert_int_equal(rig->info.vertex_count, 12);
    assert_int_equal(rig->info.triangle_count, 4);
    assert_int_equal(rig->shape_count, 2);
    for (int32_t i = 0; i < 4; ++i) {
        const snRigMesh* mesh = snRig_Mesh(rig, i);
        assert_string_equal(mesh->name, "body");
        assert_true(mesh->mesh == 1 && mesh->primitive == i % 2 && mesh->node == i / 2);
        assert_true(mesh->position == rig->shapes[0].position);
    }
    assert_null(snRig_Mesh(rig, 4));
    snRig_Release(rig);
}

// A thousand nodes that each show a thousand primitives would be a million instances.
static void test_lies(void** state)
{
    (void)state;
    static char text[1 << 18];
    text[0] = 0;
    appendText(text, sizeof text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}");
    for (int i = 0; i < 1000; ++i) {
        appendText(text, sizeof text, ",{\"mesh\":0}");
    }
    appendText(text, sizeof text, "],\"meshes\":[{\"primitives\":[{}");
    for (int i = 0; i < 1000; ++i) {
        appendText(text, sizeof text, ",{}");
    }
    appendText(text, sizeof text, "]}]}");
    expectRefusal(text, strlen(text), sn_errorUnsupported, "far more numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared), cmocka_unit_test(test_lies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
