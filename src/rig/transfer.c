// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/transfer.h"

#include <string.h>

#include "rig/clip_rig.h"
#include "rig/names.h"
#include "rig/pose.h"

// Offsets are alike within this part of their length, and this part of the rig's longest side:
// clips move shoulders and hips a little.
#define ALIKE 0.1
#define SLACK 0.02

#define LEAST_PAIRS 4   // with parents that are pairs, unless all nodes are pairs
#define MOST_STRANGE 10 // per cent of these that may be unlike
#define SAME_LENGTH 0.01

#define TURNED 1e-4 // rad: local rotations that differ by less are one

typedef struct Pose {
    snMatrix* world;
    snRigParts* parts;
} Pose;

static snStatus poseOwn(snArena* arena, const snRig* rig, Pose* out, snMessage* why)
{
    size_t count = (size_t)rig->info.node_count;
    out->world = snArena_Push(arena, count, sizeof *out->world);
    out->parts = snArena_Push(arena, count, sizeof *out->parts);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snRigClipData_World(rig, NULL, 0, out->world, NULL);
    snRigClipData_Local(rig, NULL, 0, out->parts, NULL);
    return sn_ok;
}

static void findPairs(const snRig* from, const char* const* names, const uint8_t* is_bone,
                      snTransfer* t)
{
    for (int32_t n = 0; n < t->to->info.node_count; ++n) {
        const char* name = snName_Plain(t->to->nodes[n].name);
        t->pair[n] = -1;
        for (int32_t s = 0; is_bone[n] && name[0] && s < from->info.node_count; ++s) {
            if (names[s] && strcmp(snName_Plain(names[s]), name) == 0) {
                t->pair[n] = s;
                ++t->count;
                break;
            }
        }
    }
}

// A pair whose parents are a pair
static bool isInner(const snTransfer* t, int32_t n)
{
    int32_t parent = t->to->nodes[n].parent;
    return t->pair[n] >= 0 && parent >= 0 && t->pair[parent] >= 0 &&
           t->from->nodes[t->pair[n]].parent == t->pair[parent];
}

// Where a node sits on its parent, with the length it has in the world
static snVec3 offsetOf(const snRig* rig, const Pose* pose, int32_t n)
{
    const snMatrix* parent = &pose->world[rig->nodes[n].parent];
    double size = (snLength(parent->x) + snLength(parent->y) + snLength(parent->z)) / 3;
    return snScale(size, pose->parts[n].translation);
}

static void compare(snTransfer* t, const uint8_t* is_bone, const Pose* from, const Pose* to)
{
    double ours = 0, theirs = 0;
    int32_t inner = 0, strange = 0, bones = 0;
    snVec3 side = snSub(t->to->info.high, t->to->info.low);
    double slack = SLACK * fmax(side.x, fmax(side.y, side.z));
    for (int32_t n = 0; n < t->to->info.node_count; ++n) {
        bones += is_bone[n];
        if (isInner(t, n)) {
            ours += snLength(offsetOf(t->to, to, n));
            theirs += snLength(offsetOf(t->from, from, t->pair[n]));
            ++inner;
        }
    }
    t->scale = ours > 0 && theirs > 0 ? ours / theirs : 1;
    t->is_exact = fabs(t->scale - 1) < SAME_LENGTH;
    for (int32_t n = 0; n < t->to->info.node_count; ++n) {
        if (isInner(t, n)) {
            snVec3 a = snScale(t->scale, offsetOf(t->from, from, t->pair[n]));
            snVec3 b = offsetOf(t->to, to, n);
            double off = snLength(snSub(a, b));
            strange += off > slack + ALIKE * fmax(snLength(a), snLength(b));
            t->is_exact = t->is_exact && off <= slack;
        }
    }
    t->scale = t->is_exact ? 1 : t->scale;
    bool enough = inner >= LEAST_PAIRS || (inner > 0 && t->count == bones);
    t->fits = enough && 100 * strange <= MOST_STRANGE * inner && ours > 0;
}

snStatus snTransfer_Find(snArena* arena, const snRig* from, const char* const* names,
                         const snRig* to, snTransfer* t, snMessage* why)
{
    Pose theirs, ours;
    size_t nodes = (size_t)to->info.node_count;
    uint8_t* is_bone = snArena_Push(arena, nodes, 1);
    *t = (snTransfer){.from = from, .to = to, .pair = snArena_Push(arena, nodes, sizeof(int32_t))};
    snStatus status = poseOwn(arena, from, &theirs, why);
    status = status ? status : poseOwn(arena, to, &ours, why);
    if (!status) {
        snRigBones_Find(to, is_bone);
        findPairs(from, names, is_bone, t);
        compare(t, is_bone, &theirs, &ours);
    }
    return status;
}

// Copying ----------------------------------------------------------------------------

// What takes a pair's keys over: x -> A x + b of translations, q -> turn q of rotations
typedef struct Over {
    bool as_is;
    snMat3 A;
    snVec3 b;
    snQuat turn;
} Over;

static snMatrix parentOf(const snRig* rig, const Pose* pose, int32_t n)
{
    int32_t parent = rig->nodes[n].parent;
    return parent < 0 ? snMatrix_Identity() : pose->world[parent];
}

static snQuat turnOf(const snMatrix* m)
{
    snVec3 p, scale;
    snQuat q;
    (void)snMatrix_Split(m, &p, &q, &scale);
    return q;
}

// Nodes on others keep their offset, but for what the clip adds to it. Others go in the world as
// theirs do, farther or less far.
static Over findOver(const snTransfer* t, const Pose* from, const Pose* to, int32_t n)
{
    int32_t s = t->pair[n];
    Over o = {.A = snMat3_Identity(), .turn = snQIdentity()};
    if (isInner(t, n)) {
        o.as_is = t->is_exact;
        double theirs = snLength(from->parts[s].translation);
        double ours = snLength(to->parts[n].translation);
        double grow = theirs > 0 && ours > 0 ? ours / theirs : 1;
        o.A = snMatScale(grow, o.A);
        o.b = snSub(to->parts[n].translation, snScale(grow, from->parts[s].translation));
        return o;
    }
    bool ok;
    snMatrix above = parentOf(t->from, from, s), ours = parentOf(t->to, to, n);
    snMatrix back = snMatrix_Inverse(&ours, &ok);
    back = ok ? back : snMatrix_Identity();
    above =
        snMatrix_Make(snMatScale(t->scale, snMatrix_Linear(&above)), snScale(t->scale, above.p));
    snMatrix over = snMatrix_Mul(&back, &above);
    o.A = snMatrix_Linear(&over);
    o.b = over.p;
    o.turn = snQMul(snQConj(turnOf(&ours)), turnOf(&above));
    double off = snLengthSq(o.b);
    snMat3 E = snMatSub(o.A, snMat3_Identity());
    off += snLengthSq(snMatCol(E, 0)) + snLengthSq(snMatCol(E, 1)) + snLengthSq(snMatCol(E, 2));
    o.as_is = off < TURNED * TURNED;
    return o;
}

// glTF has no time before 0.
static bool shiftTimes(snArena* arena, double first, snRigChannel* channel)
{
    size_t count = (size_t)channel->key_count;
    float* times = first < 0 ? snArena_Push(arena, count, sizeof *times) : NULL;
    for (size_t i = 0; i < count && times; ++i) {
        times[i] = (float)((double)channel->times[i] - first);
    }
    channel->times = times ? times : channel->times;
    return times || !(first < 0);
}

static snStatus copyChannel(snArena* arena, const snRigChannel* from, int32_t node, const Over* o,
                            snRigChannel* out, snMessage* why)
{
    out->node = node;
    bool cubic = from->interpolation == sn_interpolateCubic;
    if (o->as_is || from->path == sn_pathScale) {
        return sn_ok;
    }
    size_t count = (size_t)from->key_count * (cubic ? 3 : 1), width = (size_t)from->width;
    float* values = snArena_Push(arena, count * width, sizeof *values);
    if (!values) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (size_t i = 0; i < count; ++i) {
        const float* v = from->values + i * width;
        float* to = values + i * width;
        if (from->path == sn_pathRotation) {
            snQuat q = snQ((double)v[0], (double)v[1], (double)v[2], (double)v[3]);
            q = snQMul(o->turn, q);
            to[0] = (float)q.x, to[1] = (float)q.y, to[2] = (float)q.z, to[3] = (float)q.w;
        } else {
            // tangents are differences
            bool value = !cubic || i % 3 == 1;
            snVec3 x = snMatVec(o->A, snV3((double)v[0], (double)v[1], (double)v[2]));
            x = value ? snAdd(x, o->b) : x;
            to[0] = (float)x.x, to[1] = (float)x.y, to[2] = (float)x.z;
        }
    }
    out->values = values;
    return sn_ok;
}

// A rotation that the clip leaves as its file has it, and this file has otherwise
static snStatus addPose(snArena* arena, const snTransfer* t, const Pose* from, const Over* o,
                        int32_t n, double time, snRigClipData* out, snMessage* why)
{
    snQuat q = snQMul(o->turn, from->parts[t->pair[n]].rotation);
    if (snLength(snQLog(snQMul(q, snQConj(t->to->nodes[n].rotation)))) < TURNED) {
        return sn_ok;
    }
    float* values = snArena_Push(arena, 5, sizeof *values);
    if (!values) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    values[0] = (float)q.x, values[1] = (float)q.y, values[2] = (float)q.z, values[3] = (float)q.w;
    values[4] = (float)time;
    out->channels[out->info.channel_count++] =
        (snRigChannel){n, sn_pathRotation, sn_interpolateLinear, 1, 4, values + 4, values};
    return sn_ok;
}

snStatus snTransfer_Copy(snArena* arena, const snTransfer* t, const snRigClipData* clip,
                         snRigClipData* out, int32_t* moved, snMessage* why)
{
    Pose from, to;
    size_t most = (size_t)clip->info.channel_count + (size_t)t->to->info.node_count;
    *out = *clip;
    out->info.channel_count = 0;
    out->channels = snArena_Push(arena, most, sizeof *out->channels);
    snStatus status = poseOwn(arena, t->from, &from, why);
    status = status ? status : poseOwn(arena, t->to, &to, why);
    *moved = 0;
    for (int32_t n = 0; n < t->to->info.node_count && !status; ++n) {
        if (t->pair[n] < 0 || t->to->nodes[n].has_matrix) {
            continue;
        }
        Over over = findOver(t, &from, &to, n);
        bool turns = false, moves = false;
        for (int32_t i = 0; i < clip->info.channel_count && !status; ++i) {
            const snRigChannel* c = &clip->channels[i];
            if (c->node == t->pair[n] && c->path != sn_pathWeights) {
                snRigChannel* copy = &out->channels[out->info.channel_count++];
                *copy = *c;
                status = shiftTimes(arena, clip->info.first, copy)
                             ? copyChannel(arena, c, n, &over, copy, why)
                             : snFail(why, sn_errorMemory, "out of memory");
                turns = turns || c->path == sn_pathRotation;
                moves = true;
            }
        }
        *moved += moves;
        if (!turns && !status) {
            status = addPose(arena, t, &from, &over, n, fmax(0, clip->info.first), out, why);
        }
    }
    if (clip->info.first < 0) {
        out->info.first = 0;
        out->info.last = clip->info.duration;
    }
    return status;
}
