// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A frame of a simulation as something to draw.
#ifndef SINEW_APPS_CLI_DRAW_FRAME_H
#define SINEW_APPS_CLI_DRAW_FRAME_H

#include "cli/cage.h"
#include "cli/hide.h"
#include "cli/solid.h"

#include <render/draw.h>
#include <sinew/sinew.h>

// What of a frame is drawn. A surface with something inside it can be looked through. A character
// that has nothing of what is asked for is drawn by what it has. Obstacles are always drawn.
typedef struct DrawOptions {
    bool surface; // the skin
    bool wire;    // its triangles
    bool stretch; // coloured by how much the flesh below is stretched
    bool bones;
    bool mesh;        // the coarse mesh that carries it
    bool fill;        // coloured by how much of each cell holds material
    bool mass;        // of nodes, as spheres
    bool contacts;    // forces, as arrows
    double low, high; // stretches at the ends of the scale, low < 1 < high; 0 = 0.7 and 1.4
} DrawOptions;

// The words of --show, separated by commas, which are the names of the options. False: there is
// another one.
bool readDrawOptions(const char* text, DrawOptions* options);

// The words, for people.
extern const char DRAW_WORDS[];

// Whether it takes a scene to draw all that is asked for: an animation has surfaces alone.
bool needsScene(const DrawOptions* options);

// What colours mean: fills in scales, NULL for none.
void listScales(const DrawOptions* options, const Scale* scales[2]);

// What a character keeps between frames.
typedef struct PaintedBody {
    bool has_cage, has_hide;
    Cage cage;
    Hide hide;
} PaintedBody;

// Turns frames of a scene into draw lists. Without a scene (NULL) only surfaces can be drawn.
typedef struct FramePainter {
    const snScene* scene;
    DrawOptions show;
    snVec3 origin; // of the pictures in the world, m: coordinates in pictures are floats

    // made when first drawn
    int32_t body_count, solid_count;
    PaintedBody* bodies; // (body_count)
    Solid* solids;       // of obstacles; (solid_count)
} FramePainter;

// Adds a frame to an empty list.
void paintFrame(FramePainter* painter, const snFrame* frame, DrawList* list);

// What the painter keeps between frames.
void freePainter(FramePainter* painter);

#endif
