// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where the bones are, how they move, how they accelerate: forward recursions over the tree.
//
// Every spatial quantity has world axes and is taken at its bone's origin. There the joint's motion
// is a pure rotation about, or a pure travel along, each of its axes, no quantity has to be turned
// on its way through the tree, and distances stay of the size of a bone wherever the character is.
#ifndef SN_SKEL_KINEMATICS_H
#define SN_SKEL_KINEMATICS_H

#include "math/twist.h"
#include "skel/skeleton.h"

SN_BEGIN_C

// One bone's motion. Ordered so that the recursions after the first pass read few cache lines.
typedef struct snBoneMotion {
    // written by snKinematics_Position
    snVec3 c; // from p to the centre of mass, m
    snSym3 I; // inertia about p, kg m^2
    snVec3 r; // from the parent's origin to p, m; roots: from the character's
    snVec3
        axis[3]; // the joint's axes in the world, in the order of qd; ball, free: the anchor's axes
    // written by snKinematics_Velocity
    snVec3 w;      // angular velocity
    snVec3 zw, zv; // accelerations that are there at qdd = 0: Coriolis and centripetal
    // written by snKinematics_Acceleration and by the hybrid dynamics
    snVec3 dw, dv; // angular acceleration; acceleration of p, both less gravity's
    // written by snKinematics_Position and _Velocity
    snMat3 R; // bone's axes in the world
    snVec3 p; // bone's origin, m
    snVec3 v; // its velocity
} snBoneMotion;

// Where the character's frame stands in the world.
typedef struct snBase {
    snMat3 R;
    snVec3 p; // m
} snBase;

// Poses from q. base NULL = the world's own frame.
void snKinematics_Position(const snSkeleton* skeleton, const double* q, const snBase* base,
                           snBoneMotion* motion);

// Position and Velocity in one pass.
void snKinematics_State(const snSkeleton* skeleton, const double* q, const double* qd,
                        const snBase* base, snBoneMotion* motion);

// Velocities and bias accelerations from qd; after Position.
void snKinematics_Velocity(const snSkeleton* skeleton, const double* qd, snBoneMotion* motion);

// Accelerations from qdd on a ground that accelerates with -gravity; after Velocity.
void snKinematics_Acceleration(const snSkeleton* skeleton, const double* qdd, snVec3 gravity,
                               snBoneMotion* motion);

// The joint's motion (relative angular, linear) for coordinates' rates x, in the order of qd.
SN_KERNEL snTwist snKinematics_JointTwist(const snBone* bone, const snBoneMotion* motion,
                                          const double* x)
{
    const snVec3* a = motion->axis;
    snVec3 zero = snV3(0, 0, 0);
    switch (bone->type) {
    case sn_jointRevolute:
        return snTwistFrom(snScale(x[0], a[0]), zero);
    case sn_jointPrismatic:
        return snTwistFrom(zero, snScale(x[0], a[0]));
    case sn_jointUniversal:
        return snTwistFrom(snMulAdd(snScale(x[0], a[0]), x[1], a[1]), zero);
    case sn_jointBall:
        return snTwistFrom(snMulAdd(snMulAdd(snScale(x[0], a[0]), x[1], a[1]), x[2], a[2]), zero);
    case sn_jointPlanar:
        return snTwistFrom(snScale(x[2], a[2]), snMulAdd(snScale(x[0], a[0]), x[1], a[1]));
    case sn_jointFree:
        return snTwistFrom(snMulAdd(snMulAdd(snScale(x[0], a[0]), x[1], a[1]), x[2], a[2]),
                           snMulAdd(snMulAdd(snScale(x[3], a[0]), x[4], a[1]), x[5], a[2]));
    default:
        return snTwistFrom(zero, zero);
    }
}

// 6 x nv, row-major, angular rows first, of a world point that moves with the bone.
void snKinematics_Jacobian(const snSkeleton* skeleton, const snBoneMotion* motion, int32_t bone,
                           snVec3 point, double* J);

SN_END_C

#endif
