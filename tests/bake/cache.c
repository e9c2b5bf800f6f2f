// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

#include "bake/worm.h"

#include "check.h"
#include <sinew/bake.h>
#include <sinew/io.h>
#include <sinew/sim.h>

#define RATE 24

static snBakeDef defOf(const char* const* names, int count, int32_t as)
{
    static int32_t clips[4];
    snBakeDef def;
    snBakeDef_Init(&def);
    for (int i = 0; i < count; ++i) {
        clips[i] = snRig_FindClip(snBody_Rig(worm), names[i]);
    }
    def.clips = clips;
    def.clip_count = count;
    def.rate = RATE;
    def.as = as;
    return def;
}

// A cache has the very numbers that a follow of the clip shows.
static void expectFollow(const char* path, const char* clip, int first, int count)
{
    snMessage why;
    snAnimation* animation;
    snAnimationDef def;
    snFollow* follow;
    snFollowDef run;
    const snFrame* frame;
    static float wanted[3 * 4096];
    const snRigMesh* mesh = snRig_Mesh(snBody_Rig(worm), 0);
    assert_true(mesh->vertex_count < 4096);
    snAnimationDef_Init(&def);
    def.frame_rate = RATE;
    snFollowDef_Init(&run);
    run.clip = snRig_FindClip(snBody_Rig(worm), clip);
    run.rate = RATE;
    assert_ok(snAnimation_Load(NULL, path, &def, &animation, &why), why);
    assert_ok(snFollow_Create(worm, &run, &follow, &why), why);
    assert_int_equal(snAnimation_FrameCount(animation), count);
    for (int i = 0; i < first + count; ++i) {
        if (i >= first) {
            assert_ok(snAnimation_Frame(animation, i - first, &frame, &why), why);
            assert_close(snAnimation_Time(animation, i - first), (double)(i - first) / RATE, 1e-6);
            const snFrameSurface* s = &frame->characters[0].surfaces[0];
            assert_int_equal(s->vertex_count, mesh->vertex_count);
            assert_ok(snFollow_Surface(follow, 0, wanted, NULL, &why), why);
            for (int32_t k = 0; k < 3 * mesh->vertex_count; ++k) {
                assert_true(s->position[k] == wanted[k]);
            }
        }
        assert_ok(snFollow_Advance(follow, &why), why);
    }
    snFollow_Free(follow);
    snAnimation_Free(animation);
}

static void test_frames(void** state)
{
    (void)state;
    snMessage why;
    snBakeReport* report;
    const char* clips[] = {"Wave", "Hop"};
    snBakeDef def = defOf(clips, 1, sn_bakePc2);
    assert_ok(snBake(NULL, worm, &def, "one.pc2", &report, &why), why);
    assert_string_equal(report->path, "one_apply_in_blender.py");
    assert_true(report->clips[0].largest > 1e-4 && report->clips[0].error == 0);
    snBakeReport_Free(report);
    expectFollow("one.pc2", "Wave", 0, RATE + 1);

    // a part of two clips
    def = defOf(clips, 2, sn_bakeMdd);
    def.first_frame = 5;
    def.last_frame = 12;
    assert_ok(snBake(NULL, worm, &def, "two.mdd", NULL, &why), why);
    expectFollow("two_Wave.mdd", "Wave", 5, 8);
    expectFollow("two_Hop.mdd", "Hop", 5, 8);
    assert_int_equal(access("two_apply_in_blender.py", R_OK), 0);
    assert_int_not_equal(access("two.mdd.frames", R_OK), 0);
}

static int stopNow(void* user)
{
    int* left = user;
    return (*left)-- <= 0;
}

// Stopped while it is simulated or written, a bake leaves no half cache, and goes on.
static void test_stopped(void** state)
{
    (void)state;
    snMessage why;
    const char* clips[] = {"Wave"};
    snBakeDef def = defOf(clips, 1, sn_bakePc2);
    snHost host;
    snHost_Init(&host);
    // asked once a frame: while it is simulated, looked at and written
    static const int stops[] = {RATE / 2, RATE / 2 + 10, RATE + 12, 4 * RATE};
    for (int i = 0; i < 4; ++i) {
        int left = stops[i];
        snBakeReport* report;
        host.user = &left;
        host.interrupted = stopNow;
        def.resume = i > 0;
        assert_int_equal(snBake(&host, worm, &def, "part.pc2", &report, &why),
                         i < 3 ? sn_errorInterrupted : sn_ok);
        snBakeReport_Free(report);
        assert_int_equal(access("part.pc2", R_OK) == 0, i == 3);
        assert_int_equal(access("part.pc2.frames", R_OK) == 0, i < 3);
    }
    expectFollow("part.pc2", "Wave", 0, RATE + 1);
}

static void test_refused(void** state)
{
    (void)state;
    snMessage why;
    const char* clips[] = {"Wave"};
    snBakeDef def = defOf(clips, 1, sn_bakePc2);
    assert_int_equal(snBake(NULL, worm, &def, "x.mdd", NULL, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "must end with .pc2"));
    def.as = sn_bakeAsCount;
    assert_int_equal(snBake(NULL, worm, &def, "x.pc2", NULL, &why), sn_errorArgument);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, setUp, tearDown);
}
