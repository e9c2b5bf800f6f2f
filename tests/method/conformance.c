// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What sims ask of every method. A new method gets a line in CASES.
#include "method/explicit/explicit.h"
#include "sim/flesh.h"
#include "sim/scarce.h"
#include "sim/scene.h"
#include "sim/sim_state.h"

#include "method/dummy.h"
#include <limits.h>

#define FRAME_RATE 60.0

typedef struct Case {
    const snMethod* method;
    double too_long;             // steps of this length are trouble, s
    const char *setting, *value; // with this setting; NULL = in any case
} Case;

static const Case CASES[] = {{&snExplicit, 0.03, NULL, NULL},
                             {&DUMMY, 0.03, "longest_step", "0.01"}};
#define CASE_COUNT ((int)(sizeof CASES / sizeof *CASES))

#define EACH(c) for (const Case*(c) = CASES; (c) < CASES + CASE_COUNT; ++(c))

static snStart startAt(double x)
{
    snStart start;
    snStart_Init(&start);
    start.pose.p = snV3(x, 1, 0);
    start.velocity = snV3(0.3, 0.1 * x, 0.2);
    return start;
}

static snSceneDef plainDef(void)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.ground = 0;
    def.frame_rate = FRAME_RATE;
    return def;
}

// Blocks that are far from each other, in a scene of the method.
static snScene* makeBlocksWith(const snHost* host, const Case* c, const snSceneDef* def, int count)
{
    snMessage why;
    snScene* scene = NULL;
    assert_ok(snScene_Create(host, def, &scene, &why), why);
    snScene_UseMethod(scene, c->method);
    for (int i = 0; i < count; ++i) {
        snCharacter* block = makeBlock(snV3(0.1, 0.15, 0.2), 100);
        snStart start = startAt(3.0 * i);
        assert_ok(snScene_Add(scene, block, &start, NULL, &why), why);
        snCharacter_Release(block);
    }
    return scene;
}

static snScene* makeBlocks(const Case* c, const snSceneDef* def, int count)
{
    return makeBlocksWith(NULL, c, def, count);
}

static snSim* simOf(const Case* c, int count)
{
    snSceneDef def = plainDef();
    return startSim(makeBlocks(c, &def, count));
}

static void freeAll(snSim* sim)
{
    snScene* scene = sim->scene;
    snSim_Free(sim);
    snScene_Free(scene);
}

static snMomentum momentumOf(snSim* sim, int32_t who)
{
    return snSim_Frame(sim)->characters[who].momentum;
}

static void assertSame(snMomentum a, snMomentum b)
{
    assert_memory_equal(&a.com, &b.com, sizeof a.com);
    assert_memory_equal(&a.linear, &b.linear, sizeof a.linear);
}

// A request that the method does not do is refused by the name of one that does.
static void assertRefused(snStatus status, const Case* c, snMessage why)
{
    assert_refused(status, sn_errorUnsupported, why, c->method->name);
    assert_non_null(strstr(why.text, "method 'explicit' has it"));
}

// Table -----------------------------------------------------------------------

static void testTable(void** state)
{
    (void)state;
    EACH(c)
    {
        const snMethod* m = c->method;
        assert_true(strlen(m->name) > 0 && strlen(m->about) > 0);
        assert_true(m->data_size >= sizeof(snMethodData));
        assert_in_range(m->stage_count, 0, SN_MOST_STAGES);
        for (int32_t i = 0; i < m->stage_count; ++i) {
            assert_true(strlen(m->stages[i]) > 0);
        }
        assert_true(m->build && m->sliceSize && m->init && m->chooseStep && m->advance);
        assert_non_null(m->writeFrame);
        assert_int_equal((m->does & sn_doesPush) != 0, m->push != NULL);
        assert_int_equal((m->does & sn_doesTeleport) != 0, m->teleport != NULL);
    }
}

// Every setting takes its default, and refuses what is none; an unknown one is refused by name.
static void testSettings(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snSim* sim = simOf(c, 1);
        snScene* scene = sim->scene;
        const snSetting* first = c->method->settings;
        if (!first) {
            freeAll(sim);
            continue;
        }
        assert_int_equal(snScene_Set(scene, NULL, first->name, first->preset, &why),
                         sn_errorArgument); // while a sim looks at it
        snSim_Free(sim);
        for (const snSetting* s = first; s->name; ++s) {
            assert_string_equal(snScene_Get(scene, NULL, s->name), s->preset);
            assert_ok(snScene_Set(scene, NULL, s->name, s->preset, &why), why);
            assert_refused(snScene_Set(scene, NULL, s->name, "zzz", &why), sn_errorArgument, why,
                           s->name);
        }
        assert_refused(snScene_Set(scene, NULL, "no_such_thing", "1", &why), sn_errorArgument, why,
                       c->method->name);
        snScene_Free(scene);
    }
}

// State -----------------------------------------------------------------------

typedef struct Bench {
    snScene* scene;
    snTasks* tasks;
    snMethodData* data;
    uint8_t* state;
} Bench;

static void setUp(Bench* b, const Case* c)
{
    snMessage why;
    snSceneDef def = plainDef();
    b->scene = makeBlocks(c, &def, 3);
    assert_ok(snTasks_Create(NULL, &b->tasks, &why), why);
    assert_ok(snMethod_Build(c->method, &b->scene->world, NULL, NULL, &b->data, &why), why);
    b->state = aligned_alloc(SN_ALIGNMENT, b->data->state_size);
    assert_non_null(b->state);
    memset(b->state, 0, b->data->state_size);
    snMethodData_Init(b->data, b->state);
}

static void tearDown(Bench* b)
{
    free(b->state);
    snMethodData_Free(b->data);
    snTasks_Free(b->tasks);
    snScene_Free(b->scene);
}

// Slices lie one behind the other, and each begins where a cache line does.
static void testSlices(void** state)
{
    (void)state;
    EACH(c)
    {
        Bench b;
        setUp(&b, c);
        size_t end = b.data->around.slice_size;
        for (int32_t i = 0; i < b.data->actor_count; ++i) {
            const snSlice* s = &b.data->slices[i];
            assert_int_equal(s->offset, end);
            assert_int_equal(s->offset % SN_ALIGNMENT, 0);
            assert_true(s->own > 0 && s->own <= s->size);
            end += s->size;
        }
        assert_int_equal(end, b.data->state_size);
        tearDown(&b);
    }
}

// Many steps in a call are the same as one after the other, and stages take their time.
static void testManySteps(void** state)
{
    (void)state;
    EACH(c)
    {
        Bench one, many;
        snVerdict verdict;
        snStageClock clock;
        setUp(&one, c);
        setUp(&many, c);
        snStageClock_Init(&clock);
        snSpan all = {.first = 5, .count = 20, .rate = 1000, .clock = &clock};
        assert_int_equal(c->method->advance(many.data, many.tasks, many.state, &all, &verdict), 20);
        for (int i = 0; i < 20; ++i) {
            snSpan span = {.first = 5 + i, .count = 1, .rate = 1000};
            assert_int_equal(c->method->advance(one.data, one.tasks, one.state, &span, &verdict),
                             1);
        }
        assert_memory_equal(one.state, many.state, one.data->state_size);
        assert_int_equal(clock.stage, -1);
        for (int32_t i = 0; i < c->method->stage_count; ++i) {
            assert_true(clock.spent[i] >= 0);
        }
        tearDown(&one);
        tearDown(&many);
    }
}

// The sim times the stages that the table names.
static void testStages(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snHost host;
        snHost_Init(&host);
        host.thread_count = 1;
        snSceneDef def = plainDef();
        snSim* sim = startSim(makeBlocksWith(&host, c, &def, 1));
        double seconds;
        advance(sim, 0.1);
        for (int32_t i = 0; i < c->method->stage_count; ++i) {
            assert_string_equal(snSim_Stage(sim, i, &seconds), c->method->stages[i]);
            assert_true(seconds == 0); // nobody asked for it
        }
        assert_ok(snSim_TimeStages(sim, &why), why);
        advance(sim, 0.1);
        for (int32_t i = 0; snSim_Stage(sim, i, &seconds); ++i) {
            assert_true(seconds >= 0);
        }
        assert_int_equal(sim->clock.stage, -1);
        assert_true(sim->clock.since > 0); // somebody looked at the clock
        assert_null(snSim_Stage(sim, c->method->stage_count, NULL));
        assert_null(snSim_Stage(sim, -1, NULL));
        freeAll(sim);
    }
}

static void testSaveAndRestore(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snSim* sim = simOf(c, 2);
        advance(sim, 0.1);
        size_t bytes = snSim_StateSize(sim);
        void* saved = malloc(bytes);
        snSim_Save(sim, saved);
        advance(sim, 0.1);
        uint64_t hash = snSim_Hash(sim);
        assert_ok(snSim_Restore(sim, saved, bytes, &why), why);
        advance(sim, 0.1);
        assert_int_equal(snSim_Hash(sim), hash);
        free(saved);
        freeAll(sim);
    }
}

// One character goes back, the others go on.
static void testSliceGoesBack(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snSim* sim = simOf(c, 3);
        advance(sim, 0.1);
        size_t bytes = snSim_SliceSize(sim, 1);
        uint8_t* slice = malloc(bytes);
        assert_ok(snSim_SaveSlice(sim, 1, slice, &why), why);
        snMomentum then = momentumOf(sim, 1);
        advance(sim, 0.1);
        snMomentum others[2] = {momentumOf(sim, 0), momentumOf(sim, 2)};
        assert_ok(snSim_RestoreSlice(sim, 1, slice, bytes, &why), why);
        assertSame(momentumOf(sim, 1), then);
        assertSame(momentumOf(sim, 0), others[0]);
        assertSame(momentumOf(sim, 2), others[1]);
        advance(sim, 0.1);
        // another character stands elsewhere; whatever changed on the way is noticed
        assert_refused(snSim_RestoreSlice(sim, 2, slice, bytes, &why), sn_errorArgument, why,
                       "another character");
        slice[bytes - 10] ^= 1;
        slice[40] ^= 1;
        assert_refused(snSim_RestoreSlice(sim, 1, slice, bytes, &why), sn_errorArgument, why,
                       "damaged");
        slice[bytes - 10] ^= 1;
        assert_refused(snSim_RestoreSlice(sim, 1, slice, bytes, &why), sn_errorArgument, why,
                       "damaged");
        assert_refused(snSim_RestoreSlice(sim, 1, slice, 10, &why), sn_errorArgument, why, "bytes");
        assert_refused(snSim_SaveSlice(sim, 3, slice, &why), sn_errorArgument, why, "character 3");
        assert_int_equal(snSim_SliceSize(sim, -1), 0);
        free(slice);
        freeAll(sim);
    }
}

// Whoever lies on the ground has the same future again, with what its skin remembers of it. The
// guard goes back no farther.
static void testSliceRemembersContacts(void** state)
{
    (void)state;
    EACH(c)
    {
        if (!(c->method->does & sn_doesGround)) {
            continue;
        }
        snMessage why;
        snSceneDef def = plainDef();
        def.ground = 1;
        snScene* scene = makeBlocks(c, &def, 1);
        snSim* sim = startSim(scene);
        advance(sim, 3);
        assert_true(snSim_Frame(sim)->characters[0].contact_count > 0);
        size_t bytes = snSim_SliceSize(sim, 0);
        void* slice = malloc(bytes);
        assert_ok(snSim_SaveSlice(sim, 0, slice, &why), why);
        advance(sim, 0.2);
        snMomentum future = momentumOf(sim, 0);
        assert_ok(snSim_RestoreSlice(sim, 0, slice, bytes, &why), why);
        assert_memory_equal(sim->good, sim->state, sim->state_size);
        advance(sim, 0.2);
        assertSame(momentumOf(sim, 0), future);
        // in another world it stands in the same place, and finds what it touches anew
        snShapeDef ball = {.kind = sn_shapeSphere, .pose = {.q = {0, 0, 0, 1}}, .radius = 0.1};
        snObstacleDef obstacle;
        snObstacleDef_Init(&obstacle);
        obstacle.shapes = &ball;
        obstacle.shape_count = 1;
        obstacle.pose.p = snV3(9, 1, 0);
        assert_ok(snSim_RestoreSlice(sim, 0, slice, bytes, &why), why);
        snMomentum then = momentumOf(sim, 0);
        assert_ok(snSim_AddObstacle(sim, &obstacle, NULL, &why), why);
        advance(sim, 0.2);
        assert_ok(snSim_RestoreSlice(sim, 0, slice, bytes, &why), why);
        assertSame(momentumOf(sim, 0), then);
        const snNeighbour* n = &sim->data->around.neighbours[0];
        const snContactMemory memory = n->soft->memory;
        assert_int_equal(*memory.active_count, 0);
        advance(sim, 0.2);
        assert_true(snSim_Frame(sim)->characters[0].contact_count > 0);
        assert_true(snLength(snSub(momentumOf(sim, 0).com, future.com)) < 0.05);
        free(slice);
        freeAll(sim);
    }
}

// Neither states nor slices of other flesh are taken, whatever their size.
static void testOtherFlesh(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snSim* sim = simOf(c, 1);
        snSceneDef def = plainDef();
        snScene* scene = makeBlocks(c, &def, 0);
        snStart start = startAt(0);
        snCharacterDef like;
        snCharacterDef_Init(&like);
        like.name = "block";
        like.cells = 100;
        like.material.density = 500;
        snCharacter* other = buildBlock(&like, snV3(0.1, 0.15, 0.2));
        assert_ok(snScene_Add(scene, other, &start, NULL, &why), why);
        snCharacter_Release(other);
        snSim* light = startSim(scene);
        size_t bytes = snSim_SliceSize(sim, 0), all = snSim_StateSize(sim);
        assert_int_equal(bytes, snSim_SliceSize(light, 0));
        assert_int_equal(all, snSim_StateSize(light));
        void* saved = malloc(all > bytes ? all : bytes);
        assert_ok(snSim_SaveSlice(sim, 0, saved, &why), why);
        assert_refused(snSim_RestoreSlice(light, 0, saved, bytes, &why), sn_errorArgument, why,
                       "another character");
        snSim_Save(sim, saved);
        assert_refused(snSim_Restore(light, saved, all, &why), sn_errorArgument, why,
                       "another scene");
        free(saved);
        freeAll(sim);
        freeAll(light);
    }
}

// Hosts -----------------------------------------------------------------------

// Who comes and goes makes no difference to the others.
static void testComingAndGoing(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        int32_t who;
        snSim *sim = simOf(c, 3), *alone = simOf(c, 3);
        snCharacter* block = makeBlock(snV3(0.1, 0.15, 0.2), 100);
        snStart start = startAt(9);
        advance(sim, 0.1);
        advance(alone, 0.1);
        assert_ok(snSim_Add(sim, block, &start, &who, &why), why);
        assert_int_equal(who, 3);
        advance(sim, 0.1);
        advance(alone, 0.1);
        assert_ok(snSim_Remove(sim, 1, &why), why);
        advance(sim, 0.1);
        advance(alone, 0.1);
        assert_int_equal(snSim_Frame(sim)->character_count, 3);
        assertSame(momentumOf(sim, 0), momentumOf(alone, 0));
        assertSame(momentumOf(sim, 1), momentumOf(alone, 2));
        snCharacter_Release(block);
        freeAll(sim);
        freeAll(alone);
    }
}

// Who cannot come or go for want of memory leaves all others as they are, also when the scene's
// list of characters had to grow for him.
static void testScarceMemory(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snHost host;
        snHost_Init(&host);
        host.allocate = scarce;
        host.release = giveBack;
        host.thread_count = 1;
        allowed = LONG_MAX;
        snSceneDef def = plainDef();
        snScene* scene = makeBlocksWith(&host, c, &def, 4);
        snSim *sim = startSim(scene), *alone = simOf(c, 4);
        snCharacter* block = makeBlock(snV3(0.1, 0.15, 0.2), 100);
        snStart start = startAt(12);
        bool came = false;
        for (long k = 0; k < 40 && !came; ++k) {
            allowed = k;
            snStatus status = snSim_Add(sim, block, &start, NULL, &why);
            came = !status;
            assert_true(came || status == sn_errorMemory);
            if (!came) {
                allowed = k;
                came = !snSim_Remove(sim, 3, &why);
            }
            allowed = LONG_MAX;
            advance(sim, 1 / FRAME_RATE);
            advance(alone, 1 / FRAME_RATE);
            for (int32_t i = 0; i < 3; ++i) {
                assertSame(momentumOf(sim, i), momentumOf(alone, i));
            }
        }
        assert_true(came);
        snCharacter_Release(block);
        freeAll(sim);
        freeAll(alone);
    }
}

// An impulse is what a character's momentum changes by.
static void testPush(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snSim* sim = simOf(c, 2);
        advance(sim, 0.1);
        snMomentum before = momentumOf(sim, 0), other = momentumOf(sim, 1);
        snVec3 impulse = snV3(1, 2, -3);
        snStatus status = snSim_Push(sim, 0, before.com, impulse, 0.5, &why);
        if (c->method->does & sn_doesPush) {
            assert_ok(status, why);
            snVec3 change = snSub(momentumOf(sim, 0).linear, before.linear);
            assert_true(snLength(snSub(change, impulse)) < 1e-5);
        } else {
            assertRefused(status, c, why);
        }
        assertSame(momentumOf(sim, 1), other);
        freeAll(sim);
    }
}

static void testTeleport(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snSim* sim = simOf(c, 2);
        advance(sim, 0.1);
        snMomentum before = momentumOf(sim, 0);
        snTransform by = {snV3(0, 5, 0), {0, 0, 0, 1}};
        snStatus status = snSim_Teleport(sim, 0, by, &why);
        if (c->method->does & sn_doesTeleport) {
            assert_ok(status, why);
            snMomentum now = momentumOf(sim, 0);
            assert_true(snLength(snSub(snSub(now.com, before.com), by.p)) < 1e-6);
            assert_true(snLength(snSub(now.linear, before.linear)) < 1e-6);
        } else {
            assertRefused(status, c, why);
            assertSame(momentumOf(sim, 0), before);
        }
        freeAll(sim);
    }
}

// Who lies still sleeps, and wakes when pushed.
static void testSleep(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snSim* sim = NULL;
        snSceneDef def = plainDef();
        def.ground = (c->method->does & sn_doesGround) != 0;
        def.sleep = 0.2;
        snScene* scene = makeBlocks(c, &def, 1);
        snStatus status = snSim_Create(scene, &sim, &why);
        if (c->method->does & sn_doesSleep) {
            assert_ok(status, why);
            for (int i = 0; i < 200 && !snSim_Frame(sim)->characters[0].is_asleep; ++i) {
                advance(sim, 0.05);
            }
            assert_true(snSim_Frame(sim)->characters[0].is_asleep);
            assert_ok(snSim_Push(sim, 0, momentumOf(sim, 0).com, snV3(0, 5, 0), 1, &why), why);
            assert_false(snSim_Frame(sim)->characters[0].is_asleep);
            // a slice of who slept wakes, too: what it lay on may be gone
            for (int i = 0; i < 200 && !snSim_Frame(sim)->characters[0].is_asleep; ++i) {
                advance(sim, 0.05);
            }
            size_t bytes = snSim_SliceSize(sim, 0);
            void* slice = malloc(bytes);
            assert_ok(snSim_SaveSlice(sim, 0, slice, &why), why);
            assert_ok(snSim_RestoreSlice(sim, 0, slice, bytes, &why), why);
            assert_false(snSim_Frame(sim)->characters[0].is_asleep);
            free(slice);
        } else {
            assertRefused(status, c, why);
        }
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// What a scene asks for and the method has not is refused when the sim is made.
static void testMissing(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snSim* sim = NULL;
        snSceneDef def = plainDef();
        def.ground = 1;
        snScene* scene = makeBlocks(c, &def, 1);
        snStatus status = snSim_Create(scene, &sim, &why);
        if (c->method->does & sn_doesGround) {
            assert_ok(status, why);
        } else {
            assertRefused(status, c, why);
        }
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// Steps that are too long: the guard does frames again with shorter ones and says what it was.
static void testRetries(void** state)
{
    (void)state;
    EACH(c)
    {
        snMessage why;
        snSceneDef def = plainDef();
        def.frame_rate = 1 / c->too_long;
        def.step = c->too_long;
        snScene* scene = makeBlocks(c, &def, 2);
        if (c->setting) {
            assert_ok(snScene_Set(scene, NULL, c->setting, c->value, &why), why);
        }
        snSim* sim = startSim(scene);
        snVec3 corner = snAdd(momentumOf(sim, 1).com, snV3(0.1, 0.15, 0.2));
        assert_ok(snSim_Push(sim, 1, corner, snV3(-1, -1, -1), 0.1, &why), why);
        advance(sim, 10 * c->too_long);
        const snFrame* frame = snSim_Frame(sim);
        assert_true(frame->guard.retries > 0 && frame->guard.level > 0);
        assert_in_range(frame->guard.character, 0, 1);
        assert_in_range(frame->guard.trouble, 1, sn_troubleCount - 1);
        assert_true(strlen(snTrouble_Text(frame->guard.trouble)) > 0);
        assert_true(strlen(snTrouble_Advice(frame->guard.trouble)) > 0);
        assert_true(frame->step_size < c->too_long);
        assert_close(frame->time, 10 * c->too_long, 1e-12);
        assert_true(isfinite(snLength(frame->characters[1].momentum.com)));
        // the number of who was in trouble follows him, and goes with him
        int32_t who = frame->guard.character;
        assert_ok(snSim_Remove(sim, 1 - who, &why), why);
        assert_int_equal(snSim_Frame(sim)->guard.character, 0);
        freeAll(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testTable),         cmocka_unit_test(testSettings),
        cmocka_unit_test(testSlices),        cmocka_unit_test(testManySteps),
        cmocka_unit_test(testStages),        cmocka_unit_test(testSaveAndRestore),
        cmocka_unit_test(testSliceGoesBack), cmocka_unit_test(testSliceRemembersContacts),
        cmocka_unit_test(testOtherFlesh),    cmocka_unit_test(testComingAndGoing),
        cmocka_unit_test(testScarceMemory),  cmocka_unit_test(testPush),
        cmocka_unit_test(testTeleport),      cmocka_unit_test(testSleep),
        cmocka_unit_test(testMissing),       cmocka_unit_test(testRetries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
