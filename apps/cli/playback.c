// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/playback.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int openPlayback(const snHost* host, const char* path, const PlaybackOptions* o,
                 snAnimation** animation)
{
    snMessage why;
    snAnimationDef def;
    snAnimationDef_Init(&def);
    def.mesh = o->mesh;
    def.clip = o->clip;
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

// unit: of the file's numbers
static void printSurface(const snFrameCharacter* c, const char* unit)
{
    const snFrameSurface* s = &c->surfaces[0];
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)s->vertex_count; ++i) {
        low[i % 3] = fminf(low[i % 3], s->position[i]);
        high[i % 3] = fmaxf(high[i % 3], s->position[i]);
    }
    printf("  %s: %d vertices, %d triangles; at first in (%.4g, %.4g, %.4g) .. (%.4g, %.4g, %.4g)"
           "%s\n",
           c->name, (int)s->vertex_count, (int)s->triangle_count, (double)low[0], (double)low[1],
           (double)low[2], (double)high[0], (double)high[1], (double)high[2], unit);
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
    const char* format = snFileKind_OfPath(path)->name; // there is one: it was read
    printf("%s: %s, %" PRId64 " frame%s, %.4g .. %.4g s\n", path, format, count,
           count == 1 ? "" : "s", frame->time, endOfPlayback(animation));
    for (int32_t i = 0; i < frame->character_count; ++i) {
        printSurface(&frame->characters[i],
                     strcmp(format, "GLB") == 0 ? " m" : ", in the unit of what it was made of");
    }
    return EXIT_DONE;
}
