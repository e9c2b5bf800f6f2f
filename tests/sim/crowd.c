// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Many bodies: those that may touch each other make a group, and groups go side by side. Nobody
// feels what goes on in others.
#include "method/explicit/actor.h"
#include "sim/obstacles.h"
#include "sim/scene.h"

#define APART 1.0  // m between places
#define ABOVE 0.09 // m, of a block that begins to touch the ground

static snCharacter* block;

static int setup(void** state)
{
    (void)state;
    block = makeBlock(snV3(0.15, 0.08, 0.12), 60);
    return 0;
}

static int teardown(void** state)
{
    (void)state;
    snCharacter_Release(block);
    return 0;
}

static void addBlock(snScene* scene, int place, double y, double x)
{
    snMessage why;
    snStart start;
    snStart_Init(&start);
    start.pose.p = snV3(APART * place + x, y, 0);
    start.pose.q = snQFromAxisAngle(snV3(0.6, 0, 0.8), 0.1);
    start.velocity = snV3(0, -0.5, 0.3);
    assert_ok(snScene_Add(scene, block, &start, NULL, &why), why);
}

static snScene* makeGround(int threads)
{
    snMessage why;
    snHost host;
    snSceneDef def;
    snScene* scene = NULL;
    snHost_Init(&host);
    host.thread_count = threads;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.step = 1e-3;
    def.events = 64;
    assert_ok(snScene_Create(&host, &def, &scene, &why), why);
    return scene;
}

// Places along a line: a block alone; one on another; two on one wall; a crate on one; a crate
// alone; then blocks alone.
enum { ALONE, PILE, WALL, CRATE, CRATE_ALONE, OTHERS };

static snScene* makeCrowd(int threads, int others)
{
    snScene* scene = makeGround(threads);
    snShapeDef wall = boxShape(snV3(0.4, 0.02, 0.3)), crate = boxShape(snV3(0.1, 0.05, 0.1));
    const snVec3 none = snV3(0, 0, 0);
    addBlock(scene, ALONE, ABOVE, 0);
    addBlock(scene, PILE, ABOVE, 0);
    addBlock(scene, PILE, ABOVE + 0.18, 0.05);
    addBlock(scene, WALL, ABOVE + 0.04, -0.2);
    addBlock(scene, WALL, ABOVE + 0.04, 0.2);
    addBlock(scene, CRATE, ABOVE, 0);
    for (int i = 0; i < others; ++i) {
        addBlock(scene, OTHERS + i, ABOVE, 0);
    }
    addObstacle(scene, &wall, poseAt(snV3(APART * WALL, 0.02, 0)), 0, none, none);
    addObstacle(scene, &crate, poseAt(snV3(APART * CRATE, 0.24, 0)), 2, none, none);
    addObstacle(scene, &crate, poseAt(snV3(APART * CRATE_ALONE, 0.06, 0)), 2, none, none);
    return scene;
}

static void run(snScene* scene, double time, snSim** sim)
{
    *sim = startSim(scene);
    advance(*sim, time);
}

static void sameBitsForThreads(void** state)
{
    (void)state;
    static const int THREADS[] = {1, 2, 5};
    // also more bodies than threads can be: scratch memory is the threads' then
    for (int others = 1; others < 80; others += 70) {
        uint64_t want = 0;
        for (int i = 0; i < 3; ++i) {
            snSim* sim;
            snScene* scene = makeCrowd(THREADS[i], others);
            run(scene, 0.2, &sim);
            want = i == 0 ? snSim_Hash(sim) : want;
            assert_true(snSim_Hash(sim) == want);
            snSim_Free(sim);
            snScene_Free(scene);
        }
    }
}

static void crowdMakesNoDifference(void** state)
{
    (void)state;
    snSim *one, *all;
    snScene *scene = makeGround(1), *crowd = makeCrowd(2, 3);
    addBlock(scene, ALONE, ABOVE, 0);
    run(scene, 0.3, &one);
    run(crowd, 0.3, &all);
    const snFrameCharacter *a = &snSim_Frame(one)->characters[0],
                           *b = &snSim_Frame(all)->characters[0];
    size_t bytes = 3 * (size_t)a->node_count * sizeof(float);
    assert_true(a->contact_count > 0 && a->contact_count == b->contact_count);
    assert_memory_equal(a->nodes, b->nodes, bytes);
    assert_memory_equal(a->node_velocities, b->node_velocities, bytes);
    snSim_Free(one);
    snSim_Free(all);
    snScene_Free(scene);
    snScene_Free(crowd);
}

static void framesTellOfAllGroups(void** state)
{
    (void)state;
    snSim* sim;
    snScene* scene = makeCrowd(2, 2);
    int touched[8] = {0}, obstacles[3] = {0};
    run(scene, 0.3, &sim);
    const snFrame* frame = snSim_Frame(sim);
    for (int32_t i = 0; i < frame->contact_count; ++i) {
        const snContact* c = &frame->contacts[i];
        touched[c->character >= 0 ? c->character : 0] += c->character >= 0;
        obstacles[c->obstacle >= 0 ? c->obstacle : 0] += c->obstacle >= 0;
    }
    for (int i = 0; i < 8; ++i) {
        assert_int_equal(touched[i], frame->characters[i].contact_count);
        assert_true(touched[i] > 0 || i == 2); // which may hop on the other
    }
    assert_true(obstacles[1] > 0 && obstacles[2] > 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Of the method itself, after some steps.
static void groupsAreWhoMayTouch(void** state)
{
    (void)state;
    snMessage why;
    snHost host;
    snTasks* tasks = NULL;
    snMethodData* d = NULL;
    snScene* scene = makeCrowd(2, 2);
    snHost_Init(&host);
    host.thread_count = 2;
    assert_ok(snTasks_Create(&host, &tasks, &why), why);
    assert_ok(snMethod_Build(&snExplicit, &scene->world, NULL, NULL, &d, &why), why);
    size_t bytes = d->state_size;
    void* numbers = aligned_alloc(SN_ALIGNMENT, bytes);
    memset(numbers, 0, bytes);
    snMethodData_Init(d, numbers);
    snVerdict verdict;
    snSpan span = {.count = 100, .rate = 1000};
    assert_int_equal(snExplicit.advance(d, tasks, numbers, &span, &verdict), 100);
    const snContacts* c = &d->around.contacts;
    assert_int_equal(c->group_count, 7); // four alone, the pile, who is at the wall, the lone crate
    assert_int_equal(c->soft_group_count, 6);
    assert_int_equal(c->lone_count, 4);
    assert_int_equal(c->softs[1].group, c->softs[2].group);
    assert_int_equal(c->softs[3].group, c->softs[4].group);
    assert_int_equal(c->softs[3].group, c->hards[0].group);
    assert_int_equal(c->softs[5].group, c->hards[1].group);
    assert_int_equal(c->hards[2].group, 6);
    for (int32_t g = 0; g < c->group_count; ++g) {
        assert_true(c->groups[g].row_count > 0);
        for (int32_t i = 0; i < c->groups[g].row_count; ++i) {
            int32_t owner = snContacts_Rows(c, g)[i].owner;
            const snSoft* soft = snContacts_Soft(c, owner);
            assert_int_equal(soft ? soft->group : snContacts_Hard(c, owner)->group, g);
        }
    }
    free(numbers);
    snMethodData_Free(d);
    snTasks_Free(tasks);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sameBitsForThreads),
        cmocka_unit_test(crowdMakesNoDifference),
        cmocka_unit_test(framesTellOfAllGroups),
        cmocka_unit_test(groupsAreWhoMayTouch),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
