// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The clip that ships is the recipe's; on Fatman's bones feet stand between its frames too.
#include "scenes/dance.h"
#include "rig/dancer.h"

#include "skel/kinematics.h"
#include <sinew/sim.h>

#define CLIP SN_TEST_DATA "/../../scenes/clips/groove.bvh"
#define RATE 240    // frames/s of the sim: eight for one of the clip
#define STAND 0.01  // m off the ground
#define SLIDE 0.003 // m between keys 1/30 s apart, where coordinates follow splines

static void theFileIsTheRecipe(void** state)
{
    (void)state;
    static char made[SN_GROOVE_SIZE], read[SN_GROOVE_SIZE];
    size_t length = snGroove_Write(made);
    assert_true(length + 1 < SN_GROOVE_SIZE);
    FILE* file = fopen(CLIP, "rb");
    assert_non_null(file);
    size_t count = fread(read, 1, sizeof read, file);
    fclose(file);
    assert_int_equal(count, length);
    assert_memory_equal(made, read, length);
}

// Contacts of the frames of the clip; the sim is looked at where two in a row hold the same point.
static void feetStandBetweenFrames(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def;
    snScene* scene;
    snCharacter* character;
    snSim* sim;
    snArena arena;
    snFeet feet;
    snRetarget r;
    snArena_Init(&arena, NULL);
    snSkeleton* s = makeHumanoid();
    snClip* clip = makeGroove();
    snSceneDef_Init(&def);
    def.frame_rate = RATE;
    assert_ok(snCharacter_Create(NULL, "man", s, &character, &why), why);
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    assert_ok(snScene_Add(scene, character, NULL, NULL, &why), why);
    assert_ok(snPlayGroove(NULL, scene, 0, NULL, &why), why);
    assert_ok(snRetarget_Run(&arena, clip, s, &r, &why), why);
    r.ground = 0.01; // the lowest point of foot and toes
    assert_ok(snFeet_Find(&arena, &r, &feet, &why), why);
    assert_ok(snSim_Create(scene, &sim, &why), why);
    double height = 0, slide = 0;
    snVec3 start[2] = {{0}};
    bool held[2] = {false, false};
    for (int i = 0; i <= 8 * RATE; ++i) {
        assert_ok(snSim_Advance(sim, fmax(0, 0.75 + (double)i / RATE - snSim_Time(sim)), &why),
                  why);
        const snTransform* bones = snSim_Frame(sim)->characters[0].bones;
        int f = i * 30 / RATE, next = f + 1 < r.frame_count ? f + 1 : f;
        for (int side = 0; side < 2; ++side) {
            uint8_t now =
                feet.frames[side][f].contact & feet.frames[side][next].contact & SN_CONTACT_BALL;
            snTransform foot = bones[snSkeleton_FindBone(s, side ? "foot_r" : "foot_l")];
            snVec3 ball = snAdd(foot.p, snQRotate(foot.q, feet.sole[side][1]));
            if (now) {
                start[side] = held[side] ? start[side] : ball;
                snVec3 way = snSub(ball, start[side]);
                way.y = 0;
                height = fmax(height, fabs(ball.y - r.ground));
                slide = fmax(slide, snLength(way));
            }
            held[side] = now != 0;
        }
    }
    print_message("between frames: height %.2f mm, slide %.2f mm\n", 1e3 * height, 1e3 * slide);
    assert_below(height, STAND);
    assert_below(slide, SLIDE);
    snSim_Free(sim);
    snScene_Free(scene);
    snCharacter_Release(character);
    snClip_Free(clip);
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theFileIsTheRecipe),
        cmocka_unit_test(feetStandBetweenFrames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
