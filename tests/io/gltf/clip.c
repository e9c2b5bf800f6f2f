// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Channels of clips: every interpolation and kind of number; what cannot be played is left out with
// a note, what contradicts itself is refused.

#include "io/gltf/gltf.h"

#define NODES "'nodes':[{'name':'a'},{'name':'b'}],"

// Times as accessor 0, translations 1, rotations 2 as floats, rotations 3 as normalised shorts,
// 9 translations 4, times that fall 5, 6 that stand
static void addKeys(Document* d)
{
    static const double times[3] = {0.5, 1, 2}, move[9] = {0, 0, 0, 1, 0, 0, 1, 2, 0};
    static const double turn[12] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1};
    static const double quantised[12] = {0, 0, 0, 32767, 0, 0, 32767, 0, 0, 0, 0, -32767};
    static const double tangents[27] = {0}, fall[3] = {0, 2, 1}, stand[3] = {0, 1, 1};
    addNumbers(d, "SCALAR", G_FLOAT, times, 3, 1);
    addNumbers(d, "VEC3", G_FLOAT, move, 3, 3);
    addNumbers(d, "VEC4", G_FLOAT, turn, 3, 4);
    int view = addView(d, G_SHORT, quantised, 12);
    addAccessor(d,
                "\"bufferView\":%d,\"componentType\":5122,\"normalized\":true,\"count\":3,\"type\":"
                "\"VEC4\"",
                view);
    addNumbers(d, "VEC3", G_FLOAT, tangents, 9, 3);
    addNumbers(d, "SCALAR", G_FLOAT, fall, 3, 1);
    addNumbers(d, "SCALAR", G_FLOAT, stand, 3, 1);
}

static void test_channels(void** state)
{
    (void)state;
    Document d = {0};
    addKeys(&d);
    snRig* rig = parseDocument(
        &d, NODES
        "'animations':[{'name':'Run','samplers':[{'input':0,'output':1,'interpolation':'STEP'},"
        "{'input':0,'output':2},{'input':0,'output':3,'interpolation':'LINEAR'},{'input':0,'output'"
        ":"
        "4,'interpolation':'CUBICSPLINE'}],'channels':["
        "{'sampler':2,'target':{'node':1,'path':'rotation'}},"
        "{'sampler':0,'target':{'node':0,'path':'translation'}},"
        "{'sampler':3,'target':{'node':1,'path':'scale'}},"
        "{'sampler':1,'target':{'node':0,'path':'rotation'}}]},{}]");
    assert_int_equal(rig->info.clip_count, 2);
    const snRigClip* clip = snRig_Clip(rig, 0);
    assert_string_equal(clip->name, "Run");
    assert_true(clip->first == 0.5 && clip->last == 2 && clip->duration == 1.5);
    assert_int_equal(clip->channel_count, 4);
    const snRigChannel* c = rig->clips[0].channels; // by node, then as in the file
    assert_true(c[0].node == 0 && c[0].path == sn_pathTranslation && c[0].width == 3);
    assert_int_equal(c[0].interpolation, sn_interpolateStep);
    assert_true(c[1].node == 0 && c[1].path == sn_pathRotation && c[1].width == 4);
    assert_int_equal(c[1].interpolation, sn_interpolateLinear);
    assert_true(c[2].node == 1 && c[2].path == sn_pathRotation && c[2].values[6] == 1);
    assert_true(c[2].values[11] == -1);
    assert_true(c[3].interpolation == sn_interpolateCubic && c[3].key_count == 3);
    assert_true(snRig_Clip(rig, 1)->channel_count == 0 && snRig_Clip(rig, 1)->duration == 0);
    assert_null(snRig_Clip(rig, 2));
    assert_int_equal(snRig_FindClip(rig, "Run"), 0);
    assert_int_equal(snRig_FindClip(rig, "1"), 1);
    assert_int_equal(snRig_FindClip(rig, "0"), -1); // it has a name
    assert_int_equal(snRig_FindClip(rig, ""), -1);
    snRig_Release(rig);
}

// One channel
#define CLIP(sampler, target) \
    "'animations':[{'samplers':[{" sampler "}],'channels':[{'sampler':0,'target':{" target "}}]}]"
#define MOVE "'node':1,'path':'translation'"

static void test_left_out(void** state)
{
    (void)state;
    static const struct {
        const char *rest, *says;
    } cases[] = {
        {NODES CLIP("'input':0,'output':1", "'path':'translation'"), "it moves no node"},
        {NODES CLIP("'input':0,'output':1", "'node':0,'path':'pointer'"), "it moves none of"},
        {NODES CLIP("'input':0,'output':1", "'node':0,'path':'weights'"), "no morph targets"},
    };
    Document d = {0};
    addKeys(&d);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        snRig* rig = parseDocument(&d, cases[i].rest);
        assert_int_equal(snRig_Clip(rig, 0)->channel_count, 0);
        assert_true(warns(rig, "animations[0].channels[0]") && warns(rig, cases[i].says));
        snRig_Release(rig);
    }
    snRig* rig = parseDocument(
        &d,
        NODES "'animations':[{'samplers':[{'input':0,'output':1},{'input':6,'output':1}],"
              "'channels':[{'sampler':0,'target':{" MOVE "}},{'sampler':1,'target':{" MOVE "}}]}]");
    assert_int_equal(snRig_Clip(rig, 0)->channel_count, 1);
    assert_true(rig->clips[0].channels[0].times[0] == 0.5f);
    assert_true(warns(rig, "animations[0]: 1 channels move what another one moves"));
    snRig_Release(rig);
    // a matrix with shear
    rig = parseDocument(&d, "'nodes':[{},{'matrix':[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]}]," CLIP(
                                "'input':0,'output':1", MOVE));
    assert_true(warns(rig, "animations[0]: it moves nodes whose matrix has shear"));
    snRig_Release(rig);
}

static void test_refused(void** state)
{
    (void)state;
    static const struct {
        const char *rest, *says;
    } cases[] = {
        {NODES CLIP("'input':0,'output':1", "'node':7,'path':'scale'"), "expected a node"},
        {NODES "'animations':[{'samplers':[],'channels':[{'sampler':0,'target':{" MOVE "}}]}]",
         "animations[0].channels[0]: expected a node"},
        {NODES CLIP("'input':0,'output':1,'interpolation':'SMOOTH'", MOVE), "LINEAR, STEP or"},
        {NODES CLIP("'output':1", MOVE), "input of its sampler: it names no accessor"},
        {NODES CLIP("'input':1,'output':1", MOVE), "accessors[1].type: expected SCALAR"},
        {NODES CLIP("'input':0,'output':2", MOVE), "accessors[2].type: expected VEC3"},
        {NODES CLIP("'input':0,'output':4", MOVE), "expected 9 numbers for its 3 keys, found 27"},
        {NODES CLIP("'input':0,'output':1,'interpolation':'CUBICSPLINE'", MOVE),
         "expected 27 numbers for its 3 keys, found 9"},
        {NODES CLIP("'input':5,'output':1", MOVE), "the time of key 2, 1 s, is before"},
    };
    Document d = {0};
    addKeys(&d);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        refuse(&d, cases[i].rest, sn_errorFile, cases[i].says);
    }
}

// Weights of a node with two targets: two numbers a key
static void test_weights(void** state)
{
    (void)state;
    static const double times[2] = {0, 1}, w[4] = {0, 1, 1, 0};
    Document d = {0};
    addTriangle(&d);
    addNumbers(&d, "SCALAR", G_FLOAT, times, 2, 1);
    addNumbers(&d, "SCALAR", G_FLOAT, w, 4, 1);
    snRig* rig = parseDocument(
        &d, "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[{'POSITION':0},{}]}]}"
            "],'nodes':[{'mesh':0}]," CLIP("'input':1,'output':2", "'node':0,'path':'weights'"));
    assert_int_equal(rig->clips[0].channels[0].width, 2);
    snRig_Release(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channels), cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_weights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
