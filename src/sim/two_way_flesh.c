// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What bones and flesh, and bones and ground, do to each other in a step.

#include "sim/two_way_state.h"

// One point of the ground bears a quarter of the weight this deep, in sizes of the body, and is so
// much damped, s.
#define DEPTH 2.5e-4
#define RELAX 0.01

// Friction, and how fast what sticks creeps under it, in sizes of the body a second
#define FRICTION 0.8
#define CREEP 2e-3

static void rangeOf(const snTwoWay* t, int index, int32_t* begin, int32_t* end)
{
    int32_t count = t->def.body->tets.node_count;
    *begin = index * SN_FOLLOW_RANGE;
    *end = count - *begin < SN_FOLLOW_RANGE ? count : *begin + SN_FOLLOW_RANGE;
}

static snVec3 wide(snVec4f v)
{
    return snV3((double)v.x, (double)v.y, (double)v.z);
}

static snVec4f narrow(snVec3 v)
{
    return (snVec4f){(float)v.x, (float)v.y, (float)v.z, 0};
}

void snTwoWay_PlaceBones(snTwoWay* t)
{
    for (int32_t b = 0; b < t->rig_skeleton.joints->count; ++b) {
        const snBoneMotion* m = &t->ws.motion[b];
        const snMatrix* map = &t->rig_skeleton.map[b];
        t->now[b] = (snMatrix){snMatVec(m->R, map->x), snMatVec(m->R, map->y),
                               snMatVec(m->R, map->z), snAdd(snMatVec(m->R, map->p), m->p)};
        t->twist[b] = snTwistFrom(m->w, m->v);
        t->origin[b] = m->p;
        t->turn[b] = snQMul(snQFromMat(m->R), t->bind_turn[b]);
    }
}

// Targets --------------------------------------------------------------------------

static void aimNode(const snTwoWay* t, int32_t i, snNodeDrive* out)
{
    const snNodeWeights* weights = &t->def.body->weights[i];
    const int32_t* bones = t->rig_skeleton.bone;
    snVec3 T = snV3(0, 0, 0), X = t->def.body->tets.position[i];
    snQuat q = snQ(0, 0, 0, 0), first = t->turn[bones[weights->joint[0]]];
    double scale = 0, sum = 0;
    for (int k = 0; k < SN_WEIGHTS_MOST && weights->joint[k] >= 0; ++k) {
        int32_t b = bones[weights->joint[k]];
        snQuat turn = t->turn[b];
        double w = (double)weights->weight[k], s = snQDot(first, turn) < 0 ? -w : w;
        q = snQ(q.x + s * turn.x, q.y + s * turn.y, q.z + s * turn.z, q.w + s * turn.w);
        T = snMulAdd(T, w, snSub(snMatrix_Point(&t->now[b], X), t->origin[0]));
        scale += w * t->bind_scale[b];
        sum += w;
    }
    q = snQNormalize(q);
    T = snScale(1 / sum, T);
    *out = (snNodeDrive){.qx = (float)q.x,
                         .qy = (float)q.y,
                         .qz = (float)q.z,
                         .qw = (float)q.w,
                         .scale = (float)fmax(scale / sum, SN_FOLLOW_SMALLEST),
                         .tx = (float)T.x,
                         .ty = (float)T.y,
                         .tz = (float)T.z};
}

static void placeRange(void* argument, int index, int worker)
{
    snTwoWay* t = argument;
    int32_t begin, end;
    (void)worker;
    rangeOf(t, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        aimNode(t, i, &t->flesh->drive.begin[i]);
    }
}

void snTwoWay_PlaceTargets(snTwoWay* t)
{
    snTasks_Run(t->flesh->tasks, t->flesh->range_count, placeRange, t);
}

static void moveRange(void* argument, int index, int worker)
{
    snTwoWay* t = argument;
    int32_t begin, end;
    (void)worker;
    rangeOf(t, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        const snNodeWeights* weights = &t->def.body->weights[i];
        snVec3 V = snV3(0, 0, 0), X = t->def.body->tets.position[i];
        double sum = 0;
        for (int k = 0; k < SN_WEIGHTS_MOST && weights->joint[k] >= 0; ++k) {
            int32_t b = t->rig_skeleton.bone[weights->joint[k]];
            double w = (double)weights->weight[k];
            snVec3 r = snSub(snMatrix_Point(&t->now[b], X), t->origin[b]);
            V = snMulAdd(V, w, snAdd(t->twist[b].v, snCross(t->twist[b].w, r)));
            sum += w;
        }
        snVec4f now = narrow(snScale(1 / sum, V)), was = t->V[i];
        t->flesh->drive.change[i] = (snVec4f){now.x - was.x, now.y - was.y, now.z - was.z, 0};
        t->V[i] = now;
    }
}

void snTwoWay_MoveTargets(snTwoWay* t)
{
    snTasks_Run(t->flesh->tasks, t->flesh->range_count, moveRange, t);
}

// Flesh on bones -------------------------------------------------------------------

static void addForcesOfRange(void* argument, int index, int worker)
{
    snTwoWay* t = argument;
    const snRigBody* body = t->def.body;
    int32_t begin, end, count = t->rig_skeleton.joints->count;
    snWrench* parts = t->parts + (ptrdiff_t)index * count;
    (void)worker;
    rangeOf(t, index, &begin, &end);
    for (int32_t b = 0; b < count; ++b) {
        parts[b] = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    }
    for (int32_t i = begin; i < end; ++i) {
        if (body->held[i]) {
            continue;
        }
        const snNodeWeights* weights = &body->weights[i];
        double m = body->mass[i], sum = 0;
        snVec3 X = body->tets.position[i], u = wide(t->flesh->u[i]);
        t->was[i] = t->flesh->w[i];
        t->kick[i] = snFollow_Kick(t->flesh, i);
        snVec3 impulse = snMulAdd(wide(t->deferred[i]), m, wide(t->kick[i]));
        snVec3 f = snMulAdd(snScale(m, t->def.gravity), -1 / t->step_now, impulse);
        for (int k = 0; k < SN_WEIGHTS_MOST && weights->joint[k] >= 0; ++k) {
            sum += (double)weights->weight[k];
        }
        for (int k = 0; k < SN_WEIGHTS_MOST && weights->joint[k] >= 0; ++k) {
            int32_t b = t->rig_skeleton.bone[weights->joint[k]];
            double w = (double)weights->weight[k] / sum;
            snVec3 at = snMatrix_Point(&t->now[b], X), r = snAdd(snSub(at, t->origin[b]), u);
            parts[b].n = snMulAdd(parts[b].n, w, snCross(r, f));
            parts[b].f = snMulAdd(parts[b].f, w, f);
        }
    }
}

void snTwoWay_AddFleshForces(snTwoWay* t)
{
    int32_t count = t->rig_skeleton.joints->count;
    snTasks_Run(t->flesh->tasks, t->flesh->range_count, addForcesOfRange, t);
    for (int32_t k = 0; k < t->flesh->range_count; ++k) {
        for (int32_t b = 0; b < count; ++b) {
            t->wrench[b] = snWrenchAdd(t->wrench[b], t->parts[(ptrdiff_t)k * count + b]);
        }
    }
}

void snTwoWay_DeferImpulses(snTwoWay* t)
{
    const snFollow* s = t->flesh;
    for (int32_t i = 0; i < t->def.body->tets.node_count; ++i) {
        if (!t->def.body->held[i]) {
            float m = (float)t->def.body->mass[i];
            snVec4f w = s->w[i], v = t->was[i], k = t->kick[i], dV = s->drive.change[i];
            t->deferred[i] = (snVec4f){m * (w.x - v.x - k.x + dV.x), m * (w.y - v.y - k.y + dV.y),
                                       m * (w.z - v.z - k.z + dV.z), 0};
        }
    }
}

// Ground on bones ------------------------------------------------------------------

// A point that is `depth` below the ground, moves at v, and slips at `slips`. Springs and dampers
// as they will be at the step's end: with a the change of velocity over the step, f = f0 - D a.
static void addGroundForce(snTwoWay* t, int32_t bone, snVec3 r, snVec3 v, snVec3 slips,
                           double depth)
{
    double h = t->step_now, weight = t->rig_skeleton.mass * SN_GRAVITY, size = t->def.body->size;
    double k = weight / (4 * DEPTH * size), c = RELAX * k;
    double push = k * (depth - 0.5 * h * v.y) - c * v.y;
    if (push <= 0) {
        return;
    }
    double slip = sqrt(slips.x * slips.x + slips.z * slips.z), most = FRICTION * push;
    double drag = most / fmax(slip, CREEP * size);
    snVec3 f = snV3(-drag * slips.x, push, -drag * slips.z);
    double along = h * drag, up = 0.5 * h * c + 0.25 * h * h * k;
    snInertia6 J = {.M = {along, up, along, 0, 0, 0}};
    t->wrench[bone] = snWrenchAdd(t->wrench[bone], snWrenchFrom(snCross(r, f), f));
    snInertia6_AddShifted(&t->drag[bone], &J, r);
}

// The velocity of a point of a bone
static snVec3 speedOf(const snBoneMotion* m, snVec3 place)
{
    return snAdd(m->v, snCross(m->w, snMatVec(m->R, place)));
}

// A character that walks on the spot has a ground that goes by: friction is against what the clip
// does there, unless nothing holds the root.
void snTwoWay_AddGroundForces(snTwoWay* t)
{
    for (int32_t b = 0; b < t->rig_skeleton.joints->count; ++b) {
        t->drag[b] = (snInertia6){0};
    }
    for (int32_t i = 0; t->def.ground && i < t->rig_skeleton.point_count; ++i) {
        const snRigSkeletonPoint* p = &t->rig_skeleton.points[i];
        const snBoneMotion* m = &t->ws.motion[p->bone];
        snVec3 r = snMatVec(m->R, p->place);
        double depth = t->def.ground_height - (m->p.y + r.y);
        if (depth > 0) {
            snVec3 v = speedOf(m, p->place), ground = speedOf(&t->plan.motion[p->bone], p->place);
            addGroundForce(t, p->bone, r, v, t->is_loose ? v : snSub(v, ground), depth);
        }
    }
}
