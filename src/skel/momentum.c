// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/momentum.h"

snWhole snWhole_OfBones(const snSkeleton* skeleton, const snBoneMotion* motion)
{
    snWhole out = {0};
    out.momentum = snBalance_Momentum(skeleton, motion, &out.inertia);
    return out;
}

// inertia of a body of that mass and offset about another point, less the one about its own centre
static snSym3 pointInertia(double mass, snVec3 r)
{
    double xx = mass * r.x * r.x, yy = mass * r.y * r.y, zz = mass * r.z * r.z;
    snSym3 S = {yy + zz, xx + zz, xx + yy, -mass * r.x * r.y, -mass * r.x * r.z, -mass * r.y * r.z};
    return S;
}

snWhole snWhole_Join(const snWhole* a, const snWhole* b)
{
    const snMomentum *p = &a->momentum, *q = &b->momentum;
    if (!(q->mass > 0) || !(p->mass > 0)) {
        return q->mass > 0 ? *b : *a;
    }
    snWhole out;
    double share = q->mass / (p->mass + q->mass);
    snVec3 apart = snSub(q->com, p->com);
    snVec3 ra = snScale(-share, apart), rb = snScale(1 - share, apart);
    out.momentum.mass = p->mass + q->mass;
    out.momentum.com = snMulAdd(p->com, share, apart);
    out.momentum.linear = snAdd(p->linear, q->linear);
    out.momentum.angular =
        snAdd(snAdd(p->angular, snCross(ra, p->linear)), snAdd(q->angular, snCross(rb, q->linear)));
    out.inertia = snSymAdd(snSymAdd(a->inertia, pointInertia(p->mass, ra)),
                           snSymAdd(b->inertia, pointInertia(q->mass, rb)));
    return out;
}

void snMomentum_Take(snMomentumTarget* target, const snWhole* now)
{
    if (!target->known) {
        *target = (snMomentumTarget){now->momentum.linear, now->momentum.angular, 1};
    }
}

snWrench snMomentum_Load(const snSkeleton* skeleton, const snBoneMotion* motion,
                         const snWrench* external, const double* tau, snVec3 com)
{
    snVec3 force = snV3(0, 0, 0), moment = snV3(0, 0, 0);
    for (int32_t i = 0; external && i < skeleton->bone_count; ++i) {
        const snWrench* g = &external[i];
        force = snAdd(force, g->f);
        moment = snAdd(moment, snAdd(g->n, snCross(snSub(motion[i].p, com), g->f)));
    }
    int32_t root = skeleton->floating_root;
    if (tau && root >= 0) {
        const snBoneMotion* m = &motion[root];
        snTwist pull =
            snKinematics_JointTwist(&skeleton->bones[root], m, tau + skeleton->bones[root].vi);
        force = snAdd(force, pull.v);
        moment = snAdd(moment, snAdd(pull.w, snCross(snSub(m->p, com), pull.v)));
    }
    return snWrenchFrom(moment, force);
}

void snMomentum_Push(snMomentumTarget* target, double h, snWrench load)
{
    target->linear = snMulAdd(target->linear, h, load.f);
    target->angular = snMulAdd(target->angular, h, load.n);
}

snTwist snMomentum_Correction(const snMomentumTarget* target, const snWhole* now)
{
    bool ok;
    snSym3 inverse = snSymInverse(now->inertia, &ok); // singular (a line of points): zero
    return snTwistFrom(
        snSymTimes(inverse, snSub(target->angular, now->momentum.angular)),
        snScale(1 / now->momentum.mass, snSub(target->linear, now->momentum.linear)));
}

void snMomentum_MoveRoot(const snSkeleton* skeleton, const snBoneMotion* motion, snVec3 com,
                         snTwist change, double* qd)
{
    const snBone* b = &skeleton->bones[skeleton->floating_root];
    const snBoneMotion* m = &motion[skeleton->floating_root];
    snVec3 dv = snAdd(change.v, snCross(change.w, snSub(m->p, com)));
    for (int32_t k = 0; k < 3; ++k) {
        qd[b->vi + k] += snDot(m->axis[k], change.w);
        qd[b->vi + 3 + k] += snDot(m->axis[k], dv);
    }
}
