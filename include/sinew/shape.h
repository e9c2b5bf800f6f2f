// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Solid pieces: what obstacles in scenes (scene.h) and on the way of flesh that follows poses
// (body.h) are made of.
#ifndef SINEW_SHAPE_H
#define SINEW_SHAPE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Solid pieces that obstacles are made of.
typedef enum snShapeKind {
    sn_shapeBox = 0,   // half sides along its axes
    sn_shapeSphere,    // a radius
    sn_shapeCapsule,   // all that is within a radius of a line along y
    sn_shapeMesh,      // a closed surface, convex or not
    sn_shapeKindCount, // how many there are
} snShapeKind;

// The kind's name in scene files, for example "box"; NULL for a number that is none.
SN_API const char* snShapeKind_Name(int32_t kind);

// One solid piece. Only the fields of its kind are looked at.
typedef struct snShapeDef {
    int32_t kind;             // an snShapeKind
    snTransform pose;         // in the obstacle's frame
    snVec3 half;              // box: half of its sides, m, each 1e-4..1e4
    double radius;            // sphere, capsule: m, 1e-4..1e4
    double half_length;       // capsule: half of the line inside it, m, 0..1e4
    int32_t vertex_count;     // mesh
    int32_t triangle_count;   // mesh
    const snVec3* vertices;   // mesh: m; copied; (vertex_count)
    const int32_t* triangles; // mesh: counter-clockwise from outside; copied; (triangle_count, 3)
} snShapeDef;

#ifdef __cplusplus
}
#endif

#endif
