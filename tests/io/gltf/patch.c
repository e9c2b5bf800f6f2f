// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Documents patched with flesh and read again: they show the flesh, and all else as it was. Shared
// meshes, parts that stand still, targets and tracks that were there, buffers in the text, odd
// text, callers' mistakes, lack of memory.

#include "io/folder.h"

#include "io/gltf/gltf.h"
#include "io/gltf/patch.h"
#include "rig/lbs.h"
#include "rig/pose.h"
#include "rig/pullback.h"

// Floats of about 1
static const double tolerance = 1e-6;

#define KEYS 3
#define SHAPES 2

static const float TIMES[KEYS] = {0.25f, 0.5f, 1.25f};
static const float WEIGHTS[KEYS * SHAPES] = {1, 0, 0, 1, 0.5f, -0.5f};

// Of a triangle: a corner goes up, and all three move
static const float UP[9] = {0, 0, 0, 0, 0, 0.5f, 0, 0, 0}, NONE[9] = {0};
static const float ALL[9] = {0.1f, 0, 0, 0, 0.2f, 0, 0, 0, 0.3f};
static const float* const SHAPE_LIST[SHAPES] = {UP, ALL};
static const float* const NORMAL_LIST[SHAPES] = {NONE, ALL};

// Flesh of one node with a part for each of its instances
typedef struct Body {
    snGltfPart parts[4];
    snGltfTrack track;
    snGltfFlesh flesh;
} Body;

static snGltfFlesh makeBody(const snRig* rig, int32_t node, Body* b)
{
    *b = (Body){.track = {0, KEYS, TIMES, WEIGHTS}};
    b->flesh = (snGltfFlesh){node, SHAPES, 0, b->parts, 1, &b->track};
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        if (rig->instances[i].info.node == node) {
            b->parts[b->flesh.part_count++] = (snGltfPart){i, SHAPE_LIST, NORMAL_LIST};
        }
    }
    return b->flesh;
}

// The patched document, read again. text: of the document, may be NULL
static snRig* patchRig(const snRig* rig, const snGltfFlesh* flesh, int32_t count, const char** text)
{
    static Bytes kept;
    uint8_t* bytes;
    size_t size;
    snMessage why;
    snRig* out;
    snGltfPatch patch = {.rig = rig, .flesh_count = count, .flesh = flesh};
    assert_ok(snGltfPatch_Build(&patch, &bytes, &size, &why), why);
    assert_true(size % 4 == 0 && size < sizeof kept.data);
    assert_ok(snRig_Parse(NULL, bytes, size, "patched", &out, &why), why);
    memset(&kept, 0, sizeof kept);
    memcpy(kept.data, out->source.bytes + out->source.json_begin, out->source.json_size);
    snHost_Release(&rig->host, bytes, size);
    if (text) {
        *text = kept.data;
    }
    return out;
}

static void expectText(const char* text, const char* says)
{
    char wanted[512];
    snprintf(wanted, sizeof wanted, "%s", says);
    for (char* c = wanted; *c; ++c) {
        *c = *c == '\'' ? '"' : *c;
    }
    if (!strstr(text, wanted)) {
        fail_msg("'%s' is not in %s", wanted, text);
    }
}

static void skinAt(const snRig* rig, int32_t instance, int32_t clip, double time, float* x)
{
    snMessage why;
    snMatrix nodes[16];
    double weights[64];
    assert_true(rig->info.node_count <= 16 && rig->info.weight_count <= 64);
    assert_ok(snRig_Pose(rig, clip, time, nodes, weights, &why), why);
    assert_ok(snRig_Skin(rig, instance, nodes, weights, x, NULL, &why), why);
}

// An instance of triangles on a node that does not turn moves by so much of each shape.
static void expectShapes(const snRig* old, const snRig* new, int32_t instance, int32_t clip,
                         double time, double up, double all)
{
    float x[9], y[9];
    skinAt(old, instance, clip, time, x);
    skinAt(new, instance, clip, time, y);
    for (int k = 0; k < 9; ++k) {
        assert_close((double)y[k], (double)x[k] + up * (double)UP[k] + all * (double)ALL[k],
                     tolerance);
    }
}

// A skinned clip -------------------------------------------------------------------

// Two joints that bend a triangle: soft places given in the world come back at their times.
static void test_skinned(void** state)
{
    (void)state;
    static const double times[2] = {0, 2}, turns[8] = {0, 0, 0, 1, 0, 0.6, 0, 0.8};
    static const double joints[12] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    static const double weights[12] = {0.5, 0.5, 0, 0, 1, 0, 0, 0, 0.25, 0.75, 0, 0};
    Document d = {0};
    addTriangle(&d);
    addNumbers(&d, "SCALAR", G_FLOAT, times, 2, 1);
    addNumbers(&d, "VEC4", G_FLOAT, turns, 2, 4);
    addNumbers(&d, "VEC4", G_UBYTE, joints, 3, 4);
    addNumbers(&d, "VEC4", G_FLOAT, weights, 3, 4);
    snRig* rig = parseDocument(
        &d, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':3,'WEIGHTS_0':4}}]}],"
            "'skins':[{'joints':[1,2]}],'nodes':[{'mesh':0,'skin':0},{'children':[2]},{'"
            "translation':[0,1,0]}],'animations':[{'channels':[{'sampler':0,'target':{'node':2,"
            "'path':'rotation'}}],'samplers':[{'input':1,'output':2}]}]");
    float soft[KEYS][9], shape[KEYS][9], track[KEYS * KEYS] = {0}, found[9];
    const float* shapes[KEYS];
    for (int k = 0; k < KEYS; ++k) { // one shape for each key
        snMatrix nodes[3], scratch[2];
        snRigClipData_World(rig, rig->clips, (double)TIMES[k], nodes, NULL);
        skinAt(rig, 0, 0, (double)TIMES[k], soft[k]);
        for (int i = 0; i < 9; ++i) {
            soft[k][i] += 0.1f * (float)((i * i + k) % 5);
        }
        snPullback_Find(rig, rig->instances, nodes, NULL, scratch, soft[k], NULL, shape[k], NULL);
        shapes[k] = shape[k];
        track[k * KEYS + k] = 1;
    }
    snGltfPart part = {0, shapes, NULL};
    snGltfTrack tracks = {0, KEYS, TIMES, track};
    snGltfFlesh flesh = {rig->instances[0].info.node, KEYS, 1, &part, 1, &tracks};
    snRig* new = patchRig(rig, &flesh, 1, NULL);
    assert_int_equal(new->info.target_count, KEYS);
    assert_int_equal(new->clips[0].info.channel_count, 2);
    for (int k = 0; k < KEYS; ++k) {
        skinAt(new, 0, 0, (double)TIMES[k], found);
        for (int i = 0; i < 9; ++i) {
            assert_close((double)found[i], (double)soft[k][i], tolerance);
        }
    }
    snRig_Release(rig);
    snRig_Release(new);
}

// What is there --------------------------------------------------------------------

#define MORPHED                                                                                   \
    "'meshes':[{'name':'m','weights':[0.5,0],'extras':{'targetNames':['a','b'],'k':1},"           \
    "'primitives':[{'attributes':{'POSITION':0,'NORMAL':0},'targets':[{'POSITION':1},{'POSITION'" \
    ":1}]}]}],'nodes':[{'mesh':0,'weights':[0.25,0.5]}],"

// Clip 0 moves the weights with cubic keys, 1 linearly and is not baked, 2 moves none.
static snRig* parseMorphed(const char* more)
{
    static const double delta[9] = {0, 0, 1}, times[3] = {0, 1, 2};
    static const double linear[6] = {0, 1, 0.5, 0.5, 1, 0};
    static const double cubic[18] = {0, 0, 0, 1, 2, 0, 1, -1, 0.5, 0.5, 0, 3, 1, 1, 1, 0, 0, 0};
    char rest[2048];
    Document d = {0};
    addTriangle(&d);
    addNumbers(&d, "VEC3", G_FLOAT, delta, 3, 3);
    addNumbers(&d, "SCALAR", G_FLOAT, times, 3, 1);
    addNumbers(&d, "SCALAR", G_FLOAT, linear, 6, 1);
    addNumbers(&d, "SCALAR", G_FLOAT, cubic, 18, 1);
    addNumbers(&d, "VEC3", G_FLOAT, cubic, 3, 3);
    snprintf(rest, sizeof rest,
             MORPHED "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}"
                     "],'samplers':[{'input':2,'output':4,'interpolation':'CUBICSPLINE'}]},"
                     "{'channels':[{'sampler':1,'target':{'node':0,'path':'weights'}}],'samplers':["
                     "{'input':2,'output':5},{'input':2,'output':3}]},"
                     "{'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}],'samplers':"
                     "[{'input':2,'output':5}]}]%s",
             more);
    return parseDocument(&d, rest);
}

static void test_existing(void** state)
{
    (void)state;
    Body b;
    const char* text;
    snRig* rig = parseMorphed("");
    makeBody(rig, 0, &b);
    snGltfTrack tracks[2] = {b.track, b.track};
    tracks[1].clip = 2;
    b.flesh.tracks = tracks;
    b.flesh.track_count = 2;
    snRig* new = patchRig(rig, &b.flesh, 1, &text);
    assert_int_equal(new->info.weight_count, 4);
    expectText(text, "'weights':[0.5,0,0,0]");
    expectText(text, "'weights':[0.25,0.5,0,0]");
    expectText(text, "'targetNames':['a','b','sinew_0','sinew_1'],'k':1");
    // the old ones get zeros for the normals that ours have
    assert_non_null(new->shapes[0].targets[0].normal);
    for (int k = 0; k < 9; ++k) {
        assert_true(new->shapes[0].targets[1].normal[k] == 0);
        assert_true(new->shapes[0].targets[0].position[k] == rig->shapes[0].targets[0].position[k]);
        assert_true(new->shapes[0].targets[3].normal[k] == ALL[k]);
    }
    static const double at[5] = {0, 0.375, 0.5, 0.875, 1.25};
    static const double up[5] = {1, 0.5, 0, 0.25, 0.5}, all[5] = {0, 0.5, 1, 0.25, -0.5};
    for (int i = 0; i < 5; ++i) {
        expectShapes(rig, new, 0, 0, at[i], up[i], all[i]);
        expectShapes(rig, new, 0, 1, at[i], 0, 0);
    }
    expectShapes(rig, new, 0, -1, 0, 0, 0);
    // a track begins with its clip
    for (int32_t i = 0; i < new->clips[2].info.channel_count; ++i) {
        assert_true(new->clips[2].channels[i].times[0] == 0);
    }
    assert_int_equal(new->clips[2].info.channel_count, 2);
    // old weights at rest stay in a clip that did not move them
    snMatrix nodes[1];
    double weights[4];
    snRigClipData_World(new, &new->clips[2], 0.375, nodes, weights);
    assert_true(weights[0] == 0.25 && weights[1] == 0.5 && weights[2] == 0.5);
    snRig_Release(rig);
    snRig_Release(new);
}

// A second patch finds what the first one left.
static void test_twice(void** state)
{
    (void)state;
    Body b;
    const char* text;
    snRig* rig = parseMorphed("");
    makeBody(rig, 0, &b);
    snRig* once = patchRig(rig, &b.flesh, 1, NULL);
    snRig* twice = patchRig(once, &b.flesh, 1, &text);
    expectText(text, "'sinew_0','sinew_1','sinew_4','sinew_5'");
    expectText(text, "'sinew_2':{'accessors':");
    expectShapes(rig, twice, 0, 0, 0.5, 0, 2);
    snRig_Release(rig);
    snRig_Release(once);
    snRig_Release(twice);
}

static void test_pointer(void** state)
{
    (void)state;
    Body b;
    Document d = {0};
    uint8_t* bytes;
    size_t size;
    snMessage why;
    addTriangle(&d);
    snRig* rig = parseDocument(
        &d, ONE_MESH ",'animations':[{'samplers':[{'input':0,'output':0}],'channels':[{'sampler':0,"
                     "'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':"
                     "'/nodes/0/weights'}}}}]}]");
    makeBody(rig, 0, &b);
    snGltfPatch patch = {.rig = rig, .flesh_count = 1, .flesh = &b.flesh};
    assert_int_equal(snGltfPatch_Build(&patch, &bytes, &size, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "animations[0]: it moves '/nodes/0/weights'"));
    snRig_Release(rig);
}

// Meshes ---------------------------------------------------------------------------

// What was written of nodes that show a mesh, moving ones in a list
static snRig* patchShared(const int32_t* moving, int32_t count, const char** text)
{
    Body b[3];
    snGltfFlesh flesh[3];
    Document d = {0};
    addTriangle(&d);
    snRig* rig = parseDocument(
        &d, "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}],'name':'q\\u0022'}],'nodes':[{"
            "'mesh':0},{'mesh':0},{'mesh':0}],'animations':[{'channels':[],'samplers':[]}]");
    for (int32_t i = 0; i < count; ++i) {
        flesh[i] = makeBody(rig, moving[i], &b[i]);
    }
    snRig* new = patchRig(rig, flesh, count, text);
    for (int32_t i = 0; i < 3; ++i) {
        bool moves = false;
        for (int32_t k = 0; k < count; ++k) {
            moves = moves || moving[k] == i;
        }
        assert_int_equal(new->nodes[i].weight_count, moves ? SHAPES : 0);
        expectShapes(rig, new, i, 0, 0.5, 0, moves);
    }
    snRig_Release(rig);
    return new;
}

static void test_shared(void** state)
{
    (void)state;
    const char* text;
    snRig* some = patchShared((const int32_t[]){1, 2}, 2, &text);
    // one stands still: it keeps the mesh, as it was
    expectText(text, "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}],'name':'q\\u0022'},");
    expectText(text, "'name':'q\\u0022_flesh_0'");
    expectText(text, "'name':'q\\u0022_flesh_1'");
    expectText(text, "'nodes':[{'mesh':0},{'mesh':1},{'mesh':2}]");
    snRig_Release(some);
    snRig* all = patchShared((const int32_t[]){0, 1, 2}, 3, &text);
    expectText(text, "'nodes':[{'mesh':0},{'mesh':1},{'mesh':2}]");
    expectText(text, "'name':'q\\u0022','extras':{'targetNames':['sinew_0','sinew_1']}");
    snRig_Release(all);
}

// Parts of a mesh that stand still, also lines, get targets that take no data.
static void test_still_parts(void** state)
{
    (void)state;
    static const double line[6] = {0, 0, 0, 1, 1, 1};
    Body b;
    Document d = {0};
    const char* text;
    addTriangle(&d);
    addNumbers(&d, "VEC3", G_FLOAT, line, 2, 3);
    snRig* rig = parseDocument(
        &d, "'meshes':[{'extras':{},'primitives':[{'attributes':{'POSITION':0}},{'mode':1,'"
            "attributes':{'POSITION':1}},{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0}],"
            "'animations':[{'channels':[],'samplers':[]}]");
    assert_int_equal(rig->info.mesh_count, 2);
    makeBody(rig, 0, &b);
    b.flesh.part_count = 1;
    snRig* new = patchRig(rig, &b.flesh, 1, &text);
    expectShapes(rig, new, 0, 0, 0.25, 1, 0);
    expectShapes(rig, new, 1, 0, 0.25, 0, 0);
    expectText(text, "'extras':{'targetNames':['sinew_0','sinew_1']}");
    // targets of the lines: the same zeros twice; those of the second triangle likewise
    expectText(text, "{'mode':1,'attributes':{'POSITION':1},'targets':[{'POSITION':4},{'POSITION':"
                     "4}]}");
    expectText(text, "'targets':[{'POSITION':5},{'POSITION':5}]}]");
    expectText(text, "{'componentType':5126,'count':2,'type':'VEC3','min':[0,0,0],'max':[0,0,0]}");
    snRig_Release(rig);
    snRig_Release(new);
}

// One vertex of many moves: that costs little.
static void test_sparse(void** state)
{
    (void)state;
    static double points[3000];
    static float delta[3000] = {[2997] = 1, [2998] = -2, [2999] = 3};
    static const float* const list[1] = {delta};
    static const float weights[KEYS] = {0, 1, 0};
    Document d = {0};
    for (int i = 0; i < 3000; ++i) {
        points[i] = i;
    }
    addNumbers(&d, "VEC3", G_FLOAT, points, 1000, 3);
    snRig* rig = parseDocument(&d, ONE_MESH ",'animations':[{'channels':[],'samplers':[]}]");
    snGltfPart part = {0, list, NULL};
    snGltfTrack track = {0, KEYS, TIMES, weights};
    snGltfFlesh flesh = {0, 1, 1, &part, 1, &track};
    snRig* new = patchRig(rig, &flesh, 1, NULL);
    assert_below((double)(new->source.size - rig->source.size), 1500);
    assert_memory_equal(new->shapes[0].targets[0].position, delta, sizeof delta);
    snRig_Release(rig);
    snRig_Release(new);
}

// Text and data --------------------------------------------------------------------

// Two buffers in the text become one, images stay where they are, strange text is not touched.
static void test_text(void** state)
{
    (void)state;
    // 3 bytes that nobody uses; 36 bytes: corners 0, x, y
    static const char text[] =
        "\xEF\xBB\xBF{ \"extras\" : [ 1.0e+00, \"\\u00e9 \xC3\xA9\", { } ],\n\"asset\":{\"version\""
        ":\"2.0\",\"extras\":{}},\"images\":[{\"uri\":\"skin%20one.png\"}],\r\n\t\"buffers\" : [ {"
        "\"uri\":\"data:;base64,AQID\" , \"byteLength\" : 3, \"name\":\"one\"} , {\"byteLength\":36"
        ",\"uri\":\"data:application/octet-stream;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"} ],"
        "\"bufferViews\":[ {\"buffer\":1,\"byteLength\":36} ],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],\"animations\":[{"
        "\"channels\":[ ],\"samplers\":[ ]}] }\n";
    Body b;
    snRig* rig;
    snMessage why;
    const char* out;
    assert_ok(snRig_Parse(NULL, text, strlen(text), "text", &rig, &why), why);
    makeBody(rig, 0, &b);
    snRig* new = patchRig(rig, &b.flesh, 1, &out);
    expectShapes(rig, new, 0, 0, 0.25, 1, 0);
    assert_true(new->source.binary&& new->source.buffer_count == 1);
    assert_memory_equal(new->source.buffers[0].data, "\1\2\3\0", 4);
    assert_memory_equal(new->source.buffers[0].data + 4, rig->source.buffers[1].data, 36);
    assert_int_equal(strncmp(out, "{ \"extras\" : [ 1.0e+00, \"\\u00e9 \xC3\xA9\", { } ],\n", 44),
                     0);
    expectText(out, "'images':[{'uri':'skin%20one.png'}],\r\n\t'buffers' : [ { 'byteLength' : ");
    expectText(out, ", 'name':'one'} ],'bufferViews':[ {'buffer':0,'byteLength':36,'byteOffset':4},"
                    "{'buffer':0,'byteOffset':40,");
    expectText(out, "'extras':{'sinew':{'accessors':1,'bufferViews':1,'meshes':1,'animations':1,"
                    "'byteLength':3,'buffers':2,'targets':[[0,0]],'lists':[[0,0,0]]}}");
    snRig_Release(rig);
    snRig_Release(new);
}

// Chunks behind the binary one stay.
static void test_chunks(void** state)
{
    (void)state;
    static Bytes bytes;
    Body b;
    Document d = {0};
    addTriangle(&d);
    finishGlb(&d, ONE_MESH ",'animations':[{'channels':[],'samplers':[]}]", &bytes);
    putBits(&bytes, 4, 4);
    putText(&bytes, "MOREdata");
    size_t end = bytes.count;
    bytes.count = 8;
    putBits(&bytes, end, 4);
    bytes.count = end;
    snRig* rig = parseBytes(&bytes);
    makeBody(rig, 0, &b);
    snRig* new = patchRig(rig, &b.flesh, 1, NULL);
    assert_int_equal(new->info.warning_count, 0);
    assert_memory_equal(new->source.bytes + new->source.size - 12, "\4\0\0\0MOREdata", 12);
    assert_memory_equal(new->source.bytes + new->source.bin_begin,
                        rig->source.bytes + rig->source.bin_begin, rig->source.bin_size);
    snRig_Release(rig);
    snRig_Release(new);
}

// A clip that the document does not have
static void test_new_clip(void** state)
{
    (void)state;
    static const float up[6] = {0, 0, 0, 0, 2, 0}, times[2] = {0, 1};
    snRigChannel channel = {0, sn_pathTranslation, sn_interpolateLinear, 2, 3, times, up};
    snRigClipData motion = {.info = {.name = "ho\"p", .channel_count = 1}, .channels = &channel};
    Body b;
    uint8_t* bytes;
    size_t size;
    snMessage why;
    snRig* new;
    Document d = {0};
    addTriangle(&d);
    snRig* rig = parseDocument(&d, ONE_MESH);
    makeBody(rig, 0, &b);
    snGltfPatch patch = {
        .rig = rig, .flesh_count = 1, .flesh = &b.flesh, .clip_count = 1, .clips = &motion};
    assert_ok(snGltfPatch_Build(&patch, &bytes, &size, &why), why);
    assert_ok(snRig_Parse(NULL, bytes, size, "patched", &new, &why), why);
    assert_int_equal(snRig_FindClip(new, "ho\"p"), 0);
    float x[9];
    skinAt(new, 0, 0, 0.5, x);
    assert_close((double)x[1], 1 + (double)ALL[1], tolerance);
    assert_close((double)x[0], (double)ALL[0], tolerance);
    snHost_Release(&rig->host, bytes, size);
    snRig_Release(rig);
    snRig_Release(new);
}

// Trouble --------------------------------------------------------------------------

static void expectMistake(const snGltfPatch* patch, const char* says)
{
    uint8_t* bytes;
    size_t size;
    snMessage why;
    snStatus status = snGltfPatch_Build(patch, &bytes, &size, &why);
    if (status == sn_ok || bytes || size || !strstr(why.text, says)) {
        fail_msg("status %d, '%s' should say '%s'", (int)status, why.text, says);
    }
}

static void test_mistakes(void** state)
{
    (void)state;
    static const float bad[9] = {0, 0, 0, 0, (float)INFINITY}, falling[KEYS] = {0, 1, 1};
    static const float* const bad_list[SHAPES] = {UP, bad};
    Body b, good;
    Document d = {0};
    addTriangle(&d);
    snRig* rig = parseDocument(&d, ONE_MESH ",'animations':[{'channels':[],'samplers':[]}]");
    makeBody(rig, 0, &good);
    snGltfFlesh both[2] = {good.flesh, good.flesh};
    snGltfPatch patch = {.rig = rig, .flesh_count = 2, .flesh = both};
    expectMistake(NULL, "NULL");
    expectMistake(&patch, "node 0 has flesh twice");
    patch = (snGltfPatch){.rig = rig, .flesh_count = 1, .flesh = &b.flesh};
    makeBody(rig, 0, &b);
    b.flesh.node = 1;
    expectMistake(&patch, "expected a node with a mesh and at least one shape; found node 1");
    makeBody(rig, 0, &b);
    b.parts[0].instance = 3;
    expectMistake(&patch, "part 0 is no mesh instance (3)");
    makeBody(rig, 0, &b);
    b.parts[0].position = bad_list;
    expectMistake(&patch, "shape 1 of mesh instance 0: the difference of the position of vertex 1");
    makeBody(rig, 0, &b);
    b.track.clip = 1;
    expectMistake(&patch, "there is no clip 1; there are 1");
    makeBody(rig, 0, &b);
    b.track.times = falling;
    expectMistake(&patch, "weights in clip 0: the time of key 2");
    makeBody(rig, 0, &b);
    b.track.key_count = 0;
    expectMistake(&patch, "weights in clip 0: there are no keys");
    makeBody(rig, 0, &b);
    snRigClipData empty = {.channels = NULL};
    patch.clips = &empty;
    patch.clip_count = 1;
    expectMistake(&patch, "clip 1: it has neither channels nor tracks");
    snRig_Release(rig);
}

// Whatever runs out, nothing leaks and an error says so.
static void test_memory(void** state)
{
    (void)state;
    Ration ration = {.blocks = 1000};
    snHost host = rationedHost(&ration);
    snRig* plain = parseMorphed("");
    snRig* rig;
    snMessage why;
    assert_ok(snRig_Parse(&host, plain->source.bytes, plain->source.size, "t", &rig, &why), why);
    Body b;
    makeBody(rig, 0, &b);
    snGltfPatch patch = {.rig = rig, .flesh_count = 1, .flesh = &b.flesh};
    size_t before = ration.used;
    snStatus status = sn_errorMemory;
    for (int blocks = 0; status && blocks < 300; ++blocks) {
        uint8_t* bytes;
        size_t size;
        ration.blocks = blocks;
        status = snGltfPatch_Build(&patch, &bytes, &size, &why);
        assert_true(status == sn_ok || status == sn_errorMemory);
        snHost_Release(&rig->host, bytes, size);
        assert_int_equal(ration.used, before);
    }
    assert_int_equal(status, sn_ok);
    snRig_Release(rig);
    snRig_Release(plain);
}

static void test_file(void** state)
{
    (void)state;
    Body b;
    snMessage why;
    snRig *rig = parseMorphed(""), *new;
    makeBody(rig, 0, &b);
    snGltfPatch patch = {.rig = rig, .flesh_count = 1, .flesh = &b.flesh};
    assert_ok(snGltfPatch_Save(&patch, "soft.glb", &why), why);
    assert_ok(snRig_Load(NULL, "soft.glb", &new, &why), why);
    expectShapes(rig, new, 0, 0, 0.5, 0, 1);
    assert_true(snGltfPatch_Save(&patch, "no/such/folder/soft.glb", &why) != sn_ok);
    assert_non_null(strstr(why.text, "no/such/folder/soft.glb"));
    snRig_Release(rig);
    snRig_Release(new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skinned),  cmocka_unit_test(test_existing),
        cmocka_unit_test(test_twice),    cmocka_unit_test(test_pointer),
        cmocka_unit_test(test_shared),   cmocka_unit_test(test_still_parts),
        cmocka_unit_test(test_sparse),   cmocka_unit_test(test_text),
        cmocka_unit_test(test_chunks),   cmocka_unit_test(test_new_clip),
        cmocka_unit_test(test_mistakes), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
