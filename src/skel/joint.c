// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/joint.h"

static const snJointShape SHAPES[sn_jointTypeCount] = {
    [sn_jointWeld] = {"weld", 0, 0, 0},           [sn_jointRevolute] = {"revolute", 1, 1, 1},
    [sn_jointPrismatic] = {"prismatic", 1, 1, 1}, [sn_jointUniversal] = {"universal", 2, 2, 2},
    [sn_jointBall] = {"ball", 4, 3, 1},           [sn_jointPlanar] = {"planar", 3, 3, 3},
    [sn_jointFree] = {"free", 7, 6, 2},
};

const snJointShape* snJoint_Shape(int32_t type)
{
    return &SHAPES[type];
}

const char* snJointType_Name(int32_t type)
{
    return type >= 0 && type < sn_jointTypeCount ? SHAPES[type].name : NULL;
}

static void turn(const double* q, snVec3 w, double h, double* q_out)
{
    snStoreQ(q_out, snQNormalize(snQMul(snQExp(snScale(h, w)), snLoadQ(q))));
}

void snJoint_Integrate(int32_t type, const double* q, const double* qd, double h, double* q_out)
{
    if (type == sn_jointBall) {
        turn(q, snLoad3(qd), h, q_out);
    } else if (type == sn_jointFree) {
        snStore3(q_out, snMulAdd(snLoad3(q), h, snLoad3(qd + 3)));
        turn(q + 3, snLoad3(qd), h, q_out + 3);
    } else {
        for (int32_t i = 0; i < SHAPES[type].nv; ++i) {
            q_out[i] = q[i] + h * qd[i];
        }
    }
}

static snVec3 turnBetween(const double* from, const double* to)
{
    return snQLog(snQMul(snLoadQ(to), snQConj(snLoadQ(from))));
}

void snJoint_Difference(int32_t type, const double* from, const double* to, double* qd)
{
    if (type == sn_jointBall) {
        snStore3(qd, turnBetween(from, to));
    } else if (type == sn_jointFree) {
        snStore3(qd, turnBetween(from + 3, to + 3));
        snStore3(qd + 3, snSub(snLoad3(to), snLoad3(from)));
    } else {
        for (int32_t i = 0; i < SHAPES[type].nv; ++i) {
            qd[i] = to[i] - from[i];
        }
    }
}
