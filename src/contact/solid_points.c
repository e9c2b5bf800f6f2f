// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/solid_points.h"

#include "base/message.h"
#include "geom/sort.h"
#include "math/trig.h"
#include <string.h>

// Points on a round shape, unless there are very many shapes.
#define LEAST_ROUND 32

// Points of a mesh are tried at PITCH spacings from each other and stay when no other one that
// looks the same way (cosine above ALIKE) is nearer than APART spacings: together at most 1.2
// spacings from every place. Both sides of a thin plate, and its corners, keep theirs.
#define PITCH 0.75
#define APART 0.7
#define ALIKE 0.5

// A mesh's size has at least this many spacings.
#define LEAST_ACROSS 4

// Edges that turn less (sine of the angle) are flat.
#define FLAT 0.1

// A point just outside its own shape, by this part of the thickness, must be in no other.
#define JUST 1e-6

// Points on a face of a box, and on a round shape, for other solids
#define FACE_POINTS 36
#define ROLLING 800

#define SLOTS 65536 // a power of two, more than three times the points

typedef struct Points {
    const snSolid* solid;
    int32_t shape;  // whose points are being made
    int32_t first;  // of its points
    double spacing; // m
    double just;    // m
    int32_t round;  // least points on a round shape
    snVec3* list;   // (2 SN_SOLID_POINTS)
    snVec3* normal; // unit on meshes; (2 SN_SOLID_POINTS)
    int32_t count, most;
    int32_t* props; // (2 SN_SOLID_POINTS)
    int32_t prop_count;
    bool full;     // one more was wanted
    int32_t* slot; // cubes of a mesh by hash: a point in it, plus one; 0: none; (SLOTS)
    int32_t* next; // the next point in a slot, plus one; (SN_SOLID_POINTS)
} Points;

// n: outwards; prop: it may be the lowest one alone
static void addPoint(Points* points, snVec3 p, snVec3 n, bool prop)
{
    snSolidHit hit;
    if (points->solid->shape_count > 1 &&
        snSolid_InsideBut(points->solid, snMulAdd(p, points->just, n), points->shape, &hit)) {
        return;
    }
    points->full = points->full || points->count == points->most;
    if (!points->full) {
        if (prop) {
            points->props[points->prop_count++] = points->count;
        }
        points->list[points->count] = p;
        points->normal[points->count++] = n;
    }
}

// Analytic -----------------------------------------------------------------------

static int32_t partsOf(double length, double spacing)
{
    return (int32_t)(length / spacing * (1 - 1e-9)) + 1;
}

// Places -1..1 on a side that is cut into parts.
static double along(int32_t i, int32_t parts)
{
    return 2.0 * i / parts - 1;
}

static void addBoxPoint(Points* points, const snShape* s, snVec3 place, bool x, bool y, bool z)
{
    snVec3 n = snV3(x ? place.x : 0, y ? place.y : 0, z ? place.z : 0);
    addPoint(points, snAdd(s->p, snMatVec(s->R, snMul3(place, s->half))), snMatVec(s->R, n),
             x && y && z);
}

// Corners, then the inner points of edges.
static void addBox(Points* points, const snShape* s)
{
    const double side[3] = {2 * s->half.x, 2 * s->half.y, 2 * s->half.z};
    int32_t n[3];
    for (int k = 0; k < 3; ++k) {
        n[k] = partsOf(side[k], points->spacing);
    }
    for (int i = 0; i < 8; ++i) {
        addBoxPoint(points, s, snV3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), true, true,
                    true);
    }
    for (int k = 0; k < 3; ++k) {
        for (int32_t i = 1; i < n[k] && !points->full; ++i) {
            for (int c = 0; c < 4; ++c) {
                double t = along(i, n[k]), u = c & 1 ? 1 : -1, v = c & 2 ? 1 : -1;
                snVec3 p = k == 0 ? snV3(t, u, v) : k == 1 ? snV3(v, t, u) : snV3(u, v, t);
                addBoxPoint(points, s, p, k != 0, k != 1, k != 2);
            }
        }
    }
}

// Equal steps along y cut a capsule, ends included, into rings of equal area (Archimedes); the
// golden angle from each point to the next spreads them evenly.
static void addCapsule(Points* points, const snShape* s)
{
    double r = s->radius, L = s->half_length, row = 2 * (r + L) / points->spacing;
    double wanted = s->area / (points->spacing * points->spacing);
    wanted = wanted > row ? wanted : row; // thin ones
    int32_t count = wanted < SN_SOLID_POINTS ? (int32_t)wanted + 1 : SN_SOLID_POINTS;
    count = count > points->round ? count : points->round;
    for (int32_t i = 0; i < count && !points->full; ++i) {
        double y = (r + L) * ((2.0 * i + 1) / count - 1), sine, cosine;
        double middle = y > L ? L : y < -L ? -L : y, up = (y - middle) / r;
        double ring = sqrt(up * up < 1 ? 1 - up * up : 0);
        snSinCos(i * 2.399963229728653, &sine, &cosine);
        snVec3 n = snMatVec(s->R, snV3(ring * cosine, up, ring * sine));
        addPoint(points, snMulAdd(snMulAdd(s->p, middle, snMatCol(s->R, 1)), r, n), n, true);
    }
}

// Mesh -----------------------------------------------------------------------------

typedef struct Mesh {
    const snShape* shape;
    const snNearest* nearest;
    double spacing; // m
    uint8_t* sharp; // a vertex on a convex edge that is not flat
    int32_t* edges; // sides that are such edges
    int32_t edge_count;
} Mesh;

// The slot of a cube; any other one's points in it are only looked at in vain.
static size_t slotOf(int64_t x, int64_t y, int64_t z)
{
    uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^
                 (uint64_t)z * 0x165667b19e3779f9u;
    return (size_t)(h >> 40) & (SLOTS - 1);
}

static bool isCrowded(const Points* points, double apart, const int64_t at[3], snVec3 p, snVec3 n)
{
    for (int k = 0; k < 27; ++k) {
        size_t slot = slotOf(at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1);
        for (int32_t i = points->slot[slot] - 1; i >= points->first; i = points->next[i] - 1) {
            if (snLengthSq(snSub(points->list[i], p)) < apart * apart &&
                snDot(points->normal[i], n) > ALIKE) {
                return true;
            }
        }
    }
    return false;
}

static void addMeshPoint(Points* points, const Mesh* m, snVec3 p, snVec3 n)
{
    double apart = APART * m->spacing;
    snVec3 d = snScale(1 / apart, snSub(p, m->shape->box.lo));
    const int64_t at[3] = {(int64_t)floor(d.x), (int64_t)floor(d.y), (int64_t)floor(d.z)};
    int32_t here = points->count;
    // a normal is 0 where no triangle is, or where they cancel out
    if (!(snLengthSq(n) > 0) || isCrowded(points, apart, at, p, n)) {
        return;
    }
    addPoint(points, p, n, true);
    if (points->count > here) {
        size_t slot = slotOf(at[0], at[1], at[2]);
        points->next[here] = points->slot[slot];
        points->slot[slot] = here + 1;
    }
}

static snVec3 corner(const Mesh* m, int32_t side)
{
    const snSurface* s = &m->nearest->surface;
    return s->position[s->triangle[side]];
}

static int32_t nextSide(int32_t side)
{
    return side % 3 == 2 ? side - 2 : side + 1;
}

// Two triangles whose other corners lie behind each other.
static bool isSharp(const Mesh* m, int32_t side, int32_t twin)
{
    snVec3 a = corner(m, side), b = corner(m, nextSide(side));
    snVec3 c = corner(m, nextSide(nextSide(side))), d = corner(m, nextSide(nextSide(twin)));
    snVec3 e = snNormalize(snSub(b, a));
    snVec3 n = snNormalize(snTriangleCross(a, b, c)), o = snNormalize(snTriangleCross(b, a, d));
    return snDot(snCross(n, o), e) > FLAT || (snDot(n, o) < 0 && snDot(n, snSub(d, a)) < 0);
}

static void findEdges(snArena* scratch, Mesh* m)
{
    const snSurface* s = &m->nearest->surface;
    int32_t sides = 3 * s->triangle_count;
    uint64_t* key = snArena_Push(scratch, (size_t)sides, sizeof(uint64_t));
    int32_t* side = snArena_Push(scratch, (size_t)sides, sizeof(int32_t));
    m->edges = snArena_Push(scratch, (size_t)sides, sizeof(int32_t));
    m->sharp = snArena_Push(scratch, (size_t)s->vertex_count, 1);
    if (scratch->failed) {
        return;
    }
    for (int32_t h = 0; h < sides; ++h) {
        uint64_t a = (uint64_t)s->triangle[h], b = (uint64_t)s->triangle[nextSide(h)];
        key[h] = a < b ? a << 32 | b : b << 32 | a;
        side[h] = h;
    }
    snSort_Pairs(scratch, key, side, sides);
    for (int32_t i = 0, end; i < sides && !scratch->failed; i = end) {
        for (end = i + 1; end < sides && key[end] == key[i]; ++end) {
        }
        // edges of one, three and more triangles count as sharp
        if (end - i != 2 || isSharp(m, side[i], side[i + 1])) {
            m->edges[m->edge_count++] = side[i];
            m->sharp[s->triangle[side[i]]] = m->sharp[s->triangle[nextSide(side[i])]] = 1;
        }
    }
}

static void addVertices(Points* points, const Mesh* m, bool sharp)
{
    for (int32_t i = 0; i < m->nearest->surface.vertex_count && !points->full; ++i) {
        if ((m->sharp[i] != 0) == sharp) {
            addMeshPoint(points, m, m->nearest->surface.position[i],
                         snNormalize(m->nearest->vertex_normal[i]));
        }
    }
}

static void addEdges(Points* points, const Mesh* m)
{
    for (int32_t i = 0; i < m->edge_count && !points->full; ++i) {
        int32_t h = m->edges[i];
        snVec3 a = corner(m, h), d = snSub(corner(m, nextSide(h)), a);
        snVec3 n = snNormalize(m->nearest->edge_normal[h]);
        int32_t parts = partsOf(snLength(d), PITCH * m->spacing);
        for (int32_t k = 1; k < parts && !points->full; ++k) {
            addMeshPoint(points, m, snMulAdd(a, (double)k / parts, d), n);
        }
    }
}

// What is sharp first, so that it is not left out for something flat nearby.
static void addMesh(Points* points, const snShape* s, double stretch, snArena* scratch)
{
    double size = snLength(snSub(s->box.hi, s->box.lo)) / LEAST_ACROSS * stretch;
    Mesh m = {.shape = s,
              .nearest = &s->mesh->nearest,
              .spacing = size < points->spacing ? size : points->spacing};
    findEdges(scratch, &m);
    if (scratch->failed) {
        return;
    }
    addVertices(points, &m, true);
    addEdges(points, &m);
    addVertices(points, &m, false);
}

// Against other solids -------------------------------------------------------------

// Soft surfaces have points of their own that feel faces; other solids have not. So faces of boxes
// get points for them, up to just inside the edges: boxes that stand exactly on each other stand on
// those. Round shapes get so many that they roll.
static void addFace(Points* points, const snShape* s, int axis, double sign)
{
    static const double PLACES[] = {-0.98, -0.6, -0.2, 0.2, 0.6, 0.98};
    for (int i = 0; i < FACE_POINTS; ++i) {
        double u = PLACES[i / 6], v = PLACES[i % 6];
        snVec3 at = axis == 0 ? snV3(sign, u, v) : axis == 1 ? snV3(v, sign, u) : snV3(u, v, sign);
        addBoxPoint(points, s, at, axis == 0, axis == 1, axis == 2);
    }
}

static void addForHard(Points* points)
{
    const int32_t fair = SN_SOLID_POINTS / points->solid->shape_count;
    for (int32_t i = 0; i < points->solid->shape_count; ++i) {
        const snShape* s = &points->solid->shapes[i];
        points->shape = i;
        if (s->kind == sn_shapeBox && fair >= 6 * FACE_POINTS) {
            for (int k = 0; k < 6; ++k) {
                addFace(points, s, k / 2, k % 2 ? 1 : -1);
            }
        } else if (s->kind == sn_shapeSphere || s->kind == sn_shapeCapsule) {
            points->round = fair < ROLLING ? fair : ROLLING;
            points->spacing = s->radius;
            addCapsule(points, s);
        }
    }
}

// All ------------------------------------------------------------------------------

// stretch: how much larger than wanted the spacing is
static void addAll(Points* points, double stretch, const snHost* host, bool* failed)
{
    points->count = points->prop_count = 0;
    points->full = false;
    memset(points->slot, 0, SLOTS * sizeof(int32_t));
    for (int32_t i = 0; i < points->solid->shape_count && !points->full; ++i) {
        const snShape* s = &points->solid->shapes[i];
        snArena scratch;
        snArena_Init(&scratch, host);
        points->shape = i;
        points->first = points->count;
        if (s->kind == sn_shapeMesh) {
            addMesh(points, s, stretch, &scratch);
        } else if (s->kind == sn_shapeBox) {
            addBox(points, s);
        } else {
            addCapsule(points, s);
        }
        *failed = *failed || scratch.failed;
        snArena_Free(&scratch);
    }
}

snStatus snSolid_SpreadPoints(snArena* arena, double spacing, snSolid* solid, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    double area = 0;
    for (int32_t i = 0; i < solid->shape_count; ++i) {
        area += solid->shapes[i].area;
    }
    int32_t fair = SN_SOLID_POINTS / solid->shape_count;
    Points points = {.solid = solid,
                     .just = JUST * solid->thickness,
                     .round = fair < LEAST_ROUND ? fair : LEAST_ROUND,
                     .most = SN_SOLID_POINTS,
                     .list = snArena_Push(&scratch, 2 * SN_SOLID_POINTS, sizeof(snVec3)),
                     .normal = snArena_Push(&scratch, 2 * SN_SOLID_POINTS, sizeof(snVec3)),
                     .props = snArena_Push(&scratch, 2 * SN_SOLID_POINTS, sizeof(int32_t)),
                     .slot = snArena_Push(&scratch, SLOTS, sizeof(int32_t)),
                     .next = snArena_Push(&scratch, SN_SOLID_POINTS, sizeof(int32_t))};
    // a spacing that can do: about one point for its square
    double least = sqrt(area / SN_SOLID_POINTS), stretch = least > spacing ? least / spacing : 1;
    bool failed = scratch.failed;
    points.full = true;
    for (; points.full && !failed; stretch *= 1.1) {
        points.spacing = stretch * spacing;
        addAll(&points, stretch, &arena->host, &failed);
    }
    solid->point_count = points.count;
    solid->point_area = points.spacing * points.spacing; // however thin the solid is
    points.most = 2 * SN_SOLID_POINTS;
    if (!failed) {
        addForHard(&points);
    }
    snVec3* list = failed ? NULL : snArena_Push(arena, (size_t)points.count, sizeof(snVec3));
    int32_t* props = list ? snArena_Push(arena, (size_t)points.prop_count, sizeof(int32_t)) : NULL;
    if (props) {
        memcpy(props, points.props, (size_t)points.prop_count * sizeof(int32_t));
        solid->props = props;
        solid->prop_count = points.prop_count;
        memcpy(list, points.list, (size_t)points.count * sizeof(snVec3));
        solid->points = list;
        solid->hard_count = points.count;
    }
    snArena_Free(&scratch);
    return props ? sn_ok : snFail(why, sn_errorMemory, "out of memory for the points of a solid");
}
