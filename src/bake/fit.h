// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of frames, and frames of shapes. With the shapes s of a span and their mean c, the weights
// of a frame x are those of least squares, and so are the shapes' normals over the weights of all
// frames, the mean's 1:
//
//   w = (s s')^-1 s (x - c),   normals = (sum w w')^-1 sum w n'
#ifndef SN_BAKE_FIT_H
#define SN_BAKE_FIT_H

#include "bake/baker.h"
#include "bake/gram.h"

#define SN_BAKE_SPAN_MOST 64 // shapes of a span

// Mean and principal shapes of all clips
snStatus snBaker_FindShared(snBaker* b);

// Weights of a clip's frames, which are allocated, with the shared shapes
snStatus snBaker_Weigh(snBaker* b, const snBakeClip* c, snBakeSpan* span, snArena* arena);

// Mean and principal shapes, at most `most`, of a span's frames, and their weights. *order: its
// frames, those first that are missed most in the mean; NULL: nobody asks. All are allocated. gram
// is the clip's.
snStatus snBaker_FindShapes(snBaker* b, const snBakeClip* c, snBakeSpan* span, int32_t most,
                            snBakeGram* gram, snArena* arena, int32_t** order);

// By how much a span's shapes and weights miss its frames, m: exactly where that is above `limit`,
// else from above. With an order it ends at the first frame that is.
snStatus snBaker_Judge(snBaker* b, const snBakeClip* c, const snBakeSpan* span,
                       const int32_t* order, double limit, double* error);

// Spans with the same shapes, at the end
typedef struct snBakeFit {
    snBaker* b;
    snBakeShapes* shapes;
    double error, sum;                                // largest, m; sum of squares, m^2
    double ww[SN_BAKE_SPAN_MOST * SN_BAKE_SPAN_MOST]; // sum w w'
    double* normals;                                  // sum w n'; (count, moving_count, 3)
    const float *x, *w;                               // the frame and its weights
} snBakeFit;

snStatus snBakeFit_Start(snBakeFit* fit, snBaker* b, snBakeShapes* shapes, snArena* arena);

// Adds a span with its weights up. snBaker_BeginNormals was called.
snStatus snBakeFit_Span(snBakeFit* fit, const snBakeClip* c, const snBakeSpan* span);

// Normals of shapes by what was summed up
void snBakeFit_Normals(snBakeFit* fit);

#endif
