// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Runs of scenes against their golden hashes.
#ifndef SN_TESTS_SIM_GOLDEN_RUN_H
#define SN_TESTS_SIM_GOLDEN_RUN_H

#include "sim/golden.h"
#include "sim/puppet.h"
#include "sim/result_hash.h"
#include <scenes/scenes.h>

#define MOMENTS 4 // of a run that are hashed, evenly apart

typedef snScene* SceneFcn(const snHost* host);

// What a host does to a sim after a moment, 0..MOMENTS - 1
typedef void HostFcn(snScene* scene, snSim* sim, int moment);

static inline uint64_t runScene(snScene* scene, HostFcn* act, double seconds)
{
    snSim* sim = startSim(scene);
    uint64_t hash = 0;
    for (int i = 0; i < MOMENTS; ++i) {
        advance(sim, seconds / MOMENTS);
        hash = hashResults(scene, sim, hash);
        if (act) {
            act(scene, sim, i);
        }
    }
    snSim_Free(sim);
    snScene_Free(scene);
    return hash;
}

static const int32_t GOLDEN_THREADS[] = {1, 2, 5};

static inline void checkRun(const Golden* golden, SceneFcn* make, HostFcn* act, double seconds)
{
    for (int i = 0; i < 3; ++i) {
        snHost host = goldenHost(GOLDEN_THREADS[i]);
        checkGolden(golden, GOLDEN_THREADS[i], runScene(make(&host), act, seconds));
    }
}

static inline snScene* makeScene(const snHost* host, const char* name)
{
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snBuiltinScene_Find(name)->make(host, &scene, &why), why);
    return scene;
}

static inline void checkBuiltin(const Golden* golden, const char* name, double seconds)
{
    for (int i = 0; i < 3; ++i) {
        snHost host = goldenHost(GOLDEN_THREADS[i]);
        checkGolden(golden, GOLDEN_THREADS[i], runScene(makeScene(&host, name), NULL, seconds));
    }
}

#endif
