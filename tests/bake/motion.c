// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Characters with motions of other files, baked with flesh: the woman walks as she was made to, the
// frog dances what was recorded of a person. Flesh moves so that one sees it, without help of the
// guard; soles of what is written stay on the ground and do not slide, as long as they are down.

#include "io/folder.h"
#include "io/motion/soles.h"
#include "rig/shared.h"
#include <sinew/bake.h>

static const double seen = 0.005;       // of the size: movement that shows
static const double most_slide = 0.001; // m: what planted feet may slide by

typedef struct Show {
    const char *hero, *motion;
    double least_duration; // s
} Show;

static snBody* buildBody(const Show* show, snMotionReport* r)
{
    char path[1024], motion[1024];
    snMessage why;
    snRig* rig;
    snBody* body;
    snBodyDef def;
    snBodyDef_Init(&def);
    snprintf(path, sizeof path, RIGS "/%s", show->hero);
    snprintf(motion, sizeof motion, SN_SHARED_DATA "/%s", show->motion);
    snStatus status = snRig_Load(NULL, path, &rig, &why);
    if (status == sn_errorUnsupported) {
        printf("SKIP: %s: %s\n", show->hero, why.text);
        return NULL;
    }
    assert_ok(status, why);
    status = snRig_AddMotion(rig, motion, NULL, r, &why);
    if (status == sn_errorUnsupported) {
        printf("SKIP: %s: %s\n", show->motion, why.text);
        snRig_Release(rig);
        return NULL;
    }
    assert_ok(status, why);
    assert_ok(snBody_Build(NULL, rig, &def, &body, &why), why);
    snRig_Release(rig);
    return body;
}

static void bakeShow(const Show* show)
{
    snMessage why;
    snMotionReport r;
    snBakeDef def;
    snBakeReport* report;
    snRig* new;
    snBody* body = buildBody(show, &r);
    if (!body) {
        return;
    }
    snBakeDef_Init(&def);
    def.clip_count = 1;
    def.clips = &r.clip;
    assert_ok(snBake(NULL, body, &def, "show.glb", &report, &why), why);
    const snBakedClip* c = &report->clips[0];
    double size = snBody_Info(body)->size;
    print_message("%s, %s: %.1f s, flesh moves by %.2f %% of the size, guard %d, %d shapes miss "
                  "%.2f %%, feet planted %d times slide %.1f mm\n",
                  show->hero, c->name, c->duration, 100 * c->largest / size, (int)c->interventions,
                  (int)report->shape_count, 100 * c->error / size, (int)r.stances,
                  1e3 * r.slide_after);
    assert_below(show->least_duration, c->duration);
    assert_below(seen * size, c->largest);
    assert_int_equal(c->interventions, 0);
    assert_below(r.lean, 20);
    if (!r.copied) {
        assert_true(r.feet && r.stances > 10);
        assert_below(r.slide_after, most_slide);
        assert_below(r.height_after, most_slide);
    }
    assert_ok(snRig_Load(NULL, "show.glb", &new, &why), why);
    int32_t number = snRig_FindClip(new, c->name);
    assert_true(number >= 0 && new->info.weight_count > 0);
    measureSoles(new, &new->clips[number], false);
    snRig_Release(new);
    snBakeReport_Free(report);
    snBody_Release(body);
}

static void womanWalks(void** state)
{
    (void)state;
    bakeShow(&(Show){"Female_Adult_01.fbx", "rigs/f_walk_neutral.max.fbx", 1});
}

static void frogDances(void** state)
{
    (void)state;
    bakeShow(&(Show){"100Avatars_010_Froggy.vrm", "mocap/cmu_60_12.bvh", 10});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(womanWalks),
        cmocka_unit_test(frogDances),
    };
    return haveRigs() ? cmocka_run_group_tests(tests, enterFolder, leaveFolder) : SKIPPED;
}
