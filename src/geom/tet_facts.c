// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/tet_facts.h"

#include <string.h>

#include "base/message.h"
#include "geom/parts.h"
#include "geom/sort.h"

static snStatus outOfMemory(const snTets* tets, snMessage* why)
{
    return snFail(why, sn_errorMemory, "out of memory for %d tets", (int)tets->tet_count);
}

static void sort2(int32_t* a, int32_t* b)
{
    int32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

// Mending ------------------------------------------------------------------------

static void sorted4(const int32_t* tet, int32_t n[4])
{
    memcpy(n, tet, 4 * sizeof(int32_t));
    sort2(&n[0], &n[1]);
    sort2(&n[2], &n[3]);
    sort2(&n[0], &n[2]);
    sort2(&n[1], &n[3]);
    sort2(&n[1], &n[2]);
}

// Volume over the longest edge cubed; 0 when there is no edge.
static double shapeOf(const snTets* tets, const int32_t* n, double* volume)
{
    static const int EDGES[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const snVec3* x = tets->position;
    double longest = 0;
    for (int k = 0; k < 6; ++k) {
        double length = snLength(snSub(x[n[EDGES[k][0]]], x[n[EDGES[k][1]]]));
        longest = length > longest ? length : longest;
    }
    *volume = snTetVolume(x[n[0]], x[n[1]], x[n[2]], x[n[3]]);
    return longest > 0 ? *volume / (longest * longest * longest) : 0;
}

static void count(int32_t* counter, int32_t* first, int32_t index)
{
    *first = *counter == 0 ? index : *first;
    ++*counter;
}

// What happens to a tet.
enum { KEPT, TURNED, DROPPED };

// Turns what is inside out and marks what has no volume.
static void judge(snTets* tets, uint8_t* fate, snTetFacts* facts)
{
    for (int32_t e = 0; e < tets->tet_count; ++e) {
        int32_t* n = tets->tet + 4 * (size_t)e;
        double volume, shape = shapeOf(tets, n, &volume);
        // also when lengths beyond all sense have overflowed
        if (!(fabs(shape) > SN_TET_FLAT)) {
            count(&facts->flat, &facts->first_flat, e);
            fate[e] = DROPPED;
            continue;
        }
        if (shape < 0) {
            fate[e] = TURNED;
            int32_t was = n[2];
            n[2] = n[3];
            n[3] = was;
            shape = -shape;
        }
        facts->slivers += shape < SN_TET_SLIVER;
        if (facts->worst < 0 || shape < facts->worst_shape) {
            facts->worst = e;
            facts->worst_shape = shape;
        }
    }
}

// Of equal tets, the sort keeps the first in front.
static bool findDuplicates(snArena* scratch, const snTets* tets, uint8_t* fate, snTetFacts* facts)
{
    size_t total = (size_t)tets->tet_count;
    uint64_t* key = snArena_Push(scratch, total, sizeof(uint64_t));
    int32_t* order = snArena_Push(scratch, total, sizeof(int32_t));
    int32_t before[4] = {-1, -1, -1, -1}, n[4];
    for (int pass = 0; pass < 2 && !scratch->failed; ++pass) {
        for (size_t i = 0; i < total; ++i) {
            order[i] = pass == 0 ? (int32_t)i : order[i];
            sorted4(tets->tet + 4 * (size_t)order[i], n);
            key[i] = pass == 0 ? (uint64_t)n[2] << 32 | (uint64_t)n[3]
                               : (uint64_t)n[0] << 32 | (uint64_t)n[1];
        }
        snSort_Pairs(scratch, key, order, (int64_t)total);
    }
    for (size_t i = 0; i < total && !scratch->failed; ++i) {
        sorted4(tets->tet + 4 * (size_t)order[i], n);
        if (memcmp(n, before, sizeof n) == 0 && fate[order[i]] != DROPPED) {
            fate[order[i]] = DROPPED;
            facts->first_duplicate = facts->duplicate == 0 || order[i] < facts->first_duplicate
                                         ? order[i]
                                         : facts->first_duplicate;
            ++facts->duplicate;
        }
        memcpy(before, n, sizeof n);
    }
    return !scratch->failed;
}

// Leaves out what is marked; turned ones, parts and stray nodes of the rest.
static bool keepRest(snArena* scratch, snTets* tets, const uint8_t* fate, snTetFacts* facts)
{
    int32_t* part = snArena_Push(scratch, (size_t)tets->node_count, sizeof(int32_t));
    uint8_t* used = snArena_Push(scratch, (size_t)tets->node_count, 1);
    int32_t kept = 0;
    if (scratch->failed) {
        return false;
    }
    snParts_Start(part, tets->node_count);
    for (int32_t e = 0; e < tets->tet_count; ++e) {
        int32_t* n = tets->tet + 4 * (size_t)e;
        const snVec3* x = tets->position;
        if (fate[e] == DROPPED) {
            continue;
        }
        for (int k = 0; k < 4; ++k) {
            snParts_Join(part, n[0], n[k]);
            used[n[k]] = 1;
        }
        if (fate[e] == TURNED) {
            count(&facts->turned, &facts->first_turned, e);
        }
        facts->volume += snTetVolume(x[n[0]], x[n[1]], x[n[2]], x[n[3]]);
        memmove(tets->tet + 4 * (size_t)kept++, n, 4 * sizeof(int32_t));
    }
    tets->tet_count = kept;
    for (int32_t i = 0; i < tets->node_count; ++i) {
        if (!used[i]) {
            count(&facts->stray, &facts->first_stray, i);
        }
        facts->parts += used[i] && snParts_Find(part, i) == i;
    }
    return true;
}

snStatus snTets_Mend(snTets* tets, const snHost* host, snTetFacts* facts, snMessage* why)
{
    *facts = (snTetFacts){.first_turned = -1,
                          .first_flat = -1,
                          .first_duplicate = -1,
                          .first_stray = -1,
                          .worst = -1};
    snArena scratch;
    snArena_Init(&scratch, host);
    uint8_t* fate = snArena_Push(&scratch, (size_t)tets->tet_count, 1);
    bool done = fate != NULL;
    if (done) {
        judge(tets, fate, facts);
        done = findDuplicates(&scratch, tets, fate, facts) && keepRest(&scratch, tets, fate, facts);
    }
    snArena_Free(&scratch);
    return done ? sn_ok : outOfMemory(tets, why);
}

// Boundary -----------------------------------------------------------------------

// Nodes of the face opposite to each node, counter-clockwise from outside.
static const int FACES[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

// The nodes of face f = 4 tet + side, upwards; 1, or -1 if that turns it inwards.
static int faceOf(const snTets* tets, int32_t f, int32_t n[3])
{
    const int32_t* tet = tets->tet + 4 * (size_t)(f / 4);
    for (int k = 0; k < 3; ++k) {
        n[k] = tet[FACES[f % 4][k]];
    }
    int swaps = (n[0] > n[1]) + (n[0] > n[2]) + (n[1] > n[2]);
    sort2(&n[0], &n[1]);
    sort2(&n[1], &n[2]);
    sort2(&n[0], &n[1]);
    return swaps % 2 == 0 ? 1 : -1;
}

static int32_t* sortFaces(snArena* scratch, const snTets* tets)
{
    size_t total = 4 * (size_t)tets->tet_count;
    uint64_t* key = snArena_Push(scratch, total, sizeof(uint64_t));
    int32_t* order = snArena_Push(scratch, total, sizeof(int32_t));
    for (int pass = 0; pass < 2 && !scratch->failed; ++pass) {
        for (size_t i = 0; i < total; ++i) {
            int32_t n[3];
            order[i] = pass == 0 ? (int32_t)i : order[i];
            faceOf(tets, order[i], n);
            key[i] = pass == 0 ? (uint64_t)n[2] : (uint64_t)n[0] << 32 | (uint64_t)n[1];
        }
        snSort_Pairs(scratch, key, order, (int64_t)total);
    }
    return scratch->failed ? NULL : order;
}

// Faces that several tets have cancel in pairs of opposite sense, as the boundary of a sum of tets
// does; what is left over is written to triangle unless that is NULL. Returns how many are left.
static int64_t sumFaces(const snTets* tets, const int32_t* order, int32_t* triangle,
                        int32_t* crowded)
{
    int64_t total = 4 * (int64_t)tets->tet_count, left = 0;
    *crowded = 0;
    for (int64_t i = 0, next; i < total; i = next) {
        int32_t n[3], m[3];
        int sum = faceOf(tets, order[i], n);
        for (next = i + 1; next < total; ++next) {
            int sense = faceOf(tets, order[next], m);
            if (memcmp(n, m, sizeof n) != 0) {
                break;
            }
            sum += sense;
        }
        *crowded += next - i > 2 || sum > 1 || sum < -1;
        for (int k = sum < 0 ? -sum : sum; k > 0; --k, ++left) {
            if (triangle) {
                int32_t* t = triangle + 3 * left;
                t[0] = n[0];
                t[1] = sum > 0 ? n[1] : n[2];
                t[2] = sum > 0 ? n[2] : n[1];
            }
        }
    }
    return left;
}

// The nodes that triangles use become vertices, in the same order.
static bool takeVertices(snArena* arena, snArena* scratch, const snTets* tets, snSurface* s)
{
    int32_t* number = snArena_Push(scratch, (size_t)tets->node_count, sizeof(int32_t));
    if (!number) {
        return false;
    }
    size_t sides = 3 * (size_t)s->triangle_count;
    for (size_t i = 0; i < sides; ++i) {
        s->vertex_count += number[s->triangle[i]] == 0;
        number[s->triangle[i]] = 1;
    }
    s->position = snArena_Push(arena, (size_t)s->vertex_count, sizeof(snVec3));
    if (!s->position) {
        return false;
    }
    int32_t at = 0;
    for (int32_t i = 0; i < tets->node_count; ++i) {
        if (number[i]) {
            s->position[at] = tets->position[i];
            number[i] = at++;
        }
    }
    for (size_t i = 0; i < sides; ++i) {
        s->triangle[i] = number[s->triangle[i]];
    }
    return true;
}

snStatus snTets_Boundary(snArena* arena, const snTets* tets, snSurface* out, int32_t* crowded,
                         snMessage* why)
{
    snArena scratch;
    snSurface s = {0};
    snArena_Init(&scratch, &arena->host);
    memset(out, 0, sizeof *out);
    *crowded = 0;
    const int32_t* order = sortFaces(&scratch, tets);
    bool done = order != NULL;
    if (done) {
        s.triangle_count = (int32_t)sumFaces(tets, order, NULL, crowded);
        s.triangle = snArena_Push(arena, 3 * (size_t)s.triangle_count, sizeof(int32_t));
        done = s.triangle != NULL;
    }
    if (done) {
        sumFaces(tets, order, s.triangle, crowded);
        done = takeVertices(arena, &scratch, tets, &s);
    }
    snArena_Free(&scratch);
    if (!done) {
        return outOfMemory(tets, why);
    }
    *out = s;
    return sn_ok;
}
