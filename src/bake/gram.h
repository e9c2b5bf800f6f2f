// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Products of a clip's frames with each other, each made once, and the principal shapes of any span
// of them. With the frames x of a span as rows, less their mean, and the strongest eigenvectors V
// of x x', shapes s and weights w are
//
//   s = V' x,  w = V
//
// and V V' x is what they show: the best that so many shapes can do in the mean. A span needs no
// pass over its frames but the one that makes s.
#ifndef SN_BAKE_GRAM_H
#define SN_BAKE_GRAM_H

#include "base/memory.h"
#include "base/tasks.h"

typedef struct snBakeGram {
    snTasks* tasks;      // not owned
    size_t width;        // numbers of a frame
    int32_t count;       // frames
    int32_t band;        // of these, that a span may have
    const float** rows;  // frames, if they are there; the caller fills them; (count)
    double* products;    // of frame i with i - k; (count, band)
    int32_t* from;       // the first frame that i has its product with; (count)
    int32_t begin, next; // what is being added
} snBakeGram;

// What is principal in a span of n frames
typedef struct snBakePrincipal {
    int32_t count;   // of shapes, strongest first
    double* weights; // eigenvectors, of unit length; (count, n)
    double* left;    // of each frame, squared; (n)
} snBakePrincipal;

// longest: frames of a span at most. Memory is the arena's; false when there is none.
bool snBakeGram_Build(snBakeGram* gram, snArena* arena, snTasks* tasks, size_t width, int32_t count,
                      int32_t longest);

// Frames begin .. end - 1, whose rows are there, get the products that they do not have yet.
void snBakeGram_Add(snBakeGram* gram, int32_t begin, int32_t end);

// At most `most` shapes of frames that were added; fewer if frames are combinations of fewer.
bool snBakeGram_Find(const snBakeGram* gram, int32_t begin, int32_t end, int32_t most,
                     snArena* arena, snBakePrincipal* out);

#endif
