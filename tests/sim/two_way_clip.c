// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// What a two-way run did, as a clip: poses are those of the run, loops close, and what physics does
// not move stays as it was.

#include "sim/two_way_clip.h"

#include "rig/ik_leg.h"
#include "rig/pose.h"
#include "sim/mast.h"

static const double pose_error = 2e-5; // m: keys are floats
static const double foot_error = 5e-3; // m, of 1.6: joints are fitted to what a clip shows

static const snRigChannel* channelOf(const snRigClipData* motion, int32_t node, int32_t path)
{
    for (int32_t i = 0; i < motion->info.channel_count; ++i) {
        if (motion->channels[i].node == node && motion->channels[i].path == path) {
            return &motion->channels[i];
        }
    }
    return NULL;
}

// Ends elsewhere than it begins
static void tilt(double t, snVec3* turn, snVec3* place)
{
    *turn = snV3(0.4 * t, 0.2 * snSin(2 * t), -0.5 * t);
    *place = snV3(0.1 * t, 0.05, 0);
}

// The skeleton's places are those of the new clip's nodes, at the last frame.
static void test_poses(void** state)
{
    Mast m;
    snMessage why;
    snRigClipData motion;
    snMatrix nodes[2];
    (void)state;
    openMast(&m, tilt);
    assert_false(m.track.is_loop);
    snTwoWayDef def = defOf(&m);
    def.rate = 10;
    def.strength = 0.02;
    assert_ok(snTwoWay_Perform(&m.arena, NULL, &def, NULL, NULL, &motion, NULL, &why), why);
    snTwoWay* two = startMast(&def, 1);
    for (int i = 0; i < 20; ++i) {
        snTwoWay_Advance(two);
    }
    snRigClipData_World(&m.made.rig, &motion, 2, nodes, NULL);
    for (int32_t b = 0; b < 2; ++b) {
        const snBoneMotion* bone = &snTwoWay_Bones(two)[b];
        const snMatrix* node = &nodes[m.joints->joints[b].node];
        assert_below(snLength(snSub(bone->p, node->p)), pose_error);
        assert_below(snLength(snSub(snMatCol(bone->R, 0), node->x)), pose_error);
        assert_below(snLength(snSub(snMatCol(bone->R, 1), node->y)), pose_error);
    }
    assert_true(snTwoWay_Facts(two).turn_most > 0.01);    // it is not the clip
    assert_string_equal(motion.info.name, "0 (two-way)"); // it has no name
    snTwoWay_Free(two);
    closeMast(&m);
}

// A loop
static void circle(double t, snVec3* turn, snVec3* place)
{
    *turn = snV3(0.5 * snSin(SN_PI * t), 0, 0.5 * snCos(SN_PI * t));
    *place = snV3(0, 0.05, 0);
}

static void test_loop(void** state)
{
    Mast m;
    snMessage why;
    snRigClipData motion;
    snTwoWayFacts facts;
    (void)state;
    openMast(&m, circle);
    assert_true(m.track.is_loop);
    snTwoWayDef def = defOf(&m);
    def.rate = 30;
    def.strength = 0.1;
    assert_ok(snTwoWay_Perform(&m.arena, NULL, &def, NULL, NULL, &motion, &facts, &why), why);
    assert_int_equal(facts.frames, 60);
    const snRigChannel* top = channelOf(&motion, MAST_TOP, sn_pathRotation);
    assert_int_equal(top->key_count, 61);
    for (int k = 0; k < 4; ++k) {
        assert_close((double)top->values[k], (double)top->values[4 * 60 + k], 1e-6);
    }
    closeMast(&m);
}

// A foot that hangs on the hips in the file stays at the end of its shin, whatever the leg does.
static void test_foot(void** state)
{
    IkLeg g;
    snMessage why;
    snArena arena;
    snBodyDef body_def;
    snRigBody body;
    snRigTrack track;
    snRigJoints* joints;
    snRigClipData motion;
    snTwoWayDef def;
    (void)state;
    openLeg(&g, 0);
    snArena_Init(&arena, NULL);
    snBodyDef_Init(&body_def);
    body_def.quality = sn_qualityDraft;
    body_def.softness = 3;
    assert_ok(snRigBody_Build(&arena, &g.made.rig, &body_def, &body, &why), why);
    assert_ok(snRigTrack_Build(&arena, &g.made.rig, 0, NULL, &track, &why), why);
    assert_ok(snRigJoints_Fit(NULL, &g.made.rig, &joints, &why), why);
    snTwoWayDef_Init(&def);
    def.body = &body;
    def.joints = joints;
    def.track = &track;
    def.rate = 10;
    def.strength = 0.05;
    assert_ok(snTwoWay_Perform(&arena, NULL, &def, NULL, NULL, &motion, NULL, &why), why);
    assert_non_null(channelOf(&motion, LEG_FOOT, sn_pathTranslation));
    assert_null(channelOf(&motion, LEG_SHIN, sn_pathTranslation));
    for (int i = 0; i <= 10; ++i) {
        snMatrix nodes[MOST_JOINTS];
        snRigClipData_World(&g.made.rig, &motion, i / 10.0, nodes, NULL);
        snVec3 ankle = snMatrix_Point(&nodes[LEG_SHIN], snV3(0, -0.4, 0));
        snVec3 foot = snMatrix_Point(&nodes[LEG_FOOT], LEG_PIVOT);
        assert_below(snLength(snSub(ankle, foot)), foot_error);
    }
    snRigJoints_Free(joints);
    snArena_Free(&arena);
    dropRig(&g.made);
}

static bool stopAtOnce(void* user, int32_t frame, int32_t count)
{
    (void)user, (void)frame, (void)count;
    return false;
}

static void test_stop(void** state)
{
    Mast m;
    snMessage why;
    snRigClipData motion;
    (void)state;
    openMast(&m, sway);
    snTwoWayDef def = defOf(&m);
    assert_int_equal(snTwoWay_Perform(&m.arena, NULL, &def, stopAtOnce, NULL, &motion, NULL, &why),
                     sn_errorInterrupted);
    closeMast(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_foot),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
