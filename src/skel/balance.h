// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Mass matrix, momentum and energy of a skeleton: what the laws of mechanics are checked with.
#ifndef SN_SKEL_BALANCE_H
#define SN_SKEL_BALANCE_H

#include "skel/inertia.h"
#include <sinew/dynamics.h>

SN_BEGIN_C

// Centre of mass from poses.
snVec3 snBalance_Centre(const snSkeleton* skeleton, const snBoneMotion* motion);

// Momentum from poses and velocities. `inertia` (may be NULL) gets the inertia about the centre of
// mass of the whole held stiff.
snMomentum snBalance_Momentum(const snSkeleton* skeleton, const snBoneMotion* motion,
                              snSym3* inertia);

// Energies from poses, velocities and coordinates.
snEnergy snBalance_Energy(const snSkeleton* skeleton, const snBoneMotion* motion, const double* q,
                          const double* qd, snVec3 gravity);

// The nv x nv mass matrix by composite inertias (the reference; quadratic cost), armature included.
// `composite` is scratch for bone_count inertias.
void snBalance_MassMatrix(const snSkeleton* skeleton, const snBoneMotion* motion,
                          snInertia6* composite, double* M);

SN_END_C

#endif
