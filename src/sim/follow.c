// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/follow_state.h"

#include "base/cpu.h"
#include "base/hash.h"
#include "rig/motion.h"
#include "sim/follow_surface.h"
#include <string.h>

// Part of the largest stable step: 4 * 0.72^2 = 2.1 of a stability budget of 4, of which the
// limit's springs may take MOST_SPRING. The rest is for stretched flesh.
#define STEP 0.72
#define MOST_SPRING 1.3

// The limit's spring where it is stiffest, in stiffnesses of the slowest jiggle
#define SPRING 128.0

// The limit is not painted to less than this part.
#define LEAST_LIMIT 0.01f

// Part of the damping of what sways that is viscosity: the higher, the fewer fast jiggles
#define VISCOUS 0.75

// Shear modulus of flesh over Young's
#define SHEAR 0.36

// After so long without motion flesh on fed poses sleeps, s
#define DROWSY 0.25

#define TWO_PI 6.283185307179586

// Making ---------------------------------------------------------------------------

void snFollowSetup_Init(snFollowSetup* def)
{
    *def = (snFollowSetup){.rate = 60, .hold = (double)INFINITY, .loop = -1};
}

static size_t roundUp(size_t bytes)
{
    return (bytes + SN_ALIGNMENT - 1) / SN_ALIGNMENT * SN_ALIGNMENT;
}

// The state block: head, u, w, with a shape r and q, and the stream of fed poses
static void pushArrays(snFollow* s, bool fed)
{
    const snRigBody* body = s->body;
    snArena* arena = &s->arena;
    size_t n = (size_t)body->tets.node_count, bytes = roundUp(n * sizeof(snVec4f));
    s->range_count = (body->tets.node_count + SN_FOLLOW_RANGE - 1) / SN_FOLLOW_RANGE;
    bool posed = body->def.shape > 0;
    s->state_size = roundUp(sizeof(snFollowHead)) + (posed ? 4 : 2) * bytes;
    s->state_size += fed ? snFollowStream_Size(body->rig) : 0;
    s->state = snArena_Push(arena, s->state_size, 1);
    s->good = snArena_Push(arena, s->state_size, 1);
    snVec4f** arrays[] = {&s->X, &s->f0, &s->v, &s->y, &s->f, &s->x, &s->fx, &s->blow};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        *arrays[k] = snArena_Push(arena, n, sizeof(snVec4f));
    }
    s->inverse_mass = snArena_Push(arena, n, sizeof(float));
    s->most = snArena_Push(arena, n, sizeof(float));
    s->reach = snArena_Push(arena, n, sizeof(float));
    s->damping = snArena_Push(arena, n, sizeof(float));
    s->pull = snArena_Push(arena, n, sizeof(float));
    s->turns = snArena_Push(arena, n, sizeof *s->turns);
    s->tallies = snArena_Push(arena, (size_t)s->range_count, sizeof(snFollowTally));
    s->work = snArena_Push(arena, snCells_WorkSize(body->cells), 1);
    s->goal = snArena_Push(arena, (size_t)body->rig->info.node_count, sizeof *s->goal);
    s->goal_weights = snArena_Push(arena, (size_t)body->rig->info.weight_count, sizeof(double));
    if (!arena->failed) {
        s->head = s->state;
        s->u = (snVec4f*)((uint8_t*)s->state + roundUp(sizeof(snFollowHead)));
        s->w = (snVec4f*)((uint8_t*)s->u + bytes);
        s->r = posed ? (snVec4f*)((uint8_t*)s->w + bytes) : NULL;
        s->q = posed ? (snVec4f*)((uint8_t*)s->r + bytes) : NULL;
    }
}

static void fillNodes(snFollow* s)
{
    const snRigBody* body = s->body;
    snVec3 middle = snV3(0, 0, 0);
    double omega = TWO_PI * body->def.softness;
    int32_t n = body->tets.node_count;
    for (int32_t i = 0; i < n; ++i) {
        middle = snMulAdd(middle, 1.0 / n, body->tets.position[i]);
    }
    for (int32_t i = 0; i < n; ++i) {
        snVec3 p = snSub(body->tets.position[i], middle);
        s->X[i] = (snVec4f){(float)p.x, (float)p.y, (float)p.z, 0};
        s->inverse_mass[i] = body->held[i] ? 0 : (float)(1 / body->mass[i]);
        double thick = fmin(body->thickness[i], SN_BODY_THICKEST * body->size);
        s->reach[i] = (float)fmax(thick, body->cell);
        s->most[i] = (float)(body->def.limit * fmax(thick, body->cell));
        s->pull[i] = (float)(omega * omega) * body->tether[i];
        s->most[i] *= body->limit ? fmaxf(body->limit[i], LEAST_LIMIT) : 1;
    }
    snCells_Forces(body->cells, s->tasks, s->isa, s->X, NULL, s->work, s->f0);
}

// Damping of how each region sways, in part by viscosity. What trails moves with its neighbours,
// which viscosity does not slow down.
static snStatus makeDamping(snFollow* s, snMessage* why)
{
    const snRigBody* body = s->body;
    double* rate = snArena_Push(&s->arena, (size_t)body->regions.count, sizeof *rate);
    double* usual = snArena_Push(&s->arena, (size_t)body->regions.count, sizeof *usual);
    if (!rate || !usual) {
        return snFail(why, sn_errorMemory, "no memory for the flesh");
    }
    for (int32_t r = 0; r < body->regions.count; ++r) {
        double slowest = TWO_PI * body->hz[r];
        double omega = fmax(sqrt(body->young[r] * body->regions.sway[r]), slowest);
        rate[r] = VISCOUS * 2 * body->def.damping * omega;
        usual[r] = omega * omega / (SHEAR * body->young[r]); // a wave of shear's
    }
    snViscousDef def = {.mesh = &body->tets,
                        .fill = body->stiff,
                        .mass = body->mass,
                        .regions = &body->regions,
                        .rate = rate,
                        .usual = usual,
                        .factor = body->damping,
                        .step = s->h};
    snStatus status = snViscous_Build(&s->arena, &def, &s->viscous, why);
    for (int32_t i = 0; !status && i < body->tets.node_count; ++i) {
        int32_t r = body->regions.of_node[i];
        double left = r >= 0 ? fmax(rate[r] / VISCOUS - s->viscous.made[r], 0) : 0;
        double trails = 2 * body->def.damping * TWO_PI * body->def.softness,
               part = (double)body->tether[i];
        s->damping[i] = r >= 0 ? (float)(left + part * (trails - left)) : 0;
        s->damping[i] *= body->damping ? body->damping[i] : 1;
    }
    return status;
}

// As few steps a frame as are stable, in intervals that are short enough
static void chooseStep(snFollow* s, double rate)
{
    double omega = TWO_PI * s->body->def.softness, fewest = fmax(1, ceil(SN_FOLLOW_RATE / rate));
    double steps = fmax(fewest, ceil(1 / (rate * STEP * s->body->step.rest)));
    s->steps = (int32_t)floor(steps / fewest);
    s->ticks = (int32_t)ceil(steps / s->steps);
    s->drive.interval = 1 / (rate * s->ticks);
    s->h = s->drive.interval / s->steps;
    s->spring = fmin(SPRING * omega * omega, MOST_SPRING / (s->h * s->h));
}

static snStatus makeTrack(snFollow* s, const snFollowSetup* def, snMessage* why)
{
    const snRig* rig = s->body->rig;
    snRigTrackDef track;
    snRigTrackDef_Init(&track);
    track.loop = def->loop;
    if (def->motion == sn_motionNone) {
        return snRigTrack_Build(&s->arena, rig, def->clip, &track, &s->track, why);
    }
    snStatus status = snMotion_BuildClip(&s->arena, rig, def->motion, &s->motion, why);
    return status ? status : snRigTrack_Of(&s->arena, rig, &s->motion, &track, &s->track, why);
}

void snFollow_UpdateContact(snFollow* s, bool jumped)
{
    if (s->ground.is_on || s->head->solids.count > 0) {
        snFollowSkin_Update(&s->skin, &s->drive);
    }
    if (s->ground.is_on) {
        s->ground.lift = s->head->lift;
        snFollowGround_Update(&s->ground, jumped);
    }
    if (s->head->solids.count > 0) {
        snFollowContact_Update(&s->contact, &s->skin, jumped);
    }
}

snStatus snFollow_BuildContact(snFollow* s, snMessage* why)
{
    snStatus status = s->contact.begin || s->ground.is_on
                          ? sn_ok
                          : snFollowSkin_Build(&s->skin, &s->arena, s->body, why);
    return status || s->contact.begin
               ? status
               : snFollowContact_Build(&s->contact, &s->arena, &s->skin, why);
}

void snFollow_Jump(snFollow* s)
{
    s->drive.tick = INT64_MIN;
    snFollowDrive_Update(&s->drive, s->head->tick, s->tasks);
    snFollow_UpdateContact(s, true);
}

// What a state must agree with
static uint64_t identify(const snFollow* s, double rate)
{
    size_t n = (size_t)s->body->tets.node_count;
    uint64_t hash = snHash(s->X, n * sizeof *s->X, s->state_size);
    hash = snHash(s->inverse_mass, n * sizeof *s->inverse_mass, hash);
    hash = snHash(s->most, n * sizeof *s->most, hash);
    hash = snHash(s->damping, n * sizeof *s->damping, hash);
    return snHash(&rate, sizeof rate, hash);
}

static snStatus create(snFollow* s, const snFollowSetup* def, snMessage* why)
{
    bool fed = !def->track && def->motion == sn_motionNone && def->clip == -1;
    pushArrays(s, fed);
    snStatus status = s->arena.failed ? snFail(why, sn_errorMemory, "no memory for the flesh")
                                      : snTasks_Create(&s->host, &s->tasks, why);
    if (status) {
        return status;
    }
    const snRigTrack* track = fed ? NULL : def->track ? def->track : &s->track;
    status = def->track || fed ? sn_ok : makeTrack(s, def, why);
    if (status) {
        return status;
    }
    chooseStep(s, def->rate);
    if (fed) {
        size_t before = s->state_size - snFollowStream_Size(s->body->rig);
        void* state = (uint8_t*)s->state + before;
        snFollowStream_Build(&s->stream, s->body, s->ticks, def->rate, state);
        s->drive.stream = &s->stream;
        s->drowsy = (int64_t)ceil(DROWSY * def->rate);
    }
    fillNodes(s);
    status = makeDamping(s, why);
    if (status) {
        return status;
    }
    double omega = TWO_PI * s->body->def.softness;
    status = snFollowDrive_Build(&s->drive, &s->arena, s->body, track, def->hold,
                                 fmax(s->body->def.damping, 0.05) * omega, why);
    if (!status && def->ground) {
        status = snFollowSkin_Build(&s->skin, &s->arena, s->body, why);
    }
    if (!status && def->ground) {
        status = snFollowGround_Build(&s->ground, &s->arena, &s->skin, def->ground_height, why);
    }
    if (!status) {
        s->head->model = identify(s, def->rate);
        s->head->tick = -s->drive.lead;
        snFollow_Jump(s);
    }
    return status;
}

snStatus snFollow_CreateFromSetup(const snHost* host, const snFollowSetup* def, snFollow** out,
                                  snMessage* why)
{
    snHost taken;
    *out = NULL;
    if (!(def->rate >= 1 && def->rate <= 1000) ||
        (def->track && def->track->rig != def->body->rig)) {
        (void)snFail(why, sn_errorArgument,
                     "frames a second must lie in 1..1000, found %g, and the clip must be of the "
                     "same rig",
                     def->rate);
        return sn_errorArgument; // so that the analyser sees it
    }
    snStatus status = snHost_Take(host, &taken, why);
    snFollow* s = status ? NULL : snHost_Allocate(&taken, sizeof *s);
    if (!s) {
        return status ? status : snFail(why, sn_errorMemory, "out of memory");
    }
    s->host = taken;
    s->body = def->body;
    s->spare = INT64_MAX;
    s->isa = snCpu_Choose(taken.isa);
    snArena_Init(&s->arena, &taken);
    status = create(s, def, why);
    if (status) {
        snFollow_Free(s);
        return status;
    }
    *out = s;
    return sn_ok;
}

void snFollowDef_Init(snFollowDef* def)
{
    *def = (snFollowDef){.size = sizeof *def, .rate = 60, .hold = (double)INFINITY, .loop = -1};
}

snStatus snFollowSetup_From(const snBody* body, const snFollowDef* def, snFollowSetup* out,
                            snMessage* why)
{
    if (!body || !def || def->size != sizeof *def) {
        (void)snFail(why, sn_errorArgument,
                     "a body and a def that snFollowDef_Init filled are needed");
        return sn_errorArgument; // so that the analyser sees it
    }
    *out = (snFollowSetup){.body = &body->made,
                           .clip = def->clip,
                           .motion = def->motion,
                           .rate = def->rate,
                           .hold = def->hold,
                           .loop = def->loop,
                           .ground = def->ground != 0,
                           .ground_height = def->ground_height * body->made.unit};
    return sn_ok;
}

snStatus snFollow_Create(snBody* body, const snFollowDef* def, snFollow** out, snMessage* why)
{
    snFollowSetup setup;
    if (!out) {
        return snFail(why, sn_errorArgument, "a place for the result is needed");
    }
    *out = NULL;
    snStatus status = snFollowSetup_From(body, def, &setup, why);
    status = status ? status : snFollow_CreateFromSetup(&body->host, &setup, out, why);
    if (!status) {
        (*out)->owner = snBody_Retain(body);
        snFollow_Begin(*out);
    }
    return status;
}

snStatus snFollow_Advance(snFollow* follow, snMessage* why)
{
    if (!follow) {
        (void)snFail(why, sn_errorArgument, "there is nothing to advance");
        return sn_errorArgument; // so that the analyser sees it
    }
    double time = snFollowDrive_Time(&follow->drive, follow->head->tick);
    const snRigTrack* track = follow->drive.track;
    return snFollow_AdvanceFrame(follow)
               ? sn_ok
               : snFail(why, sn_errorNumeric,
                        "numbers of the flesh were not finite after %.4g s of '%s', even with the "
                        "shortest steps there may be; it went back to its skinned place there",
                        time, track ? track->clip->info.name : "fed poses");
}

const snRigTrack* snFollow_Track(const snFollow* follow)
{
    return follow->drive.track;
}

void snFollow_Free(snFollow* follow)
{
    if (follow) {
        snHost host = follow->host;
        snFollowSurface_Free(follow->surface);
        snTasks_Free(follow->tasks);
        snBody_Release(follow->owner);
        snArena_Free(&follow->arena);
        snHost_Release(&host, follow, sizeof *follow);
    }
}

// Advancing ------------------------------------------------------------------------

void snFollow_Begin(snFollow* follow)
{
    snFollow_Settle(follow);
    while (follow->head->tick < 0) {
        snFollow_AdvanceInterval(follow);
    }
    follow->is_shown = false;
}

bool snFollow_AdvanceFrame(snFollow* follow)
{
    snFollowHead* head = follow->head;
    bool stopped = false, helped = false, bad = false, fed = !follow->drive.track;
    if (fed && !snFollow_BeginFed(follow)) {
        return true;
    }
    for (int32_t i = 0; i < follow->ticks; ++i) {
        snFollowTally t = snFollow_AdvanceInterval(follow);
        head->farthest = t.bad ? head->farthest : fmax(head->farthest, sqrt(t.farthest));
        head->pressed = t.bad ? head->pressed : fmax(head->pressed, sqrt(t.pressed));
        stopped |= t.stopped;
        helped |= t.fast;
        bad |= t.bad;
    }
    if (fed) {
        snFollow_EndFed(follow);
    }
    snFollowSolids_End(&head->solids);
    follow->is_shown = false;
    ++head->frames;
    head->limited += stopped;
    head->interventions += helped;
    return !bad;
}

// Reading --------------------------------------------------------------------------

snFollowFacts snFollow_Facts(const snFollow* follow)
{
    const snFollowHead* head = follow->head;
    const snRigTrack none = {0}, *track = follow->drive.track ? follow->drive.track : &none;
    return (snFollowFacts){.frames = head->frames,
                           .limited = head->limited,
                           .farthest = head->farthest,
                           .nearest_limit = head->pressed,
                           .interventions = head->interventions,
                           .is_loop = track->is_loop,
                           .is_asleep = follow->drowsy > 0 && head->still >= follow->drowsy,
                           .first = track->first,
                           .last = track->last,
                           .period = track->period,
                           .time = snFollowDrive_Time(&follow->drive, head->tick),
                           .dropped = head->dropped,
                           .step = follow->h,
                           .steps = follow->ticks * follow->steps};
}

double snFollow_Distance(const snFollow* follow, int32_t region)
{
    const snBody* owner = follow->owner;
    double most = 0;
    for (int32_t v = 0; owner && v < follow->body->weld.surface.vertex_count; ++v) {
        if (owner->region_of[v] == region) {
            float u[3];
            snRigBody_TieOffset(follow->body, v, follow->u, u);
            most = fmax(most, snLengthSq(snV3((double)u[0], (double)u[1], (double)u[2])));
        }
    }
    return sqrt(most);
}

const snVec4f* snFollow_Nodes(const snFollow* follow)
{
    return follow->u;
}

void snFollow_Offsets(const snFollow* follow, float* offsets)
{
    snRigBody_Offsets(follow->body, follow->u, offsets);
}

size_t snFollow_StateSize(const snFollow* follow)
{
    return follow ? follow->state_size : 0;
}

snStatus snFollow_Save(const snFollow* follow, void* state, size_t size, snMessage* why)
{
    if (!follow || !state || size != follow->state_size) {
        return snFail(why, sn_errorArgument, "a follow and %zu bytes for its state are needed",
                      snFollow_StateSize(follow));
    }
    memcpy(state, follow->state, size);
    snMessage_Clear(why);
    return sn_ok;
}

snStatus snFollow_Restore(snFollow* follow, const void* state, size_t size, snMessage* why)
{
    snFollowHead head;
    if (!follow || !state || size != follow->state_size) {
        return snFail(why, sn_errorArgument, "a follow and a state of %zu bytes are needed",
                      snFollow_StateSize(follow));
    }
    memcpy(&head, state, sizeof head);
    if (head.model != follow->head->model) {
        return snFail(why, sn_errorArgument, "that is the state of another body or def");
    }
    if (head.solids.count > 0) {
        snStatus status = snFollow_BuildContact(follow, why);
        if (status) {
            return status;
        }
    }
    memcpy(follow->state, state, size);
    follow->is_shown = false;
    snFollow_Jump(follow);
    snMessage_Clear(why);
    return sn_ok;
}
