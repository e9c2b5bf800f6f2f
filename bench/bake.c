// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Baking: of every GLB rig in a folder the first clip, or a hop where it has none, with flesh of
// normal quality: building the body, simulating a second of the clip, and all of the bake with its
// shapes and files.
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include "bench.h"

#include "base/message.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_RIGS 64
#define MOST_RUNS 3 // a bake takes seconds

// Files -----------------------------------------------------------------------

static int compareNames(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

// Names of the GLB files in a folder, by name; the caller frees each.
static int listRigs(const char* folder, char* names[MOST_RIGS])
{
    int count = 0;
    DIR* dir = opendir(folder);
    for (const struct dirent* e = dir ? readdir(dir) : NULL; e && count < MOST_RIGS;
         e = readdir(dir)) {
        const size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".glb") == 0) {
            char* name = calloc(length + 1, 1);
            if (name) {
                memcpy(name, e->d_name, length);
                names[count++] = name;
            }
        }
    }
    if (dir) {
        closedir(dir);
    }
    qsort(names, (size_t)count, sizeof *names, compareNames);
    return count;
}

// Baking ----------------------------------------------------------------------

typedef struct Bake {
    snBody* body;
    char path[256]; // of the file that is written
    double length;  // of the clip, s
    snBenchRunner build, simulate, all;
} Bake;

static snStatus buildBody(Bake* b, snRig* rig, snMessage* why)
{
    snBodyDef def;
    snBodyDef_Init(&def);
    const double start = snBench_Now();
    snStatus status = snBody_Build(NULL, rig, &def, &b->body, why);
    b->build.samples[b->build.count++] = snBench_Now() - start;
    return status;
}

static snStatus bakeOnce(Bake* b, const snRig* rig, snMessage* why)
{
    static const int32_t FIRST = 0;
    snBakeDef def;
    snBakeReport* report = NULL;
    snBakeDef_Init(&def);
    if (snRig_Info(rig)->clip_count > 0) {
        def.clip_count = 1;
        def.clips = &FIRST;
    } else {
        def.motion = sn_motionHop;
    }
    const double start = snBench_Now();
    snStatus status = snBake(NULL, b->body, &def, b->path, &report, why);
    const double seconds = snBench_Now() - start;
    if (!status) {
        const snBakedClip* clip = &report->clips[0];
        b->length = clip->skipped ? 0 : clip->duration;
        b->simulate.samples[b->simulate.count++] = clip->seconds;
        b->all.samples[b->all.count++] = seconds;
    }
    snBakeReport_Free(report);
    remove(b->path);
    return status;
}

static void emit(const snBenchOut* out, const char* name, Bake* b)
{
    int counts[2];
    snBench_Threads(counts);
    snBenchRow row = {.bench = "bake", .name = name, .threads = counts[1] ? counts[1] : 1};
    row.metric = "build_s";
    row.unit = "s";
    snBench_Emit(out, &row, &b->build, 1);
    row.unit = "s/s";
    if (b->length > 0) {
        row.metric = "s_per_s";
        snBench_Emit(out, &row, &b->simulate, 1 / b->length);
        row.metric = "s_per_s:all";
        snBench_Emit(out, &row, &b->all, 1 / b->length);
    }
}

// A rig that cannot be baked is noted, not an error: the folder is the caller's.
static void benchRig(const snBenchOut* out, const char* name, const char* scratch)
{
    static Bake b;
    char path[1024], text[600];
    snMessage why = {""};
    snRig* rig = NULL;
    b = (Bake){.body = NULL};
    snprintf(path, sizeof path, "%s/%s", out->rigs, name);
    snprintf(b.path, sizeof b.path, "%s/baked.glb", scratch);
    snStatus status = snRig_Load(NULL, path, &rig, &why);
    const double end = snBench_Now() + SN_BENCH_SECONDS;
    const int runs = out->runs < MOST_RUNS ? out->runs : MOST_RUNS;
    for (int i = 0; i < runs && (i == 0 || snBench_Now() < end) && !status; ++i) {
        status = buildBody(&b, rig, &why);
        status = status ? status : bakeOnce(&b, rig, &why);
        snBody_Release(b.body);
        b.body = NULL;
    }
    if (status) {
        snprintf(text, sizeof text, "%s is left out: %s", name, why.text);
        out->note(out->user, text);
    } else {
        snprintf(text, sizeof text, "%.*s", (int)(strlen(name) - 4), name);
        emit(out, text, &b);
    }
    snRig_Release(rig);
}

snStatus snBench_Bake(const snBenchOut* out, snMessage* why)
{
    char scratch[200], text[512];
    char* names[MOST_RIGS];
    const int count = listRigs(out->rigs, names);
    if (count == 0) {
        snprintf(text, sizeof text, "no bakes: there are no GLB files in %s (--rigs DIR)",
                 out->rigs);
        out->note(out->user, text);
        return sn_ok;
    }
    const char* base = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/sinew-bench-XXXXXX", base ? base : ".");
    snStatus status = mkdtemp(scratch)
                          ? sn_ok
                          : snFail(why, sn_errorIo, "cannot make a folder for bakes: %s", scratch);
    for (int i = 0; i < count; ++i) {
        if (!status && !(out->small && i > 0)) {
            benchRig(out, names[i], scratch);
        }
        free(names[i]);
    }
    rmdir(scratch);
    return status;
}
