// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A horizontal ground that holds surface points up: a penalty spring and damper along the normal,
// Coulomb friction by a spring to where the vertex last stuck.
//
// A step h is stable while h^2 k/m + 2 h d/m < 4 with every contact on a node counted. About 15
// points share a node, so each takes its part: k = c/h^2 m_v and d = 2 sqrt(c)/h m_v, where m_v
// is the contact mass (snFlesh.contact_mass). Elasticity uses 4 (h/H)^2 of the budget, H being the
// largest stable step of the flesh alone; c takes what is left, less a tenth.
#ifndef SN_CONTACT_GROUND_H
#define SN_CONTACT_GROUND_H

#include "flesh/flesh.h"
#include "math/twist.h"

typedef struct snGround {
    bool present;
    double height;   // y, m
    double friction; // Coulomb's coefficient
} snGround;

// Where a surface point sticks to the ground, relative to the character's origin. Part of a sim's
// state.
typedef struct snTouch {
    float x, z; // m
    float on;   // 0 = it does not touch
    float sunk; // how far below the ground it started, m: it is lifted slowly, not shot out
} snTouch;

// The body that is pushed: its nodes relative to an origin, as forces are taken.
typedef struct snTouching {
    const snFlesh* flesh;
    snVec3 origin;    // m
    const snVec4f* x; // (node_count)
    const snVec4f* v; // (node_count)
    snTouch* touches; // (point_count)
} snTouching;

// c, see above.
double snGround_Share(double h, double stable_step);

// Adds the ground's forces to `push` (node_count). Returns the number of touching points; *load
// is the sum of the forces, and their moment about the body's origin.
int32_t snGround_Push(const snGround* ground, const snTouching* body, double h, snVec4f* push,
                      snWrench* load);

#endif
