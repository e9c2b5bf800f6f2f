// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Obstacles and contacts, step by step.
#include "world/surroundings.h"

#include "math/quat.h"
#include "math/twist.h"

snBulk* snSurroundings_Bulk(const snSurroundings* s, void* state, int32_t number)
{
    return (snBulk*)(void*)((uint8_t*)state + s->obstacles[number].offset);
}

static snRigidState* rigidState(const snSurroundings* s, void* state, int32_t i)
{
    return &snSurroundings_Bulk(s, state, i)->motion;
}

static snErrand* errandOf(const snSurroundings* s, void* state, int32_t i)
{
    return (snErrand*)(void*)((uint8_t*)state + s->obstacles[i].offset);
}

void snSurroundings_Init(snSurroundings* s, void* state)
{
    for (int32_t i = 0; i < s->contacts.hard_count; ++i) {
        const snObstacleDef* def = &s->world->obstacles[i].def;
        if (s->contacts.hards[i].rigid) {
            *rigidState(s, state, i) =
                snRigid_Start(&s->obstacles[i].rigid, def->pose, def->velocity, def->spin);
        } else if (def->hosted) {
            *errandOf(s, state, i) = (snErrand){def->pose, def->pose, 0, 0};
        }
    }
}

static void errandAt(const snErrand* e, double t, snTransform* pose, snTwist* twist)
{
    double span = e->end - e->begin;
    *twist = snTwistFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    if (!(t < e->end)) {
        *pose = e->to;
        return;
    }
    snVec3 way = snSub(e->to.p, e->from.p), turn = snQLog(snQMul(e->to.q, snQConj(e->from.q)));
    double part = t > e->begin ? (t - e->begin) / span : 0;
    pose->p = snMulAdd(e->from.p, part, way);
    pose->q = snQNormalize(snQMul(snQExp(snScale(part, turn)), e->from.q));
    *twist = snTwistFrom(snScale(1 / span, turn), snScale(1 / span, way));
}

// Of one that does not give way, at time t
static void placeFixed(const snSurroundings* s, void* state, int32_t i, double t, snTransform* pose,
                       snTwist* twist)
{
    if (s->world->obstacles[i].def.hosted) {
        errandAt(errandOf(s, state, i), t, pose, twist);
    } else {
        snPath_At(&s->world->obstacles[i], t, pose, twist);
    }
}

// One that gives way, as contact sees it
static void placeRigid(snHard* hard, const snRigidState* r)
{
    hard->pose = snRigid_Pose(hard->rigid, r);
    hard->twist =
        snTwistFrom(snRigid_Spin(hard->rigid, r), snRigid_Velocity(hard->rigid, r, hard->pose.p));
    hard->com = r->p;
}

void snSurroundings_Drift(snSurroundings* s, void* state, double t, double h)
{
    for (int32_t i = 0; i < s->contacts.hard_count; ++i) {
        snHard* hard = &s->contacts.hards[i];
        if (hard->rigid) {
            snRigidState* r = rigidState(s, state, i);
            if (!hard->asleep) {
                snRigid_Drift(hard->rigid, r, h);
            }
            placeRigid(hard, r);
        } else {
            placeFixed(s, state, i, t, &hard->pose, &hard->twist);
            hard->com = hard->pose.p;
        }
        snContactMemory_At(&hard->memory, hard->solid->hard_count,
                           (uint8_t*)state + s->obstacles[i].memory_offset);
    }
}

static bool isStill(const snSurroundings* s)
{
    bool still = s->asleep;
    for (int32_t i = 0; still && i < s->contacts.hard_count; ++i) {
        still = snContacts_IsStill(&s->contacts, SN_BODY_FIRST + i);
    }
    return still;
}

bool snSurroundings_AreStill(snSurroundings* s)
{
    if (!s->touches || isStill(s)) {
        snContacts_Clear(&s->contacts);
        return true;
    }
    for (int32_t i = 0; i < s->contacts.hard_count; ++i) {
        s->contacts.hards[i].R = snMatFromQ(s->contacts.hards[i].pose.q);
    }
    return false;
}

void snSurroundings_PlaceFlesh(snSurroundings* s, snTasks* tasks, void* state, int32_t actor,
                               const snFleshMotion* motion, double h, int worker)
{
    const snNeighbour* n = &s->neighbours[actor];
    if (n->soft) {
        n->soft->origin = motion->origin;
        n->soft->x = motion->x;
        n->soft->v = motion->v;
        n->soft->crushed = motion->crushed;
        n->soft->predict = motion->predict;
        n->soft->predictor = motion->predictor;
        snContactMemory_At(&n->soft->memory, n->flesh->point_count,
                           (uint8_t*)state + n->memory_offset);
        snContacts_Roam(&s->contacts, tasks, (int32_t)(n->soft - s->contacts.softs), h, worker);
    }
}

void snSurroundings_Pull(snSurroundings* s, void* state, double t, double h)
{
    for (int32_t i = 0; i < s->contacts.hard_count; ++i) {
        snHard* hard = &s->contacts.hards[i];
        if (hard->rigid) {
            snVec3 f = snScale(hard->rigid->mass, s->world->gravity);
            if (s->world->forces.count > 0) {
                const snRigidState* r = rigidState(s, state, i);
                snVec3 v = snRigid_Velocity(hard->rigid, r, r->p);
                f = snMulAdd(f, hard->rigid->mass, snForces_At(&s->world->forces, t, h, r->p, v));
            }
            hard->pull = snWrenchFrom(snV3(0, 0, 0), f);
        }
    }
}

void snSurroundings_Kick(snSurroundings* s, void* state, double h)
{
    for (int32_t i = 0; i < s->contacts.hard_count; ++i) {
        const snHard* hard = &s->contacts.hards[i];
        if (hard->rigid && !hard->asleep) {
            const snRigidState was = *rigidState(s, state, i);
            snRigid_Kick(rigidState(s, state, i), h, snWrenchAdd(hard->load, hard->pull));
            snSurroundings_NoteKick(s, state, i, &was, h);
        }
    }
}

// Obstacles that give way and are awake get the impulses of projection, and move on.
static void moveRigids(snSurroundings* s, void* state, double h)
{
    for (int32_t i = 0; i < s->contacts.hard_count; ++i) {
        snHard* hard = &s->contacts.hards[i];
        if (hard->rigid && !hard->asleep) {
            snRigidState* r = rigidState(s, state, i);
            snRigid_Kick(r, 1, hard->hit);
            snRigid_Drift(hard->rigid, r, h);
            placeRigid(hard, r);
        }
        hard->hit = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
        hard->R = snMatFromQ(hard->pose.q);
    }
}

bool snSurroundings_Project(snSurroundings* s, void* state, const snProjection* how)
{
    if (!s->contacts.project) {
        return false;
    }
    moveRigids(s, state, -how->drift);
    snContacts_Project(&s->contacts, how);
    moveRigids(s, state, how->drift);
    return true;
}

// Hosts -----------------------------------------------------------------------

void snSurroundings_Push(snSurroundings* s, void* state, int32_t number, snVec3 place,
                         snVec3 impulse)
{
    snRigidState* r = rigidState(s, state, number);
    snRigid_Kick(r, 1, snWrenchFrom(snCross(snSub(place, r->p), impulse), impulse));
}

void snSurroundings_Move(snSurroundings* s, void* state, int32_t number, snTransform pose, double t,
                         double end)
{
    snErrand* errand = errandOf(s, state, number);
    snTransform now;
    snTwist twist;
    errandAt(errand, t, &now, &twist);
    *errand = (snErrand){now, pose, t, end};
}

// Frames ----------------------------------------------------------------------

snFrameObstacle snSurroundings_ObstacleAt(const snSurroundings* s, void* state, int32_t number,
                                          double t)
{
    snFrameObstacle o = {.name = s->world->obstacles[number].def.name};
    const snRigid* rigid = s->contacts.hards[number].rigid;
    if (rigid) {
        const snRigidState* r = rigidState(s, state, number);
        o.pose = snRigid_Pose(rigid, r);
        o.twist = snTwistFrom(snRigid_Spin(rigid, r), snRigid_Velocity(rigid, r, o.pose.p));
        o.momentum = snRigid_Momentum(rigid, r);
        o.energy.kinetic = snRigid_Energy(rigid, r);
        o.energy.gravity = -rigid->mass * snDot(s->world->gravity, r->p);
        o.is_asleep = snSurroundings_Bulk(s, state, number)->rest.asleep != 0;
    } else {
        placeFixed(s, state, number, t, &o.pose, &o.twist);
    }
    return o;
}
