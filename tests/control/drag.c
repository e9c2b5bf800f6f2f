// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Drags: what is refused, which act when, and where their paths lie.
#include "control/drag.h"

#include "math/trig.h"
#include "sim/puppet.h"

static double times[3] = {0, 1, 2}, bad_times[3] = {0, 1, 1}, few[PUPPET_MOST];
static snVec3 places[3] = {{0, 1, 0}, {1, 1, 0}, {1, 2, 0}}, bad_places[3];
static snQuat turns[3] = {{0, 0, 0, 1}, {0, 0.6, 0, 0.8}, {0, 0.6, 0, 0.8}}, bad_turns[3];

static void goodDef(snDragDef* def)
{
    snDragDef_Init(def);
    def->bone = PUPPET_FINGER;
    def->key_count = 3;
    def->times = times;
    def->positions = places;
}

typedef void SpoilFcn(snDragDef* def);

static void spoilSize(snDragDef* d)
{
    d->size = 0;
}
static void spoilBone(snDragDef* d)
{
    d->bone = PUPPET_BONES;
}
static void spoilPoint(snDragDef* d)
{
    d->point.y = (double)NAN;
}
static void spoilFrequency(snDragDef* d)
{
    d->frequency = 0;
}
static void spoilWeight(snDragDef* d)
{
    d->weight = -1;
}
static void spoilTurnWeight(snDragDef* d)
{
    d->turn_weight = (double)INFINITY;
}
static void spoilEnd(snDragDef* d)
{
    d->end = 0;
}
static void spoilBegin(snDragDef* d)
{
    d->begin = -1;
}
static void spoilCount(snDragDef* d)
{
    d->key_count = 0;
}
static void spoilNothing(snDragDef* d)
{
    d->positions = NULL;
}
static void spoilEnds(snDragDef* d)
{
    d->ends = 7;
}
static void spoilOrder(snDragDef* d)
{
    d->times = bad_times;
}
static void spoilPlace(snDragDef* d)
{
    d->positions = bad_places;
}
static void spoilTurn(snDragDef* d)
{
    d->rotations = bad_turns;
}
static void spoilPeriod(snDragDef* d)
{
    d->ends = sn_endsPeriodic;
}

static void refusals(void** state)
{
    (void)state;
    static const struct {
        SpoilFcn* spoil;
        const char* word;
    } CASES[] = {
        {spoilSize, "Init"},        {spoilBone, "bone 10"},
        {spoilPoint, "point"},      {spoilFrequency, "frequency"},
        {spoilWeight, "weights"},   {spoilTurnWeight, "weights"},
        {spoilEnd, "end after"},    {spoilBegin, "begin"},
        {spoilCount, "keys"},       {spoilNothing, "positions or rotations"},
        {spoilEnds, "periodic"},    {spoilOrder, "increase"},
        {spoilPlace, "position 1"}, {spoilTurn, "rotation"},
        {spoilPeriod, "first"},
    };
    bad_places[1].x = (double)NAN;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snMessage why;
    snDragDef def;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        goodDef(&def);
        CASES[i].spoil(&def);
        assert_refused(snScene_AddDrag(scene, 0, &def, &why), sn_errorArgument, why, CASES[i].word);
    }
    goodDef(&def);
    assert_refused(snScene_AddDrag(scene, 1, &def, &why), sn_errorArgument, why, "character 1");
    assert_refused(snScene_AddDrag(scene, 0, NULL, &why), sn_errorArgument, why, "Init");
    assert_refused(snScene_ClearDrags(NULL, 0, &why), sn_errorArgument, why, "character 0");
    for (int i = 0; i < SN_DIRECT_PULLS; ++i) {
        assert_ok(snScene_AddDrag(scene, 0, &def, &why), why);
    }
    assert_refused(snScene_AddDrag(scene, 0, &def, &why), sn_errorArgument, why, "16 act");
    assert_ok(snScene_ClearDrags(scene, 0, &why), why);
    for (int i = 0; i < 256; ++i) { // one after the other there may be many
        def.begin = i, def.end = i + 1;
        assert_ok(snScene_AddDrag(scene, 0, &def, &why), why);
    }
    def.begin = 300, def.end = 301;
    assert_refused(snScene_AddDrag(scene, 0, &def, &why), sn_errorArgument, why, "256 drags");
    snScene_Free(scene);
}

static void settings(void** state)
{
    (void)state;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snMessage why;
    snDirectDef def;
    double torques[PUPPET_MOST], pose[PUPPET_MOST];
    const snSkeleton* s = snCharacter_Skeleton(snScene_Character(scene, 0));
    for (int32_t k = 0; k < PUPPET_MOST; ++k) {
        torques[k] = 1 + k;
    }
    snSkeleton_ZeroPose(s, pose);
    for (int i = 0; i < 9; ++i) {
        static const char* const WORDS[] = {
            "",       "Init",         "command",      "hold_frequency",    "hold_weight",
            "torque", "acceleration", "torque bound", "pose of bone 'hub'"};
        snDirectDef_Init(&def);
        def.torques = torques;
        def.pose = pose;
        def.size = i == 1 ? 0 : def.size;
        def.command = i == 2 ? sn_directCommandCount : sn_directTorque;
        def.hold_frequency = i == 3 ? -1 : 2;
        def.hold_weight = i == 4 ? 0 : 1e-3;
        def.torque = i == 5 ? 0 : 3;
        def.acceleration = i == 6 ? (double)NAN : 100;
        torques[4] = i == 7 ? 0 : 5;
        pose[6] = i == 8 ? 0 : 1;
        snStatus status = snScene_SetDirect(scene, 0, &def, &why);
        if (i == 0) {
            assert_ok(status, why);
        } else {
            assert_refused(status, sn_errorArgument, why, WORDS[i]);
        }
    }
    assert_string_equal(snDirectCommand_Name(sn_directTorque), "torque");
    assert_null(snDirectCommand_Name(-1));
    snScene_Free(scene);
    // a jellyfish has no joints to drag with
    snSkeleton* none = NULL;
    assert_ok(snSkeleton_Create(NULL, NULL, 0, &none, &why), why);
    snDrags* drags;
    snHost host;
    assert_ok(snHost_Take(NULL, &host, &why), why);
    assert_refused(snDrags_Create(&host, none, &drags, &why), sn_errorUnsupported, why, "found 0");
    snSkeleton_Release(none);
}

// Each acts from begin to end. Paths pass through their keys, in the world or where the character
// started, and their rates are the derivatives.
static void pulls(void** state)
{
    (void)state;
    snMessage why;
    snHost host;
    snDrags* drags;
    snSkeleton* s = makePuppet(NULL, sn_jointFree);
    assert_ok(snHost_Take(NULL, &host, &why), why);
    assert_ok(snDrags_Create(&host, s, &drags, &why), why);
    snDragDef def;
    goodDef(&def);
    def.rotations = turns;
    def.begin = 0.5, def.end = 1.5;
    assert_ok(snDrags_Add(drags, s, &def, &why), why);
    def.from_start = 1;
    def.begin = 1, def.end = (double)INFINITY;
    def.positions = NULL;
    assert_ok(snDrags_Add(drags, s, &def, &why), why);
    def.rotations = NULL;
    def.positions = places;
    assert_ok(snDrags_Add(drags, s, &def, &why), why);

    snBase base = {snMatFromQ(snQ(0, 0, 0.6, 0.8)), {10, 0, 0}};
    snDragStep when = {0, &base, few, NULL};
    snDirectPull p[SN_DIRECT_PULLS];
    static const double AT[][2] = {{0, 0}, {0.499, 0}, {0.5, 1}, {1, 3}, {1.499, 3}, {1.5, 2}};
    for (size_t i = 0; i < sizeof AT / sizeof *AT; ++i) {
        when.t = AT[i][0];
        assert_int_equal(snDrags_Pulls(drags, &when, 1e-3, p), (int)AT[i][1]);
    }
    when.t = 0.999; // targets are those of the step's end
    snDrags_Pulls(drags, &when, 1e-3, p);
    assert_close(p[0].target.p.x, 1, 1e-12);
    assert_close(p[0].target.q.y, 0.6, 1e-12);
    assert_close(p[0].position_weight, 1, 0);
    assert_close(p[0].rotation_weight, 0.1, 0);
    when.t = 1;
    assert_int_equal(snDrags_Pulls(drags, &when, 0, p), 3);
    assert_close(p[1].position_weight, 0, 0);
    assert_close(p[2].rotation_weight, 0, 0);
    snVec3 moved = snAdd(base.p, snMatVec(base.R, places[1]));
    assert_below(snLength(snSub(p[2].target.p, moved)), 1e-12);
    snQuat turned = snQMul(snQ(0, 0, 0.6, 0.8), turns[1]);
    assert_below(snLength(snQLog(snQMul(turned, snQConj(p[1].target.q)))), 1e-12);
    const double h = 1e-5;
    snDirectPull a[SN_DIRECT_PULLS], b[SN_DIRECT_PULLS];
    when.t = 1.3;
    snDrags_Pulls(drags, &when, 0, p);
    snDrags_Pulls(drags, &when, h, b);
    snDrags_Pulls(drags, &when, -h, a);
    for (int i = 0; i < 3; ++i) {
        snVec3 v = snScale(0.5 / h, snSub(b[i].target.p, a[i].target.p));
        snVec3 w = snScale(0.5 / h, snQLog(snQMul(b[i].target.q, snQConj(a[i].target.q))));
        assert_below(snLength(snSub(v, p[i].rate.v)), 1e-8);
        assert_below(snLength(snSub(w, p[i].rate.w)), 1e-8);
        snVec3 second = snScale(0.5 / h, snSub(b[i].rate.v, a[i].rate.v));
        assert_below(snLength(snSub(second, p[i].second.v)), 1e-8);
    }
    snDrags_Clear(drags);
    assert_int_equal(snDrags_Pulls(drags, &when, 0, p), 0);
    snDrags_Free(drags, s);
    snDrags_Free(NULL, s);
    snSkeleton_Release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(settings),
        cmocka_unit_test(pulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
