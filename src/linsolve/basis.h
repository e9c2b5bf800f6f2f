// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Few shapes for many frames: principal components of vectors that come one after the other, of
// which only a few are kept at a time (sequential Karhunen-Loeve: Levy and Lindenbaum 2000). With
// the components so far as rows c, each as long as it is strong, and a block of frames x,
//
//   A = (c; x),  A A' = V L V',  c = the first rows of V' A
//
// Rows stay orthogonal, c_i.c_i = L_i. What is lost is what the weakest rows held; more rows are
// kept than are wanted, so that this is little. The same bits for any number of threads.
#ifndef SN_LINSOLVE_BASIS_H
#define SN_LINSOLVE_BASIS_H

#include "base/memory.h"
#include "base/tasks.h"

SN_BEGIN_C

#define SN_BASIS_BLOCK 32 // frames
#define SN_BASIS_EXTRA 8  // rows that are kept besides those that are wanted

typedef struct snBasis {
    snTasks* tasks; // not owned
    size_t width;   // numbers of a frame
    int32_t wanted; // rows
    int32_t count;  // rows that are components, strongest first
    int32_t filled; // rows, with the frames after them
    float** rows;   // (wanted + SN_BASIS_EXTRA + SN_BASIS_BLOCK), each (width)
    // workspace
    double *gram, *vectors, *partial;
} snBasis;

// Memory is the arena's; false when there is none.
bool snBasis_Build(snBasis* basis, snArena* arena, snTasks* tasks, size_t width, int32_t wanted);

// One more frame
void snBasis_Add(snBasis* basis, const float* frame);

// At the end: `count` is at most what was wanted, fewer if frames are combinations of fewer.
void snBasis_Finish(snBasis* basis);

// Sum of products, vectorised and yet the same everywhere
double snBasis_Dot(const float* a, const float* b, size_t count);

SN_END_C

#endif
