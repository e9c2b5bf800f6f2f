// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Flesh that was flattened or turned inside out, left to itself.
#ifndef SN_TESTS_METHOD_SQUASH_H
#define SN_TESTS_METHOD_SQUASH_H

#include "check.h"
#include "method/explicit/explicit.h"
#include "sim/scene.h"
#include <scenes/scenes.h>

// A built-in character made again with other settings.
static inline snCharacter* remake(const char* name, int32_t cells, bool bones, int32_t diagonal)
{
    snMessage why;
    snCharacter *given, *made;
    snCharacterDef def;
    assert_ok(snBuiltinCharacter_Find(name)->make(NULL, &given, &why), why);
    const snFleshInfo* info = snCharacter_Flesh(given);
    snCharacterDef_Init(&def);
    def.skeleton = bones ? snCharacter_Skeleton(given) : NULL;
    def.vertex_count = info->vertex_count;
    def.triangle_count = info->triangle_count;
    def.vertices = info->vertices;
    def.triangles = info->triangles;
    def.cells = cells;
    def.diagonal = diagonal;
    def.strain_damping = bones ? 0.01 : 0; // dampers do not see arms that wag with their bones
    assert_ok(snCharacter_Build(NULL, &def, &made, &why), why);
    snCharacter_Release(given);
    return made;
}

static inline snScene* floating(snCharacter* c, double step)
{
    snMessage why;
    snScene* scene;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = snV3(0, 0, 0);
    def.step = step;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    assert_ok(snScene_Add(scene, c, NULL, NULL, &why), why);
    return scene;
}

// Recovery --------------------------------------------------------------------

// Lengths of the cells' edges against those at rest, which no turning changes; and how many cells
// are inside out.
static inline double worstEdge(const snFlesh* f, const snVec4f* x, int* turned)
{
    double worst = 0;
    *turned = 0;
    for (int32_t e = 0; e < f->tets.tet_count; ++e) {
        const int32_t* n = f->tets.tet + 4 * (size_t)e;
        snVec3 p[4];
        for (int k = 0; k < 4; ++k) {
            p[k] = snV3((double)x[n[k]].x, (double)x[n[k]].y, (double)x[n[k]].z);
        }
        *turned += !(snTetVolume(p[0], p[1], p[2], p[3]) > 0);
        for (int k = 0; k < 6; ++k) {
            static const int A[6] = {0, 0, 0, 1, 1, 2}, B[6] = {1, 2, 3, 2, 3, 3};
            double now = snLength(snSub(p[B[k]], p[A[k]]));
            double rest = snLength(snSub(f->tets.position[n[B[k]]], f->tets.position[n[A[k]]]));
            worst = fmax(worst, fabs(now / rest - 1));
        }
    }
    return worst;
}

typedef void Squash(snVec4f* x, int32_t i);

// into the plane y = 0; the least disorder tells the nodes which way is back
static inline void flatten(snVec4f* x, int32_t i)
{
    x->y = 1e-4f * (float)(i % 7 - 3);
}

static inline void mirrorHalf(snVec4f* x, int32_t i)
{
    (void)i;
    x->y = -0.5f * x->y;
}

static inline void mirror(snVec4f* x, int32_t i)
{
    (void)i;
    x->y = -0.7f * x->y;
}

// Leaves the body to itself after it has been squashed; returns how far from its shape it still is.
// At most `left` cells may still be inside out.
static inline double recover(snCharacter* c, Squash* squash, double seconds, int left)
{
    snMessage why;
    snScene* scene = floating(c, 0);
    snMethodData* data;
    snTasks* tasks;
    assert_ok(snMethod_Build(&snExplicit, &scene->world, NULL, NULL, &data, &why), why);
    assert_ok(snTasks_Create(NULL, &tasks, &why), why);
    size_t bytes = data->state_size;
    void* state = aligned_alloc(64, bytes);
    memset(state, 0, bytes);
    snMethodData_Init(data, state);
    snNodes* nodes = snExplicit_Nodes(data, state, 0);
    for (int32_t i = 0; i < nodes->flesh->tets.node_count; ++i) {
        squash(&nodes->x[i], i);
    }
    // strong squeezing stiffens flesh beyond what a step for flesh at rest allows
    double h = 0.25 * snExplicit.chooseStep(data);
    int64_t inverted = 0;
    for (int i = 0; i * h < seconds; ++i) {
        snVerdict verdict;
        snSpan span = {.first = i, .count = 1, .rate = 1 / h};
        if (snExplicit.advance(data, tasks, state, &span, &verdict) < 1) {
            fail_msg("at %g s it %s", i * h, snTrouble_Text(verdict.trouble));
        }
        inverted = nodes->head->inverted > inverted ? nodes->head->inverted : inverted;
    }
    int turned;
    double worst = worstEdge(nodes->flesh, nodes->x, &turned);
    print_message("%d cells, at most %d inside out; after %g s %d, edges within %.3g\n",
                  (int)nodes->flesh->tets.tet_count, (int)inverted, seconds, turned, worst);
    assert_true(turned <= left);
    assert_true(inverted > nodes->flesh->tets.tet_count / 4);
    free(state);
    snMethodData_Free(data);
    snTasks_Free(tasks);
    snScene_Free(scene);
    return worst;
}

#endif
