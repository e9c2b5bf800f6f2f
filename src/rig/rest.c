// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/rest.h"

#include "math/transform.h"
#include "rig/project.h"

// rad that feet at rest may point up or down against where they stand: snFeet_Hold levels less
#define MOST_LEVEL 0.4

// cos of how far legs may be off the vertical in the character's rest pose
#define LEG_DOWN 0.70710678118654752

static const snVec3 UP = {0, 1, 0};

// The character's ------------------------------------------------------------------

static void poseBones(snWork* w)
{
    const snSkeleton* s = w->r->skeleton;
    for (int32_t i = 0; i < s->bone_count; ++i) {
        const snBone* b = &s->bones[i];
        snTransform anchor = {b->anchor_p, snQFromMat(b->anchor_R)};
        w->r->rest[i] = b->parent < 0 ? anchor : snTMul(w->r->rest[b->parent], anchor);
    }
    for (int32_t i = 0; i < s->bone_count; ++i) {
        int32_t role = w->r->match.roles[i];
        snHumanPart next = snHumanPart_Next(snRole_Part(role));
        int32_t child = next ? w->r->match.bone_of[SN_ROLE(next, role % 2)] : -1;
        snVec3 tip =
            child >= 0 && s->bones[child].parent == i ? s->bones[child].anchor_p : s->defs[i].tip;
        w->direction[i] = snNormalize(tip);
    }
}

// The recording's ------------------------------------------------------------------

// Where a joint of that role points in a pose, in our axes; 0 when nobody knows
static snVec3 directionOf(const snClip* c, const snTransform* pose, int32_t joint, int32_t role)
{
    snHumanPart next = snHumanPart_Next(snRole_Part(role));
    int32_t to = next ? c->joint_of[SN_ROLE(next, role % 2)] : -1;
    snVec3 d = to >= 0 ? snSub(pose[to].p, pose[joint].p) : snQRotate(pose[joint].q, c->tip[joint]);
    return snNormalize(snQRotate(c->to_ours, d));
}

// Into work->pose: the frame in which heel and ball are lowest together. Returns where the foot
// points then.
static snVec3 standFoot(snWork* w, int32_t foot, int32_t toes, int32_t role)
{
    const snClip* c = w->r->clip;
    double lowest = (double)INFINITY;
    int32_t best = c->info.first;
    for (int32_t f = c->info.first; f < c->info.frame_count; ++f) {
        snClip_Pose(c, f, w->pose);
        snVec3 both = snAdd(w->pose[foot].p, w->pose[toes].p);
        double height = snQRotate(c->to_ours, both).y;
        best = height < lowest ? f : best;
        lowest = fmin(lowest, height);
    }
    snClip_Pose(c, best, w->pose);
    return directionOf(c, w->pose, foot, role);
}

static snQuat wasOf(const snClip* c, const snTransform* pose, int32_t joint)
{
    return snQMul(snQConj(pose[joint].q), snQConj(c->to_ours));
}

// Where the foot points at rest. One that is in the air then is put down first.
static snVec3 restOfFoot(snWork* w, int32_t joint, int32_t role)
{
    const snClip* c = w->r->clip;
    int32_t toes = c->joint_of[SN_ROLE(sn_partToes, role % 2)];
    snVec3 rest = directionOf(c, c->rest, joint, role);
    if (!c->is_rest_unsure || toes < 0 || joint != c->joint_of[SN_ROLE(sn_partFoot, role % 2)]) {
        return rest;
    }
    snVec3 stands = standFoot(w, joint, toes, role);
    if (fabs(snAsin(rest.y) - snAsin(stands.y)) <= MOST_LEVEL) {
        return rest;
    }
    w->was[joint] = wasOf(c, w->pose, joint);
    w->was[toes] = wasOf(c, w->pose, toes);
    return stands;
}

// Both -----------------------------------------------------------------------------

static snQuat turnFoot(snVec3 from, snVec3 to)
{
    from = snNormalize(snMul3(from, snV3(1, 0, 1)));
    to = snNormalize(snMul3(to, snV3(1, 0, 1)));
    return snDot(from, to) < 0 ? snQFromAxisAngle(UP, snAngleAbout(UP, from, to))
                               : snQFromTo(from, to);
}

// A of a limb, or that of the bone it hangs on where nobody knows
static snQuat alignLimb(snWork* w, int32_t bone, snQuat above)
{
    int32_t role = w->r->match.roles[bone], joint = w->r->match.joint[bone];
    snHumanPart part = snRole_Part(role);
    snVec3 from = snQRotate(w->r->rest[bone].q, w->direction[bone]);
    snVec3 to = part == sn_partFoot ? restOfFoot(w, joint, role)
                                    : directionOf(w->r->clip, w->r->clip->rest, joint, role);
    double flat = part == sn_partFoot ? 0 : 1;
    bool known = snLengthSq(snMul3(from, snV3(1, flat, 1))) > 0 &&
                 snLengthSq(snMul3(to, snV3(1, flat, 1))) > 0;
    bool leg = part == sn_partThigh || part == sn_partShin;
    return !known                               ? above
           : part == sn_partFoot                ? turnFoot(from, to)
           : leg && -snDot(from, UP) < LEG_DOWN ? snQIdentity()
                                                : snQFromTo(from, to);
}

static bool isLimb(snHumanPart part)
{
    return part == sn_partUpperArm || part == sn_partForearm || part == sn_partThigh ||
           part == sn_partShin || part == sn_partFoot;
}

static void align(snWork* w)
{
    const snSkeleton* s = w->r->skeleton;
    snQuat* A = w->want; // not needed yet
    for (int32_t i = 0; i < s->bone_count; ++i) {
        snHumanPart part = snRole_Part(w->r->match.roles[i]);
        int32_t parent = s->bones[i].parent;
        bool follows = (part >= sn_partHand && part <= sn_partMiddle2) || part == sn_partToes;
        snQuat above = parent >= 0 ? A[parent] : snQIdentity();
        A[i] = isLimb(part) && w->r->match.joint[i] >= 0 ? alignLimb(w, i, above)
               : follows                                 ? above
                                                         : snQIdentity();
        w->after[i] = snQMul(A[i], w->r->rest[i].q);
    }
}

void snRest_Find(snWork* w)
{
    const snClip* c = w->r->clip;
    for (int32_t j = 0; j < c->info.joint_count; ++j) {
        w->was[j] = wasOf(c, c->rest, j);
    }
    poseBones(w);
    align(w);
}
