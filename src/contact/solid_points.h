// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The points with which a solid feels others: corners, points on edges and on faces.
#ifndef SN_CONTACT_SOLID_POINTS_H
#define SN_CONTACT_SOLID_POINTS_H

#include "contact/solid.h"

SN_BEGIN_C

#define SN_SOLID_POINTS 20000

// Fills points, their counts and props of a solid that has everything else. Places of the surface
// are at most about the spacing away from a point; more, where all of them would be too many.
snStatus snSolid_SpreadPoints(snArena* arena, double spacing, snSolid* solid, snMessage* why);

// As snSolid_Inside, without one of the shapes (-1: with all).
bool snSolid_InsideBut(const snSolid* solid, snVec3 p, int32_t except, snSolidHit* hit);

SN_END_C

#endif
