// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Joints and weights of a primitive: JOINTS_0 and WEIGHTS_0, JOINTS_1 and WEIGHTS_1, and so on.
#include <math.h>
#include <stdio.h>

#include "io/gltf/accessor.h"

// Four influences each; no tool writes more than two
#define MOST_SETS 16

// Sums of weights may be so far from 1 without a word: rounding to 1/255 of four weights, and more
#define SUM_TOLERANCE 0.01

typedef struct Sets {
    snGltfNumbers joints[MOST_SETS], weights[MOST_SETS];
    size_t count;
} Sets;

static snStatus readSets(snGltf* g, const snJson* attributes, const char* where, int32_t vertices,
                         Sets* sets)
{
    for (sets->count = 0;; ++sets->count) {
        char names[2][24];
        size_t n = sets->count;
        snprintf(names[0], sizeof names[0], "JOINTS_%zu", n);
        snprintf(names[1], sizeof names[1], "WEIGHTS_%zu", n);
        const snJson* j[2] = {snJson_Get(attributes, names[0]), snJson_Get(attributes, names[1])};
        if (!j[0] && !j[1]) {
            return sn_ok;
        }
        if (!j[0] || !j[1] || n == MOST_SETS) {
            return snFail(g->why, sn_errorFile,
                          "%s.attributes: JOINTS_%zu and WEIGHTS_%zu must come together, and there "
                          "may be %d of them" SN_GLTF_AGAIN,
                          where, n, n, MOST_SETS);
        }
        snStatus status = snGltf_Ints(g, j[0], "VEC4", &sets->joints[n]);
        if (status) {
            snMessage_Prefix(g->why, "%s.attributes.%s", where, names[0]);
            return status;
        }
        status = snGltf_Floats(g, j[1], "VEC4", &sets->weights[n]);
        if (status) {
            snMessage_Prefix(g->why, "%s.attributes.%s", where, names[1]);
            return status;
        }
        if (sets->joints[n].count != (size_t)vertices ||
            sets->weights[n].count != (size_t)vertices) {
            return snFail(g->why, sn_errorFile,
                          "%s.attributes: there are %zu joints and %zu weights for %d vertices" //
                          SN_GLTF_AGAIN,
                          where, sets->joints[n].count, sets->weights[n].count, (int)vertices);
        }
    }
}

// What is odd about the weights of a shape
typedef struct Oddities {
    int64_t sums, none, negative; // vertices
    double worst;                 // sum
} Oddities;

// Joints and weights of a vertex, those of weight 0 left out, joints named twice joined; returns
// their number, at least 1
static int32_t gather(const Sets* sets, size_t v, int32_t* joint, float* weight, Oddities* odd)
{
    int32_t count = 0;
    double sum = 0, values[4 * MOST_SETS];
    bool negative = false;
    for (size_t k = 0; k < 4 * sets->count; ++k) {
        uint32_t j = sets->joints[k / 4].ints[4 * v + k % 4];
        double w = (double)sets->weights[k / 4].floats[4 * v + k % 4];
        negative = negative || w < 0;
        if (!(w > 0)) {
            continue;
        }
        int32_t i = 0;
        while (i < count && joint[i] != (int32_t)j) {
            ++i;
        }
        values[i] = i < count ? values[i] + w : w;
        joint[i] = (int32_t)(j < INT32_MAX ? j : INT32_MAX);
        count += i == count;
        sum += w;
    }
    odd->negative += negative;
    if (count == 0) { // as three.js has it: the first joint that is named
        uint32_t j = sets->joints[0].ints[4 * v];
        ++odd->none;
        joint[0] = (int32_t)(j < INT32_MAX ? j : INT32_MAX);
        weight[0] = 1;
        return 1;
    }
    if (fabs(sum - 1) > SUM_TOLERANCE) {
        ++odd->sums;
        odd->worst = fabs(sum - 1) > fabs(odd->worst - 1) ? sum : odd->worst;
    }
    for (int32_t i = 0; i < count; ++i) {
        weight[i] = (float)(values[i] / sum);
    }
    return count;
}

static void warn(snRig* rig, const char* where, const Oddities* odd, int32_t vertices)
{
    if (odd->sums > 0) {
        snRig_Warn(rig,
                   "%s: the weights of %lld of its %d vertices do not sum up to 1 (worst sum "
                   "%.4g); normalised",
                   where, (long long)odd->sums, (int)vertices, odd->worst);
    }
    if (odd->none > 0) {
        snRig_Warn(rig,
                   "%s: %lld of its %d vertices have no weights; each rides on the first joint "
                   "that it names",
                   where, (long long)odd->none, (int)vertices);
    }
    if (odd->negative > 0) {
        snRig_Warn(rig, "%s: %lld of its %d vertices have negative weights; taken as 0", where,
                   (long long)odd->negative, (int)vertices);
    }
}

snStatus snGltf_ReadInfluences(snGltf* g, const snJson* attributes, const char* where,
                               snRigShape* shape)
{
    Sets sets;
    Oddities odd = {.worst = 1};
    size_t vertices = (size_t)shape->vertex_count;
    shape->joint_most = -1;
    snStatus status = readSets(g, attributes, where, shape->vertex_count, &sets);
    if (status || sets.count == 0) {
        return status;
    }
    if (vertices > (size_t)INT32_MAX / (4 * MOST_SETS)) {
        return snFail(g->why, sn_errorUnsupported, "%s: too many vertices to be skinned", where);
    }
    status = snGltf_Spend(g, vertices * (1 + 8 * sets.count));
    if (status) {
        return status;
    }
    snArena* arena = &g->rig->arena;
    shape->first = snArena_Push(arena, vertices + 1, sizeof *shape->first);
    int32_t* joint = snArena_Push(&g->arena, 4 * sets.count * vertices, sizeof *joint);
    float* weight = snArena_Push(&g->arena, 4 * sets.count * vertices, sizeof *weight);
    if (!shape->first || g->arena.failed) {
        return snGltf_FailMemory(g);
    }
    for (size_t v = 0; v < vertices; ++v) {
        int32_t at = shape->first[v], count = gather(&sets, v, joint + at, weight + at, &odd);
        shape->first[v + 1] = at + count;
        shape->influence_most = count > shape->influence_most ? count : shape->influence_most;
        for (int32_t i = at; i < at + count; ++i) {
            shape->joint_most = joint[i] > shape->joint_most ? joint[i] : shape->joint_most;
        }
    }
    size_t total = (size_t)shape->first[vertices];
    shape->joint = snArena_Push(arena, total, sizeof *joint);
    shape->weight = snArena_Push(arena, total, sizeof *weight);
    if (!shape->joint || !shape->weight) {
        return snGltf_FailMemory(g);
    }
    for (size_t i = 0; i < total; ++i) {
        shape->joint[i] = joint[i];
        shape->weight[i] = weight[i];
    }
    warn(g->rig, where, &odd, shape->vertex_count);
    return sn_ok;
}
