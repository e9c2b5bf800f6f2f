// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "method/explicit/nodes.h"

#include "math/isa.h"
#include "method/explicit/nodes_pass.h"

SN_ISA_DECLARE(snNodesRangeFcn, snNodesMeasure);
SN_ISA_DECLARE(snNodesRangeFcn, snNodesKick);
SN_ISA_DECLARE(snNodesRangeFcn, snNodesDrift);
SN_ISA_DECLARE(snNodesRangeFcn, snNodesSettle);
SN_ISA_DECLARE(snNodesRangeFcn, snNodesTurn);

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

static int32_t blockCount(const snFlesh* flesh)
{
    return (flesh->tets.node_count + SN_LANES - 1) / SN_LANES;
}

size_t snNodes_StateSize(const snFlesh* flesh)
{
    return roundUp(sizeof(snNodesHead)) +
           3 * (size_t)blockCount(flesh) * SN_LANES * sizeof(snVec4f);
}

void snNodes_Push(snNodes* nodes, const snFlesh* flesh, snIsa isa, snArena* arena)
{
    int32_t bones = flesh->skeleton->bone_count;
    nodes->flesh = flesh;
    nodes->isa = isa;
    nodes->block_count = blockCount(flesh);
    nodes->range_count = (nodes->block_count + SN_RANGE_BLOCKS - 1) / SN_RANGE_BLOCKS;
    nodes->carrier_count = bones > 0 ? bones : 1;
    size_t n = (size_t)nodes->block_count * SN_LANES, ranges = (size_t)nodes->range_count;
    size_t carriers = (size_t)nodes->carrier_count;
    nodes->f = snArena_Push(arena, n, sizeof(snVec4f));
    nodes->push = snArena_Push(arena, n, sizeof(snVec4f));
    nodes->before = snArena_Push(arena, (size_t)flesh->fixed_begin[bones], sizeof(snVec4f));
    nodes->carriers = snArena_Push(arena, carriers, sizeof(snCarrier));
    nodes->tallies = snArena_Push(arena, ranges, sizeof(snNodesTally));
    nodes->sums = snArena_Push(arena, ranges, sizeof(snNodesSum));
    nodes->pulls = snArena_Push(arena, ranges * carriers, sizeof(snBonePull));
    nodes->cells_work = snArena_Push(arena, snCells_WorkSize(flesh->cells), 1);
}

void snNodes_At(snNodes* nodes, void* state)
{
    uint8_t* at = state;
    size_t bytes = (size_t)nodes->block_count * SN_LANES * sizeof(snVec4f);
    nodes->head = (snNodesHead*)at;
    at += roundUp(sizeof(snNodesHead));
    nodes->x = (snVec4f*)at;
    nodes->lost = (snVec4f*)(at + bytes);
    nodes->v = (snVec4f*)(at + 2 * bytes);
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
    nodes->head->origin = snV3(0, 0, 0);
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        snVec3 at, v;
        if (bones) {
            carryNode(nodes, i, rest, motion, &at, &v);
        } else {
            snVec3 r = snMatVec(base->R, flesh->tets.position[i]);
            at = snAdd(snSub(base->p, nodes->head->origin), r);
            v = snAdd(velocity, snCross(spin, r));
        }
        if (i == 0) { // bones may be far from their flesh
            nodes->head->origin = wholeMetres(at);
            at = snSub(at, nodes->head->origin);
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

// x += d for a d so large that `lost` would be lost in it; what rounding takes goes to lost
static void shiftTo(float* x, float* lost, float d)
{
    float sum = *x + d, part = sum - *x;
    *lost += (*x - (sum - part)) + (d - part);
    *x = sum;
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

// Passes ----------------------------------------------------------------------

typedef struct Job {
    snNodesPass pass;
    snNodesRangeFcn* kernel;
} Job;

static void runRange(void* argument, int index, int worker)
{
    const Job* job = argument;
    (void)worker;
    job->kernel(&job->pass, index);
}

static void run(snTasks* tasks, Job* job)
{
    snTasks_Run(tasks, job->pass.nodes->range_count, runRange, job);
}

// Momentum and inertia from the ranges' sums.
static snWhole wholeOf(const snNodes* nodes)
{
    snNodesSum s = {0};
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

snWhole snNodes_Whole(snNodes* nodes, snTasks* tasks)
{
    Job job = {{.nodes = nodes}, SN_ISA_CHOOSE(nodes->isa, snNodesMeasure)};
    run(tasks, &job);
    return wholeOf(nodes);
}

// Moving ----------------------------------------------------------------------

// Without bones also measures, for Hold.
void snNodes_Drift(snNodes* nodes, snTasks* tasks, double h)
{
    bool bones = nodes->flesh->skeleton->bone_count > 0;
    Job job = {{.nodes = nodes, .drift = (float)h, .measured = !bones},
               bones ? SN_ISA_CHOOSE(nodes->isa, snNodesDrift)
                     : SN_ISA_CHOOSE(nodes->isa, snNodesSettle)};
    run(tasks, &job);
}

// A motion v at p (relative to the origin), w, seen at the carriers' centre. Not at the origin: in
// float the more is lost of v the farther it is.
static snCarrier carrierFrom(const snNodes* nodes, snVec3 p, snVec3 v, snVec3 w)
{
    snVec3 arm = snSub(widen(nodes->centre), p);
    return (snCarrier){narrow(snAdd(v, snCross(w, arm))), narrow(w)};
}

static void holdBone(snNodes* nodes, int32_t bone, const snBoneMotion* m)
{
    const snFlesh* flesh = nodes->flesh;
    snVec3 p = snSub(m->p, nodes->head->origin);
    nodes->carriers[bone] = carrierFrom(nodes, p, m->v, m->w);
    for (int32_t k = flesh->fixed_begin[bone]; k < flesh->fixed_begin[bone + 1]; ++k) {
        const snFixedNode* fixed = &flesh->fixed[k];
        snVec3 r = snMatVec(m->R, fixed->place);
        snVec3 at = snAdd(p, r);
        nodes->x[fixed->node] = narrow(at);
        nodes->lost[fixed->node] = narrow(snSub(at, widen(nodes->x[fixed->node])));
        nodes->before[k] = nodes->v[fixed->node];
        nodes->v[fixed->node] = narrow(snAdd(m->v, snCross(m->w, r)));
    }
}

void snNodes_Hold(snNodes* nodes, const snBoneMotion* motion)
{
    int32_t bones = nodes->flesh->skeleton->bone_count;
    if (bones > 0) {
        nodes->centre = nodes->x[0];
        for (int32_t b = 0; b < bones; ++b) {
            holdBone(nodes, b, &motion[b]);
        }
    } else {
        bool ok;
        snWhole now = wholeOf(nodes);
        snVec3 w = snSymTimes(snSymInverse(now.inertia, &ok), now.momentum.angular);
        snVec3 p = snSub(now.momentum.com, nodes->head->origin);
        nodes->centre = narrow(p);
        nodes->carriers[0] =
            carrierFrom(nodes, p, snScale(1 / now.momentum.mass, now.momentum.linear), w);
    }
}

// Forces ----------------------------------------------------------------------

// The elastic forces' work on fixed nodes with the velocities given in the list's order (or, NULL,
// their own), half of it, J.
static double fixedWork(const snNodes* nodes, double h, const snVec4f* v)
{
    const snFlesh* flesh = nodes->flesh;
    double sum = 0;
    for (int32_t k = 0; k < flesh->fixed_begin[flesh->skeleton->bone_count]; ++k) {
        int32_t i = flesh->fixed[k].node;
        sum += snDot(widen(nodes->f[i]), widen(v ? v[k] : nodes->v[i]));
    }
    return 0.5 * h * sum;
}

double snNodes_FixedWork(const snNodes* nodes, double h)
{
    return fixedWork(nodes, h, NULL);
}

snNodesTally snNodes_Kick(snNodes* nodes, snTasks* tasks, double h, snVec3 gravity, bool measured)
{
    Job job = {{.nodes = nodes, .h = (float)h, .gravity = narrow(gravity), .measured = measured},
               SN_ISA_CHOOSE(nodes->isa, snNodesKick)};
    run(tasks, &job);
    snNodesTally sum = {
        .before = fixedWork(nodes, h, nodes->before), .bad = -1, .whole = wholeOf(nodes)};
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

// Forces on a bone's fixed nodes, and their moment about p.
static snWrench fixedPull(const snNodes* nodes, int32_t bone, snVec3 p)
{
    const snFlesh* flesh = nodes->flesh;
    snVec3 n = snV3(0, 0, 0), f = snV3(0, 0, 0);
    for (int32_t k = flesh->fixed_begin[bone]; k < flesh->fixed_begin[bone + 1]; ++k) {
        int32_t i = flesh->fixed[k].node;
        snVec3 force = snAdd(widen(nodes->f[i]), widen(nodes->push[i]));
        f = snAdd(f, force);
        n = snAdd(n, snCross(snSub(widen(nodes->x[i]), p), force));
    }
    return snWrenchFrom(n, f);
}

static snVec3 rowOf(const double* row)
{
    return snV3(row[0], row[1], row[2]);
}

// The reactions of dampers' forces, moved from the origin to p.
static snWrench dampersPull(const snBonePull* sum, snVec3 p)
{
    snVec3 f = rowOf(sum->row[0]), n = rowOf(sum->row[1]);
    return snWrenchFrom(snSub(snCross(p, f), n), snNeg(f));
}

// The dampers' masses c at r = x - p as an inertia.
static snInertia6 dampersDrag(const snBonePull* sum, snVec3 p)
{
    double c = sum->row[0][3];
    snVec3 cx = rowOf(sum->row[2]), square = rowOf(sum->row[3]), mixed = rowOf(sum->row[4]);
    snVec3 cr = snMulAdd(cx, -c, p);
    // c r r' = c x x' - p cx' - cx p' + c p p'
    double xx = square.x - p.x * (cx.x + cr.x), yy = square.y - p.y * (cx.y + cr.y);
    double zz = square.z - p.z * (cx.z + cr.z);
    snInertia6 J = {.A = {.xx = yy + zz,
                          .yy = xx + zz,
                          .zz = xx + yy,
                          .xy = p.x * cr.y + p.y * cx.x - mixed.x,
                          .yz = p.y * cr.z + p.z * cx.y - mixed.y,
                          .xz = p.z * cr.x + p.x * cx.z - mixed.z},
                    .B = snSkew(cr),
                    .M = {.xx = c, .yy = c, .zz = c}};
    return J;
}

void snNodes_Pull(const snNodes* nodes, const snBoneMotion* motion, snWrench* wrench,
                  snInertia6* drag)
{
    for (int32_t b = 0; b < nodes->flesh->skeleton->bone_count; ++b) {
        snVec3 p = snSub(motion[b].p, nodes->head->origin);
        snBonePull sum = {{{0}}};
        for (int32_t i = 0; i < nodes->range_count; ++i) {
            const double* from = &nodes->pulls[i * nodes->carrier_count + b].row[0][0];
            for (int k = 0; k < 4 * SN_PULL_ROWS; ++k) {
                (&sum.row[0][0])[k] += from[k];
            }
        }
        wrench[b] = snWrenchAdd(fixedPull(nodes, b, p), dampersPull(&sum, p));
        drag[b] = dampersDrag(&sum, p);
    }
}

snWhole snNodes_Settle(snNodes* nodes, snTasks* tasks, double h, double drift, snVec3 gravity,
                       const snBoneMotion* motion, bool measured)
{
    int32_t bones = nodes->flesh->skeleton->bone_count;
    Job job = {{.nodes = nodes,
                .h = (float)h,
                .drift = (float)drift,
                .measured = measured,
                .accelerated = bones > 0},
               SN_ISA_CHOOSE(nodes->isa, snNodesSettle)};
    for (int32_t b = 0; b < bones; ++b) {
        const snBoneMotion* m = &motion[b]; // accelerations are less gravity's
        snVec3 p = snSub(m->p, nodes->head->origin);
        nodes->carriers[b] = carrierFrom(nodes, p, snAdd(m->dv, gravity), m->dw);
    }
    run(tasks, &job);
    return wholeOf(nodes);
}

void snNodes_Turn(snNodes* nodes, snTasks* tasks, snVec3 com, snTwist change)
{
    Job job = {{.nodes = nodes, .com = snSub(com, nodes->head->origin), .change = change},
               SN_ISA_CHOOSE(nodes->isa, snNodesTurn)};
    run(tasks, &job);
}
