// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What is inside of flesh, as something to draw: cells, nodes, masses.
#ifndef SINEW_APPS_CLI_DRAW_FLESH_H
#define SINEW_APPS_CLI_DRAW_FLESH_H

#include "cli/cage.h"

#include <render/draw.h>

// Of bones inside flesh, and of what is fixed to them.
Colour boneColour(int32_t bone);

// What shares of a cell mean in paintFill.
extern const Scale FILL_SCALE;

// All take the nodes where they are in the picture, xyz.

// The outside of the cells as lines, on faces if these have an opacity.
void paintCage(const Cage* cage, const float* nodes, int32_t node_count, Colour faces,
               DrawList* list);

// All nodes; those fixed to bones are large and have their bone's colour.
void paintNodes(const snFleshInfo* flesh, const float* nodes, DrawList* list);

// The outside of the cells, coloured by how much of each holds material.
void paintFill(const snFleshInfo* flesh, const Cage* cage, const float* nodes, float opacity,
               DrawList* list);

// A sphere per node, its volume as the node's mass; together they have a quarter of the body's, so
// that they do not touch where cells are full.
void paintMass(const snFleshInfo* flesh, const float* nodes, DrawList* list);

#endif
