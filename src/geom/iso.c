// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/iso.h"

#include <string.h>

#include "base/message.h"
#include "geom/bcc.h"
#include "geom/iso_remesh.h"
#include "geom/sort.h"

// Vertices lie on the surface within this part of an edge.
#define NEARNESS 1e-6

// The lattice's cell in wanted edges: marching makes triangles of about half a cell, so that nearly
// all that remeshing has to do is to collapse. However few vertices are wanted, the box has this
// many cells along its longest side, so that a coarse mesh has the same parts as a fine one.
#define CELL 1.2
#define LEAST_CELLS 48

// Count-driven meshing: this close is close enough, after at most so many attempts.
#define CLOSENESS 0.02
#define ATTEMPTS 10

typedef struct Body {
    snFieldFcn* field;
    void* user;
    double edge;
} Body;

// Onto the surface --------------------------------------------------------------

// One-sided: its small tilt costs Newton nothing, and the field may be dear.
static snVec3 gradient(const Body* b, snVec3 p, double f)
{
    double h = 1e-4 * b->edge;
    double x = b->field(b->user, snAdd(p, snV3(h, 0, 0))) - f;
    double y = b->field(b->user, snAdd(p, snV3(0, h, 0))) - f;
    double z = b->field(b->user, snAdd(p, snV3(0, 0, h))) - f;
    return snScale(1 / h, snV3(x, y, z));
}

// The sign change between two points, one on each side; regula falsi with halved weights
// (Illinois).
static snVec3 findCut(const Body* b, snVec3 p, double fp, snVec3 q, double fq)
{
    double s = 0, t = 1, span = snLength(snSub(q, p));
    snVec3 d = snSub(q, p);
    for (int i = 0; i < 60 && (t - s) * span > NEARNESS * b->edge; ++i) {
        double u = fp != fq ? s + (t - s) * (fp / (fp - fq)) : 0.5 * (s + t);
        // the interval must shrink from both ends
        u = i % 4 == 3 || !(u > s && u < t) ? 0.5 * (s + t) : u;
        double f = b->field(b->user, snMulAdd(p, u, d));
        if (f == 0) {
            return snMulAdd(p, u, d);
        }
        if ((f < 0) == (fp < 0)) {
            s = u, fp = f, fq *= 0.5;
        } else {
            t = u, fq = f, fp *= 0.5;
        }
    }
    return snMulAdd(p, 0.5 * (s + t), d);
}

// Newton's steps along the gradient, none longer than half an edge. Where they do not arrive, as
// beside a crease, the sign change along the first gradient, or else the start.
static snVec3 project(void* user, snVec3 start)
{
    const Body* b = user;
    snVec3 p = start, first = snV3(0, 0, 0);
    double slope = 0;
    for (int i = 0; i < 8; ++i) {
        double f = b->field(b->user, p);
        if (slope > 0 && fabs(f) <= 0.3 * NEARNESS * b->edge * slope) {
            return p;
        }
        snVec3 g = gradient(b, p, f);
        slope = snLength(g);
        first = i == 0 ? g : first;
        double step = f / slope, most = 0.5 * b->edge;
        if (!(fabs(step) < HUGE_VAL)) {
            break;
        }
        step = step > most ? most : step < -most ? -most : step;
        p = snMulAdd(p, -step / slope, g);
    }
    snVec3 n = snNormalize(first);
    snVec3 in = snMulAdd(start, -b->edge, n), out = snMulAdd(start, b->edge, n);
    double fi = b->field(b->user, in), fo = b->field(b->user, out);
    return (fi < 0) != (fo < 0) ? findCut(b, in, fi, out, fo) : start;
}

// Marching ----------------------------------------------------------------------

// Even permutations of a tet's corners that bring those inside to the front (one or two of them) or
// the one outside (three inside), by the bits of who is inside.
static const int8_t permutation[16][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 3, 2}, {0, 1, 2, 3},
                                          {2, 0, 1, 3}, {0, 2, 3, 1}, {1, 2, 0, 3}, {3, 0, 2, 1},
                                          {3, 0, 2, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}, {2, 0, 1, 3},
                                          {2, 3, 0, 1}, {1, 0, 3, 2}, {0, 1, 2, 3}, {0, 1, 2, 3}};

// The cut edges of the surface's triangles, as pairs of places in the permutation. Quadrangles are
// two triangles.
static int listCuts(int inside, int8_t cut[6][2])
{
    static const int8_t one[3][2] = {{0, 1}, {0, 2}, {0, 3}};
    static const int8_t three[3][2] = {{0, 1}, {0, 3}, {0, 2}};
    static const int8_t two[6][2] = {{0, 2}, {0, 3}, {1, 3}, {0, 2}, {1, 3}, {1, 2}};
    int count = (inside & 1) + (inside >> 1 & 1) + (inside >> 2 & 1) + (inside >> 3 & 1);
    const int8_t(*cuts)[2] = count == 1 ? one : count == 2 ? two : three;
    int cut_count = count == 0 || count == 4 ? 0 : count == 2 ? 6 : 3;
    for (int i = 0; i < cut_count; ++i) {
        cut[i][0] = permutation[inside][cuts[i][0]];
        cut[i][1] = permutation[inside][cuts[i][1]];
    }
    return cut_count;
}

typedef struct March {
    snBcc lattice;
    double* value;   // at the lattice's nodes
    int64_t corners; // of triangles so far
    uint64_t* edge;  // per corner: the lattice edge it cuts, NULL while counting
} March;

static void marchTet(March* m, int64_t tet)
{
    int64_t node[4];
    int8_t cut[6][2];
    if (!snBcc_Tet(&m->lattice, tet, node)) {
        return;
    }
    int inside = 0;
    for (int k = 0; k < 4; ++k) {
        inside |= (m->value[node[k]] < 0) << k;
    }
    int count = listCuts(inside, cut);
    for (int i = 0; i < count && m->edge; ++i) {
        uint64_t a = (uint64_t)node[cut[i][0]], b = (uint64_t)node[cut[i][1]];
        m->edge[m->corners + i] = a < b ? a << 32 | b : b << 32 | a;
    }
    m->corners += count;
}

static void marchAll(March* m)
{
    int64_t cubes = snBcc_CubeCount(&m->lattice), node[12];
    m->corners = 0;
    for (int64_t cube = 0; cube < cubes; ++cube) {
        int count = snBcc_Cube(&m->lattice, cube, node), inside = 0;
        for (int k = 0; k < count; ++k) {
            inside += m->value[node[k]] < 0;
        }
        for (int k = 0; k < SN_BCC_TETS && inside > 0 && inside < count; ++k) {
            marchTet(m, SN_BCC_TETS * cube + k);
        }
    }
}

static bool isOnSide(const snBcc* l, snVec3 p)
{
    snVec3 g = snScale(1 / l->cell, snSub(p, l->origin));
    return g.x < 0.75 || g.y < 0.75 || g.z < 0.75 || g.x > l->nx - 0.75 || g.y > l->ny - 0.75 ||
           g.z > l->nz - 0.75;
}

static snStatus sample(const Body* b, March* m, snMessage* why)
{
    int64_t nodes = snBcc_NodeCount(&m->lattice);
    for (int64_t i = 0; i < nodes; ++i) {
        snVec3 p = snBcc_Node(&m->lattice, i);
        double f = b->field(b->user, p);
        if (!(fabs(f) < HUGE_VAL)) {
            return snFail(why, sn_errorArgument, "the field is not finite at (%g, %g, %g)", p.x,
                          p.y, p.z);
        }
        if (f < 0 && isOnSide(&m->lattice, p)) {
            return snFail(why, sn_errorArgument,
                          "the body reaches the side of its box at (%g, %g, %g); enlarge the box",
                          p.x, p.y, p.z);
        }
        m->value[i] = f;
    }
    return sn_ok;
}

// Equal cuts become one vertex.
static void joinCuts(const Body* b, const March* m, snArena* scratch, snSurface* out)
{
    int32_t* corner = snArena_Push(scratch, (size_t)m->corners, sizeof(int32_t));
    out->triangle = snArena_Push(scratch, (size_t)m->corners, sizeof(int32_t));
    out->position = snArena_Push(scratch, (size_t)m->corners / 2 + 2, sizeof(snVec3));
    if (!corner || !out->triangle || !out->position) {
        return;
    }
    for (int32_t i = 0; i < m->corners; ++i) {
        corner[i] = i;
    }
    snSort_Pairs(scratch, m->edge, corner, m->corners);
    if (scratch->failed) {
        return;
    }
    out->triangle_count = (int32_t)(m->corners / 3);
    for (int64_t i = 0; i < m->corners; ++i) {
        if (i == 0 || m->edge[i] != m->edge[i - 1]) {
            int64_t n0 = (int64_t)(m->edge[i] >> 32), n1 = (int64_t)(m->edge[i] & 0xffffffff);
            out->position[out->vertex_count++] =
                findCut(b, snBcc_Node(&m->lattice, n0), m->value[n0], snBcc_Node(&m->lattice, n1),
                        m->value[n1]);
        }
        out->triangle[corner[i]] = out->vertex_count - 1;
    }
}

static snStatus march(snArena* scratch, const Body* b, snBox box, double cell, snSurface* out,
                      snMessage* why)
{
    March m = {.edge = NULL};
    *out = (snSurface){0};
    snStatus status = snBcc_Cover(box, cell, snV3(0, 0, 0), &m.lattice, why);
    if (status) {
        return status;
    }
    m.value = snArena_Push(scratch, (size_t)snBcc_NodeCount(&m.lattice), sizeof(double));
    if (!scratch->failed) {
        status = sample(b, &m, why);
        if (status) {
            return status;
        }
        marchAll(&m);
        if (m.corners == 0) {
            return snFail(why, sn_errorArgument,
                          "no body was found in the box with cells of %g m; use smaller ones",
                          cell);
        }
        if (m.corners > INT32_MAX / 8) {
            return snFail(why, sn_errorArgument, "too many triangles; use larger cells");
        }
        m.edge = snArena_Push(scratch, (size_t)m.corners, sizeof(uint64_t));
    }
    if (!scratch->failed) {
        marchAll(&m);
        joinCuts(b, &m, scratch, out);
    }
    return scratch->failed ? snFail(why, sn_errorMemory, "out of memory for an implicit surface")
                           : sn_ok;
}

// Whole -------------------------------------------------------------------------

// The largest cell that the box allows.
static double coarsest(snBox box)
{
    snVec3 size = snSub(box.hi, box.lo);
    double largest = size.x > size.y ? size.x : size.y;
    return (size.z > largest ? size.z : largest) / LEAST_CELLS;
}

static double cellFor(double edge, snBox box)
{
    double most = coarsest(box);
    return CELL * edge < most ? CELL * edge : most;
}

static double areaOf(const snSurface* s)
{
    double area = 0;
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        const int32_t* v = s->triangle + 3 * (size_t)t;
        area += snLength(snTriangleCross(s->position[v[0]], s->position[v[1]], s->position[v[2]]));
    }
    return 0.5 * area;
}

static snSurface copySurface(snArena* arena, const snSurface* from)
{
    snSurface s = {from->vertex_count, from->triangle_count,
                   snArena_Push(arena, (size_t)from->vertex_count, sizeof(snVec3)),
                   snArena_Push(arena, 3 * (size_t)from->triangle_count, sizeof(int32_t))};
    if (!arena->failed) {
        memcpy(s.position, from->position, (size_t)s.vertex_count * sizeof(snVec3));
        memcpy(s.triangle, from->triangle, 3 * (size_t)s.triangle_count * sizeof(int32_t));
    }
    return s;
}

// An even triangle mesh has area * 2/(sqrt(3) edge^2) vertices; the edge follows the counts found.
static snStatus meshToCount(snArena* arena, Body* b, snBox box, int32_t wanted, snSurface* out,
                            snMessage* why)
{
    snArena base, attempt;
    snSurface cuts, found;
    double cell = coarsest(box);
    snArena_Init(&base, &arena->host);
    snArena_Init(&attempt, &arena->host);
    b->edge = cell;
    snStatus status = march(&base, b, box, cell, &cuts, why);
    b->edge = status ? 1 : sqrt(areaOf(&cuts) * 1.1547005383792515 / wanted);
    bool close = false;
    for (int i = 0; i < ATTEMPTS && !status && !close; ++i) {
        // march again only when the cuts are too coarse
        if (cell > 1.1 * cellFor(b->edge, box)) {
            snArena_Free(&base);
            cell = cellFor(b->edge, box);
            status = march(&base, b, box, cell, &cuts, why);
        }
        snArena_Free(&attempt);
        if (!status) {
            status = snIso_Remesh(&attempt, &cuts, b->edge, project, b, &found, why);
        }
        if (!status) {
            double ratio = (double)found.vertex_count / wanted;
            close = fabs(ratio - 1) <= (i < ATTEMPTS / 2 ? CLOSENESS : 2 * CLOSENESS);
            b->edge *= sqrt(ratio);
        }
    }
    if (close) {
        *out = copySurface(arena, &found);
        status = arena->failed ? snFail(why, sn_errorMemory, "out of memory for a surface") : sn_ok;
    } else if (!status) {
        status = snFail(why, sn_errorUnsupported,
                        "no edge length gives %d vertices within 5 %%; ask for more", wanted);
    }
    snArena_Free(&attempt);
    snArena_Free(&base);
    return status;
}

snStatus snIso_Mesh(snArena* arena, snFieldFcn* field, void* user, snBox box, snIsoSize size,
                    snSurface* out, snMessage* why)
{
    Body b = {field, user, size.edge};
    snVec3 d = snSub(box.hi, box.lo);
    *out = (snSurface){0};
    if (!(d.x > 0 && d.y > 0 && d.z > 0 && d.x + d.y + d.z < HUGE_VAL)) {
        return snFail(why, sn_errorArgument, "an implicit surface needs a box with three sides");
    }
    if (size.edge == 0 && size.vertices >= 20) {
        return meshToCount(arena, &b, box, size.vertices, out, why);
    }
    if (!(size.edge > 0 && size.edge < HUGE_VAL)) {
        return snFail(why, sn_errorArgument,
                      "an implicit surface needs an edge length or at least 20 vertices");
    }
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snSurface cuts;
    snStatus status = march(&scratch, &b, box, cellFor(b.edge, box), &cuts, why);
    if (!status) {
        status = snIso_Remesh(arena, &cuts, b.edge, project, &b, out, why);
    }
    snArena_Free(&scratch);
    return status;
}
