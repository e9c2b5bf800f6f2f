// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Helper joints on real characters: how much of what flesh does they show.

#include "io/folder.h"

#include "rig/shared.h"
#include <sinew/bake.h>

// Of the movement's squares, with the usual 32: bodies that bend need more than joints that travel
#define LEAST_SHOWN 0.8

// More of them show more.
#define FEW 8

static void bakeAs(snBody* body, int32_t joints, int32_t clip, snBakeReport** report)
{
    snMessage why;
    snBakeDef def;
    snBakeDef_Init(&def);
    def.as = sn_bakeJoints;
    def.rate = 24;
    def.joints = joints;
    def.clips = &clip;
    def.clip_count = 1;
    assert_ok(snBake(NULL, body, &def, "out.glb", report, &why), why);
}

static void show(const char* name, const char* clip)
{
    char path[1024];
    snMessage why;
    snRig* rig;
    snBody* body;
    snBodyDef def;
    snBakeReport *report, *few;
    snprintf(path, sizeof path, "%s/%s", RIGS, name);
    snBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    assert_ok(snRig_Load(NULL, path, &rig, &why), why);
    assert_ok(snBody_Build(NULL, rig, &def, &body, &why), why);
    int32_t number = snRig_FindClip(rig, clip);
    bakeAs(body, 32, number, &report);
    bakeAs(body, FEW, number, &few);
    const snBakedClip* c = &report->clips[0];
    print_message("%s, %s: %d joints show %.1f %% of the movement (%d: %.1f %%), miss %.2f mm at "
                  "most, %.3f mm rms, of %.1f mm\n",
                  name, clip, (int)report->joint_count, 100 * c->captured, FEW,
                  100 * few->clips[0].captured, 1e3 * c->error, 1e3 * c->error_rms,
                  1e3 * c->largest);
    assert_below(LEAST_SHOWN, c->captured);
    assert_below(few->clips[0].captured, c->captured);
    assert_below(c->error, c->largest);
    snBakeReport_Free(report);
    snBakeReport_Free(few);
    snBody_Release(body);
    snRig_Release(rig);
}

static void test_characters(void** state)
{
    (void)state;
    show("CesiumMan.glb", "0");
    show("Fox.glb", "Walk");
    show("Fox.glb", "Run");
    show("greenman.glb", "2_move");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_characters, enterFolder, leaveFolder),
    };
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
