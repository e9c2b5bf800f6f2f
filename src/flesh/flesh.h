// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Flesh: one discretisation of a body around its skeleton, ready to be stepped.
#ifndef SN_FLESH_FLESH_H
#define SN_FLESH_FLESH_H

#include "elastic/cells.h"
#include "flesh/bind.h"
#include "flesh/embed.h"
#include "flesh/sample.h"
#include "geom/surface.h"
#include <sinew/character.h>

SN_BEGIN_C

// What flesh is built from.
typedef struct snFleshDef {
    const snSurface*
        surface; // of the body at rest, in the character's frame; any soup that winds around it
    const snSkeleton* skeleton; // in its zero pose; may have no bones
    double bone_mass;           // share of the skeleton's own masses that counts; usually 0.1
    int32_t cells;              // wanted number of cells, 1..10,000,000
    double cell_size;           // m; 0 = from `cells`
    const snTets* given;        // cells to use instead of a lattice; NULL = a lattice
    snFleshMaterial material;
    const snRegionDef* regions; // later ones win
    int32_t region_count;
    double strain_damping; // s
    snMaterial law;
    bool general_svd;
    int32_t strata; // samples along each side of a cell, 1..16; usually 4
    snVec3 shift;   // of the lattice, in cells, each -1/2..1/2; usually 0
    snBindDef bind;
    bool floor_masses;   // usually true; false = Kim & Pollard's own treatment, for comparison
    bool fill_stiffness; // usually true; false = stiffness of full cells, for comparison
} snFleshDef;

// Fills the usual values.
void snFleshDef_Init(snFleshDef* def);

// Four nodes and their weights: a surface point, as contact and hosts see it.
typedef struct snTie {
    int32_t node[4];
    float weight[4];
} snTie;

// The bones that a node is damped against; weights sum to 1, unused ones are 0.
typedef struct snDamper {
    int32_t bone[4];
    float weight[4];
} snDamper;

// A node fixed to a bone.
typedef struct snFixedNode {
    int32_t node;
    snVec3 place; // in the bone's frame, m
} snFixedNode;

// What share a block of SN_LANES nodes has in a bone's motion.
typedef struct snShare {
    float weight[SN_LANES]; // 0: none
    int32_t bone;
    uint32_t lanes; // bit by bit: who has one
} snShare;

// What a cell is made of, as contact feels it.
typedef struct snCellMaterial {
    float modulus; // of confined compression, E (1 - nu) / ((1 + nu) (1 - 2 nu)), Pa
    float shear;   // stiffness of a thin layer across, as a part of that along its normal
    float density; // kg/m^3
} snCellMaterial;

// Immutable; everything lies in the arena given to snFlesh_Build, but for the skeleton.
typedef struct snFlesh {
    double cell;           // side of the lattice's cubes, or mean edge of given tets, m
    snTets tets;           // cells with material, nodes with mass
    const double* fill;    // (tets.tet_count)
    const double* mass;    // floored, kg; (tets.node_count)
    double volume;         // of the body, m^3
    double error;          // one standard deviation of the volume, relative
    snFloorChange floored; // what flooring the masses changed
    snBinding binding;     // nodes to bones
    snEmbedding embedding; // surface points in cells
    const snCells* cells;  // what computes elastic forces
    snStableStep step; // s; fixed nodes as if free, which is safe: fixing them lowers frequencies

    snSkeleton* skeleton; // share of the bones' own masses, fixed nodes' masses merged; owned

    // nodes; the first three are followed by zeros up to whole blocks of SN_LANES
    const float* node_mass;    // kg; (node_count)
    const float* inverse_mass; // 1/kg, 0 for fixed nodes; (node_count)
    const float* damping;      // 1/s, 0 for fixed nodes; (node_count)
    const snDamper* dampers;   // (node_count)
    // the same for free nodes, block by block, by ascending bone: those of block k are
    // shares[share_begin[k] .. share_begin[k + 1] - 1]. Without bones each node has the whole of
    // bone 0.
    const int32_t* share_begin; // (blocks + 1)
    const snShare* shares;
    // bones: their nodes, ascending, those of bone b at begin[b] .. begin[b + 1] - 1
    const int32_t* fixed_begin; // (bone_count + 1)
    const snFixedNode* fixed;   // (binding.fixed_count)
    // surface points: the vertices first, then those that contact sees besides
    int32_t vertex_count, point_count;
    const snTie* ties;       // (point_count)
    const float* point_area; // that a point stands for, m^2; (point_count)
    // cells
    const snCellMaterial* materials; // (tets.tet_count)
} snFlesh;

// Builds a lattice of about def->cells cells around the surface (or takes the given cells), drops
// cells without material, gives separate parts in one cell their own copies, samples masses, binds,
// embeds. Fails with what to do when the body is empty or too thin for the cells. On success the
// caller releases out->skeleton.
snStatus snFlesh_Build(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why);

// The second half of that: `out` has its mesh (what snMesh_Build fills) and gets the rest. A step
// that is there already (step.rest > 0) stays.
snStatus snFlesh_Complete(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why);

// Everything of it that gives a state its meaning.
uint64_t snFlesh_Hash(const snFlesh* flesh, uint64_t hash);

SN_END_C

#endif
