// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Surfaces in the host's own vertices: the frame's numbers, from another origin, and nothing
// between them.
#include "sim/flesh.h"
#include "sim/sim_state.h"

typedef struct Vertex {
    float position[3], colour, normal[3], texture[2];
} Vertex;

static void copiesAreStrided(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def;
    snStart start;
    snSceneDef_Init(&def);
    snStart_Init(&start);
    start.pose.p = (snVec3){5000.25, 1, -3};
    snScene* scene = makeSceneOf(NULL, &def, makeBlock((snVec3){0.2, 0.1, 0.1}, 100), &start);
    snSim* sim = startSim(scene);
    advance(sim, 0.1);
    const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
    const snFrameSurface* s = &c->surfaces[0];
    snVec3 from = {5000, 0, 0};
    Vertex* vertices = calloc((size_t)s->vertex_count, sizeof *vertices);
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        vertices[i].colour = vertices[i].texture[0] = 7;
    }
    assert_ok(snFrameCharacter_Copy(c, 0, from, sizeof(Vertex), vertices->position,
                                    vertices->normal, &why),
              why);
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        const Vertex* v = &vertices[i];
        for (int k = 0; k < 3; ++k) {
            double origin = k == 0 ? c->origin.x - 5000 : k == 1 ? c->origin.y : c->origin.z;
            assert_close((double)v->position[k], (double)s->position[3 * i + k] + origin, 1e-6);
            assert_true(v->normal[k] == s->normal[3 * i + k]);
        }
        assert_true(v->colour == 7 && v->texture[0] == 7 && v->texture[1] == 0);
    }
    assert_true(c->origin.x > 1000); // that the origin matters
    assert_ok(snFrameCharacter_Copy(c, 0, from, 12, NULL, NULL, &why), why);
    assert_refused(snFrameCharacter_Copy(c, 1, from, 12, NULL, NULL, &why), sn_errorArgument, why,
                   "no surface 1");
    assert_refused(snFrameCharacter_Copy(c, 0, from, 8, NULL, NULL, &why), sn_errorArgument, why,
                   "stride");
    free(vertices);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Tasks in another order, by several workers.
static void backwards(void* user, int count, snTaskFcn* task, void* argument)
{
    (void)user;
    for (int i = count - 1; i >= 0; --i) {
        task(argument, i, i % 4);
    }
}

// Blocks near the ground, the last one in the air.
static snScene* makeHeap(int count, bool turned)
{
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snHost host;
    snHost_Init(&host);
    host.thread_count = turned ? 4 : 1;
    host.parallel = turned ? backwards : NULL;
    snSceneDef_Init(&def);
    def.ground = true;
    assert_ok(snScene_Create(&host, &def, &scene, &why), why);
    snCharacter* block = makeBlock((snVec3){0.2, 0.1, 0.1}, 100);
    for (int i = 0; i < count; ++i) {
        snStart start;
        snStart_Init(&start);
        start.pose.p = (snVec3){0.3 * i, i < count - 1 ? 0.1 : 5, 0};
        start.velocity = (snVec3){0, i < count - 1 ? -2 : 0, 0.2 * i};
        assert_ok(snScene_Add(scene, block, &start, NULL, &why), why);
    }
    snCharacter_Release(block);
    return scene;
}

static void workersDoNotShow(void** state)
{
    (void)state;
    snScene* scenes[2] = {makeHeap(6, false), makeHeap(6, true)};
    snSim* sims[2] = {startSim(scenes[0]), startSim(scenes[1])};
    for (int i = 0; i < 2; ++i) {
        advance(sims[i], 0.1);
    }
    const snFrame *one = snSim_Frame(sims[0]), *other = snSim_Frame(sims[1]);
    assert_int_equal(one->character_count, 6);
    for (int32_t i = 0; i < one->character_count; ++i) {
        const snFrameCharacter *a = &one->characters[i], *b = &other->characters[i];
        const snFrameSurface *s = &a->surfaces[0], *t = &b->surfaces[0];
        size_t bytes = 3 * (size_t)s->vertex_count * sizeof(float);
        assert_int_equal(s->vertex_count, t->vertex_count);
        assert_memory_equal(s->position, t->position, bytes);
        assert_memory_equal(s->normal, t->normal, bytes);
        assert_memory_equal(&a->energy, &b->energy, sizeof a->energy);
        assert_memory_equal(&a->momentum, &b->momentum, sizeof a->momentum);
    }
    for (int i = 0; i < 2; ++i) {
        snSim_Free(sims[i]);
        snScene_Free(scenes[i]);
    }
}

// The last good frame is kept piece by piece, and is all of the state.
static void goodFramesAreWhole(void** state)
{
    (void)state;
    snScene* scene = makeHeap(2, false);
    snSim* sim = startSim(scene);
    int64_t least = INT64_MAX, most = 0;
    for (int i = 0; i < 20; ++i) { // it bounces
        advance(sim, 1 / sim->frame_rate);
        assert_int_equal(sim->state->part, 0);
        assert_memory_equal(sim->good, sim->state, sim->state_size);
        int64_t touching = snSim_Frame(sim)->characters[0].contact_count;
        least = touching < least && most > 0 ? touching : least;
        most = touching > most ? touching : most;
    }
    assert_true(most > 0 && least < most);
    snSim_Free(sim);
    snScene_Free(scene);
}

// What is not wanted is not there, and nobody else is touched by that. The host's memory gets the
// same numbers in its own unit and axes.
static void framesHoldWhatIsWanted(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makeSceneOf(NULL, NULL, makeBuiltin("worm"), NULL);
    snSim* sim = startSim(scene);
    advance(sim, 0.1);
    snFrameCharacter all = *snFrame_Character(snSim_Frame(sim), 0);
    const int32_t count = all.surfaces[0].vertex_count;
    const size_t floats = 3 * (size_t)count;
    float* before = malloc(2 * floats * sizeof(float));
    float* own = calloc(5 * (size_t)count, sizeof(float));
    memcpy(before, all.surfaces[0].position, floats * sizeof(float));
    memcpy(before + floats, all.surfaces[0].normal, floats * sizeof(float));

    snWantDef want;
    snWantDef_Init(&want);
    want.wanted = sn_wantedSurface;
    want.positions = own;
    want.stride = 5 * sizeof(float);
    want.unit = 0.01;
    want.axes = sn_axesZUp;
    want.origin = snV3(1, 2, 3);
    assert_ok(snSim_Want(sim, 0, &want, &why), why);
    const snFrameCharacter* c = snFrame_Character(snSim_Frame(sim), 0);
    const snFrameSurface* s = snFrameCharacter_Surface(c, 0);
    assert_memory_equal(s->position, before, floats * sizeof(float));
    assert_null(s->normal);
    assert_true(!c->q && !c->bones && !c->nodes && c->node_count == 0);
    assert_true(c->energy.kinetic == 0 && c->momentum.mass == 0);
    assert_true(c->depth == all.depth && c->contact_count == all.contact_count);
    for (int32_t i = 0; i < count; ++i) {
        const float *p = before + 3 * (size_t)i, *q = own + 5 * (size_t)i;
        assert_close((double)q[0], 100 * ((double)p[0] - 1), 1e-4);
        assert_close((double)q[1], -100 * ((double)p[2] - 3), 1e-4);
        assert_close((double)q[2], 100 * ((double)p[1] - 2), 1e-4);
        assert_true(q[3] == 0 && q[4] == 0);
    }
    // poses are fed whether they are shown or not; all of it comes back
    double pose[PUPPET_MOST];
    snSkeleton_ZeroPose(snCharacter_Skeleton(snScene_Character(scene, 0)), pose);
    assert_ok(snSim_SetPose(sim, 0, pose, NULL, 0.1, 0, &why), why);
    snWantDef_Init(&want);
    assert_ok(snSim_Want(sim, 0, &want, &why), why);
    c = snFrame_Character(snSim_Frame(sim), 0);
    assert_memory_equal(c->surfaces[0].normal, before + floats, floats * sizeof(float));
    assert_memory_equal(&c->energy, &all.energy, sizeof all.energy);
    free(before);
    free(own);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Who comes and goes takes nobody's wish away, and a fed pose does not change it.
static void wantsStay(void** state)
{
    (void)state;
    snMessage why;
    snWantDef want;
    double pose[PUPPET_MOST];
    snScene* scene = makePuppetScene(NULL, NULL, 3);
    snSim* sim = startSim(scene);
    snWantDef_Init(&want);
    want.wanted = sn_wantedSums;
    assert_ok(snSim_Want(sim, 2, &want, &why), why);
    assert_ok(snSim_Remove(sim, 0, &why), why);
    snSkeleton* bones = makePuppet(NULL, sn_jointFree);
    snCharacter* other = NULL;
    assert_ok(snCharacter_Create(NULL, "puppet", bones, &other, &why), why);
    assert_ok(snSim_Add(sim, other, NULL, NULL, &why), why);
    snCharacter_Release(other);
    snSkeleton_Release(bones);
    advance(sim, 0.05);
    snSkeleton_ZeroPose(snCharacter_Skeleton(snScene_Character(scene, 1)), pose);
    assert_ok(snSim_SetPose(sim, 1, pose, NULL, 0.1, 0, &why), why);
    const snFrame* frame = snSim_Frame(sim);
    assert_non_null(frame->characters[0].q);
    assert_null(frame->characters[1].q);
    assert_true(frame->characters[1].momentum.mass > 0);
    assert_non_null(frame->characters[2].q);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void wantsAreChecked(void** state)
{
    (void)state;
    snMessage why;
    float room[3];
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snSim* sim = startSim(scene);
    snWantDef want = {.size = 0};
    assert_refused(snSim_Want(sim, 0, &want, &why), sn_errorArgument, why, "snWantDef_Init");
    snWantDef_Init(&want);
    assert_refused(snSim_Want(sim, 1, &want, &why), sn_errorArgument, why, "character 1");
    want.wanted = 1u << 20;
    assert_refused(snSim_Want(sim, 0, &want, &why), sn_errorArgument, why, "bits");
    snWantDef_Init(&want);
    want.stride = 13;
    assert_refused(snSim_Want(sim, 0, &want, &why), sn_errorArgument, why, "stride");
    snWantDef_Init(&want);
    want.unit = 0;
    assert_refused(snSim_Want(sim, 0, &want, &why), sn_errorArgument, why, "unit");
    snWantDef_Init(&want);
    want.normals = room;
    want.wanted = sn_wantedSurface;
    assert_refused(snSim_Want(sim, 0, &want, &why), sn_errorArgument, why, "sn_wantedNormals");
    assert_null(snFrame_Character(snSim_Frame(sim), 1));
    assert_null(snFrame_Character(snSim_Frame(sim), -1));
    assert_null(snFrame_Obstacle(snSim_Frame(sim), 0));
    assert_null(snFrame_Contact(snSim_Frame(sim), 0));
    assert_null(snFrame_Event(NULL, 0));
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copiesAreStrided),   cmocka_unit_test(workersDoNotShow),
        cmocka_unit_test(goodFramesAreWhole), cmocka_unit_test(framesHoldWhatIsWanted),
        cmocka_unit_test(wantsStay),          cmocka_unit_test(wantsAreChecked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
