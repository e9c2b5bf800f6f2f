// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Drives pass through every frame at its time, begin where the character stands, and end at rest.
#include "rig/dancer.h"

#include "skel/joint.h"
#include <sinew/sim.h>

typedef struct Stage {
    snScene* scene;
    snCharacter* character;
    snSkeleton* skeleton;
    snClip* clip;
} Stage;

static Stage open(void)
{
    snMessage why;
    snSceneDef def;
    Stage s = {.skeleton = makeHumanoid(), .clip = makeGroove()};
    snSceneDef_Init(&def);
    def.frame_rate = 120;
    assert_ok(snCharacter_Create(NULL, "man", s.skeleton, &s.character, &why), why);
    assert_ok(snScene_Create(NULL, &def, &s.scene, &why), why);
    assert_ok(snScene_Add(s.scene, s.character, NULL, NULL, &why), why);
    return s;
}

static void close(Stage* s)
{
    snScene_Free(s->scene);
    snCharacter_Release(s->character);
    snSkeleton_Release(s->skeleton);
    snClip_Free(s->clip);
}

// At 120 frames/s every fourth frame of the sim is one of the clip.
static void framesAreMet(void** state)
{
    (void)state;
    Stage s = open();
    snMessage why;
    snSim* sim;
    snPlayDef def;
    snPlayReport report;
    snPlayDef_Init(&def);
    def.begin = 0.25;
    def.lead = 0.5;
    def.feet = 0;
    assert_ok(snScene_PlayClip(s.scene, 0, s.clip, &def, &report, &why), why);
    assert_close(report.end, 0.75 + 8 + 8.0 / 30, 1e-9); // and the stop, in whole frames
    snArena arena;
    snArena_Init(&arena, NULL);
    snRetarget r;
    snFeet feet;
    assert_ok(snRetarget_Run(&arena, s.clip, s.skeleton, &r, &why), why);
    r.ground = 0.01; // the lowest point of foot and toes
    assert_ok(snFeet_Find(&arena, &r, &feet, &why), why);
    assert_ok(snSim_Create(s.scene, &sim, &why), why);
    const double* zero = snSim_Frame(sim)->characters[0].q;
    double start[100];
    snSkeleton_ZeroPose(s.skeleton, start);
    for (int32_t k = 0; k < s.skeleton->nq; ++k) {
        assert_close(zero[k], start[k], 1e-12);
    }
    assert_ok(snSim_Advance(sim, 0.75, &why), why);
    for (int32_t f = 0; f < r.frame_count; ++f) {
        const double* q = snSim_Frame(sim)->characters[0].q;
        for (int32_t i = 0; i < s.skeleton->bone_count; ++i) {
            const snBone* b = &s.skeleton->bones[i];
            double d[6] = {0};
            snJoint_Difference(b->type, q + b->qi, r.q + (size_t)f * (size_t)s.skeleton->nq + b->qi,
                               d);
            for (int32_t k = 0; k < b->nv; ++k) {
                assert_close(d[k], 0, 1e-7); // times of steps are rounded
            }
        }
        assert_ok(snSim_Advance(sim, (f + 1) / 30.0 + 0.75 - snSim_Time(sim), &why), why);
    }
    assert_ok(snSim_Advance(sim, 0.5, &why), why);
    for (int32_t k = 0; k < s.skeleton->nv; ++k) {
        assert_close(snSim_Frame(sim)->characters[0].qd[k], 0, 1e-12);
    }
    snSim_Free(sim);
    snArena_Free(&arena);
    close(&s);
}

// From the zero pose into the dance and out of it: no coordinate is thrown.
static void nothingIsThrown(void** state)
{
    (void)state;
    Stage s = open();
    snMessage why;
    snSim* sim;
    snPlayReport report;
    assert_ok(snScene_PlayClip(s.scene, 0, s.clip, NULL, &report, &why), why);
    assert_ok(snSim_Create(s.scene, &sim, &why), why);
    double fastest = 0, before[100] = {0}, jerk = 0;
    for (int i = 0; i < (int)(120 * (report.end + 0.2)); ++i) {
        assert_ok(snSim_Advance(sim, 1.0 / 120, &why), why);
        const double* qd = snSim_Frame(sim)->characters[0].qd;
        for (int32_t k = 0; k < s.skeleton->nv; ++k) {
            fastest = fmax(fastest, fabs(qd[k]));
            jerk = fmax(jerk, 120 * fabs(qd[k] - before[k]));
            before[k] = qd[k];
        }
    }
    print_message("fastest %.1f, largest change %.0f per second\n", fastest, jerk);
    assert_below(fastest, 20); // rad/s: a knee that lifts a foot
    assert_below(jerk, 600);   // rad/s^2: half of that speed gained in a sixtieth of a second
    snSim_Free(sim);
    close(&s);
}

static void feetStand(void** state)
{
    (void)state;
    Stage s = open();
    snMessage why;
    snPlayDef def;
    snPlayReport held, loose;
    snPlayDef_Init(&def);
    assert_ok(snScene_PlayClip(s.scene, 0, s.clip, &def, &held, &why), why);
    def.feet = 0;
    assert_ok(snScene_PlayClip(s.scene, 0, s.clip, &def, &loose, &why), why);
    assert_int_equal(held.feet, 1);
    assert_in_range(held.stances, 10, 20);
    assert_below(held.height_after, 1e-6);
    assert_below(held.slide_after, 1e-6);
    assert_close(loose.slide_after, loose.slide_before, 0);
    assert_true(loose.slide_after > 1e-3);
    close(&s);
}

static void badCallsAreRefused(void** state)
{
    (void)state;
    Stage s = open();
    snMessage why;
    snPlayDef def = {0};
    assert_int_equal(snScene_PlayClip(s.scene, 0, s.clip, &def, NULL, &why), sn_errorArgument);
    assert_int_equal(snScene_PlayClip(s.scene, 1, s.clip, NULL, NULL, &why), sn_errorArgument);
    assert_int_equal(snScene_PlayClip(s.scene, 0, NULL, NULL, NULL, &why), sn_errorArgument);
    assert_int_equal(snScene_PlayClip(NULL, 0, s.clip, NULL, NULL, &why), sn_errorArgument);
    static const double BAD[3] = {-1, (double)NAN, 1e9};
    for (int i = 0; i < 3; ++i) {
        snPlayDef_Init(&def);
        def.speed = BAD[i];
        assert_int_equal(snScene_PlayClip(s.scene, 0, s.clip, &def, NULL, &why), sn_errorArgument);
        snPlayDef_Init(&def);
        def.lead = BAD[i];
        assert_int_equal(snScene_PlayClip(s.scene, 0, s.clip, &def, NULL, &why), sn_errorArgument);
    }
    close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framesAreMet),
        cmocka_unit_test(nothingIsThrown),
        cmocka_unit_test(feetStand),
        cmocka_unit_test(badCallsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
