// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/joints.h"

#include "math/svd.h"
#include "math/trig.h"

#define DEGREE (SN_PI / 180)

// What turns by less is fixed; what leaves one axis by less is a hinge.
#define FIXED (0.5 * DEGREE)
#define HINGE (4 * DEGREE)

// Limits are so much wider than what the clips use; cones and ranges beyond this are none.
#define MARGIN (10 * DEGREE)
#define WIDEST (150 * DEGREE)

void snJoint_Split(snVec3 axis, snQuat turn, double* swing, double* twist)
{
    snVec3 moved = snQRotate(turn, axis);
    *swing = snAtan2(snLength(snCross(axis, moved)), snDot(axis, moved));
    *twist = 2 * snAtan2(snDot(snV3(turn.x, turn.y, turn.z), axis), turn.w);
    *twist -= *twist > SN_PI ? 2 * SN_PI : *twist < -SN_PI ? -2 * SN_PI : 0;
}

static snQuat meanTurn(const snJointFrame* seen, int32_t count)
{
    snQuat sum = snQ(0, 0, 0, 0);
    for (int32_t i = 0; i < count; ++i) {
        snQuat q = seen[i].q;
        double s = snQDot(seen[0].q, q) < 0 ? -1 : 1;
        sum = snQ(sum.x + s * q.x, sum.y + s * q.y, sum.z + s * q.z, sum.w + s * q.w);
    }
    return snQNormalize(sum);
}

// Turns from the middle one, as vectors: the axis that they are about on the whole, how far they
// leave it, and how far they go at all
static snVec3 commonAxis(const snJointFrame* seen, int32_t count, snQuat rest, double* off,
                         double* most)
{
    snMat3 sum = snMat3_Diagonal(0, 0, 0);
    *off = *most = 0;
    for (int32_t i = 0; i < count; ++i) {
        snVec3 r = snQLog(snQMul(snQConj(rest), seen[i].q));
        sum = snMatAdd(sum, snOuter(r, r));
        *most = fmax(*most, snLength(r));
    }
    snVec3 axis = snMatCol(snSvd3d(sum).U, 0);
    for (int32_t i = 0; i < count; ++i) {
        snVec3 r = snQLog(snQMul(snQConj(rest), seen[i].q));
        *off = fmax(*off, snLength(snMulAdd(r, -snDot(r, axis), axis)));
    }
    return axis;
}

// Ranges of swing and twist; without samples that differ, as they were
static void measureTurns(snRigJoint* j, const snJointFrame* seen, int32_t count)
{
    j->low = (double)INFINITY, j->high = -(double)INFINITY, j->swing = 0;
    for (int32_t i = 0; i < count; ++i) {
        double swing, twist;
        snQuat turn = snQMul(snQConj(j->rest), seen[i].q);
        snJoint_Split(j->axis, turn, &swing, &twist);
        j->swing = fmax(j->swing, swing);
        j->low = fmin(j->low, twist);
        j->high = fmax(j->high, twist);
    }
}

void snRigJoint_Fit(snRigJoint* joint, const snJointFrame* seen, int32_t count, snVec3 along)
{
    double off, most;
    snVec3 place = snV3(0, 0, 0);
    joint->rest = meanTurn(seen, count);
    for (int32_t i = 0; i < count; ++i) {
        place = snMulAdd(place, 1.0 / count, seen[i].p);
    }
    joint->place = place;
    snVec3 axis = commonAxis(seen, count, joint->rest, &off, &most);
    if (joint->follows) {
        joint->type = sn_jointFree;
    } else if (most < FIXED) {
        joint->type = sn_jointWeld;
    } else {
        joint->type = off < HINGE ? sn_jointRevolute : sn_jointBall;
    }
    snVec3 far = snNormalize(along);
    joint->axis = joint->type == sn_jointRevolute || !(snLengthSq(far) > 0.5) ? axis : far;
    if (joint->type == sn_jointFree || joint->type == sn_jointWeld) {
        joint->low = joint->high = joint->swing = 0;
        return;
    }
    measureTurns(joint, seen, count);
    joint->low -= MARGIN, joint->high += MARGIN, joint->swing += MARGIN;
    if (fmax(-joint->low, joint->high) > WIDEST) {
        joint->low = -(double)INFINITY, joint->high = (double)INFINITY;
    }
    joint->swing = joint->swing > WIDEST ? (double)INFINITY : joint->swing;
}
