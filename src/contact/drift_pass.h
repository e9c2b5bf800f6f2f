// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The pass over all nodes that is compiled for each instruction set.
#ifndef SN_CONTACT_DRIFT_PASS_H
#define SN_CONTACT_DRIFT_PASS_H

#include "contact/drift.h"

typedef struct snDriftMotion {
    float v[3]; // the mean velocity, m/s
    float u[3]; // that of the origin of places in the rigid motion, m/s
    float w[3]; // its turning, rad/s
} snDriftMotion;

// Of the largest speeds, (m/s)^2
typedef struct snDriftSquares {
    float outer, inner, own;
} snDriftSquares;

typedef snDriftSquares snDriftFcn(const snDriftMotion* motion, const snVec4f* x, const snVec4f* v,
                                  int32_t count);

typedef bool snWanderFcn(const snDriftMotion* motion, const snVec4f* x, const snVec4f* v,
                         int32_t count, const snWander* wander);

#endif
