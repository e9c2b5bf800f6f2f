// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The worm of the examples as a body, for golden runs.
#ifndef SN_TESTS_SIM_GOLDEN_WORM_H
#define SN_TESTS_SIM_GOLDEN_WORM_H

#include "sim/golden.h"
#include "sim/result_hash.h"
#include <sinew/body.h>

static snBody* worms[GOLDEN_MOST + 1]; // by the number of threads

static inline snBody* makeWorm(const snHost* host, double shape)
{
    snMessage why;
    snRig* rig;
    snBody* body;
    snBodyDef def;
    snBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    def.softness = 3;
    def.damping = 0.8; // it comes to rest soon
    def.shape = shape;
    assert_ok(snRig_Load(host, SN_TEST_DATA "/../../docs/examples/worm.gltf", &rig, &why), why);
    assert_ok(snBody_Build(host, rig, &def, &body, &why), why);
    snRig_Release(rig);
    return body;
}

static inline int openWorms(void** state)
{
    (void)state;
    for (int32_t threads = GOLDEN_LEAST; threads <= GOLDEN_MOST; ++threads) {
        snHost host = goldenHost(threads);
        worms[threads] = makeWorm(&host, 0);
    }
    return 0;
}

static inline int closeWorms(void** state)
{
    (void)state;
    for (int i = 0; i <= GOLDEN_MOST; ++i) {
        snBody_Release(worms[i]);
    }
    return 0;
}

// Room for what a rig shows
typedef struct RigRoom {
    snMatrix* nodes;
    double* weights;
    float *positions, *normals;
} RigRoom;

static inline RigRoom openRoom(const snRigInfo* info)
{
    size_t floats = 3 * (size_t)info->vertex_count;
    return (RigRoom){calloc((size_t)info->node_count, sizeof(snMatrix)),
                     calloc((size_t)info->weight_count + 1, sizeof(double)),
                     calloc(floats, sizeof(float)), calloc(floats, sizeof(float))};
}

static inline void closeRoom(RigRoom* room)
{
    free(room->nodes);
    free(room->weights);
    free(room->positions);
    free(room->normals);
}

static inline uint64_t hashRoom(const RigRoom* room, const snRigInfo* info, uint64_t hash)
{
    for (int32_t i = 0; i < info->node_count; ++i) {
        const snMatrix* m = &room->nodes[i];
        hash = hashVec(m->p, hashVec(m->z, hashVec(m->y, hashVec(m->x, hash))));
    }
    return hashDoubles(room->weights, info->weight_count, hash);
}

static inline uint64_t hashSkin(const RigRoom* room, int32_t vertices, uint64_t hash)
{
    return hashFloats(room->normals, 3 * vertices, hashFloats(room->positions, 3 * vertices, hash));
}

#endif
