// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Scripts, drags and how they are followed, as scene files say them.
#include "check.h"

#include "math/trig.h"
#include "scenes/scenes.h"
#include "sim/scene.h"

#define ROUNDING 1e-14

static const char TEXT[] =
    "{'sinew': 1, 'characters': [{'name': 'c', 'skeleton': 'starfish', 'position': [0, 1, 0],"
    "'pose': {'arm2_tip': 30},"
    "'direct': {'command': 'torque', 'torque': 20, 'torques': {'arm1_tip': 3, 'arm1_base': [4, 5]},"
    " 'pose': {'arm1_tip': 45}, 'hold_frequency': 2, 'hold_weight': 0.01},"
    "'drags': ["
    "{'bone': 'arm1_tip', 'point': [0, 0.1, 0], 'from_start': true, 'frequency': 6, 'weight': 2,"
    " 'turn_weight': 0.5, 'begin': 1, 'end': 2, 'keys': ["
    "  {'time': 0, 'position': [1, 2, 3], 'rotation_degrees': [0, 90, 0]},"
    "  {'time': 1, 'position': [1, 2, 4], 'rotation': [0, 0, 0, 1]}]},"
    "{'bone': 'arm2_tip', 'ends': 'periodic', 'keys': [{'time': 0, 'rotation': [0, 0, 0, 1]},"
    "  {'time': 1, 'rotation': [0, 0.6, 0, 0.8]}, {'time': 2, 'rotation': [0, 0, 0, 1]}]}],"
    "'drives': [{'bone': 'arm1_tip', 'kind': 'torque', 'value': 1},"
    "{'bone': 'arm1_tip', 'kind': 'pose', 'pose': 60, 'begin': 1, 'end': 2.5},"
    "{'bone': 'arm1_tip', 'kind': 'free', 'begin': 3}]}]}";

static snScene* parse(const char* quoted)
{
    snScene* scene = NULL;
    snMessage why;
    char text[4096];
    size_t length = strlen(quoted);
    assert_true(length < sizeof text);
    for (size_t i = 0; i <= length; ++i) {
        text[i] = quoted[i] == '\'' ? '"' : quoted[i];
    }
    assert_ok(snScene_Parse(NULL, text, length, "drags", snBuiltinLibrary(), &scene, &why), why);
    return scene;
}

static void everyKey(void** state)
{
    (void)state;
    snScene* scene = parse(TEXT);
    const snActor* actor = &scene->world.actors[0];
    const snSkeleton* s = actor->character->skeleton;
    const snDrags* d = actor->drags;
    int32_t tip = snSkeleton_FindBone(s, "arm1_tip"), base = snSkeleton_FindBone(s, "arm1_base");
    int32_t other = snSkeleton_FindBone(s, "arm2_tip");
    assert_non_null(d);
    assert_true(d->torques);
    assert_close(d->hold_frequency, 2, 0);
    assert_close(d->hold_weight, 0.01, 0);
    assert_close(d->most_torque[s->bones[tip].vi], 3, 0);
    assert_close(d->most_torque[s->bones[base].vi + 1], 5, 0);
    assert_close(d->most_torque[s->bones[other].vi], 20, 0);
    assert_close(d->pose[s->bones[tip].qi], 0.25 * SN_PI, ROUNDING);
    assert_close(d->pose[s->bones[other].qi], SN_PI / 6, ROUNDING); // the start's
    assert_int_equal(d->count, 2);
    const snDrag* a = d->drags[0];
    assert_int_equal(a->bone, tip);
    assert_true(a->moves && a->turns && a->from_start);
    assert_close(a->point.y, 0.1, 0);
    assert_close(a->frequency, 6, 0);
    assert_close(a->weight, 2, 0);
    assert_close(a->turn_weight, 0.5, 0);
    assert_close(a->begin, 1, 0);
    assert_close(a->end, 2, 0);
    double x[3];
    snQuat turn;
    snSpline_Eval(&a->travel, 1, x, NULL, NULL);
    assert_close(x[2], 4, ROUNDING);
    snRotSpline_Eval(&a->turn, 0, &turn, NULL, NULL);
    assert_close(turn.y, sqrt(0.5), ROUNDING);
    const snDrag* b = d->drags[1];
    assert_true(!b->moves && b->turns && !b->from_start && b->turn.x.periodic);
    assert_true(b->end > 1e300);

    const snDrive* list = actor->drive[tip];
    static const int32_t KINDS[] = {sn_driveTorque, sn_drivePose, sn_driveFree};
    for (int i = 0; i < 3; ++i, list = list->next) {
        assert_non_null(list);
        assert_int_equal(list->kind, KINDS[i]);
    }
    assert_null(list);
    const snDrive* pose = snDrive_At(actor->drive[tip], 1.5);
    assert_close(pose->pose[0], SN_PI / 3, ROUNDING);
    assert_close(pose->end, 2.5, 0);
    snScene_Free(scene);
}

// A file's script runs.
static void runs(void** state)
{
    (void)state;
    snScene* scene = parse(TEXT);
    snMessage why;
    snSim* sim = NULL;
    assert_ok(snSim_Create(scene, &sim, &why), why);
    assert_ok(snSim_Advance(sim, 2.5, &why), why);
    const snActor* actor = &scene->world.actors[0];
    const snSkeleton* s = actor->character->skeleton;
    double q = snSim_Frame(sim)->characters[0].q[s->bones[snSkeleton_FindBone(s, "arm1_tip")].qi];
    assert_close(q, SN_PI / 3, 1e-4);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyKey),
        cmocka_unit_test(runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
