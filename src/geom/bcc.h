// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The body-centred cubic tet lattice: the corners and the centres of a grid of cubes. Each pair of
// cubes that share a face has four tets around the line between their centres, one per edge of the
// face. All tets are congruent, of volume cell^3/12, with edges cell and sqrt(3)/2 cell: the best
// shape that fills space (mean ratio 0.95).
#ifndef SN_GEOM_BCC_H
#define SN_GEOM_BCC_H

#include "geom/surface.h"
#include "geom/tets.h"

SN_BEGIN_C

#define SN_BCC_TETS 12 // per cube: 3 axes, 4 edges of the face

// Cubes are numbered x first. Nodes: first all corners, then all centres. Tets: 12 cube + 4 axis +
// edge, with numbers left unused where the cube has no neighbour.
typedef struct snBcc {
    snVec3 origin;      // the lowest corner; m
    double cell;        // side of a cube; m
    int32_t nx, ny, nz; // cubes
} snBcc;

// A lattice whose tets cover the box. shift moves it, in cells, each -1/2 .. 1/2. Fails when there
// would be more than 2^26 cubes.
snStatus snBcc_Cover(snBox box, double cell, snVec3 shift, snBcc* lattice, snMessage* why);

int64_t snBcc_CubeCount(const snBcc* lattice);
int64_t snBcc_NodeCount(const snBcc* lattice);
int64_t snBcc_TetCount(const snBcc* lattice); // numbers, used or not

snVec3 snBcc_Node(const snBcc* lattice, int64_t node);

// The four nodes of a tet, positive volume; false for an unused number.
bool snBcc_Tet(const snBcc* lattice, int64_t tet, int64_t node[4]);

// The nodes of all tets numbered 12 cube .. 12 cube + 11: eight corners, the centre, up to three
// centres of the cubes after it. Returns how many.
int snBcc_Cube(const snBcc* lattice, int64_t cube, int64_t node[12]);

// The tet that holds p (one of them on their faces), or -1.
int64_t snBcc_Locate(const snBcc* lattice, snVec3 p);

// The tets with keep[tet] != 0, and the nodes they use, both in the lattice's order. origin_of[i],
// when not NULL, becomes the lattice number of tet i.
snStatus snBcc_Extract(snArena* arena, const snBcc* lattice, const uint8_t* keep, snTets* out,
                       int64_t** origin_of, snMessage* why);

SN_END_C

#endif
