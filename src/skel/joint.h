// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a joint type is: how many coordinates it has and how they move.
#ifndef SN_SKEL_JOINT_H
#define SN_SKEL_JOINT_H

#include "math/quat.h"
#include <sinew/skeleton.h>

SN_BEGIN_C

// Counts of a joint type: coordinates in q, in qd, and entries of snBoneDef.dof that mean
// something.
typedef struct snJointShape {
    const char* name;
    int32_t nq, nv, dof_count;
} snJointShape;

// `type` must be a valid snJointType.
const snJointShape* snJoint_Shape(int32_t type);

// Is coordinate k of qd, for a joint of this type, a rotation? Else it is a travel.
SN_FN bool snJoint_IsRotation(int32_t type, int32_t k)
{
    return type == sn_jointPlanar ? k == 2
           : type == sn_jointFree ? k < 3
                                  : type != sn_jointPrismatic;
}

SN_FN snVec3 snLoad3(const double* a)
{
    return snV3(a[0], a[1], a[2]);
}

SN_FN void snStore3(double* a, snVec3 v)
{
    a[0] = v.x, a[1] = v.y, a[2] = v.z;
}

SN_FN snQuat snLoadQ(const double* a)
{
    return snQ(a[0], a[1], a[2], a[3]);
}

SN_FN void snStoreQ(double* a, snQuat q)
{
    a[0] = q.x, a[1] = q.y, a[2] = q.z, a[3] = q.w;
}

// q_out = q moved by the rate qd for h seconds: exponential map for rotations, normalised. May be
// in place.
void snJoint_Integrate(int32_t type, const double* q, const double* qd, double h, double* q_out);

// The rate that takes `from` to `to` in one second, the shortest way round: the inverse of
// Integrate.
void snJoint_Difference(int32_t type, const double* from, const double* to, double* qd);

SN_END_C

#endif
