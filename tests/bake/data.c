// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Every clip that moves of every shared rig is baked without tuning, FBX and Collada ones where
// Sinew reads these; rigs that cannot be are refused for the right reason. What is written shows
// the simulated surface within the error that the report states; every clip moves flesh as its
// joints make one expect (io/expected.h), none is at its limit for long or needs the guard. Prints
// a table, of one thread. SINEW_KEEP names a folder where the files stay, under their own names,
// for scripts that look at them; SINEW_ONLY is a part of a rig's name; SINEW_TABLE names a file for
// the table of docs/rigs.md.

#include "bake/baked.h"
#include "bake/expected.h"

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

// The least part of what is expected that each clip shows: neighbours hold what is expected to move
// by itself, in short limbs most of all. Measured: 0.26 to 1.8. And where that much is expected,
// one sees something; the most that was expected of a clip which shows less is 1.45 %, of
// Slime_Death, which a joint's scale squashes.
static const double least_part = 0.25, surely = 0.015;

// The largest share of a clip's frames with flesh at its limit
static const double at_limit = 0.1;

// Reasons why one sees little: skin that goes nowhere, in parts of the size
static const double nowhere = 0.05;

#define GRAVITY 9.81 // m/s^2

// Rigs that cannot be baked, and a part of the reason
static const struct {
    const char *name, *reason;
} REFUSED[] = {
    {"SimpleSkin.gltf", "no skinned part of this rig encloses a volume"},
    {"f_walk_neutral.max.fbx", "it holds motion only"},
    {"max7_skin_5000_binary.fbx", "an FBX from before 2011"},
    {"maya_game_sausage_6100_ascii_combined.fbx", "an FBX from before 2011"},
    {"synthetic_broken_cluster_7500_ascii.fbx", "has no bone"},
};
#define REFUSED_COUNT (sizeof REFUSED / sizeof *REFUSED)

#define MOST_RIGS 64
#define MOST_CALM 256
#define ROW_BYTES 400

typedef struct Table {
    const char* folder;
    int rigs, refused, clips, invisible;
    char rows[MOST_RIGS][ROW_BYTES]; // of docs/rigs.md; (rigs)
    char calm[MOST_CALM][ROW_BYTES]; // clips in which one sees little; (invisible)
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

// A clip shows what its joints make one expect; if that is little, it is listed with the reason.
static void judge(Table* table, const char* name, const snBody* body, const snBakedClip* c,
                  const Expected* e)
{
    double size = body->made.size, p = 100 / size;
    print_message("    expected %.3f %%, in %s; skin goes by %.1f %%, at up to %.2f g\n",
                  p * e->movement, body->info.regions[e->region].name, p * e->travel,
                  e->acceleration / GRAVITY);
    assert_true(c->largest >= least_part * e->movement);
    assert_true(c->largest >= seen * size || e->movement < surely * size);
    if (c->largest >= seen * size) {
        return;
    }
    char why[200];
    if (e->travel < nowhere * size) {
        snprintf(why, sizeof why, "soft skin goes by %.2f %% of the size at most", p * e->travel);
    } else if (e->movement < seen * size) {
        snprintf(why, sizeof why,
                 "it is calm: flesh of %.2g Hz would move as little if it were free",
                 body->info.softness);
    } else {
        snprintf(why, sizeof why, "what is shaken, %s, is held by the flesh and bones about it",
                 body->info.regions[e->region].name);
    }
    char clip[100];
    for (size_t i = 0; i < sizeof clip; ++i) { // a bar would end the column
        clip[i] = (char)(i + 1 == sizeof clip ? 0 : c->name[i] == '|' ? '/' : c->name[i]);
        if (clip[i] == 0) {
            break;
        }
    }
    assert_true(table->invisible < MOST_CALM);
    snprintf(table->calm[table->invisible++], ROW_BYTES, "| %s | %s | %.3f | %.3f | %s |", name,
             clip, p * c->largest, p * e->movement, why);
}

static void refuse(Table* table, const char* name, const char* why)
{
    size_t known = 0;
    print_message("%s: %s\n", name, why);
    while (known < REFUSED_COUNT && strcmp(REFUSED[known].name, name) != 0) {
        ++known;
    }
    assert_true(known < REFUSED_COUNT && strstr(why, REFUSED[known].reason));
    assert_true(table->rigs < MOST_RIGS);
    snprintf(table->rows[table->rigs], ROW_BYTES, "| %.80s | refused: %.280s | | | | | | | | | |",
             name, why);
    ++table->rigs;
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
    fprintf(
        file,
        "\n## Clips that show less\n\nBy name, with the largest movement and what is expected of "
        "it, %% of the size, and why.\n\n| rig | clip | moves | expected | why |\n"
        "|---|---|---|---|---|\n");
    qsort(table->calm, (size_t)table->invisible, ROW_BYTES, byName);
    for (int i = 0; i < table->invisible; ++i) {
        fprintf(file, "%s\n", table->calm[i]);
    }
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
    snprintf(path, sizeof path, "%s/%s%s", table->folder, name, isForeign(name) ? ".glb" : "");
    snBodyDef_Init(&def);
    snBakeDef_Init(&bake);
    bake.motion = rig->info.clip_count == 0 ? sn_motionHop : sn_motionNone;
    if (snBody_Build(NULL, rig, &def, &body, &why)) {
        refuse(table, name, why.text);
        return;
    }
    struct timespec t0, t1;
    snHost one; // thread
    snHost_Init(&one);
    one.thread_count = 1;
    timespec_get(&t0, TIME_UTC);
    clock_t begin = clock(); // of the processor: other programs do not count
    snStatus status = snBake(&one, body, &bake, path, &report, &why);
    if (status && strstr(why.text, "nothing moves in the clips")) {
        bake.motion = sn_motionHop;
        status = snBake(&one, body, &bake, path, &report, &why);
    }
    if (status) {
        refuse(table, name, why.text);
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
            Expected expected = expectedOf(body, report->clips[i].clip, bake.motion);
            judge(table, name, body, &report->clips[i], &expected);
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

// FBX and Collada; false when Sinew was built without
static bool bakeForeign(Table* table)
{
    const char* only = getenv("SINEW_ONLY");
    DIR* folder = opendir(RIGS);
    assert_non_null(folder);
    bool read = true;
    for (const struct dirent* entry; read && (entry = readdir(folder)) != NULL;) {
        char path[1024];
        snRig* rig;
        snMessage why;
        const char* name = entry->d_name;
        if (!isForeign(name) || (only && !strstr(name, only))) {
            continue;
        }
        snprintf(path, sizeof path, RIGS "/%s", name);
        if (snRig_Load(NULL, path, &rig, &why) == sn_ok) {
            bakeRig(name, rig, table);
            snRig_Release(rig);
        } else {
            read = !strstr(why.text, "was missing when Sinew was built");
            // the file is named already
            const char* reason = strstr(why.text, name);
            assert_non_null(reason);
            if (read) {
                refuse(table, name, reason + strlen(name) + 2);
            }
        }
    }
    closedir(folder);
    return read;
}

static void test_all(void** state)
{
    (void)state;
    static Table table; // it is large
    const char *keep = getenv("SINEW_KEEP"), *path = getenv("SINEW_TABLE");
    table.folder = keep ? keep : ".";
    eachRig(bakeRig, &table);
    bool foreign = bakeForeign(&table);
    if (path) {
        writeTable(&table, path);
    }
    print_message("%d rigs, %d refused, %d clips, %d of them with less than 0.5 %%\n", table.rigs,
                  table.refused, table.clips, table.invisible);
    assert_true(getenv("SINEW_ONLY") || !foreign || table.refused == REFUSED_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
