// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/motion.h"

#include "math/trig.h"
#include "rig/curve.h"
#include "rig/pose.h"

#define RATE 60.0 // keys a second

#define HOP 0.15   // of the height
#define FLIGHT 0.6 // s, of each second
#define SHAKE 0.08 // of the width
#define SHAKE_HZ 2.0
#define TURN (SN_PI / 3)
#define TURN_HZ 1.25

static const double SECONDS[sn_motionCount] = {0, 2, 2, 2.4};

const char* snMotion_Name(int32_t motion)
{
    static const char* const NAMES[] = {NULL, "hop", "shake", "turn"};
    return motion > sn_motionNone && motion < sn_motionCount ? NAMES[motion] : NULL;
}

// Where the body is: turned about the vertical, then moved
typedef struct Place {
    double turn;
    snVec3 move;
} Place;

static Place placeAt(const snRig* rig, int32_t motion, double t)
{
    snVec3 side = snSub(rig->info.high, rig->info.low);
    double longest = fmax(fmax(side.x, side.y), side.z);
    Place at = {0, {0, 0, 0}};
    if (motion == sn_motionHop) {
        double part = (t - floor(t)) / FLIGHT, high = HOP * fmax(side.y, longest / 3);
        at.move.y = part < 1 ? high * (1 - snCos(2 * SN_PI * part)) / 2 : 0;
    } else if (motion == sn_motionShake) {
        at.move.x = SHAKE * fmax(side.x, longest / 3) * snSin(2 * SN_PI * SHAKE_HZ * t);
    } else {
        snVec3 middle = snScale(0.5, snAdd(rig->info.high, rig->info.low));
        at.turn = TURN * snSin(2 * SN_PI * TURN_HZ * t);
        snVec3 goes = snQRotate(snQFromAxisAngle(snV3(0, 1, 0), at.turn), middle);
        at.move = snV3(middle.x - goes.x, 0, middle.z - goes.z);
    }
    return at;
}

static bool isBelow(const snRig* rig, int32_t node, int32_t above)
{
    while (node > above) { // parents come first
        node = rig->nodes[node].parent;
    }
    return node == above;
}

// The node on which most of what one sees hangs, the lowest one. Nodes that the file gives as a
// matrix may not be moved by clips.
static int32_t findCarrier(const snRig* rig, int32_t* carried)
{
    int32_t nodes = rig->info.node_count, best = -1;
    for (int32_t n = 0; n < nodes; ++n) {
        carried[n] = rig->nodes[n].is_joint != 0;
    }
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        carried[rig->instances[i].info.node] += rig->instances[i].info.skin < 0;
    }
    for (int32_t n = nodes; n-- > 0;) {
        if (rig->nodes[n].parent >= 0) {
            carried[rig->nodes[n].parent] += carried[n];
        }
    }
    for (int32_t n = 0; n < nodes; ++n) {
        if (!rig->nodes[n].has_matrix && (best < 0 || carried[n] > carried[best] ||
                                          (carried[n] == carried[best] && isBelow(rig, n, best)))) {
            best = n;
        }
    }
    return best;
}

// Keys of the node's translation and rotation, so that it moves in the world as the body does
static void fillKeys(const snRig* rig, int32_t motion, int32_t node, const snMatrix* world,
                     int32_t keys, float* times, float* move, float* turn)
{
    const snRigNode* at = &rig->nodes[node];
    snMatrix parent = at->parent >= 0 ? world[at->parent] : snMatrix_Identity();
    for (int32_t i = 0; i < keys; ++i) {
        bool ends = i == 0 || i == keys - 1; // the same bits there
        Place place = placeAt(rig, motion, ends ? 0 : i / RATE);
        snCurveMap map = snCurveMap_Seen(&parent, place.turn, place.move);
        snVec3 p = ends ? at->translation : snAdd(snMatVec(map.A, at->translation), map.b);
        snQuat q = ends ? at->rotation : snQMul(map.turn, at->rotation);
        times[i] = (float)(i / RATE);
        move[3 * i] = (float)p.x, move[3 * i + 1] = (float)p.y, move[3 * i + 2] = (float)p.z;
        turn[4 * i] = (float)q.x, turn[4 * i + 1] = (float)q.y, turn[4 * i + 2] = (float)q.z;
        turn[4 * i + 3] = (float)q.w;
    }
}

snStatus snMotion_BuildClip(snArena* arena, const snRig* rig, int32_t motion, snRigClipData* out,
                            snMessage* why)
{
    if (!snMotion_Name(motion)) {
        return snFail(why, sn_errorArgument, "there is no motion %d", (int)motion);
    }
    size_t nodes = (size_t)rig->info.node_count;
    int32_t keys = (int32_t)(SECONDS[motion] * RATE + 1.5);
    snMatrix* world = snArena_Push(arena, nodes, sizeof *world);
    int32_t* carried = snArena_Push(arena, nodes, sizeof *carried);
    float* times = snArena_Push(arena, (size_t)keys, sizeof *times);
    float* move = snArena_Push(arena, 3 * (size_t)keys, sizeof *move);
    float* turn = snArena_Push(arena, 4 * (size_t)keys, sizeof *turn);
    snRigChannel* channels = snArena_Push(arena, 2, sizeof *channels);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    int32_t node = findCarrier(rig, carried);
    if (node < 0) {
        return snFail(why, sn_errorArgument,
                      "all nodes of this rig are given as matrices, which a motion may not move");
    }
    snRigClipData_World(rig, NULL, 0, world, NULL);
    fillKeys(rig, motion, node, world, keys, times, move, turn);
    channels[0] =
        (snRigChannel){node, sn_pathTranslation, sn_interpolateLinear, keys, 3, times, move};
    channels[1] = (snRigChannel){node, sn_pathRotation, sn_interpolateLinear, keys, 4, times, turn};
    *out = (snRigClipData){.info = {.name = snMotion_Name(motion),
                                    .last = (double)times[keys - 1],
                                    .duration = (double)times[keys - 1],
                                    .channel_count = motion == sn_motionTurn ? 2 : 1},
                           .channels = channels};
    return sn_ok;
}
