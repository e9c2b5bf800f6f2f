// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Every item lies in one leaf, every box in its parent's, no leaf is too full, no tree too deep.
#include "geom/bvh.h"
#include "base/random.h"
#include "shapes.h"

#define MOST 3000

static bool contains(const snBox* outer, const snBox* inner)
{
    return outer->lo.x <= inner->lo.x && outer->lo.y <= inner->lo.y && outer->lo.z <= inner->lo.z &&
           outer->hi.x >= inner->hi.x && outer->hi.y >= inner->hi.y && outer->hi.z >= inner->hi.z;
}

static int checkNode(const snBvh* bvh, const snBox* box, int32_t i, int32_t leaf, uint8_t* seen)
{
    const snBvhNode* node = &bvh->nodes[i];
    assert_true(i < bvh->node_count && node->count <= leaf);
    for (int32_t k = 0; k < node->count; ++k) {
        int32_t item = bvh->order[node->first + k];
        assert_true(contains(&node->box, &box[item]));
        assert_int_equal(seen[item]++, 0);
    }
    if (node->count > 0) {
        return 0;
    }
    assert_true(node->first > i);
    assert_true(contains(&node->box, &bvh->nodes[node->first].box));
    assert_true(contains(&node->box, &bvh->nodes[node->first + 1].box));
    int left = checkNode(bvh, box, node->first, leaf, seen);
    int right = checkNode(bvh, box, node->first + 1, leaf, seen);
    return 1 + (left > right ? left : right);
}

static int checkTree(const snBvh* bvh, const snBox* box, int32_t leaf)
{
    static uint8_t seen[MOST];
    memset(seen, 0, sizeof(seen));
    int depth = bvh->node_count > 0 ? checkNode(bvh, box, 0, leaf, seen) : 0;
    for (int32_t i = 0; i < bvh->item_count; ++i) {
        assert_int_equal(seen[i], 1);
    }
    assert_true(depth < SN_BVH_DEPTH);
    return depth;
}

// Boxes spread evenly, all in one place, at distances that double (which unbalances any tree), in
// a line, infinitely large.
static snBox draw(snRandom* r, int kind, int32_t i)
{
    double x = snRandom_Unit(r), y = snRandom_Unit(r), z = snRandom_Unit(r);
    snVec3 p = snV3(x, y, z);
    double size = 0.01 * snRandom_Unit(r);
    if (kind == 1) {
        p = snV3(1, 2, 3);
    } else if (kind == 2) {
        p = snScale(i < 1000 ? pow(2, i - 500) : 1, snV3(1, 0, 0));
        size = 0;
    } else if (kind == 3) {
        p = snV3(0, i, 0);
    } else if (kind == 4) {
        p = snScale(1.7e308 * (i % 2 ? 1 : -1), p);
    }
    return (snBox){p, snAdd(p, snV3(size, size, size))};
}

static void test_build(void** state)
{
    (void)state;
    static snBox box[MOST];
    const int32_t counts[] = {0, 1, 2, 5, 100, MOST};
    for (int kind = 0; kind < 5; ++kind) {
        for (size_t c = 0; c < 6; ++c) {
            snRandom r = snRandom_Seed((uint64_t)kind);
            for (int32_t i = 0; i < counts[c]; ++i) {
                box[i] = draw(&r, kind, i);
            }
            snArena arena;
            snArena_Init(&arena, NULL);
            snBvh bvh;
            snMessage why;
            assert_ok(snBvh_Build(&arena, box, counts[c], 4, &bvh, &why), why);
            int depth = checkTree(&bvh, box, 4);
            assert_true(kind != 0 || depth < 20); // log2(MOST / 4) is 10
            for (int32_t i = 0; i < counts[c]; ++i) {
                box[i] = draw(&r, 0, i);
            }
            snBvh_Refit(&bvh, box);
            checkTree(&bvh, box, 4);
            snArena_Free(&arena);
        }
    }
}

// A tree over a surface is shallow and finds a point's neighbours in few nodes.
static void test_surface(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s = makeTorus(&arena, 100, 60, 2, 0.5);
    snBvh bvh;
    snMessage why;
    assert_ok(snBvh_OfSurface(&arena, &s, 4, &bvh, &why), why);
    snRandom r = snRandom_Seed(5);
    int64_t visits = 0;
    for (int k = 0; k < 1000; ++k) {
        int32_t t = (int32_t)snRandom_Below(&r, (uint32_t)s.triangle_count);
        snVec3 p = s.position[s.triangle[3 * t]];
        bool found = false;
        int32_t stack[SN_BVH_DEPTH + 1] = {0};
        for (int top = 1; top > 0;) {
            const snBvhNode* node = &bvh.nodes[stack[--top]];
            ++visits;
            if (snBox_DistanceSq(&node->box, p) > 0) {
                continue;
            }
            for (int32_t i = 0; i < node->count; ++i) {
                found |= bvh.order[node->first + i] == t;
            }
            if (node->count == 0) {
                stack[top++] = node->first;
                stack[top++] = node->first + 1;
            }
        }
        assert_true(found);
    }
    assert_below((double)visits / 1000, 60);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_build),
                                       cmocka_unit_test(test_surface)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
