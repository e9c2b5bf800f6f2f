// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/iso_remesh.h"

#include "base/message.h"
#include "geom/sort.h"

// Rounds of split, collapse, flip and slide. Triangles hardly change after six.
#define ROUNDS 6

// Edges between these many wanted lengths stay: a split edge is not collapsed again, nor the
// reverse.
#define LONG (4.0 / 3)
#define SHORT (4.0 / 5)

// A changed triangle may turn its normal by this much (cosine).
#define LEAST_COSINE 0.5

// Triangles below this shape (1: equilateral, 0: flat) are to go.
#define POOR 0.3

// A side h = 3 t + k runs from corner k of triangle t to the next; twin[h] is the same edge in the
// other triangle. Dead triangles have corner -1.
typedef struct Mesh {
    int32_t vertex_count, triangle_count;       // dead ones included
    int32_t vertex_capacity, triangle_capacity; //
    snVec3* p;
    int32_t* from; // vertex that the side leaves
    int32_t* twin;
    int32_t* leave; // of each vertex: a side that leaves it; -1: dead
    double edge;
    snProjectFcn* project;
    void* user;
} Mesh;

static int32_t after(int32_t h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}

static int32_t before(int32_t h)
{
    return h % 3 == 0 ? h + 2 : h - 1;
}

static int32_t to(const Mesh* m, int32_t h)
{
    return m->from[after(h)];
}

// the next side that leaves the same vertex
static int32_t around(const Mesh* m, int32_t h)
{
    return m->twin[before(h)];
}

static double length(const Mesh* m, int32_t h)
{
    return snLength(snSub(m->p[m->from[h]], m->p[to(m, h)]));
}

static void pair(Mesh* m, int32_t g, int32_t h)
{
    m->twin[g] = h;
    m->twin[h] = g;
}

static void setTriangle(Mesh* m, int32_t t, int32_t a, int32_t b, int32_t c)
{
    m->from[3 * t] = a, m->from[3 * t + 1] = b, m->from[3 * t + 2] = c;
    m->leave[a] = 3 * t, m->leave[b] = 3 * t + 1, m->leave[c] = 3 * t + 2;
}

static int valence(const Mesh* m, int32_t v)
{
    int count = 0;
    int32_t h = m->leave[v];
    do {
        ++count;
        h = around(m, h);
    } while (h != m->leave[v]);
    return count;
}

static bool areNeighbours(const Mesh* m, int32_t a, int32_t b)
{
    int32_t h = m->leave[a];
    do {
        if (to(m, h) == b) {
            return true;
        }
        h = around(m, h);
    } while (h != m->leave[a]);
    return false;
}

// Would the triangle of side h keep its face when its corner from[h] were at p?
static bool keepsFace(const Mesh* m, int32_t h, snVec3 p)
{
    snVec3 b = m->p[to(m, h)], c = m->p[m->from[before(h)]];
    snVec3 was = snTriangleCross(m->p[m->from[h]], b, c), is = snTriangleCross(p, b, c);
    double product = snLength(was) * snLength(is);
    // slivers have no face to keep
    double floor = 1e-4 * m->edge * m->edge;
    return snDot(was, is) > LEAST_COSINE * product || (snLength(was) < floor && product >= 0);
}

// Split -------------------------------------------------------------------------

// (a, b, c) and (b, a, d) become four triangles around the new vertex in the middle of ab.
static void splitSide(Mesh* m, int32_t h)
{
    int32_t g = m->twin[h], t = h / 3, u = g / 3;
    int32_t a = m->from[h], b = m->from[g], c = m->from[before(h)], d = m->from[before(g)];
    int32_t bc = m->twin[after(h)], ca = m->twin[before(h)];
    int32_t ad = m->twin[after(g)], db = m->twin[before(g)];
    int32_t v = m->vertex_count++, x = m->triangle_count++, y = m->triangle_count++;
    m->p[v] = m->project(m->user, snScale(0.5, snAdd(m->p[a], m->p[b])));
    setTriangle(m, t, a, v, c);
    setTriangle(m, x, v, b, c);
    setTriangle(m, u, v, a, d);
    setTriangle(m, y, b, v, d);
    pair(m, 3 * t, 3 * u);
    pair(m, 3 * t + 1, 3 * x + 2);
    pair(m, 3 * t + 2, ca);
    pair(m, 3 * x, 3 * y);
    pair(m, 3 * x + 1, bc);
    pair(m, 3 * u + 1, ad);
    pair(m, 3 * u + 2, 3 * y + 1);
    pair(m, 3 * y + 2, db);
}

static void splitLong(Mesh* m)
{
    int32_t sides = 3 * m->triangle_count;
    for (int32_t h = 0; h < sides; ++h) {
        bool room =
            m->vertex_count < m->vertex_capacity && m->triangle_count + 2 <= m->triangle_capacity;
        if (room && m->from[h] >= 0 && h < m->twin[h] && length(m, h) > LONG * m->edge) {
            splitSide(m, h);
        }
    }
}

// Collapse ----------------------------------------------------------------------

// Joining the ends of an edge keeps a manifold when no vertex is a neighbour of both but the two
// beside the edge, and these keep three neighbours (Dey, Edelsbrunner, Guha & Nekhayev 1999).
static bool mayCollapse(const Mesh* m, int32_t h, snVec3 middle)
{
    int32_t g = m->twin[h], a = m->from[h], b = m->from[g];
    if (valence(m, m->from[before(h)]) <= 3 || valence(m, m->from[before(g)]) <= 3) {
        return false;
    }
    int common = 0;
    for (int side = 0; side < 2; ++side) {
        int32_t end = side ? b : a, other = side ? a : b;
        int32_t k = m->leave[end];
        do {
            int32_t v = to(m, k);
            common += side == 0 && v != b && areNeighbours(m, b, v);
            // the two triangles that vanish name the other end
            if (v != other && m->from[before(k)] != other && !keepsFace(m, k, middle)) {
                return false;
            }
            if (v != other && snLength(snSub(m->p[v], middle)) > LONG * m->edge) {
                return false;
            }
            k = around(m, k);
        } while (k != m->leave[end]);
    }
    return common == 2;
}

static void collapseSide(Mesh* m, int32_t h, snVec3 middle)
{
    int32_t g = m->twin[h], a = m->from[h], b = m->from[g];
    int32_t c = m->from[before(h)], d = m->from[before(g)], k = m->leave[a];
    do {
        int32_t next = around(m, k);
        m->from[k] = b;
        k = next;
    } while (k != m->leave[a]);
    int32_t cb = m->twin[after(h)], bc = m->twin[before(h)]; // the latter was a to c
    int32_t db = m->twin[after(g)], bd = m->twin[before(g)];
    pair(m, cb, bc);
    pair(m, db, bd);
    m->leave[a] = -1;
    m->leave[b] = bc, m->leave[c] = cb, m->leave[d] = db;
    for (int i = 0; i < 3; ++i) {
        m->from[h / 3 * 3 + i] = m->from[g / 3 * 3 + i] = -1;
    }
    m->p[b] = middle;
}

static void collapseShort(Mesh* m)
{
    for (int32_t h = 0; h < 3 * m->triangle_count; ++h) {
        if (m->from[h] < 0 || h > m->twin[h] || length(m, h) >= SHORT * m->edge) {
            continue;
        }
        snVec3 sum = snAdd(m->p[m->from[h]], m->p[to(m, h)]);
        snVec3 middle = m->project(m->user, snScale(0.5, sum));
        if (mayCollapse(m, h, middle)) {
            collapseSide(m, h, middle);
        }
    }
}

// Flip --------------------------------------------------------------------------

static int offSix(int neighbours)
{
    return (neighbours - 6) * (neighbours - 6);
}

// 1 for an equilateral triangle, 0 for a flat one or one that looks away from n.
static double shapeOf(snVec3 a, snVec3 b, snVec3 c, snVec3 n)
{
    snVec3 cross = snTriangleCross(a, b, c);
    double edges = snLengthSq(snSub(a, b)) + snLengthSq(snSub(b, c)) + snLengthSq(snSub(c, a));
    bool faces = snDot(cross, n) > LEAST_COSINE * snLength(cross);
    return faces ? 3.4641016151377544 * snLength(cross) / edges : 0;
}

// ab becomes cd when that brings the four vertices nearer to six neighbours each, or removes a
// triangle that is nearly flat.
static void flipSide(Mesh* m, int32_t h)
{
    int32_t g = m->twin[h], t = h / 3, u = g / 3;
    int32_t a = m->from[h], b = m->from[g], c = m->from[before(h)], d = m->from[before(g)];
    int va = valence(m, a), vb = valence(m, b), vc = valence(m, c), vd = valence(m, d);
    int was = offSix(va) + offSix(vb) + offSix(vc) + offSix(vd);
    int is = offSix(va - 1) + offSix(vb - 1) + offSix(vc + 1) + offSix(vd + 1);
    if (va <= 3 || vb <= 3 || c == d || areNeighbours(m, c, d)) {
        return;
    }
    snVec3 pa = m->p[a], pb = m->p[b], pc = m->p[c], pd = m->p[d];
    snVec3 n = snNormalize(snAdd(snTriangleCross(pa, pb, pc), snTriangleCross(pb, pa, pd)));
    double abc = shapeOf(pa, pb, pc, n), bad = shapeOf(pb, pa, pd, n);
    double adc = shapeOf(pa, pd, pc, n), bcd = shapeOf(pb, pc, pd, n);
    double before_flip = abc < bad ? abc : bad, after_flip = adc < bcd ? adc : bcd;
    if (!(is < was && after_flip > POOR) && !(before_flip < POOR && after_flip > before_flip)) {
        return;
    }
    int32_t cb = m->twin[after(h)], ac = m->twin[before(h)];
    int32_t da = m->twin[after(g)], bd = m->twin[before(g)];
    setTriangle(m, t, a, d, c);
    setTriangle(m, u, b, c, d);
    pair(m, 3 * t, da);
    pair(m, 3 * t + 1, 3 * u + 1);
    pair(m, 3 * t + 2, ac);
    pair(m, 3 * u, cb);
    pair(m, 3 * u + 2, bd);
}

// Slide -------------------------------------------------------------------------

// To the centre of the triangles around, weighted by area, but only along the surface.
static void slide(Mesh* m, int32_t v)
{
    snVec3 sum = snV3(0, 0, 0), normal = sum;
    double total = 0;
    int32_t h = m->leave[v];
    do {
        snVec3 b = m->p[to(m, h)], c = m->p[m->from[before(h)]];
        snVec3 cross = snTriangleCross(m->p[v], b, c);
        double area = snLength(cross);
        sum = snMulAdd(sum, area / 3, snAdd(m->p[v], snAdd(b, c)));
        normal = snAdd(normal, cross);
        total += area;
        h = around(m, h);
    } while (h != m->leave[v]);
    if (!(total > 0)) {
        return;
    }
    normal = snNormalize(normal);
    snVec3 step = snSub(snScale(1 / total, sum), m->p[v]);
    step = snMulAdd(step, -snDot(step, normal), normal);
    snVec3 p = m->project(m->user, snAdd(m->p[v], step));
    do {
        if (!keepsFace(m, h, p)) {
            return;
        }
        h = around(m, h);
    } while (h != m->leave[v]);
    m->p[v] = p;
}

// Whole -------------------------------------------------------------------------

static void improve(Mesh* m)
{
    for (int round = 0; round < ROUNDS; ++round) {
        splitLong(m);
        collapseShort(m);
        for (int32_t h = 0; h < 3 * m->triangle_count; ++h) {
            if (m->from[h] >= 0 && h < m->twin[h]) {
                flipSide(m, h);
            }
        }
        for (int pass = 0; pass < (round + 2 < ROUNDS ? 1 : 3); ++pass) {
            for (int32_t v = 0; v < m->vertex_count; ++v) {
                if (m->leave[v] >= 0) {
                    slide(m, v);
                }
            }
        }
    }
}

// Sides of the same edge become twins; false when the surface is not a closed manifold.
static bool connect(Mesh* m, snArena* scratch)
{
    int32_t sides = 3 * m->triangle_count;
    uint64_t* key = snArena_Push(scratch, (size_t)sides, sizeof(uint64_t));
    int32_t* side = snArena_Push(scratch, (size_t)sides, sizeof(int32_t));
    if (scratch->failed) {
        return false;
    }
    for (int32_t h = 0; h < sides; ++h) {
        uint64_t a = (uint64_t)m->from[h], b = (uint64_t)to(m, h);
        key[h] = a < b ? a << 32 | b : b << 32 | a;
        side[h] = h;
        m->leave[m->from[h]] = h;
    }
    snSort_Pairs(scratch, key, side, sides);
    for (int32_t i = 0; i < sides; i += 2) {
        bool two = key[i] == key[i + 1] && (i + 2 == sides || key[i + 2] != key[i]) &&
                   m->from[side[i]] != m->from[side[i + 1]];
        if (!two || scratch->failed) {
            return false;
        }
        pair(m, side[i], side[i + 1]);
    }
    return true;
}

static void compact(Mesh* m, int32_t* number, snSurface* out)
{
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        if (m->leave[v] >= 0) {
            out->position[out->vertex_count] = m->p[v];
            number[v] = out->vertex_count++;
        }
    }
    for (int32_t t = 0; t < m->triangle_count; ++t) {
        if (m->from[3 * t] >= 0) {
            for (int k = 0; k < 3; ++k) {
                out->triangle[3 * out->triangle_count + k] = number[m->from[3 * t + k]];
            }
            ++out->triangle_count;
        }
    }
}

snStatus snIso_Remesh(snArena* arena, const snSurface* surface, double edge, snProjectFcn* project,
                      void* user, snSurface* out, snMessage* why)
{
    *out = (snSurface){0};
    // room for the splits of a surface as coarse as the wanted one
    int32_t vertices = 2 * surface->vertex_count + 1000;
    int32_t triangles = 2 * surface->triangle_count + 2000;
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    Mesh m = {surface->vertex_count,
              surface->triangle_count,
              vertices,
              triangles,
              snArena_Push(&scratch, (size_t)vertices, sizeof(snVec3)),
              snArena_Push(&scratch, 3 * (size_t)triangles, sizeof(int32_t)),
              snArena_Push(&scratch, 3 * (size_t)triangles, sizeof(int32_t)),
              snArena_Push(&scratch, (size_t)vertices, sizeof(int32_t)),
              edge,
              project,
              user};
    int32_t* number = snArena_Push(&scratch, (size_t)vertices, sizeof(int32_t));
    for (int32_t i = 0; i < surface->vertex_count && !scratch.failed; ++i) {
        m.p[i] = surface->position[i];
        m.leave[i] = -1;
    }
    for (int32_t i = 0; i < 3 * surface->triangle_count && !scratch.failed; ++i) {
        m.from[i] = surface->triangle[i];
    }
    bool sound = !scratch.failed && connect(&m, &scratch);
    if (sound) {
        improve(&m);
        out->position = snArena_Push(arena, (size_t)m.vertex_count, sizeof(snVec3));
        out->triangle = snArena_Push(arena, 3 * (size_t)m.triangle_count, sizeof(int32_t));
        if (!arena->failed) {
            compact(&m, number, out);
        }
    }
    bool failed = scratch.failed || arena->failed;
    snArena_Free(&scratch);
    if (failed) {
        return snFail(why, sn_errorMemory, "out of memory for a surface of %d triangles",
                      surface->triangle_count);
    }
    return sound ? sn_ok
                 : snFail(why, sn_errorArgument, "only a closed manifold surface can be remeshed");
}
