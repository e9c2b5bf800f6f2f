// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of frames, and frames of shapes. With the shapes s of a span and their mean c, the weights
// of a frame x are those of least squares, and so are the shapes' normals over the weights of all
// frames, the mean's 1:
//
//   w = (s s')^-1 s (x - c),   normals = (sum w w')^-1 sum w n'
#ifndef SN_IO_BAKE_FIT_H
#define SN_IO_BAKE_FIT_H

#include "io/baker.h"

#define SN_BAKE_SPAN_MOST 64 // shapes of a span

// Spans with the same shapes
typedef struct snBakeFit {
    snBaker* b;
    snBakeShapes* shapes;
    double error, sum;                                // largest, m; sum of squares, m^2
    double L[SN_BAKE_SPAN_MOST * SN_BAKE_SPAN_MOST];  // of s s', without the mean
    double mean[SN_BAKE_SPAN_MOST];                   // s c
    double ww[SN_BAKE_SPAN_MOST * SN_BAKE_SPAN_MOST]; // sum w w'
    double* normals;                                  // sum w n'; (count, moving_count, 3)
    // the frame
    double dots[SN_BAKE_SPAN_MOST];
    float w[SN_BAKE_SPAN_MOST];
} snBakeFit;

snStatus snBakeFit_Start(snBakeFit* fit, snBaker* b, snBakeShapes* shapes, snArena* arena);

// Weights of a span, which are allocated, until the error is above `most`. snBaker_BeginClip was
// called.
snStatus snBakeFit_Span(snBakeFit* fit, const snBakeClip* c, snBakeSpan* span, double most,
                        snArena* arena);

// Normals of shapes by what was summed up
void snBakeFit_Normals(snBakeFit* fit);

// Mean and principal shapes, at most `most`, of all clips, or of a span's frames
snStatus snBaker_FindShared(snBaker* b);
snStatus snBaker_FindShapes(snBaker* b, const snBakeClip* c, const snBakeSpan* span, int32_t most,
                            snBakeShapes* out, snArena* arena);

#endif
