// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Built-in motions: in the world they are what they say, whatever frames nodes have above; they
// begin and end in the nodes' own pose, and are loops.

#include "rig/motion.h"

#include "check.h"
#include "rig/pose.h"
#include "rig/track.h"

static const double near = 1e-5; // of the size: keys are floats

#define NODES 4

typedef struct Tall {
    snRig rig;
    snArena arena;
    snRigNode nodes[NODES];
    snMatrix rest[NODES];
} Tall;

static void setNode(Tall* t, int32_t n, int32_t parent, snVec3 p, snQuat q, double scale)
{
    snVec3 s = snV3(scale, fabs(scale), fabs(scale));
    t->nodes[n] = (snRigNode){.name = "",
                              .parent = parent,
                              .is_joint = n >= 2,
                              .translation = p,
                              .rotation = q,
                              .scale = s,
                              .local = snMatrix_FromParts(p, q, s)};
}

// 1.8 m tall, in centimetres above, z upwards there, and aside; node 0 cannot be moved
static void makeTall(Tall* t, double mirror)
{
    memset(t, 0, sizeof *t);
    snHost_Init(&t->rig.host);
    snArena_Init(&t->arena, NULL);
    t->rig.nodes = t->nodes;
    t->rig.info.node_count = NODES;
    t->rig.info.joint_count = 2;
    t->rig.info.low = snV3(1, 0, -0.2);
    t->rig.info.high = snV3(1.9, 1.8, 0.3);
    setNode(t, 0, -1, snV3(1, 0, 0), snQFromAxisAngle(snV3(1, 0, 0), -SN_PI / 2), 0.01 * mirror);
    t->nodes[0].has_matrix = 1;
    setNode(t, 1, 0, snV3(2, -3, 5), snQFromAxisAngle(snV3(0, 0, 1), 0.7), 1);
    setNode(t, 2, 1, snV3(0, 10, 90), snQFromAxisAngle(snV3(0, 1, 0), -0.4), 1);
    setNode(t, 3, 2, snV3(20, 0, 30), snQFromAxisAngle(snV3(1, 0, 0), 1.1), 2);
    snRigClipData_World(&t->rig, NULL, 0, t->rest, NULL);
}

static void assertVec(snVec3 a, snVec3 b)
{
    assert_below(snLength(snSub(a, b)), near * 1.8);
}

// How all nodes are moved and turned against rest
static void checkPose(const Tall* t, const snMatrix* now, double angle, snVec3 move, snVec3 about)
{
    snQuat q = snQFromAxisAngle(snV3(0, 1, 0), angle);
    for (int n = 2; n < NODES; ++n) {
        snVec3 p = snAdd(about, snQRotate(q, snSub(t->rest[n].p, about)));
        assertVec(now[n].p, snAdd(p, move));
        snVec3 far = snSub(snMatrix_Point(&now[n], snV3(30, 10, -20)), now[n].p);
        snVec3 was = snSub(snMatrix_Point(&t->rest[n], snV3(30, 10, -20)), t->rest[n].p);
        assertVec(far, snQRotate(q, was));
    }
}

static void checkMotion(double mirror, int32_t motion, double time, double angle, snVec3 move)
{
    Tall t;
    snMessage why;
    snRigClipData clip;
    snRigTrack track;
    snMatrix now[NODES], rates[NODES];
    makeTall(&t, mirror);
    assert_ok(snMotion_BuildClip(&t.arena, &t.rig, motion, &clip, &why), why);
    assert_string_equal(clip.info.name, snMotion_Name(motion));
    assert_in_range((int)(10 * clip.info.duration), 20, 30);
    for (int32_t c = 0; c < clip.info.channel_count; ++c) {
        assert_int_equal(clip.channels[c].node, 2); // the lowest that carries all joints
    }
    assert_ok(snRigTrack_Of(&t.arena, &t.rig, &clip, NULL, &track, &why), why);
    assert_true(track.is_loop && track.cut_count == 0);
    snRigClipData_World(&t.rig, &clip, 0, now, NULL);
    checkPose(&t, now, 0, snV3(0, 0, 0), snV3(0, 0, 0));
    snRigClipData_World(&t.rig, &clip, time, now, NULL);
    checkPose(&t, now, angle, move, snV3(1.45, 0, 0.05));
    snRigTrack_At(&track, time, now, rates);
    checkPose(&t, now, angle, move, snV3(1.45, 0, 0.05));
    snArena_Free(&t.arena);
}

static void test_motions(void** state)
{
    (void)state;
    for (double mirror = -1; mirror <= 1; mirror += 2) {
        checkMotion(mirror, sn_motionHop, 0.3, 0, snV3(0, 0.15 * 1.8, 0));
        checkMotion(mirror, sn_motionHop, 0.8, 0, snV3(0, 0, 0));
        checkMotion(mirror, sn_motionHop, 1.3, 0, snV3(0, 0.15 * 1.8, 0));
        checkMotion(mirror, sn_motionShake, 0.1, 0, snV3(0.08 * 0.9 * sin(0.4 * SN_PI), 0, 0));
        checkMotion(mirror, sn_motionTurn, 0.2, SN_PI / 3, snV3(0, 0, 0));
        checkMotion(mirror, sn_motionTurn, 1.4, -SN_PI / 3, snV3(0, 0, 0));
    }
}

static void test_refused(void** state)
{
    Tall t;
    snMessage why;
    snRigClipData clip;
    (void)state;
    makeTall(&t, 1);
    assert_null(snMotion_Name(sn_motionNone));
    assert_null(snMotion_Name(sn_motionCount));
    assert_int_equal(snMotion_BuildClip(&t.arena, &t.rig, 7, &clip, &why), sn_errorArgument);
    for (int n = 0; n < NODES; ++n) {
        t.nodes[n].has_matrix = 1;
    }
    assert_int_equal(snMotion_BuildClip(&t.arena, &t.rig, 1, &clip, &why), sn_errorArgument);
    snArena_Free(&t.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motions),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
