// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A walk on the spot of a cycle that travels: its feet are held, and it is a cycle still.

#include "rig/cycle.h"

#include "rig/stander.h"

#define SWING 0.19 // rad: soles stand still in the middle of a stance at 1 m/s

// Legs swing against each other, once in all keys; the left one stands at the seam.
static void walk(Figure* f)
{
    standFigure(f);
    for (int32_t k = 0; k < FIGURE_KEYS; ++k) {
        double t = 2 * SN_PI * k / (FIGURE_KEYS - 1);
        double angle = SWING * snSin(t);
        turnNode(f, 12, k, snQFromAxisAngle(snV3(1, 0, 0), angle));
        turnNode(f, 16, k, snQFromAxisAngle(snV3(1, 0, 0), -angle));
        f->moves[3 * k + 1] = (float)f->nodes[1].translation.y;
    }
}

// With other proportions, so that feet have to be held
static void openWalker(Player* b)
{
    openPlayer(b);
    for (int32_t n = 14; n <= 18; n += 4) {
        snRigNode* foot = &b->figure.nodes[n];
        foot->translation = snScale(0.8, foot->translation);
        foot->local = snMatrix_FromParts(foot->translation, foot->rotation, foot->scale);
    }
}

// By how much coordinates of two frames differ, but for where the root is
static double missOf(const snRetarget* r, int32_t from, int32_t to)
{
    int32_t nq = r->skeleton->nq;
    const double *a = r->q + (size_t)from * (size_t)nq, *b = r->q + (size_t)to * (size_t)nq;
    double most = 0;
    for (int32_t k = 3; k < nq; ++k) {
        most = fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

static void hold(Player* b, bool cyclic)
{
    snMessage why;
    snFeet feet;
    snCycle cycle;
    snFeetError error;
    snRetarget* r = &b->r;
    assert_ok(snCycle_Find(&b->arena, r, &cycle, &why), why);
    assert_int_equal(cycle.before, FIGURE_KEYS - 1);
    assert_ok(snFeet_Find(&b->arena, cyclic ? &cycle.thrice : r, &feet, &why), why);
    snFeet_Hold(&feet);
    feet.begin = cyclic ? cycle.before : 0;
    feet.end = feet.begin + FIGURE_KEYS;
    assert_ok(snFeet_Measure(&b->arena, &feet, &error, &why), why);
    assert_in_range(error.stances, 2, 3);
    assert_below(error.slide, 1e-6);
    if (cyclic) {
        snCycle_Take(&cycle, r);
    }
}

static void heldCyclesStayCycles(void** state)
{
    (void)state;
    Figure a;
    makeFigure(&a, (FigureDef){.axes = 11, .size = 1});
    walk(&a);
    snClip* recording = recordFigure(&a);
    finishRecording(recording);
    double miss[2];
    for (int cyclic = 0; cyclic < 2; ++cyclic) {
        Player b;
        openWalker(&b);
        retargetTo(&b, recording);
        hold(&b, cyclic);
        miss[cyclic] = missOf(&b.r, 0, FIGURE_KEYS - 1);
        closePlayer(&b);
    }
    print_message("the end misses the start by %.2g, held as a cycle by %.2g\n", miss[0], miss[1]);
    assert_below(miss[1], 1e-4); // keys are floats, and knees nearly straight
    assert_true(miss[0] > 1e-3);
    snClip_Free(recording);
    freeFigure(&a);
}

// A cycle without its last key is one too; what ends elsewhere is none.
static void cyclesAreTold(void** state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        Figure a;
        Player b;
        snCycle cycle;
        snMessage why;
        makeFigure(&a, (FigureDef){.axes = 11, .size = 1});
        openWalker(&b);
        walk(&a);
        int32_t keys = kind == 0 ? FIGURE_KEYS - 1 : FIGURE_KEYS / 4;
        for (int32_t i = 0; i < a.clip.info.channel_count; ++i) {
            a.channels[i].key_count = keys;
        }
        a.clip.info.last = a.clip.info.duration = (keys - 1) / FIGURE_RATE;
        snClip* recording = recordFigure(&a);
        finishRecording(recording);
        retargetTo(&b, recording);
        assert_int_equal(b.r.frame_count, keys);
        assert_ok(snCycle_Find(&b.arena, &b.r, &cycle, &why), why);
        assert_int_equal(cycle.before, kind == 0 ? keys : 0);
        assert_int_equal(cycle.thrice.frame_count, keys + 2 * cycle.before);
        for (int32_t f = 0; f < cycle.before; ++f) { // evenly on
            assert_below(missOf(&cycle.thrice, f, f + keys), 1e-12);
            snVec3 by = snSub(cycle.thrice.legs[0][f + keys].hip, cycle.thrice.legs[0][f].hip);
            assert_close(snLength(by), b.r.scale * keys / FIGURE_RATE, 1e-3);
        }
        snClip_Free(recording);
        closePlayer(&b);
        freeFigure(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heldCyclesStayCycles),
        cmocka_unit_test(cyclesAreTold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
