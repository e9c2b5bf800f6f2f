// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/playback.h"

#include "cli/cli.h"
#include "cli/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// Times of films and frames that are nearer than this are the same, s.
#define SAME_TIME 1e-6

// Films take frames that are by 1e-7 s too early.
#define FILM_SLACK 2e-7

int openPlayback(const snHost* host, const char* path, const PlaybackOptions* o,
                 snAnimation** animation)
{
    snMessage why;
    snAnimationDef def;
    snAnimationDef_Init(&def);
    def.mesh = o->mesh;
    if (o->rate && !readNumber("--rate", o->rate, 1e-3, 1e6, &def.frame_rate)) {
        return EXIT_BAD_CALL;
    }
    snStatus status = snAnimation_Load(host, path, &def, animation, &why);
    return status ? complain(exitCode(status), "%s", why.text) : EXIT_DONE;
}

double endOfPlayback(const snAnimation* animation)
{
    return snAnimation_Time(animation, snAnimation_FrameCount(animation) - 1);
}

static void printSurface(const snFrameCharacter* c)
{
    const snFrameSurface* s = &c->surfaces[0];
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)s->vertex_count; ++i) {
        low[i % 3] = fminf(low[i % 3], s->position[i]);
        high[i % 3] = fmaxf(high[i % 3], s->position[i]);
    }
    printf("  %s: %d vertices, %d triangles; at first in (%.4g, %.4g, %.4g) .. (%.4g, %.4g, %.4g) "
           "m\n",
           c->name, (int)s->vertex_count, (int)s->triangle_count, (double)low[0], (double)low[1],
           (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
}

int printPlayback(const char* path, snAnimation* animation)
{
    snMessage why;
    const snFrame* frame;
    int64_t count = snAnimation_FrameCount(animation);
    snStatus status = snAnimation_Frame(animation, 0, &frame, &why);
    if (status) {
        return complain(exitCode(status), "%s: %s", path, why.text);
    }
    printf("animation %s: %" PRId64 " frame%s, %.4g .. %.4g s\n", path, count,
           count == 1 ? "" : "s", frame->time, endOfPlayback(animation));
    for (int32_t i = 0; i < frame->character_count; ++i) {
        printSurface(&frame->characters[i]);
    }
    return EXIT_DONE;
}

// Adds the frame that is shown at each time of the film: the last one that is not later.
static snStatus collect(snAnimation* animation, double end, Output* output, snMessage* why)
{
    int64_t k = 0, count = snAnimation_FrameCount(animation);
    snStatus status = sn_ok;
    while (!status && !stopCount() && nextFilmTime(output->film) <= end + SAME_TIME) {
        const snFrame* frame;
        double time = nextFilmTime(output->film) + FILM_SLACK;
        while (k + 1 < count && snAnimation_Time(animation, k + 1) <= time + SAME_TIME) {
            ++k;
        }
        status = snAnimation_Frame(animation, k, &frame, why);
        if (!status) {
            snFrame held = *frame;
            held.time = time;
            status = drawOutput(output, &held, why);
        }
    }
    return status;
}

int renderPlayback(snAnimation* animation, const FilmDef* def, bool quiet)
{
    snMessage why;
    const snFrame* frame;
    Output output = {0};
    const DrawOptions draw = {.surface = true};
    snStatus status = snAnimation_Frame(animation, 0, &frame, &why);
    if (!status) {
        status = openFilmOutput(NULL, frame, def, &draw, quiet, &output, &why);
    }
    if (status) {
        abortOutput(&output);
        return complain(exitCode(status), "%s", why.text);
    }
    catchStops();
    status = collect(animation, def->at >= 0 ? def->at : def->duration, &output, &why);
    bool stopped = stopCount() > 0;
    if (status) {
        abortOutput(&output);
        return complain(EXIT_RUN_FAILED, "%s", why.text);
    }
    if (closeOutput(&output, &why)) {
        return complain(EXIT_RUN_FAILED, "%s", why.text);
    }
    if (!quiet) {
        printf("wrote %s\n", def->path);
    }
    return stopped ? complain(EXIT_RUN_FAILED, "stopped") : EXIT_DONE;
}
