// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The same bits everywhere: bones, flesh, and the arithmetic below them.
#include "base/random.h"
#include "math/svd.h"
#include "math/trig.h"
#include "sim/golden_run.h"

static const Golden STARFISH_BONES = {"STARFISH_BONES", 0x600a19ec6bb3517c};
static const Golden STARFISH_SWARM = {"STARFISH_SWARM", 0x122d5d69351c9a42};
static const Golden RAGDOLL = {"RAGDOLL", 0x0faebc1014577f2a};
static const Golden PENDULUM_CHAIN = {"PENDULUM_CHAIN", 0x3c1dea7136ac97ff};
static const Golden PUPPETS_MIDPOINT = {"PUPPETS_MIDPOINT", 0xdbc29c067815d3ab};
static const Golden PUPPETS_EULER = {"PUPPETS_EULER", 0xf2d94b907a95dee6};
static const Golden SVD_BATCH = {"SVD_BATCH", 0x695ad789f7c932de};
static const Golden TRIGONOMETRY = {"TRIGONOMETRY", 0x249325406ae10d17};
static const Golden WORM_FALL = {"WORM_FALL", 0xd01f4228afbf7df7};
static const Golden STARFISH_FALL = {"STARFISH_FALL", 0x9ad781457f207618};

static void testStarfishBones(void** state)
{
    (void)state;
    checkBuiltin(&STARFISH_BONES, "starfish_bones", 1);
}

static void testStarfishSwarm(void** state)
{
    (void)state;
    checkBuiltin(&STARFISH_SWARM, "starfish_swarm", 0.5);
}

static void testRagdoll(void** state)
{
    (void)state;
    checkBuiltin(&RAGDOLL, "ragdoll", 1);
}

static void testPendulum(void** state)
{
    (void)state;
    checkBuiltin(&PENDULUM_CHAIN, "pendulum_chain", 1);
}

// Flesh in flight and on the ground.
static void testWormFall(void** state)
{
    (void)state;
    checkBuiltin(&WORM_FALL, "worm_fall", 0.6);
}

static void testStarfishFall(void** state)
{
    (void)state;
    checkBuiltin(&STARFISH_FALL, "starfish_fall", 0.15);
}

// Every joint type, limits, springs, every kind of drive.
static snScene* makePuppets(const snHost* host, int32_t integrator)
{
    snMessage why;
    snScene* scene = makePuppetScene(host, NULL, 4);
    assert_ok(snScene_Set(scene, NULL, "integrator", snIntegrator_Name(integrator), &why), why);
    return scene;
}

static snScene* makeMidpoint(const snHost* host)
{
    return makePuppets(host, sn_integratorMidpoint);
}

static snScene* makeEuler(const snHost* host)
{
    return makePuppets(host, sn_integratorEuler);
}

static void testPuppetsMidpoint(void** state)
{
    (void)state;
    checkRun(&PUPPETS_MIDPOINT, makeMidpoint, NULL, 0.6);
}

static void testPuppetsEuler(void** state)
{
    (void)state;
    checkRun(&PUPPETS_EULER, makeEuler, NULL, 0.6);
}

static void testSvd(void** state)
{
    (void)state;
    enum { COUNT = 4096, BLOCKS = COUNT / 16 };
    static float F[COUNT * 9], U[COUNT * 9], s[COUNT * 3], V[COUNT * 9];
    snRandom r = snRandom_Seed(2024);
    for (int i = 0; i < COUNT * 9; ++i) {
        F[i] = (float)snRandom_Range(&r, -2, 2);
    }
    snSvdBatch(snCpu_Choose((int32_t)golden_isa))(BLOCKS, F, U, s, V);
    uint64_t hash = snHash(U, sizeof U, 0);
    hash = snHash(s, sizeof s, hash);
    checkGolden(&SVD_BATCH, 0, snHash(V, sizeof V, hash));
}

static void testTrigonometry(void** state)
{
    (void)state;
    uint64_t hash = 0;
    snRandom r = snRandom_Seed(7);
    for (int i = 0; i < 100000; ++i) {
        double x = snRandom_Range(&r, -50, 50), y = snRandom_Range(&r, -3, 3);
        double f[] = {snSin(x), snCos(x), snAtan2(y, x), snExp(x), snSin(1e-8 * x), snExp(y)};
        hash = snHash(f, sizeof f, hash);
    }
    checkGolden(&TRIGONOMETRY, 0, hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testStarfishBones),
        cmocka_unit_test(testStarfishSwarm),
        cmocka_unit_test(testRagdoll),
        cmocka_unit_test(testPendulum),
        cmocka_unit_test(testPuppetsMidpoint),
        cmocka_unit_test(testPuppetsEuler),
        cmocka_unit_test(testSvd),
        cmocka_unit_test(testTrigonometry),
        cmocka_unit_test(testWormFall),
        cmocka_unit_test(testStarfishFall),
    };
    int refused = chooseIsa();
    return refused ? refused : cmocka_run_group_tests(tests, NULL, NULL);
}
