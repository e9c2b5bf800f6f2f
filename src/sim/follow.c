// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/follow.h"

#include "base/cpu.h"
#include "sim/follow_drive.h"
#include <string.h>

// Nodes in a task. Fixed, so that results do not depend on the number of threads.
#define RANGE 1024

// Part of the largest stable step: 4 * 0.72^2 = 2.1 of a stability budget of 4, of which the
// limit's springs may take MOST_SPRING. The rest is for stretched flesh.
#define STEP 0.72
#define MOST_SPRING 1.3

// The limit's spring where it is stiffest, in stiffnesses of the slowest jiggle
#define SPRING 128.0

#define TWO_PI 6.283185307179586
#define GRAVITY 9.80665

typedef struct Head {
    int64_t tick;          // intervals since the start of the clip; negative in the lead-in
    int64_t frames;        // advanced since then
    int64_t limited;       // of these with a node at the limit
    int64_t interventions; // of these in which the guard put flesh back
    double farthest;       // m
    double pressed;        // largest |u|/limit
} Head;

// What a range of nodes saw in a step
typedef struct Tally {
    double farthest, pressed;
    bool stopped, bad;
} Tally;

struct snFollow {
    snHost host;
    snArena arena;
    snTasks* tasks;
    snIsa isa;
    const snRigBody* body;
    snBody* owner;    // of the body; kept; NULL: the caller's
    snRigTrack track; // of the clip, if it is not the caller's
    snFollowDrive drive;
    int32_t ticks;  // intervals a frame
    int32_t steps;  // steps an interval
    double h;       // s
    double spring;  // of the limit where it is stiffest, 1/s^2
    double damping; // 2 zeta omega, 1/s
    int32_t range_count;
    // state
    void* state;
    size_t state_size;
    Head* head;
    snVec4f* u; // m; (node_count)
    snVec4f* w; // m/s; (node_count)
    // constants
    snVec4f* X;          // bind positions from their middle, m; (node_count)
    snVec4f* f0;         // forces there, which rounding leaves, N; (node_count)
    float* inverse_mass; // 1/kg, 0: held; (node_count)
    float* most;         // limit at scale 1, m; (node_count)
    // workspace
    snVec4f *y, *f;  // (node_count)
    snVec4f *x, *fx; // the same of the posed shape, if that counts
    Tally* tallies;  // (range_count)
    void* work;
};

// A pass over all nodes
typedef struct Pass {
    snFollow* follow;
    float h;
    float part;  // of the interval, 0..1, for rotations
    float share; // of the interval's change of velocity
} Pass;

// Making ---------------------------------------------------------------------------

void snFollowSetup_Init(snFollowSetup* def)
{
    *def = (snFollowSetup){.rate = 60, .hold = (double)INFINITY};
}

static size_t roundUp(size_t bytes)
{
    return (bytes + SN_ALIGNMENT - 1) / SN_ALIGNMENT * SN_ALIGNMENT;
}

static void pushArrays(snFollow* s)
{
    const snRigBody* body = s->body;
    snArena* arena = &s->arena;
    size_t n = (size_t)body->tets.node_count, bytes = roundUp(n * sizeof(snVec4f));
    s->range_count = (body->tets.node_count + RANGE - 1) / RANGE;
    s->state_size = roundUp(sizeof(Head)) + 2 * bytes;
    s->state = snArena_Push(arena, s->state_size, 1);
    snVec4f** arrays[] = {&s->X, &s->f0, &s->y, &s->f, &s->x, &s->fx};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        *arrays[k] = snArena_Push(arena, n, sizeof(snVec4f));
    }
    s->inverse_mass = snArena_Push(arena, n, sizeof(float));
    s->most = snArena_Push(arena, n, sizeof(float));
    s->tallies = snArena_Push(arena, (size_t)s->range_count, sizeof(Tally));
    s->work = snArena_Push(arena, snCells_WorkSize(body->cells), 1);
    if (!arena->failed) {
        s->head = s->state;
        s->u = (snVec4f*)((uint8_t*)s->state + roundUp(sizeof(Head)));
        s->w = (snVec4f*)((uint8_t*)s->u + bytes);
    }
}

static void fillNodes(snFollow* s)
{
    const snRigBody* body = s->body;
    snVec3 middle = snV3(0, 0, 0);
    int32_t n = body->tets.node_count;
    for (int32_t i = 0; i < n; ++i) {
        middle = snMulAdd(middle, 1.0 / n, body->tets.position[i]);
    }
    for (int32_t i = 0; i < n; ++i) {
        snVec3 p = snSub(body->tets.position[i], middle);
        s->X[i] = (snVec4f){(float)p.x, (float)p.y, (float)p.z, 0};
        s->inverse_mass[i] = body->held[i] ? 0 : (float)(1 / body->mass[i]);
        s->most[i] = (float)(body->def.limit * fmax(body->thickness[i], body->cell));
    }
    snCells_Forces(body->cells, s->tasks, s->isa, s->X, NULL, s->work, s->f0);
}

static void chooseStep(snFollow* s, double rate)
{
    double omega = TWO_PI * s->body->def.softness;
    s->ticks = (int32_t)fmax(1, ceil(SN_FOLLOW_RATE / rate));
    s->drive.interval = 1 / (rate * s->ticks);
    s->steps = (int32_t)fmax(1, ceil(s->drive.interval / (STEP * s->body->step.rest)));
    s->h = s->drive.interval / s->steps;
    s->spring = fmin(SPRING * omega * omega, MOST_SPRING / (s->h * s->h));
    s->damping = 2 * s->body->def.damping * omega;
}

static snStatus create(snFollow* s, const snFollowSetup* def, snMessage* why)
{
    pushArrays(s);
    snStatus status = s->arena.failed ? snFail(why, sn_errorMemory, "no memory for the flesh")
                                      : snTasks_Create(&s->host, &s->tasks, why);
    if (status) {
        return status;
    }
    const snRigTrack* track = def->track;
    if (!track) {
        track = &s->track;
        status = snRigTrack_Make(&s->arena, s->body->rig, def->clip, NULL, &s->track, why);
        if (status) {
            return status;
        }
    }
    chooseStep(s, def->rate);
    fillNodes(s);
    double omega = TWO_PI * s->body->def.softness;
    status = snFollowDrive_Make(&s->drive, &s->arena, s->body, track, def->hold,
                                fmax(s->body->def.damping, 0.05) * omega, why);
    if (!status) {
        s->head->tick = -s->drive.lead;
        snFollowDrive_Go(&s->drive, s->head->tick, s->tasks);
    }
    return status;
}

snStatus snFollow_Make(const snHost* host, const snFollowSetup* def, snFollow** out, snMessage* why)
{
    snHost taken;
    *out = NULL;
    if (!(def->rate >= 1 && def->rate <= 1000) ||
        (def->track && def->track->rig != def->body->rig)) {
        return snFail(why, sn_errorArgument,
                      "frames a second must lie in 1..1000, found %g, and the clip must be of the "
                      "same rig",
                      def->rate);
    }
    snStatus status = snHost_Take(host, &taken, why);
    snFollow* s = status ? NULL : snHost_Allocate(&taken, sizeof *s);
    if (!s) {
        return status ? status : snFail(why, sn_errorMemory, "out of memory");
    }
    s->host = taken;
    s->body = def->body;
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
    *def = (snFollowDef){.size = sizeof *def, .rate = 60, .hold = (double)INFINITY};
}

snStatus snFollowSetup_From(const snBody* body, const snFollowDef* def, snFollowSetup* out,
                            snMessage* why)
{
    if (!body || !def || def->size != sizeof *def) {
        return snFail(why, sn_errorArgument,
                      "a body and a def that snFollowDef_Init filled are needed");
    }
    *out = (snFollowSetup){
        .body = &body->made, .clip = def->clip, .rate = def->rate, .hold = def->hold};
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
    status = status ? status : snFollow_Make(&body->host, &setup, out, why);
    if (!status) {
        (*out)->owner = snBody_Retain(body);
        snFollow_Begin(*out);
    }
    return status;
}

snStatus snFollow_Advance(snFollow* follow, snMessage* why)
{
    if (!follow) {
        return snFail(why, sn_errorArgument, "there is nothing to advance");
    }
    snFollow_Go(follow);
    return sn_ok;
}

const snRigTrack* snFollow_Track(const snFollow* follow)
{
    return follow->drive.track;
}

void snFollow_Free(snFollow* follow)
{
    if (follow) {
        snHost host = follow->host;
        snTasks_Free(follow->tasks);
        snBody_Release(follow->owner);
        snArena_Free(&follow->arena);
        snHost_Release(&host, follow, sizeof *follow);
    }
}

// Stepping -------------------------------------------------------------------------

static void rangeOf(const snFollow* s, int index, int32_t* begin, int32_t* end)
{
    int32_t count = s->body->tets.node_count;
    *begin = index * RANGE;
    *end = count - *begin < RANGE ? count : *begin + RANGE;
}

// Half a drift, then y: where the bind shape would have the node
static void driftRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    snFollow* s = pass->follow;
    bool posed = s->body->def.shape > 0;
    int32_t begin, end;
    (void)worker;
    rangeOf(s, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        snVec4f X = s->X[i], u = s->u[i], w = s->w[i];
        if (s->inverse_mass[i] > 0) {
            u = (snVec4f){u.x + pass->h * w.x, u.y + pass->h * w.y, u.z + pass->h * w.z, 0};
            snTurn R = snFollowDrive_Turn(&s->drive, i, pass->part);
            float k = 1 / R.scale;
            s->u[i] = u;
            s->y[i] = (snVec4f){X.x + k * (R.m00 * u.x + R.m10 * u.y + R.m20 * u.z),
                                X.y + k * (R.m01 * u.x + R.m11 * u.y + R.m21 * u.z),
                                X.z + k * (R.m02 * u.x + R.m12 * u.y + R.m22 * u.z), 0};
        } else {
            s->y[i] = X;
        }
        if (posed) {
            snVec4f T = snFollowDrive_Target(&s->drive, i, pass->part);
            s->x[i] = (snVec4f){T.x + u.x, T.y + u.y, T.z + u.z, 0};
        }
    }
}

// The limit's spring, acceleration over u: 0 up to z = |u|/limit = 1/2, then k (z - 1/2)^2 / z. Its
// acceleration grows with the square of how far it is pressed, most steeply, by k, at the limit.
static float springOf(float z, float k)
{
    return z > 0.5f ? k * (z - 0.5f) * (z - 0.5f) / z : 0;
}

// It is damped, as strongly as its slope asks for, so that nothing bounces off it: what is left of
// the velocity along u after h, for z > 1/2. By the velocity after the step: any damping is stable.
static float bufferOf(float z, float k, float h)
{
    return 1 / (1 + h * sqrtf(2 * k * (z - 0.5f)));
}

// Forces on a node over its mass, less damping
static snVec4f pushOf(const snFollow* s, int32_t i, const snTurn* R)
{
    const snBodyDef* def = &s->body->def;
    float q = s->inverse_mass[i], shape = (float)def->shape, k = q * R->scale * (1 - shape);
    float g = -(float)(GRAVITY * def->gravity), c = -(float)GRAVITY * shape;
    snVec4f f = s->f[i], o = s->f0[i];
    f = (snVec4f){f.x - o.x, f.y - o.y, f.z - o.z, 0};
    snVec4f a = {k * (R->m00 * f.x + R->m01 * f.y + R->m02 * f.z),
                 k * (R->m10 * f.x + R->m11 * f.y + R->m12 * f.z) + g,
                 k * (R->m20 * f.x + R->m21 * f.y + R->m22 * f.z), 0};
    if (shape > 0) { // gravity, less what it was in the bind pose, turned along
        a.x += q * shape * s->fx[i].x - c * R->m01;
        a.y += q * shape * s->fx[i].y + c * (1 - R->m11);
        a.z += q * shape * s->fx[i].z - c * R->m21;
    }
    return a;
}

// |u| <= most; what goes outwards stops there
static bool stopAt(float most, snVec4f* u, snVec4f* w)
{
    float square = u->x * u->x + u->y * u->y + u->z * u->z;
    if (!(square > most * most)) {
        return false;
    }
    float length = sqrtf(square), k = most / length;
    snVec4f n = {u->x / length, u->y / length, u->z / length, 0};
    float out = fmaxf(0, n.x * w->x + n.y * w->y + n.z * w->z);
    *u = (snVec4f){k * u->x, k * u->y, k * u->z, 0};
    *w = (snVec4f){w->x - out * n.x, w->y - out * n.y, w->z - out * n.z, 0};
    return true;
}

static void kickNode(const Pass* pass, int32_t i, Tally* tally)
{
    snFollow* s = pass->follow;
    const float h = 2 * pass->h, g = (float)s->damping;
    snTurn R = snFollowDrive_Turn(&s->drive, i, pass->part);
    snVec4f u = s->u[i], w = s->w[i], a = pushOf(s, i, &R), dV = s->drive.change[i];
    float most = s->most[i] * R.scale, square = u.x * u.x + u.y * u.y + u.z * u.z;
    float z = sqrtf(square) / most, k = springOf(z, (float)s->spring);
    // damping by the mean of the velocities before and after: any is stable
    float before = (1 - 0.5f * h * g) / (1 + 0.5f * h * g), by = 1 / (1 + 0.5f * h * g);
    w.x = before * w.x + by * (h * (a.x - k * u.x) - pass->share * dV.x);
    w.y = before * w.y + by * (h * (a.y - k * u.y) - pass->share * dV.y);
    w.z = before * w.z + by * (h * (a.z - k * u.z) - pass->share * dV.z);
    if (z > 0.5f) {
        float along = u.x * w.x + u.y * w.y + u.z * w.z;
        float lost = along * (1 - bufferOf(z, (float)s->spring, h)) / square;
        w = (snVec4f){w.x - lost * u.x, w.y - lost * u.y, w.z - lost * u.z, 0};
    }
    u = (snVec4f){u.x + pass->h * w.x, u.y + pass->h * w.y, u.z + pass->h * w.z, 0};
    tally->stopped |= stopAt(most, &u, &w);
    square = u.x * u.x + u.y * u.y + u.z * u.z;
    tally->bad |= !(square <= 1e20f) || !(w.x * w.x + w.y * w.y + w.z * w.z <= 1e20f);
    tally->farthest = fmax(tally->farthest, (double)square);
    tally->pressed = fmax(tally->pressed, (double)(square / (most * most)));
    s->u[i] = u;
    s->w[i] = w;
}

static void kickRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    snFollow* s = pass->follow;
    Tally tally = {0};
    int32_t begin, end;
    (void)worker;
    rangeOf(s, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        if (s->inverse_mass[i] > 0) {
            kickNode(pass, i, &tally);
        }
    }
    s->tallies[index] = tally;
}

static Tally step(snFollow* s, int32_t number)
{
    Pass pass = {.follow = s,
                 .h = (float)(0.5 * s->h),
                 .part = ((float)number + 0.5f) / (float)s->steps,
                 .share = 1 / (float)s->steps};
    Tally sum = {0};
    snTasks_Run(s->tasks, s->range_count, driftRange, &pass);
    if (s->body->def.shape < 1) {
        snCells_Forces(s->body->cells, s->tasks, s->isa, s->y, NULL, s->work, s->f);
    }
    if (s->body->def.shape > 0) {
        snCells_Forces(s->body->cells, s->tasks, s->isa, s->x, NULL, s->work, s->fx);
    }
    snTasks_Run(s->tasks, s->range_count, kickRange, &pass);
    for (int32_t i = 0; i < s->range_count; ++i) {
        sum.farthest = fmax(sum.farthest, s->tallies[i].farthest);
        sum.pressed = fmax(sum.pressed, s->tallies[i].pressed);
        sum.stopped |= s->tallies[i].stopped;
        sum.bad |= s->tallies[i].bad;
    }
    return sum;
}

// A cut: flesh goes rigidly along with its joints.
static void carryAcross(snFollow* s)
{
    for (int32_t i = 0; i < s->body->tets.node_count; ++i) {
        s->u[i] = snFollowDrive_Carry(&s->drive, i, s->u[i]);
        s->w[i] = snFollowDrive_Carry(&s->drive, i, s->w[i]);
    }
}

// One interval of the drive
static Tally tick(snFollow* s)
{
    Tally sum = {0};
    snFollowDrive_Go(&s->drive, s->head->tick + 1, s->tasks);
    for (int32_t i = 0; i < s->steps; ++i) {
        Tally t = step(s, i);
        sum.farthest = fmax(sum.farthest, t.farthest);
        sum.pressed = fmax(sum.pressed, t.pressed);
        sum.stopped |= t.stopped;
        sum.bad |= t.bad;
    }
    if (s->drive.has_cut) {
        carryAcross(s);
    }
    if (sum.bad) {
        size_t n = (size_t)s->body->tets.node_count;
        memset(s->u, 0, n * sizeof *s->u);
        memset(s->w, 0, n * sizeof *s->w);
    }
    ++s->head->tick;
    return sum;
}

void snFollow_Begin(snFollow* follow)
{
    while (follow->head->tick < 0) {
        tick(follow);
    }
}

bool snFollow_Go(snFollow* follow)
{
    Head* head = follow->head;
    bool stopped = false, bad = false;
    for (int32_t i = 0; i < follow->ticks; ++i) {
        Tally t = tick(follow);
        head->farthest = t.bad ? head->farthest : fmax(head->farthest, sqrt(t.farthest));
        head->pressed = t.bad ? head->pressed : fmax(head->pressed, sqrt(t.pressed));
        stopped |= t.stopped;
        bad |= t.bad;
    }
    ++head->frames;
    head->limited += stopped;
    head->interventions += bad;
    return !bad;
}

// Reading --------------------------------------------------------------------------

snFollowFacts snFollow_Facts(const snFollow* follow)
{
    const Head* head = follow->head;
    return (snFollowFacts){.frames = head->frames,
                           .limited = head->limited,
                           .farthest = head->farthest,
                           .nearest_limit = head->pressed,
                           .interventions = head->interventions,
                           .is_loop = follow->drive.track->is_loop,
                           .first = follow->drive.track->first,
                           .last = follow->drive.track->last,
                           .time = snFollowDrive_Time(&follow->drive, head->tick),
                           .step = follow->h,
                           .steps = follow->ticks * follow->steps};
}

const snVec4f* snFollow_Nodes(const snFollow* follow)
{
    return follow->u;
}

void snFollow_Offsets(const snFollow* follow, float* offsets)
{
    const snRigBody* body = follow->body;
    const float k = (float)(1 / body->unit);
    for (int32_t v = 0; v < body->weld.surface.vertex_count; ++v) {
        const snTie* tie = &body->ties[v];
        float sum[3] = {0, 0, 0};
        for (int n = 0; n < 4 && tie->node[0] >= 0; ++n) {
            const snVec4f* u = &follow->u[tie->node[n]];
            sum[0] += tie->weight[n] * u->x;
            sum[1] += tie->weight[n] * u->y;
            sum[2] += tie->weight[n] * u->z;
        }
        for (int c = 0; c < 3; ++c) {
            offsets[3 * (size_t)v + (size_t)c] = k * sum[c];
        }
    }
    for (int32_t r = 0; r < body->rider_count; ++r) {
        const snRider* rider = &body->riders[r];
        float mean[3] = {0, 0, 0};
        for (int32_t i = 0; i < 3 * rider->ride_count; ++i) {
            const snRide* ride = &body->rides[rider->ride_begin + i / 3];
            for (int c = 0; c < 3; ++c) {
                mean[c] += ride->weight[i % 3] *
                           offsets[3 * (size_t)ride->vertex[i % 3] + (size_t)c] /
                           (float)rider->ride_count;
            }
        }
        for (int32_t i = 0; i < 3 * rider->vertex_count; ++i) {
            int32_t v = body->riding[rider->vertex_begin + i / 3];
            offsets[3 * (size_t)v + (size_t)(i % 3)] = mean[i % 3];
        }
    }
}

double snFollow_Energy(snFollow* follow)
{
    Pass pass = {.follow = follow, .h = 0, .part = 1};
    double sum = 0;
    snTasks_Run(follow->tasks, follow->range_count, driftRange, &pass);
    sum = snCells_Energy(follow->body->cells, follow->tasks, follow->y, follow->work);
    for (int32_t i = 0; i < follow->body->tets.node_count; ++i) {
        snVec4f w = follow->w[i];
        sum += 0.5 * follow->body->mass[i] * (double)(w.x * w.x + w.y * w.y + w.z * w.z);
    }
    return sum;
}

size_t snFollow_StateSize(const snFollow* follow)
{
    return follow->state_size;
}

void snFollow_Save(const snFollow* follow, void* state)
{
    memcpy(state, follow->state, follow->state_size);
}

void snFollow_Restore(snFollow* follow, const void* state)
{
    memcpy(follow->state, state, follow->state_size);
    snFollowDrive_Go(&follow->drive, follow->head->tick, follow->tasks);
}
