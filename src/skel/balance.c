// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/balance.h"

#include "skel/joint.h"
#include "skel/passive.h"

// Where sums are taken: the first bone's origin, which is never far from the others.
static snVec3 somewhere(const snSkeleton* skeleton, const snBoneMotion* motion)
{
    return skeleton->bone_count > 0 ? motion[0].p : snV3(0, 0, 0);
}

// From there to the centre of mass.
static snVec3 toCentre(const snSkeleton* skeleton, const snBoneMotion* motion, snVec3 base)
{
    snVec3 moment = snV3(0, 0, 0);
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        snVec3 arm = snSub(motion[i].p, base);
        moment = snMulAdd(moment, skeleton->bones[i].mass, snAdd(arm, motion[i].c));
    }
    return snScale(skeleton->mass > 0 ? 1 / skeleton->mass : 0, moment);
}

snVec3 snBalance_Centre(const snSkeleton* skeleton, const snBoneMotion* motion)
{
    snVec3 base = somewhere(skeleton, motion);
    return snAdd(base, toCentre(skeleton, motion, base));
}

snMomentum snBalance_Momentum(const snSkeleton* skeleton, const snBoneMotion* motion,
                              snSym3* inertia)
{
    snVec3 base = somewhere(skeleton, motion);
    snVec3 P = snV3(0, 0, 0), L = snV3(0, 0, 0);
    snStiff whole = {0};
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBoneMotion* m = &motion[i];
        snVec3 arm = snSub(m->p, base);
        snStiff J = snStiff_Of(&skeleton->bones[i], m);
        snWrench h = snStiff_Times(&J, m->w, m->v);
        P = snAdd(P, h.f);
        L = snAdd(L, snAdd(h.n, snCross(arm, h.f)));
        if (inertia) {
            snStiff_AddShifted(&whole, &J, arm);
        }
    }
    snVec3 c = toCentre(skeleton, motion, base);
    if (inertia) {
        snStiff central = {0};
        snStiff_AddShifted(&central, &whole, snNeg(c));
        *inertia = central.A;
    }
    return (snMomentum){skeleton->mass, snAdd(base, c), P, snSub(L, snCross(c, P))};
}

snEnergy snBalance_Energy(const snSkeleton* skeleton, const snBoneMotion* motion, const double* q,
                          const double* qd, snVec3 gravity)
{
    snEnergy e = {0, 0, 0};
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        const snBoneMotion* m = &motion[i];
        snStiff J = snStiff_Of(b, m);
        snWrench h = snStiff_Times(&J, m->w, m->v);
        e.kinetic += 0.5 * (snDot(m->w, h.n) + snDot(m->v, h.f));
        e.gravity -= b->mass * snDot(gravity, snAdd(m->p, m->c));
        if (b->passive >= 0) {
            const snPassiveDef* def = &skeleton->passives[b->passive];
            bool ball = b->ball >= 0;
            e.elastic += snPassive_Energy(b, def, q + b->qi);
            for (int32_t k = 0; k < b->nv; ++k) {
                double rate = qd[b->vi + k];
                e.kinetic += 0.5 * def->dof[ball ? k / 3 : k].armature * rate * rate;
            }
        }
    }
    return e;
}

void snBalance_MassMatrix(const snSkeleton* skeleton, const snBoneMotion* motion,
                          snInertia6* composite, double* M)
{
    int32_t nv = skeleton->nv;
    for (int64_t k = 0; k < (int64_t)nv * nv; ++k) {
        M[k] = 0;
    }
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        composite[i] = snInertia6_Rigid(&skeleton->bones[i], &motion[i]);
    }
    for (int32_t i = skeleton->bone_count - 1; i >= 0; --i) {
        const snBone* b = &skeleton->bones[i];
        if (b->parent >= 0) {
            snInertia6_AddShifted(&composite[b->parent], &composite[i], motion[i].r);
        }
        bool ball = b->ball >= 0;
        for (int32_t k = 0; k < b->nv; ++k) {
            double unit[6] = {0};
            unit[k] = 1;
            snTwist s = snKinematics_JointTwist(b, &motion[i], unit);
            snWrench F = snInertia6_Times(&composite[i], s.w, s.v);
            int32_t column = b->vi + k;
            for (int32_t j = i; j >= 0; j = skeleton->bones[j].parent) {
                const snBone* a = &skeleton->bones[j];
                for (int32_t l = 0; l < a->nv; ++l) {
                    double other[6] = {0};
                    other[l] = 1;
                    snTwist t = snKinematics_JointTwist(a, &motion[j], other);
                    double entry = snTwistDotWrench(t, F);
                    M[(int64_t)(a->vi + l) * nv + column] = entry;
                    M[(int64_t)column * nv + a->vi + l] = entry;
                }
                F.n = snAdd(F.n, snCross(motion[j].r, F.f));
            }
            if (b->passive >= 0) {
                M[(int64_t)column * nv + column] +=
                    skeleton->passives[b->passive].dof[ball ? k / 3 : k].armature;
            }
        }
    }
}
