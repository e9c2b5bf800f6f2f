// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/clip_rig.h"

#include <string.h>

#include "math/transform.h"
#include "rig/bind_pose.h"
#include "rig/pose.h"

// Frames a second: at least what hands need, at most what recordings have
#define SLOWEST 30.0
#define FASTEST 120.0

#define MOST_FRAMES 1000000

// Of rotations' components, and of places over the farthest place there is
#define STILL 1e-6

void snRigBones_Find(const snRig* rig, uint8_t* out)
{
    int32_t count = rig->info.node_count;
    for (int32_t n = 0; n < count; ++n) {
        out[n] = rig->info.joint_count == 0 || rig->nodes[n].is_joint;
    }
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        int32_t n = rig->instances[i].info.node;
        out[n] = out[n] && rig->info.joint_count > 0;
    }
    for (int32_t n = count; n-- > 0 && rig->info.joint_count > 0;) {
        if (out[n] && rig->nodes[n].parent >= 0) {
            out[rig->nodes[n].parent] = 1;
        }
    }
}

// As often as the channel with most keys, evenly
static double rateOf(const snRigClipData* motion)
{
    double duration = motion->info.duration, most = 0;
    for (int32_t i = 0; i < motion->info.channel_count; ++i) {
        most = fmax(most, motion->channels[i].key_count - 1);
    }
    return duration > 0 ? fmin(FASTEST, fmax(SLOWEST, most / duration)) : SLOWEST;
}

// Joints of bones, parents first. node: of each; place: of each node, or -1. Returns their number.
static int32_t listJoints(const snRig* rig, const uint8_t* is_bone, int32_t* node, int32_t* place)
{
    int32_t count = 0;
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        place[n] = is_bone[n] ? count : -1;
        if (is_bone[n]) {
            node[count++] = n;
        }
    }
    return count;
}

// VRM's names of what the dictionary knows
static void callHumans(const snRig* rig, const int32_t* place, snClip* c)
{
    for (int32_t i = 0; i < rig->info.human_count; ++i) {
        const snRigHuman* h = &rig->humans[i];
        int32_t root = -1, role, joint = place[h->node];
        snRoles_Find(&h->bone, &root, 1, &role);
        if (joint >= 0 && role != sn_partNone) {
            c->alias[joint] = snArena_String(&c->arena, h->bone, strlen(h->bone));
        }
    }
}

// Rigid poses of a frame, against the next joint above
static void takeFrame(snClip* c, int32_t frame, const int32_t* node, const snMatrix* world,
                      snTransform* pose)
{
    for (int32_t j = 0; j < c->info.joint_count; ++j) {
        snVec3 scale;
        (void)snMatrix_Split(&world[node[j]], &pose[j].p, &pose[j].q, &scale);
        int32_t parent = c->joints[j].parent;
        snTransform local = parent < 0 ? pose[j] : snTMul(snTInverse(pose[parent]), pose[j]);
        c->turn[(size_t)frame * (size_t)c->info.joint_count + (size_t)j] = snQNormalize(local.q);
        c->place[j][frame] = local.p;
        if (frame == 0) {
            c->joints[j].offset = local.p;
        }
    }
}

static snStatus nameJoints(const snRig* rig, const int32_t* node, const int32_t* place, snClip* c,
                           snMessage* why)
{
    for (int32_t j = 0; j < c->info.joint_count; ++j) {
        const snRigNode* n = &rig->nodes[node[j]];
        int32_t parent = n->parent;
        while (parent >= 0 && place[parent] < 0) {
            parent = rig->nodes[parent].parent;
        }
        c->joints[j] = (snClipJoint){.name = snArena_String(&c->arena, n->name, strlen(n->name)),
                                     .parent = parent < 0 ? -1 : place[parent]};
        c->place[j] = snArena_Push(&c->arena, (size_t)c->info.frame_count, sizeof(snVec3));
    }
    callHumans(rig, place, c);
    return c->arena.failed ? snFail(why, sn_errorMemory, "out of memory") : sn_ok;
}

static snStatus fill(snArena* scratch, const snHost* host, const snRig* rig,
                     const snRigClipData* motion, snClip** out, snMessage* why)
{
    size_t nodes = (size_t)rig->info.node_count;
    uint8_t* is_bone = snArena_Push(scratch, nodes, 1);
    int32_t* node = snArena_Push(scratch, nodes, sizeof *node);
    int32_t* place = snArena_Push(scratch, nodes, sizeof *place);
    snMatrix* world = snArena_Push(scratch, nodes, sizeof *world);
    snTransform* pose = snArena_Push(scratch, nodes, sizeof *pose);
    double frames = floor(motion->info.duration * rateOf(motion) + 0.5);
    if (scratch->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    if (!(frames < MOST_FRAMES)) {
        return snFail(why, sn_errorFile, "clip '%.100s' lasts %g s, which is too long",
                      motion->info.name, motion->info.duration);
    }
    int32_t played = (int32_t)fmax(1, frames) + 1;
    snRigBones_Find(rig, is_bone);
    snClip* c = snClip_New(host, listJoints(rig, is_bone, node, place), played + 1);
    if (!c) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    *out = c;
    c->is_rest_unsure = rig->info.skin_count == 0;
    c->info.channel_count = motion->info.channel_count;
    c->info.rate = motion->info.duration > 0 ? (played - 1) / motion->info.duration : SLOWEST;
    snStatus status = nameJoints(rig, node, place, c, why);
    status = status ? status : snRig_BindPose(rig, world, why);
    for (int32_t f = 0; f <= played && !status; ++f) {
        if (f > 0) {
            double time = motion->info.first + (f - 1) / c->info.rate;
            snRigClipData_World(rig, motion, fmin(time, motion->info.last), world, NULL);
        }
        takeFrame(c, f, node, world, pose);
    }
    return status;
}

snStatus snClip_OfRig(const snHost* host, const snRig* rig, int32_t clip, snClip** out,
                      snMessage* why)
{
    snArena scratch;
    *out = NULL;
    snArena_Init(&scratch, host);
    snStatus status = fill(&scratch, host, rig, &rig->clips[clip], out, why);
    snArena_Free(&scratch);
    if (status) {
        snClip_Free(*out);
        *out = NULL;
    }
    return status;
}

bool snClip_IsStill(const snClip* c)
{
    size_t joints = (size_t)c->info.joint_count, first = (size_t)c->info.first;
    for (size_t j = 0; j < joints; ++j) {
        snQuat q = c->turn[first * joints + j];
        snVec3 p = c->place[j] ? c->place[j][first] : snV3(0, 0, 0);
        for (size_t f = first; f < (size_t)c->info.frame_count; ++f) {
            if (fabs(snQDot(q, c->turn[f * joints + j])) < 1 - STILL ||
                (c->place[j] && snLength(snSub(c->place[j][f], p)) > STILL * (1 + snLength(p)))) {
                return false;
            }
        }
    }
    return true;
}
