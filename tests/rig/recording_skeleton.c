// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A recording on a rig of other names, axes, size, facing and rest pose: limbs point where the
// recorded ones do, as the body faces, and it travels in proportion.

#include "rig/recording_skeleton.h"

#include "rig/project.h"
#include "rig/stander.h"

// Keys are floats.
static const double near = 1e-5;

static snClip* record(Figure* f)
{
    snClip* clip = recordFigure(f);
    finishRecording(clip);
    return clip;
}

static snVec3 along(const snMatrix* world, int32_t from, int32_t to)
{
    return snNormalize(snSub(world[to].p, world[from].p));
}

static void checkPlay(FigureDef like)
{
    static const int32_t LIMBS[][2] = {{6, 7},   {7, 8},   {9, 10},  {10, 11}, {12, 13},
                                       {13, 14}, {16, 17}, {17, 18}, {4, 5}};
    Figure a, b;
    snArena arena;
    snMessage why;
    snRecordingSkeleton p;
    snRetarget r;
    snRigClipData clip;
    snMatrix theirs[FIGURE_NODES], ours[FIGURE_NODES], first[2][FIGURE_NODES];
    snArena_Init(&arena, NULL);
    makeFigure(&a, (FigureDef){.axes = 11, .size = 1});
    makeFigure(&b, like);
    moveFigure(&a);
    snClip* recording = record(&a);
    assert_ok(snRecordingSkeleton_Build(&arena, &b.rig, recording, &p, &why), why);
    assert_int_equal(p.node[0], 1);
    assert_ok(snRetarget_Matched(&arena, recording, p.skeleton, &p.match, &r, &why), why);
    assert_non_null(r.legs[0]);
    assert_ok(snRecordingSkeleton_Play(&arena, &p, &r, &clip, &why), why);
    snRigClipData_World(&a.rig, &a.clip, 0, first[0], NULL);
    snRigClipData_World(&b.rig, &clip, 0, first[1], NULL);
    // the first frame faces as the character does
    snVec3 x = snSub(first[0][12].p, first[0][16].p), y = snSub(first[1][12].p, first[1][16].p);
    double turn = snAtan2(x.z, x.x) - snAtan2(y.z, y.x), worst = 0;
    snQuat face = snQFromAxisAngle(snV3(0, 1, 0), turn);
    for (int32_t k = 0; k < FIGURE_KEYS; ++k) {
        snRigClipData_World(&a.rig, &a.clip, k / FIGURE_RATE, theirs, NULL);
        snRigClipData_World(&b.rig, &clip, k / FIGURE_RATE, ours, NULL);
        for (size_t i = 0; i < sizeof LIMBS / sizeof *LIMBS; ++i) {
            snVec3 was = along(theirs, LIMBS[i][0], LIMBS[i][1]);
            snVec3 is = along(ours, LIMBS[i][0], LIMBS[i][1]);
            worst = fmax(worst, snLength(snSub(snQRotate(face, was), is)));
        }
        snVec3 went = snSub(theirs[1].p, first[0][1].p);
        snVec3 goes = snScale(1 / like.size, snSub(ours[1].p, first[1][1].p));
        assert_below(snLength(snSub(snQRotate(face, went), goes)), 0.02);
    }
    print_message("directions of limbs within %.2g\n", worst);
    assert_below(worst, near);
    snClip_Free(recording);
    snRecordingSkeleton_Free(&p);
    freeFigure(&a);
    freeFigure(&b);
    snArena_Free(&arena);
}

// The nearest bone on the way to the root, itself included, which the rig's first node may be.
static void nodesGoWithTheNearestBone(void** state)
{
    (void)state;
    snRigNode nodes[5] = {
        {.parent = -1}, {.parent = 0}, {.parent = 1}, {.parent = 2}, {.parent = -1}};
    snRig rig = {.nodes = nodes, .info.node_count = 5};
    int32_t bone[5] = {0, -1, 1, -1, -1};
    static const int32_t carrier[5] = {0, 0, 1, 1, -1};
    snRecordingSkeleton p = {.rig = &rig, .bone = bone};
    for (int32_t n = 0; n < 5; ++n) {
        assert_int_equal(snRecordingSkeleton_BoneOf(&p, n), carrier[n]);
    }
}

static void limbsPointWhereTheyDid(void** state)
{
    (void)state;
    checkPlay((FigureDef){.school = 1, .size = 1});
    checkPlay((FigureDef){.school = 1, .axes = 5, .size = 1});
    checkPlay((FigureDef){.school = 1, .axes = 5, .size = 100, .facing = 2.5});
    checkPlay((FigureDef){.school = 1, .axes = 9, .size = 0.3, .facing = -1, .arms = 0.9});
}

// Animators hang feet on the root: they still go with the legs.
static void feetOnTheRootGoWithLegs(void** state)
{
    (void)state;
    Figure a, b;
    snArena arena;
    snMessage why;
    snRecordingSkeleton p;
    snRetarget r;
    snRigClipData clip;
    snMatrix rest[FIGURE_NODES], now[FIGURE_NODES];
    snArena_Init(&arena, NULL);
    makeFigure(&a, (FigureDef){.axes = 11, .size = 1});
    makeFigure(&b, (FigureDef){.school = 1, .axes = 5, .size = 100, .facing = 2.5});
    moveFigure(&a);
    snRigClipData_World(&b.rig, NULL, 0, rest, NULL);
    for (int32_t n = 14; n <= 18; n += 4) {
        snRigNode* foot = &b.nodes[n];
        foot->parent = 1;
        foot->translation = snQRotate(snQConj(b.turned[1]), snSub(rest[n].p, rest[1].p));
        foot->rotation = snQMul(snQConj(b.turned[1]), b.turned[n]);
        foot->local = snMatrix_FromParts(foot->translation, foot->rotation, foot->scale);
    }
    snClip* recording = record(&a);
    assert_ok(snRecordingSkeleton_Build(&arena, &b.rig, recording, &p, &why), why);
    assert_ok(snRetarget_Matched(&arena, recording, p.skeleton, &p.match, &r, &why), why);
    assert_non_null(r.legs[0]);
    assert_ok(snRecordingSkeleton_Play(&arena, &p, &r, &clip, &why), why);
    for (int32_t k = 0; k < FIGURE_KEYS; ++k) {
        snRigClipData_World(&b.rig, &clip, k / FIGURE_RATE, now, NULL);
        for (int32_t n = 14; n <= 18; n += 4) {
            // as far from the knee as ever, and where the shin points
            double was = snLength(snSub(rest[n].p, rest[n - 1].p));
            snVec3 shin = snSub(now[n].p, now[n - 1].p), end;
            end = snQRotate(snQConj(b.turned[n - 1]), snSub(rest[n].p, rest[n - 1].p));
            end = snMatrix_Vector(&now[n - 1], end);
            assert_close(snLength(shin), was, 100 * near);
            assert_below(snLength(snSub(shin, end)), 100 * near);
        }
    }
    snClip_Free(recording);
    snRecordingSkeleton_Free(&p);
    freeFigure(&a);
    freeFigure(&b);
    snArena_Free(&arena);
}

// A hand that turns far about its forearm takes it along, and one that is not there turns it.
static void forearmsTurnHands(void** state)
{
    (void)state;
    static const double ROLL = 2, MOST = 0.8;
    const snVec3 x = snV3(1, 0, 0);
    for (int has_hand = 0; has_hand < 2; ++has_hand) {
        Figure a;
        Player b;
        snMatrix rest[FIGURE_NODES], now[FIGURE_NODES];
        makeFigure(&a, (FigureDef){.axes = 11, .size = 1});
        openPlayer(&b);
        standFigure(&a);
        for (int32_t k = 0; k < FIGURE_KEYS; ++k) {
            turnNode(&a, 8, k, snQFromAxisAngle(x, ROLL * k / (FIGURE_KEYS - 1)));
        }
        b.figure.nodes[8].name = has_hand ? b.figure.nodes[8].name : "odd";
        snClip* recording = record(&a);
        playTo(&b, recording);
        snRigClipData_World(&b.figure.rig, NULL, 0, rest, NULL);
        for (int32_t k = 0; k < FIGURE_KEYS; ++k) {
            double turned[2], roll = ROLL * k / (FIGURE_KEYS - 1);
            snRigClipData_World(&b.figure.rig, &b.clip, k / FIGURE_RATE, now, NULL);
            for (int32_t n = 7; n <= 8; ++n) {
                snVec3 at, scale;
                snQuat was, is;
                (void)snMatrix_Split(&rest[n], &at, &was, &scale);
                (void)snMatrix_Split(&now[n], &at, &is, &scale);
                turned[n - 7] = snTwistAngle(snQMul(is, snQConj(was)), x);
            }
            assert_close(turned[1], roll, 1e-3);
            assert_close(turned[0], has_hand ? fmax(0, roll - MOST) : roll, 1e-3);
        }
        snClip_Free(recording);
        closePlayer(&b);
        freeFigure(&a);
    }
}

// A hand on a trunk, without an arm, is a stub, and a thumb without a hand goes with the forearm:
// both keep their pose.
static void handsNeedArms(void** state)
{
    (void)state;
    for (int thumb = 0; thumb < 2; ++thumb) {
        Figure a;
        Player b;
        makeFigure(&a, (FigureDef){.axes = 11, .size = 1});
        openPlayer(&b);
        moveFigure(&a);
        if (thumb) {
            a.nodes[8].name = "LeftHandThumb1";
            b.figure.nodes[8].name = "Bip01 L Thumb";
        } else {
            b.figure.nodes[6].name = b.figure.nodes[7].name = "odd";
        }
        snClip* recording = record(&a);
        playTo(&b, recording);
        for (int32_t i = 0; i < b.clip.info.channel_count; ++i) {
            assert_int_not_equal(b.clip.channels[i].node, 8);
        }
        assert_true(b.skeleton.match.joint[b.skeleton.bone[11]] >= 0); // the other has all
        snClip_Free(recording);
        closePlayer(&b);
        freeFigure(&a);
    }
}

static void tooFewIsSaid(void** state)
{
    (void)state;
    Figure a, b;
    snArena arena;
    snMessage why;
    snRecordingSkeleton p;
    snArena_Init(&arena, NULL);
    makeFigure(&a, (FigureDef){.size = 1});
    makeFigure(&b, (FigureDef){.school = 1, .size = 1});
    moveFigure(&a);
    for (int32_t n = 2; n < FIGURE_NODES; ++n) {
        b.nodes[n].name = n % 2 ? "odd" : "even";
    }
    snClip* recording = record(&a);
    assert_int_equal(snRecordingSkeleton_Build(&arena, &b.rig, recording, &p, &why),
                     sn_errorArgument);
    assert_non_null(strstr(why.text, "too few joints fit"));
    assert_non_null(strstr(why.text, "'even'"));
    assert_non_null(strstr(why.text, "'mixamorig:Hips'"));
    assert_non_null(strstr(why.text, "mapping file"));
    snClip_Free(recording);
    freeFigure(&a);
    freeFigure(&b);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodesGoWithTheNearestBone),
        cmocka_unit_test(limbsPointWhereTheyDid),
        cmocka_unit_test(feetOnTheRootGoWithLegs),
        cmocka_unit_test(forearmsTurnHands),
        cmocka_unit_test(handsNeedArms),
        cmocka_unit_test(tooFewIsSaid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
