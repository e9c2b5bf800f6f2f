// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A moving surface as few shapes: x(f) = base + sum over k of weight(k, f) shape(k).
#ifndef SN_IO_SINK_MORPH_H
#define SN_IO_SINK_MORPH_H

#include "base/memory.h"

// Vectors of a frame or shape: positions xyz of all vertices, then normals xyz of all.
#define SN_MORPH_WIDTH 6

typedef struct snMorph {
    // given
    int32_t frame_count;
    int32_t vertex_count;
    float**
        frames; // frame 0 becomes the base, others what shapes miss; (frame_count, 6 vertex_count)

    // found
    int32_t shape_count;
    float** shapes;  // differences from the base; (shape_count, 6 vertex_count)
    float** weights; // in 0..1; (shape_count, frame_count). NULL: shape k is frame k + 1
    double error;    // largest distance of a vertex from where it was, m; 0 without weights
} snMorph;

// Finds shapes, not many more than the fewest, so that no vertex of any frame is further than
// `error` (m) from where it was, besides rounding to float. Error 0, or an
// error that takes as many shapes as there are frames: every frame is a shape. The same bits for
// any number of threads. Memory comes from the arena.
snStatus snMorph_Fit(snMorph* morph, snArena* arena, double error, snMessage* why);

// The weight of a shape at a frame.
float snMorph_Weight(const snMorph* morph, int32_t shape, int32_t frame);

#endif
