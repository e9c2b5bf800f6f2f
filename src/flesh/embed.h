// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where surface vertices lie in the cells.
#ifndef SN_FLESH_EMBED_H
#define SN_FLESH_EMBED_H

#include "base/memory.h"
#include "flesh/body.h"

SN_BEGIN_C

// One vertex: y = sum weight[k] x[node k of cell] (Kim & Pollard 2011, eq. 8). Weights sum to 1;
// outside all cells one or more are negative (the nearest cell, extrapolated).
typedef struct snEmbedding {
    int32_t* cell;       // (count)
    double (*weight)[4]; // (count)
    int32_t outside;     // vertices outside all cells
    double farthest;     // how far the farthest of them is from its cell, m
} snEmbedding;

// Barycentric weights of a point in a cell; false when it lies outside.
bool snEmbed_Weights(const snTets* mesh, int32_t cell, snVec3 p, double weight[4]);

// How far a point is from a cell, m; 0 inside.
double snEmbed_Gap(const snTets* mesh, int32_t cell, snVec3 p);

// Embeds points of the rest shape. Arrays come from the arena.
snStatus snEmbed_Points(snArena* arena, const snTets* mesh, const snVec3* points, int32_t count,
                        snEmbedding* out, snMessage* why);

SN_END_C

#endif
