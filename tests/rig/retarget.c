// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Units, axes and where the actor stood do not matter; a skeleton's own motion comes back.
#include "rig/dancer.h"

#include "base/random.h"
#include "math/transform.h"
#include "rig/project.h"
#include "skel/joint.h"
#include "skel/kinematics.h"

// Some hundred roundings in a row, and angles of nearly straight limbs that enlarge them
#define SAME 1e-7

// The clip in other units and axes, the actor elsewhere
static void moveClip(snClip* c, double scale, snTransform by)
{
    snMessage why;
    size_t n = (size_t)c->info.joint_count;
    for (size_t j = 0; j < n; ++j) {
        c->joints[j].offset = snScale(scale, snQRotate(by.q, c->joints[j].offset));
        c->tip[j] = snScale(scale, snQRotate(by.q, c->tip[j]));
        for (int32_t f = 0; f < c->info.frame_count; ++f) {
            snQuat* q = &c->turn[(size_t)f * n + j];
            *q = snQMul(by.q, snQMul(*q, snQConj(by.q)));
            if (c->place[j]) {
                c->place[j][f] = snAdd(by.p, snScale(scale, snQRotate(by.q, c->place[j][f])));
            }
        }
    }
    c->info.matched = 0;
    assert_ok(snClip_Finish(c, NULL, &why), why);
}

static void unitsAndAxesDoNotMatter(void** state)
{
    (void)state;
    static const snTransform BY[] = {
        {{0, 0, 0}, {0, 0, 0, 1}},
        {{300, 40, -200}, {0, 0, 0, 1}},
        {{0, 0, 0}, {0.7071067811865476, 0, 0, 0.7071067811865476}},  // z up
        {{10, 20, 30}, {0.5, 0.5, 0.5, 0.5}},                         // z up, facing x
        {{0, 0, 0}, {0, 0, 0.7071067811865476, -0.7071067811865476}}, // x up
        {{5, 0, 5}, {0, 0.3826834323650898, 0, 0.9238795325112867}},  // y up, facing aside
    };
    static const double SCALES[] = {0.01, 1 / 2.54, 17.7, 1, 10, 0.1};
    static const int UP[] = {1, 1, 2, 2, 0, 1};
    snSkeleton* skeleton = makeHumanoid();
    snArena arena;
    snArena_Init(&arena, NULL);
    snClip* clip = makeGroove();
    snRetarget before = retarget(&arena, clip, skeleton, true);
    for (size_t i = 0; i < sizeof BY / sizeof *BY; ++i) {
        snClip* moved = makeGroove();
        moveClip(moved, SCALES[i], BY[i]);
        assert_int_equal(moved->info.up, UP[i]);
        assert_int_equal(moved->info.first, 1);
        snRetarget after = retarget(&arena, moved, skeleton, true);
        assert_close(after.scale * SCALES[i], before.scale, 1e-12);
        assert_below(difference(&before, &after), SAME);
        snClip_Free(moved);
    }
    snClip_Free(clip);
    snArena_Free(&arena);
    snSkeleton_Release(skeleton);
}

// Some writers stand a skeleton of Z up on its feet by the root's rotation alone.
static void aRootThatStandsUpIsSeen(void** state)
{
    (void)state;
    snSkeleton* skeleton = makeHumanoid();
    snArena arena;
    snArena_Init(&arena, NULL);
    snClip *clip = makeGroove(), *turned = makeGroove();
    snClipDef def;
    snClipDef_Init(&def);
    def.rest = sn_restZero;
    snMessage why;
    snQuat by = snQ(0.7071067811865476, 0, 0, 0.7071067811865476);
    size_t n = (size_t)turned->info.joint_count;
    for (size_t j = 0; j < n; ++j) {
        turned->joints[j].offset = snQRotate(by, turned->joints[j].offset);
        turned->tip[j] = snQRotate(by, turned->tip[j]);
        for (int32_t f = 0; f < turned->info.frame_count; ++f) {
            snQuat* q = &turned->turn[(size_t)f * n + j];
            *q = j > 0 ? snQMul(by, snQMul(*q, snQConj(by))) : snQMul(*q, snQConj(by));
        }
    }
    turned->info.matched = clip->info.matched = 0;
    assert_ok(snClip_Finish(clip, &def, &why), why);
    assert_ok(snClip_Finish(turned, &def, &why), why);
    snRetarget a = retarget(&arena, clip, skeleton, true);
    snRetarget b = retarget(&arena, turned, skeleton, true);
    assert_below(difference(&a, &b), SAME);
    snClip_Free(clip);
    snClip_Free(turned);
    snArena_Free(&arena);
    snSkeleton_Release(skeleton);
}

// Own motion ---------------------------------------------------------------------

#define FRAMES 60

// Angles within limits, slow; hands straight, since forearms turn them
static void pose(const snSkeleton* s, int frame, double* q)
{
    snSkeleton_ZeroPose(s, q);
    for (int32_t i = 0; i < s->bone_count && frame > 0; ++i) {
        const snBone* b = &s->bones[i];
        double phase = sin(0.1 * frame + i), other = cos(0.07 * frame + 2 * i);
        bool hand = strncmp(s->defs[i].name, "hand", 4) == 0;
        if (b->type == sn_jointBall) {
            snStoreQ(q + b->qi, snQExp(snV3(0.3 * phase, 0.25 * other, 0.3 * other)));
        } else if (b->type != sn_jointFree && !hand) {
            for (int32_t k = 0; k < b->nv; ++k) {
                const snDofDef* d = &s->defs[i].dof[k];
                double part = 0.5 + 0.3 * (k ? other : phase);
                q[b->qi + k] = d->lower + part * (d->upper - d->lower);
            }
        }
    }
    double travel[3] = {0.01 * frame, 0.02 * sin(0.1 * frame), -0.005 * frame};
    memcpy(q, travel, sizeof travel);
    snStoreQ(q + 3, snQExp(snV3(0, 0.02 * frame, 0.1 * sin(0.1 * frame))));
}

// A clip of the skeleton itself: joints are bones, by their own names; frame 0 is the zero pose.
static snClip* record(const snSkeleton* s)
{
    snMessage why;
    snHost host;
    assert_ok(snHost_Take(NULL, &host, &why), why);
    snClip* c = snClip_New(&host, s->bone_count, FRAMES);
    c->info.rate = 60;
    c->place[0] = snArena_Push(&c->arena, FRAMES, sizeof(snVec3));
    for (int32_t f = 0; f < FRAMES; ++f) {
        double q[100];
        pose(s, f, q);
        for (int32_t i = 0; i < s->bone_count; ++i) {
            const snBone* b = &s->bones[i];
            snTransform anchor = {b->anchor_p, snQFromMat(b->anchor_R)};
            snTransform t = snTMul(anchor, snProject_Pose(b, q + b->qi));
            c->joints[i] =
                (snClipJoint){.name = s->defs[i].name, .parent = b->parent, .offset = b->anchor_p};
            c->tip[i] = s->defs[i].tip;
            c->turn[(size_t)f * (size_t)s->bone_count + (size_t)i] = t.q;
            if (i == 0) {
                c->place[0][f] = t.p;
            }
        }
    }
    assert_ok(snClip_Finish(c, NULL, &why), why);
    return c;
}

static void ownMotionComesBack(void** state)
{
    (void)state;
    snSkeleton* s = makeHumanoid();
    snClip* clip = record(s);
    snArena arena;
    snMessage why;
    snRetarget r;
    snArena_Init(&arena, NULL);
    assert_int_equal(clip->info.first, 1);
    assert_ok(snRetarget_Run(&arena, clip, s, &r, &why), why);
    assert_int_equal(r.match.count, s->bone_count);
    assert_close(r.scale, 1, 1e-12);
    snBoneMotion want[64], got[64];
    double start[100];
    pose(s, 1, start);
    snVec3 faced = snQRotate(snLoadQ(start + 3), snV3(0, 0, 1));
    snQuat face = snQFromAxisAngle(snV3(0, 1, 0), -snAtan2(faced.x, faced.z));
    snBase base = {snMatFromQ(face), {0, 0, 0}};
    for (int32_t f = 0; f < r.frame_count; ++f) {
        double q[100];
        pose(s, f + 1, q);
        snKinematics_Position(s, q, &base, want);
        snKinematics_Position(s, r.q + (size_t)f * (size_t)s->nq, NULL, got);
        for (int32_t i = 0; i < s->bone_count; ++i) {
            // half of the head's nod is the neck's
            if (strcmp(s->defs[i].name, "neck") == 0) {
                continue;
            }
            snMat3 off = snMatSub(got[i].R, want[i].R);
            for (int k = 0; k < 3; ++k) {
                if (snLength(snMatRow(off, k)) > 1e-6) {
                    fail_msg("frame %d: '%s' is turned otherwise, by %g", (int)f, s->defs[i].name,
                             snLength(snMatRow(off, k)));
                }
            }
        }
        snVec3 a = snSub(got[0].p, want[0].p);
        static snVec3 first;
        first = f == 0 ? a : first;
        assert_close(snLength(snSub(a, first)), 0, 1e-9); // the same travel
    }
    snArena_Free(&arena);
    snClip_Free(clip);
    snSkeleton_Release(s);
}

// Nothing fits a starfish.
static void strangersAreRefused(void** state)
{
    (void)state;
    snMessage why;
    snSkeleton* s;
    snRetarget r;
    snArena arena;
    snArena_Init(&arena, NULL);
    snClip* clip = makeGroove();
    assert_ok(snMakeStarfish(NULL, &s, &why), why);
    assert_int_equal(snRetarget_Run(&arena, clip, s, &r, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "write a mapping file"));
    snArena_Free(&arena);
    snClip_Free(clip);
    snSkeleton_Release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unitsAndAxesDoNotMatter),
        cmocka_unit_test(aRootThatStandsUpIsSeen),
        cmocka_unit_test(ownMotionComesBack),
        cmocka_unit_test(strangersAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
