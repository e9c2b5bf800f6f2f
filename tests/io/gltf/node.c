// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Nodes come parents first, whatever the file's order, with what places them; skins name them.

#include "io/gltf/gltf.h"

static void test_order(void** state)
{
    (void)state;
    Document d = {0};
    snRig* rig = parseDocument(&d, "'nodes':[{'name':'leaf'},{'name':'middle','children':[0,3]},"
                                   "{'name':'top','children':[1]},{'name':'other'}]");
    static const char* const parents[][2] = {
        {"leaf", "middle"}, {"other", "middle"}, {"middle", "top"}};
    assert_int_equal(rig->info.node_count, 4);
    for (int32_t n = 0; n < 4; ++n) {
        const snRigNode* node = snRig_Node(rig, n);
        assert_true(node->parent < n);
        for (size_t k = 0; k < 3; ++k) {
            if (strcmp(node->name, parents[k][0]) == 0) {
                assert_string_equal(rig->nodes[node->parent].name, parents[k][1]);
            }
        }
        static const char* const names[4] = {"leaf", "middle", "top", "other"};
        assert_string_equal(node->name, names[node->file_index]);
    }
    assert_null(snRig_Node(rig, 4));
    assert_null(snRig_Node(rig, -1));
    snRig_Release(rig);
}

static void test_refused(void** state)
{
    (void)state;
    static const struct {
        const char *rest, *says;
    } cases[] = {
        {"'nodes':[{'children':[0]}]", "circle"},
        {"'nodes':[{'children':[1]},{'children':[2]},{'children':[1]}]", "nodes[1]: it is a child"},
        {"'nodes':[{},{'children':[2]},{'children':[1]}]", "nodes[1]: it is among its own"},
        {"'nodes':[{'children':[1,1]},{}]", "nodes[1]: it is a child of nodes[0] and of nodes[0]"},
        {"'nodes':[{'children':[7]}]", "nodes[0].children: there is no such node; there are 1"},
        {"'nodes':[{'children':[-1]}]", "nodes[0].children"},
        {"'nodes':[{'children':[0.5]}]", "nodes[0].children"},
        {"'nodes':[{'translation':[1,2]}]", "nodes[0].translation: expected 3 numbers"},
        {"'nodes':[{'rotation':[1,2,3]}]", "nodes[0].rotation: expected 4 numbers"},
        {"'nodes':[{'scale':'big'}]", "nodes[0].scale"},
        {"'nodes':[{'scale':[1,1e200,1]}]", "nodes[0].scale"},
        {"'nodes':[{'matrix':[1,2]}]", "nodes[0].matrix: expected 16"},
        {"'nodes':[{'matrix':[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}]", "nodes[0].matrix"},
        {"'nodes':[{}],'scene':1,'scenes':[{}]", "scene: there is no such scene"},
        {"'nodes':[{}],'scenes':[{'nodes':[1]}]", "scenes[0].nodes: there is no such node"},
        {"'nodes':[{}],'skins':[{}]", "skins[0].joints: expected a list"},
        {"'nodes':[{}],'skins':[{'joints':[0,1]}]", "skins[0].joints[1]: there is no such node"},
        {"'nodes':[{}],'skins':[{'joints':[0],'inverseBindMatrices':0}]",
         "skins[0].inverseBindMatrices: there is no such accessor"},
    };
    Document d = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        refuse(&d, cases[i].rest, sn_errorFile, cases[i].says);
    }
    static const double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    addNumbers(&d, "MAT4", G_FLOAT, m, 1, 16);
    refuse(&d, "'nodes':[{},{}],'skins':[{'joints':[0,1],'inverseBindMatrices':0}]", sn_errorFile,
           "there are 1 matrices for 2 joints");
}

static void test_matrices(void** state)
{
    (void)state;
    Document d = {0};
    // a quarter turn about y, scale (2, 3, 4), translation (5, 6, 7); then one with shear
    snRig* rig = parseDocument(&d, "'nodes':[{'matrix':[0,0,-2,0, 0,3,0,0, 4,0,0,0, 5,6,7,1]},"
                                   "{'matrix':[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]},"
                                   "{'rotation':[0,0,0,2]}]");
    const snRigNode* n = &rig->nodes[0];
    assert_true(n->has_matrix && n->local.x.z == -2 && n->local.z.x == 4 && n->local.p.z == 7);
    assert_close(n->scale.x, 2, 1e-12);
    assert_close(n->scale.y, 3, 1e-12);
    assert_close(n->scale.z, 4, 1e-12);
    assert_close(n->rotation.y, sqrt(0.5), 1e-12);
    assert_close(n->rotation.w, sqrt(0.5), 1e-12);
    assert_true(rig->nodes[1].local.y.x == 1);
    assert_close(rig->nodes[2].rotation.w, 1, 1e-15);
    assert_true(warns(rig, "nodes[2].rotation: its length is 2"));
    snRig_Release(rig);
}

static void test_scene(void** state)
{
    (void)state;
    Document d = {0};
    addTriangle(&d);
    snRig* rig = parseDocument(
        &d, "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'children':[1]},"
            "{'mesh':0},{'mesh':0}],'scene':1,'scenes':[{'nodes':[2]},{'nodes':[0]}]");
    assert_int_equal(rig->info.mesh_count, 1);
    assert_int_equal(rig->nodes[rig->instances[0].info.node].file_index, 1);
    assert_true(warns(rig, "1 nodes with meshes are not in the file's scene"));
    snRig_Release(rig);
}

// Without matrices joints are bound where they stand over the origin.
static void test_skins(void** state)
{
    (void)state;
    static const double m[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1,
                                 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, -2, 0, 0, 3};
    Document d = {0};
    addNumbers(&d, "MAT4", G_FLOAT, m, 2, 16);
    snRig* rig =
        parseDocument(&d, "'nodes':[{'children':[1]},{},{}],'skins':[{'name':'a','joints':[1,0],"
                          "'inverseBindMatrices':0},{'joints':[1]}]");
    assert_int_equal(rig->info.skin_count, 2);
    assert_int_equal(rig->info.joint_count, 2);
    assert_string_equal(rig->skins[0].name, "a");
    assert_int_equal(rig->nodes[rig->skins[0].joints[0]].file_index, 1);
    assert_true(rig->skins[0].given && rig->skins[0].inverse_bind[0].p.x == -1);
    assert_true(rig->skins[0].inverse_bind[1].x.x == 2 && rig->skins[0].inverse_bind[1].p.x == -2);
    assert_true(warns(rig, "skins[0].inverseBindMatrices: the last row of 1 matrices"));
    assert_false(rig->skins[1].given);
    assert_true(rig->skins[1].inverse_bind[0].x.x == 1 && rig->skins[1].inverse_bind[0].p.x == 0);
    snRig_Release(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_matrices),
                                       cmocka_unit_test(test_scene), cmocka_unit_test(test_skins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
