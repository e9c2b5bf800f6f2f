// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/clip.h"

#include <string.h>

#include "base/message.h"
#include "math/transform.h"

// cos of how far limbs of a T-pose may be from where they should be
#define T_POSE 0.85    // 32 degrees: arms that hang a little, legs a little apart
#define STANDING 0.5   // 60 degrees: anything that can be called standing
#define USUAL_HIP 0.85 // m from hip joint to the ball of the foot of a grown person

snClip* snClip_New(const snHost* host, int32_t joints, int32_t frames)
{
    snClip* c = snHost_Allocate(host, sizeof *c);
    if (!c) {
        return NULL;
    }
    size_t n = (size_t)joints, cells;
    c->host = *host;
    c->info.joint_count = joints;
    c->info.frame_count = frames;
    snArena_Init(&c->arena, host);
    c->joints = snArena_Push(&c->arena, n, sizeof *c->joints);
    c->alias = snArena_Push(&c->arena, n, sizeof *c->alias);
    c->alias_line = snArena_Push(&c->arena, n, sizeof *c->alias_line);
    c->tip = snArena_Push(&c->arena, n, sizeof *c->tip);
    c->place = snArena_Push(&c->arena, n, sizeof *c->place);
    c->parents = snArena_Push(&c->arena, n, sizeof *c->parents);
    c->roles = snArena_Push(&c->arena, n, sizeof *c->roles);
    c->rest = snArena_Push(&c->arena, n, sizeof *c->rest);
    c->turn = snSizeMul(n, (size_t)frames, &cells) ? snArena_Push(&c->arena, cells, sizeof *c->turn)
                                                   : NULL;
    if (c->arena.failed || !c->turn) {
        snClip_Free(c);
        return NULL;
    }
    return c;
}

void snClip_Free(snClip* clip)
{
    if (clip) {
        snHost host = clip->host;
        snArena_Free(&clip->arena);
        snHost_Release(&host, clip, sizeof *clip);
    }
}

void snClipDef_Init(snClipDef* def)
{
    *def = (snClipDef){.size = sizeof(snClipDef)};
}

const snClipInfo* snClip_Info(const snClip* clip)
{
    return clip ? &clip->info : NULL;
}

const snClipJoint* snClip_Joint(const snClip* clip, int32_t joint)
{
    return clip && joint >= 0 && joint < clip->info.joint_count ? &clip->joints[joint] : NULL;
}

// Poses --------------------------------------------------------------------------

static snTransform localPlace(const snClip* c, int32_t frame, int32_t joint)
{
    snTransform t = {c->joints[joint].offset, snQIdentity()};
    if (frame >= 0) {
        t.q = c->turn[(size_t)frame * (size_t)c->info.joint_count + (size_t)joint];
        t.p = c->place[joint] ? c->place[joint][frame] : t.p;
    }
    return t;
}

void snClip_Pose(const snClip* c, int32_t frame, snTransform* out)
{
    for (int32_t i = 0; i < c->info.joint_count; ++i) {
        snTransform local = localPlace(c, frame, i);
        int32_t parent = c->joints[i].parent;
        out[i] = parent < 0 ? local : snTMul(out[parent], local);
    }
}

snTransform snClip_Place(const snClip* clip, int32_t frame, int32_t joint)
{
    snTransform t = snTIdentity();
    if (!snClip_Joint(clip, joint) || frame < -1 || frame >= clip->info.frame_count) {
        return t;
    }
    for (int32_t i = joint; i >= 0; i = clip->joints[i].parent) {
        t = snTMul(localPlace(clip, frame, i), t);
    }
    return t;
}

// What is what -------------------------------------------------------------------

static int32_t jointOf(const snClip* c, snHumanPart part, int side)
{
    return c->joint_of[SN_ROLE(part, side)];
}

static snStatus nameJoints(snClip* c, snMessage* why)
{
    size_t n = (size_t)c->info.joint_count;
    const char** names = snArena_Push(&c->arena, n, sizeof *names);
    if (!names) {
        return snFail(why, sn_errorMemory, "no memory for %zu joints", n);
    }
    for (size_t i = 0; i < n; ++i) {
        names[i] = c->alias[i] ? c->alias[i] : c->joints[i].name;
        c->parents[i] = c->joints[i].parent;
    }
    snRoles_Find(names, c->parents, (int32_t)n, c->roles);
    memset(c->joint_of, -1, sizeof c->joint_of);
    for (size_t i = 0; i < n; ++i) {
        if (c->roles[i] != sn_partNone) {
            c->joints[i].part = snRole_Name(c->roles[i]);
            c->joint_of[c->roles[i]] = (int32_t)i;
            c->info.matched++;
        }
    }
    return sn_ok;
}

// Unit vector from one joint to another
static snVec3 between(const snTransform* pose, int32_t from, int32_t to)
{
    return snNormalize(snSub(pose[to].p, pose[from].p));
}

static bool hasLegs(const snClip* c)
{
    bool all = true;
    for (int side = 0; side < 2; ++side) {
        all = all && jointOf(c, sn_partThigh, side) >= 0 && jointOf(c, sn_partShin, side) >= 0 &&
              jointOf(c, sn_partFoot, side) >= 0;
    }
    return all;
}

// Towards the head, or whatever is highest of the trunk; 0 when nothing is known.
static snVec3 upOf(const snClip* c, const snTransform* pose)
{
    static const snHumanPart TOPS[4] = {sn_partHead, sn_partNeck, sn_partTrunk, sn_partPelvis};
    int32_t left = jointOf(c, sn_partThigh, 0), right = jointOf(c, sn_partThigh, 1);
    snVec3 hips = snScale(0.5, snAdd(pose[left].p, pose[right].p));
    for (int i = 0; i < 4; ++i) {
        int32_t top = jointOf(c, TOPS[i], 0);
        snVec3 up = top >= 0 ? snNormalize(snSub(pose[top].p, hips)) : snV3(0, 0, 0);
        if (snLengthSq(up) > 0) {
            return up;
        }
    }
    return snV3(0, 0, 0);
}

static bool areLegsDown(const snClip* c, const snTransform* pose, double least)
{
    snVec3 up = upOf(c, pose);
    double worst = 1;
    for (int side = 0; side < 2; ++side) {
        int32_t thigh = jointOf(c, sn_partThigh, side), shin = jointOf(c, sn_partShin, side);
        int32_t foot = jointOf(c, sn_partFoot, side);
        worst = fmin(worst, -snDot(up, between(pose, thigh, shin)));
        worst = fmin(worst, -snDot(up, between(pose, shin, foot)));
    }
    return worst >= least;
}

// Upright, legs down, arms straight out to the sides
static bool isTPose(const snClip* c, const snTransform* pose)
{
    if (!hasLegs(c) || !areLegsDown(c, pose, T_POSE)) {
        return false;
    }
    snVec3 left = between(pose, jointOf(c, sn_partThigh, 1), jointOf(c, sn_partThigh, 0));
    for (int side = 0; side < 2; ++side) {
        int32_t arm = jointOf(c, sn_partUpperArm, side), fore = jointOf(c, sn_partForearm, side);
        int32_t hand = jointOf(c, sn_partHand, side);
        double sign = side ? -1 : 1;
        if (arm < 0 || fore < 0 || hand < 0 ||
            sign * snDot(left, between(pose, arm, fore)) < T_POSE ||
            sign * snDot(left, between(pose, fore, hand)) < T_POSE) {
            return false;
        }
    }
    return true;
}

// Rest pose ----------------------------------------------------------------------

static int32_t chooseRest(snClip* c, int32_t wanted)
{
    if (wanted == sn_restFirst || wanted == sn_restZero) {
        return wanted == sn_restFirst ? 0 : -1;
    }
    snClip_Pose(c, 0, c->rest);
    if (isTPose(c, c->rest)) {
        return 0;
    }
    snClip_Pose(c, -1, c->rest);
    // offsets that make no figure: the first frame is the better guess
    c->is_rest_unsure = hasLegs(c) && !areLegsDown(c, c->rest, STANDING);
    return c->is_rest_unsure ? 0 : -1;
}

// The axis of the file that is nearest to a direction, with its sign
static snVec3 nearestAxis(snVec3 d, int32_t* axis)
{
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    *axis = x > y && x > z ? 0 : y >= z ? 1 : 2;
    return *axis == 0   ? snV3(copysign(1, d.x), 0, 0)
           : *axis == 1 ? snV3(0, copysign(1, d.y), 0)
                        : snV3(0, 0, copysign(1, d.z));
}

#define LOOKS 64     // frames that are looked at
#define UPRIGHT 0.85 // cos: a mean direction that leaves no doubt

// Where up is in most frames. Some writers stand the skeleton up by its root's rotation only; the
// rest pose is then stood up too.
static snVec3 standUp(snClip* c, snVec3 up)
{
    snVec3 sum = snV3(0, 0, 0);
    int32_t count = c->info.frame_count, last = count > LOOKS ? LOOKS : count, axis, axis_rest;
    int32_t head = jointOf(c, sn_partHead, 0), pelvis = jointOf(c, sn_partPelvis, 0);
    if (head < 0 || pelvis < 0) {
        return nearestAxis(up, &c->info.up);
    }
    for (int32_t i = 0; i < last; ++i) {
        int32_t frame = (int32_t)((int64_t)i * count / last);
        snVec3 hips = snClip_Place(c, frame, pelvis).p, top = snClip_Place(c, frame, head).p;
        sum = snMulAdd(sum, 1.0 / last, snNormalize(snSub(top, hips)));
    }
    snVec3 mean = nearestAxis(sum, &axis), rest = nearestAxis(up, &axis_rest);
    if (snDot(sum, mean) < UPRIGHT || snDot(mean, rest) > 0.5) {
        c->info.up = axis_rest;
        return rest;
    }
    snQuat turn = snQFromTo(rest, mean);
    for (int32_t i = 0; i < c->info.joint_count; ++i) {
        c->rest[i] = snT(snQRotate(turn, c->rest[i].p), snQMul(turn, c->rest[i].q));
    }
    c->info.up = axis;
    return mean;
}

// Y along the file's axis that is up, X to the left as the legs say
static void findAxes(snClip* c)
{
    c->to_ours = snQIdentity();
    c->info.up = 1;
    if (!hasLegs(c)) {
        return;
    }
    snVec3 up = upOf(c, c->rest);
    if (snLengthSq(up) == 0) {
        return;
    }
    int32_t right = jointOf(c, sn_partThigh, 1), left = jointOf(c, sn_partThigh, 0);
    up = standUp(c, up);
    snVec3 side = snSub(c->rest[left].p, c->rest[right].p);
    side = snNormalize(snMulAdd(side, -snDot(side, up), up));
    if (snLengthSq(side) == 0) {
        return;
    }
    // rows of the matrix that takes the file's axes to ours
    c->to_ours = snQFromMat(snTranspose(snMatFromCols(side, up, snCross(side, up))));
}

static void guessUnit(snClip* c)
{
    static const struct {
        double metres;
        const char* name;
    } UNITS[] = {{1, "m"},         {0.1, "dm"},  {0.0564, "CMU's (5.64 cm)"},
                 {0.0254, "inch"}, {0.01, "cm"}, {0.001, "mm"}};
    double height = 0, best = (double)INFINITY;
    for (int side = 0; side < 2 && hasLegs(c); ++side) {
        int32_t thigh = jointOf(c, sn_partThigh, side), foot = jointOf(c, sn_partFoot, side);
        int32_t toes = jointOf(c, sn_partToes, side);
        snVec3 leg = snSub(c->rest[thigh].p, c->rest[toes >= 0 ? toes : foot].p);
        height += 0.5 * snQRotate(c->to_ours, leg).y;
    }
    c->info.unit_name = "";
    if (!(height > 0)) {
        return;
    }
    c->info.hip_height = height;
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; ++i) {
        double ratio = height * UNITS[i].metres / USUAL_HIP;
        double off = ratio > 1 ? ratio : 1 / ratio;
        if (off < best) {
            best = off;
            c->info.unit = UNITS[i].metres;
            c->info.unit_name = UNITS[i].name;
        }
    }
}

// q and -q are the same rotation: each takes the sign that is nearer to the frame before.
static void makeContinuous(snClip* c)
{
    size_t n = (size_t)c->info.joint_count;
    for (size_t i = n; i < n * (size_t)c->info.frame_count; ++i) {
        if (snQDot(c->turn[i], c->turn[i - n]) < 0) {
            c->turn[i] = snQNegate(c->turn[i]);
        }
    }
}

snStatus snClip_Finish(snClip* c, const snClipDef* def, snMessage* why)
{
    snStatus status = nameJoints(c, why);
    if (status) {
        return status;
    }
    makeContinuous(c);
    c->rest_frame = chooseRest(c, def ? def->rest : sn_restAuto);
    snClip_Pose(c, c->rest_frame, c->rest);
    // of offsets that make no figure the first frame is rest and is played
    bool shown = c->rest_frame < 0 || (!isTPose(c, c->rest) && !(def && def->rest == sn_restFirst));
    c->info.first = !shown && c->info.frame_count > 1;
    c->info.duration = (c->info.frame_count - c->info.first - 1) / c->info.rate;
    findAxes(c);
    guessUnit(c);
    return sn_ok;
}
