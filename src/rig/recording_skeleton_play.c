// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A retargeted recording as a clip: where bones are becomes what nodes do against their parents.
#include <string.h>

#include "rig/recording_skeleton.h"
#include "skel/kinematics.h"

// Own and bind pose of a node are one within this: rad, and part of the longest side
#define NEAR 1e-4

// Channels under way
typedef struct Play {
    const snRecordingSkeleton* p;
    snArena* arena;
    int32_t keys;
    float* times;
    snRigClipData* out;
} Play;

static float* addChannel(Play* y, int32_t node, snRigPath path, int32_t keys)
{
    int32_t width = path == sn_pathRotation ? 4 : 3;
    float* values = snArena_Push(y->arena, (size_t)keys * (size_t)width, sizeof *values);
    y->out->channels[y->out->info.channel_count++] =
        (snRigChannel){node, (int32_t)path, sn_interpolateLinear, keys, width, y->times, values};
    return values;
}

static void putVec(float* out, snVec3 v)
{
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

// The sign that is nearer to the key before
static void putQuat(float* out, int32_t key, snQuat q)
{
    const float* was = out + 4 * (size_t)(key > 0 ? key - 1 : 0);
    snQuat before = snQ((double)was[0], (double)was[1], (double)was[2], (double)was[3]);
    q = snQNormalize(key > 0 && snQDot(q, before) < 0 ? snQNegate(q) : q);
    out += 4 * (size_t)key;
    out[0] = (float)q.x, out[1] = (float)q.y, out[2] = (float)q.z, out[3] = (float)q.w;
}

// What no bone moves but the bind pose has otherwise than the nodes' own pose: nodes that are in
// between, and how far nodes are from their parents
static void holdNode(Play* y, int32_t n, bool turns, bool moves)
{
    const snRecordingSkeleton* p = y->p;
    const snRigNode* node = &p->rig->nodes[n];
    snVec3 side = snSub(p->rig->info.high, p->rig->info.low), at, scale;
    snQuat turn;
    bool ok;
    snMatrix up = snMatrix_Inverse(&p->rest[node->parent], &ok);
    snMatrix local = snMatrix_Mul(&up, &p->rest[n]);
    (void)snMatrix_Split(&local, &at, &turn, &scale);
    double grown = snLength(p->rest[node->parent].x) * snLength(snSub(at, node->translation));
    if (!ok || node->has_matrix) {
        return;
    }
    if (moves && grown > NEAR * fmax(side.x, fmax(side.y, side.z))) {
        float* value = addChannel(y, n, sn_pathTranslation, 1);
        if (value) {
            putVec(value, at);
        }
    }
    if (turns && snLength(snQLog(snQMul(turn, snQConj(node->rotation)))) > NEAR) {
        float* value = addChannel(y, n, sn_pathRotation, 1);
        if (value) {
            putQuat(value, 0, turn);
        }
    }
}

// How a bone's parent node is turned in the file's world when bones are where they are
static snQuat turnAbove(const snRecordingSkeleton* p, const snBoneMotion* bones, int32_t bone)
{
    int32_t parent = p->rig->nodes[p->node[bone]].parent;
    int32_t carrier = parent < 0 ? -1 : snRecordingSkeleton_BoneOf(p, parent);
    if (carrier < 0) {
        snVec3 at, scale;
        snQuat turn = snQIdentity();
        if (parent >= 0) {
            (void)snMatrix_Split(&p->own[parent], &at, &turn, &scale);
        }
        return turn;
    }
    snQuat now = snQMul(snQConj(p->to_ours), snQFromMat(bones[carrier].R));
    return snQMul(now, snQMul(snQConj(p->turn[p->node[carrier]]), p->turn[parent]));
}

// A place of the skeleton in the file's world
static snVec3 worldPlace(const snRecordingSkeleton* p, snVec3 at)
{
    snVec3 from = snAdd(p->origin, snV3(0, p->rise, 0));
    return snAdd(snQRotate(snQConj(p->to_ours), snScale(1 / p->unit, at)), from);
}

// Where a bone is against its parent node, which is still, or goes along with a bone: from where it
// is at rest with what that bone did
static snVec3 placeOn(const snRecordingSkeleton* p, const snBoneMotion* bones, int32_t bone)
{
    bool ok = true;
    int32_t parent = p->rig->nodes[p->node[bone]].parent;
    int32_t carrier = parent < 0 ? -1 : snRecordingSkeleton_BoneOf(p, parent);
    snVec3 at = worldPlace(p, bones[bone].p);
    const snMatrix* above = parent < 0 ? NULL : &p->own[parent];
    if (carrier >= 0) {
        int32_t node = p->node[carrier];
        snQuat now = snQMul(snQConj(p->to_ours), snQFromMat(bones[carrier].R));
        snQuat back = snQMul(p->turn[node], snQConj(now));
        at = snSub(at, worldPlace(p, bones[carrier].p));
        at = snAdd(snQRotate(back, at), p->rest[node].p);
        above = &p->rest[parent];
    }
    snMatrix up = above ? snMatrix_Inverse(above, &ok) : snMatrix_Identity();
    return snMatrix_Point(&up, at);
}

// Keys of all bones that follow something, and of those that travel
static snStatus fillKeys(Play* y, const snRetarget* r, float** turns, float** moves, snMessage* why)
{
    const snRecordingSkeleton* p = y->p;
    const snSkeleton* s = p->skeleton;
    snBoneMotion* bones = snArena_Push(y->arena, (size_t)s->bone_count, sizeof *bones);
    if (y->arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (int32_t f = 0; f < y->keys; ++f) {
        y->times[f] = (float)(f / r->clip->info.rate);
        snKinematics_Position(s, r->q + (size_t)f * (size_t)s->nq, NULL, bones);
        for (int32_t i = 0; i < s->bone_count; ++i) {
            if (moves[i]) {
                putVec(moves[i] + 3 * (size_t)f, placeOn(p, bones, i));
            }
            if (turns[i]) {
                snQuat now = snQMul(snQConj(p->to_ours), snQFromMat(bones[i].R));
                putQuat(turns[i], f, snQMul(snQConj(turnAbove(p, bones, i)), now));
            }
        }
    }
    return sn_ok;
}

snStatus snRecordingSkeleton_Play(snArena* arena, const snRecordingSkeleton* p, const snRetarget* r,
                                  snRigClipData* out, snMessage* why)
{
    size_t nodes = (size_t)p->rig->info.node_count, frames = (size_t)r->frame_count;
    *out = (snRigClipData){.info = {.name = ""},
                           .channels = snArena_Push(arena, 2 * nodes + 1, sizeof *out->channels)};
    float** turns = snArena_Push(arena, (size_t)p->skeleton->bone_count, sizeof *turns);
    float** moves = snArena_Push(arena, (size_t)p->skeleton->bone_count, sizeof *moves);
    float* times = snArena_Push(arena, frames, sizeof *times);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    Play y = {.p = p, .arena = arena, .keys = r->frame_count, .times = times, .out = out};
    for (int32_t n = p->node[0]; n < p->rig->info.node_count && !arena->failed; ++n) {
        int32_t bone = p->bone[n];
        bool root = n == p->node[0], follows = bone >= 0 && (root || p->match.joint[bone] >= 0);
        bool travels = root || (bone >= 0 && p->hung[bone] >= 0);
        if (!root && snRecordingSkeleton_BoneOf(p, n) >= 0 && p->rig->nodes[n].is_joint) {
            holdNode(&y, n, !follows, !travels);
        }
        if (travels) {
            moves[bone] = addChannel(&y, n, sn_pathTranslation, y.keys);
        }
        if (follows) {
            turns[bone] = addChannel(&y, n, sn_pathRotation, y.keys);
        }
    }
    snStatus status = arena->failed ? snFail(why, sn_errorMemory, "out of memory")
                                    : fillKeys(&y, r, turns, moves, why);
    out->info.duration = out->info.last = status ? 0 : (double)times[frames - 1];
    return status;
}
