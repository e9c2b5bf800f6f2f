// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Steps of a follow, and the guard over them.

#include "sim/follow_state.h"
#include <string.h>

// Targets' velocities do not change by more in an interval than what crosses the limit in it this
// often: faster than anything one sees.
#define CROSSINGS 4.0f

// Flesh hardly feels more of its targets' acceleration than what would hold the slowest jiggle this
// many thicknesses away from them, twice the usual limit: what is whipped about does not rattle
// between its limits.
#define FELT 0.6f

// Steps are made shorter up to this many times.
#define SHORTEST 64

// In radians of the slowest jiggle: until what flesh begins with has settled to 0.5 %
#define SETTLE 8.0
#define MOST_SETTLING 50000 // steps: flesh of a hundredth of a hertz would take minutes

#define TWO_PI 6.283185307179586

// A pass over all nodes
typedef struct Pass {
    snFollow* follow;
    float h;             // half a step, s
    float part;          // of the interval in the middle of the step, 0..1
    float end;           // of the interval at the end of the step
    float share;         // of the interval's change of velocity
    const snVec4f* from; // velocities that are read,
    snVec4f* to;         // and written, of a sweep
} Pass;

static void rangeOf(const snFollow* s, int index, int32_t* begin, int32_t* end)
{
    int32_t count = s->body->tets.node_count;
    *begin = index * SN_FOLLOW_RANGE;
    *end = count - *begin < SN_FOLLOW_RANGE ? count : *begin + SN_FOLLOW_RANGE;
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
            s->turns[i] = R;
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

// It is damped, as strongly as its slope asks for, and in all directions, so that nothing bounces
// off it or circles along it: what is left of the velocity after h, for z > 1/2. By the velocity
// after the step: any damping is stable.
static float bufferOf(float z, float k, float h)
{
    return 1 / (1 + h * sqrtf(2 * k * (z - 0.5f)));
}

// Forces on a node over its mass, less damping
static inline snVec4f pushOf(const snFollow* s, int32_t i, const snTurn* R)
{
    const snRigBody* body = s->body;
    float q = s->inverse_mass[i], shape = (float)body->def.shape;
    shape = body->shape ? fminf(shape * body->shape[i], 1) : shape;
    float g = -(float)(SN_FOLLOW_GRAVITY * body->def.gravity),
          c = -(float)SN_FOLLOW_GRAVITY * shape;
    float k = q * R->scale * (1 - shape);
    g *= body->gravity ? body->gravity[i] : 1;
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

// No faster than that; what is not finite is none. True when it was.
static bool holdBack(float fastest, snVec4f* w)
{
    double x = (double)w->x, y = (double)w->y, z = (double)w->z, square = x * x + y * y + z * z;
    if (square < 0.99 * (double)fastest * (double)fastest) { // almost all
        return false;
    }
    double speed = sqrt(square);
    if (speed <= (double)fastest) {
        return false;
    }
    double k = isfinite(speed) ? (double)fastest / speed : 0;
    *w = k > 0 ? (snVec4f){(float)(k * x), (float)(k * y), (float)(k * z), 0}
               : (snVec4f){0, 0, 0, 0};
    return true;
}

// Flesh with a shape of its own has its limit about where it would rest, not about its skinned
// place. sign -1: from the skinned place to there; 1: back
static void shift(const snFollow* s, int32_t i, float sign, snVec4f* u, snVec4f* w)
{
    if (s->r) {
        snVec4f r = s->r[i], q = s->q[i];
        *u = (snVec4f){u->x + sign * r.x, u->y + sign * r.y, u->z + sign * r.z, 0};
        *w = (snVec4f){w->x + sign * q.x, w->y + sign * q.y, w->z + sign * q.z, 0};
    }
}

// The velocity after the forces of a step, and after its target changed its own by dV; u and w are
// from what the limit is about.
static inline snVec4f kicked(const Pass* pass, int32_t i, const snTurn* R, snVec4f u, snVec4f w,
                             snVec4f dV)
{
    const snFollow* s = pass->follow;
    const float h = 2 * pass->h, g = s->damping[i];
    snVec4f a = pushOf(s, i, R);
    if (s->forces.count > 0) {
        a = (snVec4f){a.x + s->blow[i].x, a.y + s->blow[i].y, a.z + s->blow[i].z, 0};
    }
    float most = s->most[i] * R->scale, square = u.x * u.x + u.y * u.y + u.z * u.z;
    float z = sqrtf(square) / most, k = springOf(z, (float)s->spring) + s->pull[i];
    // damping by the mean of the velocities before and after: any is stable
    float before = (1 - 0.5f * h * g) / (1 + 0.5f * h * g), by = 1 / (1 + 0.5f * h * g);
    w.x = before * w.x + by * (h * (a.x - k * u.x) - pass->share * dV.x);
    w.y = before * w.y + by * (h * (a.y - k * u.y) - pass->share * dV.y);
    w.z = before * w.z + by * (h * (a.z - k * u.z) - pass->share * dV.z);
    if (z > 0.5f) {
        float left = bufferOf(z, (float)s->spring, h);
        w = (snVec4f){left * w.x, left * w.y, left * w.z, 0};
    }
    return w;
}

static void kickNode(const Pass* pass, int32_t i)
{
    snFollow* s = pass->follow;
    snVec4f u = s->u[i], w = s->w[i];
    shift(s, i, -1, &u, &w);
    w = kicked(pass, i, &s->turns[i], u, w, s->drive.change[i]);
    shift(s, i, 1, &u, &w);
    s->w[i] = w;
}

static void kickRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    int32_t begin, end;
    (void)worker;
    rangeOf(pass->follow, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        if (pass->follow->inverse_mass[i] > 0) {
            kickNode(pass, i);
        }
    }
}

// A sweep of viscosity from w to v. All four numbers of them: so one instruction does.
static void sweepRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    const snFollow* s = pass->follow;
    const snViscous* viscous = &s->viscous;
    const float h = 2 * pass->h / (float)viscous->sweeps;
    int32_t begin, end;
    (void)worker;
    rangeOf(s, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        float keep = 1 - h * viscous->total[i];
        snVec4f w = pass->from[i], a = {0, 0, 0, 0};
        for (int32_t k = viscous->first[i]; k < viscous->first[i + 1]; ++k) {
            snVec4f v = pass->from[viscous->node[k]];
            float rate = viscous->rate[k];
            a = (snVec4f){a.x + rate * v.x, a.y + rate * v.y, a.z + rate * v.z, a.w + rate * v.w};
        }
        pass->to[i] = (snVec4f){keep * w.x + h * a.x, keep * w.y + h * a.y, keep * w.z + h * a.z,
                                keep * w.w + h * a.w};
    }
}

// The second half of the drift, and what bounds it
static void landNode(const Pass* pass, int32_t i, snFollowTally* tally)
{
    snFollow* s = pass->follow;
    const float h = 2 * pass->h;
    float most = s->most[i] * s->turns[i].scale;
    snVec4f u = s->u[i], w = pass->from[i];
    shift(s, i, -1, &u, &w);
    u = (snVec4f){u.x + pass->h * w.x, u.y + pass->h * w.y, u.z + pass->h * w.z, 0};
    if (s->ground.is_on) {
        shift(s, i, 1, &u, &w);
        snFollowGround_Hold(&s->ground, &s->drive, i, pass->end, &u, &w);
        shift(s, i, -1, &u, &w);
    }
    tally->stopped |= stopAt(most, &u, &w);
    float square = u.x * u.x + u.y * u.y + u.z * u.z;
    double pressed = (double)(square / (most * most));
    float way = h * h * (w.x * w.x + w.y * w.y + w.z * w.z);
    tally->fast |= !(way <= most * most);
    shift(s, i, 1, &u, &w);
    square = u.x * u.x + u.y * u.y + u.z * u.z;
    tally->bad |= !isfinite(square) || !isfinite(way);
    double far = (double)square;
    tally->farthest = far > tally->farthest ? far : tally->farthest;
    tally->pressed = pressed > tally->pressed ? pressed : tally->pressed;
    s->u[i] = u;
    s->w[i] = w;
}

static void landRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    snFollow* s = pass->follow;
    snFollowTally tally = {0};
    int32_t begin, end;
    (void)worker;
    rangeOf(s, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        if (s->inverse_mass[i] > 0) {
            landNode(pass, i, &tally);
        }
    }
    s->tallies[index] = tally;
}

// Where flesh would rest: it goes there as fast as it does without swinging, whatever moves the
// character. No farther than the body is thick.
static void restRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    snFollow* s = pass->follow;
    snFollowTally tally = {0};
    const float h = 2 * pass->h, g = 2 * (float)(TWO_PI * s->body->def.softness);
    int32_t begin, end;
    (void)worker;
    rangeOf(s, index, &begin, &end);
    for (int32_t i = begin; i < end; ++i) {
        if (s->inverse_mass[i] > 0) {
            const snTurn* R = &s->turns[i];
            snVec4f u = s->u[i], w = s->w[i], a = pushOf(s, i, R);
            float before = (1 - 0.5f * h * g) / (1 + 0.5f * h * g), by = h / (1 + 0.5f * h * g);
            float k = s->pull[i]; // what trails has nothing else that takes it along
            w = (snVec4f){before * w.x + by * (a.x - k * u.x), before * w.y + by * (a.y - k * u.y),
                          before * w.z + by * (a.z - k * u.z), 0};
            u = (snVec4f){u.x + pass->h * w.x, u.y + pass->h * w.y, u.z + pass->h * w.z, 0};
            (void)stopAt(s->reach[i] * R->scale, &u, &w);
            tally.bad |= !isfinite(u.x + u.y + u.z) || !isfinite(w.x + w.y + w.z);
            s->u[i] = u;
            s->w[i] = w;
        }
    }
    s->tallies[index] = tally;
}

static void addTally(snFollowTally* sum, const snFollowTally* t)
{
    sum->farthest = fmax(sum->farthest, t->farthest);
    sum->pressed = fmax(sum->pressed, t->pressed);
    sum->stopped |= t->stopped;
    sum->fast |= t->fast;
    sum->bad |= t->bad;
}

// Half a drift, and forces
static void push(snFollow* s, Pass* pass)
{
    snTasks_Run(s->tasks, s->range_count, driftRange, pass);
    if (s->body->def.shape < 1 || s->body->shape) {
        snCells_Forces(s->body->cells, s->tasks, s->isa, s->y, NULL, s->work, s->f);
    }
    if (s->body->def.shape > 0) {
        snCells_Forces(s->body->cells, s->tasks, s->isa, s->x, NULL, s->work, s->fx);
    }
}

static void addTallies(const snFollow* s, snFollowTally* sum)
{
    for (int32_t i = 0; i < s->range_count; ++i) {
        addTally(sum, &s->tallies[i]);
    }
}

// The same passes do both
static void exchange(snFollow* s)
{
    snVec4f *u = s->u, *w = s->w;
    s->u = s->r, s->w = s->q;
    s->r = u, s->q = w;
}

static void rest(snFollow* s, Pass* pass, snFollowTally* sum)
{
    if (s->r) {
        exchange(s);
        push(s, pass);
        snTasks_Run(s->tasks, s->range_count, restRange, pass);
        addTallies(s, sum);
        exchange(s);
    }
}

static snFollowTally step(snFollow* s, int32_t number, int32_t steps)
{
    Pass pass = {.follow = s,
                 .h = (float)(0.5 * s->drive.interval / steps),
                 .part = ((float)number + 0.5f) / (float)steps,
                 .end = ((float)number + 1) / (float)steps,
                 .share = 1 / (float)steps};
    snFollowTally sum = {0};
    rest(s, &pass, &sum);
    push(s, &pass);
    if (s->react) {
        s->react(s->reacting);
    }
    snTasks_Run(s->tasks, s->range_count, kickRange, &pass);
    pass.from = s->w;
    for (int32_t k = 0; k < s->viscous.sweeps; ++k) {
        pass.to = k % 2 ? s->w : s->v;
        snTasks_Run(s->tasks, s->range_count, sweepRange, &pass);
        pass.from = pass.to;
    }
    snTasks_Run(s->tasks, s->range_count, landRange, &pass);
    addTallies(s, &sum);
    snFollow_ProjectObstacles(s, pass.end);
    return sum;
}

void snFollow_Limit(snFollow* s, int32_t node, float part)
{
    float most = s->most[node] * snFollowDrive_Scale(&s->drive, node, part);
    shift(s, node, -1, &s->u[node], &s->w[node]);
    (void)stopAt(most, &s->u[node], &s->w[node]);
    shift(s, node, 1, &s->u[node], &s->w[node]);
}

snFollowTally snFollow_AdvanceStep(snFollow* s)
{
    return step(s, 0, 1);
}

snVec4f snFollow_Kick(snFollow* s, int32_t node)
{
    Pass pass = {.follow = s, .h = (float)(0.5 * s->drive.interval), .part = 1, .share = 1};
    snTurn R = snFollowDrive_Turn(&s->drive, node, pass.part);
    snVec4f u = s->u[node], w = s->w[node];
    shift(s, node, -1, &u, &w);
    snVec4f v = kicked(&pass, node, &R, u, w, (snVec4f){0, 0, 0, 0});
    return (snVec4f){v.x - w.x, v.y - w.y, v.z - w.z, 0};
}

void snFollow_Settle(snFollow* s)
{
    Pass pass = {.follow = s, .h = (float)(0.5 * s->h), .part = 1};
    snFollowTally sum = {0};
    double steps = fmin(SETTLE / (TWO_PI * s->body->def.softness * s->h), MOST_SETTLING);
    for (int32_t i = 0; s->r && !sum.bad && i < steps; ++i) {
        rest(s, &pass, &sum);
    }
    for (int32_t i = 0; s->r && i < s->body->tets.node_count; ++i) {
        s->r[i] = sum.bad ? (snVec4f){0, 0, 0, 0} : s->r[i];
        s->q[i] = (snVec4f){0, 0, 0, 0};
        s->u[i] = s->r[i];
    }
}

void snFollow_CrossCut(snFollow* s)
{
    for (int32_t i = 0; i < s->body->tets.node_count; ++i) {
        s->u[i] = snFollowDrive_AcrossCut(&s->drive, i, s->u[i]);
        s->w[i] = snFollowDrive_AcrossCut(&s->drive, i, s->w[i]);
        if (s->r) {
            s->r[i] = snFollowDrive_AcrossCut(&s->drive, i, s->r[i]);
            s->q[i] = snFollowDrive_AcrossCut(&s->drive, i, s->q[i]);
        }
    }
}

// a -> a / (1 + (a/most)^4)^(1/4)
static void saturate(float most, snVec4f* a)
{
    float z = (a->x * a->x + a->y * a->y + a->z * a->z) / (most * most);
    float k = 1 / sqrtf(sqrtf(1 + z * z));
    *a = (snVec4f){k * a->x, k * a->y, k * a->z, 0};
}

// True when one had to be bounded.
static bool boundChanges(snFollow* s)
{
    const float interval = (float)s->drive.interval;
    const float omega = (float)(TWO_PI * s->body->def.softness);
    bool any = false;
    for (int32_t i = 0; i < s->body->tets.node_count; ++i) {
        if (!(s->inverse_mass[i] > 0)) {
            continue; // nobody asks
        }
        float a = s->drive.begin[i].scale, b = s->drive.end[i].scale, scale = a > b ? a : b;
        float most = s->most[i] * scale;
        any |= holdBack(CROSSINGS * most / interval, &s->drive.change[i]);
        float felt = FELT * omega * omega * s->reach[i] * scale;
        saturate(felt * interval, &s->drive.change[i]);
        if (s->forces.count > 0) {
            saturate(felt, &s->blow[i]);
        }
    }
    return any;
}

static snFollowTally tryInterval(snFollow* s, int32_t steps)
{
    snFollowTally sum = {0};
    for (int32_t i = 0; i < steps && !sum.bad; ++i) {
        snFollowTally t = step(s, i, steps);
        addTally(&sum, &t);
    }
    return sum;
}

// What shorter steps did not help: what is not finite goes back to its skinned place, and nothing
// crosses its limit in less than four steps.
static void giveUp(snFollow* s)
{
    for (int32_t i = 0; i < s->body->tets.node_count; ++i) {
        snVec4f *u = &s->u[i], *w = &s->w[i], *r = s->r ? &s->r[i] : u, *q = s->r ? &s->q[i] : w;
        if (!isfinite(u->x + u->y + u->z + r->x + r->y + r->z + q->x + q->y + q->z)) {
            *u = *w = *r = *q = (snVec4f){0, 0, 0, 0};
        }
        (void)holdBack(0.25f * s->most[i] * s->drive.end[i].scale / (float)s->h, w);
    }
}

// When a number is not finite, or flesh crosses its limit in less than a step, the interval is done
// again with steps 2, 4 .. times shorter.
snFollowTally snFollow_AdvanceInterval(snFollow* s)
{
    s->drive.is_watched = s->ground.is_on || s->head->solids.count > 0 || s->forces.count > 0;
    snFollowDrive_Update(&s->drive, s->head->tick + 1, s->tasks);
    snFollow_UpdateContact(s, false);
    snFollow_UpdateFields(s);
    bool bounded = boundChanges(s);
    memcpy(s->good, s->state, s->state_size);
    snFollowTally sum = tryInterval(s, s->steps);
    bool again = sum.bad || sum.fast, helped = again || bounded;
    for (int32_t k = 2; again && k <= SHORTEST && k * s->steps <= s->spare; k *= 2) {
        s->spare -= k * s->steps;
        memcpy(s->state, s->good, s->state_size);
        sum = tryInterval(s, k * s->steps);
        again = sum.bad || sum.fast;
    }
    if (again) {
        giveUp(s);
    }
    if (s->drive.has_cut) {
        snFollow_CrossCut(s);
    }
    ++s->head->tick;
    ++s->head->solids.tick;
    sum.fast = helped;
    return sum;
}

double snFollow_Energy(snFollow* follow)
{
    Pass pass = {.follow = follow, .part = 1};
    double sum = 0;
    snTasks_Run(follow->tasks, follow->range_count, driftRange, &pass);
    sum = snCells_Energy(follow->body->cells, follow->tasks, follow->isa, follow->y, follow->work);
    for (int32_t i = 0; i < follow->body->tets.node_count; ++i) {
        snVec4f w = follow->w[i], u = follow->u[i];
        float pull = follow->pull[i] * (u.x * u.x + u.y * u.y + u.z * u.z);
        sum += 0.5 * follow->body->mass[i] * (double)(w.x * w.x + w.y * w.y + w.z * w.z + pull);
    }
    return sum;
}
