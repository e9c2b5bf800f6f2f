// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A frame of a simulation as something to draw.
#ifndef SINEW_APPS_CLI_DRAW_FRAME_H
#define SINEW_APPS_CLI_DRAW_FRAME_H

#include "cli/cage.h"

#include <render/draw.h>
#include <sinew/sinew.h>

// What of a frame is drawn. A surface with bones or mesh can be looked through. A character that
// has nothing of what is asked for is drawn by what it has.
typedef struct DrawOptions {
    bool surface; // the skin
    bool bones;
    bool mesh; // the coarse mesh that carries it
} DrawOptions;

// The words of --show, separated by commas: surface, bones, mesh. False: there is another one.
bool readDrawOptions(const char* text, DrawOptions* options);

// Turns frames of a scene into draw lists.
typedef struct FramePainter {
    const snScene* scene;
    DrawOptions show;
    snVec3 origin; // of the pictures in the world, m: coordinates in pictures are floats
    Cage* cages;   // made when first drawn; (number of characters)
} FramePainter;

// Adds a frame to an empty list.
void paintFrame(FramePainter* painter, const snFrame* frame, DrawList* list);

// What the painter keeps between frames.
void freePainter(FramePainter* painter);

#endif
