// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/limbs.h"

#include "rig/project.h"

// Of an arm or leg that is bent less than about 15 degrees, the plane it bends in says little.
#define STRAIGHT_SQUARE 0.067 // sin^2

// A hinge must have been bent by this much on average before its axis is believed.
#define LEAST_BEND 0.05 // sin

// What being flipped costs in a frame, of what half a turn from one frame to the next costs.
#define FLIPPED 0.002
#define BEHIND 0.2 // times how far knees and feet point backwards

#define LIMBS 4
static const snHumanPart UPPER[2] = {sn_partUpperArm, sn_partThigh};

// What may be flipped: limbs, and feet, which go with the leg or not.
#define FLIPS 6

bool snLimbs_IsHinge(const snWork* w, snHumanPart upper, int side, int32_t* top, int32_t* low)
{
    *top = snWork_Bone(w, upper, side);
    *low = snWork_Bone(w, snHumanPart_Next(upper), side);
    const snBone* bones = w->r->skeleton->bones;
    return *top >= 0 && *low >= 0 && bones[*low].parent == *top &&
           bones[*top].type == sn_jointBall && w->r->match.joint[*top] >= 0 &&
           w->r->match.joint[*low] >= 0 &&
           (bones[*low].type == sn_jointRevolute || bones[*low].type == sn_jointUniversal);
}

// u x e, in the upper bone's frame, u and e where the upper and the lower bone point: along the
// axis that the limb bends about, as long as the sine of how much.
static snVec3 bendOf(const snWork* w, int32_t top, int32_t low)
{
    snVec3 e = snQRotate(w->want[low], w->direction[low]);
    return snCross(w->direction[top], snQRotate(snQConj(w->want[top]), e));
}

static snVec3 hingeOf(const snWork* w, int32_t low)
{
    return snMatVec(w->r->skeleton->bones[low].anchor_R, w->r->skeleton->bones[low].axis);
}

// Flips --------------------------------------------------------------------------

// The bone that a flip turns first; -1 when there is none that follows a joint
static int32_t flippedBone(const snWork* w, int k)
{
    int32_t top, low;
    if (k < LIMBS) {
        return snLimbs_IsHinge(w, UPPER[k / 2], k % 2, &top, &low) ? top : -1;
    }
    top = snWork_Bone(w, sn_partFoot, k % 2);
    return top >= 0 && w->r->match.joint[top] >= 0 ? top : -1;
}

// Half a turn about the recorded line from the limb's root to its end
static snQuat flipOf(const snWork* w, int k)
{
    snHumanPart upper = k < 2 ? sn_partUpperArm : sn_partThigh,
                end = snHumanPart_Next(snHumanPart_Next(upper));
    int32_t from = snWork_Joint(w, upper, k % 2), to = snWork_Joint(w, end, k % 2);
    if (from < 0 || to < 0) {
        return snQIdentity();
    }
    snVec3 line = snSub(w->pose[to].p, w->pose[from].p);
    snVec3 n = snNormalize(snQRotate(w->to_ours, line));
    return snQ(n.x, n.y, n.z, 0);
}

// Knees that bend backwards and feet that point backwards, as the pelvis sees it: negative
static double ahead(const snWork* w, int k, int32_t bone)
{
    int32_t pelvis = snWork_Bone(w, sn_partPelvis, 0);
    if (k < 2 || pelvis < 0 || w->r->match.joint[pelvis] < 0) {
        return 0;
    }
    snVec3 x = snV3(1, 0, 0), own;
    snVec3 left = snQRotate(snQMul(w->want[pelvis], snQConj(w->r->rest[pelvis].q)), x);
    if (k < LIMBS) {
        int32_t low = snWork_Bone(w, sn_partShin, k % 2);
        own = snQRotate(w->want[bone], bendOf(w, bone, low));
    } else {
        own = snQRotate(snQMul(w->want[bone], snQConj(w->r->rest[bone].q)), x);
    }
    return snDot(left, own);
}

// The two ways of a limb in a frame, and what it costs to have come here
typedef struct Ways {
    snQuat turn[2]; // as recorded, and flipped
    double cost[2];
} Ways;

// From either way of the frame before, the cheaper: half a turn costs 1. Bit s of the result is the
// way from which way s was reached.
static int stepWays(Ways* ways, snQuat turn, snQuat flip, double forward)
{
    Ways next = {{turn, snQNormalize(snQMul(flip, turn))}, {0, 0}};
    int from = 0;
    for (int s = 0; s < 2; ++s) {
        double cost[2];
        for (int t = 0; t < 2; ++t) {
            cost[t] = ways->cost[t] + 1 - fabs(snQDot(next.turn[s], ways->turn[t]));
        }
        int best = cost[1] < cost[0];
        next.cost[s] = cost[best] + s * FLIPPED + BEHIND * fmax(0, s ? forward : -forward);
        from |= best << s;
    }
    *ways = next;
    return from;
}

// The cheapest sequence of ways (Viterbi 1967): forward with what each came from, then back.
void snLimbs_FindFlips(snWork* w)
{
    int32_t count = w->r->frame_count;
    Ways ways[FLIPS] = {0};
    for (int32_t f = 0; f < count; ++f) {
        snWork_Want(w, w->r->clip->info.first + f);
        w->flips[f] = 0;
        for (int k = 0; k < FLIPS; ++k) {
            int32_t bone = flippedBone(w, k);
            if (bone >= 0) {
                snQuat flip = flipOf(w, k), turn = w->want[bone];
                if (f == 0) {
                    ways[k] = (Ways){{turn, snQMul(flip, turn)}, {0, 0}};
                }
                int from = stepWays(&ways[k], turn, flip, ahead(w, k, bone));
                w->flips[f] = (uint16_t)(w->flips[f] | from << (2 * k));
            }
        }
    }
    int now = 0;
    for (int k = 0; k < FLIPS; ++k) {
        now |= (ways[k].cost[1] < ways[k].cost[0]) << k;
    }
    for (int32_t f = count - 1; f >= 0; --f) {
        int from = w->flips[f], before = 0;
        w->flips[f] = (uint16_t)now;
        for (int k = 0; k < FLIPS; ++k) {
            before |= ((from >> (2 * k + ((now >> k) & 1))) & 1) << k;
        }
        now = before;
    }
}

static bool hangsOn(const snSkeleton* s, int32_t bone, int32_t top)
{
    while (bone >= 0 && bone != top) {
        bone = s->bones[bone].parent;
    }
    return top >= 0 && bone == top;
}

static void undoFlips(snWork* w, int32_t frame)
{
    const snSkeleton* s = w->r->skeleton;
    for (int k = 0; k < FLIPS && w->flips[frame]; ++k) {
        int32_t top = flippedBone(w, k), foot = k < LIMBS ? flippedBone(w, LIMBS + k % 2) : -1;
        snQuat flip = flipOf(w, k);
        for (int32_t i = 0; (w->flips[frame] >> k & 1) && i < s->bone_count; ++i) {
            if (hangsOn(s, i, top) && !hangsOn(s, i, foot)) {
                w->want[i] = snQNormalize(snQMul(flip, w->want[i]));
            }
        }
    }
}

snVec3 snLimbs_FootPoint(const snWork* w, int32_t frame, int side, snVec3 from_ankle)
{
    int k = LIMBS + side;
    return w->flips[frame] >> k & 1 ? snQRotate(flipOf(w, k), from_ankle) : from_ankle;
}

// Hinges -------------------------------------------------------------------------

void snLimbs_FindRolls(snWork* w)
{
    snVec3 sum[LIMBS] = {{0}};
    for (int32_t f = 0; f < w->r->frame_count; ++f) {
        snWork_Want(w, w->r->clip->info.first + f);
        undoFlips(w, f);
        for (int k = 0; k < LIMBS; ++k) {
            int32_t top, low;
            if (snLimbs_IsHinge(w, UPPER[k / 2], k % 2, &top, &low)) {
                sum[k] = snMulAdd(sum[k], 1.0 / w->r->frame_count, bendOf(w, top, low));
            }
        }
    }
    for (int k = 0; k < LIMBS; ++k) {
        int32_t top, low;
        if (snLimbs_IsHinge(w, UPPER[k / 2], k % 2, &top, &low) && snLength(sum[k]) > LEAST_BEND) {
            w->roll[top] = snAngleAbout(w->direction[top], hingeOf(w, low), sum[k]);
        }
    }
}

// What is left of that in a frame: the upper bone turns about itself until the hinge lies right,
// the less the straighter the limb, and not at all when it would have to turn right round.
static void rollToHinge(snWork* w)
{
    for (int k = 0; k < LIMBS; ++k) {
        int32_t top, low;
        if (snLimbs_IsHinge(w, UPPER[k / 2], k % 2, &top, &low)) {
            snVec3 bend = bendOf(w, top, low), u = w->direction[top];
            double square = snLengthSq(bend), roll = snAngleAbout(u, hingeOf(w, low), bend);
            double weight = square / (square + STRAIGHT_SQUARE) * 0.5 * (1 + snCos(roll));
            w->want[top] = snQMul(w->want[top], snQFromAxisAngle(u, weight * roll));
        }
    }
}

void snLimbs_Turn(snWork* w, int32_t frame)
{
    undoFlips(w, frame);
    rollToHinge(w);
}
