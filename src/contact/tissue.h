// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Soft bodies as something to be touched: which points lie inside the deformed body, how deep, and
// which way is out.
//
// By the material: the cell that holds a point takes it back to the rest shape, where the signed
// distance phi to the surface is known. With F the cell's deformation gradient and g the unit
// gradient of phi, the nearest way out in the deformed body is, to first order,
//
//   n = F^-T g / |F^-T g|,  depth = -phi / |F^-T g|
//
// which is exact for affine maps and flat surfaces.
#ifndef SN_CONTACT_TISSUE_H
#define SN_CONTACT_TISSUE_H

#include "base/tasks.h"
#include "contact/view.h"
#include "geom/bvh.h"
#include "geom/distance_field.h"
#include "math/mat.h"
#include <string.h>

SN_BEGIN_C

#define SN_TISSUE_LANES 16

// Boxes of up to 16 cells side by side, so that a few instructions test them all; m. Lanes without
// a cell are empty boxes.
typedef struct snTissueBlock {
    SN_ALIGN(SN_ALIGNMENT) float lo[3][SN_TISSUE_LANES];
    float hi[3][SN_TISSUE_LANES];
} snTissueBlock;

// The cells of a block.
typedef struct snTissueCorners {
    int32_t count;
    int32_t cell[SN_TISSUE_LANES];
    int32_t node[SN_TISSUE_LANES][4];
} snTissueCorners;

// Nodes of the two trees, points and cells, that do not touch at rest, or leaves with strangers.
typedef struct snTissuePair {
    int32_t point, cell;
    uint32_t lanes; // of a leaf of cells: those that reach far enough from the points at rest, or
                    // are strangers to one of them
    bool strange;
} snTissuePair;

// Parts of a body, each as large as a limb or smaller: what lies below some nodes of one of its
// trees. How far a part is from moving as one is told by the nodes of the flesh that it hangs on.
typedef struct snTissueParts {
    int32_t count;
    const int32_t* of;    // of a node of the tree, -1: it is in more than one; (tree.node_count)
    const int32_t* begin; // (count + 1)
    const int32_t* nodes; // of part i: begin[i] .. begin[i + 1] - 1
    const float* reach;   // how much farther than those its points may move, >= 1; (count)
} snTissueParts;

// The pairs of the front between two parts.
typedef struct snTissueRun {
    int32_t point, cell; // parts
    int32_t first, count;
} snTissueRun;

// Of a leaf of cells some lanes.
typedef struct snTissueKin {
    int32_t block, cell; // cell: node of the tree
    uint32_t lanes;
} snTissueKin;

// The cells that are strangers to the contact points that are tied to one cell.
typedef struct snTissueGroup {
    int32_t stranger, stranger_count; // of strangers, by block
} snTissueGroup;

// Immutable, per character; everything lies in the arena given to snTissue_Build.
typedef struct snTissue {
    snFleshView flesh;
    snDistanceField field; // of the rest surface
    double reach;          // the greatest depth at rest, m
    double size;           // diagonal of its box at rest, m
    double apart; // self contact: places closer than this at rest do not feel each other, m, but
                  // for strangers
    const snVec3* point_rest;   // where contact points are at rest, m; (flesh->point_count)
    const snVec3* point_normal; // out of their own part there, unit; (flesh->point_count)
    // how thick the body is there at rest: half the way from skin to skin along the normal, m
    const float* point_thickness; // (flesh->point_count)
    const float* cell_thickness;  // (tet_count)
    double thickness;             // mean over the surface, m

    // cells that come near the surface of another part of the body, which is none of theirs, have
    // the distance to their own part on a piece of the grid
    const int32_t* patch_of; // -1 if a cell has none; (tet_count)
    int32_t patch_count;
    const snDistanceField* patches;

    // trees of the rest shape: the leaves of cells are blocks of up to 16, those of points short
    // runs of point_tree.order
    snBvh cell_tree;
    int32_t block_count;
    const int32_t* block_of;         // of a leaf; (cell_tree.node_count)
    const snTissueCorners* corners;  // (block_count)
    const snTissueBlock* rest_boxes; // (block_count)
    snBvh point_tree;
    const snTie* ties; // in the tree's order; (point_count)
    // self contact: of all points with all cells that are or reach far enough from each other at
    // rest, the largest groups that do not touch then, and leaves with strangers; run by run
    snTissueParts point_parts, cell_parts;
    int32_t front_count;
    const snTissuePair* front;
    int32_t run_count;
    const snTissueRun* runs;
    // strangers: cells that are closer than `apart` at rest, but not through the flesh
    const int32_t* home; // of a cell: its block, times 16, and lane; (tet_count)
    int32_t group_count;
    const snTissueGroup* groups;
    const int32_t* group_of; // of a point, -1: it has no strangers; (point_count)
    const snTissueKin* strangers;
    const float* sunk; // how deep points are in strangers at rest, m; (point_count)
} snTissue;

// What the view shows must outlive it; the surface is the one that the flesh was built around.
snStatus snTissue_Build(snArena* arena, const snFleshView* flesh, const snSurface* surface,
                        snTissue* tissue, snMessage* why);

// Steps of building: `patches`, from the surface without what lies inside the body, strangers,
// `parts`, and `front`, when all else is there.
snStatus snTissue_BuildPatches(snArena* arena, snTissue* tissue, const snSurface* surface,
                               snMessage* why);
snStatus snTissue_BuildStrangers(snArena* arena, snTissue* tissue, snMessage* why);
snStatus snTissue_BuildParts(snArena* arena, snTissue* tissue, snMessage* why);
snStatus snTissue_BuildFront(snArena* arena, snTissue* tissue, snMessage* why);

// A point inside the body.
typedef struct snTissueHit {
    int32_t cell;
    float weight[4]; // of the cell's nodes
    snVec3 rest;     // where in the rest shape, m
    snVec3 foot;     // the nearest place of the rest surface, m
    snVec3 normal;   // unit, outwards, deformed
    double depth;    // m, deformed, > 0
} snTissueHit;

// x: node positions relative to the actor's origin, as p is. True when the cell holds p and p is
// inside the body. Cells that are inside out or nearly flat hold nothing.
bool snTissue_Probe(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p,
                    snTissueHit* hit);

// The same for a contact point of the body itself: not in flesh that is around it at rest, and only
// as much deeper as it is than at rest.
bool snTissue_ProbeOwn(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p,
                       int32_t point, snTissueHit* hit);

// For a p that no probe found inside: whether it is at most `most` away from the body by this cell,
// which is at most `most` away itself and goes on beyond its faces. hit->depth is less than 0 or 0
// then: the gap; off: how far p is from the cell, m. Distances are known up to two samples of the
// field outside. own: p is this contact point of the body itself; else -1.
bool snTissue_ProbeNear(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p,
                        int32_t own, double most, snTissueHit* hit, double* off);

// How far p and the cell have to move in all before a probe may find something, m; infinite when
// that is more than `way`. own: p is this contact point of the body itself, and the cell is no
// stranger to it; else -1.
double snTissue_Clear(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p, int32_t own,
                      double way);

// Lanes of a block with cells that are strangers to a contact point.
uint32_t snTissue_StrangersIn(const snTissue* tissue, int32_t point, int32_t block);

// The way out of the body at a contact point, deformed, unit; none where its cell is inside out or
// nearly flat: such points do not feel their own body.
snVec3 snTissue_Normal(const snTissue* tissue, const snVec4f* x, int32_t point);

// Skin -------------------------------------------------------------------------

// A place on the skin, by the cell that holds it or is next to it.
typedef struct snSkinPlace {
    int32_t cell;
    float weight[4]; // of the cell's nodes
} snSkinPlace;

// A place of the rest surface, by a cell.
snSkinPlace snTissue_Foot(const snTissue* tissue, int32_t cell, snVec3 rest);

// Where the skin is now, and which way it looks. Also right where the cell is flat or inside out;
// the normal is 0 where there is none.
snVec3 snTissue_Skin(const snTissue* tissue, const snVec4f* x, const snSkinPlace* skin,
                     snVec3* normal);

// Weights of p as if the cell had no end. False when it is too flat to tell.
bool snTissue_Weights(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p,
                      float weight[4]);

// Whether weights belong to a place outside the body at rest.
bool snTissue_IsOutside(const snTissue* tissue, int32_t cell, const float weight[4]);

// Where a point that moves by `way` against the cell that it is in entered the body: the hit's foot
// becomes that place. False when it has not entered on this way.
bool snTissue_Entered(const snTissue* tissue, const snVec4f* x, snVec3 way, snTissueHit* hit);

// Four lanes, of which the last is not used: compilers make vectors of them.
static inline snVec3 snTie_Blend(const snTie* tie, const snVec4f* a)
{
    double sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < 4; ++k) {
        float p[4];
        memcpy(p, &a[tie->node[k]], sizeof p);
        for (int lane = 0; lane < 4; ++lane) {
            sum[lane] += (double)tie->weight[k] * (double)p[lane];
        }
    }
    return snV3(sum[0], sum[1], sum[2]);
}

// Trees ------------------------------------------------------------------------

typedef struct snTissueBox {
    snVec4f lo, hi; // m
} snTissueBox;

// How a part of a body has moved since the last list: as one, X -> R X + t, but for `off`.
typedef struct snPartMotion {
    snMat3 R;
    snVec3 t;
    snVec3 middle;      // of its nodes then, m
    double radius;      // around it
    double off;         // m
    double way;         // against the whole body, m
    double least, most; // margins of its nodes now, m
} snPartMotion;

// Boxes of the deformed cells and contact points, enlarged by a margin, so that they hold until
// something has moved by it. A workspace per actor, not part of its state.
typedef struct snTissueTree {
    float* margins;           // of nodes, m; whoever refits it by them sets them; (node_count)
    float margin, least;      // the largest and the least of them, m
    snTissueBlock* blocks;    // of cells; (block_count)
    snTissueBox* cell_nodes;  // of the tree; (cell_tree.node_count)
    snVec4f* points;          // places, and margins as w; in the tree's order; (point_count)
    snTissueBox* point_nodes; // (point_tree.node_count)
    // self contact: how parts have moved from list to list, and how far two of them can have come
    // nearer to each other by that since snTissueTree_Forget, m
    bool recalls;  // there was a list since then
    snVec4f* seen; // nodes at the last list, relative to the actor's origin
    snPartMotion *point_parts, *cell_parts; // (parts)
    double* closed;                         // (run_count)
    double travel;                          // the most of them
    // how far that is when a pair of the front can touch, m, and the least of a run
    float* clear;   // (front_count)
    float* soonest; // (run_count)
    int64_t tries;  // pairs of points and cells that the last list looked at closely
} snTissueTree;

// Takes the memory; the arena's failed flag tells.
void snTissueTree_Push(snTissueTree* tree, const snTissue* tissue, snArena* arena);

// x: node positions relative to the actor's origin. At most a quarter of a cell is a good margin:
// with more, bodies at rest begin to touch themselves.
void snTissueTree_Refit(snTissueTree* tree, const snTissue* tissue, const snVec4f* x, float margin);

// The same with tree->margins: what is slow may have less, so that its boxes hold as long as those
// of what is fast. tasks: threads share large bodies; may be NULL.
void snTissueTree_RefitEach(snTissueTree* tree, const snTissue* tissue, const snVec4f* x,
                            snTasks* tasks);

// For the next snTissueTree_NearSelf nothing is known.
void snTissueTree_Forget(snTissueTree* tree, const snTissue* tissue);

// Around all of it, enlarged, relative to the actor's origin.
snBox snTissueTree_Box(const snTissueTree* tree);

// Cells whose enlarged boxes come within `reach` of p (as floats) along every axis. Returns how
// many there are; when they are more than the capacity only the first that were met are written.
int32_t snTissueTree_Cells(const snTissueTree* tree, const snTissue* tissue, snVec3 p, double reach,
                           int32_t* cells, int32_t capacity);

// A point that looks for cells that may hold it.
typedef struct snTissueQuery {
    const snVec4f* x; // nodes as they are now
    snVec3 place;     // the point, relative to the actor's origin, m
    snVec3 shift;     // of the whole body since the tree was refitted, m
    double reach;     // boxes come so near, m
    double way;       // by which the point and cells may yet move in all, m
    int32_t own;      // a contact point of the same body: flesh around it does not count; else -1
} snTissueQuery;

// As above, of cells that may hold the point: few, even where flesh is crushed and boxes lie in
// each other. clear: how far it is from that in each, m.
int32_t snTissueTree_Holders(const snTissueTree* tree, const snTissue* tissue,
                             const snTissueQuery* query, int32_t* cells, float* clear,
                             int32_t capacity);

// The two below list contact points, ascending, each once, and return how many. `points` must
// have room for all of the body's, flesh->point_count, whatever the result.

// Points of a whose enlarged boxes come within `reach` of enlarged boxes of b's cells. shift:
// origin of a less origin of b, m.
int32_t snTissueTree_PointsNear(const snTissueTree* a, const snTissue* ta, const snTissueTree* b,
                                const snTissue* tb, snVec3 shift, double reach, int32_t* points);

// Points of a whose enlarged boxes meet any of the boxes, which are relative to the actor's origin.
int32_t snTissueTree_PointsInBoxes(const snTissueTree* a, const snTissue* ta, const snBox* boxes,
                                   int32_t box_count, int32_t* points);

// A point of one body and a cell of a soft one that may touch, but not before both have moved this
// far in all; cell -1: ask the tree.
typedef struct snNear {
    int32_t point, cell;
    float clear; // m
} snNear;

// Sorted by point.
typedef struct snNearList {
    int32_t count;
    snNear* pairs;
    bool asks; // some points ask the tree
} snNearList;

// Pairs of the body's contact points and those of its cells that may hold them until something has
// moved by its margin: cells that are, or reach, at least tissue->apart
// away at rest, and strangers. x: as it was refitted. Not those of which is known that they cannot
// touch yet. The list has room for `capacity`; half of that is used. False when it is too little:
// counts are right then, the list is not. counts: how many pairs points have; (flesh->point_count),
// used up otherwise. tasks: threads share the search of large bodies, and the list is the same; may
// be NULL.
bool snTissueTree_NearSelf(snIsa isa, snTasks* tasks, snTissueTree* tree, const snTissue* tissue,
                           const snVec4f* x, snNearList* near, int32_t capacity, int32_t* counts);

SN_END_C

#endif
