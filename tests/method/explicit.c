// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The explicit method by its table: state, steps, verdicts.
#include "method/explicit/explicit.h"

#include "sim/puppet.h"
#include "sim/scene.h"

typedef struct Stage {
    snScene* scene;
    snTasks* tasks;
    snMethodData* data;
    size_t size;
    uint8_t* state;
} Stage;

static void setUp(Stage* s, int32_t count)
{
    snMessage why;
    s->scene = makePuppetScene(NULL, NULL, count);
    assert_ok(snTasks_Create(NULL, &s->tasks, &why), why);
    assert_ok(snMethod_Build(&snExplicit, &s->scene->world, NULL, NULL, &s->data, &why), why);
    s->size = s->data->state_size;
    s->state = calloc(1, s->size);
    assert_non_null(s->state);
    snMethodData_Init(s->data, s->state);
}

static void tearDown(Stage* s)
{
    free(s->state);
    snMethodData_Free(s->data);
    snTasks_Free(s->tasks);
    snScene_Free(s->scene);
}

static void testTable(void** state)
{
    (void)state;
    assert_ptr_equal(snMethod_Find("explicit"), &snExplicit);
    assert_null(snMethod_Find("Explicit"));
    assert_null(snMethod_Find(""));
    assert_ptr_equal(snMethod_At(0), &snExplicit);
    assert_null(snMethod_At(1));
    assert_null(snMethod_At(2));
    assert_null(snMethod_At(-1));
    assert_true(strlen(snExplicit.about) > 0);
    snMethodData_Free(NULL);
}

// Everything that changes is in the state: two workspaces that take turns on one state do what one
// does alone, and padding stays zero.
static void testWorkspacesForget(void** state)
{
    (void)state;
    Stage a, b;
    setUp(&a, 3);
    setUp(&b, 3);
    assert_int_equal(a.size % 64, 0);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.state, b.state, a.size);
    const double h = 1e-3;
    for (int i = 0; i < 60; ++i) {
        snVerdict verdict;
        snSpan span = {.first = i, .count = 1, .rate = 1 / h};
        assert_int_equal(snExplicit.advance(a.data, a.tasks, a.state, &span, &verdict), 1);
        snMethodData* turn = i % 3 ? b.data : a.data;
        assert_int_equal(snExplicit.advance(turn, b.tasks, b.state, &span, &verdict), 1);
        // looking changes nothing
        snExplicit.writeFrame(turn, b.tasks, b.state, (snVec3){0, 0, 0});
        assert_memory_equal(a.state, b.state, a.size);
    }
    tearDown(&a);
    tearDown(&b);
}

// Trajectories are where they say at time 0, before the first step.
static void testInit(void** state)
{
    (void)state;
    Stage s;
    setUp(&s, 1);
    snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(s.scene, 0));
    double times[2] = {-1, 1}, keys[2] = {0, 1};
    setCurve(s.scene, 0, sn_driveTrajectory, PUPPET_FINGER, sn_endsClamped, 2, times, keys);
    memset(s.state, 0, s.size);
    snMethodData_Init(s.data, s.state);
    snExplicit.writeFrame(s.data, s.tasks, s.state, (snVec3){0, 0, 0});
    const snFrameCharacter* shown = s.data->characters;
    assert_close(shown[0].q[snSkeleton_PositionStart(skeleton, PUPPET_FINGER)], 0.5, 1e-15);
    // cubic from rest to rest over 2 s: 1.5 times the mean speed in the middle
    assert_close(shown[0].qd[snSkeleton_VelocityStart(skeleton, PUPPET_FINGER)], 0.75, 1e-15);
    tearDown(&s);
}

// The verdict names the first character in trouble and its bone.
static void testVerdict(void** state)
{
    (void)state;
    Stage s;
    setUp(&s, 4);
    setValue(s.scene, 1, sn_driveAcceleration, PUPPET_WRIST, 1e12);
    setValue(s.scene, 3, sn_driveAcceleration, PUPPET_WRIST, 1e12);
    snVerdict verdict = {-1, -1, sn_troubleNone};
    snSpan span = {.count = 3, .rate = 1000};
    assert_int_equal(snExplicit.advance(s.data, s.tasks, s.state, &span, &verdict), 0);
    assert_int_equal(verdict.actor, 1);
    assert_in_range(verdict.bone, 0, PUPPET_BONES - 1);
    assert_int_equal(verdict.trouble, sn_troubleSpeed);
    // a verdict is forgotten with its cause
    memset(s.state, 0, s.size);
    snMethodData_Init(s.data, s.state);
    setValue(s.scene, 1, sn_driveFree, PUPPET_WRIST, 0);
    setValue(s.scene, 3, sn_driveFree, PUPPET_WRIST, 0);
    assert_int_equal(snExplicit.advance(s.data, s.tasks, s.state, &span, &verdict), 3);
    tearDown(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testTable),
        cmocka_unit_test(testWorkspacesForget),
        cmocka_unit_test(testInit),
        cmocka_unit_test(testVerdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
