// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/follow_drive.h"

#include <string.h>

#include "base/message.h"
#include "math/svd.h"
#include "rig/bind_pose.h"

// Nodes in a task
#define RANGE 1024

// Lead-in of a clip that is no loop, and how long it takes to stop where one is held, s
#define LEAD 0.5
#define STOP 0.1

// Of a loop: until jiggle fell to exp(-7) = 0.1 %, but not longer than this, s
#define DECADES 7.0
#define MOST_LEAD 10.0

// Frames that are shorter are mixed, s: 30 a second, with rounding. In longer ones joints may turn
// faster at one end than at the other by more than flesh should feel.
#define MIXED 0.034

// Poses ----------------------------------------------------------------------------

// x -> unit x of a map's results
static snMatrix inMetres(snMatrix m, double unit)
{
    return (snMatrix){snScale(unit, m.x), snScale(unit, m.y), snScale(unit, m.z),
                      snScale(unit, m.p)};
}

static snJointDrive driveOf(const snFollowDrive* d, int32_t node, const snMatrix* inverse,
                            double speed)
{
    snMatrix map = snMatrix_Mul(&d->nodes[node], inverse);
    snMatrix rate = snMatrix_Mul(&d->rates[node], inverse);
    snJointDrive out = {.map = inMetres(map, d->body->unit),
                        .rate = inMetres(rate, d->body->unit * speed)};
    snSvdd f = snSvd3d(snMatrix_Linear(&out.map));
    double square = snLengthSq(out.map.x) + snLengthSq(out.map.y) + snLengthSq(out.map.z);
    out.turn = snQFromMat(snMatMul(f.U, snTranspose(f.V)));
    out.scale = fmax(sqrt(square / 3), SN_FOLLOW_SMALLEST);
    return out;
}

// Nodes at a time of the clip, and the part of their rates that counts: the first pose holds before
// the clip that is no loop, its velocity growing; the pose at d->hold holds after it, its velocity
// falling.
static double poseByTrack(snFollowDrive* d, double time, bool before)
{
    const snRigTrack* track = d->track;
    double speed = 1;
    if (!track->is_loop && time < track->first) {
        double t = fmax(0, (time - track->first) / LEAD + 1);
        speed = t * t * (3 - 2 * t);
        time = track->first;
    }
    if (time > d->hold) {
        double t = fmin(1, (time - d->hold) / STOP);
        speed *= 1 - t * t * (3 - 2 * t);
        time = d->hold;
    }
    if (before) {
        snRigTrack_Before(track, time, d->nodes, d->rates);
    } else {
        snRigTrack_At(track, time, d->nodes, d->rates);
    }
    return speed;
}

static void placeJoints(snFollowDrive* d, double speed)
{
    for (int32_t j = 0; j < d->body->joint_count; ++j) {
        d->joints[j] = driveOf(d, d->body->joint[j], &d->body->inverse[j], speed);
    }
    d->root_now = driveOf(d, d->root, &d->root_inverse, speed);
}

// Nodes ----------------------------------------------------------------------------

typedef struct Pass {
    const snFollowDrive* d;
    snNodeDrive* out;
} Pass;

static snNodeDrive driveNode(const snFollowDrive* d, int32_t i)
{
    const snNodeWeights* weights = &d->body->weights[i];
    snVec3 X = d->body->tets.position[i], V = snV3(0, 0, 0), T = V;
    snQuat q = snQ(0, 0, 0, 0), first = d->joints[weights->joint[0]].turn;
    double scale = 0, sum = 0;
    bool posed = d->body->def.shape > 0; // else nobody asks where targets are
    for (int k = 0; k < SN_WEIGHTS_MOST && weights->joint[k] >= 0; ++k) {
        const snJointDrive* j = &d->joints[weights->joint[k]];
        double w = (double)weights->weight[k], s = snQDot(first, j->turn) < 0 ? -w : w;
        q = snQ(q.x + s * j->turn.x, q.y + s * j->turn.y, q.z + s * j->turn.z, q.w + s * j->turn.w);
        V = snMulAdd(V, w, snMatrix_Point(&j->rate, X));
        T = posed ? snMulAdd(T, w, snSub(snMatrix_Point(&j->map, X), d->root_now.map.p)) : T;
        scale += w * j->scale;
        sum += w;
    }
    const float* painted = d->body->inertia;
    double unfelt = 1 - d->body->def.inertia * (painted ? (double)painted[i] : 1);
    V = snScale(1 / sum, V); // float weights do not quite sum up to 1
    V = unfelt != 0 ? snMulAdd(V, -unfelt, snMatrix_Point(&d->root_now.rate, X)) : V;
    q = snQNormalize(q);
    T = snScale(1 / sum, T);
    return (snNodeDrive){.qx = (float)q.x,
                         .qy = (float)q.y,
                         .qz = (float)q.z,
                         .qw = (float)q.w,
                         .scale = (float)(scale / sum),
                         .tx = (float)T.x,
                         .ty = (float)T.y,
                         .tz = (float)T.z,
                         .vx = V.x,
                         .vy = V.y,
                         .vz = V.z};
}

static void driveRange(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    int32_t begin = index * RANGE, count = pass->d->body->tets.node_count;
    int32_t end = count - begin < RANGE ? count : begin + RANGE;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        if (!pass->d->body->held[i] || pass->d->body->def.shape > 0) {
            pass->out[i] = driveNode(pass->d, i);
        }
    }
}

// With the nodes that were posed
static void driveAll(snFollowDrive* d, double speed, snNodeDrive* out, snTasks* tasks)
{
    Pass pass = {d, out};
    placeJoints(d, speed);
    snTasks_Run(tasks, (d->body->tets.node_count + RANGE - 1) / RANGE, driveRange, &pass);
}

static void driveNodes(snFollowDrive* d, double time, bool before, snNodeDrive* out, snTasks* tasks)
{
    driveAll(d, poseByTrack(d, time, before), out, tasks);
}

// Quaternions of b on the side of those of a
static void alignTurns(const snNodeDrive* a, snNodeDrive* b, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        float dot = a[i].qx * b[i].qx + a[i].qy * b[i].qy + a[i].qz * b[i].qz + a[i].qw * b[i].qw;
        if (dot < 0) {
            b[i].qx = -b[i].qx, b[i].qy = -b[i].qy, b[i].qz = -b[i].qz, b[i].qw = -b[i].qw;
        }
    }
}

// After so many intervals of the stream's frame
static void driveByStream(snFollowDrive* d, int32_t tick, snNodeDrive* out, snTasks* tasks)
{
    snFollowStream_At(d->stream, tick, d->nodes, d->rates);
    driveAll(d, 1, out, tasks);
}

// Between the ends of the frame. Joints' rates change evenly in it, and so do velocities: these are
// what they would be. Turns are between those of the ends, which a frame hardly takes apart.
static void mixNodes(const snFollowDrive* d, double part, snNodeDrive* out)
{
    const float p = (float)part, q = (float)(1 - part);
    for (int32_t i = 0; i < d->body->tets.node_count; ++i) {
        const snNodeDrive *a = &d->first[i], *b = &d->last[i];
        if (d->body->held[i]) {
            continue;
        }
        out[i] = (snNodeDrive){.qx = q * a->qx + p * b->qx,
                               .qy = q * a->qy + p * b->qy,
                               .qz = q * a->qz + p * b->qz,
                               .qw = q * a->qw + p * b->qw,
                               .scale = q * a->scale + p * b->scale,
                               .vx = (1 - part) * a->vx + part * b->vx,
                               .vy = (1 - part) * a->vy + part * b->vy,
                               .vz = (1 - part) * a->vz + part * b->vz};
    }
}

// The same with one pose a frame
static void driveByFrame(snFollowDrive* d, int32_t tick, snTasks* tasks)
{
    const int32_t ticks = d->stream->ticks, count = d->body->tets.node_count;
    if (tick == 1) {
        memcpy(d->first, d->begin, (size_t)count * sizeof *d->first);
        driveByStream(d, ticks, d->last, tasks);
        alignTurns(d->first, d->last, count);
    }
    if (tick == ticks) {
        snNodeDrive* spare = d->end;
        d->end = d->last;
        d->last = spare;
    } else {
        mixNodes(d, (double)tick / ticks, d->end);
    }
    if (d->is_watched && ticks > 1) {
        snFollowStream_At(d->stream, tick, d->nodes, d->rates);
        placeJoints(d, 1);
    }
}

static void addChange(const snFollowDrive* d, const snNodeDrive* a, const snNodeDrive* b)
{
    for (int32_t i = 0; i < d->body->tets.node_count; ++i) {
        d->change[i].x += (float)(b[i].vx - a[i].vx);
        d->change[i].y += (float)(b[i].vy - a[i].vy);
        d->change[i].z += (float)(b[i].vz - a[i].vz);
    }
}

// Intervals ------------------------------------------------------------------------

double snFollowDrive_Time(const snFollowDrive* d, int64_t tick)
{
    return (d->track ? d->track->first : 0) + (double)tick * d->interval;
}

// First and last cut after a and not after b; false when there is none
static bool findCuts(const snFollowDrive* d, double a, double b, double* first, double* last)
{
    const snRigTrack* track = d->track;
    double shift = 0, length = track->period;
    bool found = false;
    b = fmin(b, d->hold);
    if (track->is_loop) {
        shift = floor((b - track->first) / length) * length;
    }
    for (int loop = track->is_loop ? -1 : 0; loop <= 0; ++loop) {
        for (int32_t i = 0; i < track->cut_count; ++i) {
            double t = track->cuts[i] + shift + loop * length;
            if (t > a && t <= b) {
                *first = found ? *first : t;
                *last = t;
                found = true;
            }
        }
    }
    return found;
}

void snFollowDrive_Update(snFollowDrive* d, int64_t tick, snTasks* tasks)
{
    int32_t count = d->body->tets.node_count;
    double time = snFollowDrive_Time(d, tick), first, last;
    bool follows = tick == d->tick + 1;
    snNodeDrive* was = d->has_cut ? d->after : d->end;
    for (int32_t i = 0; i < count; ++i) {
        d->change[i] = (snVec4f){0, 0, 0, 0};
    }
    if (d->has_cut) {
        d->after = d->end;
    }
    d->end = d->begin;
    d->begin = was;
    d->has_cut = follows && d->track && findCuts(d, time - d->interval, time, &first, &last);
    d->tick = tick;
    if (!follows) {
        if (d->track) {
            driveNodes(d, time, false, d->begin, tasks);
        } else {
            driveByStream(d, 0, d->begin, tasks);
        }
        for (int32_t i = 0; i < count; ++i) {
            d->end[i] = d->begin[i];
        }
        return;
    }
    int32_t of_frame = d->track ? 0 : (int32_t)((tick - 1) % d->stream->ticks) + 1;
    if (d->mixes) {
        driveByFrame(d, of_frame, tasks);
    } else if (!d->track) {
        driveByStream(d, of_frame, d->end, tasks);
    } else if (d->has_cut) { // up to the cut, and from the last one on
        driveNodes(d, last, false, d->end, tasks);
        driveNodes(d, time, false, d->after, tasks);
        addChange(d, d->end, d->after);
        driveNodes(d, first, true, d->end, tasks);
    } else {
        driveNodes(d, time, false, d->end, tasks);
    }
    alignTurns(d->begin, d->end, count);
    addChange(d, d->begin, d->end);
}

void snFollowDrive_Cut(snFollowDrive* d, snTasks* tasks)
{
    driveByStream(d, 0, d->after, tasks);
}

snVec4f snFollowDrive_AcrossCut(const snFollowDrive* d, int32_t node, snVec4f v)
{
    const snNodeDrive *a = &d->end[node], *b = &d->after[node];
    snQuat p = snQ((double)a->qx, (double)a->qy, (double)a->qz, (double)a->qw);
    snQuat q = snQ((double)b->qx, (double)b->qy, (double)b->qz, (double)b->qw);
    if (d->body->held[node]) {
        return v;
    }
    snVec3 turned = snQRotate(snQMul(q, snQConj(p)), snV3((double)v.x, (double)v.y, (double)v.z));
    turned = snScale((double)(b->scale / a->scale), turned);
    return (snVec4f){(float)turned.x, (float)turned.y, (float)turned.z, 0};
}

// Making ---------------------------------------------------------------------------

// The first node from the root on that the clip moves, without one the first joint, on which most
// joints of the body hang; else the first joint
static int32_t findRoot(const snRigBody* body, const snRigTrack* track)
{
    int32_t count = track ? track->curve_count : body->joint_count;
    for (int32_t c = 0; c < count; ++c) {
        int32_t node = track ? track->curves[c].node : body->joint[c], carried = 0;
        if (track && track->curves[c].curve.count <= 1) {
            continue;
        }
        for (int32_t j = 0; j < body->joint_count; ++j) {
            int32_t up = body->joint[j];
            while (up > node) { // parents come first
                up = body->rig->nodes[up].parent;
            }
            carried += up == node;
        }
        if (2 * carried > body->joint_count) {
            return node;
        }
    }
    return body->joint[0];
}

static snStatus findInverse(snFollowDrive* d, snMessage* why)
{
    const snRig* rig = d->body->rig;
    size_t bytes = (size_t)rig->info.node_count * sizeof(snMatrix);
    snMatrix* bind = snHost_Allocate(&rig->host, bytes);
    bool ok = true;
    if (!bind) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snStatus status = snRig_BindPose(rig, bind, why);
    if (!status) {
        double k = 1 / d->body->unit;
        snMatrix M = snMatrix_Inverse(&bind[d->root], &ok);
        d->root_inverse = (snMatrix){snScale(k, M.x), snScale(k, M.y), snScale(k, M.z), M.p};
    }
    snHost_Release(&rig->host, bind, bytes);
    return !ok ? snFail(why, sn_errorArgument, "node '%s' is flat in the bind pose",
                        rig->nodes[d->root].name)
               : status;
}

snStatus snFollowDrive_Build(snFollowDrive* d, snArena* arena, const snRigBody* body,
                             const snRigTrack* track, double hold, double decay, snMessage* why)
{
    size_t n = (size_t)body->tets.node_count, nodes = (size_t)body->rig->info.node_count;
    d->body = body;
    d->track = track;
    d->hold = !track || track->is_loop ? hold : fmin(hold, track->last);
    double lead = !track ? 0 : track->is_loop ? fmin(DECADES / decay, MOST_LEAD) : LEAD;
    d->lead = (int32_t)ceil(lead / d->interval);
    d->root = findRoot(body, track);
    d->begin = snArena_Push(arena, n, sizeof *d->begin);
    d->end = snArena_Push(arena, n, sizeof *d->end);
    d->after = snArena_Push(arena, n, sizeof *d->after);
    d->change = snArena_Push(arena, n, sizeof *d->change);
    bool often = !track && d->stream->ticks * d->interval < MIXED;
    d->mixes = often && body->def.shape == 0; // else targets' places are needed, too
    d->first = d->mixes ? snArena_Push(arena, n, sizeof *d->first) : NULL;
    d->last = d->mixes ? snArena_Push(arena, n, sizeof *d->last) : NULL;
    d->nodes = snArena_Push(arena, nodes, sizeof *d->nodes);
    d->rates = snArena_Push(arena, nodes, sizeof *d->rates);
    d->joints = snArena_Push(arena, (size_t)body->joint_count, sizeof *d->joints);
    return arena->failed ? snFail(why, sn_errorMemory, "no memory for the flesh")
                         : findInverse(d, why);
}
