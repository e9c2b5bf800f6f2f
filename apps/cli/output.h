// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The file that a run writes: frames by the library, or pictures and films, by extension.
#ifndef SINEW_APPS_CLI_OUTPUT_H
#define SINEW_APPS_CLI_OUTPUT_H

#include "cli/draw_frame.h"
#include "cli/progress.h"

#include <render/film.h>

typedef struct Output {
    const snScene* scene; // NULL: of an animation, or of several
    snSink* sink;         // or
    Film* film;
    int64_t written; // frames that the sink took
    int32_t panel_count;
    FramePainter painters[FILM_MOST_PANELS];
    Progress progress; // of drawing, which begins when the output is closed
    int stops;         // stopCount() when drawing begins
    Scale stretch;     // with the ends that were asked for, and their labels
    char ends[2][16];
} Output;

// What a film or picture of a scene is by default.
void initFilmOutput(const snScene* scene, const char* path, FilmDef* def, DrawOptions* draw);

// Opens a film or picture as described: of a scene and its first frame for each panel; output must
// stay where it is. Without a scene (NULL) only surfaces can be drawn.
snStatus openFilmOutput(const snScene* const* scenes, const snFrame* const* frames,
                        const FilmDef* def, const DrawOptions* draw, bool quiet, Output* output,
                        snMessage* why);

// Opens a file by its extension; `how` counts for the library's formats.
snStatus openOutput(const snHost* host, const snScene* scene, const snFrame* frame,
                    const char* path, const snSinkDef* how, bool quiet, Output* output,
                    snMessage* why);

// Adds a frame for each panel to a film or picture, due or not.
snStatus drawOutput(Output* output, const snFrame* const* frames, snMessage* why);

// Appends a frame; to a film or picture only when one is due.
snStatus writeOutput(Output* output, const snFrame* frame, snMessage* why);

// Finishes the file. On failure none appears. A second Ctrl-C gives up a film.
snStatus closeOutput(Output* output, snMessage* why);

// Says on stdout what was written; single: one frame alone was asked for.
void printWritten(const Output* output, const char* path, bool single);

// Leaves no file.
void abortOutput(Output* output);

#endif
