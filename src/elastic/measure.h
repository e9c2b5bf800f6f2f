// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How much the cells of a body are strained, for people who look at it.
#ifndef SN_ELASTIC_MEASURE_H
#define SN_ELASTIC_MEASURE_H

#include "elastic/cells.h"

SN_BEGIN_C

// Cells that are flatter count as this thick, so that the force per present area stays finite.
#define SN_MEASURE_LEAST_VOLUME 0.01

// Of each cell, in the def's order, at node positions x (packed xyz, m):
//   stretch   the largest singular value of F; 1 at rest
//   stress    of von Mises, Pa: sqrt(3/2 s:s), s the deviator of the Cauchy stress P F' / J;
//   elastic,
//             without strain-rate damping, in the filled share of the cell. |J| counts as
//             SN_MEASURE_LEAST_VOLUME when it is less. Pressure has no part in it, so volume strain
//             may be averaged at nodes or not.
//   inverted  1 where J <= 0, else 0
void snCells_Measure(const snCells* cells, const float* x, float* stretch, float* stress,
                     uint8_t* inverted);

SN_END_C

#endif
