// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "method/explicit/nodes.h"

#include <string.h>

// Nodes in a task. Fixed, so that sums do not depend on the number of threads.
#define RANGE 1024

// Farther than this from its origin, m, a character gets another one.
#define REACH 2.0

static size_t roundUp(size_t bytes)
{
    return (bytes + SN_ALIGNMENT - 1) / SN_ALIGNMENT * SN_ALIGNMENT;
}

static snVec3 widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

static snVec4f narrow(snVec3 a)
{
    snVec4f out = {(float)a.x, (float)a.y, (float)a.z, 0};
    return out;
}

// Memory ----------------------------------------------------------------------

size_t snNodes_StateSize(const snFlesh* flesh)
{
    return roundUp(sizeof(snNodesHead)) +
           3 * roundUp((size_t)flesh->tets.node_count * sizeof(snVec4f));
}

void snNodes_Push(snNodes* nodes, const snFlesh* flesh, snArena* arena)
{
    size_t n = (size_t)flesh->tets.node_count;
    nodes->flesh = flesh;
    nodes->range_count = (flesh->tets.node_count + RANGE - 1) / RANGE;
    nodes->f = snArena_Push(arena, n, sizeof(snVec4f));
    nodes->push = snArena_Push(arena, n, sizeof(snVec4f));
    nodes->drag = snArena_Push(arena, n, sizeof(snVec4f));
    nodes->carriers =
        snArena_Push(arena, (size_t)flesh->skeleton->bone_count + 1, sizeof(snCarrier));
    nodes->tallies = snArena_Push(arena, (size_t)nodes->range_count, sizeof(snNodesTally));
    nodes->sums = snArena_Push(arena, (size_t)nodes->range_count, sizeof(snNodesSum));
    nodes->cells_work = snArena_Push(arena, snCells_WorkSize(flesh->cells), 1);
}

void snNodes_At(snNodes* nodes, void* state)
{
    uint8_t* at = state;
    size_t bytes = roundUp((size_t)nodes->flesh->tets.node_count * sizeof(snVec4f));
    nodes->head = (snNodesHead*)at;
    at += roundUp(sizeof(snNodesHead));
    nodes->x = (snVec4f*)at;
    nodes->lost = (snVec4f*)(at + bytes);
    nodes->v = (snVec4f*)(at + 2 * bytes);
}

// Ranges ----------------------------------------------------------------------

// What a task of any pass needs.
typedef struct Pass {
    snNodes* nodes;
    float h;
    snVec4f gravity;
    const snBoneMotion* motion;
    snWrench* wrench;
    snInertia6* drags;
} Pass;

static void rangeOf(const snNodes* nodes, int index, int32_t* begin, int32_t* end)
{
    int32_t count = nodes->flesh->tets.node_count;
    *begin = index * RANGE;
    *end = count - *begin < RANGE ? count : *begin + RANGE;
}

// Placing ---------------------------------------------------------------------

// Where a node of the rest shape is when bones carry it, less the origin, and how fast it moves:
// the blend of what its bones say, as skinning does. Float weights do not quite sum to 1.
static void carryNode(const snNodes* nodes, int32_t i, const snBoneMotion* rest,
                      const snBoneMotion* motion, snVec3* p, snVec3* v)
{
    const snDamper* damper = &nodes->flesh->dampers[i];
    int32_t fixed = nodes->flesh->binding.fixed[i];
    double sum = 0;
    *p = *v = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        int32_t b = fixed >= 0 ? fixed : damper->bone[k];
        double w = fixed >= 0 ? (k == 0) : (double)damper->weight[k];
        if (w > 0) {
            snVec3 place = snMatTVec(rest[b].R, snSub(nodes->flesh->tets.position[i], rest[b].p));
            snVec3 r = snMatVec(motion[b].R, place);
            *p = snMulAdd(*p, w, snAdd(snSub(motion[b].p, nodes->head->origin), r));
            *v = snMulAdd(*v, w, snAdd(motion[b].v, snCross(motion[b].w, r)));
            sum += w;
        }
    }
    *p = snScale(1 / sum, *p);
    *v = snScale(1 / sum, *v);
}

static snVec3 wholeMetres(snVec3 p)
{
    return snV3(floor(p.x + 0.5), floor(p.y + 0.5), floor(p.z + 0.5));
}

void snNodes_Place(snNodes* nodes, const snBoneMotion* rest, const snBoneMotion* motion,
                   const snBase* base, snVec3 velocity, snVec3 spin)
{
    const snFlesh* flesh = nodes->flesh;
    bool bones = flesh->skeleton->bone_count > 0;
    nodes->head->origin = wholeMetres(bones ? motion[0].p : base->p);
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        snVec3 at, v;
        if (bones) {
            carryNode(nodes, i, rest, motion, &at, &v);
        } else {
            snVec3 r = snMatVec(base->R, flesh->tets.position[i]);
            at = snAdd(snSub(base->p, nodes->head->origin), r);
            v = snAdd(velocity, snCross(spin, r));
        }
        nodes->x[i] = narrow(at);
        nodes->lost[i] = narrow(snSub(at, widen(nodes->x[i])));
        nodes->v[i] = narrow(v);
    }
}

void snNodes_Move(snNodes* nodes, snMat3 R, snVec3 by)
{
    snVec3 old = nodes->head->origin, there = snAdd(snMatVec(R, old), by);
    nodes->head->origin = wholeMetres(there);
    snVec3 rest = snSub(there, nodes->head->origin);
    for (int32_t i = 0; i < nodes->flesh->tets.node_count; ++i) {
        snVec3 at = snAdd(widen(nodes->x[i]), widen(nodes->lost[i]));
        at = snAdd(rest, snMatVec(R, at));
        nodes->x[i] = narrow(at);
        nodes->lost[i] = narrow(snSub(at, widen(nodes->x[i])));
        nodes->v[i] = narrow(snMatVec(R, widen(nodes->v[i])));
    }
}

// x + lost += d, what rounding takes going to lost (Knuth's two-sum)
static void addTo(float* x, float* lost, float d)
{
    float e = d + *lost, sum = *x + e, part = sum - *x;
    *lost = (*x - (sum - part)) + (e - part);
    *x = sum;
}

// the same for a d so large that `lost` would be lost in it
static void shiftTo(float* x, float* lost, float d)
{
    float rest = 0;
    addTo(x, &rest, d);
    *lost += rest;
}

void snNodes_Rebase(snNodes* nodes, snVec3 p)
{
    snVec3 away = snSub(p, nodes->head->origin);
    if (fabs(away.x) < REACH && fabs(away.y) < REACH && fabs(away.z) < REACH) {
        return;
    }
    snVec3 shift = wholeMetres(away);
    if (!(snLength(shift) < 1e6)) {
        return; // not a number, or gone: the guard sees to it
    }
    nodes->head->origin = snAdd(nodes->head->origin, shift);
    for (int32_t i = 0; i < nodes->flesh->tets.node_count; ++i) {
        shiftTo(&nodes->x[i].x, &nodes->lost[i].x, (float)-shift.x);
        shiftTo(&nodes->x[i].y, &nodes->lost[i].y, (float)-shift.y);
        shiftTo(&nodes->x[i].z, &nodes->lost[i].z, (float)-shift.z);
    }
}

// Moving ----------------------------------------------------------------------

static void driftRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    snNodes* nodes = pass->nodes;
    int32_t begin, end;
    (void)worker;
    rangeOf(nodes, index, &begin, &end);
    float* restrict x = &nodes->x[begin].x;
    float* restrict lost = &nodes->lost[begin].x;
    const float* restrict v = &nodes->v[begin].x;
    const float h = pass->h;
    for (int32_t i = 0; i < 4 * (end - begin); ++i) { // w too, which stays 0
        addTo(&x[i], &lost[i], h * v[i]);
    }
}

void snNodes_Drift(snNodes* nodes, snTasks* tasks, double h)
{
    Pass pass = {.nodes = nodes, .h = (float)h};
    snTasks_Run(tasks, nodes->range_count, driftRange, &pass);
}

static snCarrier carrierFrom(snVec3 p, snVec3 v, snVec3 w)
{
    snCarrier out = {(float)p.x, (float)p.y, (float)p.z, (float)v.x, (float)v.y,
                     (float)v.z, (float)w.x, (float)w.y, (float)w.z};
    return out;
}

static void holdBone(void* argument, int bone, int worker)
{
    const Pass* pass = argument;
    snNodes* nodes = pass->nodes;
    const snFlesh* flesh = nodes->flesh;
    const snBoneMotion* m = &pass->motion[bone];
    snVec3 p = snSub(m->p, nodes->head->origin);
    (void)worker;
    nodes->carriers[bone] = carrierFrom(p, m->v, m->w);
    for (int32_t k = flesh->fixed_begin[bone]; k < flesh->fixed_begin[bone + 1]; ++k) {
        const snFixedNode* fixed = &flesh->fixed[k];
        snVec3 r = snMatVec(m->R, fixed->place);
        nodes->x[fixed->node] = narrow(snAdd(p, r));
        nodes->lost[fixed->node] = narrow(snV3(0, 0, 0));
        nodes->drag[fixed->node] = nodes->v[fixed->node];
        nodes->v[fixed->node] = narrow(snAdd(m->v, snCross(m->w, r)));
    }
}

void snNodes_Hold(snNodes* nodes, snTasks* tasks, const snBoneMotion* motion)
{
    Pass pass = {.nodes = nodes, .motion = motion};
    int32_t bones = nodes->flesh->skeleton->bone_count;
    snTasks_Run(tasks, bones, holdBone, &pass);
    if (bones == 0) {
        bool ok;
        snWhole now = snNodes_Whole(nodes, tasks);
        snVec3 w = snSymTimes(snSymInverse(now.inertia, &ok), now.momentum.angular);
        nodes->carriers[0] = carrierFrom(snSub(now.momentum.com, nodes->head->origin),
                                         snScale(1 / now.momentum.mass, now.momentum.linear), w);
    }
}

// Forces ----------------------------------------------------------------------

// Velocity of the blend of bones (of the only carrier, without bones) at a node.
static snVec4f carriedVelocity(const snNodes* nodes, int32_t i)
{
    const snDamper* damper = &nodes->flesh->dampers[i];
    const snVec4f x = nodes->x[i];
    bool bones = nodes->flesh->skeleton->bone_count > 0;
    snVec4f sum = {0, 0, 0, 0};
    for (int k = 0; k < 4; ++k) {
        float w = bones ? damper->weight[k] : k == 0 ? 1.0f : 0.0f;
        if (w > 0) {
            const snCarrier* c = &nodes->carriers[bones ? damper->bone[k] : 0];
            float rx = x.x - c->px, ry = x.y - c->py, rz = x.z - c->pz;
            sum.x += w * (c->vx + (c->wy * rz - c->wz * ry));
            sum.y += w * (c->vy + (c->wz * rx - c->wx * rz));
            sum.z += w * (c->vz + (c->wx * ry - c->wy * rx));
        }
    }
    return sum;
}

// One component: velocity v, other acceleration a, dampers' reference r. Returns the dampers'
// acceleration -g ((v + v')/2 - r) with v' = v + h (a + it).
static float dragOf(float v, float a, float r, float g, float h)
{
    return -g * (v + 0.5f * h * a - r) / (1 + 0.5f * h * g);
}

static void kickNode(const Pass* pass, int32_t i, snNodesTally* tally)
{
    snNodes* nodes = pass->nodes;
    const snFlesh* flesh = nodes->flesh;
    const float h = pass->h, inverse = flesh->inverse_mass[i], mass = flesh->node_mass[i];
    const float g = flesh->damping[i];
    const snVec4f f = nodes->f[i], p = nodes->push[i], v = nodes->v[i];
    const snVec4f r = carriedVelocity(nodes, i);
    snVec4f a = {(f.x + p.x) * inverse + pass->gravity.x, (f.y + p.y) * inverse + pass->gravity.y,
                 (f.z + p.z) * inverse + pass->gravity.z, 0};
    snVec4f d = {dragOf(v.x, a.x, r.x, g, h), dragOf(v.y, a.y, r.y, g, h),
                 dragOf(v.z, a.z, r.z, g, h), 0};
    snVec4f u = {v.x + h * (a.x + d.x), v.y + h * (a.y + d.y), v.z + h * (a.z + d.z), 0};
    float before = f.x * v.x + f.y * v.y + f.z * v.z, after = f.x * u.x + f.y * u.y + f.z * u.z;
    float dx = u.x - r.x, dy = u.y - r.y, dz = u.z - r.z, square = dx * dx + dy * dy + dz * dz;
    nodes->drag[i] = (snVec4f){mass * d.x, mass * d.y, mass * d.z, 0};
    nodes->v[i] = u;
    tally->before += 0.5 * (double)(h * before);
    tally->after += 0.5 * (double)(h * after);
    tally->jiggle += 0.5 * (double)(mass * square);
    tally->fastest = (double)square > tally->fastest ? (double)square : tally->fastest;
    tally->bad = square <= 1e20f ? tally->bad : i;
}

static void kickRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    snNodes* nodes = pass->nodes;
    snNodesTally tally = {.bad = -1};
    int32_t begin, end;
    (void)worker;
    rangeOf(nodes, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        if (nodes->flesh->inverse_mass[i] > 0) {
            kickNode(pass, i, &tally);
        } else {
            snVec4f f = nodes->f[i], v = nodes->drag[i];
            tally.before += 0.5 * (double)(pass->h * (f.x * v.x + f.y * v.y + f.z * v.z));
        }
    }
    nodes->tallies[index] = tally;
}

snNodesTally snNodes_Kick(snNodes* nodes, snTasks* tasks, double h, snVec3 gravity)
{
    Pass pass = {.nodes = nodes, .h = (float)h, .gravity = narrow(gravity)};
    snNodesTally sum = {.bad = -1};
    snTasks_Run(tasks, nodes->range_count, kickRange, &pass);
    for (int32_t i = 0; i < nodes->range_count; ++i) {
        const snNodesTally* t = &nodes->tallies[i];
        sum.before += t->before;
        sum.after += t->after;
        sum.jiggle += t->jiggle;
        sum.fastest = t->fastest > sum.fastest ? t->fastest : sum.fastest;
        sum.bad = sum.bad < 0 ? t->bad : sum.bad;
    }
    return sum;
}

double snNodes_FixedWork(const snNodes* nodes, double h)
{
    const snFlesh* flesh = nodes->flesh;
    double sum = 0;
    for (int32_t k = 0; k < flesh->fixed_begin[flesh->skeleton->bone_count]; ++k) {
        int32_t i = flesh->fixed[k].node;
        sum += snDot(widen(nodes->f[i]), widen(nodes->v[i]));
    }
    return 0.5 * h * sum;
}

// A damper's force per change of the bone's velocity, over the node's mass: 1/s.
static double firmnessOf(const snFlesh* flesh, int32_t node, double h)
{
    double g = (double)flesh->damping[node];
    return g / (1 + 0.5 * h * g);
}

// Adds point c at r to an inertia.
static void addPoint(snInertia6* J, double c, snVec3 r)
{
    double xx = c * r.x * r.x, yy = c * r.y * r.y, zz = c * r.z * r.z;
    J->A.xx += yy + zz, J->A.yy += xx + zz, J->A.zz += xx + yy;
    J->A.xy -= c * r.x * r.y, J->A.xz -= c * r.x * r.z, J->A.yz -= c * r.y * r.z;
    J->B = snMatAdd(J->B, snSkew(snScale(c, r)));
    J->M.xx += c, J->M.yy += c, J->M.zz += c;
}

static void pullBone(void* argument, int bone, int worker)
{
    const Pass* pass = argument;
    const snNodes* nodes = pass->nodes;
    const snFlesh* flesh = nodes->flesh;
    snVec3 p = snSub(pass->motion[bone].p, nodes->head->origin);
    snVec3 n = snV3(0, 0, 0), f = snV3(0, 0, 0);
    snInertia6 drag = {0};
    (void)worker;
    for (int32_t k = flesh->fixed_begin[bone]; k < flesh->fixed_begin[bone + 1]; ++k) {
        int32_t i = flesh->fixed[k].node;
        snVec3 force = snAdd(widen(nodes->f[i]), widen(nodes->push[i]));
        f = snAdd(f, force);
        n = snAdd(n, snCross(snSub(widen(nodes->x[i]), p), force));
    }
    for (int32_t k = flesh->damped_begin[bone]; k < flesh->damped_begin[bone + 1]; ++k) {
        const snDampedNode* d = &flesh->damped[k];
        double weight = (double)d->weight, h = (double)pass->h;
        snVec3 r = snSub(widen(nodes->x[d->node]), p);
        snVec3 force = snScale(-weight, widen(nodes->drag[d->node]));
        f = snAdd(f, force);
        n = snAdd(n, snCross(r, force));
        addPoint(&drag,
                 0.5 * h * weight * (double)flesh->node_mass[d->node] *
                     firmnessOf(flesh, d->node, h),
                 r);
    }
    pass->wrench[bone] = snWrenchFrom(n, f);
    pass->drags[bone] = drag;
}

void snNodes_Pull(snNodes* nodes, snTasks* tasks, double h, const snBoneMotion* motion,
                  snWrench* wrench, snInertia6* drag)
{
    Pass pass = {.nodes = nodes, .h = (float)h, .motion = motion, .wrench = wrench, .drags = drag};
    snTasks_Run(tasks, nodes->flesh->skeleton->bone_count, pullBone, &pass);
}

static void settleRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    snNodes* nodes = pass->nodes;
    int32_t begin, end;
    (void)worker;
    rangeOf(nodes, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        if (nodes->flesh->inverse_mass[i] > 0 && nodes->flesh->damping[i] > 0) {
            float h = pass->h;
            float s = 0.5f * h * h * (float)firmnessOf(nodes->flesh, i, (double)h);
            snVec4f a = carriedVelocity(nodes, i); // carriers hold accelerations now
            snVec4f* v = &nodes->v[i];
            v->x += s * a.x, v->y += s * a.y, v->z += s * a.z;
        }
    }
}

void snNodes_Settle(snNodes* nodes, snTasks* tasks, double h, snVec3 gravity,
                    const snBoneMotion* motion)
{
    Pass pass = {.nodes = nodes, .h = (float)h};
    for (int32_t b = 0; b < nodes->flesh->skeleton->bone_count; ++b) {
        const snBoneMotion* m = &motion[b]; // accelerations are less gravity's
        nodes->carriers[b] =
            carrierFrom(snSub(m->p, nodes->head->origin), snAdd(m->dv, gravity), m->dw);
    }
    snTasks_Run(tasks, nodes->range_count, settleRange, &pass);
}

// Momentum --------------------------------------------------------------------

static void sumRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    snNodes* nodes = pass->nodes;
    snNodesSum sum = {0};
    int32_t begin, end;
    (void)worker;
    rangeOf(nodes, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        if (nodes->flesh->inverse_mass[i] > 0) {
            double m = (double)nodes->flesh->node_mass[i];
            snVec3 x = widen(nodes->x[i]), mx = snScale(m, x), mv = snScale(m, widen(nodes->v[i]));
            sum.mass += m;
            sum.moment = snAdd(sum.moment, mx);
            sum.linear = snAdd(sum.linear, mv);
            sum.angular = snAdd(sum.angular, snCross(x, mv));
            sum.second.xx += mx.x * x.x, sum.second.yy += mx.y * x.y, sum.second.zz += mx.z * x.z;
            sum.second.xy += mx.x * x.y, sum.second.xz += mx.x * x.z, sum.second.yz += mx.y * x.z;
        }
    }
    nodes->sums[index] = sum;
}

snWhole snNodes_Whole(snNodes* nodes, snTasks* tasks)
{
    Pass pass = {.nodes = nodes};
    snNodesSum s = {0};
    snTasks_Run(tasks, nodes->range_count, sumRange, &pass);
    for (int32_t i = 0; i < nodes->range_count; ++i) {
        const snNodesSum* t = &nodes->sums[i];
        s.mass += t->mass;
        s.moment = snAdd(s.moment, t->moment);
        s.linear = snAdd(s.linear, t->linear);
        s.angular = snAdd(s.angular, t->angular);
        s.second = snSymAdd(s.second, t->second);
    }
    snWhole out = {0};
    if (s.mass > 0) {
        snVec3 c = snScale(1 / s.mass, s.moment), mc = s.moment;
        double xx = s.second.xx - mc.x * c.x, yy = s.second.yy - mc.y * c.y,
               zz = s.second.zz - mc.z * c.z;
        out.momentum = (snMomentum){s.mass, snAdd(nodes->head->origin, c), s.linear,
                                    snSub(s.angular, snCross(c, s.linear))};
        out.inertia = (snSym3){.xx = yy + zz,
                               .yy = xx + zz,
                               .zz = xx + yy,
                               .xy = mc.x * c.y - s.second.xy,
                               .xz = mc.x * c.z - s.second.xz,
                               .yz = mc.y * c.z - s.second.yz};
    }
    return out;
}

void snNodes_Turn(snNodes* nodes, snVec3 com, snTwist change)
{
    snVec3 c = snSub(com, nodes->head->origin);
    for (int32_t i = 0; i < nodes->flesh->tets.node_count; ++i) {
        if (nodes->flesh->inverse_mass[i] > 0) {
            snVec3 dv = snAdd(change.v, snCross(change.w, snSub(widen(nodes->x[i]), c)));
            nodes->v[i] = narrow(snAdd(widen(nodes->v[i]), dv));
        }
    }
}
