// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/bvh.h"

#include "base/message.h"

#define BINS 16

// From here on halves are made, which needs at most 31 more levels.
#define DEEPEST_CHOICE 30

typedef struct Range {
    int32_t node, first, count, depth;
} Range;

typedef struct Builder {
    const snBox* box;
    snVec3* centre; // twice the boxes' centres
    int32_t* order;
    int32_t* spare;
} Builder;

static double along(snVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double halfArea(snBox box)
{
    snVec3 d = snSub(box.hi, box.lo);
    return d.x >= 0 ? d.x * d.y + d.y * d.z + d.z * d.x : 0;
}

static int binOf(const Builder* b, int32_t item, int axis, double low, double scale)
{
    int bin = (int)((along(b->centre[item], axis) - low) * scale);
    return bin < BINS ? bin : BINS - 1;
}

// The bin that starts the right side at the least cost: sum of half area times count (MacDonald &
// Booth 1990).
static int chooseBin(const Builder* b, const Range* range, int axis, double low, double scale)
{
    snBox boxes[BINS], right = snBox_Empty();
    int32_t counts[BINS] = {0}, count = 0;
    double right_cost[BINS];
    for (int i = 0; i < BINS; ++i) {
        boxes[i] = snBox_Empty();
    }
    for (int32_t i = range->first; i < range->first + range->count; ++i) {
        int bin = binOf(b, b->order[i], axis, low, scale);
        boxes[bin] = snBox_Union(boxes[bin], b->box[b->order[i]]);
        ++counts[bin];
    }
    for (int i = BINS - 1; i > 0; --i) {
        right = snBox_Union(right, boxes[i]);
        count += counts[i];
        right_cost[i] = count * halfArea(right);
    }
    snBox left = snBox_Empty();
    int best = 1;
    double least = HUGE_VAL;
    count = 0;
    for (int i = 1; i < BINS; ++i) {
        left = snBox_Union(left, boxes[i - 1]);
        count += counts[i - 1];
        double cost = count * halfArea(left) + right_cost[i];
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

// Puts the left side's items first, both sides in their old order; returns how many those are.
static int32_t split(const Builder* b, const Range* range)
{
    snBox centres = snBox_Empty();
    for (int32_t i = range->first; i < range->first + range->count; ++i) {
        centres = snBox_Point(centres, b->centre[b->order[i]]);
    }
    snVec3 size = snSub(centres.hi, centres.lo);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    double low = along(centres.lo, axis), length = along(size, axis), scale = BINS / length;
    if (!(length > 0 && length < HUGE_VAL && scale < HUGE_VAL) || range->depth >= DEEPEST_CHOICE) {
        return range->count / 2;
    }
    int bin = chooseBin(b, range, axis, low, scale);
    int32_t left = 0, right = 0;
    for (int32_t i = range->first; i < range->first + range->count; ++i) {
        int32_t item = b->order[i];
        if (binOf(b, item, axis, low, scale) < bin) {
            b->order[range->first + left++] = item;
        } else {
            b->spare[right++] = item;
        }
    }
    for (int32_t i = 0; i < right; ++i) {
        b->order[range->first + left + i] = b->spare[i];
    }
    return left > 0 && right > 0 ? left : range->count / 2;
}

static void grow(const Builder* b, int32_t leaf_size, snBvh* bvh)
{
    Range stack[SN_BVH_DEPTH + 1];
    int top = 0;
    stack[top++] = (Range){0, 0, bvh->item_count, 0};
    bvh->node_count = 1;
    while (top > 0) {
        Range r = stack[--top];
        snBvhNode* node = &bvh->nodes[r.node];
        if (r.count <= leaf_size) {
            node->first = r.first;
            node->count = r.count;
            continue;
        }
        int32_t left = split(b, &r);
        node->first = bvh->node_count;
        bvh->node_count += 2;
        stack[top++] = (Range){node->first + 1, r.first + left, r.count - left, r.depth + 1};
        stack[top++] = (Range){node->first, r.first, left, r.depth + 1};
    }
}

snStatus snBvh_Build(snArena* arena, const snBox* box, int32_t count, int32_t leaf_size, snBvh* bvh,
                     snMessage* why)
{
    size_t n = (size_t)count;
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    *bvh = (snBvh){0, count, snArena_Push(arena, 2 * n, sizeof(snBvhNode)),
                   snArena_Push(arena, n, sizeof(int32_t))};
    Builder b = {box, snArena_Push(&scratch, n, sizeof(snVec3)), bvh->order,
                 snArena_Push(&scratch, n, sizeof(int32_t))};
    if (!bvh->nodes || !bvh->order || scratch.failed) {
        snArena_Free(&scratch);
        return snFail(why, sn_errorMemory, "out of memory for a tree of %d boxes", count);
    }
    for (int32_t i = 0; i < count; ++i) {
        b.centre[i] = snAdd(box[i].lo, box[i].hi);
        bvh->order[i] = i;
    }
    if (count > 0) {
        grow(&b, leaf_size > 0 ? leaf_size : 1, bvh);
        snBvh_Refit(bvh, box);
    }
    snArena_Free(&scratch);
    return sn_ok;
}

static snBox triangleBox(const snSurface* surface, int32_t t)
{
    const int32_t* v = surface->triangle + 3 * (size_t)t;
    snBox box = {surface->position[v[0]], surface->position[v[0]]};
    return snBox_Point(snBox_Point(box, surface->position[v[1]]), surface->position[v[2]]);
}

snStatus snBvh_OfSurface(snArena* arena, const snSurface* surface, int32_t leaf_size, snBvh* bvh,
                         snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snBox* box = snArena_Push(&scratch, (size_t)surface->triangle_count, sizeof(snBox));
    if (!box) {
        return snFail(why, sn_errorMemory, "out of memory for a tree of %d triangles",
                      surface->triangle_count);
    }
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        box[t] = triangleBox(surface, t);
    }
    snStatus status = snBvh_Build(arena, box, surface->triangle_count, leaf_size, bvh, why);
    snArena_Free(&scratch);
    return status;
}

// Children have higher numbers than their parents.
void snBvh_Refit(snBvh* bvh, const snBox* box)
{
    for (int32_t i = bvh->node_count - 1; i >= 0; --i) {
        snBvhNode* node = &bvh->nodes[i];
        node->box = snBox_Empty();
        for (int32_t k = 0; k < node->count; ++k) {
            node->box = snBox_Union(node->box, box[bvh->order[node->first + k]]);
        }
        if (node->count == 0) {
            const snBvhNode* child = &bvh->nodes[node->first];
            node->box = snBox_Union(child[0].box, child[1].box);
        }
    }
}
