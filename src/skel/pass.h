// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The recursions over the tree, compiled once per instruction set. They go bone by bone: what they
// gain is registers, not lanes. kinematics.h and hybrid.h say what they do.
#ifndef SN_SKEL_PASS_H
#define SN_SKEL_PASS_H

#include "math/isa.h"
#include "skel/hybrid.h"

typedef void snBonesPositionFcn(const snSkeleton* skeleton, const double* q, const snBase* base,
                                snBoneMotion* motion);
typedef void snBonesVelocityFcn(const snSkeleton* skeleton, const double* qd, snBoneMotion* motion);
typedef void snBonesStateFcn(const snSkeleton* skeleton, const double* q, const double* qd,
                             const snBase* base, snBoneMotion* motion);

typedef bool snBonesRunFcn(const snSkeleton* skeleton, snBoneMotion* motion,
                           const snHybridStep* step, const snHybridLoad* load, snFactor* factor,
                           double* qdd, double* tau, int32_t* bad);
typedef void snBonesAgainFcn(const snSkeleton* skeleton, snBoneMotion* motion,
                             const snHybridStep* step, const snHybridLoad* load, snFactor* factor,
                             double* qdd, double* tau);
typedef snTwist snBonesAnswerFcn(const snSkeleton* skeleton, int32_t root,
                                 const snBoneMotion* motion, snFactor* factor, snWrench bias);

#endif
