// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Scalar fields that recipes are made of: metres to the surface or nearly so, negative inside.
#ifndef SN_GEOM_FIELD_H
#define SN_GEOM_FIELD_H

#include "math/vec.h"

SN_FN double snField_Ball(snVec3 p, snVec3 centre, double radius)
{
    return snLength(snSub(p, centre)) - radius;
}

// All balls from (a, ra) to (b, rb), whose radius changes evenly: the least of |p - x| - r over the
// axis. With x at length t, y and rho the point's place along and off the axis and s = (ra - rb)/l,
// the derivative of sqrt(rho^2 + (y - t)^2) + s t vanishes at t = y - s rho/sqrt(1 - s^2); the
// function is convex, so t is cut to 0..l. Exact outside.
SN_FN double snField_Cone(snVec3 p, snVec3 a, double ra, snVec3 b, double rb)
{
    snVec3 span = snSub(b, a), from = snSub(p, a);
    double l = snLength(span), s = l > 0 ? (ra - rb) / l : 1;
    double y = l > 0 ? snDot(from, span) / l : 0;
    double rho_sq = snLengthSq(from) - y * y;
    double rho = sqrt(rho_sq > 0 ? rho_sq : 0);
    double t = fabs(s) < 1 ? y - s * rho / sqrt(1 - s * s) : ra >= rb ? 0 : l;
    t = t > 0 ? t < l ? t : l : 0;
    return sqrt(rho * rho + (y - t) * (y - t)) - (l > 0     ? ra + (rb - ra) * (t / l)
                                                  : ra > rb ? ra
                                                            : rb);
}

SN_FN double snField_Capsule(snVec3 p, snVec3 a, snVec3 b, double radius)
{
    return snField_Cone(p, a, radius, b, radius);
}

// Semi-axes along x, y, z. The value over the length of the gradient of |p / axes|: exact on the
// surface to first order, off by the axes' ratio far away.
SN_FN double snField_Ellipsoid(snVec3 p, snVec3 centre, snVec3 axes)
{
    snVec3 d = snSub(p, centre);
    snVec3 u = snV3(d.x / axes.x, d.y / axes.y, d.z / axes.z);
    double k = snLength(u), slope = snLength(snV3(u.x / axes.x, u.y / axes.y, u.z / axes.z));
    double least = axes.x < axes.y ? axes.x : axes.y;
    least = axes.z < least ? axes.z : least;
    return slope > 0 ? k * (k - 1) / slope : -least;
}

// The union with a fillet where both are nearer to each other than `blend`: a polynomial that
// meets min(a, b) with equal slopes at |a - b| = blend and is blend/4 below it at a = b.
SN_FN double snField_Union(double a, double b, double blend)
{
    double least = a < b ? a : b, gap = fabs(a - b);
    double h = blend > 0 && gap < blend ? 1 - gap / blend : 0;
    return least - 0.25 * blend * h * h;
}

#endif
