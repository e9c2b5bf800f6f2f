// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics within joint limits.
#ifndef SN_SKEL_IK_H
#define SN_SKEL_IK_H

#include "skel/kinematics.h"
#include <sinew/dynamics.h>

SN_BEGIN_C

#define SN_IK_TARGETS 16

// Scratch for one skeleton.
typedef struct snIkSpace {
    double* J;       // weighted Jacobian, one row per wish; (6 SN_IK_TARGETS, nv)
    double* e;       // weighted errors; (6 SN_IK_TARGETS)
    double* A;       // J J' + damping; (6 SN_IK_TARGETS squared)
    double* y;       // (6 SN_IK_TARGETS)
    double* dq;      // the step; (nv)
    double* best;    // (nq)
    uint8_t* frozen; // coordinates at a limit that would be pushed further; (nv)
} snIkSpace;

// Takes the arrays from the arena; check arena->failed afterwards.
void snIkSpace_Push(snIkSpace* space, const snSkeleton* skeleton, snArena* arena);

// Improves q; motion is that of the final q. Arguments have been checked.
snIkResult snIk_Solve(const snSkeleton* skeleton, const snIkDef* def, const snIkTarget* targets,
                      int32_t target_count, double* q, snBoneMotion* motion, snIkSpace* space);

// Puts every coordinate of the joint within its limits; a ball's twist, then its swing.
void snIk_Clamp(const snBone* bone, const snBoneDef* def, double* q);

SN_END_C

#endif
