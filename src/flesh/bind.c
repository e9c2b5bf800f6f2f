// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/bind.h"

#include "base/message.h"
#include "flesh/rod.h"

// Joints that bend at a bone: its own, unless it is welded or a root, and its children's.
static bool nearJoint(const snSkeleton* skeleton, const snRod* rods, int32_t bone, snVec3 p,
                      double margin)
{
    const snRod* rod = &rods[bone];
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

static double distanceTo(const snRod* rod, snVec3 p)
{
    return snSegmentDistance(rod->from, rod->to, p);
}

static int32_t nearestBone(const snRod* rods, int32_t count, snVec3 p, double* distance)
{
    int32_t best = -1;
    *distance = HUGE_VAL;
    for (int32_t i = 0; i < count; ++i) {
        double d = distanceTo(&rods[i], p);
        if (d < *distance) {
            *distance = d;
            best = i;
        }
    }
    return best;
}

// Holding -----------------------------------------------------------------------

// Nodes on one line let the flesh spin about it. These shares of the bone's radius make two nodes a
// line and three a triangle; nodes farther out than REACH radii are skin, not core.
#define LINE 0.5
#define OFF_LINE 0.25
#define REACH 1.5

// How firmly a bone holds: by no node, a point, a line or a triangle of them.
typedef struct Hold {
    int rank; // 0..3
    snVec3 point, along;
} Hold;

static double offHold(const Hold* hold, snVec3 p)
{
    snVec3 d = snSub(p, hold->point);
    return hold->rank < 2 ? snLength(d) : snLength(snCross(d, hold->along));
}

static void addToHold(Hold* hold, const snRod* rod, snVec3 p)
{
    if (hold->rank == 0) {
        hold->point = p;
        hold->rank = 1;
    } else if (hold->rank == 1 && offHold(hold, p) >= LINE * rod->radius) {
        hold->along = snNormalize(snSub(p, hold->point));
        hold->rank = 2;
    } else if (hold->rank == 2 && offHold(hold, p) >= OFF_LINE * rod->radius) {
        hold->rank = 3;
    }
}

typedef struct Binder {
    const snTets* mesh;
    const snSkeleton* skeleton;
    const snRod* rods;
    const snBindDef* def;
    snBinding* out;
} Binder;

// The first fixed nodes that span the most; twice, as a point close to the first may be off the
// line that a later one makes.
static Hold holdOf(const Binder* b, int32_t bone)
{
    Hold hold = {0};
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < b->mesh->node_count && hold.rank < 3; ++i) {
            if (b->out->fixed[i] == bone) {
                addToHold(&hold, &b->rods[bone], b->mesh->position[i]);
            }
        }
    }
    return hold;
}

// The free node nearest to the bone that makes the hold firmer, or -1. A bone without any takes the
// one of its own that is nearest to its middle.
static int32_t nextHolder(const Binder* b, int32_t bone, const Hold* hold)
{
    const snRod* rod = &b->rods[bone];
    snVec3 middle = snScale(0.5, snAdd(rod->from, rod->to));
    int32_t best = -1;
    double least = hold->rank == 0 ? HUGE_VAL : REACH * rod->radius;
    double off = (hold->rank == 1 ? LINE : OFF_LINE) * rod->radius;
    for (int32_t i = 0; i < b->mesh->node_count; ++i) {
        snVec3 p = b->mesh->position[i];
        if (b->out->bone[i] != bone || b->out->fixed[i] >= 0) {
            continue;
        }
        double d = hold->rank == 0 ? snLength(snSub(p, middle)) : distanceTo(rod, p);
        if (d < least &&
            (hold->rank == 0 || (offHold(hold, p) >= off &&
                                 !nearJoint(b->skeleton, b->rods, bone, p, b->def->margin)))) {
            least = d;
            best = i;
        }
    }
    return best;
}

static void holdBone(const Binder* b, int32_t bone)
{
    Hold hold = holdOf(b, bone);
    while (hold.rank < 3) {
        int32_t next = nextHolder(b, bone, &hold);
        if (next < 0) {
            break;
        }
        b->out->fixed[next] = bone;
        b->out->fixed_count++;
        addToHold(&hold, &b->rods[bone], b->mesh->position[next]);
    }
    const snRod* rod = &b->rods[bone];
    b->out->bare_count += hold.rank == 0 && snLength(snSub(rod->to, rod->from)) > 0;
}

snStatus snBind_Nodes(snArena* arena, const snTets* mesh, const snSkeleton* skeleton,
                      const snBindDef* def, snBinding* out, snMessage* why)
{
    const snRod* rods = snRods_Place(arena, skeleton);
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
        bool core = b >= 0 && distance <= def->core * rods[b].radius &&
                    !nearJoint(skeleton, rods, b, mesh->position[i], def->margin);
        out->bone[i] = b;
        out->fixed[i] = core ? b : -1;
        out->fixed_count += core;
    }
    const Binder binder = {mesh, skeleton, rods, def, out};
    for (int32_t b = 0; b < skeleton->bone_count; ++b) {
        holdBone(&binder, b);
    }
    return sn_ok;
}
