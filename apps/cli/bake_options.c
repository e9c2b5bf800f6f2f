// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/bake.h"
#include "cli/targets.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int readWhole(const char* option, const char* text, double low, double high, int32_t* out)
{
    double number;
    if (!readNumber(option, text, low, high, &number)) {
        return EXIT_BAD_CALL;
    }
    *out = (int32_t)number;
    return *out == number
               ? EXIT_DONE
               : complain(EXIT_BAD_CALL, "%s takes a whole number, found '%s'", option, text);
}

// A..B
static int readFrames(const char* text, snBakeDef* def)
{
    char first[16], rest;
    const char* dots = text ? strstr(text, "..") : NULL;
    int length = dots ? (int)(dots - text) : 0;
    if (!text) {
        return EXIT_DONE;
    }
    snprintf(first, sizeof first, "%.*s", length, text);
    if (!dots || length > 9 || strlen(dots) > 11 ||
        sscanf(first, "%" SCNd32 "%c", &def->first_frame, &rest) != 1 ||
        sscanf(dots + 2, "%" SCNd32 "%c", &def->last_frame, &rest) != 1 || def->first_frame < 0 ||
        def->last_frame <= def->first_frame) {
        return complain(EXIT_BAD_CALL,
                        "--frames takes the first and a later frame, as in 30..90, found '%s'",
                        text);
    }
    return EXIT_DONE;
}

// What flesh is written as: by --as, or by the end of the result's name
static int readKind(BakeOptions* o, int32_t* kind)
{
    static const char* const NAMES[sn_bakeAsCount] = {[sn_bakeShapes] = "shapes",
                                                      [sn_bakePc2] = "pc2",
                                                      [sn_bakeMdd] = "mdd",
                                                      [sn_bakeJoints] = "joints"};
    *kind = o->as ? sn_bakeAsCount : sn_bakeShapes;
    for (int32_t i = 0; i < sn_bakeAsCount; ++i) {
        bool meant =
            o->as ? strcmp(o->as, NAMES[i]) == 0
                  : o->output && i > 0 && i < sn_bakeJoints && hasEnd(o->output, endOfKind(i));
        *kind = meant ? i : *kind;
    }
    if (*kind == sn_bakeAsCount) {
        return complain(EXIT_BAD_CALL, "--as takes shapes, joints, pc2 or mdd, found '%s'", o->as);
    }
    o->end = endOfKind(*kind);
    if (strcmp(o->end, ".glb") != 0 && (o->film || o->sheet || o->exact || o->shapes || o->error)) {
        return complain(EXIT_BAD_CALL, "%s is for .glb files, not for point caches",
                        o->film    ? "--film"
                        : o->sheet ? "--sheet"
                        : o->exact ? "--exact"
                        : o->error ? "--error"
                                   : "--shapes");
    }
    bool joints = *kind == sn_bakeJoints;
    if (joints && (o->exact || o->shapes || o->error)) {
        return complain(EXIT_BAD_CALL, "%s does not go with '--as joints', which has no shapes",
                        o->exact   ? "--exact"
                        : o->error ? "--error"
                                   : "--shapes");
    }
    if (!joints && o->joints) {
        return complain(EXIT_BAD_CALL, "--joints goes with '--as joints'");
    }
    return EXIT_DONE;
}

int readBake(BakeOptions* o, snBakeDef* def)
{
    snBakeDef_Init(def);
    if (readKind(o, &def->as) || readFrames(o->frames, def)) {
        return EXIT_BAD_CALL;
    }
    if (o->exact && (o->shapes || o->error)) {
        return complain(EXIT_BAD_CALL, "--exact and %s do not go together; give one of them",
                        o->error ? "--error" : "--shapes");
    }
    if ((o->shapes && readWhole("--shapes", o->shapes, 1, 64, &def->shapes)) ||
        (o->error && !readNumber("--error", o->error, 1e-5, 1, &def->error)) ||
        (o->joints && readWhole("--joints", o->joints, 1, 256, &def->joints)) ||
        (o->rate && !readNumber("--rate", o->rate, 1, 240, &def->rate)) ||
        (o->strength && !readNumber("--strength", o->strength, 0, 100, &def->strength)) ||
        (o->ground_height &&
         !readNumber("--ground-height", o->ground_height, -1e9, 1e9, &def->ground_height))) {
        return EXIT_BAD_CALL;
    }
    if (!o->two_way && (o->is_free || o->strength)) {
        return complain(EXIT_BAD_CALL, "%s is for --two-way, in which things push the skeleton",
                        o->is_free ? "--free" : "--strength");
    }
    def->two_way = o->two_way;
    def->is_free = o->is_free;
    if (o->loop && o->no_loop) {
        return complain(EXIT_BAD_CALL, "--loop and --no-loop do not go together; give one of them");
    }
    def->loop = o->loop ? 1 : o->no_loop ? 0 : def->loop;
    def->shapes = o->exact ? 0 : def->shapes;
    def->ground = o->ground || o->ground_height;
    def->resume = o->resume;
    return EXIT_DONE;
}
