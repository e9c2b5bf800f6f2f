// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rotations as unit quaternions (x, y, z, w). q and -q are the same rotation.
#ifndef SN_MATH_QUAT_H
#define SN_MATH_QUAT_H

#include "math/mat.h"
#include "math/trig.h"

SN_FN snQuat snQ(double x, double y, double z, double w)
{
    snQuat q;
    q.x = x;
    q.y = y;
    q.z = z;
    q.w = w;
    return q;
}

SN_FN snQuat snQIdentity(void)
{
    return snQ(0, 0, 0, 1);
}

// first b, then a
SN_FN snQuat snQMul(snQuat a, snQuat b)
{
    return snQ(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
               a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
               a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
               a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

// the inverse rotation
SN_FN snQuat snQConj(snQuat q)
{
    return snQ(-q.x, -q.y, -q.z, q.w);
}

// the same rotation with all signs changed
SN_FN snQuat snQNegate(snQuat q)
{
    return snQ(-q.x, -q.y, -q.z, -q.w);
}

SN_FN double snQDot(snQuat a, snQuat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// q v q* = v + w t + u x t, t = 2 u x v, u = (x, y, z)
SN_FN snVec3 snQRotate(snQuat q, snVec3 v)
{
    snVec3 u = snV3(q.x, q.y, q.z);
    snVec3 t = snScale(2, snCross(u, v));
    return snAdd(snMulAdd(v, q.w, t), snCross(u, t));
}

// q / |q|; zero (anything shorter than 1e-145) gives the identity
SN_FN snQuat snQNormalize(snQuat q)
{
    double square = snQDot(q, q), s = 1 / sqrt(square);
    return square < SN_TINY_SQUARE ? snQIdentity() : snQ(s * q.x, s * q.y, s * q.z, s * q.w);
}

// axis of unit length
SN_FN snQuat snQFromAxisAngle(snVec3 axis, double angle)
{
    double s, c;
    snSinCos(0.5 * angle, &s, &c);
    return snQ(s * axis.x, s * axis.y, s * axis.z, c);
}

// The rotation by |r| about r: (r sin(a/2)/a, cos(a/2)), a = |r|. The series of sin(a/2)/a serves
// where a^2 may underflow; its next term, a^6/645120, is below 1e-29 there.
SN_FN snQuat snQExp(snVec3 r)
{
    double square = snLengthSq(r), a = sqrt(square), s, c;
    snSinCos(0.5 * a, &s, &c);
    s = square < 1e-8 ? 0.5 - square * (1.0 / 48 - square * (1.0 / 3840)) : s / a;
    return snQ(s * r.x, s * r.y, s * r.z, c);
}

// The shortest rotation vector r, |r| <= pi, with snQExp(r) = +-q: 2 atan(|u|/w) u/|u|, u = (x, y,
// z), after choosing the sign of q that has w >= 0. atan(|u|/w)/|u| = (1 - |u|^2/(3 w^2))/w for
// small u.
SN_FN snVec3 snQLog(snQuat q)
{
    double sign = q.w < 0 ? -1 : 1, w = fabs(q.w);
    snVec3 u = snV3(q.x, q.y, q.z);
    double square = snLengthSq(u), s = sqrt(square);
    double k = square < 1e-9 * (w * w) ? (1 - square / (3 * w * w)) / w : snAtan2(s, w) / s;
    return snScale(square + w * w > 0 ? 2 * sign * k : 0, u);
}

SN_FN snMat3 snMatFromQ(snQuat q)
{
    double x = 2 * q.x, y = 2 * q.y, z = 2 * q.z;
    double xx = x * q.x, yy = y * q.y, zz = z * q.z;
    double xy = x * q.y, xz = x * q.z, yz = y * q.z;
    double wx = x * q.w, wy = y * q.w, wz = z * q.w;
    return snMatFromRows(snV3(1 - (yy + zz), xy - wz, xz + wy),
                         snV3(xy + wz, 1 - (xx + zz), yz - wx),
                         snV3(xz - wy, yz + wx, 1 - (xx + yy)));
}

// From a rotation matrix. Of 4x^2, 4y^2, 4z^2, 4w^2, all linear in the diagonal, the largest is at
// least 1 and safe to divide by (Shepperd 1978).
SN_FN snQuat snQFromMat(snMat3 R)
{
    double xx = 1 + R.m00 - R.m11 - R.m22, yy = 1 - R.m00 + R.m11 - R.m22;
    double zz = 1 - R.m00 - R.m11 + R.m22, ww = 1 + R.m00 + R.m11 + R.m22;
    double xy = R.m01 + R.m10, xz = R.m02 + R.m20, yz = R.m12 + R.m21;
    double wx = R.m21 - R.m12, wy = R.m02 - R.m20, wz = R.m10 - R.m01;
    snQuat q = ww >= xx && ww >= yy && ww >= zz ? snQ(wx, wy, wz, ww)
               : xx >= yy && xx >= zz           ? snQ(xx, xy, xz, wx)
               : yy >= zz                       ? snQ(xy, yy, yz, wy)
                                                : snQ(xz, yz, zz, wz);
    return snQNormalize(q);
}

// From a (t = 0) to b or -b (t = 1), whichever is nearer, at constant angular velocity.
SN_FN snQuat snQSlerp(snQuat a, snQuat b, double t)
{
    return snQMul(a, snQExp(snScale(t, snQLog(snQMul(snQConj(a), b)))));
}

// The shortest rotation that takes the unit vector a to the unit vector b. With h = a + b, |h| = 2
// cos of half the angle and a x b = a x h. Near opposite vectors h is tiny but exact, so a x h,
// unlike a x b, keeps its direction; for exactly opposite ones any axis across a will do.
SN_FN snQuat snQFromTo(snVec3 a, snVec3 b)
{
    snVec3 h = snAdd(a, b), u;
    double length = snLength(h), w = 0.5 * length;
    if (length > 1) {
        u = snScale(1 / length, snCross(a, b));
    } else {
        snVec3 axis = snCross(a, h);
        axis = snLengthSq(axis) > 1e-40 ? snNormalize(axis) : snPerpendicular(a);
        u = snScale(sqrt(1 - w * w), axis);
    }
    return snQNormalize(snQ(u.x, u.y, u.z, w));
}

#endif
