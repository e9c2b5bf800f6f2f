// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Rigs from memory: owners, VRM's humanoid, lack of memory, arguments.

#include "io/gltf/gltf.h"

#define BONES "'nodes':[{'name':'a','children':[1]},{'name':'b'}],"

static void test_humans(void** state)
{
    (void)state;
    Document d = {0};
    snRig* rig = parseDocument(&d, BONES "'extensions':{'VRM':{'humanoid':{'humanBones':[{'bone':"
                                         "'hips','node':1},{'bone':'head','node':7}]}}}");
    assert_string_equal(rig->info.kind, "vrm");
    assert_int_equal(rig->info.human_count, 1);
    assert_string_equal(rig->nodes[snRig_FindHuman(rig, "hips")].name, "b");
    assert_int_equal(snRig_FindHuman(rig, "head"), -1);
    assert_true(warns(rig, "bone 'head' is no node"));
    snRig_Release(rig);
    rig = parseDocument(&d, BONES "'extensions':{'VRMC_vrm':{'humanoid':{'humanBones':{'hips':{"
                                  "'node':0},'spine':{'node':1}}}}}");
    assert_string_equal(rig->info.kind, "vrm");
    assert_int_equal(rig->info.human_count, 2);
    assert_string_equal(rig->nodes[snRig_FindHuman(rig, "spine")].name, "b");
    snRig_Release(rig);
}

// A document with something of everything
static void makeDocument(Bytes* out)
{
    static const double joints[12] = {0}, times[2] = {0, 1}, move[6] = {0, 0, 0, 0, 1, 0};
    static const double weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    Document d = {0};
    addTriangle(&d);
    addNumbers(&d, "VEC4", G_UBYTE, joints, 3, 4);
    addNumbers(&d, "VEC4", G_FLOAT, weights, 3, 4);
    addNumbers(&d, "SCALAR", G_FLOAT, times, 2, 1);
    addNumbers(&d, "VEC3", G_FLOAT, move, 2, 3);
    finishGlb(&d,
              "'meshes':[{'name':'m','weights':[0.5],'primitives':[{'attributes':{'POSITION':0,"
              "'JOINTS_0':1,'WEIGHTS_0':2,'_OWN':0},'targets':[{'POSITION':0}]}]}],'skins':[{"
              "'joints':[1]}],'nodes':[{'mesh':0,'skin':0},{'rotation':[0,0,0,3]}],'animations':[{"
              "'samplers':[{'input':3,'output':4}],'channels':[{'sampler':0,'target':{'node':1,"
              "'path':'translation'}}]}]",
              out);
}

// However many blocks of memory there are, nothing worse happens than an error.
static void test_memory(void** state)
{
    (void)state;
    static Bytes b;
    makeDocument(&b);
    snStatus status = sn_errorMemory;
    int blocks = 0;
    for (; status && blocks < 50; ++blocks) {
        Ration ration = {.blocks = blocks};
        snRig* rig;
        snMessage why;
        snHost host = rationedHost(&ration);
        status = snRig_Parse(&host, b.data, b.count, "test", &rig, &why);
        assert_true(status == sn_ok || status == sn_errorMemory);
        assert_true((status == sn_ok) == (rig != NULL) && (status == sn_ok) == !why.text[0]);
        if (rig) { // skinning takes a block, too
            snMatrix nodes[2];
            double weights[1];
            float x[9];
            assert_ok(snRig_Pose(rig, 0, 0.5, nodes, weights, &why), why);
            ration.blocks = 0;
            assert_int_equal(snRig_Skin(rig, 0, nodes, weights, x, NULL, &why), sn_errorMemory);
        }
        snRig_Release(rig);
        assert_int_equal(ration.used, 0);
    }
    assert_int_equal(status, sn_ok);
    assert_true(blocks > 3);
}

static void test_owners(void** state)
{
    (void)state;
    static Bytes b;
    makeDocument(&b);
    snRig* rig = parseBytes(&b);
    assert_true(snRig_Retain(rig) == rig);
    snRig_Release(rig);
    assert_string_equal(snRig_Mesh(rig, 0)->name, "m"); // still there
    snRig_Release(rig);
    snRig_Release(NULL);
    assert_null(snRig_Retain(NULL));
    assert_null(snRig_Info(NULL));
}

static void test_arguments(void** state)
{
    (void)state;
    snRig* rig;
    snMessage why;
    assert_int_equal(snRig_Parse(NULL, NULL, 0, "x", &rig, &why), sn_errorArgument);
    assert_int_equal(snRig_Parse(NULL, "", 0, "x", NULL, &why), sn_errorArgument);
    assert_int_equal(snRig_Load(NULL, NULL, &rig, &why), sn_errorArgument);
    assert_int_equal(snRig_Load(NULL, "absent.glb", &rig, &why), sn_errorIo);
    assert_non_null(strstr(why.text, "absent.glb"));
    assert_null(rig);
    assert_int_equal(snRig_FindClip(NULL, "a"), -1);
    assert_int_equal(snRig_FindHuman(NULL, "hips"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_humans), cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_owners),
                                       cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
