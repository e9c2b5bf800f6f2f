// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Shapes are as many as the error that is asked for takes, of clips that are loops and of others,
// and the error holds. How many frames fit into memory changes nothing.

#include "bake/worm.h"

#include "bake/baker.h"

#define ERRORS 4

// What the report may add to what was asked for: closing a loop moves frames by a part of its seam
static const double rounding = 1e-6;

static int32_t bakeWithin(double error, int32_t loop)
{
    snMessage why;
    snBakeReport* report;
    snBakeDef def;
    int32_t clips[2] = {snRig_FindClip(snBody_Rig(worm), "Hop"),
                        snRig_FindClip(snBody_Rig(worm), "Wave")};
    double size = snBody_Info(worm)->size;
    snBakeDef_Init(&def);
    def.error = error;
    def.loop = loop;
    def.clip_count = 2;
    def.clips = clips;
    assert_ok(snBake(NULL, worm, &def, "worm.glb", &report, &why), why);
    for (int32_t i = 0; i < report->clip_count; ++i) {
        const snBakedClip* c = &report->clips[i];
        double unseen = fmin(2e-4, error) * size;
        double most = fmax(unseen, fmin(error * size, 0.25 * c->largest));
        assert_below(c->error, most + c->seam + rounding * size);
    }
    int32_t count = report->shape_count;
    assert_true(report->active_most <= def.shapes);
    snBakeReport_Free(report);
    return count;
}

static void test_error_is_kept(void** state)
{
    (void)state;
    static const double WITHIN[ERRORS] = {1e-2, 1e-3, 3e-4, 1e-4};
    for (int32_t loop = -1; loop <= 0; ++loop) {
        int32_t count[ERRORS];
        for (int i = 0; i < ERRORS; ++i) {
            count[i] = bakeWithin(WITHIN[i], loop);
            print_message("%g of the size: %d shapes\n", WITHIN[i], (int)count[i]);
            assert_true(i == 0 || count[i] >= count[i - 1]);
        }
        assert_true(count[ERRORS - 1] > count[0]);
    }
}

static uint8_t* readAll(const char* path, size_t* size)
{
    FILE* f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t* bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

// Frames that are made again when they are needed have the bits of those that stay.
static void test_memory_changes_nothing(void** state)
{
    (void)state;
    static const char* const PATHS[2] = {"kept.glb", "made.glb"};
    int32_t clips[3] = {1, 3, 4};
    uint8_t* bytes[2];
    size_t size[2];
    for (int i = 0; i < 2; ++i) {
        snMessage why;
        snBakeDef def;
        snBakeReport* report;
        snBakeDef_Init(&def);
        def.rate = 30; // so that a clip has fewer frames than there is room for
        def.clips = clips;
        def.clip_count = 3;
        size_t cache = i == 0 ? SN_BAKE_CACHE : 0;
        assert_ok(snBaker_Run(NULL, worm, &def, PATHS[i], cache, &report, &why), why);
        int32_t all = 0;
        for (int32_t k = 0; k < report->clip_count; ++k) {
            assert_true(report->clips[k].frame_count < SN_BAKE_LEAST);
            all += report->clips[k].frame_count;
        }
        assert_true(all > SN_BAKE_LEAST && report->shape_count > 8);
        snBakeReport_Free(report);
        bytes[i] = readAll(PATHS[i], &size[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void test_errors_that_make_no_sense(void** state)
{
    (void)state;
    static const double BAD[] = {0, -1e-3, 1.5, (double)NAN};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; ++i) {
        snMessage why;
        snBakeDef def;
        snBakeDef_Init(&def);
        def.error = BAD[i];
        assert_int_equal(snBake(NULL, worm, &def, "worm.glb", NULL, &why), sn_errorArgument);
        assert_non_null(strstr(why.text, "error of shapes"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_is_kept),
        cmocka_unit_test(test_memory_changes_nothing),
        cmocka_unit_test(test_errors_that_make_no_sense),
    };
    return cmocka_run_group_tests(tests, setUp, tearDown);
}
