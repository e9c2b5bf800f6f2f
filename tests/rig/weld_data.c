// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The shared rigs, welded: copies stay together in every clip, and shells are what one would say.

#include "rig/weld.h"

#include "rig/lbs.h"
#include "rig/pose.h"
#include "rig/shared.h"

// Of a vertex and its copy, in sizes: weights differ by SN_WELD_INFLUENCE at most, over limbs that
// are bent by a right angle
static const double apart_most = 2e-3;

static double sizeOf(const snRig* rig)
{
    snVec3 d = snSub(rig->info.high, rig->info.low);
    return fmax(fmax(d.x, d.y), d.z);
}

// How far copies get from each other in the middle of a clip, without morphs
static double openSeams(snArena* arena, const snRig* rig, const snRigWeld* weld, int32_t clip)
{
    const snRigClipData* motion = &rig->clips[clip];
    snMatrix* nodes = snArena_Push(arena, (size_t)rig->info.node_count, sizeof *nodes);
    float* x = snArena_Push(arena, (size_t)rig->info.vertex_count, 3 * sizeof *x);
    double most = 0;
    snRigClipData_World(rig, motion, 0.5 * (motion->info.first + motion->info.last), nodes, NULL);
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        int32_t skin = rig->instances[i].info.skin;
        size_t joints = skin < 0 ? 0 : (size_t)rig->skins[skin].joint_count;
        snMatrix* M = snArena_Push(arena, joints, sizeof *M);
        snLbs_Skin(rig, &rig->instances[i], nodes, NULL, M, x + 3 * (size_t)weld->first[i], NULL);
    }
    for (int32_t v = 0; v < rig->info.vertex_count; ++v) {
        const float *a = x + 3 * (size_t)v, *b = x + 3 * (size_t)weld->origin[weld->map[v]];
        for (int k = 0; k < 3; ++k) {
            most = fmax(most, fabs((double)a[k] - (double)b[k]));
        }
    }
    return most / sizeOf(rig);
}

static void checkRig(const char* name, snRig* rig, void* user)
{
    (void)user;
    snArena arena;
    snArena_Init(&arena, NULL);
    snRigWeld weld;
    snMessage why;
    assert_ok(snRigWeld_Build(&arena, rig, NULL, &weld, &why), why);
    int32_t small = 0, triangles = 0, largest = 0;
    double open_most = 0;
    for (int32_t s = 0; s < weld.shell_count; ++s) {
        small += weld.shells[s].is_small;
        triangles += weld.shells[s].triangle_count;
        largest = weld.shells[s].enclosed > weld.shells[largest].enclosed ? s : largest;
    }
    for (int32_t clip = 0; clip < rig->info.clip_count; ++clip) {
        open_most = fmax(open_most, openSeams(&arena, rig, &weld, clip));
    }
    const snRigShell* shell = &weld.shells[largest];
    double cube = sizeOf(rig) * sizeOf(rig) * sizeOf(rig);
    printf("%-26.26s %6d -> %6d vertices, %4d shells, %4d small; largest: %6d triangles, %4d open "
           "edges, volume %8.5f, encloses %8.5f; copies apart by %.1e\n",
           name, (int)rig->info.vertex_count, (int)weld.surface.vertex_count, (int)weld.shell_count,
           (int)small, (int)shell->triangle_count, (int)shell->open_edges, shell->volume / cube,
           shell->enclosed / cube, open_most);
    assert_true(weld.shell_count > 0 && triangles <= rig->info.triangle_count);
    snVec3 d = snSub(shell->box.hi, shell->box.lo);
    bool is_sheet = fmin(fmin(d.x, d.y), d.z) == 0;
    assert_true((shell->enclosed > 0 || is_sheet) && !shell->is_small);
    assert_true(weld.surface.vertex_count <= rig->info.vertex_count);
    assert_below(open_most, apart_most);
    snArena_Free(&arena);
}

static void test_rigs(void** state)
{
    (void)state;
    assert_true(eachRig(checkRig, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigs)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
