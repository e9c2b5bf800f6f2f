// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What is said of a body's flesh, part by part: what hangs together and is moved most by joints of
// one name, numbers at its end aside (spine_1, spine_2).

#include "character/body.h"
#include <stdlib.h>
#include <string.h>

// Parts with less than this share of what hangs together do not tell how fast that is.
#define SHARE 0.05

// Sums over the nodes of a part
typedef struct Part {
    int32_t region, group; // by its first joint
    int32_t next;          // of the same region; -1: none
    int32_t cells, nodes, at;
    double mass;
    double sag, square; // of m s, m s^2
} Part;

static size_t stemOf(const char* name)
{
    size_t length = strlen(name);
    while (length > 0 && !((name[length - 1] | 32) >= 'a' && (name[length - 1] | 32) <= 'z')) {
        --length;
    }
    return length;
}

static const char* nameOf(const snRigBody* body, int32_t joint)
{
    return body->rig->nodes[body->joint[joint]].name;
}

// The first joint of the same name
static int32_t groupOf(const snRigBody* body, int32_t joint)
{
    const char* name = nameOf(body, joint);
    size_t length = stemOf(name);
    for (int32_t k = 0; k < joint && length > 0; ++k) {
        const char* other = nameOf(body, k);
        if (stemOf(other) == length && memcmp(name, other, length) == 0) {
            return k;
        }
    }
    return joint;
}

// The place of a part in the list, which is made longer if it is not there. last: of each region,
// -1 = none
static int32_t findPart(Part* parts, int32_t* count, int32_t* last, int32_t region, int32_t group)
{
    int32_t at = last[region];
    while (at >= 0 && parts[at].group != group) {
        at = parts[at].next;
    }
    if (at < 0) {
        at = (*count)++;
        parts[at] = (Part){.region = region, .group = group, .next = last[region]};
        last[region] = at;
    }
    return at;
}

// of_node: -1 of what is held; (node_count). Returns how many parts there are.
static int32_t findParts(const snRigBody* body, const int32_t* group, int32_t* last, Part* parts,
                         int32_t* of_node)
{
    int32_t count = 0;
    for (int32_t r = 0; r < body->regions.count; ++r) {
        last[r] = -1;
    }
    for (int32_t i = 0; i < body->tets.node_count; ++i) {
        int32_t r = body->regions.of_node[i];
        double m = body->mass[i], sag = (double)body->sag[i];
        of_node[i] =
            r < 0 ? -1 : findPart(parts, &count, last, r, group[body->weights[i].joint[0]]);
        if (r >= 0) {
            Part* p = &parts[of_node[i]];
            ++p->nodes;
            p->mass += m;
            p->sag += m * sag;
            p->square += m * sag * sag;
        }
    }
    return count;
}

// Each cell counts for the part of its first node that is soft.
static void countCells(const snRigBody* body, const int32_t* of_node, Part* parts)
{
    for (int32_t e = 0; e < body->tets.tet_count; ++e) {
        int32_t part = -1;
        for (int k = 0; k < 4 && part < 0; ++k) {
            part = of_node[body->tets.tet[4 * (size_t)e + (size_t)k]];
        }
        if (part >= 0) {
            ++parts[part].cells;
        }
    }
}

// Flesh that sags by s under 1 m/s^2 jiggles at about sqrt(sum m s / sum m s^2): of what hangs
// together the slowest part is as fast as that is known to be.
static double paceOf(const snRigBody* body, const Part* parts, int32_t count, const Part* part)
{
    double slowest = (double)INFINITY, hz = body->hz[part->region];
    double own = part->square > 0 ? part->sag / part->square : 0;
    for (int32_t i = 0; i < count; ++i) {
        const Part* p = &parts[i];
        if (p->region == part->region && p->square > 0 &&
            p->mass >= SHARE * body->regions.mass[p->region]) {
            slowest = fmin(slowest, p->sag / p->square);
        }
    }
    return own > slowest ? hz * sqrt(own / slowest) : hz;
}

// Those that weigh most come first.
static void sortParts(const Part* parts, int32_t count, int32_t* sorted)
{
    for (int32_t i = 0; i < count; ++i) {
        int32_t at = i;
        for (; at > 0 && parts[sorted[at - 1]].mass < parts[i].mass; --at) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = i;
    }
}

// The joint's name, or what the names of several have in common and a star, as patterns take it.
static const char* patternOf(snArena* arena, const snRigBody* body, const int32_t* group,
                             int32_t first)
{
    const char* name = nameOf(body, first);
    size_t stem = stemOf(name);
    int32_t joints = 0;
    for (int32_t j = 0; j < body->joint_count; ++j) {
        joints += group[j] == first;
    }
    char* pattern = snArena_String(arena, name, strlen(name) + 1);
    if (joints > 1 && pattern) {
        pattern[stem] = '*';
        pattern[stem + 1] = 0;
    }
    return pattern;
}

static snBodyRegion describe(snArena* arena, const snRigBody* body, const int32_t* group,
                             const Part* parts, int32_t count, const Part* p)
{
    return (snBodyRegion){.name = patternOf(arena, body, group, p->group),
                          .cell_count = p->cells,
                          .node_count = p->nodes,
                          .mass = p->mass,
                          .hz = paceOf(body, parts, count, p),
                          .young = body->young[p->region]};
}

// Thickness of the flesh below a vertex
static double thicknessAt(const snRigBody* body, size_t vertex)
{
    const snTie* tie = &body->ties[vertex];
    double sum = 0, weights = 0;
    for (int k = 0; k < 4; ++k) {
        sum += (double)tie->weight[k] * body->thickness[tie->node[k]];
        weights += (double)tie->weight[k];
    }
    return weights > 0 ? sum / weights : body->thickness[tie->node[0]];
}

static int rising(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// What is in the middle of the thicknesses under the skin of each region: the largest one is often
// that of a neighbour, at the end of the region.
static void findThickness(const snRigBody* body, const int32_t* of_place, snBodyRegion* regions,
                          int32_t count, double* room)
{
    for (int32_t r = 0; r < count; ++r) {
        size_t found = 0;
        for (size_t v = 0; v < (size_t)body->weld.surface.vertex_count; ++v) {
            if (of_place[v] == r) {
                room[found++] = thicknessAt(body, v);
            }
        }
        qsort(room, found, sizeof *room, rising);
        regions[r].thickness = found > 0 ? room[found / 2] : 0;
    }
}

snStatus snBody_ListRegions(snBody* body, snMessage* why)
{
    const snRigBody* made = &body->made;
    snArena* arena = &body->arena;
    size_t nodes = (size_t)made->tets.node_count;
    size_t places = (size_t)made->weld.surface.vertex_count;
    int32_t* group = snArena_Push(arena, (size_t)made->joint_count, sizeof *group);
    int32_t* last = snArena_Push(arena, (size_t)made->regions.count, sizeof *last);
    int32_t* of_node = snArena_Push(arena, nodes, sizeof *of_node);
    int32_t* of_place = snArena_Push(arena, places, sizeof *of_place);
    Part* parts = snArena_Push(arena, nodes, sizeof *parts);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (int32_t j = 0; j < made->joint_count; ++j) {
        group[j] = groupOf(made, j);
    }
    int32_t count = findParts(made, group, last, parts, of_node);
    snBodyRegion* out = snArena_Push(arena, (size_t)count, sizeof *out);
    int32_t* sorted = snArena_Push(arena, (size_t)count, sizeof *sorted);
    double* room = snArena_Push(arena, places, sizeof *room);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    countCells(made, of_node, parts);
    sortParts(parts, count, sorted);
    for (int32_t i = 0; i < count; ++i) {
        parts[sorted[i]].at = i;
        out[i] = describe(arena, made, group, parts, count, &parts[sorted[i]]);
    }
    for (size_t v = 0; v < places; ++v) {
        const snTie* tie = &made->ties[v];
        of_place[v] = -1;
        for (int k = 0; k < 4 && tie->node[0] >= 0 && of_place[v] < 0; ++k) {
            int32_t part = of_node[tie->node[k]];
            of_place[v] = part >= 0 ? parts[part].at : -1;
        }
    }
    findThickness(made, of_place, out, count, room);
    body->info.region_count = count;
    body->info.regions = out;
    body->region_of = of_place;
    return arena->failed ? snFail(why, sn_errorMemory, "out of memory") : sn_ok;
}
