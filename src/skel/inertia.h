// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Inertia of a bone, or of all that hangs on it, as a symmetric 6x6 matrix at its origin.
#ifndef SN_SKEL_INERTIA_H
#define SN_SKEL_INERTIA_H

#include "math/twist.h"
#include "skel/kinematics.h"

// Torque n = A dw + B dv, force f = B' dw + M dv.
typedef struct snInertia6 {
    snSym3 A;
    snMat3 B;
    snSym3 M;
} snInertia6;

SN_FN snVec3 snSymTimes(snSym3 S, snVec3 v)
{
    return snV3(S.xx * v.x + S.xy * v.y + S.xz * v.z, S.xy * v.x + S.yy * v.y + S.yz * v.z,
                S.xz * v.x + S.yz * v.y + S.zz * v.z);
}

SN_FN snSym3 snSymDiagonal(double d)
{
    snSym3 S = {d, d, d, 0, 0, 0};
    return S;
}

// S + s v v'
SN_FN snSym3 snSymOuterAdd(snSym3 S, double s, snVec3 v)
{
    snVec3 t = snScale(s, v);
    snSym3 out = {S.xx + t.x * v.x, S.yy + t.y * v.y, S.zz + t.z * v.z,
                  S.xy + t.x * v.y, S.xz + t.x * v.z, S.yz + t.y * v.z};
    return out;
}

// P' P
SN_FN snSym3 snSymSquare(snMat3 P)
{
    snSym3 out = {P.m00 * P.m00 + P.m10 * P.m10 + P.m20 * P.m20,
                  P.m01 * P.m01 + P.m11 * P.m11 + P.m21 * P.m21,
                  P.m02 * P.m02 + P.m12 * P.m12 + P.m22 * P.m22,
                  P.m00 * P.m01 + P.m10 * P.m11 + P.m20 * P.m21,
                  P.m00 * P.m02 + P.m10 * P.m12 + P.m20 * P.m22,
                  P.m01 * P.m02 + P.m11 * P.m12 + P.m21 * P.m22};
    return out;
}

SN_FN snSym3 snSymSub(snSym3 A, snSym3 B)
{
    snSym3 out = {A.xx - B.xx, A.yy - B.yy, A.zz - B.zz, A.xy - B.xy, A.xz - B.xz, A.yz - B.yz};
    return out;
}

// 1 / trace(S^-1), the same in all axes: between a third of the least eigenvalue and all of it; 0
// for a singular S.
SN_FN double snSymLeast(snSym3 S)
{
    double x = S.yy * S.zz - S.yz * S.yz, y = S.xx * S.zz - S.xz * S.xz;
    double z = S.xx * S.yy - S.xy * S.xy, u = S.xz * S.yz - S.xy * S.zz;
    double det = S.xx * x + S.xy * u + S.xz * (S.xy * S.yz - S.xz * S.yy), sum = x + y + z;
    return det > 0 && sum > 0 ? det / sum : 0;
}

// A bone alone.
SN_FN snInertia6 snInertia6_Rigid(const snBone* bone, const snBoneMotion* motion)
{
    snInertia6 J;
    J.A = motion->I;
    J.B = snSkew(snScale(bone->mass, motion->c));
    J.M = snSymDiagonal(bone->mass);
    return J;
}

SN_FN snWrench snInertia6_Times(const snInertia6* J, snVec3 dw, snVec3 dv)
{
    return snWrenchFrom(snAdd(snSymTimes(J->A, dw), snMatVec(J->B, dv)),
                        snAdd(snMatTVec(J->B, dw), snSymTimes(J->M, dv)));
}

// [r] M: every column of M crossed with r
SN_FN snMat3 snCrossSym(snVec3 r, snSym3 M)
{
    return snMatFromRows(
        snV3(r.y * M.xz - r.z * M.xy, r.y * M.yz - r.z * M.yy, r.y * M.zz - r.z * M.yz),
        snV3(r.z * M.xx - r.x * M.xz, r.z * M.xy - r.x * M.yz, r.z * M.xz - r.x * M.zz),
        snV3(r.x * M.xy - r.y * M.xx, r.x * M.yy - r.y * M.xy, r.x * M.yz - r.y * M.xz));
}

// The inertia J seen from the parent's origin, r before the bone's own, added to *up:
//   M += M,  B += B + [r] M,  A += A + Z + Z',  Z = [r] (B + [r] M / 2)'        54 multiplies
SN_FN void snInertia6_AddShifted(snInertia6* up, const snInertia6* J, snVec3 r)
{
    snMat3 Y = snCrossSym(r, J->M), B = J->B;
    double h00 = B.m00 + 0.5 * Y.m00, h01 = B.m01 + 0.5 * Y.m01, h02 = B.m02 + 0.5 * Y.m02;
    double h10 = B.m10 + 0.5 * Y.m10, h11 = B.m11 + 0.5 * Y.m11, h12 = B.m12 + 0.5 * Y.m12;
    double h20 = B.m20 + 0.5 * Y.m20, h21 = B.m21 + 0.5 * Y.m21, h22 = B.m22 + 0.5 * Y.m22;
    up->A.xx += J->A.xx + 2 * (r.y * h02 - r.z * h01);
    up->A.yy += J->A.yy + 2 * (r.z * h10 - r.x * h12);
    up->A.zz += J->A.zz + 2 * (r.x * h21 - r.y * h20);
    up->A.xy += J->A.xy + (r.y * h12 - r.z * h11) + (r.z * h00 - r.x * h02);
    up->A.xz += J->A.xz + (r.y * h22 - r.z * h21) + (r.x * h01 - r.y * h00);
    up->A.yz += J->A.yz + (r.z * h20 - r.x * h22) + (r.x * h11 - r.y * h10);
    up->B = snMatAdd(up->B, snMatAdd(B, Y));
    up->M = snSymAdd(up->M, J->M);
}

// The same of what is rigid, where B = [mc] and M = m: bits of the above at half the work.
typedef struct snStiff {
    snSym3 A;  // about the point that it is taken at, kg m^2
    snVec3 mc; // mass times the way from there to the centre of mass, kg m
    double m;  // kg
} snStiff;

SN_FN snStiff snStiff_Of(const snBone* bone, const snBoneMotion* motion)
{
    snStiff J = {motion->I, snScale(bone->mass, motion->c), bone->mass};
    return J;
}

SN_KERNEL snWrench snStiff_Times(const snStiff* J, snVec3 w, snVec3 v)
{
    return snWrenchFrom(snAdd(snSymTimes(J->A, w), snCross(J->mc, v)),
                        snAdd(snCross(w, J->mc), snScale(J->m, v)));
}

// 12 multiplies
SN_KERNEL void snStiff_AddShifted(snStiff* up, const snStiff* J, snVec3 r)
{
    snVec3 mr = snScale(J->m, r), h = snMulAdd(J->mc, 0.5, mr);
    up->A.xx += J->A.xx + 2 * (r.y * h.y + r.z * h.z);
    up->A.yy += J->A.yy + 2 * (r.z * h.z + r.x * h.x);
    up->A.zz += J->A.zz + 2 * (r.x * h.x + r.y * h.y);
    up->A.xy += J->A.xy - r.y * h.x - r.x * h.y;
    up->A.xz += J->A.xz - r.z * h.x - r.x * h.z;
    up->A.yz += J->A.yz - r.z * h.y - r.y * h.z;
    up->mc = snAdd(up->mc, snAdd(J->mc, mr));
    up->m += J->m;
}

#endif
