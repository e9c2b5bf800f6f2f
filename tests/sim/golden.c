// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The same bits everywhere: hashes of runs, written down once. Every compiler, optimisation level,
// instruction set (SINEW_ISA) and number of threads must give them. Whoever changes the mechanics
// on purpose takes over the lines that a failing run prints.
#include "base/cpu.h"
#include "base/hash.h"
#include "base/random.h"
#include "math/svd.h"
#include "math/trig.h"
#include "sim/puppet.h"

#include <inttypes.h>
#include <scenes/scenes.h>

typedef enum Golden {
    STARFISH_BONES,
    STARFISH_SWARM,
    RAGDOLL,
    PENDULUM_CHAIN,
    PUPPETS_MIDPOINT,
    PUPPETS_EULER,
    SVD_BATCH,
    TRIGONOMETRY,
    WORM_FALL,
    STARFISH_FALL,
    GOLDEN_COUNT,
} Golden;

static const char* const NAMES[GOLDEN_COUNT] = {
    "STARFISH_BONES", "STARFISH_SWARM", "RAGDOLL",      "PENDULUM_CHAIN", "PUPPETS_MIDPOINT",
    "PUPPETS_EULER",  "SVD_BATCH",      "TRIGONOMETRY", "WORM_FALL",      "STARFISH_FALL",
};

static const uint64_t GOLDEN[GOLDEN_COUNT] = {
    [STARFISH_BONES] = 0x58cc5aa2567d907e,   [STARFISH_SWARM] = 0xbbf8ca2fdd942470,
    [RAGDOLL] = 0x065a06b138b27688,          [PENDULUM_CHAIN] = 0xb08692cbbb5ebea6,
    [PUPPETS_MIDPOINT] = 0x710ef633f0995522, [PUPPETS_EULER] = 0x5fc5352dce1d8fe4,
    [SVD_BATCH] = 0x695ad789f7c932de,        [TRIGONOMETRY] = 0x249325406ae10d17,
    [WORM_FALL] = 0xcd709e056f7e5c8d,        [STARFISH_FALL] = 0xa773f472e35fd2fd,
};

static snIsa isa = sn_isaAuto;

static void check(Golden which, uint64_t found)
{
    if (found != GOLDEN[which]) {
        print_error("    [%s] = 0x%016" PRIx64 ",\n", NAMES[which], found);
        fail();
    }
}

static snHost hostWith(int32_t threads)
{
    snHost host;
    snHost_Init(&host);
    host.thread_count = threads;
    host.isa = (int32_t)isa;
    return host;
}

static void checkScene(Golden which, const char* name, double time)
{
    static const int32_t THREADS[] = {1, 2, 5};
    for (int i = 0; i < 3; ++i) {
        snHost host = hostWith(THREADS[i]);
        snScene* scene = NULL;
        snMessage why;
        assert_ok(snBuiltinScene_Find(name)->make(&host, &scene, &why), why);
        snSim* sim = startSim(scene);
        advance(sim, time);
        uint64_t hash = snSim_Hash(sim);
        snSim_Free(sim);
        snScene_Free(scene);
        check(which, hash);
    }
}

static void testStarfishBones(void** state)
{
    (void)state;
    checkScene(STARFISH_BONES, "starfish_bones", 1);
}

static void testStarfishSwarm(void** state)
{
    (void)state;
    checkScene(STARFISH_SWARM, "starfish_swarm", 0.5);
}

static void testRagdoll(void** state)
{
    (void)state;
    checkScene(RAGDOLL, "ragdoll", 1);
}

static void testPendulum(void** state)
{
    (void)state;
    checkScene(PENDULUM_CHAIN, "pendulum_chain", 1);
}

// Flesh in flight and on the ground.
static void testWormFall(void** state)
{
    (void)state;
    checkScene(WORM_FALL, "worm_fall", 0.6);
}

static void testStarfishFall(void** state)
{
    (void)state;
    checkScene(STARFISH_FALL, "starfish_fall", 0.15);
}

// Every joint type, limits, springs, every kind of drive.
static void checkPuppets(Golden which, int32_t integrator)
{
    static const int32_t THREADS[] = {1, 2, 5};
    for (int i = 0; i < 3; ++i) {
        snHost host = hostWith(THREADS[i]);
        snScene* scene = makePuppetScene(&host, NULL, 4);
        snMessage why;
        assert_ok(snScene_Set(scene, NULL, "integrator", snIntegrator_Name(integrator), &why), why);
        snSim* sim = startSim(scene);
        advance(sim, 0.6);
        uint64_t hash = snSim_Hash(sim);
        snSim_Free(sim);
        snScene_Free(scene);
        check(which, hash);
    }
}

static void testPuppetsMidpoint(void** state)
{
    (void)state;
    checkPuppets(PUPPETS_MIDPOINT, sn_integratorMidpoint);
}

static void testPuppetsEuler(void** state)
{
    (void)state;
    checkPuppets(PUPPETS_EULER, sn_integratorEuler);
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
    snSvdBatch(snCpu_Choose((int32_t)isa))(BLOCKS, F, U, s, V);
    uint64_t hash = snHash(U, sizeof U, 0);
    hash = snHash(s, sizeof s, hash);
    check(SVD_BATCH, snHash(V, sizeof V, hash));
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
    check(TRIGONOMETRY, hash);
}

int main(void)
{
    const char* wanted = getenv("SINEW_ISA");
    if (wanted && !snIsa_FromName(wanted, &isa)) {
        print_error("SINEW_ISA is auto, baseline, avx2 or avx512, not '%s'\n", wanted);
        return 1;
    }
    if (isa > snCpu_Best()) {
        print_error("SKIP: this processor has no %s\n", wanted);
        return 77;
    }
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
    return cmocka_run_group_tests(tests, NULL, NULL);
}
