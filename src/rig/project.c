// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/project.h"

#include "math/transform.h"
#include "skel/joint.h"

#define TURN 6.283185307179586

double snTwistAngle(snQuat q, snVec3 axis)
{
    double s = snDot(snV3(q.x, q.y, q.z), axis), sign = q.w < 0 ? -1 : 1;
    return 2 * snAtan2(sign * s, sign * q.w);
}

double snAngleAbout(snVec3 axis, snVec3 from, snVec3 to)
{
    return snAtan2(snDot(axis, snCross(from, to)),
                   snDot(from, to) - snDot(axis, from) * snDot(axis, to));
}

// Two axes, the bone along the second: the first bends it, the second twists it.
static void projectTwist(const snBone* b, snQuat turn, const snQuat* carried, double* q)
{
    q[0] = snAngleAbout(b->axis, b->axis2, snQRotate(turn, b->axis2));
    snQuat back = snQFromAxisAngle(b->axis, -q[0]);
    q[1] = snTwistAngle(snQMul(back, carried ? *carried : turn), b->axis2);
}

// Two axes, the bone across them: it points where it should. With t the direction, d = R t, and
// Rot(axis2, b) t = t_par + cos b t_perp + sin b axis2 x t_perp, the part along `axis` gives b:
// A cos b + B sin b = C; then the angle about `axis` gives the other.
static void projectDirection(const snBone* b, snVec3 t, snQuat turn, double* q)
{
    snVec3 d = snQRotate(turn, t);
    snVec3 along = snScale(snDot(b->axis2, t), b->axis2), across = snSub(t, along);
    double A = snDot(b->axis, across), B = snDot(b->axis, snCross(b->axis2, across));
    double C = snDot(b->axis, snSub(d, along)), size = sqrt(A * A + B * B);
    double ratio = size > 0 ? fmax(-1, fmin(1, C / size)) : 0;
    double middle = snAtan2(B, A), spread = snAcos(ratio), best = middle + spread;
    double other = middle - spread;
    best = best > TURN / 2 ? best - TURN : best < -TURN / 2 ? best + TURN : best;
    other = other > TURN / 2 ? other - TURN : other < -TURN / 2 ? other + TURN : other;
    q[1] = fabs(other) < fabs(best) ? other : best;
    q[0] = snAngleAbout(b->axis, snQRotate(snQFromAxisAngle(b->axis2, q[1]), t), d);
}

void snProject(const snBone* b, snVec3 direction, snQuat turn, const snQuat* carried, double* q)
{
    switch (b->type) {
    case sn_jointRevolute:
        q[0] = snTwistAngle(turn, b->axis);
        break;
    case sn_jointUniversal:
        if (fabs(snDot(direction, b->axis2)) > 0.9 || snLengthSq(direction) == 0) {
            projectTwist(b, turn, carried, q);
        } else {
            projectDirection(b, direction, turn, q);
        }
        break;
    case sn_jointPlanar:
        q[2] = snTwistAngle(turn, b->axis);
        break;
    case sn_jointBall:
        snStoreQ(q, turn);
        break;
    case sn_jointFree:
        snStoreQ(q + 3, turn);
        break;
    default:
        break;
    }
}

snTransform snProject_Pose(const snBone* b, const double* q)
{
    snTransform t = snTIdentity();
    switch (b->type) {
    case sn_jointRevolute:
        t.q = snQFromAxisAngle(b->axis, q[0]);
        break;
    case sn_jointUniversal:
        t.q = snQMul(snQFromAxisAngle(b->axis, q[0]), snQFromAxisAngle(b->axis2, q[1]));
        break;
    case sn_jointPlanar:
        t.q = snQFromAxisAngle(b->axis, q[2]);
        break;
    case sn_jointBall:
        t.q = snLoadQ(q);
        break;
    case sn_jointFree:
        t.p = snLoad3(q);
        t.q = snLoadQ(q + 3);
        break;
    default:
        break;
    }
    return t;
}

void snProject_Limit(const snBone* b, const snBoneDef* def, double* q)
{
    if (b->type != sn_jointRevolute && b->type != sn_jointUniversal) {
        return;
    }
    for (int32_t k = 0; k < b->nv; ++k) {
        double lower = def->dof[k].lower, upper = def->dof[k].upper;
        if (!(upper - lower < TURN / 2)) {
            continue;
        }
        double middle = 0.5 * (lower + upper), half = 0.5 * (upper - lower), x = q[k] - middle;
        x -= TURN * floor(x / TURN + 0.5);
        q[k] = middle + copysign(fmin(half, fmin(fabs(x), TURN / 2 - fabs(x))), x);
    }
}

static void goOnRotation(const double* before, double most, double* q)
{
    snQuat was = snLoadQ(before), now = snLoadQ(q);
    now = snQDot(was, now) < 0 ? snQNegate(now) : now;
    double angle = snLength(snQLog(snQMul(now, snQConj(was))));
    snStoreQ(q, angle > most ? snQNormalize(snQSlerp(was, now, most / angle)) : now);
}

void snProject_Continue(const snSkeleton* s, const double* before, double most, double* q)
{
    for (int32_t i = 0; i < s->bone_count; ++i) {
        const snBone* b = &s->bones[i];
        int32_t nq = snJoint_Shape(b->type)->nq;
        if (b->type == sn_jointBall || b->type == sn_jointFree) {
            bool root = b->type == sn_jointFree;
            goOnRotation(before + b->qi + nq - 4, root ? TURN : most, q + b->qi + nq - 4);
        } else if (b->type == sn_jointRevolute || b->type == sn_jointUniversal) {
            for (int32_t k = b->qi; k < b->qi + nq; ++k) {
                double by = q[k] - before[k];
                by -= TURN * floor(by / TURN + 0.5);
                q[k] = before[k] + fmax(-most, fmin(most, by));
            }
        }
    }
}
