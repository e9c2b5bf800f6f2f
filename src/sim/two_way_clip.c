// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/two_way_clip.h"

#include <stdio.h>
#include <string.h>

#include "math/svd.h"
#include "rig/pose.h"
#include "skel/joint.h"

// What a run left the clip by
typedef struct Left {
    snVec3 turn; // rotation vector after the clip's own turn
    snVec3 way;  // of the root, along its own axes, in the file's unit
} Left;

typedef struct Player {
    snArena* arena;
    snArena scratch;
    const snTwoWayDef* def;
    const snRig* rig;
    const snRigClipData* clip;
    const snRigJoints* joints;
    int32_t frames;
    Left* left;          // (frames, joint count)
    float* times;        // (frames)
    float** turns;       // keys of nodes; NULL: they are the clip's own; (node_count)
    float** ways;        // likewise
    snMatrix *was, *now; // of nodes in the world; (node_count)
    snRigParts* parts;   // (node_count)
    snJointFrame* out;   // of joints; (joint count)
    snMessage* why;
} Player;

static snStatus failMemory(const Player* p)
{
    return snFail(p->why, sn_errorMemory, "no memory for the clip");
}

// Playing --------------------------------------------------------------------------

static void readFrame(const Player* p, const snTwoWay* two, Left* out)
{
    const snRigSkeleton* rig_skeleton = snTwoWay_Skeleton(two);
    const double *q = snTwoWay_State(two), *goal = snTwoWay_Goal(two);
    for (int32_t b = 0; b < p->joints->count; ++b) {
        const snRigJoint* j = &p->joints->joints[b];
        int32_t at = rig_skeleton->skeleton->bones[b].qi;
        out[b] = (Left){{0, 0, 0}, {0, 0, 0}};
        if (j->type == sn_jointRevolute) {
            out[b].turn = snScale(q[at] - goal[at], j->axis);
        } else if (j->type == sn_jointBall) {
            out[b].turn = snQLog(snQMul(snQConj(snLoadQ(goal + at)), snLoadQ(q + at)));
        } else if (j->parent < 0) {
            snQuat back = snQConj(snLoadQ(goal + at + 3));
            snVec3 way = snSub(snLoad3(q + at), snLoad3(goal + at));
            out[b].turn = snQLog(snQMul(back, snLoadQ(q + at + 3)));
            out[b].way = snScale(1 / p->def->body->unit, snQRotate(back, way));
        }
    }
}

static snStatus play(Player* p, const snHost* host, snTwoWayWatchFcn* watch, void* user,
                     snTwoWayFacts* facts)
{
    snTwoWay* two;
    bool stopped = false;
    snStatus status = snTwoWay_Create(host, p->def, &two, p->why);
    if (status) {
        return status;
    }
    snTwoWay_Begin(two);
    for (int32_t k = 0; k < p->frames && !stopped; ++k) {
        if (k > 0) {
            snTwoWay_Advance(two);
        }
        readFrame(p, two, p->left + (ptrdiff_t)k * p->joints->count);
        stopped = watch && !watch(user, k, p->frames);
    }
    if (facts) {
        *facts = snTwoWay_Facts(two);
    }
    snTwoWay_Free(two);
    return stopped ? snFail(p->why, sn_errorInterrupted, "interrupted: nothing is written yet")
                   : sn_ok;
}

// Both ends of a loop become the same.
static void closeLoop(Player* p)
{
    int32_t count = p->joints->count, last = p->frames - 1;
    for (int32_t b = 0; b < count; ++b) {
        const Left *first = &p->left[b], *end = &p->left[(ptrdiff_t)last * count + b];
        snVec3 turn = snSub(end->turn, first->turn), way = snSub(end->way, first->way);
        for (int32_t k = 0; k <= last; ++k) {
            Left* at = &p->left[(ptrdiff_t)k * count + b];
            at->turn = snMulAdd(at->turn, -(double)k / last, turn);
            at->way = snMulAdd(at->way, -(double)k / last, way);
        }
    }
}

// Poses ----------------------------------------------------------------------------

// Where a frame puts all nodes: each goes rigidly with its joint from where the clip has it.
static void poseFrame(Player* p, int32_t frame, double time)
{
    const Left* left = p->left + (ptrdiff_t)frame * p->joints->count;
    snRigClipData_World(p->rig, p->clip, time, p->was, NULL);
    snRigClipData_Local(p->rig, p->clip, time, p->parts, NULL);
    for (int32_t b = 0; b < p->joints->count; ++b) {
        const snRigJoint* j = &p->joints->joints[b];
        snJointFrame own = snRigJoint_Frame(j, p->was), *out = &p->out[b];
        snQuat turn = snQExp(left[b].turn);
        if (j->parent < 0) {
            out->q = snQMul(own.q, turn);
            out->p = snAdd(own.p, snQRotate(own.q, left[b].way));
        } else {
            snJointFrame up = snRigJoint_Frame(&p->joints->joints[j->parent], p->was);
            snJointFrame seen = snJointFrame_From(&up, &own), *on = &p->out[j->parent];
            out->q = snQMul(on->q, snQMul(seen.q, turn));
            out->p = snAdd(on->p, snQRotate(on->q, seen.p));
        }
    }
    for (int32_t n = 0; n < p->rig->info.node_count; ++n) {
        int32_t b = p->joints->of_node[n];
        p->now[n] = p->was[n];
        if (b >= 0) {
            snJointFrame own = snRigJoint_Frame(&p->joints->joints[b], p->was);
            snMat3 R = snMatFromQ(snQMul(p->out[b].q, snQConj(own.q)));
            snVec3 move = snSub(p->out[b].p, snMatVec(R, own.p));
            snMatrix rigid = snMatrix_Make(R, move);
            p->now[n] = snMatrix_Mul(&rigid, &p->was[n]);
        }
    }
}

static bool localOf(const Player* p, const snMatrix* world, int32_t node, snMatrix* out)
{
    int32_t parent = p->rig->nodes[node].parent;
    bool ok = true;
    *out = world[node];
    if (parent >= 0) {
        snMatrix back = snMatrix_Inverse(&world[parent], &ok);
        *out = snMatrix_Mul(&back, &world[node]);
    }
    return ok;
}

static void addKeys(const Player* p, int32_t frame, int32_t node)
{
    snMatrix was, now;
    snQuat turn = p->parts[node].rotation;
    snVec3 way = p->parts[node].translation;
    if (localOf(p, p->was, node, &was) && localOf(p, p->now, node, &now)) {
        snQuat a = snQFromMat(snPolar3d(snMatrix_Linear(&was)).R);
        snQuat b = snQFromMat(snPolar3d(snMatrix_Linear(&now)).R);
        turn = snQNormalize(snQMul(snQMul(b, snQConj(a)), turn));
        way = now.p;
    }
    if (p->turns[node]) {
        float* to = p->turns[node] + 4 * (ptrdiff_t)frame;
        to[0] = (float)turn.x, to[1] = (float)turn.y, to[2] = (float)turn.z, to[3] = (float)turn.w;
    }
    if (p->ways[node]) {
        float* to = p->ways[node] + 3 * (ptrdiff_t)frame;
        to[0] = (float)way.x, to[1] = (float)way.y, to[2] = (float)way.z;
    }
}

// The motion -----------------------------------------------------------------------

// Which nodes get keys of their own
static snStatus chooseNodes(Player* p)
{
    size_t frames = (size_t)p->frames;
    for (int32_t b = 0; b < p->joints->count; ++b) {
        const snRigJoint* j = &p->joints->joints[b];
        int32_t above = p->rig->nodes[j->node].parent;
        bool elsewhere = (above >= 0 ? p->joints->of_node[above] : -1) != j->parent;
        bool turns = j->type == sn_jointRevolute || j->type == sn_jointBall;
        if (!elsewhere && !turns && j->parent >= 0) {
            continue;
        }
        if (p->rig->nodes[j->node].has_matrix) {
            return snFail(p->why, sn_errorUnsupported,
                          "node '%.60s' is given as a matrix, which no clip may move", j->name);
        }
        p->turns[j->node] = snArena_Push(p->arena, 4 * frames, sizeof(float));
        if (elsewhere || j->parent < 0) {
            p->ways[j->node] = snArena_Push(p->arena, 3 * frames, sizeof(float));
        }
    }
    return p->arena->failed ? failMemory(p) : sn_ok;
}

static const snRigChannel* channelOf(const snRigClipData* clip, int32_t node, int32_t path)
{
    for (int32_t i = 0; i < clip->info.channel_count; ++i) {
        if (clip->channels[i].node == node && clip->channels[i].path == path) {
            return &clip->channels[i];
        }
    }
    return NULL;
}

static snRigChannel ownChannel(const Player* p, int32_t node, int32_t path, const float* values)
{
    return (snRigChannel){.node = node,
                          .path = path,
                          .interpolation = sn_interpolateLinear,
                          .key_count = p->frames,
                          .width = path == sn_pathRotation ? 4 : 3,
                          .times = p->times,
                          .values = values};
}

// The clip's name, or its number as text; "" = it is none of the rig's
static const char* nameOf(const Player* p, char number[16])
{
    number[0] = 0;
    for (int32_t i = 0; i < p->rig->info.clip_count; ++i) {
        if (&p->rig->clips[i] == p->clip) {
            snprintf(number, 16, "%d", (int)i);
        }
    }
    return p->clip->info.name[0] ? p->clip->info.name : number;
}

static snStatus fillMotion(const Player* p, snRigClipData* out)
{
    static const char NAME[] = "%s (two-way)";
    char number[16];
    const char* name = nameOf(p, number);
    size_t nodes = (size_t)p->rig->info.node_count;
    size_t length = strlen(name) + sizeof NAME;
    char* text = snArena_Push(p->arena, length, 1);
    *out = (snRigClipData){.info = p->clip->info};
    out->channels = snArena_Push(p->arena, 3 * nodes, sizeof *out->channels);
    if (!text || !out->channels) {
        return failMemory(p);
    }
    snprintf(text, length, name[0] ? NAME : "(two-way)", name);
    out->info.name = text;
    out->info.channel_count = 0;
    for (int32_t n = 0; n < p->rig->info.node_count; ++n) {
        for (int32_t path = 0; path < sn_pathWeights; ++path) {
            const float* own = path == sn_pathRotation      ? p->turns[n]
                               : path == sn_pathTranslation ? p->ways[n]
                                                            : NULL;
            const snRigChannel* was = channelOf(p->clip, n, path);
            if (own) {
                out->channels[out->info.channel_count++] = ownChannel(p, n, path, own);
            } else if (was) {
                out->channels[out->info.channel_count++] = *was;
            }
        }
    }
    return sn_ok;
}

static snStatus pushArrays(Player* p)
{
    size_t nodes = (size_t)p->rig->info.node_count, joints = (size_t)p->joints->count;
    p->left = snArena_Push(&p->scratch, (size_t)p->frames * joints, sizeof *p->left);
    p->was = snArena_Push(&p->scratch, nodes, sizeof *p->was);
    p->now = snArena_Push(&p->scratch, nodes, sizeof *p->now);
    p->parts = snArena_Push(&p->scratch, nodes, sizeof *p->parts);
    p->out = snArena_Push(&p->scratch, joints, sizeof *p->out);
    p->turns = snArena_Push(&p->scratch, nodes, sizeof *p->turns);
    p->ways = snArena_Push(&p->scratch, nodes, sizeof *p->ways);
    p->times = snArena_Push(p->arena, (size_t)p->frames, sizeof *p->times);
    return p->scratch.failed || p->arena->failed ? failMemory(p) : sn_ok;
}

snStatus snTwoWay_Perform(snArena* arena, const snHost* host, const snTwoWayDef* def,
                          snTwoWayWatchFcn* watch, void* user, snRigClipData* out,
                          snTwoWayFacts* facts, snMessage* why)
{
    const snRigTrack* track = def->track;
    double span = track->last - track->first;
    Player p = {.arena = arena,
                .def = def,
                .rig = track->rig,
                .clip = track->clip,
                .joints = def->joints,
                .frames = (int32_t)floor(span * def->rate + 0.5) + 1,
                .why = why};
    snArena_Init(&p.scratch, &arena->host);
    snStatus status = pushArrays(&p);
    status = status ? status : chooseNodes(&p);
    status = status ? status : play(&p, host, watch, user, facts);
    if (!status && track->is_loop && !track->is_open && !def->is_free && p.frames > 1) {
        closeLoop(&p);
    }
    for (int32_t k = 0; k < p.frames && !status; ++k) {
        double time = k == p.frames - 1 ? track->last : track->first + k / def->rate;
        p.times[k] = (float)time;
        poseFrame(&p, k, time);
        for (int32_t n = 0; n < p.rig->info.node_count; ++n) {
            if (p.turns[n]) {
                addKeys(&p, k, n);
            }
        }
    }
    status = status ? status : fillMotion(&p, out);
    snArena_Free(&p.scratch);
    return status;
}
