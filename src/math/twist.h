// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Twists (w, v): angular velocity, and velocity of the body at a point. Wrenches (n, f): torque
// about a point, and force. Moving both to another point of the body leaves their power n.w + f.v
// unchanged.
#ifndef SN_MATH_TWIST_H
#define SN_MATH_TWIST_H

#include "math/quat.h"

SN_FN snTwist snTwistFrom(snVec3 w, snVec3 v)
{
    snTwist t;
    t.w = w;
    t.v = v;
    return t;
}

SN_FN snWrench snWrenchFrom(snVec3 n, snVec3 f)
{
    snWrench g;
    g.n = n;
    g.f = f;
    return g;
}

SN_FN snTwist snTwistAdd(snTwist a, snTwist b)
{
    return snTwistFrom(snAdd(a.w, b.w), snAdd(a.v, b.v));
}

SN_FN snTwist snTwistScale(double s, snTwist t)
{
    return snTwistFrom(snScale(s, t.w), snScale(s, t.v));
}

SN_FN snWrench snWrenchAdd(snWrench a, snWrench b)
{
    return snWrenchFrom(snAdd(a.n, b.n), snAdd(a.f, b.f));
}

SN_FN snWrench snWrenchScale(double s, snWrench g)
{
    return snWrenchFrom(snScale(s, g.n), snScale(s, g.f));
}

// the same motion seen at the point r further on: v' = v + w x r
SN_FN snTwist snTwistAt(snTwist t, snVec3 r)
{
    return snTwistFrom(t.w, snAdd(t.v, snCross(t.w, r)));
}

// the same wrench about the point r further on: n' = n - r x f
SN_FN snWrench snWrenchAt(snWrench g, snVec3 r)
{
    return snWrenchFrom(snSub(g.n, snCross(r, g.f)), g.f);
}

// in other axes: both vectors turned by q
SN_FN snTwist snTwistRotate(snQuat q, snTwist t)
{
    return snTwistFrom(snQRotate(q, t.w), snQRotate(q, t.v));
}

SN_FN snWrench snWrenchRotate(snQuat q, snWrench g)
{
    return snWrenchFrom(snQRotate(q, g.n), snQRotate(q, g.f));
}

// power, W
SN_FN double snTwistDotWrench(snTwist t, snWrench g)
{
    return snDot(t.w, g.n) + snDot(t.v, g.f);
}

#endif
