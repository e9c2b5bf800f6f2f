// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a clip makes of the nodes of a rig's body: how their joints turn and scale them, where their
// targets are and how fast, at both ends of an interval of time.
#ifndef SN_SIM_FOLLOW_DRIVE_H
#define SN_SIM_FOLLOW_DRIVE_H

#include "base/tasks.h"
#include "character/body.h"
#include "rig/track.h"
#include "sim/follow_stream.h"

// Smaller scales of joints count as this: what has shrunk to nothing does not fly apart.
#define SN_FOLLOW_SMALLEST 0.01

// A node at one end
typedef struct snNodeDrive {
    float qx, qy, qz, qw; // rotation
    float scale;
    float tx, ty, tz;  // target less the root's place, m; only if the posed shape counts
    double vx, vy, vz; // velocity of the target, less the share of the root's that is not felt, m/s
} snNodeDrive;

// A rotation and a scale
typedef struct snTurn {
    float m00, m01, m02, m10, m11, m12, m20, m21, m22, scale;
} snTurn;

typedef struct snJointDrive {
    snMatrix map;  // from the bind pose to the world, m
    snMatrix rate; // its derivative, 1/s
    snQuat turn;
    double scale;
} snJointDrive;

typedef struct snFollowDrive {
    const snRigBody* body;
    const snRigTrack* track;      // NULL: poses are fed
    const snFollowStream* stream; // those; set before Build
    double interval;              // s; set before Build
    double hold;                  // the clip stops here, s
    int32_t lead;                 // intervals of the lead-in
    int32_t root;                 // joint of the rig that carries the body
    snMatrix root_inverse;
    // now
    int64_t tick;              // of `end`
    bool has_cut;              // in the interval
    bool mixes;                // fed poses: a frame's intervals lie between its ends' nodes
    bool is_watched;           // nodes and joints are read; else they may be those of another tick
    snNodeDrive *begin, *end;  // (node_count)
    snNodeDrive* after;        // past the cut
    snNodeDrive *first, *last; // at both ends of the frame, if it mixes
    snVec4f* change;           // of velocity in the interval, m/s; (node_count)
    // workspace
    snMatrix *nodes, *rates; // (rig's nodes)
    snJointDrive* joints;    // (joint_count)
    snJointDrive root_now;
} snFollowDrive;

// track: NULL: the stream's poses. decay: of jiggle, 1/s; a loop's lead-in lasts until it has died
// out. Memory is the arena's.
snStatus snFollowDrive_Build(snFollowDrive* d, snArena* arena, const snRigBody* body,
                             const snRigTrack* track, double hold, double decay, snMessage* why);

double snFollowDrive_Time(const snFollowDrive* d, int64_t tick);

// Makes the interval that ends at a tick. One after the other costs one pose each, or one a frame
// where it mixes; any other jump has both ends there.
void snFollowDrive_Update(snFollowDrive* d, int64_t tick, snTasks* tasks);

// Of fed poses, before a frame that begins with a cut: nodes past it
void snFollowDrive_Cut(snFollowDrive* d, snTasks* tasks);

// Of an interval with a cut: a vector that goes along with the node's joints across it
snVec4f snFollowDrive_AcrossCut(const snFollowDrive* d, int32_t node, snVec4f v);

// Rotation and scale in the interval: quaternions mixed and made unit. Both ends are on one side.
static inline snTurn snFollowDrive_Turn(const snFollowDrive* d, int32_t node, float part)
{
    const snNodeDrive *a = &d->begin[node], *b = &d->end[node];
    float p = 1 - part;
    float x = p * a->qx + part * b->qx, y = p * a->qy + part * b->qy;
    float z = p * a->qz + part * b->qz, w = p * a->qw + part * b->qw;
    float k = 2 / (x * x + y * y + z * z + w * w);
    return (snTurn){.m00 = 1 - k * (y * y + z * z),
                    .m01 = k * (x * y - z * w),
                    .m02 = k * (x * z + y * w),
                    .m10 = k * (x * y + z * w),
                    .m11 = 1 - k * (x * x + z * z),
                    .m12 = k * (y * z - x * w),
                    .m20 = k * (x * z - y * w),
                    .m21 = k * (y * z + x * w),
                    .m22 = 1 - k * (x * x + y * y),
                    .scale = p * a->scale + part * b->scale};
}

static inline float snFollowDrive_Scale(const snFollowDrive* d, int32_t node, float part)
{
    return (1 - part) * d->begin[node].scale + part * d->end[node].scale;
}

// The target less the root's place, m
static inline snVec4f snFollowDrive_Target(const snFollowDrive* d, int32_t node, float part)
{
    const snNodeDrive *a = &d->begin[node], *b = &d->end[node];
    float p = 1 - part;
    return (snVec4f){p * a->tx + part * b->tx, p * a->ty + part * b->ty, p * a->tz + part * b->tz,
                     0};
}

#endif
