// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The momentum law, kept exactly. A free character carries the momentum it should have; each step
// adds the outer impulses, and one 6x6 solve finds the rigid velocity change of the whole that puts
// its momentum there. The whole is bones, flesh or both.
#ifndef SN_SKEL_MOMENTUM_H
#define SN_SKEL_MOMENTUM_H

#include "skel/balance.h"

SN_BEGIN_C

// Mass and motion of a body, and its inertia about the centre of mass.
typedef struct snWhole {
    snMomentum momentum;
    snSym3 inertia; // kg m^2
} snWhole;

snWhole snWhole_OfBones(const snSkeleton* skeleton, const snBoneMotion* motion);

// Two bodies as one; one without mass adds nothing.
snWhole snWhole_Join(const snWhole* a, const snWhole* b);

// What a free character's momentum should be. Part of a sim's state.
typedef struct snMomentumTarget {
    snVec3 linear;  // kg m/s
    snVec3 angular; // about the centre of mass, kg m^2/s
    int64_t known;  // zero until taken from the state
} snMomentumTarget;

// Takes the target from the motion unless it is known already.
void snMomentum_Take(snMomentumTarget* target, const snWhole* now);

// Outer forces on the bones, and their moment about `com`: wrenches, and the root's own torque.
// external and tau may be NULL.
snWrench snMomentum_Load(const snSkeleton* skeleton, const snBoneMotion* motion,
                         const snWrench* external, const double* tau, snVec3 com);

// Adds what a load does in h seconds; moments about the centre of mass.
void snMomentum_Push(snMomentumTarget* target, double h, snWrench load);

// The rigid velocity change that puts the whole on its target: turn about the centre of mass, and
// its travel.
snTwist snMomentum_Correction(const snMomentumTarget* target, const snWhole* now);

// Gives a rigid velocity change, taken at com, to the free root; joints keep their rates.
void snMomentum_MoveRoot(const snSkeleton* skeleton, const snBoneMotion* motion, snVec3 com,
                         snTwist change, double* qd);

SN_END_C

#endif
