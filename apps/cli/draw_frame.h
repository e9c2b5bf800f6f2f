// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A frame of a simulation as something to draw.
#ifndef SINEW_APPS_CLI_DRAW_FRAME_H
#define SINEW_APPS_CLI_DRAW_FRAME_H

#include <render/draw.h>
#include <sinew/sinew.h>

// What of a frame is drawn.
typedef struct DrawOptions {
    bool surface; // the skin
    bool bones;
    bool mesh; // the coarse mesh inside
} DrawOptions;

// The words of --show, separated by commas: surface, bones, mesh. False: there is another one.
bool readDrawOptions(const char* text, DrawOptions* options);

// Adds what the options ask for to an empty list.
void buildDrawList(const snFrame* frame, const snScene* scene, const DrawOptions* options,
                   DrawList* list);

#endif
