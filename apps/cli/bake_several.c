// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew bake of several rigs.
#define _POSIX_C_SOURCE 200809L // access, sysconf
#include "cli/bake.h"
#include "cli/batch.h"
#include "cli/digest.h"
#include "cli/targets.h"

#include <unistd.h>

// What all of them share
typedef struct Bakes {
    const BakeOptions* options;
    const snHost* host;
    const snBakeDef* def;
    const char* const* inputs;
    const Targets* targets;
} Bakes;

// Whether all of it was written. The script of point caches comes last.
static bool isFinished(const BakeOptions* o)
{
    char frames[HERO_PATH_BYTES + 16], script[HERO_PATH_BYTES];
    snprintf(frames, sizeof frames, "%s.frames", o->path);
    replaceEnd(o->path, "_apply_in_blender.py", script);
    return access(o->path, F_OK) * access(script, F_OK) == 0 && access(frames, F_OK) != 0;
}

// With --resume files that were finished stay as they are, if they were made so.
static bool isKept(const BakeOptions* o, uint64_t digest)
{
    Origin origin = originOf(o->path, digest);
    bool finished = o->resume && isFinished(o);
    if (finished && origin != originSame && !o->quiet) {
        printf("%s %s; it is made anew\n", o->path,
               origin == originOther ? "was made with other options, or the rig or its controls "
                                       "have changed"
                                     : "is there, but nothing says with which options it was made");
    }
    return finished && origin == originSame;
}

static int bakeOne(void* user, int32_t index, Record* record, FILE* notes)
{
    const Bakes* b = user;
    BakeOptions o = *b->options;
    snBakeDef def = *b->def;
    char controls[HERO_PATH_BYTES];
    o.input = b->inputs[index];
    o.output = b->targets->paths[index];
    o.record = record;
    o.notes = notes;
    replaceEnd(o.input, ".sinew.json", controls);
    uint64_t digest = digestRig(o.digest, o.input, o.body ? NULL : controls);
    int code = checkBakePaths(&o);
    if (!code && isKept(&o, digest)) {
        record->kept = true;
        return EXIT_DONE;
    }
    code = code ? code : bakeRig(b->host, &o, &def);
    if (!code) {
        noteOrigin(o.path, digest);
    }
    return code;
}

int bakeSeveral(const snHost* host, const BakeOptions* o, const snBakeDef* def,
                const char* const* inputs, int32_t count)
{
    int32_t jobs = 1;
    snHost shared = *host; // cores are
    Targets targets = {0};
    if (o->film) {
        return complain(EXIT_BAD_CALL, "--film is for one rig; --sheet draws pictures of several");
    }
    if (o->jobs && readWhole("--jobs", o->jobs, 1, 64, &jobs)) {
        return EXIT_BAD_CALL;
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN) / jobs;
    shared.thread_count = o->threads || jobs == 1 ? host->thread_count : cores > 1 ? (int)cores : 1;
    const char* suffix = o->suffix ? o->suffix : o->output ? "" : "_soft";
    int code = findTargets(inputs, count, o->output, suffix, o->end, &targets);
    Bakes bakes = {o, &shared, def, inputs, &targets};
    Batch batch = {.count = count,
                   .inputs = inputs,
                   .outputs = (const char* const*)targets.paths,
                   .jobs = jobs,
                   .quiet = o->quiet,
                   .report = o->report,
                   .user = &bakes,
                   .work = bakeOne};
    code = code ? code : runBatch(&batch);
    freeTargets(&targets);
    return code;
}
