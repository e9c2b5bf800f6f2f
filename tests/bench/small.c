// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// needs: cli

// Every benchmark runs on its small cases and says what it measured in the promised words: figures
// can be followed over time only as long as names and units stay.
#include "check.h"

#include <bench.h>
#include <string.h>

// Metrics and their units; a name that ends in ':' stands for all that begin with it. Each may have
// _best behind it.
static const struct {
    const char *metric, *unit;
} UNITS[] = {
    {"tets_per_s", "1/s"},
    {"step_ms", "ms"},
    {"step_ms:", "ms"},
    {"stage_ms:", "ms"},
    {"s_per_s", "s/s"},
    {"s_per_s:", "s/s"},
    {"svd_ns", "ns"},
    {"bandwidth_GBps", "GB/s"},
    {"fma_GFLOPs", "GFLOP/s"},
    {"characters_real_time", "count"},
    {"characters_real_time:", "count"},
    {"speedup", "x"},
    {"speedup:", "x"},
    {"h_ms", "ms"},
    {"h_ms:", "ms"},
    {"nodes", "count"},
    {"tets", "count"},
    {"diagonalized", "count"},
    {"contact_share", "%"},
    {"share:", "%"},
    {"bytes_per_tet", "B"},
    {"ns_per_tet", "ns"},
    {"ns_per_bone", "ns"},
    {"kinematics", "us"},
    {"kinematics_and_hybrid", "us"},
    {"midpoint_step", "us"},
    {"build_s", "s"},
    {"sag_mm", "mm"},
};

// What came out of one benchmark.
typedef struct Seen {
    const char* bench;
    int count;
    char rows[200][96]; // case, metric, threads
    int notes;
    double paper; // of the step of the coarse starfish
} Seen;

static const char* unitOf(const char* metric)
{
    size_t length = strlen(metric);
    if (length > 5 && strcmp(metric + length - 5, "_best") == 0) {
        length -= 5;
    }
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; ++i) {
        const size_t own = strlen(UNITS[i].metric);
        const bool all = UNITS[i].metric[own - 1] == ':';
        if ((all ? length > own : length == own) && strncmp(metric, UNITS[i].metric, own) == 0) {
            return UNITS[i].unit;
        }
    }
    return "none: this metric is not promised";
}

static void see(void* user, const snBenchRow* row)
{
    Seen* seen = user;
    char text[96];
    assert_string_equal(row->bench, seen->bench);
    assert_string_equal(row->unit, unitOf(row->metric));
    assert_true(isfinite(row->value) && row->value >= 0);
    assert_true(row->value > 0 || strcmp(row->unit, "count") == 0 || strcmp(row->unit, "%") == 0);
    assert_true(row->spread >= 0 && row->threads >= 1 && row->paper >= 0);
    snprintf(text, sizeof text, "%s %s %d%s", row->name, row->metric, row->threads,
             row->peer ? row->peer : "");
    for (int i = 0; i < seen->count; ++i) {
        assert_string_not_equal(text, seen->rows[i]); // each figure once
    }
    assert_below(seen->count, 200);
    memcpy(seen->rows[seen->count++], text, sizeof text);
    if (strcmp(row->metric, "step_ms") == 0 && strcmp(row->name, "starfish_coarse") == 0) {
        seen->paper = row->paper;
    }
}

static void note(void* user, const char* text)
{
    print_message("note: %s\n", text);
    ++((Seen*)user)->notes;
}

static void assertSeen(const Seen* seen, const char* text)
{
    for (int i = 0; i < seen->count; ++i) {
        if (strcmp(seen->rows[i], text) == 0) {
            return;
        }
    }
    fail_msg("%s does not say '%s'", seen->bench, text);
}

static const Seen* run(const char* name, const char* rigs)
{
    static Seen seen;
    const snBench* bench = snBenches();
    snMessage why = {""};
    seen = (Seen){.bench = name};
    const snBenchOut out = {.user = &seen,
                            .row = see,
                            .note = note,
                            .folder = "nowhere",
                            .rigs = rigs,
                            .runs = 1,
                            .small = true};
    while (strcmp(bench->name, name) != 0) {
        ++bench;
        assert_non_null(bench->name);
    }
    assert_ok(snBench_Run(bench, &out, &why), why);
    return &seen;
}

static void tables(void** state)
{
    (void)state;
    const Seen* seen = run("table3", "");
    assertSeen(seen, "starfish_coarse step_ms 1");
    assertSeen(seen, "starfish_coarse stage_ms:elastic_best 1");
    assertSeen(seen, "starfish_coarse tets_per_s 1");
    assert_close(seen->paper, 0.437, 0);
    seen = run("table4", "");
    assertSeen(seen, "starfish_coarse s_per_s 1");
    assertSeen(seen, "starfish_coarse s_per_s:auto 1");
    seen = run("table5", "");
    assertSeen(seen, "starfish_coarse speedup:3x3 1");
}

static void ours(void** state)
{
    (void)state;
    const Seen* seen = run("scaling", "");
    assertSeen(seen, "tets_10k ns_per_tet 1");
    assertSeen(seen, "bones_10000 ns_per_bone 1");
    seen = run("crowd", "");
    assertSeen(seen, "starfish_coarse characters_real_time 1");
    assertSeen(seen, "starfish_coarse_ground characters_real_time:auto 1");
    seen = run("kernels", "");
    assertSeen(seen, "starfish_coarse tets_per_s 1");
    assertSeen(seen, "svd_baseline svd_ns 1");
    assertSeen(seen, "copy_memory bandwidth_GBps 1");
    assertSeen(seen, "starfish_coarse share:cache 1");
}

// Without rigs and other programs there are notes, and what can be measured is.
static void others(void** state)
{
    (void)state;
    const Seen* seen = run("bake", "nowhere");
    assert_int_equal(seen->count, 0);
    assert_int_equal(seen->notes, 1);
    seen = run("peers", "");
    assertSeen(seen, "starfish_26dof kinematics_and_hybrid 1");
    assertSeen(seen, "beam_3k s_per_s 1");
    assert_int_equal(seen->notes, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),
        cmocka_unit_test(ours),
        cmocka_unit_test(others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
