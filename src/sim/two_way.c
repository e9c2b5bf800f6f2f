// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/two_way_state.h"

#include "math/svd.h"
#include "math/trig.h"
#include "skel/joint.h"
#include <string.h>

#define TWO_PI 6.283185307179586

// Frequency of joints' servos and of the root's, Hz
#define JOINT_HZ 8.0
#define ROOT_HZ 3.0

// Stiffness of a joint that the body may stand on, in weights times the size, 1/rad
#define BEARS 0.25

// What holds the root bears this many weights, and their moment at this part of the size.
#define ROOT_WEIGHTS 10.0
#define ROOT_LEVER 0.5

// Before a clip that is no loop its first pose is held so long; of a loop whole rounds are played,
// at least this long, s.
#define HELD 0.5
#define ROUNDS 3.0

// Steps are made shorter up to this many times. Bones that turn faster, rad/s, are out of control.
#define SHORTEST 32
#define FASTEST 500.0

// A joint that is beyond its limit by more is at it, rad
#define AT_LIMIT 1e-3

// Making ---------------------------------------------------------------------------

void snTwoWayDef_Init(snTwoWayDef* def)
{
    *def = (snTwoWayDef){.rate = 60, .strength = 1, .gravity = {0, -SN_FOLLOW_GRAVITY, 0}};
}

static bool pushArrays(snTwoWay* t)
{
    snArena* a = &t->arena;
    const snSkeleton* skeleton = t->rig_skeleton.skeleton;
    size_t bones = (size_t)skeleton->bone_count, nq = (size_t)skeleton->nq;
    size_t nv = (size_t)skeleton->nv, nodes = (size_t)t->def.body->tets.node_count;
    size_t ranges = (size_t)t->flesh->range_count;
    double** positions[] = {&t->q, &t->q_good, &t->goal, &t->end, &t->goal_mid};
    double** rates[] = {&t->qd,  &t->qd_good, &t->rate, &t->rate_was, &t->rate_good,
                        &t->tau, &t->kp,      &t->kd,   &t->limit};
    snVec4f** vectors[] = {&t->V, &t->V_good, &t->deferred, &t->deferred_good, &t->kick, &t->was};
    for (size_t k = 0; k < sizeof positions / sizeof *positions; ++k) {
        *positions[k] = snArena_Push(a, nq, sizeof(double));
    }
    for (size_t k = 0; k < sizeof rates / sizeof *rates; ++k) {
        *rates[k] = snArena_Push(a, nv, sizeof(double));
    }
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k) {
        *vectors[k] = snArena_Push(a, nodes, sizeof(snVec4f));
    }
    t->mode = snArena_Push(a, bones, 1);
    t->now = snArena_Push(a, bones, sizeof *t->now);
    t->twist = snArena_Push(a, bones, sizeof *t->twist);
    t->origin = snArena_Push(a, bones, sizeof *t->origin);
    t->turn = snArena_Push(a, bones, sizeof *t->turn);
    t->bind_turn = snArena_Push(a, bones, sizeof *t->bind_turn);
    t->bind_scale = snArena_Push(a, bones, sizeof *t->bind_scale);
    t->wrench = snArena_Push(a, bones, sizeof *t->wrench);
    t->drag = snArena_Push(a, bones, sizeof *t->drag);
    t->parts = snArena_Push(a, bones * ranges, sizeof *t->parts);
    t->flesh_good = snArena_Push(a, t->flesh->state_size, 1);
    snWorkspace_Push(&t->ws, skeleton, a);
    snWorkspace_Push(&t->plan, t->rig_skeleton.whole, a);
    if (!a->failed) {
        memset(t->plan.prescribed, 1, bones);
    }
    return !a->failed;
}

// Gains and bounds of the servos, and what each joint does
static void setServos(snTwoWay* t)
{
    const snRigSkeleton* p = &t->rig_skeleton;
    double weight = p->mass * SN_GRAVITY;
    for (int32_t b = 0; b < p->joints->count; ++b) {
        const snBone* bone = &p->skeleton->bones[b];
        bool root = bone->parent < 0;
        double s = root ? !t->is_loose : t->def.strength;
        double omega = TWO_PI * (root ? ROOT_HZ : JOINT_HZ);
        t->mode[b] = p->joints->joints[b].follows ? sn_modePosition
                     : s <= 0                     ? sn_modeTorque
                                                  : sn_modeServo;
        for (int32_t k = 0; k < bone->nv; ++k) {
            bool travel = bone->type == sn_jointFree && k >= 3;
            double I = travel ? p->mass : p->limb[b];
            double most = ROOT_WEIGHTS * weight;
            double bears = root ? 0 : BEARS * weight * t->def.body->size;
            double kp = omega * omega * I + bears;
            t->kp[bone->vi + k] = s * kp;
            t->kd[bone->vi + k] = 2 * sqrt(s * kp * I);
            t->limit[bone->vi + k] = !root    ? (double)INFINITY
                                     : travel ? most
                                              : ROOT_LEVER * t->def.body->size * most;
        }
    }
}

static void setTime(snTwoWay* t)
{
    const snRigTrack* track = t->def.track;
    double frame = 1 / t->def.rate, lead = HELD;
    if (track->is_loop) {
        lead = ceil(ROUNDS / track->period) * track->period;
    }
    t->steps = t->flesh->ticks * t->flesh->steps;
    t->h = frame / t->steps;
    t->lead = (int64_t)ceil(lead / t->h - 1e-6);
    t->tick = -t->lead;
}

// Coordinates of the clip; before a clip that is no loop those of its first pose
static void readClip(snTwoWay* t, double time, double* q)
{
    const snRigTrack* track = t->def.track;
    snRigTrack_At(track, track->is_loop ? time : fmax(time, track->first), t->nodes, NULL);
    snRigSkeleton_Read(&t->rig_skeleton, t->nodes, q);
}

double snTwoWay_Time(const snTwoWay* t)
{
    return t->def.track->first + (double)t->tick * t->h;
}

static void differ(const snTwoWay* t, const double* from, const double* to, double span, double* qd)
{
    for (int32_t b = 0; b < t->rig_skeleton.skeleton->bone_count; ++b) {
        const snBone* bone = &t->rig_skeleton.skeleton->bones[b];
        snJoint_Difference(bone->type, from + bone->qi, to + bone->qi, qd + bone->vi);
        for (int32_t k = bone->vi; k < bone->vi + bone->nv; ++k) {
            qd[k] /= span;
        }
    }
}

// Bones and targets of the flesh as q and qd say
static void refresh(snTwoWay* t)
{
    snKinematics_State(t->rig_skeleton.skeleton, t->q, t->qd, NULL, t->ws.motion);
    snTwoWay_PlaceBones(t);
    snTwoWay_MoveTargets(t);
}

// Everything as the clip has it at a time, in motion
static void jumpTo(snTwoWay* t, double time)
{
    size_t nq = (size_t)t->rig_skeleton.skeleton->nq * sizeof(double);
    size_t nv = (size_t)t->rig_skeleton.skeleton->nv * sizeof(double);
    readClip(t, time, t->goal);
    readClip(t, time + t->h, t->end);
    differ(t, t->goal, t->end, t->h, t->rate);
    memcpy(t->q, t->goal, nq);
    memcpy(t->qd, t->rate, nv);
    memcpy(t->rate_was, t->rate, nv);
    refresh(t);
    memset(t->deferred, 0, (size_t)t->def.body->tets.node_count * sizeof *t->deferred);
}

static void react(void* argument);

static snStatus makeFlesh(snTwoWay* t, snMessage* why)
{
    snFollowSetup setup;
    snFollowSetup_Init(&setup);
    setup.body = t->def.body;
    setup.track = t->def.track;
    setup.rate = t->def.rate;
    snStatus status = snFollow_CreateFromSetup(&t->host, &setup, &t->flesh, why);
    if (!status) {
        t->flesh->react = react;
        t->flesh->reacting = t;
        t->flesh->drive.end = t->flesh->drive.begin; // both ends are the middle of a step
    }
    return status;
}

static snStatus create(snTwoWay* t, snMessage* why)
{
    const snRigTrack* track = t->def.track;
    size_t nodes = (size_t)track->rig->info.node_count;
    t->nodes = snArena_Push(&t->arena, nodes, sizeof *t->nodes);
    if (!t->nodes) {
        return snFail(why, sn_errorMemory, "no memory for the skeleton");
    }
    snRigTrack_At(track, track->first, t->nodes, NULL);
    snStatus status =
        snRigSkeleton_Build(&t->arena, t->def.body, t->def.joints, t->nodes, &t->rig_skeleton, why);
    status = status ? status : makeFlesh(t, why);
    if (status) {
        return status;
    }
    if (!pushArrays(t)) {
        return snFail(why, sn_errorMemory, "no memory for the skeleton");
    }
    for (int32_t b = 0; b < t->rig_skeleton.joints->count; ++b) {
        const snMatrix* map = &t->rig_skeleton.map[b];
        double square = snLengthSq(map->x) + snLengthSq(map->y) + snLengthSq(map->z);
        t->bind_turn[b] = snQFromMat(snPolar3d(snMatrix_Linear(map)).R);
        t->bind_scale[b] = sqrt(square / 3);
    }
    t->facts.turn_joint = -1;
    setServos(t);
    setTime(t);
    jumpTo(t, snTwoWay_Time(t));
    return sn_ok;
}

snStatus snTwoWay_Create(const snHost* host, const snTwoWayDef* def, snTwoWay** out, snMessage* why)
{
    snHost taken;
    *out = NULL;
    if (!(def->strength >= 0 && def->strength <= 100)) {
        return snFail(why, sn_errorArgument, "strength must lie in 0..100, found %g",
                      def->strength);
    }
    snStatus status = snHost_Take(host, &taken, why);
    snTwoWay* t = status ? NULL : snHost_Allocate(&taken, sizeof *t);
    if (!t) {
        return status ? status : snFail(why, sn_errorMemory, "out of memory");
    }
    t->host = taken;
    t->def = *def;
    snArena_Init(&t->arena, &taken);
    status = create(t, why);
    if (status) {
        snTwoWay_Free(t);
        return status;
    }
    *out = t;
    return sn_ok;
}

void snTwoWay_Free(snTwoWay* t)
{
    if (t) {
        snHost host = t->host;
        snFollow_Free(t->flesh);
        snRigSkeleton_Free(&t->rig_skeleton);
        snArena_Free(&t->arena);
        snHost_Release(&host, t, sizeof *t);
    }
}

// Stepping -------------------------------------------------------------------------

static void bound(double* v, double most)
{
    double size = snLength(snLoad3(v));
    snStore3(v, size > most ? snScale(most / size, snLoad3(v)) : snLoad3(v));
}

// What the clip takes in this step when nothing jiggles and nothing touches
static void planStep(snTwoWay* t)
{
    const snSkeleton* whole = t->rig_skeleton.whole;
    double part = fmin(1, t->def.strength);
    int32_t bad, root = whole->bones[0].vi;
    for (int32_t k = 0; k < whole->nv; ++k) {
        t->plan.qdd_given[k] = (t->rate[k] - t->rate_was[k]) / t->step_now;
    }
    snHybridStep how = {.prescribed = t->plan.prescribed, .q = t->goal_mid, .qd = t->rate};
    snHybridLoad load = {.qdd = t->plan.qdd_given, .gravity = t->def.gravity};
    snKinematics_State(whole, t->goal_mid, t->rate, NULL, t->plan.motion);
    t->failed |= !snHybrid_Run(whole, t->plan.motion, &how, &load, &t->plan.factor, t->plan.qdd,
                               t->tau, &bad);
    for (int32_t k = root + 6; k < whole->nv; ++k) {
        t->tau[k] *= part;
    }
    bound(t->tau + root, t->is_loose ? 0 : t->limit[root]);
    bound(t->tau + root + 3, t->is_loose ? 0 : t->limit[root + 3]);
}

static snJointCommand commandOf(const snTwoWay* t)
{
    return (snJointCommand){.mode = t->mode,
                            .tau = t->tau,
                            .q_mid = t->goal_mid,
                            .qd_mid = t->rate,
                            .q_end = t->end,
                            .qd_end = t->rate,
                            .servo_q = t->goal_mid,
                            .servo_qd = t->rate,
                            .servo_kp = t->kp,
                            .servo_kd = t->kd,
                            .servo_limit = t->limit,
                            .external = t->wrench};
}

static snStep stepOf(const snTwoWay* t)
{
    return (snStep){.q = t->q,
                    .qd = t->qd,
                    .h = t->step_now,
                    .integrator = sn_integratorMidpoint,
                    .gravity = t->def.gravity,
                    .drag = t->drag};
}

// Between the flesh's forces and its kick: forces on bones, and where these go
static void react(void* argument)
{
    snTwoWay* t = argument;
    int32_t bad;
    memset(t->wrench, 0, (size_t)t->rig_skeleton.joints->count * sizeof *t->wrench);
    snTwoWay_AddFleshForces(t);
    snTwoWay_AddGroundForces(t);
    snJointCommand command = commandOf(t);
    snStep step = stepOf(t);
    t->failed |= !snIntegrate_Finish(&t->ws, &step, &command, &bad);
    refresh(t);
}

static bool isWild(const snTwoWay* t)
{
    bool wild = t->failed;
    for (int32_t k = 0; k < t->rig_skeleton.skeleton->nv; ++k) {
        wild = wild || !(fabs(t->qd[k]) < FASTEST);
    }
    for (int32_t k = 0; k < t->rig_skeleton.skeleton->nq; ++k) {
        wild = wild || !isfinite(t->q[k]);
    }
    return wild;
}

// A part of a step; false: something went wrong
static bool advance(snTwoWay* t, double time, double h)
{
    const snSkeleton* skeleton = t->rig_skeleton.skeleton;
    t->step_now = h;
    t->flesh->drive.interval = h;
    readClip(t, time + h, t->end);
    differ(t, t->goal, t->end, h, t->rate);
    for (int32_t b = 0; b < skeleton->bone_count; ++b) {
        const snBone* bone = &skeleton->bones[b];
        snJoint_Integrate(bone->type, t->goal + bone->qi, t->rate + bone->vi, 0.5 * h,
                          t->goal_mid + bone->qi);
    }
    planStep(t);
    snJointCommand command = commandOf(t);
    snStep step = stepOf(t);
    snIntegrate_Begin(&t->ws, &step, &command);
    snTwoWay_PlaceBones(t);
    snTwoWay_PlaceTargets(t);
    snFollowTally tally = snFollow_AdvanceStep(t->flesh);
    snTwoWay_DeferImpulses(t);
    double* was = t->goal;
    t->goal = t->end, t->end = was;
    was = t->rate_was;
    t->rate_was = t->rate, t->rate = was;
    return !tally.bad && !tally.fast && !isWild(t);
}

static void keep(snTwoWay* t, bool back)
{
    size_t nq = (size_t)t->rig_skeleton.skeleton->nq * sizeof(double);
    size_t nv = (size_t)t->rig_skeleton.skeleton->nv * sizeof(double);
    size_t nodes = (size_t)t->def.body->tets.node_count * sizeof(snVec4f);
    void* pairs[][2] = {{t->q, t->q_good},
                        {t->qd, t->qd_good},
                        {t->rate_was, t->rate_good},
                        {t->V, t->V_good},
                        {t->deferred, t->deferred_good},
                        {t->flesh->state, t->flesh_good}};
    size_t sizes[] = {nq, nv, nv, nodes, nodes, t->flesh->state_size};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        memcpy(pairs[k][back ? 0 : 1], pairs[k][back ? 1 : 0], sizes[k]);
    }
    t->failed = false;
}

// The flesh at its skinned place, everything as the clip has it
static void giveUp(snTwoWay* t, double time)
{
    size_t nodes = (size_t)t->def.body->tets.node_count * sizeof(snVec4f);
    snFollow* s = t->flesh;
    memset(s->u, 0, nodes);
    memset(s->w, 0, nodes);
    if (s->r) {
        memset(s->r, 0, nodes);
        memset(s->q, 0, nodes);
    }
    jumpTo(t, time);
    t->failed = false;
    ++t->facts.resets;
}

// Does the clip jump in the step?
static bool hasCut(const snTwoWay* t, double from, double to)
{
    const snRigTrack* track = t->def.track;
    double shift = 0;
    if (track->is_loop) {
        shift = floor((to - track->first) / track->period) * track->period;
    }
    for (int32_t i = 0; i < track->cut_count; ++i) {
        double at = track->cuts[i] + shift;
        if (at > from && at <= to) {
            return true;
        }
    }
    return false;
}

// One step, with the guard. Across a cut everything goes along with the clip.
static bool step(snTwoWay* t)
{
    double time = snTwoWay_Time(t), next = time + t->h;
    bool fine = true, helped = false;
    ++t->tick;
    if (hasCut(t, time, next)) {
        jumpTo(t, next);
        return false;
    }
    keep(t, false);
    for (int32_t parts = 1; parts <= SHORTEST; parts *= 2) {
        fine = true;
        for (int32_t k = 0; k < parts && fine; ++k) {
            fine = advance(t, time + k * t->h / parts, t->h / parts);
        }
        if (fine) {
            return helped;
        }
        keep(t, true);
        readClip(t, time, t->goal);
        helped = true;
    }
    giveUp(t, next);
    return true;
}

void snTwoWay_Begin(snTwoWay* t)
{
    while (t->tick < 0) {
        step(t);
    }
    if (!t->def.track->is_loop) { // all of it moves as the clip does then
        size_t nv = (size_t)t->rig_skeleton.skeleton->nv;
        double time = snTwoWay_Time(t);
        readClip(t, time, t->goal);
        readClip(t, time + t->h, t->end);
        differ(t, t->goal, t->end, t->h, t->rate);
        memcpy(t->qd, t->rate, nv * sizeof *t->qd);
        memcpy(t->rate_was, t->rate, nv * sizeof *t->qd);
        refresh(t);
    }
    t->is_loose = t->def.is_free;
    setServos(t);
}

// Facts ----------------------------------------------------------------------------

static bool isAtLimit(const snRigJoint* j, const double* q)
{
    double swing = 0, twist = 0;
    if (j->type == sn_jointRevolute) {
        twist = q[0];
    } else if (j->type == sn_jointBall) {
        snJoint_Split(j->axis, snLoadQ(q), &swing, &twist);
    } else {
        return false;
    }
    return twist < j->low - AT_LIMIT || twist > j->high + AT_LIMIT ||
           (j->type == sn_jointBall && swing > j->swing + AT_LIMIT);
}

static void measure(snTwoWay* t, bool helped)
{
    snTwoWayFacts* f = &t->facts;
    const snSkeleton* skeleton = t->rig_skeleton.skeleton;
    bool limited = false;
    double square = 0, joints = 0;
    for (int32_t b = 1; b < skeleton->bone_count; ++b) {
        const snBone* bone = &skeleton->bones[b];
        const snRigJoint* j = &t->rig_skeleton.joints->joints[b];
        double gap[6] = {0}, miss;
        limited = limited || isAtLimit(j, t->q + bone->qi);
        if (j->type != sn_jointRevolute && j->type != sn_jointBall) {
            continue;
        }
        snJoint_Difference(bone->type, t->goal + bone->qi, t->q + bone->qi, gap);
        miss = snLength(snLoad3(gap));
        square += miss * miss, joints += 1;
        if (miss > f->turn_most) {
            f->turn_most = miss;
            f->turn_joint = b;
        }
    }
    ++f->frames;
    f->limited += limited;
    f->interventions += helped;
    t->squares += joints > 0 ? square / joints : 0;
    f->turn_rms = sqrt(t->squares / (double)f->frames);
    f->root_most = fmax(f->root_most, snLength(snSub(snLoad3(t->q), snLoad3(t->goal))));
}

void snTwoWay_Advance(snTwoWay* t)
{
    bool helped = false;
    for (int32_t i = 0; i < t->steps; ++i) {
        helped |= step(t);
    }
    measure(t, helped);
}

snTwoWayFacts snTwoWay_Facts(const snTwoWay* t)
{
    return t->facts;
}

const snRigSkeleton* snTwoWay_Skeleton(const snTwoWay* t)
{
    return &t->rig_skeleton;
}

const double* snTwoWay_State(const snTwoWay* t)
{
    return t->q;
}

const double* snTwoWay_Goal(const snTwoWay* t)
{
    return t->goal;
}

const snBoneMotion* snTwoWay_Bones(const snTwoWay* t)
{
    return t->ws.motion;
}

// Twice over the flesh: its middle, then momenta about the common one
snMomentum snTwoWay_Momentum(const snTwoWay* t)
{
    snWhole bones = snWhole_OfBones(t->rig_skeleton.skeleton, t->ws.motion);
    const snRigBody* body = t->def.body;
    snWhole flesh = {0};
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < body->tets.node_count; ++i) {
            const snNodeWeights* weights = &body->weights[i];
            const snVec4f *u = &t->flesh->u[i], *w = &t->flesh->w[i], *V = &t->V[i];
            snVec3 x = snV3((double)u->x, (double)u->y, (double)u->z);
            double m = body->held[i] ? 0 : body->mass[i], sum = 0;
            snVec3 P = snScale(m, snV3((double)w->x + (double)V->x, (double)w->y + (double)V->y,
                                       (double)w->z + (double)V->z));
            P = snSub(P, snV3((double)t->deferred[i].x, (double)t->deferred[i].y,
                              (double)t->deferred[i].z));
            for (int k = 0; k < SN_WEIGHTS_MOST && weights->joint[k] >= 0; ++k) {
                sum += (double)weights->weight[k];
            }
            for (int k = 0; k < SN_WEIGHTS_MOST && weights->joint[k] >= 0; ++k) {
                int32_t b = t->rig_skeleton.bone[weights->joint[k]];
                x = snMulAdd(x, (double)weights->weight[k] / sum,
                             snMatrix_Point(&t->now[b], body->tets.position[i]));
            }
            if (pass == 0) {
                flesh.momentum.mass += m;
                flesh.momentum.com = snMulAdd(flesh.momentum.com, m, x);
                flesh.momentum.linear = snAdd(flesh.momentum.linear, P);
            } else {
                snVec3 r = snSub(x, flesh.momentum.com);
                flesh.momentum.angular = snAdd(flesh.momentum.angular, snCross(r, P));
            }
        }
        if (pass == 0) {
            flesh.momentum.com = snScale(1 / flesh.momentum.mass, flesh.momentum.com);
        }
    }
    return snWhole_Join(&bones, &flesh).momentum;
}
