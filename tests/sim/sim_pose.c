// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Poses that a host feeds to the joints of a character in a sim.
#include <limits.h>

#include "math/quat.h"
#include "sim/flesh.h"
#include "sim/scarce.h"
#include "skel/joint.h"
#include "skel/skeleton.h"

static snCharacter* makeCharacter(void)
{
    snMessage why;
    snSkeleton* skeleton = makePuppet(NULL, sn_jointFree);
    snCharacter* character = NULL;
    assert_ok(snCharacter_Create(NULL, "puppet", skeleton, &character, &why), why);
    snSkeleton_Release(skeleton);
    return character;
}

static snSim* floating(snCharacter* character, snScene** scene)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = snV3(0, 0, 0);
    *scene = makeSceneOf(NULL, &def, character, NULL);
    return startSim(*scene);
}

// The puppet's joints at a time, and their rates: the root turns, the others swing as far as 0.3
static void swing(const snSkeleton* skeleton, double t, double* q, double* qd)
{
    const double w = 3, v = 0.15 * w * sin(w * t), a = 0.15 * (1 - cos(w * t));
    memset(qd, 0, (size_t)skeleton->nv * sizeof *qd);
    snSkeleton_ZeroPose(skeleton, q);
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        if (b->ball >= 0) {
            snStoreQ(q + b->qi + (b->type == sn_jointFree ? 3 : 0),
                     snQFromAxisAngle(snV3(0, 0, 1), a));
            qd[b->vi + 2] = v;
        } else if (b->nv > 0) {
            q[b->qi] = a;
            qd[b->vi] = v;
        }
    }
}

static double apart(const double* a, const double* b, int32_t count)
{
    double most = 0;
    for (int32_t i = 0; i < count; ++i) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

// Feeds the pose of the time after the next frame, and lets that pass.
static void feedSwing(snSim* sim, const snSkeleton* s, double t, int32_t with_root, double* most)
{
    snMessage why;
    double q[64], qd[64];
    swing(s, t, q, qd);
    assert_ok(snSim_SetPose(sim, 0, q, qd, 1.0 / 60, with_root, &why), why);
    advance(sim, 1.0 / 60);
    const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
    int32_t first = with_root ? 0 : 7, of = with_root ? 0 : 6;
    most[0] = fmax(most[0], apart(c->q + first, q + first, s->nq - first));
    most[1] = fmax(most[1], apart(c->qd + of, qd + of, s->nv - of));
}

// Joints are where the poses say, with their rates; and what only joints do changes no momentum.
static void posesAreFollowed(void** state)
{
    (void)state;
    for (int32_t with_root = 0; with_root < 2; ++with_root) {
        snScene* scene;
        snCharacter* c = makeCharacter();
        const snSkeleton* s = snCharacter_Skeleton(c);
        snSim* sim = floating(c, &scene);
        double most[2] = {0, 0};
        assert_true(s->nq <= 64);
        for (int i = 1; i <= 60; ++i) {
            feedSwing(sim, s, i / 60.0, with_root, most);
        }
        print_message("apart by %.2g, rates by %.2g of 0.45\n", most[0], most[1]);
        assert_below(most[0], 2e-4);
        assert_below(most[1], 2e-3);
        if (!with_root) {
            assert_below(snLength(snSim_Frame(sim)->characters[0].momentum.linear), 1e-9);
        }
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// Nobody feeds any more: it stops there. Rates that are not told are those of an even way. After
// the first call there is no need of memory, and the same poses after a restore give the same bits.
static void posesStop(void** state)
{
    (void)state;
    snMessage why;
    snHost host;
    snSceneDef def;
    double q[64], qd[64], most[2];
    snHost_Init(&host);
    host.allocate = scarce;
    host.release = giveBack;
    host.thread_count = 1;
    allowed = LONG_MAX;
    snSceneDef_Init(&def);
    def.gravity = snV3(0, 0, 0);
    snCharacter* c = makeCharacter();
    const snSkeleton* s = snCharacter_Skeleton(c);
    snScene* scene = makeSceneOf(&host, &def, c, NULL);
    snSim* sim = startSim(scene);
    feedSwing(sim, s, 0.5 / 60, 1, most);
    allowed = 0;
    void* saved = malloc(snSim_StateSize(sim));
    snSim_Save(sim, saved);
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        assert_ok(snSim_Restore(sim, saved, snSim_StateSize(sim), &why), why);
        for (int i = 1; i <= 20; ++i) {
            feedSwing(sim, s, i / 60.0, 1, most);
        }
        hash[k] = snSim_Hash(sim);
    }
    assert_true(hash[0] == hash[1]);
    swing(s, 0.4, q, qd);
    assert_ok(snSim_SetPose(sim, 0, q, NULL, 0.1, 1, &why), why);
    advance(sim, 1.5);
    const snFrameCharacter* now = &snSim_Frame(sim)->characters[0];
    memset(qd, 0, sizeof qd);
    assert_below(apart(now->q, q, s->nq), 1e-6);
    assert_below(apart(now->qd, qd, s->nv), 1e-6);
    allowed = LONG_MAX;
    q[0] = (double)NAN;
    assert_refused(snSim_SetPose(sim, 0, q, NULL, 0.1, 1, &why), sn_errorArgument, why, "pose");
    assert_refused(snSim_SetPose(sim, 0, NULL, NULL, 0.1, 1, &why), sn_errorArgument, why, "pose");
    assert_refused(snSim_SetPose(sim, 1, q, NULL, 0.1, 1, &why), sn_errorArgument, why,
                   "no character");
    free(saved);
    snSim_Free(sim);
    snScene_Free(scene);
}

// A root that was moved is let go by the first pose without it, and falls; no bone takes a pose of
// which a part is wrong.
static void rootsAreLetGo(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def;
    double q[64], qd[64], most[2] = {0, 0};
    snSceneDef_Init(&def);
    snCharacter* c = makeCharacter();
    const snSkeleton* s = snCharacter_Skeleton(c);
    snScene* scene = makeSceneOf(NULL, &def, c, NULL);
    snSim* sim = startSim(scene);
    for (int i = 1; i <= 10; ++i) {
        feedSwing(sim, s, 0, 1, most);
    }
    double from = snSim_Frame(sim)->characters[0].momentum.com.y;
    swing(s, 0, q, qd);
    q[6] = 0; // the root's quaternion
    assert_refused(snSim_SetPose(sim, 0, q, qd, 0.1, 1, &why), sn_errorArgument, why, "quaternion");
    for (int i = 1; i <= 30; ++i) {
        feedSwing(sim, s, 0, 0, most);
    }
    double fell = from - snSim_Frame(sim)->characters[0].momentum.com.y;
    print_message("fell by %.3f m of 1.226\n", fell);
    assert_true(fell > 1.22 && fell < 1.235);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(posesAreFollowed),
                                       cmocka_unit_test(rootsAreLetGo),
                                       cmocka_unit_test(posesStop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
