// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Flesh as helper joints: what skinning alone then shows is what was simulated, but for what the
// report says; at rest, and in clips that are not baked, it is the original.

#include "bake/worm.h"

#include "check.h"
#include "rig/lbs.h"
#include "rig/rig.h"
#include <sinew/bake.h>

#define RATE 24

static const double near = 1e-5; // m: the body is 0.6 m long, and all of this is floats

static snRig* bake(const char* clip, int32_t joints, snBakeReport** report)
{
    snMessage why;
    snRig* rig;
    snBakeDef def;
    snBakeDef_Init(&def);
    int32_t number = snRig_FindClip(snBody_Rig(worm), clip);
    def.clips = &number;
    def.clip_count = 1;
    def.rate = RATE;
    def.as = sn_bakeJoints;
    def.joints = joints;
    assert_ok(snBake(NULL, worm, &def, "joints.glb", report, &why), why);
    assert_ok(snRig_Load(NULL, "joints.glb", &rig, &why), why);
    return rig;
}

static void skin(const snRig* rig, int32_t clip, double time, int32_t mesh, float* out)
{
    snMessage why;
    snMatrix nodes[128];
    assert_true(rig->info.node_count <= 128);
    assert_ok(snRig_Pose(rig, clip, time, nodes, NULL, &why), why);
    assert_ok(snRig_Skin(rig, mesh, nodes, NULL, out, NULL, &why), why);
}

// The largest distance of two, and the sum of squares
static double apart(const float* a, const float* b, size_t vertices, double* sum)
{
    double most = 0;
    for (size_t v = 0; v < vertices; ++v) {
        double square = 0;
        for (size_t k = 0; k < 3; ++k) {
            double d = (double)a[3 * v + k] - (double)b[3 * v + k];
            square += d * d;
        }
        *sum += square;
        most = fmax(most, sqrt(square));
    }
    return most;
}

static float theirs[3 * 8192], ours[3 * 8192];

static void restIsTheOriginal(void** state)
{
    (void)state;
    snBakeReport* report;
    const snRig* old = snBody_Rig(worm);
    snRig* rig = bake("Wave", 12, &report);
    double sum = 0;
    assert_int_equal(rig->info.node_count, old->info.node_count + report->joint_count);
    assert_int_equal(report->joint_count, 12);
    assert_int_equal(rig->info.target_count, old->info.target_count);
    assert_true(rig->info.is_baked);
    int32_t hop = snRig_FindClip(old, "Hop");
    for (int32_t m = 0; m < old->info.mesh_count; ++m) {
        size_t vertices = (size_t)old->instances[m].info.vertex_count;
        assert_true(vertices <= 8192);
        assert_true(rig->instances[m].info.influence_most <= 4);
        for (int k = 0; k < 10; ++k) {
            skin(old, k == 0 ? -1 : hop, 0.1 * k, m, theirs);
            skin(rig, k == 0 ? -1 : hop, 0.1 * k, m, ours);
            assert_below(apart(theirs, ours, vertices, &sum), near);
        }
    }
    snBakeReport_Free(report);
    snRig_Release(rig);
}

// At the frames, against a follow of the clip
static void framesAreWhatWasSimulated(void** state)
{
    (void)state;
    snMessage why;
    snBakeReport* report;
    snFollow* follow;
    snFollowDef def;
    snRig* rig = bake("Wave", 24, &report);
    const snBakedClip* facts = &report->clips[0];
    const snRig* old = snBody_Rig(worm);
    snFollowDef_Init(&def);
    def.clip = facts->clip;
    def.rate = (facts->frame_count - 1) / facts->duration;
    assert_ok(snFollow_Create(worm, &def, &follow, &why), why);
    double most = 0, left = 0, moved = 0, begin = old->clips[facts->clip].info.first;
    for (int32_t f = 0; f < facts->frame_count; ++f) {
        for (int32_t m = 0; m < old->info.mesh_count; ++m) {
            size_t vertices = (size_t)old->instances[m].info.vertex_count;
            double time = begin + f / def.rate;
            assert_ok(snFollow_Surface(follow, m, theirs, NULL, &why), why);
            skin(rig, facts->clip, time, m, ours);
            most = fmax(most, apart(theirs, ours, vertices, &left));
            skin(old, facts->clip, time, m, ours);
            apart(theirs, ours, vertices, &moved);
        }
        assert_ok(snFollow_Advance(follow, &why), why);
    }
    print_message("joints miss %.3f mm at most (said %.3f, seam %.3f) of %.1f, show %.1f %% (said "
                  "%.1f %%)\n",
                  1e3 * most, 1e3 * facts->error, 1e3 * facts->seam, 1e3 * facts->largest,
                  100 * (1 - left / moved), 100 * facts->captured);
    assert_below(most, facts->error + facts->seam + near);
    assert_below(0.9, facts->captured);
    assert_close(1 - left / moved, facts->captured, 0.02);
    snFollow_Free(follow);
    snBakeReport_Free(report);
    snRig_Release(rig);
}

// Vertices' weights sum up to 1, at most four of them
static void weightsAreSound(void** state)
{
    (void)state;
    snBakeReport* report;
    snRig* rig = bake("Hop", 40, &report);
    for (int32_t m = 0; m < rig->info.mesh_count; ++m) {
        const snRigShape* s = rig->instances[m].shape;
        for (int32_t v = 0; v < s->vertex_count && s->first; ++v) {
            double sum = 0;
            for (int32_t k = s->first[v]; k < s->first[v + 1]; ++k) {
                sum += (double)s->weight[k];
            }
            assert_close(sum, 1, 1e-6);
            assert_true(s->first[v + 1] - s->first[v] <= 4);
        }
    }
    assert_int_equal(rig->info.warning_count, snBody_Rig(worm)->info.warning_count);
    snBakeReport_Free(report);
    snRig_Release(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restIsTheOriginal),
        cmocka_unit_test(framesAreWhatWasSimulated),
        cmocka_unit_test(weightsAreSound),
    };
    return cmocka_run_group_tests(tests, setUp, tearDown);
}
