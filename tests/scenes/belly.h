// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Fatman's skin in the lattice, and his dance.
#ifndef SN_TESTS_SCENES_BELLY_H
#define SN_TESTS_SCENES_BELLY_H

#include "flesh/mesh.h"
#include "math/quat.h"
#include "scenes/cells.h"
#include "sim/puppet.h"

#include <scenes/scenes.h>

#define STRETCH 1.6    // most that an edge of the skin may grow
#define SHORT 0.002    // m: added to edges, which are 9 mm, so that slivers do not count
#define SHAKE_MM 10.0  // least that the navel moves against the spine
#define SHAKE_MOST 150 // mm, most

static snScene* scene;

static inline int open(void** state)
{
    (void)state;
    snMessage why;
    return snBuiltinScene_Find("fatman_dance")->make(NULL, &scene, &why) != sn_ok;
}

static inline int shut(void** state)
{
    (void)state;
    snScene_Free(scene);
    return 0;
}

static inline snVec3 restAt(const snFleshInfo* f, int32_t v)
{
    return snV3(f->vertices[3 * v], f->vertices[3 * v + 1], f->vertices[3 * v + 2]);
}

static inline int32_t nearestVertex(const snFleshInfo* f, snVec3 p)
{
    int32_t best = 0;
    for (int32_t v = 1; v < f->vertex_count; ++v) {
        if (snLength(snSub(restAt(f, v), p)) < snLength(snSub(restAt(f, best), p))) {
            best = v;
        }
    }
    return best;
}

// Neighbours on the skin whose cells have a corner in the same place but not the same node: there
// the skin would tear.
static inline int32_t countTears(const snFlesh* flesh, const snSurface* skin)
{
    int32_t tears = 0;
    for (int32_t i = 0; i < 3 * skin->triangle_count; ++i) {
        int32_t a = skin->triangle[i], b = skin->triangle[i % 3 == 2 ? i - 2 : i + 1];
        const int32_t* n = flesh->tets.tet + 4 * (size_t)flesh->embedding.cell[a];
        const int32_t* o = flesh->tets.tet + 4 * (size_t)flesh->embedding.cell[b];
        bool torn = false;
        for (int k = 0; k < 16; ++k) {
            snVec3 p = flesh->tets.position[n[k / 4]], q = flesh->tets.position[o[k % 4]];
            torn = torn || (n[k / 4] != o[k % 4] && snLength(snSub(p, q)) < 1e-9);
        }
        tears += torn;
    }
    return tears;
}

// Vertices in the same cell that the skin does not join nearby, within 1.5 cells of one of them: a
// cell that holds two fingers, or both legs.
static inline int32_t countStrangers(snArena* arena, const snFlesh* flesh, const snSurface* skin)
{
    int32_t vertices = skin->vertex_count, edges = 6 * skin->triangle_count, strangers = 0;
    int32_t* begin = snArena_Push(arena, (size_t)vertices + 2, sizeof(int32_t));
    int32_t* beside = snArena_Push(arena, (size_t)edges, sizeof(int32_t));
    int32_t* first = snArena_Push(arena, (size_t)flesh->tets.tet_count, sizeof(int32_t));
    int32_t* next = snArena_Push(arena, (size_t)vertices, sizeof(int32_t)); // 1 + vertex, or 0
    int32_t* seen = snArena_Push(arena, (size_t)vertices, sizeof(int32_t)); // 1 + cell
    int32_t* stack = snArena_Push(arena, (size_t)vertices, sizeof(int32_t));
    assert_false(arena->failed);
    for (int32_t i = 0; i < edges; ++i) {
        ++begin[skin->triangle[i / 2] + 2];
    }
    for (int32_t v = 0; v < vertices; ++v) {
        begin[v + 2] += begin[v + 1];
        next[v] = first[flesh->embedding.cell[v]];
        first[flesh->embedding.cell[v]] = v + 1;
    }
    for (int32_t i = 0; i < edges; ++i) {
        int32_t corner = i / 2 % 3, t = i / 6;
        beside[begin[skin->triangle[i / 2] + 1]++] =
            skin->triangle[3 * t + (corner + 1 + i % 2) % 3];
    }
    for (int32_t e = 0; e < flesh->tets.tet_count; ++e) {
        int32_t top = 0, from = first[e] - 1;
        if (from >= 0) {
            stack[top++] = from;
            seen[from] = e + 1;
        }
        while (top > 0) {
            int32_t v = stack[--top];
            for (int32_t i = begin[v]; i < begin[v + 1]; ++i) {
                snVec3 d = snSub(skin->position[beside[i]], skin->position[from]);
                if (seen[beside[i]] != e + 1 && snLength(d) < 1.5 * flesh->cell) {
                    seen[beside[i]] = e + 1;
                    stack[top++] = beside[i];
                }
            }
        }
        for (int32_t v = from; v >= 0; v = next[v] - 1) {
            strangers += seen[v] != e + 1;
        }
    }
    return strangers;
}

// Inner thighs, fingers, toes and lips are a cell apart or less, and each has cells of its own,
// with the lattice in the first `count` of these places.
static inline void checkOwnSkin(int count)
{
    static const snVec3 SHIFTS[8] = {{0, 0, 0},          {0.25, 0, 0},        {-0.44, -0.24, 0.15},
                                     {0.5, 0.5, 0.5},    {0.09, 0.39, -0.02}, {-0.12, 0.31, 0.44},
                                     {0.37, -0.2, -0.3}, {-0.3, -0.45, -0.1}};
    const snFleshInfo* info = snCharacter_Flesh(snScene_Character(scene, 0));
    snArena arena;
    snMessage why;
    snArena_Init(&arena, NULL);
    snSurface skin = {info->vertex_count, info->triangle_count,
                      snArena_Push(&arena, (size_t)info->vertex_count, sizeof(snVec3)),
                      snArena_Push(&arena, 3 * (size_t)info->triangle_count, sizeof(int32_t))};
    assert_false(arena.failed);
    memcpy(skin.triangle, info->triangles, 3 * (size_t)skin.triangle_count * sizeof(int32_t));
    for (int32_t v = 0; v < skin.vertex_count; ++v) {
        skin.position[v] = restAt(info, v);
    }
    for (int i = 0; i < count; ++i) {
        snArena scratch;
        snFlesh flesh = {0};
        snFleshDef def;
        snFleshDef_Init(&def);
        def.surface = &skin;
        def.cell_size = info->cell_size;
        def.shift = SHIFTS[i];
        snArena_Init(&scratch, NULL);
        assert_ok(snMesh_Build(&scratch, &def, &flesh, &why), why);
        assert_int_equal(countTears(&flesh, &skin), 0);
        assert_int_equal(countStrangers(&scratch, &flesh, &skin), 0);
        snArena_Free(&scratch);
    }
    snArena_Free(&arena);
}

// How much the edge of the skin that has grown most is longer than at rest.
static inline double mostStretch(const snFleshInfo* f, const float* x)
{
    double most = 0;
    for (int32_t i = 0; i < 3 * f->triangle_count; ++i) {
        int32_t a = f->triangles[i], b = f->triangles[i % 3 == 2 ? i - 2 : i + 1];
        double rest = snLength(snSub(restAt(f, a), restAt(f, b)));
        double now = snLength(snSub(pointAt(x, a), pointAt(x, b)));
        most = fmax(most, now / (rest + SHORT));
    }
    return most;
}

// He dances for a while: nothing tears, turns inside out or spikes, and his belly shakes.
static inline void checkDance(double seconds)
{
    const snSceneDef* def = snScene_Def(scene);
    const snCharacter* fatman = snScene_Character(scene, 0);
    const snFleshInfo* f = snCharacter_Flesh(fatman);
    int32_t navel = nearestVertex(f, snV3(0, 1.08, 0.27));
    int32_t spine = snSkeleton_FindBone(snCharacter_Skeleton(fatman), "spine");
    double stretch = 0, low = HUGE_VAL, high = -HUGE_VAL;
    snSim* sim = startSim(scene);
    assert_relative(snSim_Step(sim), 0.5e-3, 0.05, 0); // the paper's
    while (snSim_Time(sim) < seconds - 1e-6) {
        advance(sim, 1 / def->frame_rate);
        const snFrame* frame = snSim_Frame(sim);
        const snFrameCharacter* c = &frame->characters[0];
        assert_int_equal(frame->guard.retries, 0);
        assert_int_equal(c->inverted, 0);
        stretch = fmax(stretch, mostStretch(f, c->surfaces[0].position));
        // up and down in the spine's frame
        snVec3 p = snSub(pointAt(c->surfaces[0].position, navel), c->bones[spine].p);
        double y = snQRotate(snQConj(c->bones[spine].q), p).y;
        low = frame->time > 1 ? fmin(low, y) : low;
        high = frame->time > 1 ? fmax(high, y) : high;
    }
    double shake = 1e3 * (high - low);
    print_message("fatman_dance: skin grows by %.2f at most, the navel shakes by %.0f mm\n",
                  stretch, shake);
    assert_below(stretch, STRETCH);
    assert_true(shake > SHAKE_MM && shake < SHAKE_MOST);
    snSim_Free(sim);
}

#endif
