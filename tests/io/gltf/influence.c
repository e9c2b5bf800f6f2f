// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Weights of every vertex sum up to 1, whatever the file says; joints are those of the skin.

#include "io/gltf/gltf.h"

#define SKINNED(attributes)                                                                        \
    "'skins':[{'joints':[1,2,3]}],'meshes':[{'primitives':[{'attributes':{'POSITION':0" attributes \
    "}}]}],'nodes':[{'mesh':0,'skin':0},{},{},{}]"

static void checkSums(const snRigShape* s)
{
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        double sum = 0;
        for (int32_t i = s->first[v]; i < s->first[v + 1]; ++i) {
            assert_true(s->weight[i] > 0);
            sum += (double)s->weight[i];
        }
        assert_close(sum, 1, 1e-6);
    }
}

static void test_kinds(void** state)
{
    (void)state;
    static const double joints[12] = {0, 1, 2, 1, 2, 0, 0, 0, 1, 0, 0, 0};
    static const struct {
        int joint, weight;
        double most;
    } kinds[] = {{G_UBYTE, G_FLOAT, 1}, {G_USHORT, G_UBYTE, 255}, {G_UBYTE, G_USHORT, 65535}};
    for (size_t k = 0; k < 3; ++k) {
        double most = kinds[k].most;
        // the second joint of vertex 0 is named twice; vertex 2 has one
        const double weights[12] = {most / 5, most / 5, most / 5 * 2, most / 5, most, 0, 0,
                                    0,        0,        most,         0,        0};
        Document d = {0};
        addTriangle(&d);
        addNumbers(&d, "VEC4", kinds[k].joint, joints, 3, 4);
        int view = addView(&d, kinds[k].weight, weights, 12);
        addAccessor(&d, "\"bufferView\":%d,\"componentType\":%d,\"count\":3,\"type\":\"VEC4\"%s",
                    view, kinds[k].weight,
                    kinds[k].weight == G_FLOAT ? "" : ",\"normalized\":true");
        snRig* rig = parseDocument(&d, SKINNED(",'JOINTS_0':1,'WEIGHTS_0':2"));
        const snRigShape* s = &rig->shapes[0];
        assert_int_equal(rig->instances[0].info.skin, 0);
        assert_int_equal(s->first[3], 5);
        assert_int_equal(s->influence_most, 3);
        assert_true(s->joint[0] == 0 && s->joint[1] == 1 && s->joint[2] == 2);
        assert_close((double)s->weight[1], 0.4, 1e-6);
        assert_true(s->joint[3] == 2 && s->weight[3] == 1 && s->joint[4] == 0);
        checkSums(s);
        assert_int_equal(rig->info.warning_count, 0);
        snRig_Release(rig);
    }
}

// Eight influences
static void test_sets(void** state)
{
    (void)state;
    static const double first[12] = {0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    static const double second[12] = {2, 1, 2, 2, 2, 0, 0, 0, 2, 0, 0, 0};
    static const double weight[12] = {0.1, 0.2, 0.1, 0.1, 0.5, 0, 0, 0, 0.5};
    Document d = {0};
    addTriangle(&d);
    addNumbers(&d, "VEC4", G_UBYTE, first, 3, 4);
    addNumbers(&d, "VEC4", G_UBYTE, second, 3, 4);
    addNumbers(&d, "VEC4", G_FLOAT, weight, 3, 4);
    snRig* rig =
        parseDocument(&d, SKINNED(",'JOINTS_0':1,'WEIGHTS_0':3,'JOINTS_1':2,'WEIGHTS_1':3"));
    const snRigShape* s = &rig->shapes[0];
    assert_int_equal(s->first[1], 3);
    assert_close((double)s->weight[0], 0.2, 1e-6);
    assert_close((double)s->weight[1], 0.5, 1e-6);
    assert_close((double)s->weight[2], 0.3, 1e-6);
    checkSums(s);
    snRig_Release(rig);
}

// What is wrong is put right, and said.
static void test_odd(void** state)
{
    (void)state;
    static const double joints[12] = {0, 1, 0, 0, 2, 0, 0, 0, 1, 2, 0, 0};
    static const double weights[12] = {1.5, 0.5, 0, 0, 0, 0, 0, 0, 1, -0.5, 0, 0};
    Document d = {0};
    addTriangle(&d);
    addNumbers(&d, "VEC4", G_UBYTE, joints, 3, 4);
    addNumbers(&d, "VEC4", G_FLOAT, weights, 3, 4);
    snRig* rig = parseDocument(&d, SKINNED(",'JOINTS_0':1,'WEIGHTS_0':2"));
    const snRigShape* s = &rig->shapes[0];
    checkSums(s);
    assert_close((double)s->weight[0], 0.75, 1e-7);
    assert_int_equal(s->joint[s->first[1]], 2);
    assert_int_equal(s->first[3] - s->first[2], 1);
    assert_true(warns(rig, "meshes[0].primitives[0]: the weights of 1 of its 3 vertices do not sum "
                           "up to 1 (worst sum 2)"));
    assert_true(warns(rig, "1 of its 3 vertices have no weights"));
    assert_true(warns(rig, "1 of its 3 vertices have negative weights"));
    snRig_Release(rig);
}

static void test_refused(void** state)
{
    (void)state;
    static const double joints[12] = {3, 9}, weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    Document d = {0};
    addTriangle(&d);
    addNumbers(&d, "VEC4", G_UBYTE, joints, 3, 4);
    addNumbers(&d, "VEC4", G_FLOAT, weights, 3, 4);
    addNumbers(&d, "VEC4", G_FLOAT, weights, 2, 4);
    addNumbers(&d, "VEC4", G_SHORT, joints, 3, 4);
    refuse(&d, SKINNED(",'JOINTS_0':1,'WEIGHTS_0':2"), sn_errorFile,
           "nodes[0].skin: its mesh names joint 3, but skins[0] has 3");
    refuse(&d, SKINNED(",'JOINTS_0':1"), sn_errorFile, "must come together");
    refuse(&d, SKINNED(",'JOINTS_0':1,'WEIGHTS_0':3"), sn_errorFile,
           "there are 3 joints and 2 weights for 3 vertices");
    refuse(&d, SKINNED(",'JOINTS_0':4,'WEIGHTS_0':2"), sn_errorFile,
           "meshes[0].primitives[0].attributes.JOINTS_0: accessors[4].componentType");
    // without joints the mesh rides on its node, and without a skin joints mean nothing
    snRig* rig = parseDocument(&d, SKINNED(""));
    assert_int_equal(rig->instances[0].info.skin, -1);
    assert_true(warns(rig, "nodes[0].skin: its mesh has no joints"));
    snRig_Release(rig);
    rig = parseDocument(&d, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,"
                            "'WEIGHTS_0':2}}]}],'nodes':[{'mesh':0}]");
    assert_int_equal(rig->instances[0].info.skin, -1);
    snRig_Release(rig);
    refuse(&d,
           "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0,'skin'"
           ":0}]",
           sn_errorFile, "nodes[0].skin: there is no such skin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_sets),
                                       cmocka_unit_test(test_odd), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
