// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/weld.h"

#include "base/hash.h"
#include "geom/parts.h"
#include "geom/winding.h"
#include "rig/lbs.h"
#include "rig/pose.h"

// Vertices at one place that follow different joints, beyond which no more are looked through
#define CROWD 64

// Samples in the box of an open shell, and of one with few triangles
#define SAMPLES 32768
#define SAMPLES_FEW 4096
#define FEW 500

// Places ----------------------------------------------------------------------------

// All vertices of all instances
typedef struct All {
    const snRig* rig;
    int32_t* first;    // vertex of each instance; (instances + 1)
    int32_t* instance; // of each vertex
    snVec3* place;     // of each vertex
    snVec3 low;        // corner of the box around all
    double size;       // its longest side
    double distance;   // what is at one place
} All;

static bool placeVertices(snArena* scratch, const snMatrix* nodes, All* all)
{
    const snRig* rig = all->rig;
    int32_t joints = 0;
    for (int32_t i = 0; i < rig->info.skin_count; ++i) {
        joints = rig->skins[i].joint_count > joints ? rig->skins[i].joint_count : joints;
    }
    snMatrix* M = snArena_Push(scratch, (size_t)joints, sizeof *M);
    for (int32_t i = 0; M && i < rig->info.mesh_count; ++i) {
        const snRigInstance* instance = &rig->instances[i];
        const snRigShape* shape = instance->shape;
        bool skinned = instance->info.skin >= 0 && shape->first;
        const double* weights = shape->target_count
                                    ? rig->weights + rig->nodes[instance->info.node].weight_first
                                    : NULL;
        if (skinned) {
            snLbs_Joints(&rig->skins[instance->info.skin], nodes, M);
        }
        for (int32_t v = 0; v < shape->vertex_count; ++v) {
            snMatrix B = skinned ? snLbs_Blend(shape, M, (size_t)v) : nodes[instance->info.node];
            snVec3 x = snLbs_Morph(shape, weights, (size_t)v);
            all->place[all->first[i] + v] = snMatrix_Point(&B, x);
            all->instance[all->first[i] + v] = i;
        }
    }
    return M != NULL;
}

// The box around all, its longest side. False when some vertex is at no finite place.
static bool measureAll(All* all, int32_t count)
{
    snBox box = snBox_Empty();
    bool finite = true;
    for (int32_t i = 0; i < count; ++i) {
        snVec3 p = all->place[i];
        finite = finite && isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
        box = snBox_Point(box, p);
    }
    snVec3 d = snSub(box.hi, box.lo);
    all->low = box.lo;
    all->size = count ? fmax(fmax(d.x, d.y), d.z) : 0;
    all->distance = SN_WELD_DISTANCE * all->size;
    return finite && isfinite(all->size);
}

// Influences ------------------------------------------------------------------------

static int32_t influenceCount(const All* all, int32_t v)
{
    const snRigInstance* instance = &all->rig->instances[all->instance[v]];
    int32_t at = v - all->first[all->instance[v]];
    const int32_t* first = instance->shape->first;
    return instance->info.skin < 0 || !first ? 1 : first[at + 1] - first[at];
}

// Node and weight of influence k. What has no skin follows its node.
static int32_t influence(const All* all, int32_t v, int32_t k, double* weight)
{
    const snRigInstance* instance = &all->rig->instances[all->instance[v]];
    const snRigShape* shape = instance->shape;
    *weight = 1;
    if (instance->info.skin < 0 || !shape->first) {
        return instance->info.node;
    }
    int32_t i = shape->first[v - all->first[all->instance[v]]] + k;
    *weight = (double)shape->weight[i];
    return all->rig->skins[instance->info.skin].joints[shape->joint[i]];
}

static double weightOn(const All* all, int32_t v, int32_t node)
{
    double sum = 0, weight;
    for (int32_t k = 0; k < influenceCount(all, v); ++k) {
        sum += influence(all, v, k, &weight) == node ? weight : 0;
    }
    return sum;
}

static bool followSame(const All* all, int32_t a, int32_t b)
{
    double sum = 0, weight;
    for (int32_t k = 0; k < influenceCount(all, a); ++k) {
        int32_t node = influence(all, a, k, &weight);
        sum += fabs(weightOn(all, a, node) - weightOn(all, b, node));
    }
    for (int32_t k = 0; k < influenceCount(all, b); ++k) {
        int32_t node = influence(all, b, k, &weight);
        sum += weightOn(all, a, node) == 0 ? weight : 0;
    }
    return sum <= SN_WELD_INFLUENCE;
}

// Welding ---------------------------------------------------------------------------

// Welded vertices by the grid cell that they are in
typedef struct Table {
    uint64_t mask;
    int32_t* head;   // newest welded vertex of a cell; -1: none
    int32_t* before; // the one before it; (vertices)
    snVec3 low;
    double cell;
} Table;

static uint64_t slotOf(const Table* t, double x, double y, double z)
{
    int64_t cell[3] = {(int64_t)floor((x - t->low.x) / t->cell),
                       (int64_t)floor((y - t->low.y) / t->cell),
                       (int64_t)floor((z - t->low.z) / t->cell)};
    return snHash(cell, sizeof cell, 0) & t->mask;
}

// The welded vertex that v is a copy of, or -1. Cells are much larger than the distance: nearly
// always there is one to look in.
static int32_t findCopy(const All* all, const Table* t, const int32_t* origin, int32_t v)
{
    snVec3 p = all->place[v];
    double d = all->distance;
    uint64_t seen[8];
    for (int c = 0; c < 8; ++c) {
        seen[c] = slotOf(t, p.x + (c & 1 ? d : -d), p.y + (c & 2 ? d : -d), p.z + (c & 4 ? d : -d));
        bool again = false;
        for (int k = 0; k < c; ++k) {
            again = again || seen[k] == seen[c];
        }
        int32_t w = again ? -1 : t->head[seen[c]];
        for (int looked = 0; w >= 0 && looked < CROWD; ++looked, w = t->before[w]) {
            if (snLength(snSub(all->place[origin[w]], p)) <= d && followSame(all, origin[w], v)) {
                return w;
            }
        }
    }
    return -1;
}

static int32_t weld(snArena* scratch, const All* all, int32_t count, int32_t* map, int32_t* origin)
{
    Table t = {.mask = 1, .low = all->low, .cell = all->size > 0 ? 64 * all->distance : 1};
    int32_t welded = 0;
    while (t.mask < 2 * (uint64_t)count) {
        t.mask = 2 * t.mask + 1;
    }
    t.head = snArena_Push(scratch, (size_t)t.mask + 1, sizeof *t.head);
    t.before = snArena_Push(scratch, (size_t)count, sizeof *t.before);
    if (scratch->failed) {
        return 0;
    }
    for (uint64_t i = 0; i <= t.mask; ++i) {
        t.head[i] = -1;
    }
    for (int32_t v = 0; v < count; ++v) {
        map[v] = findCopy(all, &t, origin, v);
        if (map[v] < 0) {
            snVec3 p = all->place[v];
            uint64_t slot = slotOf(&t, p.x, p.y, p.z);
            map[v] = welded;
            origin[welded] = v;
            t.before[welded] = t.head[slot];
            t.head[slot] = welded++;
        }
    }
    return welded;
}

// Shells ----------------------------------------------------------------------------

static bool isDegenerate(const int32_t* t)
{
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

// Numbers the sets of vertices that triangles join; returns how many.
static int32_t findShells(snArena* scratch, const snSurface* surface, int32_t* shell)
{
    size_t vertices = (size_t)surface->vertex_count;
    int32_t* part = snArena_Push(scratch, vertices, sizeof *part);
    uint8_t* used = snArena_Push(scratch, vertices, 1);
    int32_t count = 0;
    if (scratch->failed) {
        return 0;
    }
    snParts_Start(part, surface->vertex_count);
    for (int32_t i = 0; i < surface->triangle_count; ++i) {
        const int32_t* t = surface->triangle + 3 * (ptrdiff_t)i;
        if (!isDegenerate(t)) {
            snParts_Join(part, t[0], t[1]);
            snParts_Join(part, t[0], t[2]);
            used[t[0]] = used[t[1]] = used[t[2]] = 1;
        }
    }
    for (int32_t v = 0; v < surface->vertex_count; ++v) {
        // a set is named by its first vertex
        int32_t root = snParts_Find(part, v);
        shell[v] = !used[v] ? -1 : root == v ? count++ : shell[root];
    }
    return count;
}

// Triangles of each shell one after another; those of shell s begin at begin[s].
static int32_t* sortTriangles(snArena* scratch, const snSurface* surface, const int32_t* shell,
                              int32_t shells, int32_t** list)
{
    int32_t* begin = snArena_Push(scratch, (size_t)shells + 2, sizeof *begin);
    *list = snArena_Push(scratch, (size_t)surface->triangle_count, sizeof **list);
    if (scratch->failed) {
        return NULL;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < surface->triangle_count; ++i) {
            const int32_t* t = surface->triangle + 3 * (ptrdiff_t)i;
            if (!isDegenerate(t)) {
                int32_t* at = &begin[shell[t[0]] + (pass ? 1 : 2)];
                if (pass) {
                    (*list)[*at] = i;
                }
                ++*at;
            }
        }
        for (int32_t s = 0; pass == 0 && s < shells; ++s) {
            begin[s + 2] += begin[s + 1];
        }
    }
    return begin;
}

// The volume where the winding number says inside, by the middles of a grid of boxes
static snStatus sampleVolume(const snSurface* surface, snBox box, const snHost* host, double* out,
                             snMessage* why)
{
    snArena arena;
    snArena_Init(&arena, host);
    snWinding winding;
    snVec3 d = snSub(box.hi, box.lo);
    double most = surface->triangle_count < FEW ? SAMPLES_FEW : SAMPLES, longest, side;
    longest = fmax(fmax(d.x, d.y), d.z);
    // flat boxes get a few layers all the same
    d = snMax3(d, snV3(1e-3 * longest, 1e-3 * longest, 1e-3 * longest));
    side = longest;
    int64_t n[3] = {1, 1, 1};
    while ((double)(n[0] * n[1] * n[2]) < most && longest > 0) {
        side *= 0.9;
        n[0] = (int64_t)fmax(4, floor(d.x / side) + 1);
        n[1] = (int64_t)fmax(4, floor(d.y / side) + 1);
        n[2] = (int64_t)fmax(4, floor(d.z / side) + 1);
    }
    int64_t count = n[0] * n[1] * n[2], inside = 0;
    snVec3* q = snArena_Push(&arena, (size_t)count, sizeof *q);
    double* w = snArena_Push(&arena, (size_t)count, sizeof *w);
    snStatus status = arena.failed ? snFail(why, sn_errorMemory, "out of memory")
                                   : snWinding_Build(&arena, surface, &winding, why);
    for (int64_t i = 0; !status && i < count; ++i) {
        int64_t column = i % n[0], row = i / n[0] % n[1], layer = i / (n[0] * n[1]);
        double x = (double)column + 0.5, y = (double)row + 0.5, z = (double)layer + 0.5;
        q[i] = snAdd(box.lo,
                     snV3(d.x * x / (double)n[0], d.y * y / (double)n[1], d.z * z / (double)n[2]));
    }
    status = status ? status : snWinding_Batch(&winding, q, count, w, host, NULL, why);
    for (int64_t i = 0; !status && i < count; ++i) {
        inside += snWinding_IsInside(w[i]);
    }
    *out = d.x * d.y * d.z * (double)inside / (double)count;
    snArena_Free(&arena);
    return status;
}

// The triangles of one shell on vertices of its own; local: scratch, (vertex_count), -1 at begin
// and end
static snStatus measureShell(const snSurface* all, const int32_t* list, int32_t count,
                             int32_t* local, const snHost* host, snRigShell* out, snMessage* why)
{
    snArena arena;
    snArena_Init(&arena, host);
    snSurface s = {.triangle_count = count};
    s.triangle = snArena_Push(&arena, 3 * (size_t)count, sizeof *s.triangle);
    s.position = snArena_Push(&arena, 3 * (size_t)count, sizeof *s.position);
    for (int32_t i = 0; !arena.failed && i < 3 * count; ++i) {
        int32_t v = all->triangle[3 * (ptrdiff_t)list[i / 3] + i % 3];
        if (local[v] < 0) {
            s.position[s.vertex_count] = all->position[v];
            local[v] = s.vertex_count++;
        }
        s.triangle[i] = local[v];
    }
    snSurfaceFacts facts = {0};
    snStatus status = arena.failed ? snFail(why, sn_errorMemory, "out of memory")
                                   : snSurface_Inspect(&s, host, &facts, why);
    *out = (snRigShell){.vertex_count = s.vertex_count,
                        .triangle_count = count,
                        .open_edges = facts.boundary_edges,
                        .box = facts.bounds,
                        .area = facts.area,
                        .volume = facts.volume,
                        .enclosed = fabs(facts.volume)};
    if (!status && !snSurfaceFacts_IsClosed(&facts)) {
        status = sampleVolume(&s, facts.bounds, host, &out->enclosed, why);
    }
    for (int32_t i = 0; i < 3 * count; ++i) {
        local[all->triangle[3 * (ptrdiff_t)list[i / 3] + i % 3]] = -1;
    }
    snArena_Free(&arena);
    return status;
}

static snStatus measureShells(snArena* scratch, const snRigWeld* weld, double size,
                              snRigShell* shells, snMessage* why)
{
    const snSurface* surface = &weld->surface;
    int32_t* list;
    int32_t* begin = sortTriangles(scratch, surface, weld->shell, weld->shell_count, &list);
    int32_t* local = snArena_Push(scratch, (size_t)surface->vertex_count, sizeof *local);
    snStatus status = scratch->failed ? snFail(why, sn_errorMemory, "out of memory") : sn_ok;
    double most = 0;
    for (int32_t v = 0; !status && v < surface->vertex_count; ++v) {
        local[v] = -1;
    }
    for (int32_t s = 0; !status && s < weld->shell_count; ++s) {
        status = measureShell(surface, list + begin[s], begin[s + 1] - begin[s], local,
                              &scratch->host, &shells[s], why);
        most = fmax(most, shells[s].enclosed);
    }
    for (int32_t s = 0; !status && s < weld->shell_count; ++s) {
        snVec3 d = snSub(shells[s].box.hi, shells[s].box.lo);
        shells[s].is_small = fmax(fmax(d.x, d.y), d.z) <= SN_SHELL_SIDE * size &&
                             shells[s].enclosed <= SN_SHELL_VOLUME * most;
    }
    return status;
}

// Making ----------------------------------------------------------------------------

// Offsets of the instances and the triangles on welded vertices
static void joinInstances(const snRig* rig, const int32_t* first, const int32_t* map,
                          int32_t* first_triangle, int32_t* triangle)
{
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigShape* shape = rig->instances[i].shape;
        int32_t* out = triangle + 3 * (ptrdiff_t)first_triangle[i];
        for (int32_t k = 0; k < 3 * shape->triangle_count; ++k) {
            out[k] = map[first[i] + shape->triangles[k]];
        }
        first_triangle[i + 1] = first_triangle[i] + shape->triangle_count;
    }
}

static snStatus make(snArena* arena, snArena* scratch, const snRig* rig, const snMatrix* nodes,
                     snRigWeld* out, snMessage* why)
{
    size_t instances = (size_t)rig->info.mesh_count, vertices = (size_t)rig->info.vertex_count;
    size_t triangles = (size_t)rig->info.triangle_count;
    int32_t* first = snArena_Push(arena, instances + 1, sizeof *first);
    int32_t* first_triangle = snArena_Push(arena, instances + 1, sizeof *first_triangle);
    int32_t* map = snArena_Push(arena, vertices, sizeof *map);
    int32_t* origin = snArena_Push(arena, vertices, sizeof *origin);
    int32_t* shell = snArena_Push(arena, vertices, sizeof *shell);
    snSurface* s = &out->surface;
    s->triangle = snArena_Push(arena, 3 * triangles, sizeof *s->triangle);
    snMatrix* rest = snArena_Push(scratch, (size_t)rig->info.node_count, sizeof *rest);
    All all = {.rig = rig,
               .first = first,
               .instance = snArena_Push(scratch, vertices, sizeof(int32_t)),
               .place = snArena_Push(scratch, vertices, sizeof(snVec3))};
    if (arena->failed || scratch->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (size_t i = 0; i < instances; ++i) {
        first[i + 1] = first[i] + rig->instances[i].shape->vertex_count;
    }
    snRigClipData_World(rig, NULL, 0, rest, NULL);
    placeVertices(scratch, nodes ? nodes : rest, &all);
    if (!measureAll(&all, (int32_t)vertices)) {
        return snFail(why, sn_errorArgument, "a vertex is at no finite place in this pose");
    }
    s->vertex_count = weld(scratch, &all, (int32_t)vertices, map, origin);
    s->position = snArena_Push(arena, (size_t)s->vertex_count, sizeof *s->position);
    if (arena->failed || scratch->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        s->position[v] = all.place[origin[v]];
    }
    joinInstances(rig, first, map, first_triangle, s->triangle);
    s->triangle_count = (int32_t)triangles;
    out->first = first, out->first_triangle = first_triangle;
    out->map = map, out->origin = origin, out->shell = shell;
    out->shell_count = findShells(scratch, s, shell);
    snRigShell* shells = snArena_Push(arena, (size_t)out->shell_count, sizeof *shells);
    out->shells = shells;
    return scratch->failed || arena->failed ? snFail(why, sn_errorMemory, "out of memory")
                                            : measureShells(scratch, out, all.size, shells, why);
}

snStatus snRigWeld_Build(snArena* arena, const snRig* rig, const snMatrix* nodes, snRigWeld* out,
                         snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    *out = (snRigWeld){.instance_count = rig->info.mesh_count};
    snStatus status = make(arena, &scratch, rig, nodes, out, why);
    snArena_Free(&scratch);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}
