// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the parts of sinew bake share.
#ifndef SINEW_APPS_CLI_BAKE_H
#define SINEW_APPS_CLI_BAKE_H

#include "cli/hero.h"
#include "cli/motion.h"
#include "cli/record.h"

// The texts of options; NULL = not given.
typedef struct BakeOptions {
    ControlOptions controls;
    MotionOptions motion;
    const char *input, *output, *body, *shapes, *joints, *rate, *ground_height, *film, *threads;
    const char *jobs, *report, *suffix, *frames, *as, *strength, *error;
    Words clips;
    bool exact, ground, resume, quiet, loop, no_loop, sheet, two_way, is_free;
    uint64_t digest;            // of options that change the result
    const char* end;            // of results' names
    char path[HERO_PATH_BYTES]; // of the result
    Record* record;             // gets what there is to know; NULL = not wanted
    FILE* notes;                // likewise
} BakeOptions;

// Results of a kind have this end in their names: .glb, .pc2 or .mdd.
const char* endOfKind(int32_t kind);

// Finds the path of the result of one rig. Complains and returns an exit code when something cannot
// be written.
int checkBakePaths(BakeOptions* options);

// Bakes one rig.
int bakeRig(const snHost* host, const BakeOptions* options, snBakeDef* def);

// Bakes several, each in a process of its own.
int bakeSeveral(const snHost* host, const BakeOptions* o, const snBakeDef* def,
                const char* const* inputs, int32_t count);

// A film of the clip in which flesh moves most, as --film says
int filmBake(const Hero* hero, const BakeOptions* options, const snBakeDef* def,
             const snBakeReport* report);

// A sheet of each clip
int drawSheets(const Hero* hero, const BakeOptions* options, const snBakeDef* def,
               const snBakeReport* report);

// What is to be baked, from the options; an exit code.
int readBake(BakeOptions* options, snBakeDef* def);

// A whole number from an option's text; an exit code.
int readWhole(const char* option, const char* text, double low, double high, int32_t* out);

#endif
