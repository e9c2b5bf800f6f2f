// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Every clip that moves of every shared rig is baked without tuning. What is written shows the
// simulated surface within the error that the report states; most clips show, none is at its limit
// for long or needs the guard. Prints a table, of one thread.
// SINEW_KEEP names a folder where the files stay, under their own names, for scripts that look at
// them; SINEW_ONLY is a part of a rig's name; SINEW_TABLE names a file for the table of
// docs/rigs.md.

#include "io/baked.h"

#include <time.h>

#include "rig/shared.h"

// Besides the reported error, of the size: positions and differences are floats, and go through
// matrices of condition up to 1e3
static const double rounding = 1e-5;

// Keys that are compared, of the first clips
#define KEYS 5
#define COMPARED 3

// Movement that one sees, of the size
static const double seen = 0.005;

// What all rigs together reach: clips that move less than that, of 134, and the largest share of a
// clip's frames with flesh at its limit
#define MOST_INVISIBLE 42
static const double at_limit = 0.1;

#define MOST_RIGS 64
#define ROW_BYTES 400

typedef struct Table {
    const char* folder;
    int rigs, refused, clips, invisible;
    char rows[MOST_RIGS][ROW_BYTES]; // of docs/rigs.md; (rigs)
} Table;

static int rising(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static int byName(const void* a, const void* b)
{
    return strcmp(a, b);
}

// Of clips that were baked: the one in the middle, and the last, of a field of snBakedClip
static void spread(const snBakeReport* report, size_t field, double* median, double* most)
{
    double* values = calloc((size_t)report->clip_count + 1, sizeof *values);
    size_t count = 0;
    for (int32_t i = 0; i < report->clip_count; ++i) {
        if (!report->clips[i].skipped) {
            memcpy(&values[count++], (const char*)&report->clips[i] + field, sizeof *values);
        }
    }
    assert_true(count > 0);
    qsort(values, count, sizeof *values, rising);
    *median = 0.5 * (values[(count - 1) / 2] + values[count / 2]);
    *most = values[count - 1];
    free(values);
}

static void addRow(Table* table, const char* name, const snBody* body, const snBakeReport* report,
                   double spent)
{
    const snBodyInfo* info = snBody_Info(body);
    double far, farthest, usual, most_usual, limited, most_limited, duration = 0,
                                                                    p = 100 / info->size;
    int64_t helped = 0;
    int clips = 0, visible = 0;
    spread(report, offsetof(snBakedClip, largest), &far, &farthest);
    spread(report, offsetof(snBakedClip, median), &usual, &most_usual);
    spread(report, offsetof(snBakedClip, limited), &limited, &most_limited);
    for (int32_t i = 0; i < report->clip_count; ++i) {
        const snBakedClip* c = &report->clips[i];
        clips += !c->skipped;
        visible += !c->skipped && c->largest >= seen * info->size;
        duration += c->skipped ? 0 : c->duration;
        helped += c->interventions;
    }
    assert_true(table->rigs < MOST_RIGS);
    snprintf(table->rows[table->rigs], ROW_BYTES,
             "| %s | %.3g | %d | %.2g | %d of %d | %.2f | %.2f, %.2f | %.2f, %.2f | %.0f, %.0f | "
             "%lld | %d of %d |",
             name, info->size, (int)info->cell_count, 1e3 * info->step, clips,
             (int)report->clip_count, spent / duration, p * far, p * farthest, p * usual,
             p * most_usual, 100 * limited, 100 * most_limited, (long long)helped, visible, clips);
}

static void refuse(Table* table, const char* name, const char* why)
{
    print_message("%s: %s\n", name, why);
    assert_true(table->rigs < MOST_RIGS);
    snprintf(table->rows[table->rigs], ROW_BYTES, "| %.80s | refused: %.280s | | | | | | | | | |",
             name, why);
    ++table->refused;
}

static void writeTable(Table* table, const char* path)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    qsort(table->rows, (size_t)table->rigs, ROW_BYTES, byName);
    for (int i = 0; i < table->rigs; ++i) {
        fprintf(file, "%s\n", table->rows[i]);
    }
    fprintf(file,
            "\n%d rigs, %d refused; %d clips that move, of which %d show at least %g %% of the "
            "size.\n",
            table->rigs, table->refused, table->clips, table->clips - table->invisible, 100 * seen);
    fclose(file);
}

static void printClip(const snBody* body, const snBakedClip* c)
{
    double size = body->made.size, percent = 100 / size;
    print_message("  %-22.22s %6.2f s %5d frames  %5.2f s/s  largest %6.3f %%  median %6.3f %%  at "
                  "limit %4.1f %%  guard %lld  %s seam %.4f %%  error %.4f %% rms %.4f %%\n",
                  c->name, c->duration, (int)c->frame_count, c->seconds / c->duration,
                  percent * c->largest, percent * c->median, 100 * c->limited,
                  (long long)c->interventions, c->is_loop ? "loop" : "    ", percent * c->seam,
                  percent * c->error, percent * c->error_rms);
}

static void compare(snBody* body, const char* path, const snBakeReport* report)
{
    snMessage why;
    snRig* new;
    int compared = 0;
    assert_ok(snRig_Load(NULL, path, &new, &why), why);
    for (int32_t i = 0; i < report->clip_count; ++i) {
        const snBakedClip* c = &report->clips[i];
        if (!c->skipped && compared++ < COMPARED) {
            double miss = compareClip(body, new, c, KEYS, NULL);
            if (!(miss <= c->error + rounding * body->made.size)) {
                print_message("    %s: misses by %.5f %%\n", c->name, 100 * miss / body->made.size);
            }
            assert_below(miss, c->error + rounding * body->made.size);
            assert_true(c->error <= c->largest); // else no flesh would be nearer
        }
    }
    snRig_Release(new);
}

static void bakeRig(const char* name, snRig* rig, void* user)
{
    Table* table = user;
    snMessage why;
    snBody* body;
    snBodyDef def;
    snBakeDef bake;
    snBakeReport* report;
    char path[1200];
    const char* only = getenv("SINEW_ONLY");
    if (only && !strstr(name, only)) {
        return;
    }
    snprintf(path, sizeof path, "%s/%s", table->folder, name);
    snBodyDef_Init(&def);
    snBakeDef_Init(&bake);
    bake.motion = rig->info.clip_count == 0 ? sn_motionHop : sn_motionNone;
    if (snBody_Build(NULL, rig, &def, &body, &why)) {
        refuse(table, name, why.text);
        ++table->rigs;
        return;
    }
    struct timespec t0, t1;
    snHost one; // thread
    snHost_Init(&one);
    one.thread_count = 1;
    timespec_get(&t0, TIME_UTC);
    clock_t begin = clock(); // of the processor: other programs do not count
    if (snBake(&one, body, &bake, path, &report, &why)) {
        refuse(table, name, why.text);
        ++table->rigs;
        snBody_Release(body);
        return;
    }
    timespec_get(&t1, TIME_UTC);
    double spent = (double)(clock() - begin) / CLOCKS_PER_SEC;
    const snBodyInfo* info = snBody_Info(body);
    print_message("%s: %d cells, size %.2f m, step %.2f ms, %d shapes, %lld singular, %d vertices, "
                  "%.1f s\n",
                  name, (int)info->cell_count, info->size, 1e3 * info->step,
                  (int)report->shape_count, (long long)report->singular_count,
                  (int)rig->info.vertex_count,
                  (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec));
    for (int32_t i = 0; i < report->clip_count; ++i) {
        if (!report->clips[i].skipped) {
            printClip(body, &report->clips[i]);
            ++table->clips;
            assert_int_equal(report->clips[i].interventions, 0);
            assert_below(report->clips[i].limited, at_limit);
            table->invisible += report->clips[i].largest < seen * body->made.size;
            if (strcmp(name, "CesiumMan.glb") == 0) { // faster than real time, shapes and all
                assert_below(spent, report->clips[i].duration);
            }
        }
    }
    addRow(table, name, body, report, spent);
    ++table->rigs;
    compare(body, path, report);
    snBakeReport_Free(report);
    snBody_Release(body);
    if (!getenv("SINEW_KEEP")) {
        remove(path);
    }
}

static void test_all(void** state)
{
    (void)state;
    static Table table; // it is large
    const char *keep = getenv("SINEW_KEEP"), *path = getenv("SINEW_TABLE");
    table.folder = keep ? keep : ".";
    eachRig(bakeRig, &table);
    if (path) {
        writeTable(&table, path);
    }
    print_message("%d rigs, %d refused, %d clips, %d of them with less than 0.5 %%\n", table.rigs,
                  table.refused, table.clips, table.invisible);
    assert_true(table.refused <= 1); // a sheet of two triangles
    assert_true(table.invisible <= MOST_INVISIBLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
