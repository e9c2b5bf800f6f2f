// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Inside or outside by the generalised winding number, for any set of triangles.
//
// w(q) is the sum of the solid angles that the triangles fill seen from q, over 4 pi (Jacobson,
// Kavan & Sorkine-Hornung 2013). Inside a closed surface it is 1, outside 0; holes, gaps and
// self-intersections only blur it; where shells overlap it is 2 and more. Far triangles count in
// groups by a multipole expansion (Barill, Dickson, Schmidt, Levin & Jacobson 2018).
//
// Inside means |w| > 1/2. So a surface that is inside out is as solid as a right one (its volume,
// snSurfaceFacts.volume, is negative: warn), and so are separate shells of either orientation; a
// shell turned inwards within another is a cavity, as modellers mean it.
#ifndef SN_GEOM_WINDING_H
#define SN_GEOM_WINDING_H

#include "base/tasks.h"
#include "geom/bvh.h"

SN_BEGIN_C

// Far field of a node, about its centre c, over 4 pi, lengths in units of `reach`: the moments of
// the triangles' normals, of which only the symmetric traceless parts act.
typedef struct snWindingNode {
    double cx, cy, cz;              // area-weighted centroid
    double far_sq;                  // the expansion holds beyond this distance, squared
    double reach;                   // the farthest corner from the centre
    double x, y, z;                 // integral of n
    double xx, yy, xy, xz, yz;      // of n_i y_j; zz = -xx - yy
    double xyy, xzz, yxx, yzz, zxx, // of n_i y_j y_k; xxx = -xyy - xzz, ...
        zyy, xyz;
    int32_t first, count; // as snBvhNode
} snWindingNode;

typedef struct snWinding snWinding;

#define SN_WINDING_LANES 8

// Winding numbers at 8 points, in the tree's own lengths.
typedef void snWindingBlockFcn(const snWinding* winding, const double* x, const double* y,
                               const double* z, double* w);

// The tree's lengths: p -> unit (p - origin), with a power of two that makes the body about 1
// large.
struct snWinding {
    snVec3 origin;
    double unit;
    int32_t node_count;
    int32_t triangle_count;
    snWindingNode* nodes;
    double* corner;           // xyz of the triangles as the leaves list them; (9 triangle_count)
    snWindingBlockFcn* block; // for the host's instruction set
};

// The surface is not needed afterwards.
snStatus snWinding_Build(snArena* arena, const snSurface* surface, snWinding* winding,
                         snMessage* why);

// Within 1e-2 of snWinding_Exact, usually 2e-3.
double snWinding_At(const snWinding* winding, snVec3 q);

// Every triangle's solid angle: the reference.
double snWinding_Exact(const snSurface* surface, snVec3 q);

// Winding numbers of many points, each the same as snWinding_At gives; nearby points are visited
// together, which is many times faster. tasks may be NULL. Fails only for lack of memory.
snStatus snWinding_Batch(const snWinding* winding, const snVec3* q, int64_t count, double* w,
                         const snHost* host, snTasks* tasks, snMessage* why);

// w of any surface, closed or not, made a yes or no.
SN_FN bool snWinding_IsInside(double w)
{
    return fabs(w) > 0.5;
}

SN_END_C

#endif
