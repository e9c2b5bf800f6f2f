// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Not vectorised: poses and velocities, bone by bone.

#include "math/quat.h"
#include "math/trig.h"
#include "skel/joint.h"
#include "skel/pass.h"

snBonesPositionFcn SN_ISA_NAME(snBonesPosition);
snBonesVelocityFcn SN_ISA_NAME(snBonesVelocity);
snBonesStateFcn SN_ISA_NAME(snBonesState);

// Rotation by angle about the unit axis (Rodrigues).
SN_KERNEL snMat3 turnAbout(snVec3 a, double s, double c)
{
    double t = 1 - c;
    snVec3 sa = snScale(s, a), ta = snScale(t, a);
    return snMatFromRows(snV3(c + ta.x * a.x, ta.x * a.y - sa.z, ta.x * a.z + sa.y),
                         snV3(ta.x * a.y + sa.z, c + ta.y * a.y, ta.y * a.z - sa.x),
                         snV3(ta.x * a.z - sa.y, ta.y * a.z + sa.x, c + ta.z * a.z));
}

// c u + s v and c v - s u in place of u and v
SN_KERNEL void turnPair(double s, double c, snVec3* u, snVec3* v)
{
    snVec3 from = *u;
    *u = snMulAdd(snScale(c, from), s, *v);
    *v = snSub(snScale(c, *v), snScale(s, from));
}

// A times a rotation about the unit axis; the axis in the world goes to *along. About x, y or z
// (which = 0, 1, 2) it is the same with the zeros left out: less than a third of the work.
SN_KERNEL snMat3 turned(snMat3 A, snVec3 axis, int8_t which, double angle, snVec3* along)
{
    double s, c;
    snSinCos(angle, &s, &c);
    double one = c + (1 - c); // as it is rounded
    snVec3 x = snMatCol(A, 0), y = snMatCol(A, 1), z = snMatCol(A, 2);
    switch (which) {
    case 0:
        *along = x;
        turnPair(s, c, &y, &z);
        x = snScale(one, x);
        break;
    case 1:
        *along = y;
        turnPair(s, c, &z, &x);
        y = snScale(one, y);
        break;
    case 2:
        *along = z;
        turnPair(s, c, &x, &y);
        z = snScale(one, z);
        break;
    default:
        *along = snMatVec(A, axis);
        return snMatMul(A, turnAbout(axis, s, c));
    }
    return snMatFromCols(x, y, z);
}

// R S R' for symmetric S: T = R S, then the six entries of T R' that matter.
SN_KERNEL snSym3 turnInertia(snMat3 R, snSym3 S)
{
    snMat3 T = snMatMul(R, snMatFromSym(S));
    snSym3 I;
    I.xx = T.m00 * R.m00 + T.m01 * R.m01 + T.m02 * R.m02;
    I.yy = T.m10 * R.m10 + T.m11 * R.m11 + T.m12 * R.m12;
    I.zz = T.m20 * R.m20 + T.m21 * R.m21 + T.m22 * R.m22;
    I.xy = T.m00 * R.m10 + T.m01 * R.m11 + T.m02 * R.m12;
    I.xz = T.m00 * R.m20 + T.m01 * R.m21 + T.m02 * R.m22;
    I.yz = T.m10 * R.m20 + T.m11 * R.m21 + T.m12 * R.m22;
    return I;
}

// Applies the joint: `R` holds the anchor's axes in the world, `r` the way to the anchor.
SN_KERNEL void poseJoint(const snBone* b, snBoneShape shape, const double* q, snMat3* R, snVec3* r,
                         snVec3 axis[3])
{
    snMat3 A = *R;
    switch (b->type) {
    case sn_jointRevolute:
        *R = turned(A, b->axis, shape.about, q[0], &axis[0]);
        break;
    case sn_jointPrismatic:
        axis[0] = snMatVec(A, b->axis);
        *r = snMulAdd(*r, q[0], axis[0]);
        break;
    case sn_jointUniversal:
        A = turned(A, b->axis, shape.about, q[0], &axis[0]);
        *R = turned(A, b->axis2, shape.about2, q[1], &axis[1]);
        break;
    case sn_jointBall:
        axis[0] = snMatCol(A, 0), axis[1] = snMatCol(A, 1), axis[2] = snMatCol(A, 2);
        *R = snMatMul(A, snMatFromQ(snLoadQ(q)));
        break;
    case sn_jointPlanar:
        *R = turned(A, b->axis, shape.about, q[2], &axis[2]);
        axis[0] = snMatVec(A, b->axis2);
        axis[1] = snCross(axis[2], axis[0]);
        *r = snMulAdd(snMulAdd(*r, q[0], axis[0]), q[1], axis[1]);
        break;
    case sn_jointFree:
        axis[0] = snMatCol(A, 0), axis[1] = snMatCol(A, 1), axis[2] = snMatCol(A, 2);
        *r = snAdd(*r, snMatVec(A, snLoad3(q)));
        *R = snMatMul(A, snMatFromQ(snLoadQ(q + 3)));
        break;
    default:
        break;
    }
}

SN_KERNEL void poseBone(const snSkeleton* skeleton, int32_t i, const double* q, const snBase* base,
                        snBoneMotion* motion)
{
    const snBone* b = &skeleton->bones[i];
    snBoneShape shape = skeleton->shapes[i];
    snBoneMotion* m = &motion[i];
    snMat3 R = b->anchor_R;
    snVec3 r = b->anchor_p, origin = snV3(0, 0, 0);
    if (b->parent >= 0) {
        const snBoneMotion* up = &motion[b->parent];
        R = shape.straight ? up->R : snMatMul(up->R, b->anchor_R);
        r = snMatVec(up->R, b->anchor_p);
        origin = up->p;
    } else if (base) {
        R = snMatMul(base->R, b->anchor_R);
        r = snMatVec(base->R, b->anchor_p);
        origin = base->p;
    }
    poseJoint(b, shape, q + b->qi, &R, &r, m->axis);
    m->R = R;
    m->r = r;
    m->p = snAdd(origin, r);
    m->c = snMatVec(R, b->com);
    m->I = turnInertia(R, b->inertia);
}

void SN_ISA_NAME(snBonesPosition)(const snSkeleton* skeleton, const double* q, const snBase* base,
                                  snBoneMotion* motion)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        poseBone(skeleton, i, q, base, motion);
    }
}

// With u the joint's relative velocity and w, v the parent's motion:
//   w_i = w + u_w,  v_i = v + w x r + u_v
//   zw = w x u_w (+ a1 qd1 x a2 qd2 for the universal joint, whose second axis rides on the first)
//   zv = w x (w x r) + 2 w x u_v
SN_KERNEL void moveBone(const snSkeleton* skeleton, int32_t i, const double* qd,
                        snBoneMotion* motion)
{
    const snBone* b = &skeleton->bones[i];
    snBoneMotion* m = &motion[i];
    const double* x = qd + b->vi;
    snTwist u = snKinematics_JointTwist(b, m, x);
    if (b->parent < 0) {
        m->w = u.w;
        m->v = u.v;
        m->zw = m->zv = snV3(0, 0, 0);
    } else {
        const snBoneMotion* up = &motion[b->parent];
        snVec3 sweep = snCross(up->w, m->r);
        m->w = snAdd(up->w, u.w);
        m->v = snAdd(snAdd(up->v, sweep), u.v);
        m->zw = snCross(up->w, u.w);
        m->zv = snCross(up->w, snMulAdd(sweep, 2, u.v));
    }
    if (b->type == sn_jointUniversal) {
        m->zw = snMulAdd(m->zw, x[0] * x[1], snCross(m->axis[0], m->axis[1]));
    }
}

void SN_ISA_NAME(snBonesVelocity)(const snSkeleton* skeleton, const double* qd,
                                  snBoneMotion* motion)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        moveBone(skeleton, i, qd, motion);
    }
}

void SN_ISA_NAME(snBonesState)(const snSkeleton* skeleton, const double* q, const double* qd,
                               const snBase* base, snBoneMotion* motion)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        poseBone(skeleton, i, q, base, motion);
        moveBone(skeleton, i, qd, motion);
    }
}
