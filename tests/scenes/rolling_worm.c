// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// A worm closes to a ring and rolls on the ground, by its own joints alone.
#include "math/quat.h"
#include "scenes/acting.h"

#define MOST_TORQUE 60.0 // Nm, as the scene states
#define MOST_POWER 650.0 // W
#define CLOSED 1.0       // s: by then it is a ring
#define FELL 0.57        // sine of how far its axis leans when it no longer rolls: 35 degrees
#define HOP 0.02         // m: it rolls, it does not fly

// How fast the bones turn about the ring's axis on average, rad/s.
static double turningOf(const snFrameCharacter* c)
{
    double w = 0;
    for (int32_t i = 0; i < c->bone_count; ++i) {
        w += snDot(c->twists[i].w, snQRotate(c->bones[i].q, snV3(1, 0, 0))) / c->bone_count;
    }
    return w;
}

static double gapOf(const snFrameCharacter* c)
{
    const snVec3 tip = {0, 0, -0.22}; // of its last bone
    snVec3 tail = snAdd(c->bones[3].p, snQRotate(c->bones[3].q, tip));
    return snLength(snSub(tail, c->bones[0].p));
}

static void itRolls(void** state)
{
    (void)state;
    Act act = beginAct("rolling_worm");
    const snFrame* f = snSim_Frame(act.sim);
    const double size = sizeOfBody(f->characters), dt = 1 / snScene_Def(act.scene)->frame_rate;
    double turn = 0, way = 0, highest = 0, widest = 0;
    bool rolls = true;
    while (f->time < snScene_Def(act.scene)->duration - 1e-6) {
        snVec3 before = f->characters[0].momentum.com;
        f = nextFrame(&act);
        const snFrameCharacter* c = f->characters;
        double low = HUGE_VAL;
        for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
            low = fmin(low, pointAt(c->surfaces[0].position, i).y);
        }
        highest = fmax(highest, low);
        rolls = rolls && fabs(snQRotate(c->bones[1].q, snV3(1, 0, 0)).y) < FELL;
        if (f->time > CLOSED && rolls) {
            turn += dt * turningOf(c) / (2 * SN_PI);
            way += snLength(snSub(c->momentum.com, before));
            widest = fmax(widest, gapOf(c));
        }
    }
    const snFrameCharacter* c = f->characters;
    print_message("%.2f turns and %.2f m as a ring that opens by up to %.2f m; %.1f mm off the "
                  "ground; %.0f Nm, %.0f W; deepest %.1f mm of %.2f m\n",
                  turn, way, widest, 1e3 * highest, c->peak_torque, c->peak_power, 1e3 * c->deepest,
                  size);
    assert_true(turn > 1.1); // 1.2 with contact that was softer in longer steps
    assert_true(way > 1);    // about its own length a turn
    assert_below(widest, 0.4);
    assert_below(highest, HOP);
    assert_below(c->peak_torque, MOST_TORQUE);
    assert_below(c->peak_power, MOST_POWER);
    assert_below(c->deepest, SUNK * size);
    endAct(&act);
}

// Lists of what may touch stay good for some steps, also while the body turns; a restored sim makes
// them anew. They leave out only what cannot touch: in every step, or when needed, is the same.
static void listsLeaveOutNothing(void** state)
{
    (void)state;
    Act act = beginAct("rolling_worm");
    snSim* often = startSim(act.scene);
    size_t size = snSim_StateSize(often);
    uint8_t* saved = malloc(size);
    snMessage why;
    int64_t own = 0;
    double turn = 0, h = snSim_Step(act.sim);
    while (snSim_Time(act.sim) < 2.5) {
        advance(act.sim, h);
        snSim_Save(often, saved);
        assert_ok(snSim_Restore(often, saved, size, &why), why);
        advance(often, h);
        assert_true(snSim_Hash(often) == snSim_Hash(act.sim));
        const snFrame* frame = snSim_Frame(act.sim);
        turn += h * turningOf(frame->characters) / (2 * SN_PI);
        for (int32_t i = 0; i < frame->contact_count; ++i) {
            own += frame->contacts[i].with == sn_withCharacter;
        }
    }
    print_message("%.2f turns; touched itself at %lld points of all steps\n", turn, (long long)own);
    assert_true(own > 1000 && turn > 0.5);
    free(saved);
    snSim_Free(often);
    act.unwatched = true;
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(itRolls),
                                       cmocka_unit_test(listsLeaveOutNothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
