// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig's mesh instances as one mesh. Files repeat a vertex wherever texture or material changes;
// copies that are at one place and follow the same joints become one, so that seams cannot open.
// What then hangs together is a shell: a body, a coat, an eye, a button.
#ifndef SN_RIG_WELD_H
#define SN_RIG_WELD_H

#include "geom/surface.h"
#include "rig/rig.h"

#define SN_WELD_DISTANCE 1e-6  // of the rig's size: what is at one place
#define SN_WELD_INFLUENCE 0.02 // sum of |w_a - w_b| over all nodes: what follows the same joints

// A shell is small when its longest side is at most this part of the whole rig's, and
#define SN_SHELL_SIDE 0.15
// it encloses at most this part of what the shell that encloses most does.
#define SN_SHELL_VOLUME 0.02

typedef struct snRigShell {
    int32_t vertex_count;   // welded ones
    int32_t triangle_count; // without degenerate ones
    int32_t open_edges;     // with one triangle
    snBox box;
    double area;
    double volume; // signed, by the divergence theorem; of an open shell it depends on where it is
    double enclosed; // where the winding number of the shell is inside, holes or not: of closed
                     // shells |volume|, of others by sampling, to about a hundredth of its box
    bool is_small;   // an eye, a tooth, a button
} snRigShell;

// Everything is in the pose it was made in, in the world; it lies in the arena it was made with.
typedef struct snRigWeld {
    int32_t instance_count;
    const int32_t* first; // vertex of each instance among those of all; (instance_count + 1)
    const int32_t* first_triangle; // likewise; (instance_count + 1)
    const int32_t* map;            // from all instances' vertices to welded ones
    const int32_t* origin;         // of each welded vertex, the first that it was; (vertex_count)
    snSurface surface;             // welded vertices, all triangles in their order
    int32_t shell_count;
    const int32_t* shell;     // of each welded vertex; -1: no triangle has it; (vertex_count)
    const snRigShell* shells; // in the order of their first vertices; (shell_count)
} snRigWeld;

// nodes: the pose in which places are compared, of all nodes in the world; NULL: the nodes' own.
snStatus snRigWeld_Build(snArena* arena, const snRig* rig, const snMatrix* nodes, snRigWeld* out,
                         snMessage* why);

#endif
