// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/cycle.h"

#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "skel/joint.h"

// By which joints may miss the first pose, rad, and the root's height, parts of a leg
#define SAME_TURN 0.02
#define SAME_HEIGHT 0.01

// By which the step from the last pose to the first may be longer than the first one or the last
#define UNEVEN 1.5

static const double* rowOf(const snRetarget* r, int32_t frame)
{
    return r->q + (size_t)frame * (size_t)r->skeleton->nq;
}

static snVec3 rootOf(const snRetarget* r, int32_t frame)
{
    const snBone* root = &r->skeleton->bones[r->skeleton->floating_root];
    return snMatVec(root->anchor_R, snLoad3(rowOf(r, frame) + root->qi));
}

// How far a joint turns between two frames, rad
static double turnBetween(const snRetarget* r, const snBone* b, int32_t from, int32_t to)
{
    const double *p = rowOf(r, from) + b->qi, *q = rowOf(r, to) + b->qi;
    int32_t nq = snJoint_Shape(b->type)->nq;
    double most = 0;
    if (b->type == sn_jointBall || b->type == sn_jointFree) {
        snQuat was = snLoadQ(p + nq - 4), now = snLoadQ(q + nq - 4);
        now = snQDot(was, now) < 0 ? snQNegate(now) : now;
        return snLength(snQLog(snQMul(now, snQConj(was))));
    }
    for (int32_t k = 0; k < nq; ++k) {
        most = fmax(most, fabs(q[k] - p[k]));
    }
    return most;
}

// Frames after which it begins anew; 0: it does not
static int32_t periodOf(const snRetarget* r)
{
    const snSkeleton* s = r->skeleton;
    int32_t last = r->frame_count - 1;
    bool closed = true, open = true;
    if (last < 3) {
        return 0;
    }
    for (int32_t i = 0; i < s->bone_count && open; ++i) {
        const snBone* b = &s->bones[i];
        double miss = turnBetween(r, b, last, 0);
        double step = fmax(turnBetween(r, b, 0, 1), turnBetween(r, b, last - 1, last));
        closed = closed && miss <= SAME_TURN;
        open = open && miss <= SAME_TURN + UNEVEN * step;
    }
    double leg = snLength(snSub(r->legs[0][0].hip, r->legs[0][0].ankle));
    double rise = fabs(rootOf(r, last).y - rootOf(r, 0).y);
    double step = fmax(fabs(rootOf(r, 1).y - rootOf(r, 0).y),
                       fabs(rootOf(r, last).y - rootOf(r, last - 1).y));
    closed = closed && rise <= SAME_HEIGHT * leg;
    open = open && rise <= SAME_HEIGHT * leg + UNEVEN * step;
    return closed ? last : open ? last + 1 : 0;
}

// Along the ground in a period. Of a cycle whose last frame is left out the step to the first again
// is taken to be as the one before it.
static snVec3 travelOf(const snRetarget* r, int32_t period)
{
    int32_t last = r->frame_count - 1;
    snVec3 by = snSub(rootOf(r, last), rootOf(r, 0));
    by = period > last ? snAdd(by, snSub(rootOf(r, last), rootOf(r, last - 1))) : by;
    return snV3(by.x, 0, by.z);
}

// Frame `to` of the three is a frame of the clip, moved
static void copyFrame(const snRetarget* r, int32_t from, snVec3 by, snRetarget* out, int32_t to)
{
    const snSkeleton* s = r->skeleton;
    const snBone* root = &s->bones[s->floating_root];
    double* q = out->q + (size_t)to * (size_t)s->nq;
    memcpy(q, rowOf(r, from), (size_t)s->nq * sizeof *q);
    snStore3(q + root->qi, snAdd(snLoad3(q + root->qi), snMatTVec(root->anchor_R, by)));
    for (int side = 0; side < 2; ++side) {
        snLegFrame* leg = &out->legs[side][to];
        *leg = r->legs[side][from];
        snVec3* places[] = {&leg->hip, &leg->ankle, &leg->ankle_was, &leg->ball_was};
        for (size_t k = 0; k < sizeof places / sizeof *places; ++k) {
            *places[k] = snAdd(*places[k], by);
        }
    }
}

snStatus snCycle_Find(snArena* arena, const snRetarget* r, snCycle* c, snMessage* why)
{
    bool walks = r->legs[0] && r->skeleton->floating_root >= 0;
    int32_t period = walks ? periodOf(r) : 0, all = r->frame_count + 2 * period;
    *c = (snCycle){.thrice = *r, .before = period};
    if (period == 0) {
        return sn_ok;
    }
    snRetarget* out = &c->thrice;
    out->frame_count = all;
    out->q = snArena_Push(arena, (size_t)all * (size_t)r->skeleton->nq, sizeof *out->q);
    for (int side = 0; side < 2; ++side) {
        out->legs[side] = snArena_Push(arena, (size_t)all, sizeof *out->legs[side]);
    }
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for %d frames", (int)all);
    }
    snVec3 travel = travelOf(r, period);
    for (int32_t f = 0; f < all; ++f) {
        int32_t at = f - period, round = at < 0 ? -1 : at < r->frame_count ? 0 : at / period;
        copyFrame(r, at - round * period, snScale(round, travel), out, f);
    }
    return sn_ok;
}

void snCycle_Take(const snCycle* c, snRetarget* r)
{
    size_t row = (size_t)r->skeleton->nq, frames = (size_t)r->frame_count;
    if (c->before > 0) {
        memcpy(r->q, c->thrice.q + (size_t)c->before * row, frames * row * sizeof *r->q);
    }
}
