// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/leg.h"

#include "rig/project.h"
#include "skel/joint.h"

// Of the leg's length: farther than this the knee would snap straight.
#define REACH 0.996

// sin of the angle between foot and leg: below the first the foot says nothing about where the knee
// points, above the second it decides.
#define POINTED 0.25
#define FLAT 0.6

// How far beyond limits, which are made for springs, an ankle may bend, rad; a foot that stands
// must stay flat and may more.
#define GIVE 0.2
#define HELD 1.0

static snVec3 acrossOf(snVec3 v, snVec3 axis)
{
    return snMulAdd(v, -snDot(v, axis), axis);
}

snLeg snLeg_Make(const snRetarget* r, int side, snVec3 forward)
{
    const int32_t* bone_of = r->match.bone_of;
    snLeg g = {.skeleton = r->skeleton,
               .thigh = bone_of[SN_ROLE(sn_partThigh, side)],
               .shin = bone_of[SN_ROLE(sn_partShin, side)],
               .foot = bone_of[SN_ROLE(sn_partFoot, side)],
               .toes = bone_of[SN_ROLE(sn_partToes, side)]};
    const snTransform *hip = &r->rest[g.thigh], *knee = &r->rest[g.shin], *foot = &r->rest[g.foot];
    g.rest[0] = hip->q;
    g.rest[1] = knee->q;
    g.rest[2] = foot->q;
    g.upper = snSub(knee->p, hip->p);
    g.lower = snSub(foot->p, knee->p);
    g.axis = snQRotate(knee->q, r->skeleton->bones[g.shin].axis);
    snVec3 u = acrossOf(g.upper, g.axis), v = acrossOf(g.lower, g.axis);
    g.along = snDot(snAdd(g.upper, g.lower), g.axis);
    g.a = snLength(u);
    g.b = snLength(v);
    g.bent = snAngleAbout(g.axis, u, v);
    const snDofDef* limits = &r->skeleton->defs[g.shin].dof[0];
    g.flex = limits->lower + limits->upper < 0 ? -1 : 1;
    g.side = snDot(g.axis, snCross(forward, snAdd(u, v))) < 0 ? -1 : 1;
    if (g.toes >= 0 && r->skeleton->bones[g.toes].type == sn_jointRevolute &&
        r->skeleton->bones[g.toes].parent == g.foot) {
        snVec3 axis = snQRotate(r->rest[g.toes].q, r->skeleton->bones[g.toes].axis);
        g.toes_sign = snDot(axis, snCross(snV3(0, 1, 0), forward)) < 0 ? -1 : 1;
    }
    return g;
}

double snLeg_Drop(const snLeg* g, snVec3 hip, snVec3 ankle)
{
    snVec3 way = snSub(hip, ankle);
    double most = REACH * REACH * (g->a + g->b) * (g->a + g->b) + g->along * g->along;
    double flat = way.x * way.x + way.z * way.z;
    return fmax(0, way.y - sqrt(fmax(0, most - flat)));
}

// d^2 = along^2 + a^2 + b^2 + 2 a b cos(bent + q): the knee's angle for a distance
static double kneeAngle(const snLeg* g, double square)
{
    double c = (square - g->along * g->along - g->a * g->a - g->b * g->b) / (2 * g->a * g->b);
    double most = (REACH * REACH * (g->a + g->b) * (g->a + g->b) - g->a * g->a - g->b * g->b) /
                  (2 * g->a * g->b);
    return g->flex * snAcos(fmax(-0.95, fmin(most, c))) - g->bent;
}

// The frame that a and the part of b across a span
static snMat3 frameOf(snVec3 a, snVec3 b)
{
    snVec3 x = snNormalize(a), y = snNormalize(acrossOf(b, x));
    return snMatFromCols(x, y, snCross(x, y));
}

// Where the knee's axis goes. An ankle of two axes cannot turn the foot about the shin: knee and
// toes point the same way, the axis lies across both the leg and the foot.
static snVec3 kneeAxis(const snLeg* g, const snLegFrame* was, snQuat foot, snVec3 leg)
{
    const snBone* ankle = &g->skeleton->bones[g->foot];
    snVec3 n = snNormalize(leg), own = snNormalize(acrossOf(was->hinge, n));
    if (ankle->type != sn_jointUniversal) {
        return own;
    }
    snVec3 across = snScale(g->side, snCross(snQRotate(foot, ankle->axis2), n));
    double sine = snLength(across), t = fmax(0, fmin(1, (sine - POINTED) / (FLAT - POINTED)));
    double weight = t * t * (3 - 2 * t);
    return snAdd(snScale(weight, snNormalize(across)), snScale(1 - weight, own));
}

void snLeg_Solve(const snLeg* g, const snLegFrame* was, const snFootFrame* frame, double* q)
{
    const snBone* bones = g->skeleton->bones;
    snVec3 leg = snSub(frame->ankle, was->hip);
    double knee = kneeAngle(g, snLengthSq(leg));
    snQuat bend = snQFromAxisAngle(g->axis, knee);
    snVec3 reach = snAdd(g->upper, snQRotate(bend, g->lower));
    snMat3 from = frameOf(reach, g->axis);
    snMat3 to = frameOf(leg, kneeAxis(g, was, frame->foot, leg));
    snQuat turn = snQFromMat(snMatMul(to, snTranspose(from)));
    snQuat thigh = snQMul(turn, g->rest[0]), shin = snQMul(snQMul(turn, bend), g->rest[1]);
    snStoreQ(q + bones[g->thigh].qi, snQNormalize(snQMul(snQConj(was->base), thigh)));
    q[bones[g->shin].qi] = knee;
    snQuat ankle = snQMul(shin, snQFromMat(bones[g->foot].anchor_R));
    // along its second axis: pitch and roll are wanted, not a direction
    snProject(&bones[g->foot], bones[g->foot].axis2, snQMul(snQConj(ankle), frame->foot), NULL,
              q + bones[g->foot].qi);
    snBoneDef wide = g->skeleton->defs[g->foot];
    for (int k = 0; k < 2; ++k) {
        double give = GIVE + HELD * fmax(frame->ball, frame->heel);
        wide.dof[k].lower -= give;
        wide.dof[k].upper += give;
    }
    snProject_Limit(&bones[g->foot], &wide, q + bones[g->foot].qi);
    if (g->toes_sign != 0) {
        double flat = -fmax(0, frame->pitch) * g->toes_sign;
        q[bones[g->toes].qi] = was->toes + frame->ball * (flat - was->toes);
    }
}
