// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "control/drag.h"

#include "base/message.h"
#include "skel/joint.h"
#include <string.h>

#define MOST_KEYS 100000
#define MOST_DRAGS 256
#define MOST_TIME 86400 // s
#define MOST_LENGTH 1e9 // m

// A drag that begins within this time (s) after a step's start begins with the step.
#define SAME_TIME 1e-9

static const char* const COMMAND_NAMES[sn_directCommandCount] = {"acceleration", "torque"};

const char* snDirectCommand_Name(int32_t command)
{
    return command >= 0 && command < sn_directCommandCount ? COMMAND_NAMES[command] : NULL;
}

void snDragDef_Init(snDragDef* def)
{
    *def = (snDragDef){.size = sizeof(snDragDef),
                       .frequency = 4,
                       .weight = 1,
                       .turn_weight = 0.1,
                       .end = (double)INFINITY};
}

void snDirectDef_Init(snDirectDef* def)
{
    *def = (snDirectDef){.size = sizeof(snDirectDef),
                         .hold_frequency = 1,
                         .hold_weight = 1e-4,
                         .torque = (double)INFINITY,
                         .acceleration = (double)INFINITY};
}

// Checks ----------------------------------------------------------------------

static bool isPlace(snVec3 v)
{
    return fabs(v.x) <= MOST_LENGTH && fabs(v.y) <= MOST_LENGTH && fabs(v.z) <= MOST_LENGTH;
}

static snStatus checkPath(const snDragDef* def, snMessage* why)
{
    if (def->key_count < 1 || def->key_count > MOST_KEYS) {
        return snFail(why, sn_errorArgument, "a path has 1 to %d keys, found %d", MOST_KEYS,
                      (int)def->key_count);
    }
    if (!def->times || (!def->positions && !def->rotations)) {
        return snFail(why, sn_errorArgument,
                      "a drag needs times, and positions or rotations or both");
    }
    if (def->ends != sn_endsClamped && def->ends != sn_endsPeriodic) {
        return snFail(why, sn_errorArgument, "ends must be clamped or periodic");
    }
    for (int32_t k = 0; def->positions && k < def->key_count; ++k) {
        if (!isPlace(def->positions[k])) {
            return snFail(why, sn_errorArgument, "position %d must be finite and within 1e9 m",
                          (int)k);
        }
    }
    return sn_ok;
}

static snStatus checkDrag(const snSkeleton* skeleton, const snDragDef* def, snMessage* why)
{
    if (!def || def->size != sizeof(snDragDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snDragDef_Init");
    }
    if (def->bone < 0 || def->bone >= skeleton->bone_count) {
        return snFail(why, sn_errorArgument, "bone %d does not exist, there are %d", (int)def->bone,
                      (int)skeleton->bone_count);
    }
    if (!isPlace(def->point)) {
        return snFail(why, sn_errorArgument, "the point must be finite and within 1e9 m");
    }
    if (!(def->frequency >= 0.01 && def->frequency <= 1000)) {
        return snFail(why, sn_errorArgument, "frequency must lie in 0.01..1000 Hz, found %g",
                      def->frequency);
    }
    if (!(def->weight >= 1e-6 && def->weight <= 1e6) ||
        !(def->turn_weight >= 1e-6 && def->turn_weight <= 1e6)) {
        return snFail(why, sn_errorArgument, "weights must lie in 1e-6..1e6, found %g and %g",
                      def->weight, def->turn_weight);
    }
    if (!(def->begin >= 0 && def->begin <= MOST_TIME && def->end > def->begin)) {
        return snFail(why, sn_errorArgument,
                      "begin must lie in 0..%d s and end after it, found %g and %g", MOST_TIME,
                      def->begin, def->end);
    }
    return checkPath(def, why);
}

// Coordinates that direct control may have to move.
static snStatus checkSkeleton(const snSkeleton* skeleton, snMessage* why)
{
    int32_t count = 0;
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        count += skeleton->bones[i].type == sn_jointFree ? 0 : skeleton->bones[i].nv;
    }
    if (count == 0 || count > SN_DIRECT_MOST) {
        return snFail(why, sn_errorUnsupported,
                      "bones are dragged by their joints' coordinates, of which there may be 1 to "
                      "%d, found %d",
                      SN_DIRECT_MOST, (int)count);
    }
    return sn_ok;
}

// Whether with one more from begin to end too many would act at once: they do at some beginning.
static bool isCrowded(const snDrags* drags, double begin, double end)
{
    for (int32_t i = -1; i < drags->count; ++i) {
        double t = i < 0 ? begin : drags->drags[i]->begin;
        int32_t acting = 1;
        for (int32_t k = 0; t >= begin && t < end && k < drags->count; ++k) {
            acting += drags->drags[k]->begin <= t && t < drags->drags[k]->end;
        }
        if (acting > SN_DIRECT_PULLS) {
            return true;
        }
    }
    return false;
}

// Building --------------------------------------------------------------------

snStatus snDrags_Create(const snHost* host, const snSkeleton* skeleton, snDrags** drags,
                        snMessage* why)
{
    size_t nq = (size_t)skeleton->nq, nv = (size_t)skeleton->nv;
    snStatus status = checkSkeleton(skeleton, why);
    *drags = NULL;
    if (status) {
        return status;
    }
    snDrags* d = snHost_Allocate(host, sizeof *d);
    if (d) {
        d->host = *host;
        d->pose = snHost_Allocate(host, nq * sizeof(double));
        d->most_torque = snHost_Allocate(host, nv * sizeof(double));
        d->most_acceleration = snHost_Allocate(host, nv * sizeof(double));
    }
    if (!d || !d->pose || !d->most_torque || !d->most_acceleration) {
        snDrags_Free(d, skeleton);
        return snFail(why, sn_errorMemory, "no memory for drags");
    }
    snDirectDef def;
    snDirectDef_Init(&def);
    *drags = d;
    return snDrags_Set(d, skeleton, &def, why);
}

static void freeDrag(const snHost* host, snDrag* drag)
{
    snArena_Free(&drag->arena);
    snHost_Release(host, drag, sizeof *drag);
}

void snDrags_Clear(snDrags* drags)
{
    for (int32_t i = 0; i < drags->count; ++i) {
        freeDrag(&drags->host, drags->drags[i]);
    }
    drags->count = 0;
}

void snDrags_Free(snDrags* drags, const snSkeleton* skeleton)
{
    if (drags) {
        snHost host = drags->host;
        snDrags_Clear(drags);
        snHost_Release(&host, drags->drags, (size_t)drags->capacity * sizeof(snDrag*));
        snHost_Release(&host, drags->pose, (size_t)skeleton->nq * sizeof(double));
        snHost_Release(&host, drags->most_torque, (size_t)skeleton->nv * sizeof(double));
        snHost_Release(&host, drags->most_acceleration, (size_t)skeleton->nv * sizeof(double));
        snHost_Release(&host, drags, sizeof *drags);
    }
}

static snStatus buildPath(snDrag* d, const snDragDef* def, snMessage* why)
{
    snSplineEnds ends = {def->ends == sn_endsPeriodic ? sn_splinePeriodic : sn_splineClamped, NULL,
                         NULL};
    snStatus status = sn_ok;
    if (def->positions) {
        size_t count = (size_t)def->key_count;
        double* numbers = snArena_Push(&d->arena, count, 3 * sizeof(double));
        for (size_t k = 0; numbers && k < count; ++k) {
            snVec3 p = def->positions[k];
            numbers[3 * k] = p.x, numbers[3 * k + 1] = p.y, numbers[3 * k + 2] = p.z;
        }
        status = numbers
                     ? snSpline_Build(&d->arena, 3, def->key_count, def->times, numbers, ends,
                                      &d->travel, why)
                     : snFail(why, sn_errorMemory, "no memory for %d keys", (int)def->key_count);
    }
    if (def->rotations && !status) {
        status = snRotSpline_Build(&d->arena, def->key_count, def->times, def->rotations, ends,
                                   &d->turn, why);
    }
    return status;
}

static snStatus grow(snDrags* drags, snMessage* why)
{
    if (drags->count < drags->capacity) {
        return sn_ok;
    }
    int32_t capacity = drags->capacity ? 2 * drags->capacity : 4;
    snDrag** list = snHost_Allocate(&drags->host, (size_t)capacity * sizeof(snDrag*));
    if (!list) {
        return snFail(why, sn_errorMemory, "no memory for %d drags", (int)capacity);
    }
    if (drags->drags) {
        memcpy(list, drags->drags, (size_t)drags->count * sizeof(snDrag*));
        snHost_Release(&drags->host, drags->drags, (size_t)drags->capacity * sizeof(snDrag*));
    }
    drags->drags = list;
    drags->capacity = capacity;
    return sn_ok;
}

snStatus snDrags_Add(snDrags* drags, const snSkeleton* skeleton, const snDragDef* def,
                     snMessage* why)
{
    snStatus status = checkDrag(skeleton, def, why);
    if (status) {
        return status;
    }
    if (drags->count >= MOST_DRAGS || isCrowded(drags, def->begin, def->end)) {
        return snFail(why, sn_errorArgument,
                      "a character has at most %d drags, of which %d act at the same time",
                      MOST_DRAGS, SN_DIRECT_PULLS);
    }
    status = grow(drags, why);
    snDrag* d = status ? NULL : snHost_Allocate(&drags->host, sizeof *d);
    if (!d) {
        return status ? status : snFail(why, sn_errorMemory, "no memory for a drag");
    }
    *d = (snDrag){.bone = def->bone,
                  .point = def->point,
                  .moves = def->positions != NULL,
                  .turns = def->rotations != NULL,
                  .from_start = def->from_start != 0,
                  .frequency = def->frequency,
                  .weight = def->weight,
                  .turn_weight = def->turn_weight,
                  .begin = def->begin,
                  .end = def->end};
    snArena_Init(&d->arena, &drags->host);
    status = buildPath(d, def, why);
    if (status) {
        snMessage_Prefix(why, "drag of bone '%s'", skeleton->defs[def->bone].name);
        freeDrag(&drags->host, d);
        return status;
    }
    drags->drags[drags->count++] = d;
    return sn_ok;
}

// Settings --------------------------------------------------------------------

static snStatus checkHeld(const snSkeleton* skeleton, const double* q, snMessage* why)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        int32_t nq = snJoint_Shape(b->type)->nq;
        bool fine = true;
        for (int32_t k = b->qi; k < b->qi + nq; ++k) {
            fine = fine && fabs(q[k]) <= MOST_LENGTH;
        }
        if (b->ball >= 0) {
            snQuat r = snLoadQ(q + b->qi + nq - 4);
            fine = fine && snQDot(r, r) > 1e-6;
        }
        if (!fine) {
            return snFail(why, sn_errorArgument,
                          "the pose of bone '%s' must be finite, its rotation a unit quaternion",
                          skeleton->defs[i].name);
        }
    }
    return sn_ok;
}

static snStatus checkDirect(const snSkeleton* skeleton, const snDirectDef* def, snMessage* why)
{
    if (!def || def->size != sizeof(snDirectDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snDirectDef_Init");
    }
    if (!snDirectCommand_Name(def->command)) {
        return snFail(why, sn_errorArgument, "command %d is none of the %d there are",
                      (int)def->command, sn_directCommandCount);
    }
    if (!(def->hold_frequency >= 0 && def->hold_frequency <= 100) ||
        !(def->hold_weight >= 1e-9 && def->hold_weight <= 1e3)) {
        return snFail(why, sn_errorArgument,
                      "hold_frequency must lie in 0..100 Hz and hold_weight in 1e-9..1e3, found %g "
                      "and %g",
                      def->hold_frequency, def->hold_weight);
    }
    if (!(def->torque > 0) || !(def->acceleration > 0)) {
        return snFail(why, sn_errorArgument,
                      "the largest torque and acceleration must be above 0, found %g and %g",
                      def->torque, def->acceleration);
    }
    for (int32_t k = 0; def->torques && k < skeleton->nv; ++k) {
        if (!(def->torques[k] > 0)) {
            return snFail(why, sn_errorArgument, "torque bound %d must be above 0, found %g",
                          (int)k, def->torques[k]);
        }
    }
    return def->pose ? checkHeld(skeleton, def->pose, why) : sn_ok;
}

snStatus snDrags_Set(snDrags* d, const snSkeleton* skeleton, const snDirectDef* def, snMessage* why)
{
    snStatus status = checkDirect(skeleton, def, why);
    if (status) {
        return status;
    }
    d->hold_frequency = def->hold_frequency;
    d->hold_weight = def->hold_weight;
    d->torques = def->command == sn_directTorque;
    d->has_pose = def->pose != NULL;
    for (int32_t k = 0; k < skeleton->nv; ++k) {
        d->most_torque[k] = def->torques ? def->torques[k] : def->torque;
        d->most_acceleration[k] = def->acceleration;
    }
    for (int32_t i = 0; def->pose && i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        int32_t nq = snJoint_Shape(b->type)->nq;
        double* pose = d->pose + b->qi;
        memcpy(pose, def->pose + b->qi, (size_t)nq * sizeof(double));
        if (b->ball >= 0) {
            snStoreQ(pose + nq - 4, snQNormalize(snLoadQ(pose + nq - 4)));
        }
    }
    return sn_ok;
}

// Stepping --------------------------------------------------------------------

static snDirectPull pullAt(const snDrag* d, double t, const snBase* start)
{
    snDirectPull pull = {.bone = d->bone,
                         .point = d->point,
                         .target.q = {0, 0, 0, 1},
                         .frequency = d->frequency,
                         .position_weight = d->moves ? d->weight : 0,
                         .rotation_weight = d->turns ? d->turn_weight : 0};
    double x[3] = {0}, v[3] = {0}, a[3] = {0};
    if (d->moves) {
        snSpline_Eval(&d->travel, t, x, v, a);
    }
    if (d->turns) {
        snRotSpline_Eval(&d->turn, t, &pull.target.q, &pull.rate.w, &pull.second.w);
    }
    pull.target.p = snLoad3(x), pull.rate.v = snLoad3(v), pull.second.v = snLoad3(a);
    if (d->from_start && start) {
        pull.target.p = snAdd(start->p, snMatVec(start->R, pull.target.p));
        pull.target.q = snQMul(snQFromMat(start->R), pull.target.q);
        pull.rate = snTwistFrom(snMatVec(start->R, pull.rate.w), snMatVec(start->R, pull.rate.v));
        pull.second =
            snTwistFrom(snMatVec(start->R, pull.second.w), snMatVec(start->R, pull.second.v));
    }
    return pull;
}

int32_t snDrags_Pulls(const snDrags* drags, const snDragStep* when, double h, snDirectPull* pulls)
{
    int32_t count = 0;
    for (int32_t i = 0; i < drags->count && count < SN_DIRECT_PULLS; ++i) {
        const snDrag* d = drags->drags[i];
        if (d->begin <= when->t + SAME_TIME && d->end > when->t + SAME_TIME) {
            pulls[count++] = pullAt(d, when->t + h, when->start);
        }
    }
    return count;
}

bool snDrags_Command(const snDrags* drags, const snDragStep* when, snDirect* direct,
                     snWorkspace* ws, const snStep* step, const snJointCommand* command,
                     const snCommandArrays* arrays)
{
    snDirectPull pulls[SN_DIRECT_PULLS];
    int32_t count = drags ? snDrags_Pulls(drags, when, step->h, pulls) : 0;
    if (count == 0) {
        return false;
    }
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        const snBone* b = &ws->skeleton->bones[i];
        direct->active[i] =
            b->nv > 0 && b->type != sn_jointFree && !snDrive_At(when->drives[i], when->t);
    }
    snDirectTask task = {.pulls = pulls,
                         .pull_count = count,
                         .active = direct->active,
                         .hold_q = drags->has_pose ? drags->pose : when->q,
                         .hold_frequency = drags->hold_frequency,
                         .hold_weight = drags->hold_weight,
                         .most_torque = drags->most_torque,
                         .most_acceleration = drags->most_acceleration,
                         .torques = drags->torques};
    // where it cannot be done the joints stay free
    return snDirect_Solve(direct, ws, step, &task, command, arrays);
}
