// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Clips of other files for a rig: what is copied, what is refused and why, and that the document
// has the new clip and all else as it was.

#include "check.h"
#include "io/gltf/patch.h"
#include "rig/rig.h"

#define EXAMPLES SN_TEST_DATA "/../../docs/examples"
#define WORM EXAMPLES "/worm.gltf"
#define GROOVE SN_TEST_DATA "/../../scenes/clips/groove.bvh"

static snRig* load(void)
{
    snMessage why;
    snRig* rig;
    assert_ok(snRig_Load(NULL, WORM, &rig, &why), why);
    return rig;
}

// Its own clip once more
static void copiesAreTheSame(void** state)
{
    (void)state;
    snMessage why;
    snMotionDef def;
    snMotionReport report;
    snRig* rig = load();
    int32_t count = rig->info.clip_count, from = snRig_FindClip(rig, "Wave");
    snMotionDef_Init(&def);
    def.clip = "Wave";
    assert_ok(snRig_AddMotion(rig, WORM, &def, &report, &why), why);
    assert_int_equal(report.clip, count);
    assert_int_equal(rig->info.clip_count, count + 1);
    assert_string_equal(rig->clips[count].info.name, "worm");
    assert_string_equal(report.source, "Wave");
    assert_true(report.copied && !report.motion_only && report.scale == 1);
    const snRigClipData *a = &rig->clips[from], *b = &rig->clips[count];
    assert_int_equal(a->info.channel_count, b->info.channel_count);
    assert_true(a->info.last == b->info.last);
    for (int32_t i = 0; i < a->info.channel_count; ++i) {
        const snRigChannel *x = &a->channels[i], *y = &b->channels[i];
        size_t keys = (size_t)x->key_count;
        assert_int_equal(x->node, y->node);
        assert_int_equal(x->key_count, y->key_count);
        assert_memory_equal(x->times, y->times, keys * sizeof(float));
        assert_memory_equal(x->values, y->values, keys * (size_t)x->width * sizeof(float));
    }
    // and again, under a name that is not taken
    assert_ok(snRig_AddMotion(rig, WORM, &def, &report, &why), why);
    assert_string_equal(rig->clips[report.clip].info.name, "worm_2");
    snRig_Release(rig);
}

// Written into the document, read again
static void documentHasIt(void** state)
{
    (void)state;
    snMessage why;
    snMotionReport report;
    uint8_t* bytes;
    size_t size;
    snRig *rig = load(), *again;
    assert_ok(snRig_AddMotion(rig, WORM, NULL, &report, &why), why);
    snGltfPatch patch = {.rig = rig, .clip_count = 1, .clips = &rig->clips[report.clip]};
    assert_ok(snGltfPatch_Build(&patch, &bytes, &size, &why), why);
    assert_ok(snRig_Parse(NULL, bytes, size, "again", &again, &why), why);
    assert_int_equal(again->info.clip_count, rig->info.clip_count);
    for (int32_t c = 0; c < rig->info.clip_count; ++c) {
        const snRigClipData *a = &rig->clips[c], *b = &again->clips[c];
        assert_string_equal(a->info.name, b->info.name);
        assert_int_equal(a->info.channel_count, b->info.channel_count);
        for (int32_t i = 0; i < a->info.channel_count; ++i) {
            size_t numbers = (size_t)a->channels[i].key_count * (size_t)a->channels[i].width;
            assert_memory_equal(a->channels[i].values, b->channels[i].values,
                                numbers * sizeof(float));
        }
    }
    snHost_Release(&rig->host, bytes, size);
    snRig_Release(again);
    snRig_Release(rig);
}

static void refuse(const char* path, const char* clip, const char* map, const char* reason)
{
    snMessage why;
    snMotionDef def;
    snRig* rig = load();
    int32_t count = rig->info.clip_count;
    snMotionDef_Init(&def);
    def.clip = clip;
    def.map = map;
    assert_int_not_equal(snRig_AddMotion(rig, path, &def, NULL, &why), sn_ok);
    if (!strstr(why.text, reason)) {
        fail_msg("no '%s' in: %s", reason, why.text);
    }
    assert_int_equal(rig->info.clip_count, count);
    snRig_Release(rig);
}

static void reasonsAreGiven(void** state)
{
    (void)state;
    refuse(WORM, "Still", NULL, "nothing moves in its clip 'Still'");
    refuse(WORM, "Pose", NULL, "nothing moves in its clip 'Pose'");
    refuse(WORM, "Wav", NULL, "did you mean 'Wave'?");
    refuse(GROOVE, NULL, NULL, "mapping file");
    refuse(GROOVE, "Wave", NULL, "BVH files hold one clip");
    refuse(GROOVE, NULL, "nowhere.txt", "nowhere.txt");
    refuse("nowhere.glb", NULL, NULL, "nowhere.glb");
}

// Who shares a rig counts on it not to change.
static void sharedRigsStay(void** state)
{
    (void)state;
    snMessage why;
    snRig* rig = load();
    snRig_Retain(rig);
    assert_int_equal(snRig_AddMotion(rig, WORM, NULL, NULL, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "other owners"));
    assert_int_equal(snRig_AddMotion(NULL, WORM, NULL, NULL, &why), sn_errorArgument);
    snRig_Release(rig);
    snRig_Release(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copiesAreTheSame),
        cmocka_unit_test(documentHasIt),
        cmocka_unit_test(reasonsAreGiven),
        cmocka_unit_test(sharedRigsStay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
