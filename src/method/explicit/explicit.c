// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "method/explicit/explicit.h"

#include "method/explicit/actor.h"
#include "skel/joint.h"
#include <string.h>

// The step being done, for tasks.
typedef struct StepJob {
    snExplicitData* data;
    const snWorld* world;
    snSurroundings* around;
    snTasks* tasks;
    snStageClock* clock;
    void* state;
    double t, h;
    bool look;   // at elastic energies
    bool strict; // see snSpan
    bool still;  // nothing that can touch moves
    bool calls;  // fields of the host's act
} StepJob;

// Stepping --------------------------------------------------------------------

static bool keepsMomentum(const snActorSpace* a, bool keep, const snJointCommand* command)
{
    bool boneless = a->skeleton->bone_count == 0;
    return keep && (boneless || snIntegrate_IsFree(a->skeleton, command));
}

// Bones, in the motion that the workspace holds, and flesh as one; turning: with inertia.
static snWhole wholeOf(const snActorSpace* a, const snWhole* flesh, bool turning)
{
    snWhole bones = {0};
    bones.momentum = snBalance_Momentum(a->skeleton, a->ws.motion, turning ? &bones.inertia : NULL);
    return snWhole_Join(&bones, flesh);
}

// The same at rest: mass and centre alone.
static snWhole massOf(const snActorSpace* a, const snWhole* flesh)
{
    snWhole bones = {0};
    bones.momentum.mass = a->skeleton->mass;
    bones.momentum.com = snBalance_Centre(a->skeleton, a->ws.motion);
    return snWhole_Join(&bones, flesh);
}

static void takeMomentum(snActorSpace* a, const snActorState* s, snTasks* tasks, bool keep)
{
    if (!keep) {
        s->target->known = 0;
    } else if (!s->target->known) {
        snKinematics_State(a->skeleton, s->q, s->qd, a->ws.base, a->ws.motion);
        snWhole flesh = {0};
        if (a->flesh) {
            flesh = snNodes_Whole(&a->nodes, tasks);
        }
        snWhole now = wholeOf(a, &flesh, false);
        snMomentum_Take(s->target, &now);
    }
}

// Rolling resistance, which stops a round body from rocking and rolling for long where it lies: a
// moment of what it lies on, part of the contact's load. Slower than REST_SPEED (of travel and
// turning together) its turning is braked, at a rate that grows to REST_RATE as it stops, by at
// most ROLLING of the friction that what stands still can give. Both are for a body of 1 m, m/s and
// 1/s; speeds of what falls go with the root of the size. Flesh's own damping is too slow for that,
// and contact's too stiff.
#define REST_SPEED 0.05
#define REST_RATE 32.0
#define ROLLING 0.03

static snVec3 rollingResistance(const snWhole* now, double friction, double size)
{
    bool ok;
    const snMomentum* m = &now->momentum;
    snVec3 w = snSymTimes(snSymInverse(now->inertia, &ok), m->angular);
    double speed = sqrt((snLengthSq(m->linear) / m->mass + snDot(w, m->angular)) / m->mass);
    double slow = REST_SPEED * sqrt(size);
    if (!ok || !(speed < slow && speed > 0)) {
        return snV3(0, 0, 0);
    }
    double rate = REST_RATE / sqrt(size) * (1 - speed / slow), most = ROLLING * friction / m->mass;
    return snScale(-(rate * speed < most ? rate : most / speed), m->angular);
}

// Gravity, contact and the root's own torque change the momentum; flesh on bones is inner.
static void pushMomentum(snActorSpace* a, const snActorState* s, const StepJob* job,
                         const snJointCommand* command, const snWhole* flesh)
{
    bool rolls = a->flesh && a->neighbour->soft && a->neighbour->soft->still_friction > 0;
    snWhole mid = rolls ? wholeOf(a, flesh, true) : massOf(a, flesh);
    snVec3 com = mid.momentum.com;
    snWrench load =
        snMomentum_Load(a->skeleton, a->ws.motion, a->blown ? a->winds : NULL, command->tau, com);
    if (a->flesh && a->blown) {
        snVec3 arm = snSub(a->nodes.head->origin, com);
        load.f = snAdd(load.f, a->wind.f);
        load.n = snAdd(load.n, snAdd(a->wind.n, snCross(arm, a->wind.f)));
    }
    if (a->flesh) {
        snNodesHead* head = a->nodes.head;
        snVec3 arm = snSub(head->origin, com);
        if (rolls) {
            head->load.n = snAdd(
                head->load.n, rollingResistance(&mid, a->neighbour->soft->still_friction, a->size));
        }
        load.f = snAdd(load.f, head->load.f);
        load.n = snAdd(load.n, snAdd(head->load.n, snCross(arm, head->load.f)));
    }
    load.f = snMulAdd(load.f, mid.momentum.mass, job->world->gravity);
    snMomentum_Push(s->target, job->h, load);
}

static void correctMomentum(snActorSpace* a, const snActorState* s, const StepJob* job,
                            const snWhole* flesh)
{
    snWhole now = wholeOf(a, flesh, true);
    snTwist change = snMomentum_Correction(s->target, &now);
    if (a->skeleton->bone_count > 0) {
        snMomentum_MoveRoot(a->skeleton, a->ws.motion, now.momentum.com, change, s->qd);
        snKinematics_Velocity(a->skeleton, s->qd, a->ws.motion);
    }
    if (a->flesh) {
        snNodes_Turn(&a->nodes, job->tasks, now.momentum.com, change);
    }
}

// Forces on and by the flesh, where the bones are at the middle of the step.
static void stretchFlesh(snActorSpace* a, const StepJob* job, double drift)
{
    const snFlesh* flesh = a->flesh;
    snNodes* nodes = &a->nodes;
    snNodesHead* head = nodes->head;
    snVec4f at = nodes->x[0];
    snNodes_Rebase(nodes, snAdd(head->origin, snV3((double)at.x, (double)at.y, (double)at.z)));
    snNodes_Drift(nodes, job->tasks, drift);
    snNodes_Hold(nodes, a->ws.motion);
    memset(nodes->push, 0, (size_t)flesh->tets.node_count * sizeof *nodes->push);
    const snCellsMotion motion = {nodes->x, nodes->lost, nodes->v, a->stiff};
    a->looked = job->look || head->step != job->h;
    snCellsCount count = snCells_ForcesAt(flesh->cells, job->tasks, job->data->head.isa, &motion,
                                          nodes->cells_work, nodes->f, a->looked ? &a->look : NULL);
    if (a->account) {
        snActor_FindViscous(a, job->tasks);
    }
    head->diagonalized = count.diagonalized;
    head->inverted = count.inverted;
}

// What contact found changes the flesh's velocities together with elastic forces, and reaches the
// bones. Returns the flesh's motion then.
static snWhole kickFlesh(snActorSpace* a, const StepJob* job, int32_t index)
{
    const snWorld* world = job->world;
    snNodes* nodes = &a->nodes;
    snNodesHead* head = nodes->head;
    const snSoft* soft = a->neighbour->soft;
    if (soft) {
        head->touching = soft->touching;
        head->load = soft->load;
    }
    if (a->skeleton->bone_count == 0) { // dampers refer to the body's mean velocity over the step
        double mass = a->actor->character->info.total_mass;
        snVec3 outer = a->blown ? snAdd(head->load.f, a->wind.f) : head->load.f;
        snVec3 gain = snMulAdd(world->gravity, 1 / mass, outer);
        nodes->carriers[0].v.x += (float)(0.5 * job->h * gain.x);
        nodes->carriers[0].v.y += (float)(0.5 * job->h * gain.y);
        nodes->carriers[0].v.z += (float)(0.5 * job->h * gain.z);
    }
    snNodesTally tally = snNodes_Kick(nodes, job->tasks, job->h, world->gravity, a->keep);
    snNodes_Pull(nodes, a->ws.motion, a->pulls, a->drags);
    for (int32_t i = 0; a->blown && i < a->skeleton->bone_count; ++i) {
        a->pulls[i] = snWrenchAdd(a->pulls[i], a->winds[i]);
    }
    snActor_CheckFlesh(a, &tally, job->h, job->strict, index);
    return tally.whole;
}

// What the joints' drives did in the step that ends now.
static void noteEffort(const snActorSpace* a, const snActorState* s)
{
    snEffort* e = s->effort;
    e->power = 0;
    for (int32_t i = 0; i < a->skeleton->nv; ++i) {
        double torque = fabs(s->tau[i]);
        e->power += s->tau[i] * s->qd[i];
        e->peak_torque = torque > e->peak_torque ? torque : e->peak_torque;
    }
    e->peak_power = e->power > e->peak_power ? e->power : e->peak_power;
}

// One step of one character. Midpoint: all move half a step, forces there change the velocities,
// all move the other half. Euler: forces, velocities, a whole step. Between both parts contact
// looks at all characters and obstacles at once.

static snStep stepOf(snActorSpace* a, const snActorState* s, const StepJob* job)
{
    const snWorld* world = job->world;
    snStep step = {s->q, s->qd, job->h, job->data->integrator, world->gravity, a->drags};
    return step;
}

static snJointCommand commandOf(const snCommandArrays* c)
{
    snJointCommand command = {c->mode,     c->tau,         c->qdd,     c->q_mid,    c->qd_mid,
                              c->q_end,    c->qd_end,      c->servo_q, c->servo_qd, c->servo_kp,
                              c->servo_kd, c->servo_limit, NULL};
    return command;
}

static double firstDrift(const StepJob* job)
{
    return job->data->integrator == sn_integratorMidpoint ? 0.5 * job->h : 0;
}

static void moveActor(const StepJob* job, snActorSpace* a)
{
    snActorState s = snActor_State(a, job->state);
    a->verdict.trouble = sn_troubleNone;
    if (a->neighbour->asleep) {
        return;
    }
    if (a->account) {
        snActor_OpenAccount(a, &s, job->tasks, job->world->gravity);
    }
    snStep step = stepOf(a, &s, job);
    snDriveStep when = {job->t, job->h, s.q, s.qd};
    snDrive_CommandStep(a->skeleton, a->actor->drive, &when, &a->command);
    snJointCommand command = commandOf(&a->command);
    a->gravity = job->world->gravity;
    a->keep = keepsMomentum(a, job->data->keep_momentum, &command);
    takeMomentum(a, &s, job->tasks, a->keep);
    snIntegrate_Begin(&a->ws, &step, &command);
    if (a->flesh) {
        stretchFlesh(a, job, firstDrift(job));
    }
}

// A body with more than one in so many cells inside out is crushed.
#define CRUSHED 16

static void showActor(const StepJob* job, int32_t index, int worker)
{
    const snActorSpace* a = &job->data->actors[index];
    if (a->flesh) {
        const snNodesHead* head = a->nodes.head;
        snFleshMotion motion = {
            head->origin,    a->nodes.x,
            a->nodes.v,      CRUSHED * head->inverted > a->flesh->tets.tet_count,
            snActor_Predict, a};
        snSurroundings_PlaceFlesh(job->around, job->tasks, job->state, index, &motion, job->h,
                                  worker);
    }
}

static void blowActor(const StepJob* job, snActorSpace* a)
{
    if (!a->neighbour->asleep && (job->world->forces.count > 0 || a->blown)) {
        snActor_AddFieldForces(a, job->world, job->t + firstDrift(job), job->h);
    }
}

// Functions of the host are called one after the other, from this thread.
static void callFields(const StepJob* job)
{
    for (int32_t i = 0; job->calls && i < job->world->actor_count; ++i) {
        blowActor(job, &job->data->actors[i]);
    }
}

static void beginActor(void* argument, int index, int worker)
{
    const StepJob* job = argument;
    moveActor(job, &job->data->actors[index]);
    if (!job->calls) {
        blowActor(job, &job->data->actors[index]);
    }
    if (!job->still) {
        snStageClock_Enter(job->clock, sn_explicitContact);
        showActor(job, index, worker);
        snStageClock_Enter(job->clock, sn_explicitBegin);
    }
}

static void settleActor(const StepJob* job, int32_t index)
{
    const snWorld* world = job->world;
    snActorSpace* a = &job->data->actors[index];
    snActorState s = snActor_State(a, job->state);
    snStep step = stepOf(a, &s, job);
    snJointCommand command = commandOf(&a->command);
    snWhole flesh = {0};
    int32_t bad = -1;
    if (a->flesh) {
        flesh = kickFlesh(a, job, index);
        command.external = a->pulls;
    } else if (a->blown) {
        command.external = a->winds;
    }
    if (a->keep) {
        pushMomentum(a, &s, job, &command, &flesh);
    }
    snDragStep drag = {job->t, &a->actor->base, a->actor->q, a->actor->drive};
    bool dragged =
        snDrags_Command(a->actor->drags, &drag, &a->direct, &a->ws, &step, &command, &a->command);
    if (!snIntegrate_Finish(&a->ws, &step, &command, &bad)) {
        a->verdict = (snVerdict){index, bad, sn_troubleSingular};
        return;
    }
    if (a->flesh) {
        flesh = snNodes_Settle(&a->nodes, job->tasks, job->h, job->h - firstDrift(job),
                               world->gravity, a->ws.motion, a->keep);
    }
    if (a->account) {
        snActor_NoteWork(a, &s, job->tasks, job->h, job->h - firstDrift(job), dragged);
    }
    if (a->keep || a->flesh) {
        snKinematics_State(a->skeleton, s.q, s.qd, a->ws.base, a->ws.motion);
    }
    if (a->keep) {
        correctMomentum(a, &s, job, &flesh);
    }
    if (a->flesh && a->skeleton->bone_count > 0) {
        snNodes_Hold(&a->nodes, a->ws.motion);
        a->nodes.head->bank -= snNodes_FixedWork(&a->nodes, job->h);
    }
    if (a->account) {
        snActor_NoteGravity(a, &s, world->gravity);
    }
    memcpy(s.tau, a->ws.tau, (size_t)a->skeleton->nv * sizeof(double));
    noteEffort(a, &s);
    snActor_CheckBones(a, &s, index);
}

void snActors_Run(const snExplicitData* data, snTasks* tasks, int32_t count, snTaskFcn* task,
                  void* argument)
{
    if (count >= snTasks_WorkerCount(tasks) || !data->large) {
        snTasks_Run(tasks, count, task, argument);
    } else {
        for (int32_t i = 0; i < count; ++i) {
            task(argument, i, 0);
        }
    }
}

// Whoever shares its group with no other character goes on at once, while its flesh is in the
// cache.
static bool isAlone(const StepJob* job, const snActorSpace* a)
{
    const snSoft* soft = a->neighbour->soft;
    return soft && !job->still && job->around->contacts.groups[soft->group].soft_count == 1;
}

static void finishActor(const StepJob* job, int32_t index)
{
    if (!job->data->actors[index].neighbour->asleep) {
        settleActor(job, index);
    }
}

// How deep the surface is in what it touches, as frames show it.
static void noteDepth(snActorSpace* a)
{
    const snSoft* soft = a->neighbour->soft;
    if (soft && !a->neighbour->asleep) {
        snNodesHead* head = a->nodes.head;
        head->depth = soft->depth;
        head->deepest = head->depth > head->deepest ? head->depth : head->deepest;
        head->squeezed = soft->excess > head->squeezed ? soft->excess : head->squeezed;
    }
}

static void touchBodies(const StepJob* job, int32_t number)
{
    snContacts* c = &job->around->contacts;
    const snContactGroup* group = &c->groups[number];
    snContacts_Step(c, number, job->h);
    for (int32_t i = 0; i < group->member_count; ++i) {
        const snSoft* soft = snContacts_Soft(c, c->members[group->member_first + i]);
        if (soft) {
            noteDepth(&job->data->actors[soft->actor]);
        }
    }
}

static void touchGroup(void* argument, int index, int worker)
{
    (void)worker;
    const StepJob* job = argument;
    const snContacts* c = &job->around->contacts;
    const snContactGroup* group = &c->groups[index];
    snStageClock_Enter(job->clock, sn_explicitContact);
    touchBodies(job, index);
    snStageClock_Enter(job->clock, sn_explicitFinish);
    if (group->soft_count == 1) {
        // soft bodies have the highest numbers
        int32_t body = c->members[group->member_first + group->member_count - 1];
        finishActor(job, snContacts_Soft(c, body)->actor);
    }
}

static void finishOthers(void* argument, int index, int worker)
{
    (void)worker;
    const StepJob* job = argument;
    if (!isAlone(job, &job->data->actors[index])) {
        finishActor(job, index);
    }
}

// Contact, group by group.
static bool touch(StepJob* job)
{
    snContacts* c = &job->around->contacts;
    if (job->still) {
        return true;
    }
    if (!snContacts_List(c, job->tasks, job->h)) {
        return false;
    }
    snActors_Run(job->data, job->tasks, c->soft_group_count, touchGroup, job);
    snStageClock_Enter(job->clock, sn_explicitContact);
    for (int32_t i = c->soft_group_count; i < c->group_count; ++i) {
        snContacts_Step(c, i, job->h); // obstacles alone
    }
    return true;
}

static void strikeBones(void* user, int32_t index, snWrench* hits)
{
    const StepJob* job = user;
    snActor_Knock(&job->data->actors[index], job->state, hits, job->h, job->h - firstDrift(job));
}

// The momentum that projection gave, about where the centre was in the middle of the step.
static void pushProjected(snActorSpace* a, const StepJob* job, double drift)
{
    snActorState s = snActor_State(a, job->state);
    snWhole flesh = snNodes_Whole(&a->nodes, job->tasks);
    snMomentum now = wholeOf(a, &flesh, false).momentum;
    snVec3 com = snMulAdd(now.com, -drift / now.mass, now.linear);
    snWrench hit = a->neighbour->soft->struck;
    hit.n = snAdd(hit.n, snCross(snSub(a->nodes.head->origin, com), hit.f));
    snMomentum_Push(s.target, 1, hit);
    correctMomentum(a, &s, job, &flesh);
    if (a->skeleton->bone_count > 0) {
        snNodes_Hold(&a->nodes, a->ws.motion);
    }
}

// What still approaches after a step is stopped, as if in the middle of it.
static void project(StepJob* job)
{
    double drift = job->h - firstDrift(job);
    snProjection how = {job->h, drift, strikeBones, job};
    bool watched = job->around->balanced && job->around->project && !job->still;
    for (int32_t i = 0; watched && i < job->world->actor_count; ++i) {
        snActor_HoldAccount(&job->data->actors[i], job->state, job->tasks);
    }
    if (watched) {
        snSurroundings_HoldAccounts(job->around, job->state);
    }
    if (job->still || !snSurroundings_Project(job->around, job->state, &how)) {
        return;
    }
    for (int32_t i = 0; i < job->world->actor_count; ++i) {
        snActorSpace* a = &job->data->actors[i];
        if (a->neighbour->soft && a->neighbour->soft->projected > 0) {
            snActor_Follow(a, job->h, drift);
            if (a->keep) {
                pushProjected(a, job, drift);
            }
        }
        snActor_SettleAccount(a, job->state, job->tasks);
    }
    snSurroundings_SettleAccounts(job->around, job->state);
}

static bool isFine(const StepJob* job, snVerdict* verdict)
{
    for (int32_t i = 0; i < job->world->actor_count; ++i) {
        if (job->data->actors[i].verdict.trouble) {
            *verdict = job->data->actors[i].verdict;
            return false;
        }
    }
    return true;
}

static void stopActor(void* user, int32_t index)
{
    const StepJob* job = user;
    snActorSpace* a = &job->data->actors[index];
    snActorState s = snActor_State(a, job->state);
    memset(a->nodes.v, 0, (size_t)a->flesh->tets.node_count * sizeof(snVec4f));
    memset(s.qd, 0, (size_t)a->skeleton->nv * sizeof(double));
    s.target->known = 0;
    s.effort->power = 0;
    a->nodes.head->step = 0;
}

static bool doStep(StepJob* job, bool strict, snVerdict* verdict)
{
    const int32_t count = job->world->actor_count;
    double first = firstDrift(job);
    snSurroundings_BeginStep(job->around, job->state);
    snStageClock_Enter(job->clock, sn_explicitContact);
    snSurroundings_Drift(job->around, job->state, job->t + first, first);
    snSurroundings_Pull(job->around, job->state, job->t + first, job->h);
    job->still = snSurroundings_AreStill(job->around);
    snStageClock_Enter(job->clock, sn_explicitBegin);
    if (!job->around->asleep || !job->still) {
        snActors_Run(job->data, job->tasks, count, beginActor, job);
    }
    snStageClock_Enter(job->clock, sn_explicitContact);
    callFields(job);
    if (!touch(job)) {
        *verdict = (snVerdict){-1, -1, sn_troubleCrowded};
        return false;
    }
    if (strict && snActors_AreStruck(job->data, verdict)) {
        return false;
    }
    snSurroundings_Kick(job->around, job->state, job->h);
    snStageClock_Enter(job->clock, sn_explicitFinish);
    if (!job->around->asleep && (job->still || job->around->contacts.lone_count < count)) {
        snActors_Run(job->data, job->tasks, count, finishOthers, job);
    }
    snStageClock_Enter(job->clock, sn_explicitContact);
    snSurroundings_Drift(job->around, job->state, job->t + job->h, job->h - first);
    project(job);
    snStageClock_Enter(job->clock, -1);
    if (!isFine(job, verdict)) {
        return false;
    }
    snSurroundings_Settle(job->around, job->state, job->h, stopActor, job);
    return true;
}

static int64_t advance(snMethodData* data, snTasks* tasks, void* state, const snSpan* span,
                       snVerdict* verdict)
{
    StepJob job = {.data = snExplicitData_Of(data),
                   .world = data->world,
                   .around = &data->around,
                   .tasks = tasks,
                   .clock = span->clock,
                   .state = state,
                   .h = 1 / span->rate,
                   .strict = span->strict,
                   .calls = snForces_HasCall(&data->world->forces)};
    for (int32_t i = 0; i < data->actor_count; ++i) {
        job.data->actors[i].account = snMethodData_Account(data, state, i);
    }
    for (int64_t k = 0; k < span->count; ++k) {
        job.t = snSpan_Time(span, k);
        job.look = snSpan_IsLook(span, k);
        if (!doStep(&job, span->strict, verdict)) {
            return k;
        }
        snEvents_Update(job.around, state, job.h, span->shift);
    }
    return span->count;
}

static const char* const STAGES[sn_explicitStageCount] = {"begin", "contact", "finish"};

const snMethod snExplicit = {
    .name = "explicit",
    .about = "Kim & Pollard 2011: hybrid dynamics of the skeleton, explicit flesh",
    .does = sn_doesOneWay | sn_doesTwoWay | sn_doesDynamic | sn_doesGround | sn_doesObstacles |
            sn_doesMovable | sn_doesOthers | sn_doesSelf | sn_doesFields | sn_doesDrags |
            sn_doesPush | sn_doesTeleport | sn_doesChange | sn_doesEvents | sn_doesSleep,
    .settings = SN_EXPLICIT_SETTINGS,
    .stage_count = sn_explicitStageCount,
    .stages = STAGES,
    .data_size = sizeof(snExplicitData),
    .build = snExplicit_Build,
    .sliceSize = snExplicit_SliceSize,
    .init = snExplicit_Init,
    .chooseStep = snExplicit_ChooseStep,
    .advance = advance,
    .writeFrame = snExplicit_WriteFrame,
    .rebind = snExplicit_Rebind,
    .hash = snExplicit_Hash,
    .teleport = snExplicit_Teleport,
    .push = snExplicit_Push,
};
