// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// CesiumMan, RobotExpressive and Fox baked two-way: the file has a new clip that is not the old
// one, feet stand on the ground in it, and the old clip is as it was. Rigs that physics would tear
// apart are refused by name.

#include <sinew/bake.h>
#include <sinew/joints.h>

#include "rig/shared.h"

// Of the size: how deep the skin gets into the ground. Measured: 0.2, 0.6 and 1.2 %; the fox's paws
// have vertices that no joint moves by more than half, which the ground does not feel.
static const double sinks = 0.015;

typedef struct Case {
    const char *rig, *clip;
    double turn; // degrees that joints miss the clip by at most, root of the mean square
} Case;

static snBody* build(const char* name)
{
    char path[1024];
    snRig* rig;
    snBody* body;
    snBodyDef def;
    snMessage why;
    snprintf(path, sizeof path, "%s/%s", RIGS, name);
    assert_ok(snRig_Load(NULL, path, &rig, &why), why);
    snBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    assert_ok(snBody_Build(NULL, rig, &def, &body, &why), why);
    snRig_Release(rig);
    return body;
}

// The lowest vertex in a clip, in the file's unit, without flesh
static double lowest(const snRig* rig, int32_t clip)
{
    const snRigInfo* f = snRig_Info(rig);
    const snRigClip* c = snRig_Clip(rig, clip);
    snMatrix* nodes = calloc((size_t)f->node_count, sizeof *nodes);
    double *weights = calloc((size_t)f->weight_count + 1, sizeof *weights), low = 1e30;
    float* at = calloc(3 * (size_t)f->vertex_count + 1, sizeof *at);
    snMessage why;
    for (int i = 0; i <= 20; ++i) {
        double t = c->first + c->duration * i / 20;
        assert_ok(snRig_Pose(rig, clip, t, nodes, NULL, &why), why);
        for (int32_t m = 0; m < f->mesh_count; ++m) {
            assert_ok(snRig_Skin(rig, m, nodes, weights, at, NULL, &why), why);
            for (int32_t v = 0; v < snRig_Mesh(rig, m)->vertex_count; ++v) {
                low = fmin(low, (double)at[3 * v + 1]);
            }
        }
    }
    free(at);
    free(weights);
    free(nodes);
    return low;
}

static double sizeOf(const snRig* rig)
{
    snVec3 a = snRig_Info(rig)->low, b = snRig_Info(rig)->high;
    return fmax(b.x - a.x, fmax(b.y - a.y, b.z - a.z));
}

static void checkClips(const snRig* old, const snRig* new, int32_t clip, const char* name)
{
    int32_t count = old->info.clip_count;
    assert_int_equal(new->info.clip_count, count + 1);
    assert_string_equal(snRig_Clip(new, count)->name, name);
    const snRigClipData *a = &old->clips[clip], *b = &new->clips[clip];
    for (int32_t i = 0; i < a->info.channel_count; ++i) {
        const snRigChannel *x = &a->channels[i], *y = &b->channels[i];
        assert_int_equal(x->key_count, y->key_count);
        assert_memory_equal(x->values, y->values,
                            (size_t)x->key_count * (size_t)x->width * sizeof(float));
    }
}

static void checkCase(const Case* c)
{
    static const char PATH[] = "bake_two_way.glb";
    snBody* body = build(c->rig);
    snRig *old = snBody_Rig(body), *new;
    int32_t clip = c->clip ? snRig_FindClip(old, c->clip) : 0;
    char name[64];
    snBakeDef def;
    snBakeReport* report;
    snMessage why;
    snBakeDef_Init(&def);
    def.clips = &clip;
    def.clip_count = 1;
    def.rate = 30;
    def.two_way = def.ground = 1;
    assert_ok(snBake(NULL, body, &def, PATH, &report, &why), why);
    snprintf(name, sizeof name, "%s (two-way)", c->clip ? c->clip : "0");
    const snBakedClip* baked = &report->clips[0];
    double turn = baked->turn_rms * 57.29577951308232;
    printf("%s: joints %.2f degrees (%.1f, %s), root %.1f mm, at limits %.0f %%, %.2f s\n", c->rig,
           turn, baked->turn_most * 57.29577951308232, baked->turn_node, 1e3 * baked->root_miss,
           100 * baked->joint_limited, baked->acted_seconds);
    assert_string_equal(baked->name, name);
    assert_true(turn > 0.01);
    assert_below(turn, c->turn);
    assert_int_equal(baked->joint_resets, 0);
    assert_true(baked->acted_seconds > 0);
    assert_ok(snRig_Load(NULL, PATH, &new, &why), why);
    checkClips(old, new, clip, name);
    double low = lowest(new, old->info.clip_count), was = lowest(old, clip), size = sizeOf(old);
    printf("  lowest %.2f %% of the size, was %.2f %%\n", 100 * low / size, 100 * was / size);
    assert_true(low > -sinks * size && low > was);
    snRig_Release(new);
    snBakeReport_Free(report);
    snBody_Release(body);
    remove(PATH);
}

static void test_rigs(void** state)
{
    static const Case CASES[] = {
        {"CesiumMan.glb", NULL, 1.5}, {"RobotExpressive.glb", "Walking", 3}, {"Fox.glb", "Run", 3}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        checkCase(&CASES[i]);
    }
}

static void test_refused(void** state)
{
    snBody* body = build("Trex.glb");
    snBakeDef def;
    snMessage why;
    (void)state;
    snBakeDef_Init(&def);
    def.two_way = 1;
    assert_int_equal(snBake(NULL, body, &def, "bake_two_way.glb", NULL, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "'BackFoot.R'"));
    def.strength = -1;
    assert_int_equal(snBake(NULL, body, &def, "bake_two_way.glb", NULL, &why), sn_errorArgument);
    snBody_Release(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigs), cmocka_unit_test(test_refused)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
