// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The outside of a coarse mesh: what is drawn of thousands of cells so that a person can read it.
#ifndef SINEW_APPS_CLI_CAGE_H
#define SINEW_APPS_CLI_CAGE_H

#include <sinew/character.h>
#include <stdbool.h>

typedef struct Cage {
    int32_t triangle_count, edge_count;
    int32_t* triangles; // faces of one cell alone, counter-clockwise from outside; nodes
    int32_t* cells;     // whose each is; (triangle_count)
    int32_t* edges;     // theirs, each once; nodes
} Cage;

// False: no memory.
bool makeCage(const snFleshInfo* flesh, Cage* cage);

void freeCage(Cage* cage);

// The edges of triangles, each once and its lower end first. Returns how many there are; edges has
// room for three a triangle.
int32_t listEdges(const int32_t* triangles, int32_t triangle_count, int32_t* edges);

#endif
