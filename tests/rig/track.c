// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A walker that turns: world matrices and their rates, loops with travel, cuts, clips that stand.

#include "rig/track.h"

#include "check.h"
#include "rig/pose.h"

#define NODES 4
#define KEYS 33

static const double difference = 1e-5; // step of central differences, s

// A frame in centimetres that stays; a root that walks a circle; a thigh that swings; a shin with a
// matrix of its own
typedef struct Stage {
    snArena arena;
    snRig rig;
    snRigNode nodes[NODES];
    snRigClipData clip;
    snRigChannel channels[4];
    float times[KEYS], root[3 * KEYS], heading[4 * KEYS], swing[4 * KEYS], size[3 * KEYS];
    double turn; // of a loop
} Stage;

static void setNode(Stage* s, int n, snVec3 p, snQuat q, double scale)
{
    s->nodes[n] = (snRigNode){.name = "",
                              .parent = n - 1,
                              .is_joint = n > 0,
                              .translation = p,
                              .rotation = q,
                              .scale = {scale, scale, scale}};
    s->nodes[n].local = snMatrix_FromParts(p, q, s->nodes[n].scale);
}

static void setQuat(float* v, snQuat q)
{
    v[0] = (float)q.x, v[1] = (float)q.y, v[2] = (float)q.z, v[3] = (float)q.w;
}

// The root's frame has z up, as files that come from other programs have
static void open(Stage* s, double turn)
{
    *s = (Stage){.turn = turn};
    snHost_Init(&s->rig.host);
    snArena_Init(&s->arena, NULL);
    setNode(s, 0, snV3(3, 0, 1), snQExp(snV3(-SN_PI / 2, 0, 0)), 0.01);
    setNode(s, 1, snV3(0, 0, 90), snQIdentity(), 1);
    setNode(s, 2, snV3(10, 0, 0), snQExp(snV3(0.3, 0.2, 0.1)), 1);
    setNode(s, 3, snV3(0, 0, -40), snQIdentity(), 1);
    s->nodes[3].local.y.x = 0.2;
    for (int i = 0; i < KEYS; ++i) {
        double u = i / (KEYS - 1.0), phase = 2 * SN_PI * u, angle = turn * u;
        snVec3 arc = snV3(300 * snSin(angle), -300 * snCos(angle), 90 + 5 * snCos(2 * phase));
        arc = turn != 0 ? arc : snV3(150 * u, 20, 90 + 5 * snCos(2 * phase));
        s->times[i] = (float)(0.5 + i / 24.0);
        for (int k = 0; k < 3; ++k) {
            s->root[3 * i + k] = (float)(&arc.x)[k];
            s->size[3 * i + k] = (float)(1 + 0.1 * snSin(phase + k));
        }
        setQuat(s->heading + 4 * i,
                snQMul(snQExp(snV3(0, 0, angle)), snQExp(snV3(0.1 * snSin(phase), 0, 0))));
        setQuat(s->swing + 4 * i, snQExp(snV3(0.6 * snSin(phase + 0.4), 0, 0.2 * snCos(phase))));
    }
    int linear = sn_interpolateLinear;
    s->channels[0] = (snRigChannel){1, sn_pathTranslation, linear, KEYS, 3, s->times, s->root};
    s->channels[1] = (snRigChannel){1, sn_pathRotation, linear, KEYS, 4, s->times, s->heading};
    s->channels[2] = (snRigChannel){2, sn_pathRotation, linear, KEYS, 4, s->times, s->swing};
    s->channels[3] = (snRigChannel){2, sn_pathScale, linear, KEYS, 3, s->times, s->size};
    double last = (double)s->times[KEYS - 1];
    s->clip = (snRigClipData){.info = {"walk", 0.5, last, last - 0.5, 4}, .channels = s->channels};
    s->rig.nodes = s->nodes;
    s->rig.clips = &s->clip;
    s->rig.info.node_count = NODES;
    s->rig.info.joint_count = NODES - 1;
    s->rig.info.clip_count = 1;
    s->rig.info.high = snV3(0.5, 1.8, 0.5);
}

static snRigTrack makeTrack(Stage* s, const snRigTrackDef* def)
{
    snRigTrack track;
    snMessage why;
    assert_ok(snRigTrack_Build(&s->arena, &s->rig, 0, def, &track, &why), why);
    return track;
}

static double apart(const snMatrix* a, const snMatrix* b)
{
    snMatrix d = snMatrix_MulAdd(a, -1, b);
    return snLength(d.x) + snLength(d.y) + snLength(d.z) + snLength(d.p);
}

// In the keys the file's pose; rates are the derivative, in later loops too; what happens at the
// seam happens in both loops.
static void checkTrack(const snRigTrack* track, double seam)
{
    snMatrix now[NODES], rate[NODES], before[NODES], after[NODES], want[NODES];
    double length = track->period;
    for (int i = 0; i < KEYS - 1; ++i) {
        double t = (double)track->rig->clips[0].channels[0].times[i];
        snRigTrack_At(track, t, now, NULL);
        snRigClipData_World(track->rig, &track->rig->clips[0], t, want, NULL);
        for (int n = 0; n < NODES; ++n) {
            assert_close(apart(&now[n], &want[n]), 0, seam + 1e-6);
        }
    }
    for (double t = track->first - 1.7 * length; t < track->last + 1.3 * length; t += 0.0137) {
        snRigTrack_At(track, t, now, rate);
        snRigTrack_At(track, t - difference, before, NULL);
        snRigTrack_At(track, t + difference, after, NULL);
        for (int n = 0; n < NODES; ++n) {
            snMatrix d = snMatrix_MulAdd(&after[n], -1, &before[n]), zero = {0};
            d = snMatrix_MulAdd(&zero, 0.5 / difference, &d);
            // h^2/6 of the third derivative, which jumps in keys, and rounding over h
            assert_close(apart(&d, &rate[n]), 0, 2e-5);
        }
    }
    for (int loop = -2; loop < 3; ++loop) {
        double t = track->first + loop * length;
        snMatrix late[NODES];
        snRigTrack_Before(track, t, before, late);
        snRigTrack_At(track, t, now, rate);
        for (int n = 0; n < NODES; ++n) {
            assert_close(apart(&before[n], &now[n]), 0, 1e-9);
            assert_close(apart(&late[n], &rate[n]), 0, 1e-6);
        }
    }
}

static void test_loop(void** state)
{
    (void)state;
    static const double TURNS[3] = {0, 0.7, -1.9};
    for (int i = 0; i < 3; ++i) {
        Stage s;
        open(&s, TURNS[i]);
        snRigTrack track = makeTrack(&s, NULL);
        assert_true(track.is_loop && !track.is_constant);
        assert_int_equal(track.cut_count, 0);
        assert_close(track.turn, TURNS[i], 1e-6);
        assert_below(track.seam_distance, 1e-6);
        // 3 m chords on a circle; the root's frame stands at (3, 0, 1)
        snVec3 a = snV3(3, 0, 4), b = snV3(3 + 3 * snSin(TURNS[i]), 0, 1 + 3 * snCos(TURNS[i]));
        snMatrix turn =
            snMatrix_FromParts(track.travel, snQExp(snV3(0, track.turn, 0)), snV3(1, 1, 1));
        if (TURNS[i] != 0) {
            assert_close(snLength(snSub(snMatrix_Point(&turn, a), b)), 0, 1e-5);
        } else {
            assert_close(snLength(snSub(track.travel, snV3(1.5, 0, 0))), 0, 1e-5);
        }
        assert_true(!track.travels[0] && track.travels[1] && track.travels[3]);
        checkTrack(&track, 0);
        snArena_Free(&s.arena);
    }
}

// A seam that misses half of what is allowed is closed evenly; one that misses too much is not.
static void test_seam(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        Stage s;
        open(&s, 0.7);
        double miss = i == 0 ? 0.4 : 2; // cm; 0.9 are 0.5 % of 1.8 m
        s.root[3 * (KEYS - 1) + 2] += (float)miss;
        snRigTrack track = makeTrack(&s, NULL);
        assert_relative(track.seam_distance, 0.01 * miss / 1.8, 0.01, 0);
        assert_int_equal(track.is_loop, i == 0);
        if (i == 0) {
            checkTrack(&track, 0.0021);
        }
        snArena_Free(&s.arena);
    }
    Stage s;
    open(&s, 0.7);
    snRigTrackDef def;
    snRigTrackDef_Init(&def);
    def.loop = 0;
    snRigTrack track = makeTrack(&s, &def);
    assert_false(track.is_loop);
    // it stands before and after
    snMatrix first[NODES], last[NODES], rate[NODES];
    snRigTrack_At(&track, -7, first, rate);
    snRigClipData_World(&s.rig, &s.clip, 0.5, last, NULL);
    assert_close(apart(&first[3], &last[3]) + snLength(rate[3].p), 0, 1e-9);
    snRigTrack_At(&track, 1e9, first, rate);
    snRigClipData_World(&s.rig, &s.clip, 1e9, last, NULL);
    assert_close(apart(&first[3], &last[3]) + snLength(rate[3].p), 0, 1e-9);
    snArena_Free(&s.arena);
}

// Without its last key the clip is a step short of its start: a loop of the same period, in whose
// keys nothing is moved. One that ends elsewhere is none unless it must be; then its seam is a cut.
static void test_open(void** state)
{
    (void)state;
    static const double TURNS[2] = {0, 0.7};
    for (int i = 0; i < 2; ++i) {
        Stage s;
        open(&s, TURNS[i]);
        for (int c = 0; c < 4; ++c) {
            s.channels[c].key_count = KEYS - 1;
        }
        s.clip.info.last = (double)s.times[KEYS - 2];
        snRigTrack track = makeTrack(&s, NULL);
        assert_true(track.is_loop && track.is_open);
        assert_int_equal(track.cut_count, 0);
        assert_close(track.period, (KEYS - 1) / 24.0, 1e-6);
        assert_close(track.turn, TURNS[i], 0.02); // the last step goes on as the one before it
        checkTrack(&track, 0);
        // between the last key and the end it goes on to the first pose
        snMatrix a[NODES], b[NODES];
        snRigTrack_Pose(&track, track.last + 0.5 / 24, a, NULL);
        snRigTrack_At(&track, track.last + 0.5 / 24, b, NULL);
        assert_close(apart(&a[3], &b[3]), 0, 1e-9);
        snArena_Free(&s.arena);
    }
    Stage s;
    snRigTrackDef def;
    snMatrix before[NODES], after[NODES], want[NODES];
    open(&s, 0);
    snRigTrackDef_Init(&def);
    setQuat(s.swing + 4 * (KEYS - 1), snQExp(snV3(-0.4, 0, 0)));
    assert_false(makeTrack(&s, &def).is_loop);
    def.loop = 1;
    snRigTrack track = makeTrack(&s, &def);
    assert_true(track.is_loop && !track.is_open && track.seam_node >= 2);
    assert_int_equal(track.cut_count, 1);
    assert_true(track.cuts[0] > track.last && track.cuts[0] < track.last + 1e-3);
    snRigTrack_Before(&track, track.cuts[0], before, NULL);
    snRigClipData_World(&s.rig, &s.clip, track.last, want, NULL);
    assert_close(apart(&before[3], &want[3]), 0, 1e-6);
    snRigTrack_At(&track, track.cuts[0], after, NULL);
    snRigClipData_World(&s.rig, &s.clip, track.first, want, NULL);
    assert_close(apart(&after[3], &want[3]), 1.5, 1e-5); // the way of a round
    snArena_Free(&s.arena);
}

// Cuts of different nodes are listed once, rising; around them everything is where the file has it.
static void test_cuts(void** state)
{
    (void)state;
    Stage s;
    open(&s, 0);
    for (int i = 20; i < KEYS; ++i) {
        s.root[3 * i] += 400;
        setQuat(s.swing + 4 * i, snQExp(snV3(2, 0, 0)));
    }
    for (int i = 0; i < 20; ++i) {
        setQuat(s.swing + 4 * i, snQIdentity());
    }
    static const float times[2] = {0.75f, 1.75f}, sizes[6] = {1, 1, 1, 2, 2, 2};
    s.channels[3] = (snRigChannel){2, sn_pathScale, sn_interpolateStep, 2, 3, times, sizes};
    snRigTrack track = makeTrack(&s, NULL);
    assert_false(track.is_loop);
    assert_int_equal(track.cut_count, 2);
    assert_close(track.cuts[0], 0.5 + 19.5 / 24, 1e-6);
    assert_true(track.cuts[1] == 1.75);
    snMatrix before[NODES], after[NODES], rate[NODES];
    snRigTrack_Before(&track, track.cuts[0], before, rate);
    snRigTrack_At(&track, track.cuts[0], after, NULL);
    assert_close(snLength(snSub(after[1].p, before[1].p)), 4, 1e-2);
    assert_below(snLength(rate[1].p), 1.5); // it walks on at 1.1 m/s
    snRigTrack_Before(&track, 1.75, before, NULL);
    snRigTrack_At(&track, 1.75, after, NULL);
    assert_close(snLength(after[2].x) / snLength(before[2].x), 2, 1e-9);
    snArena_Free(&s.arena);
}

static void test_constant(void** state)
{
    (void)state;
    Stage s;
    open(&s, 0);
    for (int i = 0; i < 4; ++i) {
        s.channels[i].key_count = 1;
    }
    snRigTrack track = makeTrack(&s, NULL);
    assert_true(track.is_constant && !track.is_loop);
    s.clip.info.last = s.clip.info.first; // a clip of no length
    track = makeTrack(&s, NULL);
    assert_true(track.is_constant && !track.is_loop);
    snMatrix now[NODES], want[NODES], rate[NODES];
    snRigTrack_At(&track, 3, now, rate);
    snRigClipData_World(&s.rig, &s.clip, 3, want, NULL);
    for (int n = 0; n < NODES; ++n) {
        assert_close(apart(&now[n], &want[n]), 0, 1e-12);
        assert_true(snLength(rate[n].p) == 0);
    }
    snMessage why;
    assert_int_equal(snRigTrack_Build(&s.arena, &s.rig, 1, NULL, &track, &why), sn_errorArgument);
    snArena_Free(&s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loop), cmocka_unit_test(test_seam),
                                       cmocka_unit_test(test_open), cmocka_unit_test(test_cuts),
                                       cmocka_unit_test(test_constant)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
