// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Flesh as contact sees it: points on nodes, and cells that are tets on the same nodes. What has
// other cells shows them as tets.
#ifndef SN_CONTACT_VIEW_H
#define SN_CONTACT_VIEW_H

#include "flesh/flesh.h"

typedef struct snFleshView {
    // contact points
    int32_t vertex_count, point_count; // the surface's vertices come first
    const snTie* ties;                 // (point_count)
    const int32_t* cell_of;            // tet that a point is tied to; (point_count)
    const float* area;                 // that a point stands for, m^2; (point_count)
    // nodes and cells
    snTets tets;                     // at rest
    double cell;                     // size of a cell, m
    const snCellMaterial* materials; // (tet_count)
    const float* node_mass;          // kg; (node_count)
    const float* inverse_mass;       // 1/kg, 0 for nodes that bones hold; (node_count)
    const int32_t* bone_of;          // that holds a node; -1: none; (node_count)
    const snSkeleton* skeleton;
} snFleshView;

// The flesh must outlive it.
static inline snFleshView snFleshView_Of(const snFlesh* flesh)
{
    snFleshView view;
    view.vertex_count = flesh->vertex_count;
    view.point_count = flesh->point_count;
    view.ties = flesh->ties;
    view.cell_of = flesh->embedding.cell;
    view.area = flesh->point_area;
    view.materials = flesh->materials;
    view.tets = flesh->tets;
    view.cell = flesh->cell;
    view.node_mass = flesh->node_mass;
    view.inverse_mass = flesh->inverse_mass;
    view.bone_of = flesh->binding.fixed;
    view.skeleton = flesh->skeleton;
    return view;
}

#endif
