// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/recording_skeleton.h"

#include <stdio.h>
#include <string.h>

#include "math/transform.h"
#include "rig/bind_pose.h"
#include "rig/clip_rig.h"
#include "rig/lbs.h"
#include "rig/pose.h"
#include "rig/recording_fit.h"
#include "rig/work.h"

// Of knees, rad: straight legs may be drawn a little bent the wrong way
#define KNEE_LEAST (-0.3)
#define KNEE_MOST 2.7

// Of toes, down and up
#define TOES_LEAST (-1.3)
#define TOES_MOST 0.4

// Bones ------------------------------------------------------------------------------

static bool isNamedSo(const snClip* clip, const char* name)
{
    for (int32_t j = 0; j < clip->info.joint_count && name[0]; ++j) {
        const char* joint = clip->alias[j] ? clip->alias[j] : clip->joints[j].name;
        if (strcmp(snName_Plain(joint), name) == 0) {
            return true;
        }
    }
    return false;
}

static bool hangsOn(const snRig* rig, int32_t node, int32_t root)
{
    while (node > root) { // parents come first
        node = rig->nodes[node].parent;
    }
    return node == root;
}

// The lowest node that all marked ones hang on or are; -1: there is none
static int32_t findRoot(const snRig* rig, const uint8_t* marked)
{
    int32_t root = -1, count = rig->info.node_count, first = 0;
    while (first < count && !marked[first]) {
        ++first;
    }
    root = first < count ? first : -1;
    for (int32_t n = first; n < count; ++n) {
        while (marked[n] && root >= 0 && !hangsOn(rig, n, root)) {
            root = rig->nodes[root].parent;
        }
    }
    return root;
}

// What nodes are called, "" of what can be no bone: VRM's names, or their own
static void callNodes(const snRig* rig, const uint8_t* can, const char** called, int32_t* parents)
{
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        called[n] = can[n] ? rig->nodes[n].name : "";
        parents[n] = rig->nodes[n].parent;
    }
    for (int32_t i = 0; i < rig->info.human_count; ++i) {
        const snRigHuman* h = &rig->humans[i];
        called[h->node] = can[h->node] ? h->bone : "";
    }
}

// Nodes with a part, and below their root those with a joint's name; without parts those alone.
// Nodes that the file gives as a matrix may not be moved by clips. called: of nodes, then of bones.
// Returns the number of bones, the first of which is the root.
static int32_t chooseBones(snArena* arena, const snClip* clip, snRecordingSkeleton* p)
{
    const snRig* rig = p->rig;
    int32_t nodes = rig->info.node_count, count = 0;
    uint8_t* can = snArena_Push(arena, (size_t)nodes, 1);
    uint8_t* part = snArena_Push(arena, (size_t)nodes, 1);
    uint8_t* named = snArena_Push(arena, (size_t)nodes, 1);
    int32_t* parents = snArena_Push(arena, (size_t)nodes, sizeof *parents);
    int32_t* roles = snArena_Push(arena, (size_t)nodes, sizeof *roles);
    if (arena->failed) {
        return 0;
    }
    snRigBones_Find(rig, can);
    callNodes(rig, can, p->called, parents);
    snRoles_Find(p->called, parents, nodes, roles);
    bool any = false;
    for (int32_t n = 0; n < nodes; ++n) {
        can[n] = can[n] && !rig->nodes[n].has_matrix;
        part[n] = can[n] && roles[n] != sn_partNone;
        named[n] = can[n] && isNamedSo(clip, snName_Plain(rig->nodes[n].name));
        any = any || part[n];
        p->bone[n] = -1;
    }
    int32_t root = findRoot(rig, any ? part : named);
    for (int32_t n = root; n < nodes && root >= 0 && can[root]; ++n) {
        if (n == root || ((part[n] || named[n]) && hangsOn(rig, n, root))) {
            p->called[count] = p->called[n];
            p->hung[count] = -1;
            p->bone[n] = count;
            p->node[count++] = n;
        }
    }
    return count;
}

int32_t snRecordingSkeleton_BoneOf(const snRecordingSkeleton* p, int32_t node)
{
    while (node >= 0 && p->bone[node] < 0) {
        node = p->rig->nodes[node].parent;
    }
    return node < 0 ? -1 : p->bone[node];
}

static int32_t parentBone(const snRecordingSkeleton* p, int32_t bone)
{
    int32_t parent = p->rig->nodes[p->node[bone]].parent;
    return p->hung[bone] >= 0 ? p->hung[bone]
           : parent < 0       ? -1
                              : snRecordingSkeleton_BoneOf(p, parent);
}

static void findRoles(const snRecordingSkeleton* p, int32_t count, int32_t* parents, int32_t* roles,
                      int32_t* bone_of)
{
    for (int32_t i = 0; i < count; ++i) {
        parents[i] = parentBone(p, i);
    }
    snRoles_Find(p->called, parents, count, roles);
    for (int32_t role = 0; role < SN_ROLE_COUNT; ++role) {
        bone_of[role] = -1;
    }
    for (int32_t i = 0; i < count; ++i) {
        bone_of[roles[i]] = roles[i] != sn_partNone ? i : -1;
    }
}

// Animators hang feet and hands on the root, to hold them while the body moves. Here they hang on
// their limbs. Bones are put in order again, parents first. order: (2 count)
static void hangLimbs(snRecordingSkeleton* p, int32_t count, const int32_t* roles,
                      const int32_t* bone_of, int32_t* order)
{
    int32_t *place = order + count, *nodes = p->node, done = 0;
    for (int32_t i = 0; i < count; ++i) {
        snHumanPart part = snRole_Part(roles[i]), limb = part == sn_partFoot   ? sn_partShin
                                                         : part == sn_partHand ? sn_partForearm
                                                                               : sn_partNone;
        int32_t on = limb ? bone_of[SN_ROLE(limb, roles[i] % 2)] : -1;
        p->hung[i] = on >= 0 && !hangsOn(p->rig, nodes[i], nodes[on]) ? on : -1;
        place[i] = -1;
    }
    for (int32_t before = -1; done < count && done != before;) {
        before = done;
        for (int32_t i = 0; i < count; ++i) {
            int32_t parent = parentBone(p, i);
            if (place[i] < 0 && (parent < 0 || place[parent] >= 0)) {
                place[i] = done;
                order[done++] = i;
            }
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        p->hung[i] = p->hung[i] < 0 ? -1 : place[p->hung[i]];
        p->bone[nodes[i]] = place[i];
    }
}

// Takes what bones have to their new places. scratch: (count)
static void reorder(int32_t* list, const int32_t* order, int32_t count, int32_t* scratch)
{
    for (int32_t i = 0; i < count; ++i) {
        scratch[i] = list[order[i]];
    }
    memcpy(list, scratch, (size_t)count * sizeof *list);
}

// Zero pose --------------------------------------------------------------------------

static snTransform placeOf(const snRecordingSkeleton* p, int32_t node)
{
    snVec3 from = snSub(p->rest[node].p, p->origin);
    return snT(snScale(p->unit, snQRotate(p->to_ours, from)),
               snQNormalize(snQMul(p->to_ours, p->turn[node])));
}

static snStatus poseNodes(const snRig* rig, snRecordingSkeleton* p, snMessage* why)
{
    snRigClipData_World(rig, NULL, 0, p->own, NULL);
    snStatus status = snRig_BindPose(rig, p->rest, why);
    for (int32_t n = 0; n < rig->info.node_count && !status; ++n) {
        snVec3 at, scale;
        (void)snMatrix_Split(&p->rest[n], &at, &p->turn[n], &scale);
    }
    return status;
}

// X to the left, as the legs say
static void faceForward(const int32_t* bone_of, snRecordingSkeleton* p)
{
    int32_t left = bone_of[SN_ROLE(sn_partThigh, 0)], right = bone_of[SN_ROLE(sn_partThigh, 1)];
    snVec3 root = p->rest[p->node[0]].p;
    p->origin = snV3(root.x, 0, root.z);
    p->to_ours = snQIdentity();
    if (left >= 0 && right >= 0) {
        snVec3 side = snSub(p->rest[p->node[left]].p, p->rest[p->node[right]].p);
        side = snNormalize(snV3(side.x, 0, side.z));
        if (snLengthSq(side) > 0) {
            snMat3 rows =
                snTranspose(snMatFromCols(side, snV3(0, 1, 0), snCross(side, snV3(0, 1, 0))));
            p->to_ours = snQFromMat(rows);
        }
    }
}

// Skeleton ---------------------------------------------------------------------------

// Nodes may share names, or have none: bones do not.
static const char* nameBone(snArena* arena, const snRecordingSkeleton* p, int32_t bone)
{
    const char* name = snName_Plain(p->rig->nodes[p->node[bone]].name);
    bool taken = !name[0];
    for (int32_t k = 0; k < bone && !taken; ++k) {
        taken = strcmp(snName_Plain(p->rig->nodes[p->node[k]].name), name) == 0;
    }
    char text[32];
    int length = snprintf(text, sizeof text, "node %d", (int)p->node[bone]);
    return taken ? snArena_String(arena, text, (size_t)length) : name;
}

static bool isKnee(const snRecordingSkeleton* p, const int32_t* roles, const int32_t* bone_of,
                   int32_t bone)
{
    int32_t role = roles[bone], side = role % 2;
    int32_t thigh = bone_of[SN_ROLE(sn_partThigh, side)],
            foot = bone_of[SN_ROLE(sn_partFoot, side)];
    return snRole_Part(role) == sn_partShin && thigh >= 0 && foot >= 0 &&
           parentBone(p, bone) == thigh && parentBone(p, foot) == bone;
}

// axis: in the skeleton's frame
static void makeHinge(snBoneDef* d, snQuat turn, snVec3 axis, double least, double most)
{
    if (snLengthSq(axis) > 0) {
        d->joint = sn_jointRevolute;
        d->axis = snQRotate(snQConj(turn), snNormalize(axis));
        d->dof[0].lower = least;
        d->dof[0].upper = most;
    }
}

static void defineBone(const snRecordingSkeleton* p, const int32_t* roles, const int32_t* bone_of,
                       int32_t bone, snBoneDef* d)
{
    snTransform at = placeOf(p, p->node[bone]);
    snHumanPart next = snHumanPart_Next(snRole_Part(roles[bone]));
    int32_t child = next ? bone_of[SN_ROLE(next, roles[bone] % 2)] : -1, end = -1;
    d->parent = parentBone(p, bone);
    d->joint = bone == 0 ? sn_jointFree : sn_jointBall;
    d->anchor = d->parent < 0 ? at : snTMul(snTInverse(placeOf(p, p->node[d->parent])), at);
    d->mass = (snMass){.mass = 1, .inertia = {1, 1, 1, 0, 0, 0}}; // nothing weighs it
    for (int32_t n = p->node[bone] + 1; n < p->rig->info.node_count && child < 0 && end < 0; ++n) {
        end = p->rig->nodes[n].parent == p->node[bone] ? n : -1;
    }
    end = child >= 0 ? p->node[child] : end;
    d->tip = end >= 0 ? snTPoint(snTInverse(at), placeOf(p, end).p) : snV3(0, 0, 0);
    if (isKnee(p, roles, bone_of, bone)) {
        snVec3 along = snNormalize(snQRotate(at.q, d->tip)), left = snV3(1, 0, 0);
        makeHinge(d, at.q, snMulAdd(left, -snDot(left, along), along), KNEE_LEAST, KNEE_MOST);
    } else if (snRole_Part(roles[bone]) == sn_partToes && d->parent >= 0 &&
               snRole_Part(roles[d->parent]) == sn_partFoot) {
        snVec3 foot = snSub(at.p, placeOf(p, p->node[d->parent]).p);
        makeHinge(d, at.q, snCross(snV3(0, 1, 0), foot), TOES_LEAST, TOES_MOST);
    }
}

static snStatus makeSkeleton(snArena* arena, int32_t count, snRecordingSkeleton* p, snMessage* why)
{
    snBoneDef* defs = snArena_Push(arena, (size_t)count, sizeof *defs);
    int32_t* parents = snArena_Push(arena, (size_t)count, sizeof *parents);
    int32_t* roles = snArena_Push(arena, (size_t)count, sizeof *roles);
    int32_t* order = snArena_Push(arena, 2 * (size_t)count, sizeof *order);
    const char** called = snArena_Push(arena, (size_t)count, sizeof *called);
    int32_t bone_of[SN_ROLE_COUNT];
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    findRoles(p, count, parents, roles, bone_of);
    hangLimbs(p, count, roles, bone_of, order);
    reorder(p->node, order, count, parents);
    reorder(p->hung, order, count, parents);
    for (int32_t i = 0; i < count; ++i) {
        called[i] = p->called[order[i]];
    }
    p->called = called;
    findRoles(p, count, parents, roles, bone_of);
    faceForward(bone_of, p);
    for (int32_t i = 0; i < count; ++i) {
        snBoneDef_Init(&defs[i]);
        defs[i].name = nameBone(arena, p, i);
        defineBone(p, roles, bone_of, i, &defs[i]);
    }
    return snSkeleton_Create(&p->rig->host, defs, count, &p->skeleton, why);
}

// Ground ---------------------------------------------------------------------------

// The bone that moves a vertex most; -1: none
static int32_t bearerOf(const snRecordingSkeleton* p, const snRigInstance* m, size_t v)
{
    const snRigShape* shape = m->shape;
    if (m->info.skin < 0 || !shape->first || shape->first[v] == shape->first[v + 1]) {
        return snRecordingSkeleton_BoneOf(p, m->info.node);
    }
    int32_t best = shape->first[v];
    for (int32_t k = best; k < shape->first[v + 1]; ++k) {
        best = shape->weight[k] > shape->weight[best] ? k : best;
    }
    return snRecordingSkeleton_BoneOf(p, p->rig->skins[m->info.skin].joints[shape->joint[best]]);
}

// How far a vertex of a foot is in front of its ankle
static void reachTo(snRecordingSkeleton* p, int32_t bone, snVec3 at)
{
    int32_t role = bone < 0 ? 0 : p->match.roles[bone];
    snHumanPart part = snRole_Part(role);
    int32_t foot = p->match.bone_of[SN_ROLE(sn_partFoot, role % 2)];
    int32_t toes = p->match.bone_of[SN_ROLE(sn_partToes, role % 2)];
    if ((part != sn_partFoot && part != sn_partToes) || foot < 0 || toes < 0) {
        return;
    }
    snVec3 ankle = placeOf(p, p->node[foot]).p;
    snVec3 ahead = snSub(placeOf(p, p->node[toes]).p, ankle);
    ahead = snNormalize(snV3(ahead.x, 0, ahead.z));
    snVec3 from = snQRotate(p->to_ours, snSub(at, p->origin));
    p->reach[role % 2] =
        fmax(p->reach[role % 2], snDot(ahead, snSub(snScale(p->unit, from), ankle)));
}

// The lowest vertex in the bind pose, and the foremost of the feet
static snStatus findGround(snArena* arena, snRecordingSkeleton* p, snMessage* why)
{
    const snRig* rig = p->rig;
    double low = (double)INFINITY;
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigInstance* m = &rig->instances[i];
        size_t vertices = (size_t)m->info.vertex_count;
        size_t joints = m->info.skin < 0 ? 0 : (size_t)rig->skins[m->info.skin].joint_count;
        float* at = snArena_Push(arena, 3 * vertices, sizeof *at);
        snMatrix* skin = snArena_Push(arena, joints, sizeof *skin);
        if (arena->failed) {
            return snFail(why, sn_errorMemory, "out of memory");
        }
        snLbs_Skin(rig, m, p->rest, NULL, skin, at, NULL);
        for (size_t v = 0; v < vertices; ++v) {
            const float* x = at + 3 * v;
            low = fmin(low, (double)x[1]);
            reachTo(p, bearerOf(p, m, v), snV3((double)x[0], (double)x[1], (double)x[2]));
        }
    }
    if (isfinite(low)) {
        p->ground = p->unit * (low - p->origin.y);
        p->rise = rig->info.low.y - low;
    }
    return sn_ok;
}

snStatus snRecordingSkeleton_Build(snArena* arena, const snRig* rig, const snClip* clip,
                                   snRecordingSkeleton* p, snMessage* why)
{
    size_t nodes = (size_t)rig->info.node_count;
    *p = (snRecordingSkeleton){.rig = rig,
                               .unit = rig->info.unit > 0 ? rig->info.unit : 1,
                               .own = snArena_Push(arena, nodes, sizeof(snMatrix)),
                               .rest = snArena_Push(arena, nodes, sizeof(snMatrix)),
                               .turn = snArena_Push(arena, nodes, sizeof(snQuat)),
                               .bone = snArena_Push(arena, nodes, sizeof(int32_t)),
                               .node = snArena_Push(arena, nodes, sizeof(int32_t)),
                               .hung = snArena_Push(arena, nodes, sizeof(int32_t)),
                               .called = snArena_Push(arena, nodes, sizeof(char*))};
    snStatus status =
        arena->failed ? snFail(why, sn_errorMemory, "out of memory") : poseNodes(rig, p, why);
    int32_t count = status ? 0 : chooseBones(arena, clip, p);
    if (!status && arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    if (!status && count < SN_RECORDING_LEAST) {
        return snRecordingFit_Refuse(arena, p, clip, "too few joints fit", why);
    }
    status = status ? status : makeSkeleton(arena, count, p, why);
    status = status ? status : snMatch_Called(arena, clip, p->skeleton, p->called, &p->match, why);
    status = status ? status : findGround(arena, p, why);
    if (!status && p->match.count < SN_RECORDING_LEAST) {
        status = snRecordingFit_Refuse(arena, p, clip, "too few joints fit", why);
    }
    if (status) {
        snRecordingSkeleton_Free(p);
    }
    return status;
}

void snRecordingSkeleton_Free(snRecordingSkeleton* p)
{
    snSkeleton_Release(p->skeleton);
    p->skeleton = NULL;
}
