// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Bodies with flesh, and what tests of them look at in a frame.
#ifndef SN_TESTS_SIM_FLESH_H
#define SN_TESTS_SIM_FLESH_H

#include "math/trig.h"
#include "math/vec.h"
#include "sim/puppet.h"
#include <scenes/scenes.h>

// Characters ------------------------------------------------------------------

static inline snCharacter* makeBuiltin(const char* name)
{
    snMessage why;
    snCharacter* character = NULL;
    assert_ok(snBuiltinCharacter_Find(name)->make(NULL, &character, &why), why);
    return character;
}

// The surface and bones of a built-in character, all else as the def has it.
static inline snCharacter* buildLike(const char* name, snCharacterDef* def)
{
    snMessage why;
    snCharacter *known = makeBuiltin(name), *character = NULL;
    const snFleshInfo* info = snCharacter_Flesh(known);
    def->skeleton = snCharacter_Skeleton(known);
    def->vertex_count = info->vertex_count;
    def->triangle_count = info->triangle_count;
    def->vertices = info->vertices;
    def->triangles = info->triangles;
    assert_ok(snCharacter_Build(NULL, def, &character, &why), why);
    snCharacter_Release(known);
    return character;
}

// Points of one side of a block; axis 0..2, end -1 or 1; u and v count along the other two axes.
static inline snVec3 blockPoint(snVec3 half, int axis, double end, double u, double v)
{
    double p[3];
    p[axis] = end;
    p[(axis + 1) % 3] = u;
    p[(axis + 2) % 3] = v;
    return snV3(half.x * p[0], half.y * p[1], half.z * p[2]);
}

#define BLOCK_CUTS 8 // of each side, for many points of contact
#define BLOCK_VERTICES (6 * (BLOCK_CUTS + 1) * (BLOCK_CUTS + 1))
#define BLOCK_TRIANGLES (6 * 2 * BLOCK_CUTS * BLOCK_CUTS)

// The surface of a block with the given half sides.
static inline void makeBlockSurface(snVec3 half, snVec3 vertices[BLOCK_VERTICES],
                                    int32_t triangles[3 * BLOCK_TRIANGLES])
{
    snVec3* x = vertices;
    int32_t* t = triangles;
    for (int side = 0; side < 6; ++side) {
        double end = side % 2 ? 1 : -1;
        for (int i = 0; i <= BLOCK_CUTS; ++i) {
            for (int k = 0; k <= BLOCK_CUTS; ++k) {
                // seen from outside u goes right and v up
                *x++ = blockPoint(half, side / 2, end, end * (2.0 * i / BLOCK_CUTS - 1),
                                  2.0 * k / BLOCK_CUTS - 1);
                if (i < BLOCK_CUTS && k < BLOCK_CUTS) {
                    int32_t a = (int32_t)(x - vertices) - 1, b = a + BLOCK_CUTS + 1;
                    int32_t two[6] = {a, b, b + 1, a, b + 1, a + 1};
                    memcpy(t, two, sizeof two);
                    t += 6;
                }
            }
        }
    }
}

// The def with this surface; other fields stay.
static inline snCharacter* buildSurface(snCharacterDef* def, const snVec3 vertices[BLOCK_VERTICES],
                                        const int32_t triangles[3 * BLOCK_TRIANGLES])
{
    snMessage why;
    snCharacter* character = NULL;
    def->vertex_count = BLOCK_VERTICES;
    def->triangle_count = BLOCK_TRIANGLES;
    def->vertices = &vertices->x;
    def->triangles = triangles;
    assert_ok(snCharacter_Build(NULL, def, &character, &why), why);
    return character;
}

// The def's surface becomes a block with the given half sides; other fields stay.
static inline snCharacter* buildBlock(snCharacterDef* def, snVec3 half)
{
    static snVec3 vertices[BLOCK_VERTICES];
    static int32_t triangles[3 * BLOCK_TRIANGLES];
    makeBlockSurface(half, vertices, triangles);
    return buildSurface(def, vertices, triangles);
}

// The def's surface becomes a ball: a cube blown up.
static inline snCharacter* buildBall(snCharacterDef* def, double radius)
{
    static snVec3 vertices[BLOCK_VERTICES];
    static int32_t triangles[3 * BLOCK_TRIANGLES];
    makeBlockSurface(snV3(1, 1, 1), vertices, triangles);
    for (int i = 0; i < BLOCK_VERTICES; ++i) {
        vertices[i] = snScale(radius / snLength(vertices[i]), vertices[i]);
    }
    return buildSurface(def, vertices, triangles);
}

// A block of the default material without bones.
static inline snCharacter* makeBlock(snVec3 half, int32_t cells)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = cells;
    return buildBlock(&def, half);
}

// Scenes ----------------------------------------------------------------------

// A scene of one character, whose reference it takes.
static inline snScene* makeSceneOf(const snHost* host, const snSceneDef* def,
                                   snCharacter* character, const snStart* start)
{
    snMessage why;
    snScene* scene = NULL;
    assert_ok(snScene_Create(host, def, &scene, &why), why);
    assert_ok(snScene_Add(scene, character, start, NULL, &why), why);
    snCharacter_Release(character);
    return scene;
}

// Every joint but the root turned by `angle`, to and fro.
static inline void bendPose(const snSkeleton* skeleton, double angle, double* q)
{
    snSkeleton_ZeroPose(skeleton, q);
    for (int32_t i = snSkeleton_PositionStart(skeleton, 1), k = 0;
         i < snSkeleton_PositionCount(skeleton); ++i, ++k) {
        q[i] = k % 2 ? -angle : angle;
    }
}

#define WAVE_KEYS 25 // three periods

// From rest in the zero pose hinges and universal joints follow waves that run along the bones.
static inline void driveWaves(snScene* scene, int32_t kind, double amplitude, double period)
{
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, 0));
    for (int32_t bone = 1; bone < snSkeleton_BoneCount(skeleton); ++bone) {
        bool two = snSkeleton_Bone(skeleton, bone)->joint == sn_jointUniversal;
        double times[WAVE_KEYS], keys[2 * WAVE_KEYS] = {0};
        for (int k = 0; k < WAVE_KEYS; ++k) {
            times[k] = period * k / 8;
            keys[two ? 2 * k : k] = k ? amplitude * snSin(2 * SN_PI * (k + bone) / 8) : 0;
        }
        setCurve(scene, 0, kind, bone, sn_endsClamped, WAVE_KEYS, times, keys);
    }
}

// Frames ----------------------------------------------------------------------

static inline snVec3 pointAt(const float* packed, int32_t i)
{
    const float* p = packed + 3 * (size_t)i;
    return snV3((double)p[0], (double)p[1], (double)p[2]);
}

static inline bool allFinite(const float* values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

// Every number that a user may draw or write.
static inline bool isFrameFinite(const snFrame* frame)
{
    bool fine = isfinite(frame->time);
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        for (int32_t k = 0; k < c->bone_count; ++k) {
            fine = fine && isfinite(snLengthSq(c->bones[k].p)) && isfinite(c->bones[k].q.w) &&
                   isfinite(snLengthSq(c->twists[k].v)) && isfinite(snLengthSq(c->twists[k].w));
        }
        for (int32_t k = 0; k < c->surface_count; ++k) {
            size_t n = 3 * (size_t)c->surfaces[k].vertex_count;
            fine = fine && allFinite(c->surfaces[k].position, n) &&
                   allFinite(c->surfaces[k].normal, n);
        }
        fine = fine && isfinite(c->energy.kinetic) && isfinite(snLengthSq(c->momentum.angular));
        if (c->node_count > 0) {
            fine = fine && allFinite(c->nodes, 3 * (size_t)c->node_count) &&
                   allFinite(c->node_velocities, 3 * (size_t)c->node_count);
        }
    }
    return fine;
}

static inline double fastestNode(const snFrameCharacter* c)
{
    double most = 0;
    for (int32_t i = 0; i < c->node_count; ++i) {
        most = fmax(most, snLength(pointAt(c->node_velocities, i)));
    }
    return most;
}

typedef struct Stretch {
    double least, most; // of cells' edges, length over length at rest
} Stretch;

static inline Stretch stretchOf(const snFleshInfo* info, const snFrameCharacter* c)
{
    static const int A[6] = {0, 0, 0, 1, 1, 2}, B[6] = {1, 2, 3, 2, 3, 3};
    Stretch s = {HUGE_VAL, 0};
    for (int32_t e = 0; e < info->cell_count; ++e) {
        for (int k = 0; k < 6; ++k) {
            int32_t i = info->cells[4 * e + A[k]], j = info->cells[4 * e + B[k]];
            const double *X = info->nodes + 3 * (size_t)i, *Y = info->nodes + 3 * (size_t)j;
            double rest = snLength(snV3(Y[0] - X[0], Y[1] - X[1], Y[2] - X[2]));
            double now = snLength(snSub(pointAt(c->nodes, j), pointAt(c->nodes, i)));
            s.least = fmin(s.least, now / rest);
            s.most = fmax(s.most, now / rest);
        }
    }
    return s;
}

#endif
