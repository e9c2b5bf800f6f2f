// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a soft body may touch of itself, by trying all.
#ifndef SN_TESTS_CONTACT_OWN_H
#define SN_TESTS_CONTACT_OWN_H

#include "base/cpu.h"
#include "base/hash.h"
#include "contact/soft.h"

static inline snTissueBox boxAround(const Body* b, const int32_t* node, int count,
                                    const float* weight)
{
    float m = b->tree.margin;
    snTissueBox box = {{HUGE_VALF, HUGE_VALF, HUGE_VALF, 0},
                       {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF, 0}};
    snVec4f sum = {0, 0, 0, 0};
    float most = 0; // points outside of their cell may move farther than its nodes
    for (int k = 0; k < count; ++k) {
        snVec4f p = b->x[node[k]];
        most += weight ? fabsf(weight[k]) * m : 0;
        sum.x += weight ? weight[k] * p.x : 0;
        sum.y += weight ? weight[k] * p.y : 0;
        sum.z += weight ? weight[k] * p.z : 0;
        box.lo = (snVec4f){fminf(box.lo.x, p.x), fminf(box.lo.y, p.y), fminf(box.lo.z, p.z), 0};
        box.hi = (snVec4f){fmaxf(box.hi.x, p.x), fmaxf(box.hi.y, p.y), fmaxf(box.hi.z, p.z), 0};
    }
    box.lo = weight ? sum : box.lo;
    box.hi = weight ? sum : box.hi;
    m = most > 1.00001F * m ? most : m;
    box.lo = (snVec4f){box.lo.x - m, box.lo.y - m, box.lo.z - m, 0};
    box.hi = (snVec4f){box.hi.x + m, box.hi.y + m, box.hi.z + m, 0};
    return box;
}

static inline snTissueBox cellBox(const Body* b, int32_t e)
{
    return boxAround(b, b->flesh->tets.tet + 4 * (size_t)e, 4, NULL);
}

static inline snTissueBox pointBox(const Body* b, int32_t u)
{
    return boxAround(b, b->flesh->ties[u].node, 4, b->flesh->ties[u].weight);
}

static inline bool boxesMeet(snTissueBox a, snTissueBox b)
{
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
           a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

// Room for pairs, per point
#define ROOM 400

typedef struct Own {
    snNearList near;
    int32_t capacity;
    int32_t* counts;
} Own;

static inline Own openOwn(const Body* b)
{
    Own own = {.capacity = ROOM * b->flesh->point_count};
    own.near.pairs = calloc((size_t)own.capacity, sizeof(snNear));
    own.counts = calloc((size_t)b->flesh->point_count, sizeof(int32_t));
    return own;
}

static inline void closeOwn(Own* own)
{
    free(own->near.pairs);
    free(own->counts);
}

// Of the pairs, and of what is kept for the next list
static inline uint64_t hashOwn(const Body* b, const Own* own)
{
    size_t kept = (size_t)b->tissue.front_count;
    uint64_t hash = snHash(own->near.pairs, (size_t)own->near.count * sizeof *own->near.pairs, 0);
    hash = snHash(b->tree.clear, kept * sizeof *b->tree.clear, hash);
    return snHash(&b->tree.tries, sizeof b->tree.tries, hash);
}

// The same for every instruction set and any number of threads.
static inline bool listOwn(Body* b, Own* own, int32_t capacity)
{
    bool listed = false;
    uint64_t first = 0;
    snHost host;
    snTasks* tasks = NULL;
    snMessage why;
    snHost_Init(&host);
    host.thread_count = 3;
    assert_ok(snTasks_Create(&host, &tasks, &why), why);
    const int32_t best = (int32_t)snCpu_Best();
    for (int32_t i = sn_isaBaseline; i <= best + 1; ++i) { // at last with threads
        snTissueTree_Forget(&b->tree, &b->tissue);
        listed =
            snTissueTree_NearSelf((snIsa)(i > best ? best : i), i > best ? tasks : NULL, &b->tree,
                                  &b->tissue, b->x, &own->near, capacity, own->counts);
        uint64_t hash = hashOwn(b, own);
        first = i == sn_isaBaseline ? hash : first;
        assert_true(hash == first);
    }
    snTasks_Free(tasks);
    return listed;
}

// Whether a cell has a corner far enough away at rest.
static inline bool reaches(const Body* b, int32_t u, int32_t e)
{
    bool far = false;
    for (int k = 0; k < 4; ++k) {
        int32_t node = b->flesh->tets.tet[4 * (size_t)e + (size_t)k];
        snVec3 d = snSub(b->flesh->tets.position[node], b->tissue.point_rest[u]);
        far = far || snLengthSq(d) >= b->tissue.apart * b->tissue.apart;
    }
    return far;
}

// How far a pair is from touching; infinite when it cannot before something has moved by the
// margin.
static inline double clearOf(const Body* b, int32_t u, int32_t e)
{
    int32_t home = b->tissue.home[e];
    uint32_t lanes = snTissue_StrangersIn(&b->tissue, u, home / SN_TISSUE_LANES);
    bool strange = lanes >> home % SN_TISSUE_LANES & 1;
    double way = 2 * (double)b->tree.margin;
    if (!boxesMeet(pointBox(b, u), cellBox(b, e)) || !(strange || reaches(b, u, e))) {
        return (double)INFINITY;
    }
    return snTissue_Clear(&b->tissue, b->x, e, snTie_Blend(&b->flesh->ties[u], b->x),
                          strange ? -1 : u, way);
}

// Every pair that may touch is in the list, once, behind those of lower points.
static inline void checkOwn(const Body* b, const snNearList* near)
{
    int32_t cells = b->flesh->tets.tet_count, at = 0;
    int32_t* seen = calloc((size_t)cells, sizeof(int32_t));
    for (int32_t u = 0; u < b->flesh->point_count; ++u) {
        for (; at < near->count && near->pairs[at].point == u; ++at) {
            const snNear* pair = &near->pairs[at];
            double clear = clearOf(b, u, pair->cell);
            assert_int_not_equal(seen[pair->cell], u + 1);
            seen[pair->cell] = u + 1;
            assert_true((double)pair->clear <= clear);
            assert_true(isinf(clear) || (double)pair->clear >= 0.999 * clear);
        }
        for (int32_t e = 0; e < cells; ++e) {
            assert_true(seen[e] == u + 1 || isinf(clearOf(b, u, e)));
        }
    }
    assert_int_equal(at, near->count);
    free(seen);
}

#endif
