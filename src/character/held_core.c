// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "character/held_core.h"

#include "flesh/rod.h"
#include "rig/names.h"
#include "rig/soft.h"

// A node listens to a joint's bones from this weight on: elsewhere the thigh's would hold the
// belly.
#define LEAST_WEIGHT 0.2

// How far the last bone of a chain reaches into its flesh
#define TIP 0.7

typedef struct Bone {
    int32_t joint; // place in the list of joints
    snVec3 from, to;
} Bone;

typedef struct Core {
    const snHeldCoreDef* def;
    int32_t* above;   // nearest joint of the list above each, -1: none
    uint8_t* is_bone; // (joint_count)
    uint8_t* has_next;
    int32_t bone_count;
    Bone* bones;    // sorted by joint; (2 joint_count)
    int32_t* begin; // bones of each joint; (joint_count + 1)
} Core;

static bool channelMoves(const snRigChannel* c)
{
    bool cubic = c->interpolation == sn_interpolateCubic;
    const float* v = cubic ? c->values + c->width : c->values;
    for (int32_t i = 1; i < c->key_count; ++i) {
        for (int32_t k = 0; k < c->width; ++k) {
            float a = v[k], b = v[i * (cubic ? 3 : 1) * c->width + k];
            if (fabsf(b - a) > 1e-4f * fmaxf(fabsf(a), 1)) {
                return true;
            }
        }
    }
    return false;
}

static bool moves(const snRig* rig, int32_t node)
{
    bool any = rig->info.clip_count == 0; // then nothing is known
    for (int32_t i = 0; i < rig->info.clip_count && !any; ++i) {
        const snRigClipData* clip = &rig->clips[i];
        for (int32_t k = 0; k < clip->info.channel_count && !any; ++k) {
            any = clip->channels[k].node == node && clip->channels[k].path != sn_pathWeights &&
                  channelMoves(&clip->channels[k]);
        }
    }
    return any;
}

// Joints above, and which ones are bones
static bool sortJoints(Core* c, snArena* scratch)
{
    const snHeldCoreDef* def = c->def;
    const snRig* rig = def->rig;
    size_t nodes = (size_t)rig->info.node_count;
    int32_t* place = snArena_Push(scratch, nodes, sizeof *place);
    int32_t* parents = snArena_Push(scratch, nodes, sizeof *parents);
    int32_t* roles = snArena_Push(scratch, nodes, sizeof *roles);
    const char** names = snArena_Push(scratch, nodes, sizeof *names);
    if (scratch->failed) {
        return false;
    }
    for (size_t n = 0; n < nodes; ++n) {
        place[n] = -1;
        parents[n] = rig->nodes[n].parent;
        names[n] = rig->nodes[n].name;
    }
    snRoles_Find(names, parents, rig->info.node_count, roles);
    for (int32_t j = 0; j < def->joint_count; ++j) {
        place[def->joint[j]] = j;
        int32_t up = parents[def->joint[j]];
        while (up >= 0 && place[up] < 0) {
            up = parents[up];
        }
        c->above[j] = up >= 0 ? place[up] : -1;
        if (up >= 0) {
            c->has_next[place[up]] = 1;
        }
    }
    for (int32_t j = 0; j < def->joint_count; ++j) {
        int32_t n = def->joint[j];
        c->is_bone[j] = !snRigSoft_IsFlesh(names[n]) && !snRigSoft_IsTail(names[n]) &&
                        (c->has_next[j] || roles[n] != sn_partNone || moves(rig, n));
    }
    return true;
}

// The last bone of a chain: from the joint through the middle of the flesh that it moves most, as
// far as that reaches. Without such flesh it is a point.
static Bone lastBone(const snHeldCoreDef* def, int32_t joint)
{
    snVec3 from = def->place[joint], sum = snV3(0, 0, 0);
    double reach = 0;
    for (int32_t i = 0; i < def->mesh->node_count; ++i) {
        if (def->weights[i].joint[0] == joint && def->depth[i] > 0) {
            sum = snAdd(sum, snSub(def->mesh->position[i], from));
        }
    }
    snVec3 along = snNormalize(sum);
    for (int32_t i = 0; i < def->mesh->node_count; ++i) {
        if (def->weights[i].joint[0] == joint && def->depth[i] > 0) {
            reach = fmax(reach, snDot(snSub(def->mesh->position[i], from), along));
        }
    }
    return (Bone){joint, from, snMulAdd(from, TIP * reach, along)};
}

static void layBones(Core* c)
{
    const snHeldCoreDef* def = c->def;
    for (int32_t j = 0; j < def->joint_count; ++j) {
        c->begin[j] = c->bone_count;
        if (!c->is_bone[j]) {
            continue;
        }
        for (int32_t k = j + 1; k < def->joint_count; ++k) {
            if (c->above[k] == j && c->is_bone[k]) {
                c->bones[c->bone_count++] = (Bone){j, def->place[j], def->place[k]};
            }
        }
        if (c->bone_count == c->begin[j]) {
            c->bones[c->bone_count++] = lastBone(def, j);
        }
    }
    c->begin[def->joint_count] = c->bone_count;
}

static bool isHeld(const Core* c, int32_t node)
{
    const snHeldCoreDef* def = c->def;
    const snNodeWeights* w = &def->weights[node];
    double depth = def->depth[node];
    for (int k = 0; k < SN_WEIGHTS_MOST && w->joint[k] >= 0; ++k) {
        if ((double)w->weight[k] < LEAST_WEIGHT) {
            break;
        }
        for (int32_t b = c->begin[w->joint[k]]; b < c->begin[w->joint[k] + 1]; ++b) {
            double d =
                snSegmentDistance(c->bones[b].from, c->bones[b].to, def->mesh->position[node]);
            if (d < SN_HELD_CORE_PART * (d + depth) ||
                (d < SN_HELD_CORE_CELLS * def->cell && depth > SN_HELD_CORE_DEPTH * def->cell)) {
                return true;
            }
        }
    }
    return false;
}

snStatus snHeldCore_Mark(const snHeldCoreDef* def, uint8_t* held, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &def->rig->host);
    size_t joints = (size_t)def->joint_count;
    Core core = {.def = def,
                 .above = snArena_Push(&scratch, joints, sizeof(int32_t)),
                 .is_bone = snArena_Push(&scratch, joints, 1),
                 .has_next = snArena_Push(&scratch, joints, 1),
                 .bones = snArena_Push(&scratch, 2 * joints, sizeof(Bone)),
                 .begin = snArena_Push(&scratch, joints + 1, sizeof(int32_t))};
    bool ok = !scratch.failed && sortJoints(&core, &scratch);
    if (ok) {
        layBones(&core);
        for (int32_t i = 0; i < def->mesh->node_count; ++i) {
            held[i] |= isHeld(&core, i);
        }
    }
    snArena_Free(&scratch);
    return ok ? sn_ok : snFail(why, sn_errorMemory, "no memory for %zu joints", joints);
}
