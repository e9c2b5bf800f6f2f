// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Documents patched with helper joints and read again: at rest they are what they were, helpers
// move what has their weight, and callers' mistakes are told.

#include "io/gltf/gltf.h"
#include "io/gltf/patch.h"
#include "rig/lbs.h"
#include "rig/pose.h"

static const double near = 1e-6; // floats of about 1

// A triangle on two joints, one turned, in which a second set of influences says nothing
#define DOCUMENT                                                                                   \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2,'JOINTS_1':"  \
    "1,"                                                                                           \
    "'WEIGHTS_1':3}}]}],'skins':[{'joints':[1,2]}],'scenes':[{'nodes':[0,1]}],'nodes':[{'mesh':0," \
    "'skin':0},{'children':[2]},{'rotation':[0,0,0.6,0.8],'scale':[2,2,2]}%s],'animations':[{"     \
    "'samplers':[{'input':4,'output':5}],'channels':[{'sampler':0,'target':{'node':1,'path':"      \
    "'translation'}}]}]"

static snRig* makeRig(const char* more)
{
    static const double joints[12] = {0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, times[2] = {0, 1};
    static const double weights[12] = {0.5, 0.5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, none[12] = {0};
    static const double move[6] = {0, 0, 0, 0, 1, 0};
    Document d = {0};
    char rest[1024];
    addTriangle(&d);
    addNumbers(&d, "VEC4", G_UBYTE, joints, 3, 4);
    addNumbers(&d, "VEC4", G_FLOAT, weights, 3, 4);
    addNumbers(&d, "VEC4", G_FLOAT, none, 3, 4);
    addNumbers(&d, "SCALAR", G_FLOAT, times, 2, 1);
    addNumbers(&d, "VEC3", G_FLOAT, move, 2, 3);
    snprintf(rest, sizeof rest, DOCUMENT, more);
    return parseDocument(&d, rest);
}

// Two helpers on the second joint, one on the first
static const snGltfHelper HELPERS[3] = {{2, {0.5, 0, 0}}, {1, {0, 0.25, 0}}, {2, {0, 0, 1}}};
static const uint16_t JOINTS[12] = {0, 2, 4, 0, 3, 0, 0, 0, 1, 2, 0, 0};
static const float WEIGHTS[12] = {0.5f, 0.25f, 0.25f, 0, 1, 0, 0, 0, 0.75f, 0.25f, 0, 0};
static const float TIMES[2] = {0.5f, 1};

typedef struct Helped {
    snGltfHelper helpers[3];
    float places[18];
    const uint16_t* joints[1];
    const float* weights[1];
    snGltfInfluences part;
    snGltfTravel track;
    snGltfJoints all;
    snGltfPatch patch;
} Helped;

// Helpers that travel by t in the second key
static void makeHelped(Helped* h, const snRig* rig, snVec3 t)
{
    *h = (Helped){.joints = {JOINTS}, .weights = {WEIGHTS}};
    for (int32_t n = 0; n < 3 * rig->info.node_count; ++n) { // by their numbers in the file
        int32_t i = n / rig->info.node_count, node = n % rig->info.node_count;
        if (rig->nodes[node].file_index == HELPERS[i].node) {
            h->helpers[i] = (snGltfHelper){node, HELPERS[i].place};
        }
    }
    for (size_t k = 0; k < 6; ++k) {
        const snVec3* at = &HELPERS[k / 2].place;
        double part = (double)(k % 2);
        h->places[3 * k] = (float)(at->x + part * t.x);
        h->places[3 * k + 1] = (float)(at->y + part * t.y);
        h->places[3 * k + 2] = (float)(at->z + part * t.z);
    }
    h->part = (snGltfInfluences){0, 1, h->joints, h->weights};
    h->track = (snGltfTravel){0, 2, TIMES, h->places};
    h->all = (snGltfJoints){3, h->helpers, 1, &h->part, 1, &h->track};
    h->patch = (snGltfPatch){.rig = rig, .joints = &h->all};
}

static snRig* again(const snGltfPatch* patch)
{
    uint8_t* bytes;
    size_t size;
    snMessage why;
    snRig* out;
    assert_ok(snGltfPatch_Build(patch, &bytes, &size, &why), why);
    assert_ok(snRig_Parse(NULL, bytes, size, "again", &out, &why), why);
    snHost_Release(&patch->rig->host, bytes, size);
    return out;
}

static void skin(const snRig* rig, int32_t clip, double time, float* out)
{
    snMessage why;
    snMatrix nodes[8];
    assert_ok(snRig_Pose(rig, clip, time, nodes, NULL, &why), why);
    assert_ok(snRig_Skin(rig, 0, nodes, NULL, out, NULL, &why), why);
}

static void helpersMoveTheirShare(void** state)
{
    (void)state;
    Helped h;
    snVec3 t = {0.1, 0.2, -0.3};
    float was[9], is[9];
    snRig* rig = makeRig("");
    makeHelped(&h, rig, t);
    snRig* out = again(&h.patch);
    assert_int_equal(out->info.node_count, rig->info.node_count + 3);
    assert_int_equal(out->skins[0].joint_count, 5);
    assert_int_equal(out->info.warning_count, rig->info.warning_count);
    for (int k = 0; k < 2; ++k) { // at rest, and in the clip before they travel
        skin(rig, k - 1, 0.5, was);
        skin(out, k - 1, 0.5, is);
        for (int i = 0; i < 9; ++i) {
            assert_close((double)is[i], (double)was[i], near);
        }
    }
    // W of the second joint: half a turn's rotation, twice as large; helpers 0 and 2 hang on it
    skin(rig, 0, 1, was);
    skin(out, 0, 1, is);
    snVec3 far = snScale(2, snQRotate(snQ(0, 0, 0.6, 0.8), t));
    const snVec3 ways[3] = {snScale(0.5, far), t, snScale(0.25, far)};
    for (int v = 0; v < 3; ++v) {
        const float *a = was + 3 * v, *b = is + 3 * v;
        snVec3 way = snV3((double)(b[0] - a[0]), (double)(b[1] - a[1]), (double)(b[2] - a[2]));
        assert_below(snLength(snSub(way, ways[v])), near);
    }
    assert_int_equal(out->clips[0].info.channel_count, 1 + 3);
    assert_true(out->info.is_baked);
    snRig_Release(out);
    snRig_Release(rig);
}

static void placesFollowTheSkin(void** state)
{
    (void)state;
    Helped h;
    snRig* rig = makeRig("");
    makeHelped(&h, rig, snV3(0, 0, 0));
    assert_int_equal(snGltfJoints_Place(rig, &h.all, 0, 0), 2);
    assert_int_equal(snGltfJoints_Place(rig, &h.all, 0, 2), 4);
    snGltfHelper other = {0, {0, 0, 0}};
    h.all.helpers = &other;
    h.all.helper_count = 1;
    assert_int_equal(snGltfJoints_Place(rig, &h.all, 0, 0), -1);
    snRig_Release(rig);
}

static void refusePatch(const Helped* h, const char* reason)
{
    uint8_t* bytes;
    size_t size;
    snMessage why;
    assert_int_not_equal(snGltfPatch_Build(&h->patch, &bytes, &size, &why), sn_ok);
    assert_null(bytes);
    if (!strstr(why.text, reason)) {
        fail_msg("no '%s' in: %s", reason, why.text);
    }
}

static void mistakesAreTold(void** state)
{
    (void)state;
    Helped h;
    snRig* rig = makeRig("");
    uint16_t joints[12] = {5};
    float weights[12] = {2};
    snGltfHelper stray = {0, {0, 0, 0}};
    makeHelped(&h, rig, snV3(0, 0, 0));
    h.all.helpers = &stray;
    h.all.helper_count = 1;
    refusePatch(&h, "which is no joint");
    makeHelped(&h, rig, snV3(0, 0, 0));
    h.joints[0] = joints;
    refusePatch(&h, "the joint 5 of 5");
    makeHelped(&h, rig, snV3(0, 0, 0));
    h.weights[0] = weights;
    refusePatch(&h, "not in 0..1");
    makeHelped(&h, rig, snV3((double)NAN, 0, 0));
    refusePatch(&h, "not finite");
    makeHelped(&h, rig, snV3(0, 0, 0));
    h.track.clip = 1;
    refusePatch(&h, "no such clip");
    makeHelped(&h, rig, snV3(0, 0, 0));
    h.part.instance = 7;
    refusePatch(&h, "has no skin");
    snRig_Release(rig);
}

// A mesh that several nodes show cannot have weights for each.
static void sharedMeshesAreRefused(void** state)
{
    (void)state;
    Helped h;
    snRig* rig = makeRig(",{'mesh':0}");
    makeHelped(&h, rig, snV3(0, 0, 0));
    refusePatch(&h, "is shown by 2 nodes");
    snRig_Release(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helpersMoveTheirShare),
        cmocka_unit_test(placesFollowTheSkin),
        cmocka_unit_test(mistakesAreTold),
        cmocka_unit_test(sharedMeshesAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
