// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/bind.h"

#include "base/message.h"
#include "skel/kinematics.h"

// A bone at rest.
typedef struct Rod {
    snVec3 from, to;
    double radius;
} Rod;

// NULL when there is no memory.
static Rod* placeRods(snArena* arena, const snSkeleton* skeleton)
{
    size_t n = (size_t)skeleton->bone_count;
    double* q = snArena_Push(arena, (size_t)skeleton->nq, sizeof(double));
    snBoneMotion* motion = snArena_Push(arena, n, sizeof(snBoneMotion));
    Rod* made = snArena_Push(arena, n, sizeof(Rod));
    if (arena->failed) {
        return NULL;
    }
    snSkeleton_ZeroPose(skeleton, q);
    snKinematics_Position(skeleton, q, NULL, motion);
    for (size_t i = 0; i < n; ++i) {
        const snBoneDef* d = &skeleton->defs[i];
        double length = snLength(d->tip);
        made[i].from = motion[i].p;
        made[i].to = snAdd(motion[i].p, snMatVec(motion[i].R, d->tip));
        made[i].radius = d->radius > 0 ? d->radius : 0.1 * length;
    }
    return made;
}

// Joints that bend at a bone: its own, unless it is welded or a root, and its children's.
static bool nearJoint(const snSkeleton* skeleton, const Rod* rods, int32_t bone, snVec3 p,
                      double margin)
{
    const Rod* rod = &rods[bone];
    double length = snLength(snSub(rod->to, rod->from));
    double reach = margin * rod->radius;
    reach =
        length > 0 && reach > 0.35 * length ? 0.35 * length : reach; // short bones keep a middle
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        bool bends = b->type != sn_jointWeld && b->parent >= 0 && (i == bone || b->parent == bone);
        if (bends && length > 0 && snLength(snSub(p, rods[i].from)) < reach) {
            return true;
        }
    }
    return false;
}

static snVec3 nearestOnRod(const Rod* rod, snVec3 p)
{
    snVec3 d = snSub(rod->to, rod->from);
    double square = snLengthSq(d), t = square > 0 ? snDot(snSub(p, rod->from), d) / square : 0;
    return snMulAdd(rod->from, t < 0 ? 0 : t > 1 ? 1 : t, d);
}

static int32_t nearestBone(const Rod* rods, int32_t count, snVec3 p, double* distance)
{
    int32_t best = 0;
    *distance = HUGE_VAL;
    for (int32_t i = 0; i < count; ++i) {
        double d = snLength(snSub(p, nearestOnRod(&rods[i], p)));
        if (d < *distance) {
            *distance = d;
            best = i;
        }
    }
    return best;
}

// Gives bones without a fixed node the nearest of their own to their middle.
static void fillBareBones(const snTets* mesh, const snSkeleton* skeleton, const Rod* rods,
                          snBinding* out)
{
    for (int32_t b = 0; b < skeleton->bone_count; ++b) {
        snVec3 middle = snScale(0.5, snAdd(rods[b].from, rods[b].to));
        int32_t best = -1;
        double least = HUGE_VAL;
        bool bare = true;
        for (int32_t i = 0; i < mesh->node_count; ++i) {
            double square = snLengthSq(snSub(mesh->position[i], middle));
            bare = bare && out->fixed[i] != b;
            if (out->bone[i] == b && square < least) {
                least = square;
                best = i;
            }
        }
        if (bare && best >= 0) {
            out->fixed[best] = b;
            out->fixed_count++;
        } else if (bare && snLength(snSub(rods[b].to, rods[b].from)) > 0) {
            out->bare_count++;
        }
    }
}

snStatus snBind_Nodes(snArena* arena, const snTets* mesh, const snSkeleton* skeleton,
                      const snBindDef* def, snBinding* out, snMessage* why)
{
    const Rod* rods = placeRods(arena, skeleton);
    if (!rods) {
        return snFail(why, sn_errorMemory, "no memory to bind %d bones", (int)skeleton->bone_count);
    }
    size_t n = (size_t)mesh->node_count;
    *out = (snBinding){.bone = snArena_Push(arena, n, sizeof(int32_t)),
                       .fixed = snArena_Push(arena, n, sizeof(int32_t))};
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory to bind %zu nodes", n);
    }
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        double distance;
        int32_t b = nearestBone(rods, skeleton->bone_count, mesh->position[i], &distance);
        bool core = distance <= def->core * rods[b].radius &&
                    !nearJoint(skeleton, rods, b, mesh->position[i], def->margin);
        out->bone[i] = b;
        out->fixed[i] = core ? b : -1;
        out->fixed_count += core;
    }
    fillBareBones(mesh, skeleton, rods, out);
    return sn_ok;
}
