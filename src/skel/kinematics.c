// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/kinematics.h"

#include "skel/pass.h"

SN_ISA_DECLARE(snBonesPositionFcn, snBonesPosition);
SN_ISA_DECLARE(snBonesVelocityFcn, snBonesVelocity);
SN_ISA_DECLARE(snBonesStateFcn, snBonesState);

void snKinematics_Position(const snSkeleton* skeleton, const double* q, const snBase* base,
                           snBoneMotion* motion)
{
    SN_ISA_CHOOSE(skeleton->isa, snBonesPosition)(skeleton, q, base, motion);
}

void snKinematics_Velocity(const snSkeleton* skeleton, const double* qd, snBoneMotion* motion)
{
    SN_ISA_CHOOSE(skeleton->isa, snBonesVelocity)(skeleton, qd, motion);
}

void snKinematics_State(const snSkeleton* skeleton, const double* q, const double* qd,
                        const snBase* base, snBoneMotion* motion)
{
    SN_ISA_CHOOSE(skeleton->isa, snBonesState)(skeleton, q, qd, base, motion);
}

void snKinematics_Acceleration(const snSkeleton* skeleton, const double* qdd, snVec3 gravity,
                               snBoneMotion* motion)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        snBoneMotion* m = &motion[i];
        snTwist u = snKinematics_JointTwist(b, m, qdd + b->vi);
        snVec3 dw = snV3(0, 0, 0), dv = snNeg(gravity);
        if (b->parent >= 0) {
            dw = motion[b->parent].dw;
            dv = snAdd(motion[b->parent].dv, snCross(dw, m->r));
        }
        m->dw = snAdd(snAdd(dw, m->zw), u.w);
        m->dv = snAdd(snAdd(dv, m->zv), u.v);
    }
}

// One column: a rate of 1 about (or along) `axis` at the joint's origin, seen at the point.
static void putColumn(double* J, int32_t nv, int32_t column, snVec3 w, snVec3 v)
{
    double entry[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    for (int32_t k = 0; k < 6; ++k) {
        J[k * nv + column] = entry[k];
    }
}

void snKinematics_Jacobian(const snSkeleton* skeleton, const snBoneMotion* motion, int32_t bone,
                           snVec3 point, double* J)
{
    int32_t nv = skeleton->nv;
    for (int32_t k = 0; k < 6 * nv; ++k) {
        J[k] = 0;
    }
    for (int32_t i = bone; i >= 0; i = skeleton->bones[i].parent) {
        const snBone* b = &skeleton->bones[i];
        const snBoneMotion* m = &motion[i];
        snVec3 arm = snSub(point, m->p);
        int32_t count = b->nv;
        for (int32_t k = 0; k < count; ++k) {
            double unit[6] = {0};
            unit[k] = 1;
            snTwist u = snKinematics_JointTwist(b, m, unit);
            putColumn(J, nv, b->vi + k, u.w, snAdd(u.v, snCross(u.w, arm)));
        }
    }
}
