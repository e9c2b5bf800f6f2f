// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Impulses on a character: of hosts between steps, who may also move it elsewhere, and of
// projection.
#include "math/quat.h"
#include "method/explicit/actor.h"
#include "skel/joint.h"
#include <string.h>

static snVec3 widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

// Accounts of momentum and energy begin anew.
static void beginAccounts(snActorSpace* a, const snActorState* s)
{
    s->target->known = 0;
    if (a->flesh) {
        a->nodes.head->step = 0;
    }
}

// Impulses on bones change all joints' rates: what hybrid dynamics makes of them as forces, less
// what it makes of none, for a second.
void snActor_Strike(snActorSpace* a, void* state, snWrench* hits, snVec3 about, double drift)
{
    snActorState s = snActor_State(a, state);
    const snSkeleton* skeleton = a->skeleton;
    size_t nv = (size_t)skeleton->nv;
    double *none = a->ws.qd_mid, *with = a->ws.qdd, *without = a->ws.qdd_given;
    snHybridStep step = {.prescribed = a->ws.prescribed, .q = s.q, .qd = none};
    snHybridLoad load = {.external = hits};
    int32_t bad;
    memset(none, 0, nv * sizeof *none);
    snKinematics_State(skeleton, s.q, none, a->ws.base, a->ws.motion);
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        snVec3 arm = snSub(a->ws.motion[i].p, about);
        hits[i].n = snSub(hits[i].n, snCross(arm, hits[i].f));
    }
    bool fine = skeleton->bone_count > 0 &&
                snHybrid_Run(skeleton, a->ws.motion, &step, &load, &a->ws.factor, with, NULL, &bad);
    if (fine) {
        load.external = NULL;
        snHybrid_Again(skeleton, a->ws.motion, &step, &load, &a->ws.factor, without, NULL);
        for (size_t i = 0; i < nv; ++i) {
            with[i] -= without[i];
            s.qd[i] += with[i];
        }
        for (int32_t i = 0; drift > 0 && i < skeleton->bone_count; ++i) {
            const snBone* b = &skeleton->bones[i];
            snJoint_Integrate(b->type, s.q + b->qi, with + b->vi, drift, s.q + b->qi);
        }
    }
    snKinematics_State(skeleton, s.q, s.qd, a->ws.base, a->ws.motion);
    if (a->flesh && skeleton->bone_count > 0) {
        snNodes_Hold(&a->nodes, a->ws.motion);
    }
}

// Projection ------------------------------------------------------------------

void snActor_Knock(snActorSpace* a, void* state, snWrench* hits, double h, double drift)
{
    snNodesHead* head = a->nodes.head;
    head->bank += snNodes_FixedWork(&a->nodes, h);
    snActor_Strike(a, state, hits, head->origin, drift);
    head->bank -= snNodes_FixedWork(&a->nodes, h);
}

// x += d; what rounding takes goes to lost
static void moveBy(float* x, float* lost, float d)
{
    float way = d + *lost, sum = *x + way;
    *lost = way - (sum - *x);
    *x = sum;
}

void snActor_Follow(snActorSpace* a, double h, double drift)
{
    const snSoft* soft = a->neighbour->soft;
    snNodesHead* head = a->nodes.head;
    for (int32_t i = 0; i < a->flesh->tets.node_count; ++i) {
        snVec3 gain = widen(soft->gains[i]);
        if (snLengthSq(gain) > 0) {
            moveBy(&a->nodes.x[i].x, &a->nodes.lost[i].x, (float)(drift * gain.x));
            moveBy(&a->nodes.x[i].y, &a->nodes.lost[i].y, (float)(drift * gain.y));
            moveBy(&a->nodes.x[i].z, &a->nodes.lost[i].z, (float)(drift * gain.z));
            head->bank -= 0.5 * h * snDot(widen(a->nodes.f[i]), gain);
        }
    }
    head->load.f = snMulAdd(head->load.f, 1 / h, soft->struck.f);
    head->load.n = snMulAdd(head->load.n, 1 / h, soft->struck.n);
}

// Impulses --------------------------------------------------------------------

static double shareAt(double square, double radius)
{
    double left = 1 - square / (radius * radius);
    return left > 0 ? left * left : 0;
}

// Which joints obey their drives whatever pushes them, in the step that comes next.
static void findPrescribed(snActorSpace* a, const snActorState* s, const snBlast* blast)
{
    snDriveStep when = {blast->t, blast->h, s->q, s->qd};
    snDrive_CommandStep(a->skeleton, a->actor->drive, &when, &a->command);
    for (int32_t i = 0; i < a->skeleton->bone_count; ++i) {
        int32_t mode = a->command.mode[i];
        a->ws.prescribed[i] = mode == sn_modeAcceleration || mode == sn_modePosition;
    }
}

// Every node's part goes with its mass and its nearness; what fixed ones get goes to their bones.
static void pushFlesh(snActorSpace* a, const snBlast* blast, snWrench* hits)
{
    const snFlesh* flesh = a->flesh;
    snVec3 at = snSub(blast->place, a->nodes.head->origin);
    double nearest = (double)INFINITY, sum = 0;
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        nearest = fmin(nearest, snLength(snSub(widen(a->nodes.x[i]), at)));
    }
    double radius = fmax(blast->radius, nearest + flesh->cell);
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        double square = snLengthSq(snSub(widen(a->nodes.x[i]), at));
        sum += (double)flesh->node_mass[i] * shareAt(square, radius);
    }
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        snVec3 r = widen(a->nodes.x[i]);
        double share = shareAt(snLengthSq(snSub(r, at)), radius) / sum;
        int32_t bone = flesh->binding.fixed[i];
        if (bone >= 0) {
            snVec3 part = snScale(share * (double)flesh->node_mass[i], blast->impulse);
            hits[bone].f = snAdd(hits[bone].f, part);
            hits[bone].n = snAdd(hits[bone].n, snCross(r, part));
        } else {
            a->nodes.v[i].x += (float)(share * blast->impulse.x);
            a->nodes.v[i].y += (float)(share * blast->impulse.y);
            a->nodes.v[i].z += (float)(share * blast->impulse.z);
        }
    }
}

// Of bones alone the one whose centre of mass is nearest
static void pushBone(snActorSpace* a, const snActorState* s, const snBlast* blast, snWrench* hits)
{
    double least = (double)INFINITY;
    int32_t bone = 0;
    snKinematics_State(a->skeleton, s->q, s->qd, a->ws.base, a->ws.motion);
    for (int32_t i = 0; i < a->skeleton->bone_count; ++i) {
        const snBoneMotion* m = &a->ws.motion[i];
        snVec3 com = snAdd(m->p, snMatVec(m->R, a->skeleton->bones[i].com));
        double square = snLengthSq(snSub(com, blast->place));
        bone = square < least ? i : bone;
        least = fmin(least, square);
    }
    hits[bone] = snWrenchFrom(snV3(0, 0, 0), blast->impulse);
}

void snExplicit_Push(snMethodData* data, void* state, int32_t actor, const snBlast* blast)
{
    snActorSpace* a = &snExplicitData_Of(data)->actors[actor];
    snActorState s = snActor_State(a, state);
    snWrench* hits = a->pulls;
    memset(hits, 0, (size_t)a->skeleton->bone_count * sizeof *hits);
    findPrescribed(a, &s, blast);
    if (a->flesh) {
        pushFlesh(a, blast, hits);
    } else {
        pushBone(a, &s, blast, hits);
    }
    snActor_Strike(a, state, hits, a->flesh ? a->nodes.head->origin : blast->place, 0);
    beginAccounts(a, &s);
}

// Elsewhere -------------------------------------------------------------------

// A free root's coordinates are those of its frame in the anchor's, its rates along the anchor's
// axes.
static void moveRoot(const snActorSpace* a, const snActorState* s, snMat3 R, snVec3 by)
{
    const snBone* root = &a->skeleton->bones[a->skeleton->floating_root];
    const snBase* base = a->ws.base;
    snMat3 axes = snMatMul(base->R, root->anchor_R);
    snVec3 at = snAdd(base->p, snMatVec(base->R, root->anchor_p));
    snMat3 turn = snMatMul(snTranspose(axes), snMatMul(R, axes));
    double *q = s->q + root->qi, *qd = s->qd + root->vi;
    snVec3 p = snAdd(at, snMatVec(axes, snLoad3(q)));
    p = snAdd(snMatVec(R, p), by);
    snStore3(q, snMatTVec(axes, snSub(p, at)));
    snStoreQ(q + 3, snQNormalize(snQMul(snQFromMat(turn), snLoadQ(q + 3))));
    snStore3(qd, snMatVec(turn, snLoad3(qd)));
    snStore3(qd + 3, snMatVec(turn, snLoad3(qd + 3)));
}

bool snExplicit_Teleport(snMethodData* data, void* state, int32_t actor, snTransform by)
{
    snActorSpace* a = &snExplicitData_Of(data)->actors[actor];
    snActorState s = snActor_State(a, state);
    bool bones = a->skeleton->bone_count > 0;
    snMat3 R = snMatFromQ(by.q);
    if (bones && a->skeleton->floating_root < 0) {
        return false;
    }
    if (bones) {
        moveRoot(a, &s, R, by.p);
    }
    if (a->flesh) {
        snNodes_Move(&a->nodes, R, by.p);
        a->nodes.head->load = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
        a->nodes.head->touching = 0;
        snKinematics_State(a->skeleton, s.q, s.qd, a->ws.base, a->ws.motion);
        if (bones) {
            snNodes_Hold(&a->nodes, a->ws.motion);
        }
    }
    beginAccounts(a, &s);
    return true;
}
