// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/retarget.h"

#include <string.h>

#include "base/message.h"
#include "math/transform.h"
#include "rig/limbs.h"
#include "rig/project.h"
#include "rig/rest.h"
#include "skel/joint.h"

#define MOST_ROLL 0.8 // rad that a hand is turned about its forearm
#define ONE_WAY 0.9   // length of the mean of directions that are about the same

// Frames -------------------------------------------------------------------------

// How far a recorded joint has turned from its rest pose: D(t)
static snQuat turnOf(const snWork* w, int32_t joint)
{
    return snQMul(w->to_ours, snQMul(w->pose[joint].q, w->was[joint]));
}

void snWork_Want(snWork* w, int32_t frame)
{
    const snClip* c = w->r->clip;
    snClip_Pose(c, frame, w->pose);
    for (int32_t i = 0; i < w->r->skeleton->bone_count; ++i) {
        int32_t j = w->r->match.joint[i];
        if (j >= 0) {
            snQuat roll = snQFromAxisAngle(w->direction[i], w->roll[i]);
            w->want[i] = snQNormalize(snQMul(snQMul(turnOf(w, j), w->after[i]), roll));
        }
    }
}

// A head on a hinge nods; the neck below it does all the rest, and half of the nod.
static void shareNeck(snWork* w)
{
    int32_t head = snWork_Bone(w, sn_partHead, 0), neck = snWork_Bone(w, sn_partNeck, 0);
    const snBone* bones = w->r->skeleton->bones;
    if (head < 0 || neck < 0 || bones[head].parent != neck || w->r->match.joint[head] < 0 ||
        bones[neck].type != sn_jointBall || bones[head].type != sn_jointRevolute ||
        bones[neck].parent < 0 || w->r->match.joint[bones[neck].parent] < 0) {
        return;
    }
    snQuat below = w->want[bones[neck].parent];
    snQuat rest = snQMul(snQConj(w->r->rest[bones[neck].parent].q), w->r->rest[head].q);
    snQuat turn = snQMul(snQConj(snQMul(below, rest)), w->want[head]);
    snVec3 axis = bones[head].axis;
    double nod = 0.5 * snTwistAngle(turn, axis);
    snQuat anchor = snQFromMat(bones[head].anchor_R);
    snQuat upright = snQMul(w->want[head], snQFromAxisAngle(axis, -nod));
    w->want[neck] = snQNormalize(snQMul(upright, snQConj(anchor)));
}

// Forearms turn hands about themselves. The skin of a wrist bears some of that; what is more the
// forearm does, and all of it where the character has no hand for the recorded one.
static void shareWrists(snWork* w)
{
    const snBone* bones = w->r->skeleton->bones;
    const int32_t* joint = w->r->match.joint;
    for (int side = 0; side < 2; ++side) {
        int32_t arm = snWork_Bone(w, sn_partForearm, side), j = snWork_Joint(w, sn_partHand, side);
        int32_t hand = snWork_Bone(w, sn_partHand, side);
        if (arm < 0 || j < 0 || joint[arm] < 0 || bones[arm].type != sn_jointBall) {
            continue;
        }
        snQuat turned = snQMul(turnOf(w, j), w->after[arm]); // an arm and a hand in one
        double roll = snTwistAngle(snQMul(snQConj(w->want[arm]), turned), w->direction[arm]);
        double whole = fabs(roll), bears = fmin(MOST_ROLL, fmin(whole, SN_PI - whole));
        roll -= hand >= 0 && joint[hand] >= 0 ? copysign(bears, roll) : 0;
        w->want[arm] = snQMul(w->want[arm], snQFromAxisAngle(w->direction[arm], roll));
    }
}

// The next bone's wish, when this one twists in its place: forearms turn hands
static bool carriesTwist(const snWork* w, int32_t bone, int32_t* next)
{
    int32_t role = w->r->match.roles[bone];
    *next = snWork_Bone(w, sn_partHand, role % 2);
    return snRole_Part(role) == sn_partForearm && *next >= 0 && w->r->match.joint[*next] >= 0 &&
           w->r->skeleton->bones[*next].parent == bone &&
           w->r->skeleton->bones[*next].type != sn_jointBall;
}

// From the root on, each bone as near to what it should be as its joint allows
static void solveTurns(snWork* w, double* q)
{
    const snSkeleton* s = w->r->skeleton;
    for (int32_t i = 0; i < s->bone_count; ++i) {
        const snBone* b = &s->bones[i];
        snTransform at = {b->anchor_p, snQFromMat(b->anchor_R)};
        at = b->parent < 0 ? at : snTMul(w->got[b->parent], at);
        if (w->r->match.joint[i] >= 0) {
            int32_t next;
            snQuat turn = snQMul(snQConj(at.q), w->want[i]), carried;
            bool carries = carriesTwist(w, i, &next);
            if (carries) {
                snQuat anchor = snQFromMat(s->bones[next].anchor_R);
                carried = snQMul(snQConj(at.q), snQMul(w->want[next], snQConj(anchor)));
            }
            snProject(b, w->direction[i], snQNormalize(turn), carries ? &carried : NULL, q + b->qi);
            snProject_Limit(b, &s->defs[i], q + b->qi);
        }
        w->got[i] = snTMul(at, snProject_Pose(b, q + b->qi));
        w->got[i].q = snQNormalize(w->got[i].q);
    }
}

// Travel -------------------------------------------------------------------------

static bool hasLegs(const snWork* w)
{
    return snWork_Bone(w, sn_partThigh, 0) >= 0 && snWork_Bone(w, sn_partThigh, 1) >= 0 &&
           snWork_Bone(w, sn_partFoot, 0) >= 0 && snWork_Bone(w, sn_partFoot, 1) >= 0 &&
           snWork_Joint(w, sn_partFoot, 0) >= 0 && snWork_Joint(w, sn_partFoot, 1) >= 0 &&
           w->r->clip->info.hip_height > 0;
}

// A recorded joint in our axes, scaled
static snVec3 scaled(const snWork* w, int32_t joint)
{
    return snScale(w->r->scale, snQRotate(w->to_ours, w->pose[joint].p));
}

// The ball of the foot: where toes begin, or where the foot ends.
static snVec3 ballOf(const snWork* w, int side)
{
    int32_t toes = snWork_Joint(w, sn_partToes, side), foot = snWork_Joint(w, sn_partFoot, side);
    snVec3 tip = snTPoint(w->pose[foot], w->r->clip->tip[foot]);
    return toes >= 0 ? scaled(w, toes) : snScale(w->r->scale, snQRotate(w->to_ours, tip));
}

static snVec3 recordedHips(const snWork* w)
{
    return hasLegs(w) ? snScale(0.5, snAdd(scaled(w, snWork_Joint(w, sn_partThigh, 0)),
                                           scaled(w, snWork_Joint(w, sn_partThigh, 1))))
                      : scaled(w, 0);
}

// Hip height of ours over that of the recording, from hip joint to the ball of the foot, or to the
// ankle where the recording knows no more.
static void findScale(snWork* w)
{
    const snClip* c = w->r->clip;
    double ours = 0, tall = 0;
    bool toes = snWork_Joint(w, sn_partToes, 0) >= 0 && snWork_Joint(w, sn_partToes, 1) >= 0;
    for (int side = 0; side < 2 && hasLegs(w); ++side) {
        int32_t low = snWork_Bone(w, toes ? sn_partToes : sn_partFoot, side);
        low = low >= 0 ? low : snWork_Bone(w, sn_partFoot, side);
        ours += 0.5 * (w->r->rest[snWork_Bone(w, sn_partThigh, side)].p.y - w->r->rest[low].p.y);
    }
    if (ours > 0) {
        w->r->scale = ours / c->info.hip_height;
        return;
    }
    // no legs: by how far the skeletons reach
    ours = 0;
    for (int32_t i = 0; i < w->r->skeleton->bone_count; ++i) {
        ours = fmax(ours, snLength(snSub(w->r->rest[i].p, w->r->rest[0].p)));
    }
    for (int32_t i = 0; i < c->info.joint_count; ++i) {
        tall = fmax(tall, snLength(snSub(c->rest[i].p, c->rest[0].p)));
    }
    w->r->scale = ours > 0 && tall > 0 ? ours / tall : 1;
}

// Moves the root so that the hips are where they should be
static void placeHips(snWork* w, snVec3 where, double* q)
{
    const snSkeleton* s = w->r->skeleton;
    if (s->floating_root < 0) {
        return;
    }
    snVec3 hips = w->got[s->floating_root].p;
    if (hasLegs(w)) {
        hips = snScale(0.5, snAdd(w->got[snWork_Bone(w, sn_partThigh, 0)].p,
                                  w->got[snWork_Bone(w, sn_partThigh, 1)].p));
    }
    const snBone* root = &s->bones[s->floating_root];
    snVec3 by = snSub(where, hips);
    double* p = q + root->qi;
    snStore3(p, snAdd(snLoad3(p), snMatTVec(root->anchor_R, by)));
    for (int32_t i = 0; i < s->bone_count; ++i) {
        w->got[i].p = snAdd(w->got[i].p, by);
    }
}

static void keepLegs(snWork* w, int32_t f, const double* q)
{
    const snSkeleton* s = w->r->skeleton;
    for (int side = 0; side < 2 && w->r->legs[0]; ++side) {
        int32_t thigh = snWork_Bone(w, sn_partThigh, side),
                foot = snWork_Bone(w, sn_partFoot, side);
        int32_t shin = snWork_Bone(w, sn_partShin, side), toes = snWork_Bone(w, sn_partToes, side);
        snQuat anchor = snQFromMat(s->bones[thigh].anchor_R);
        snVec3 ankle = scaled(w, snWork_Joint(w, sn_partFoot, side));
        w->r->legs[side][f] = (snLegFrame){
            .hip = w->got[thigh].p,
            .ankle = w->got[foot].p,
            .base = snQMul(w->got[s->bones[thigh].parent].q, anchor),
            .foot = w->want[foot],
            .hinge = snQRotate(w->got[shin].q, s->bones[shin].axis),
            .ankle_was = ankle,
            .ball_was = snAdd(ankle, snLimbs_FootPoint(w, f, side, snSub(ballOf(w, side), ankle))),
            .toes = toes >= 0 ? q[s->bones[toes].qi] : 0,
        };
    }
}

// Legs of a ball joint, a hinge and an ankle: the kind that can be set on the ground.
static bool areLegsUsual(const snWork* w)
{
    const snBone* bones = w->r->skeleton->bones;
    bool usual = hasLegs(w) && w->r->skeleton->floating_root >= 0;
    for (int side = 0; side < 2 && usual; ++side) {
        int32_t top, shin, foot = snWork_Bone(w, sn_partFoot, side);
        usual = snLimbs_IsHinge(w, sn_partThigh, side, &top, &shin) && bones[top].parent >= 0 &&
                bones[shin].type == sn_jointRevolute && bones[foot].parent == shin &&
                w->r->match.joint[foot] >= 0 &&
                (bones[foot].type == sn_jointUniversal || bones[foot].type == sn_jointBall);
    }
    return usual;
}

static snStatus takeMemory(snArena* arena, snWork* w, snMessage* why)
{
    snRetarget* r = w->r;
    size_t bones = (size_t)r->skeleton->bone_count, joints = (size_t)r->clip->info.joint_count;
    size_t frames = (size_t)r->frame_count, cells = 0;
    bool fits = snSizeMul(frames, (size_t)r->skeleton->nq, &cells);
    r->q = fits ? snArena_Push(arena, cells, sizeof(double)) : NULL;
    r->rest = snArena_Push(arena, bones, sizeof *r->rest);
    w->direction = snArena_Push(arena, bones, sizeof *w->direction);
    w->after = snArena_Push(arena, bones, sizeof *w->after);
    w->roll = snArena_Push(arena, bones, sizeof *w->roll);
    w->want = snArena_Push(arena, bones, sizeof *w->want);
    w->got = snArena_Push(arena, bones, sizeof *w->got);
    w->was = snArena_Push(arena, joints, sizeof *w->was);
    w->pose = snArena_Push(arena, joints, sizeof *w->pose);
    w->flips = snArena_Push(arena, frames, sizeof *w->flips);
    for (int side = 0; side < 2 && areLegsUsual(w); ++side) {
        r->legs[side] = snArena_Push(arena, frames, sizeof(snLegFrame));
    }
    return arena->failed || !r->q
               ? snFail(why, sn_errorMemory, "no memory for %zu frames of %zu bones", frames, bones)
               : sn_ok;
}

// Where the pelvis faces in a frame
static snVec3 facedIn(snWork* w, int32_t pelvis, int32_t frame)
{
    snWork_Want(w, frame);
    snQuat turn = snQMul(w->want[pelvis], snQConj(w->r->rest[pelvis].q));
    return snQRotate(turn, snV3(0, 0, 1));
}

// The first frame faces as the character does, whatever way the actor faced. One that may be a step
// of a walk has its hips turned: then it is what it faces on the mean, if that is one way.
static void faceForward(snWork* w)
{
    const snClip* c = w->r->clip;
    int32_t pelvis = snWork_Bone(w, sn_partPelvis, 0);
    snVec3 up = snV3(0, 1, 0), mean = snV3(0, 0, 0);
    w->to_ours = c->to_ours;
    if (pelvis < 0 || w->r->match.joint[pelvis] < 0) {
        return;
    }
    for (int32_t f = c->info.first; f < c->info.frame_count && c->is_rest_unsure; ++f) {
        mean = snMulAdd(mean, 1.0 / w->r->frame_count, facedIn(w, pelvis, f));
    }
    snVec3 faced = snLength(mean) > ONE_WAY ? mean : facedIn(w, pelvis, c->info.first);
    if (fabs(faced.y) < 0.9) {
        snQuat back = snQFromAxisAngle(up, -snAngleAbout(up, snV3(0, 0, 1), faced));
        w->to_ours = snQMul(back, w->to_ours);
    }
}

static void runFrame(snWork* w, int32_t f, snVec3 origin)
{
    snRetarget* r = w->r;
    size_t nq = (size_t)r->skeleton->nq;
    double* q = r->q + (size_t)f * nq;
    snWork_Want(w, r->clip->info.first + f);
    snLimbs_Turn(w, f);
    shareNeck(w);
    shareWrists(w);
    snSkeleton_ZeroPose(r->skeleton, q);
    solveTurns(w, q);
    placeHips(w, snSub(recordedHips(w), origin), q);
    keepLegs(w, f, q);
    if (f > 0) {
        snProject_Continue(r->skeleton, q - nq, SN_FASTEST / r->clip->info.rate, q);
    }
    for (int side = 0; side < 2 && hasLegs(w); ++side) {
        int32_t foot = snWork_Bone(w, sn_partFoot, side);
        w->lift = fmax(w->lift, r->rest[foot].p.y - w->got[foot].p.y);
    }
}

snStatus snRetarget_Run(snArena* arena, const snClip* clip, const snSkeleton* skeleton,
                        snRetarget* r, snMessage* why)
{
    snMatch match;
    snStatus status = snMatch_Find(arena, clip, skeleton, &match, why);
    return status ? status : snRetarget_Matched(arena, clip, skeleton, &match, r, why);
}

snStatus snRetarget_Matched(snArena* arena, const snClip* clip, const snSkeleton* skeleton,
                            const snMatch* match, snRetarget* r, snMessage* why)
{
    *r = (snRetarget){.clip = clip,
                      .skeleton = skeleton,
                      .match = *match,
                      .frame_count = clip->info.frame_count - clip->info.first};
    snWork w = {.r = r, .lift = -(double)INFINITY};
    snStatus status = takeMemory(arena, &w, why);
    if (status) {
        return status;
    }
    snRest_Find(&w);
    faceForward(&w);
    snLimbs_FindFlips(&w);
    snLimbs_FindRolls(&w);
    findScale(&w);
    snClip_Pose(clip, clip->info.first, w.pose);
    snVec3 origin = recordedHips(&w);
    if (hasLegs(&w)) {
        origin.y = 0;
    } else if (skeleton->floating_root >= 0) {
        origin = snSub(origin, r->rest[skeleton->floating_root].p);
    }
    for (int32_t f = 0; f < r->frame_count; ++f) {
        runFrame(&w, f, origin);
    }
    if (hasLegs(&w) && !r->legs[0]) {
        snRetarget_Lift(r, w.lift);
    }
    return sn_ok;
}

void snRetarget_Lift(snRetarget* r, double by)
{
    const snSkeleton* s = r->skeleton;
    for (int32_t f = 0; f < r->frame_count && s->floating_root >= 0; ++f) {
        snRetarget_LiftFrame(r, f, by);
        for (int side = 0; side < 2 && r->legs[0]; ++side) {
            r->legs[side][f].hip.y += by;
            r->legs[side][f].ankle.y += by;
        }
    }
}

void snRetarget_LiftFrame(snRetarget* r, int32_t frame, double by)
{
    const snSkeleton* s = r->skeleton;
    const snBone* root = &s->bones[s->floating_root];
    double* p = r->q + (size_t)frame * (size_t)s->nq + root->qi;
    snStore3(p, snAdd(snLoad3(p), snMatTVec(root->anchor_R, snV3(0, by, 0))));
}
