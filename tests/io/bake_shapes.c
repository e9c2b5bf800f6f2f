// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Shapes are as many as the error that is asked for takes, of clips that are loops and of others,
// and the error holds.

#include "io/worm.h"
#include <sinew/bake.h>

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
        cmocka_unit_test(test_errors_that_make_no_sense),
    };
    return cmocka_run_group_tests(tests, setUp, tearDown);
}
