// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Force fields do to momentum what they say.
#include "sim/obstacles.h"

#define KINDS 3
#define SPAN 0.25 // s

// A worm (bones in flesh), a block (flesh alone) or a puppet (bones alone), and a crate, far apart,
// without gravity.
static snScene* makeFew(int kind)
{
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snShapeDef box = boxShape(snV3(0.1, 0.1, 0.1));
    snSceneDef_Init(&def);
    def.gravity = snV3(0, 0, 0);
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    if (kind == 2) {
        addPuppet(NULL, scene, makePuppet(NULL, sn_jointFree), NULL);
    } else {
        snCharacter* c = kind ? makeBlock(snV3(0.15, 0.1, 0.1), 100) : makeBuiltin("worm");
        assert_ok(snScene_Add(scene, c, NULL, NULL, &why), why);
        snCharacter_Release(c);
    }
    addObstacle(scene, &box, poseAt(snV3(20, 0, 0)), 3, snV3(0, 0, 0), snV3(0, 0, 0));
    return scene;
}

static snVec3 velocity(const snMomentum* m)
{
    return snScale(1 / m->mass, m->linear);
}

static void addForce(snScene* scene, const snForceDef* def)
{
    snMessage why;
    assert_ok(snScene_AddForce(scene, def, &why), why);
}

// Everything gains the same speed, and turns no faster than without.
static void uniformIsGravity(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        snForceDef force;
        snScene* scene = makeFew(kind);
        snSim* sim = startSim(scene);
        snForceDef_Init(&force);
        force.value = snV3(1, 4, -2);
        addForce(scene, &force);
        advance(sim, SPAN);
        const snFrame* frame = snSim_Frame(sim);
        snVec3 v = snScale(frame->time, force.value);
        print_message("kind %d: off by %g and %g m/s\n", kind,
                      snLength(snSub(velocity(&frame->characters[0].momentum), v)),
                      snLength(snSub(velocity(&frame->obstacles[0].momentum), v)));
        assert_true(snLength(snSub(velocity(&frame->characters[0].momentum), v)) < 1e-6);
        assert_true(snLength(snSub(velocity(&frame->obstacles[0].momentum), v)) < 1e-9);
        assert_true(snLength(frame->characters[0].momentum.angular) < 1e-5);
        // and nothing once it is gone
        snScene_ClearForces(scene);
        advance(sim, SPAN);
        frame = snSim_Frame(sim);
        assert_true(snLength(snSub(velocity(&frame->characters[0].momentum), v)) < 2e-6);
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// v = air (1 - e^(-rate t)), to first order in the step; however high the rate, no faster than air.
static void windTakesAlong(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        for (int strong = 0; strong < 2; ++strong) {
            snForceDef force;
            snScene* scene = makeFew(kind);
            snSim* sim = startSim(scene);
            snForceDef_Init(&force);
            force.kind = sn_forceWind;
            force.value = snV3(2, 0, 1);
            force.rate = strong ? 1e4 : 3;
            addForce(scene, &force);
            advance(sim, SPAN);
            const snFrame* frame = snSim_Frame(sim);
            double part = strong ? 1 : 1 - snExp(-force.rate * frame->time);
            double bound = strong ? 0.01 : force.rate * snSim_Step(sim) + 1e-3;
            snVec3 v = snScale(part, force.value), c = velocity(&frame->characters[0].momentum);
            snVec3 o = velocity(&frame->obstacles[0].momentum);
            assert_true(snLength(snSub(c, v)) < bound * snLength(force.value));
            assert_true(snLength(snSub(o, v)) < bound * snLength(force.value));
            snSim_Free(sim);
            snScene_Free(scene);
        }
    }
}

typedef struct Seen {
    double least, most; // times
    long calls;
} Seen;

static snVec3 pull(void* user, double time, snVec3 place, snVec3 v)
{
    Seen* seen = user;
    (void)v;
    seen->least = fmin(seen->least, time);
    seen->most = fmax(seen->most, time);
    seen->calls++;
    return snScale(-5, snNormalize(snSub(place, snV3(0, 3, 0))));
}

// Towards a place, by the field of that kind and by a function of the host: the same bits.
static void functionsMayTell(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        uint64_t hash[2];
        Seen seen = {1, -1, 0};
        for (int own = 0; own < 2; ++own) {
            snForceDef force;
            snScene* scene = makeFew(kind);
            snSim* sim = startSim(scene);
            snForceDef_Init(&force);
            force.kind = own ? sn_forceCall : sn_forcePoint;
            force.place = snV3(0, 3, 0);
            force.towards = 5;
            force.call = pull;
            force.user = &seen;
            addForce(scene, &force);
            advance(sim, SPAN);
            hash[own] = snSim_Hash(sim);
            assert_true(snSim_Frame(sim)->characters[0].momentum.linear.y > 0);
            assert_true(snSim_Frame(sim)->obstacles[0].momentum.linear.x < 0);
            snSim_Free(sim);
            snScene_Free(scene);
        }
        assert_true(hash[0] == hash[1]);
        assert_true(seen.calls > 0 && seen.least > 0 && seen.most < SPAN);
    }
}

// Beyond the radius nothing is felt.
static void fieldsEnd(void** state)
{
    (void)state;
    snForceDef force;
    snScene* scene = makeFew(1);
    snSim* sim = startSim(scene);
    snForceDef_Init(&force);
    force.value = snV3(0, 4, 0);
    force.radius = 10;
    addForce(scene, &force);
    advance(sim, SPAN);
    const snFrame* frame = snSim_Frame(sim);
    assert_close(velocity(&frame->characters[0].momentum).y, 4 * frame->time, 0.01);
    assert_close(frame->obstacles[0].momentum.linear.y, 0, 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void wrongFieldsAreRefused(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makeFew(2);
    snForceDef def, zero = {0};
    assert_refused(snScene_AddForce(scene, &zero, &why), sn_errorArgument, why, "Init");
    snForceDef_Init(&def);
    def.kind = sn_forceCall;
    assert_refused(snScene_AddForce(scene, &def, &why), sn_errorArgument, why, "function");
    snForceDef_Init(&def);
    def.radius = 0;
    assert_refused(snScene_AddForce(scene, &def, &why), sn_errorArgument, why, "radius");
    snForceDef_Init(&def);
    def.value.x = (double)NAN;
    assert_refused(snScene_AddForce(scene, &def, &why), sn_errorArgument, why, "accelerations");
    snForceDef_Init(&def);
    for (int i = 0; i < 16; ++i) {
        addForce(scene, &def);
    }
    assert_refused(snScene_AddForce(scene, &def, &why), sn_errorArgument, why, "at most 16");
    snScene_ClearForces(scene);
    addForce(scene, &def);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniformIsGravity),      cmocka_unit_test(windTakesAlong),
        cmocka_unit_test(functionsMayTell),      cmocka_unit_test(fieldsEnd),
        cmocka_unit_test(wrongFieldsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
