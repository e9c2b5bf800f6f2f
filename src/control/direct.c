// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "control/direct.h"

#include "linsolve/bounded.h"
#include "math/trig.h"
#include "skel/joint.h"
#include <string.h>

// Accelerations may be beyond their bound by this part of what the bound takes off them: rows that
// give a little always have a solution, and torque bounds, which do not give, win over them.
#define GIVE 1e-6

static int32_t mostRows(int32_t n)
{
    return 2 * n + 2 * (n / 3); // torque, acceleration; swing and twist of balls
}

void snDirect_Push(snDirect* d, int32_t bone_count, int32_t nv, snArena* arena)
{
    int32_t n = nv < SN_DIRECT_MOST ? nv : SN_DIRECT_MOST, rows = mostRows(n);
    size_t k = (size_t)n, m = (size_t)rows;
    snAffine_Push(&d->affine, bone_count, nv, n, SN_DIRECT_PULLS, arena);
    d->active = snArena_Push(arena, (size_t)bone_count, 1);
    d->base = snArena_Push(arena, (size_t)nv, sizeof(double));
    d->H = snArena_Push(arena, k * k, sizeof(double));
    d->C = snArena_Push(arena, m * k, sizeof(double));
    d->g = snArena_Push(arena, k, sizeof(double));
    d->x = snArena_Push(arena, k, sizeof(double));
    d->s = snArena_Push(arena, 6 * k, sizeof(double));
    d->lower = snArena_Push(arena, m, sizeof(double));
    d->upper = snArena_Push(arena, m, sizeof(double));
    d->give = snArena_Push(arena, m, sizeof(double));
    d->work = snArena_Push(arena, snRowProblem_WorkSize(n, rows), 1);
}

int32_t snDirect_Count(const snSkeleton* skeleton, const uint8_t* active)
{
    int32_t count = 0;
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        count += active[i] ? skeleton->bones[i].nv : 0;
    }
    return count;
}

// Time from the positions that the workspace has to the step's end.
static double timeLeft(const snStep* step)
{
    return step->integrator == sn_integratorMidpoint ? 0.5 * step->h : step->h;
}

static snVec3 trackVector(double frequency, double h, snVec3 error, snVec3 rate, snVec3 second)
{
    return snV3(snTrack(frequency, h, error.x, rate.x, second.x),
                snTrack(frequency, h, error.y, rate.y, second.y),
                snTrack(frequency, h, error.z, rate.z, second.z));
}

// The objective ---------------------------------------------------------------

// Accelerations of active joints that hold the pose.
static void holdPose(snDirect* d, const snWorkspace* ws, const snStep* step,
                     const snDirectTask* task)
{
    double left = timeLeft(step);
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        const snBone* b = &ws->skeleton->bones[i];
        double error[6] = {0};
        if (task->active[i]) {
            snJoint_Difference(b->type, ws->q_mid + b->qi, task->hold_q + b->qi, error);
        }
        for (int32_t k = 0; k < b->nv; ++k) {
            double rate = ws->qd_mid[b->vi + k];
            d->base[b->vi + k] =
                snTrack(task->hold_frequency, step->h, error[k] - left * rate, -rate, 0);
        }
    }
}

// Velocity and acceleration of a point at `arm` from a bone's origin.
static snTwist moveOut(snTwist bone, snVec3 w, snVec3 arm)
{
    snVec3 swing = snAdd(snCross(bone.w, arm), snCross(w, snCross(w, arm)));
    return snTwistFrom(bone.w, snAdd(bone.v, swing));
}

// How far a bone would be from its target at the step's end.
typedef struct Miss {
    snVec3 away, turn; // m, rad
    snVec3 v;          // of the point now
} Miss;

static Miss missOf(const snDirectPull* pull, const snBoneMotion* m, snVec3 arm, const snStep* step)
{
    double left = timeLeft(step);
    snVec3 v = snAdd(m->v, snCross(m->w, arm)), x = snMulAdd(snAdd(m->p, arm), left, v);
    snQuat turned = snQMul(snQExp(snScale(left, m->w)), snQFromMat(m->R));
    return (Miss){snSub(pull->target.p, x), snQLog(snQMul(pull->target.q, snQConj(turned))), v};
}

// What the target asks of the point and the bone's rotation.
static snTwist wish(const snDirectPull* pull, const snBoneMotion* m, const Miss* miss, double h)
{
    double f = pull->frequency;
    return snTwistFrom(trackVector(f, h, miss->turn, snSub(pull->rate.w, m->w), pull->second.w),
                       trackVector(f, h, miss->away, snSub(pull->rate.v, miss->v), pull->second.v));
}

// A target out of reach pulls at limbs that are stretched, where joints move the point hardly at
// all: without more, they would be thrown about. The distance that is to become small bends with
// the joints' angles, by the distance that is left times the lever of each. This curvature, which
// the squares leave out, is added to the diagonal, for accelerations that come to rest as fast as
// the target is followed. It vanishes on the target.
static void addCurvature(snDirect* d, const snWorkspace* ws, const snStep* step,
                         const snDirectPull* pull, const Miss* miss, snVec3 point,
                         const uint8_t* active)
{
    int32_t column = 0, n = d->affine.count;
    double away = pull->position_weight * snLength(miss->away);
    double turn = pull->rotation_weight * snLength(miss->turn);
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        const snBone* b = &ws->skeleton->bones[i];
        double lever = snLength(snSub(point, ws->motion[i].p));
        for (int32_t k = b->vi; active[i] && k < b->vi + b->nv; ++k, ++column) {
            double rest = snTrack(pull->frequency, step->h, 0, -ws->qd_mid[k], 0);
            double weight = away * lever + turn;
            d->H[(ptrdiff_t)column * (n + 1)] += weight;
            d->g[column] += weight * (rest - d->base[k]);
        }
    }
}

// H += weight s s', g += weight s e for three components: s their rows of G, e what is missing.
// Entries of H get the components in order.
static void addSquares(snDirect* d, double weight, const double* restrict s, snVec3 e)
{
    int32_t n = d->affine.count;
    const double *x = s, *y = x + n, *z = y + n;
    for (int32_t i = 0; i < n; ++i) {
        snVec3 t = snScale(weight, snV3(x[i], y[i], z[i]));
        double* restrict row = d->H + (ptrdiff_t)i * n;
        d->g[i] = d->g[i] + t.x * e.x + t.y * e.y + t.z * e.z;
        for (int32_t k = 0; k <= i; ++k) {
            row[k] = row[k] + t.x * x[k] + t.y * y[k] + t.z * z[k];
        }
    }
}

static void addPull(snDirect* d, const snWorkspace* ws, const snStep* step,
                    const snDirectTask* task, int32_t number)
{
    const snDirectPull* pull = &task->pulls[number];
    int32_t n = d->affine.count;
    const snBoneMotion* m = &ws->motion[pull->bone];
    const snTwist* G = d->affine.G + (ptrdiff_t)number * n;
    snVec3 arm = snMatVec(m->R, pull->point);
    snTwist now = moveOut(d->affine.base[pull->bone], m->w, arm);
    Miss miss = missOf(pull, m, arm, step);
    snTwist want = wish(pull, m, &miss, step->h);
    addCurvature(d, ws, step, pull, &miss, snAdd(m->p, arm), task->active);
    for (int32_t k = 0; k < n; ++k) {
        snTwist point = moveOut(G[k], snV3(0, 0, 0), arm);
        double parts[6] = {point.w.x, point.w.y, point.w.z, point.v.x, point.v.y, point.v.z};
        for (int32_t c = 0; c < 6; ++c) {
            d->s[c * n + k] = parts[c];
        }
    }
    if (pull->rotation_weight > 0) {
        addSquares(d, pull->rotation_weight, d->s, snSub(want.w, now.w));
    }
    if (pull->position_weight > 0) {
        addSquares(d, pull->position_weight, d->s + (ptrdiff_t)3 * n, snSub(want.v, now.v));
    }
}

// Bounds ----------------------------------------------------------------------

// One more bounded function of x, zero so far.
static double* addRow(snDirect* d, double lower, double upper, double give)
{
    int32_t n = d->affine.count;
    double* row = d->C + (ptrdiff_t)d->row_count * n;
    memset(row, 0, (size_t)n * sizeof(double));
    d->lower[d->row_count] = lower;
    d->upper[d->row_count] = upper;
    d->give[d->row_count++] = give;
    return row;
}

static double clampTo(double v, double most)
{
    return v < -most ? -most : v > most ? most : v;
}

// A coordinate, or an angle of a ball joint, with its limits.
typedef struct Limited {
    double lower, upper; // infinite = none
    double frequency;    // of the limits, Hz
    double most;         // largest acceleration
    double at, rate;
} Limited;

// Part of the largest acceleration that braking counts on: the rest is for what it cannot foresee.
#define BRAKING 0.8

// The largest acceleration towards a limit `room` ahead at the step's end: what something
// critically damped that rests there would have, and no more than leaves time to brake.
static double mostTowards(const Limited* l, double h, double room, double rate)
{
    double most = snTrack(l->frequency, h, room, -rate, 0);
    if (l->most < (double)INFINITY) {
        double fastest = sqrt(2 * BRAKING * l->most * (room > 0 ? room : 0));
        double brake = (fastest - rate) / h;
        most = brake < most ? brake : most;
    }
    return clampTo(most, l->most);
}

// Adds the row of a limited angle, `now` being its acceleration at x = 0; NULL when there is no
// limit.
static double* addLimit(snDirect* d, const Limited* l, const snStep* step, double now)
{
    double none = (double)INFINITY, end = l->at + timeLeft(step) * l->rate;
    double least = -l->most, most = l->most;
    if (l->lower > -none) {
        least = -mostTowards(l, step->h, end - l->lower, -l->rate);
    }
    if (l->upper < none) {
        most = mostTowards(l, step->h, l->upper - end, l->rate);
    }
    if (least == -none && most == none) {
        return NULL;
    }
    // two limits closer than a step can tell ask for opposite things
    double mid = 0.5 * (least + most);
    return addRow(d, (least < most ? least : mid) - now, (least < most ? most : mid) - now, GIVE);
}

// An angle of a ball joint that grows along `gradient`.
static void boundAngle(snDirect* d, Limited l, const snStep* step, snVec3 gradient,
                       const double* qd, const double* base, int32_t column)
{
    l.rate = snDot(gradient, snLoad3(qd));
    double* row =
        snLengthSq(gradient) > 0 ? addLimit(d, &l, step, snDot(gradient, snLoad3(base))) : NULL;
    if (row) {
        snStore3(row + column, gradient);
    }
}

// Swing and twist, with the gradients that skel/passive.c derives.
static void boundBall(snDirect* d, const snBone* b, const snBoneDef* def, const snStep* step,
                      const double* q, const double* qd, double most, int32_t column)
{
    const double* base = d->base + b->vi;
    snQuat r = snLoadQ(q);
    snVec3 moved = snQRotate(r, b->axis), normal = snCross(b->axis, moved);
    double cosine = snDot(b->axis, moved), swing = snAtan2(snLength(normal), cosine);
    Limited l = {-(double)INFINITY, def->swing, def->limit_frequency, most, swing, 0};
    boundAngle(d, l, step, snNormalize(normal), qd, base, column);
    if (cosine > -0.8) { // beyond, near half a turn of swing, the twist has no meaning
        double twist = 2 * snAtan2(snDot(snV3(r.x, r.y, r.z), b->axis), r.w);
        twist -= twist > SN_PI ? 2 * SN_PI : twist < -SN_PI ? -2 * SN_PI : 0;
        l.lower = def->dof[0].lower, l.upper = def->dof[0].upper, l.at = twist;
        snVec3 along = snScale(1 / (1 + cosine), snAdd(b->axis, moved));
        boundAngle(d, l, step, along, qd, base, column);
    }
}

// Limits and largest acceleration of one coordinate; those of a ball's are its swing and twist.
static void boundCoordinate(snDirect* d, const snWorkspace* ws, const snStep* step, int32_t bone,
                            int32_t k, double most, int32_t column)
{
    const snBone* b = &ws->skeleton->bones[bone];
    const snBoneDef* def = &ws->skeleton->defs[bone];
    double none = (double)INFINITY;
    Limited l = {-none, none, def->limit_frequency, most, 0, ws->qd_mid[b->vi + k]};
    if (b->ball < 0) {
        l.lower = def->dof[k].lower, l.upper = def->dof[k].upper, l.at = ws->q_mid[b->qi + k];
    }
    double* row = addLimit(d, &l, step, d->base[b->vi + k]);
    if (row) {
        row[column] = 1;
    }
}

static void addBounds(snDirect* d, const snWorkspace* ws, const snStep* step,
                      const snDirectTask* task)
{
    const snSkeleton* s = ws->skeleton;
    int32_t column = 0, n = d->affine.count;
    d->row_count = 0;
    for (int32_t i = 0; i < s->bone_count; ++i) {
        const snBone* b = &s->bones[i];
        if (!task->active[i]) {
            continue;
        }
        if (b->type == sn_jointBall && b->passive >= 0 && s->passives[b->passive].ball_limits) {
            boundBall(d, b, &s->defs[i], step, ws->q_mid + b->qi, ws->qd_mid + b->vi,
                      task->most_acceleration[b->vi], column);
        }
        for (int32_t k = 0; k < b->nv; ++k, ++column) {
            double most = task->most_torque[b->vi + k], tau = d->affine.tau0[b->vi + k];
            boundCoordinate(d, ws, step, i, k, task->most_acceleration[b->vi + k], column);
            if (most < (double)INFINITY) {
                memcpy(addRow(d, -most - tau, most - tau, 0), d->affine.T + (ptrdiff_t)column * n,
                       (size_t)n * sizeof(double));
            }
        }
    }
}

// The commands ----------------------------------------------------------------

static bool isTorque(const snDirectTask* task, const snBone* b)
{
    bool torque = task->torques;
    for (int32_t k = b->vi; k < b->vi + b->nv; ++k) {
        torque = torque || task->most_torque[k] < (double)INFINITY;
    }
    return torque;
}

static void writeCommands(const snDirect* d, snWorkspace* ws, const snDirectTask* task,
                          const snCommandArrays* arrays)
{
    int32_t column = 0, n = d->affine.count;
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        const snBone* b = &ws->skeleton->bones[i];
        if (!task->active[i]) {
            continue;
        }
        bool torque = isTorque(task, b);
        arrays->mode[i] = torque ? sn_modeTorque : sn_modeAcceleration;
        ws->prescribed[i] = !torque;
        ws->servo[i] = 0;
        for (int32_t k = b->vi; k < b->vi + b->nv; ++k, ++column) {
            const double* row = d->affine.T + (ptrdiff_t)column * n;
            double tau = d->affine.tau0[k];
            for (int32_t j = 0; j < n; ++j) {
                tau += row[j] * d->x[j];
            }
            arrays->tau[k] = torque ? clampTo(tau, task->most_torque[k]) : 0;
            arrays->qdd[k] = ws->qdd_given[k] = torque ? 0 : d->base[k] + d->x[column];
        }
    }
}

bool snDirect_Solve(snDirect* d, snWorkspace* ws, const snStep* step, const snDirectTask* task,
                    const snJointCommand* command, const snCommandArrays* arrays)
{
    int32_t n = snDirect_Count(ws->skeleton, task->active);
    if (n == 0 || n > d->affine.most) {
        return false;
    }
    for (int32_t p = 0; p < task->pull_count; ++p) {
        d->watch[p] = task->pulls[p].bone;
    }
    snAffineQuery query = {task->active, d->base, d->watch, task->pull_count, false};
    holdPose(d, ws, step, task);
    if (!snAffine_Find(&d->affine, ws, step, command, &query)) {
        return false;
    }
    memset(d->H, 0, (size_t)n * (size_t)n * sizeof(double));
    memset(d->g, 0, (size_t)n * sizeof(double));
    for (int32_t i = 0; i < n; ++i) {
        d->H[(ptrdiff_t)i * (n + 1)] = task->hold_weight;
    }
    for (int32_t p = 0; p < task->pull_count; ++p) {
        addPull(d, ws, step, task, p);
    }
    addBounds(d, ws, step, task);
    snRowProblem problem = {n, d->row_count, d->H, d->g, d->C, d->lower, d->upper, d->give};
    // should rounding keep it from ending, what was found is still good and torques are clamped
    snRowProblem_Solve(&problem, d->x, d->work);
    writeCommands(d, ws, task, arrays);
    return true;
}
