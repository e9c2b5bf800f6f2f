// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/shape.h"

#include "base/log.h"
#include "base/message.h"
#include "geom/sort.h"
#include "math/transform.h"

// Cubes of the grid: a few for each triangle, in 128 kB that stay in cache; at most GRID_SIDE along
// a side.
#define GRID_PER_TRIANGLE 32
#define GRID_CELLS 32768
#define GRID_SIDE 64

// Triangles that the thickness is measured behind.
#define THICKNESS_SAMPLES 20000

// This part of the area may have less behind it: wedges are thin near their edges, whatever they
// are.
#define THIN_PART 0.02

// Less volume than this part of area times size is none.
#define LEAST_VOLUME 1e-9

// snWinding_At is right to less than this.
#define WINDING_ERROR 0.02

// A place is looked at this part of the size before and after a triangle of an open mesh.
#define BESIDE 1e-6

// Surface ------------------------------------------------------------------------

static snStatus checkArrays(const snShapeDef* def, snMessage* why)
{
    if (def->vertex_count < 4 || def->triangle_count < 4 || !def->vertices || !def->triangles) {
        return snFail(
            why, sn_errorArgument,
            "a closed mesh has at least 4 vertices and 4 triangles, found %d and %d; give "
            "it some, or use a box",
            (int)def->vertex_count, (int)def->triangle_count);
    }
    if (def->triangle_count > INT32_MAX / 6) {
        return snFail(why, sn_errorArgument, "%d triangles are too many", (int)def->triangle_count);
    }
    for (int32_t i = 0; i < def->vertex_count; ++i) {
        snVec3 p = def->vertices[i];
        if (!(fabs(p.x) <= 1e6 && fabs(p.y) <= 1e6 && fabs(p.z) <= 1e6)) {
            return snFail(why, sn_errorArgument,
                          "vertex %d of the mesh is not a place within 1e6 m of the origin",
                          (int)i);
        }
    }
    for (int64_t i = 0; i < 3 * (int64_t)def->triangle_count; ++i) {
        if (def->triangles[i] < 0 || def->triangles[i] >= def->vertex_count) {
            return snFail(why, sn_errorArgument,
                          "triangle %lld of the mesh uses vertex %d, but there are %d vertices",
                          (long long)(i / 3), (int)def->triangles[i], (int)def->vertex_count);
        }
    }
    return sn_ok;
}

// In the solid's frame, equal vertices joined, triangles without three vertices left out.
static snStatus copySurface(snArena* arena, const snShapeDef* def, snSurface* surface,
                            snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    size_t n = (size_t)def->vertex_count, sides = 3 * (size_t)def->triangle_count;
    snSurface raw = {def->vertex_count, def->triangle_count,
                     snArena_Push(&scratch, n, sizeof(snVec3)),
                     snArena_Push(&scratch, sides, sizeof(int32_t))};
    if (scratch.failed) {
        snArena_Free(&scratch);
        return snFail(why, sn_errorMemory, "out of memory for a mesh of %d triangles",
                      (int)def->triangle_count);
    }
    snTransform pose = snT(def->pose.p, snQNormalize(def->pose.q));
    for (size_t i = 0; i < n; ++i) {
        raw.position[i] = snTPoint(pose, def->vertices[i]);
    }
    for (size_t i = 0; i < sides; ++i) {
        raw.triangle[i] = def->triangles[i];
    }
    snStatus status = snSurface_Weld(arena, &raw, surface, NULL, why);
    snArena_Free(&scratch);
    if (status) {
        return status;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < surface->triangle_count; ++i) {
        const int32_t* v = surface->triangle + 3 * (size_t)i;
        int32_t* to = surface->triangle + 3 * (size_t)kept;
        if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) {
            to[0] = v[0], to[1] = v[1], to[2] = v[2];
            ++kept;
        }
    }
    surface->triangle_count = kept;
    return sn_ok;
}

static void turnOver(snSurface* surface)
{
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        int32_t* v = surface->triangle + 3 * (size_t)t;
        int32_t swap = v[1];
        v[1] = v[2];
        v[2] = swap;
    }
}

// Volume ---------------------------------------------------------------------------

// Sums signed tets from the middle of the box: with corners a, b, c, s = a + b + c and V = a.(b x
// c)/6, the volume gets V, the first moment V s/4, the second moments V/20 (a a' + b b' + c c' + s
// s'). Holes of an open mesh are closed by the cones from that middle.
static void measureVolume(const snSurface* surface, snShape* shape)
{
    snVec3 middle = snScale(0.5, snAdd(shape->box.lo, shape->box.hi)), first = snV3(0, 0, 0);
    snMat3 second = snMatScale(0, snMat3_Identity());
    double volume = 0;
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        snVec3 x[3], sum = snV3(0, 0, 0);
        snMat3 squares = snMatScale(0, snMat3_Identity());
        for (int k = 0; k < 3; ++k) {
            x[k] = snSub(surface->position[surface->triangle[3 * (size_t)t + (size_t)k]], middle);
            sum = snAdd(sum, x[k]);
            squares = snMatAdd(squares, snOuter(x[k], x[k]));
        }
        double V = snDot(x[0], snCross(x[1], x[2])) / 6;
        volume += V;
        first = snMulAdd(first, V / 4, sum);
        second = snMatAdd(second, snMatScale(V / 20, snMatAdd(squares, snOuter(sum, sum))));
    }
    snVec3 com = snScale(volume != 0 ? 1 / volume : 0, first);
    second = snMatSub(second, snMatScale(volume, snOuter(com, com)));
    double trace = second.m00 + second.m11 + second.m22;
    shape->volume = volume;
    shape->com = snAdd(middle, com);
    shape->inertia = snSymFromMat(snMatSub(snMatScale(trace, snMat3_Identity()), second));
}

// Crossings ------------------------------------------------------------------------

// A way from a to b, with the axes sheared so that it runs along z (Woop, Benthin & Wald 2013).
typedef struct Ray {
    snVec3 a, b;
    int x, y, z;   // z: the axis along which the way is longest
    double sx, sy; // shear
} Ray;

static double along(snVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static Ray rayFrom(snVec3 a, snVec3 b)
{
    snVec3 d = snSub(b, a);
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    Ray ray = {.a = a, .b = b, .x = (axis + 1) % 3, .y = (axis + 2) % 3, .z = axis};
    double length = along(d, axis);
    ray.sx = length != 0 ? along(d, ray.x) / length : 0;
    ray.sy = length != 0 ? along(d, ray.y) / length : 0;
    return ray;
}

// A start may be so far behind the triangle that it is on, as a part of the lengths it comes from.
#define ROUNDING 1e-14

// Which side a triangle is passed from.
enum { fromFront = 1, fromBehind = 2 };

// Whether the way passes the triangle, and where. A corner is left or right of the way by itself,
// whatever triangle it belongs to, and the sign of each x y' - x' y is right or 0, since rounding
// keeps the order of the two products: nothing slips through between two triangles. A place is in
// front or behind by itself, whatever way it ends, and a start on the triangle is on either side:
// nothing slips through between two ways.
static bool crossTriangle(const Ray* ray, const snVec3 v[3], int sides, double* t)
{
    double x[3], y[3];
    for (int k = 0; k < 3; ++k) {
        snVec3 u = snSub(v[k], ray->a);
        double z = along(u, ray->z);
        x[k] = along(u, ray->x) - ray->sx * z;
        y[k] = along(u, ray->y) - ray->sy * z;
    }
    double e = x[0] * y[1] - y[0] * x[1], f = x[1] * y[2] - y[1] * x[2];
    double g = x[2] * y[0] - y[2] * x[0];
    if ((e < 0 || f < 0 || g < 0) && (e > 0 || f > 0 || g > 0)) {
        return false;
    }
    snVec3 n = snTriangleCross(v[0], v[1], v[2]), from = snSub(ray->a, v[0]);
    double before = snDot(n, from), after = snDot(n, snSub(ray->b, v[0]));
    double rounding = ROUNDING * snLength(n) * (snLength(ray->a) + snLength(from));
    *t = fabs(before) <= rounding ? 0 : before / (before - after);
    return (sides & fromFront && before >= -rounding && after < 0) ||
           (sides & fromBehind && before <= rounding && after > 0);
}

// The first triangle passed after a part of the way; -1: none.
static int32_t firstCrossing(const snNearest* nearest, snVec3 a, snVec3 b, double after, int sides,
                             double* t)
{
    const snSurface* s = &nearest->surface;
    const snBvh* bvh = &nearest->bvh;
    snWay way = snWay_From(a, b);
    Ray ray = rayFrom(a, b);
    int32_t stack[SN_BVH_DEPTH + 1], found = -1;
    int top = 0;
    double least = 1 + 1e-9; // what is at the end counts
    stack[top++] = 0;
    while (top > 0) {
        const snBvhNode* node = &bvh->nodes[stack[--top]];
        if (!snWay_Meets(&way, &node->box, least)) {
            continue;
        }
        for (int32_t i = 0; i < node->count; ++i) {
            int32_t at = bvh->order[node->first + i];
            const int32_t* k = s->triangle + 3 * (size_t)at;
            const snVec3 v[3] = {s->position[k[0]], s->position[k[1]], s->position[k[2]]};
            double here;
            if (crossTriangle(&ray, v, sides, &here) && here > after && here < least) {
                least = here;
                found = at;
            }
        }
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
        }
    }
    *t = least;
    return found;
}

static snVec3 faceNormal(const snSurface* s, int32_t t)
{
    const int32_t* v = s->triangle + 3 * (size_t)t;
    return snNormalize(snTriangleCross(s->position[v[0]], s->position[v[1]], s->position[v[2]]));
}

// Thickness -------------------------------------------------------------------------

// How far it is through the body behind each triangle; the least of it, but for the thinnest 2 % of
// the area.
static snStatus measureThickness(snShape* shape, const snHost* host, snMessage* why)
{
    const snSurface* s = &shape->mesh->nearest.surface;
    double size = snLength(snSub(shape->box.hi, shape->box.lo)), whole = 0, thin = 0;
    int32_t stride = s->triangle_count / THICKNESS_SAMPLES + 1, count = 0;
    size_t most = (size_t)s->triangle_count / (size_t)stride + 1;
    snArena scratch;
    snArena_Init(&scratch, host);
    uint64_t* key = snArena_Push(&scratch, most, sizeof(uint64_t));
    int32_t* value = snArena_Push(&scratch, most, sizeof(int32_t));
    double* area = snArena_Push(&scratch, most, sizeof(double));
    for (int32_t i = 0; i < s->triangle_count && !scratch.failed; i += stride) {
        const int32_t* v = s->triangle + 3 * (size_t)i;
        snVec3 a = s->position[v[0]], b = s->position[v[1]], c = s->position[v[2]];
        snVec3 cross = snTriangleCross(a, b, c), n = snNormalize(cross);
        snVec3 centre = snScale(1.0 / 3, snAdd(a, snAdd(b, c)));
        double t;
        if (firstCrossing(&shape->mesh->nearest, centre, snMulAdd(centre, -size, n), 0, fromBehind,
                          &t) >= 0) {
            key[count] = snBitsOf(t * size); // positive numbers sort as their bits do
            value[count] = count;
            area[count] = snLength(cross);
            whole += area[count++];
        }
    }
    snSort_Pairs(&scratch, key, value, count);
    snVec3 d = snSub(shape->box.hi, shape->box.lo);
    double flat = d.x < d.y ? d.x : d.y;
    shape->thickness = flat < d.z ? flat : d.z;
    for (int32_t i = 0; i < count && !scratch.failed; ++i) {
        thin += area[value[i]];
        if (thin > THIN_PART * whole) {
            double t = snFromBits(key[i]);
            shape->thickness = t < shape->thickness ? t : shape->thickness;
            break;
        }
    }
    bool failed = scratch.failed;
    snArena_Free(&scratch);
    return failed ? snFail(why, sn_errorMemory, "out of memory for a mesh of %d triangles",
                           (int)s->triangle_count)
                  : sn_ok;
}

// Grid ------------------------------------------------------------------------------

static int32_t cellsAlong(double length, double cell)
{
    return (int32_t)(length / cell) + 1;
}

// A row of cubes. Far outside, where the surface cannot come within reach of a cube yet, the least
// that its distance can be does as well as its distance.
static void fillRow(const snShapeMesh* m, snVec3 from, float* to)
{
    double limit = HUGE_VAL, sure = 0;
    for (int32_t i = 0; i < m->nx; ++i) {
        snVec3 q = snAdd(from, snV3(m->cell * i, 0, 0));
        snNearestHit hit = {.distance = 0};
        sure -= m->cell;
        if (sure > m->cell) { // more than half a diagonal
            to[i] = (float)sure;
            limit += m->cell;
            continue;
        }
        snNearest_Find(&m->nearest, q, limit, &hit);
        bool in = snDot(snSub(q, hit.point), hit.normal) < 0;
        to[i] = (float)(in ? -hit.distance : hit.distance);
        sure = in ? 0 : hit.distance;
        limit = hit.distance + m->cell * (1 + 1e-4); // for the next, a cube further on
    }
}

static snVec3 cubeCentre(const snShape* shape, int32_t i, int32_t j, int32_t k)
{
    return snMulAdd(shape->box.lo, shape->mesh->cell, snV3(i + 0.5, j + 0.5, k + 0.5));
}

static snStatus makeGrid(snArena* arena, snShape* shape, snMessage* why)
{
    snShapeMesh* m = shape->mesh;
    snVec3 d = snSub(shape->box.hi, shape->box.lo);
    double longest = d.x > d.y ? d.x : d.y;
    longest = longest > d.z ? longest : d.z;
    double cell = longest / (GRID_SIDE - 1);
    int64_t most = GRID_PER_TRIANGLE * (int64_t)m->nearest.surface.triangle_count;
    most = most < GRID_CELLS ? most : GRID_CELLS;
    do {
        m->cell = cell;
        m->nx = cellsAlong(d.x, cell);
        m->ny = cellsAlong(d.y, cell);
        m->nz = cellsAlong(d.z, cell);
        cell *= 1.05;
    } while (m->nx * m->ny * m->nz > most);
    size_t rows = (size_t)m->ny * (size_t)m->nz;
    m->outside = snArena_Push(arena, (size_t)m->nx * rows, sizeof(float));
    if (!m->outside) {
        return snFail(why, sn_errorMemory, "out of memory for the distances around a mesh");
    }
    float* row = m->outside;
    for (int32_t k = 0; k < m->nz; ++k) {
        for (int32_t j = 0; j < m->ny; ++j, row += m->nx) {
            fillRow(m, cubeCentre(shape, 0, j, k), row);
        }
    }
    return sn_ok;
}

// Where parts of a mesh overlap, the side of the nearest triangle is not the side of the body; the
// winding number knows better.
static snStatus findOverlap(const snShape* shape, const snHost* host, bool* found, snMessage* why)
{
    const snShapeMesh* m = shape->mesh;
    size_t count = (size_t)m->nx * (size_t)m->ny * (size_t)m->nz, at = 0;
    snArena scratch;
    snArena_Init(&scratch, host);
    snVec3* q = snArena_Push(&scratch, count, sizeof(snVec3));
    double* w = snArena_Push(&scratch, count, sizeof(double));
    *found = false;
    for (int32_t k = 0; k < m->nz && !scratch.failed; ++k) {
        for (int32_t j = 0; j < m->ny; ++j) {
            for (int32_t i = 0; i < m->nx; ++i) {
                q[at++] = cubeCentre(shape, i, j, k);
            }
        }
    }
    snStatus status = scratch.failed
                          ? snFail(why, sn_errorMemory, "out of memory for a mesh")
                          : snWinding_Batch(&m->winding, q, (int64_t)count, w, host, NULL, why);
    for (size_t i = 0; i < count && !status; ++i) {
        bool sure = fabs(fabs(w[i]) - 0.5) > WINDING_ERROR;
        *found = *found || (sure && snWinding_IsInside(w[i]) != (m->outside[i] < 0));
    }
    snArena_Free(&scratch);
    return status;
}

// Making ----------------------------------------------------------------------------

static snStatus noInside(snMessage* why, double volume)
{
    return snFail(why, sn_errorArgument,
                  "the mesh encloses %.3g m^3: it is flat or its faces cancel out; give it a "
                  "thickness, or use a box",
                  fabs(volume));
}

snStatus snShapeMesh_Build(snArena* arena, const snShapeDef* def, snShape* shape, snMessage* why)
{
    snSurface surface = {.triangle_count = 0};
    snSurfaceFacts facts = {.edges = 0};
    int32_t turned = 0;
    shape->p = snV3(0, 0, 0);
    shape->R = snMat3_Identity();
    snStatus status = checkArrays(def, why);
    status = status ? status : copySurface(arena, def, &surface, why);
    if (!status && surface.triangle_count < 4) {
        return noInside(why, 0);
    }
    status = status ? status : snSurface_Orient(&surface, &arena->host, &turned, why);
    status = status ? status : snSurface_Inspect(&surface, &arena->host, &facts, why);
    if (status) {
        return status;
    }
    shape->box = facts.bounds;
    shape->area = facts.area;
    double size = snLength(snSub(shape->box.hi, shape->box.lo));
    measureVolume(&surface, shape);
    if (!(fabs(shape->volume) > LEAST_VOLUME * facts.area * size)) {
        return noInside(why, shape->volume);
    }
    if (shape->volume < 0) { // inside out
        turnOver(&surface);
        measureVolume(&surface, shape);
    }
    snShapeMesh* m = snArena_Push(arena, 1, sizeof *m);
    if (!m) {
        return snFail(why, sn_errorMemory, "out of memory for a mesh");
    }
    shape->mesh = m;
    m->closed = snSurfaceFacts_IsClosed(&facts);
    status = snNearest_Build(arena, &surface, &m->nearest, why);
    status = status ? status : snWinding_Build(arena, &surface, &m->winding, why);
    status = status ? status : measureThickness(shape, &arena->host, why);
    bool overlap = false;
    if (!status && m->closed) {
        status = makeGrid(arena, shape, why);
        status = status ? status : findOverlap(shape, &arena->host, &overlap, why);
    }
    if (overlap) {
        m->closed = false;
        snLog(&arena->host, sn_logWarning,
              "parts of an obstacle's mesh overlap: what is inside is told by its winding number, "
              "which is slow; make them several meshes");
    } else if (!status && !m->closed) {
        snLog(&arena->host, sn_logWarning,
              "an obstacle's mesh is not closed (%d edges with one triangle, %d with three or "
              "more): what is inside is guessed by its winding number, which is slow; close its "
              "holes",
              (int)facts.boundary_edges, (int)facts.nonmanifold_edges);
    }
    return status;
}

// Queries ---------------------------------------------------------------------------

static int32_t cellAt(double x, double low, double cell, int32_t count)
{
    int32_t i = (int32_t)((x - low) / cell);
    return i < count ? i : count - 1;
}

bool snShapeMesh_Inside(const snShape* shape, snVec3 p, snVec3* normal, double* depth)
{
    const snShapeMesh* m = shape->mesh;
    const snBox* box = &shape->box;
    double limit = HUGE_VAL;
    if (!(p.x > box->lo.x && p.y > box->lo.y && p.z > box->lo.z && p.x < box->hi.x &&
          p.y < box->hi.y && p.z < box->hi.z)) {
        return false;
    }
    if (m->closed) {
        int32_t i = cellAt(p.x, box->lo.x, m->cell, m->nx);
        int32_t j = cellAt(p.y, box->lo.y, m->cell, m->ny);
        int32_t k = cellAt(p.z, box->lo.z, m->cell, m->nz);
        double outside = (double)m->outside[(k * m->ny + j) * m->nx + i];
        snVec3 centre = cubeCentre(shape, i, j, k);
        // distances change at most as fast as places do; a little more for rounding to float
        double way = snLength(snSub(p, centre)) + 1e-6 * (m->cell + fabs(outside));
        if (outside > way) {
            return false;
        }
        limit = fabs(outside) + way;
    } else if (!snWinding_IsInside(snWinding_At(&m->winding, p))) {
        return false;
    }
    snNearestHit hit;
    if (!snNearest_Find(&m->nearest, p, limit, &hit)) {
        return false;
    }
    snVec3 out = snSub(hit.point, p);
    double side = snDot(out, hit.normal);
    if (m->closed && !(side > 0)) {
        return false;
    }
    // a face's own normal is exact; from an edge or corner the way there is the way out
    bool face = hit.weight[0] > 0 && hit.weight[1] > 0 && hit.weight[2] > 0;
    bool close = hit.distance < 1e-9 * snLength(snSub(box->hi, box->lo));
    *normal = !face && !close ? snScale(1 / hit.distance, out)
              : side < 0      ? snNeg(hit.normal)
                              : hit.normal;
    *depth = hit.distance;
    return true;
}

// From an edge or corner the way from there is the normal, as inside.
bool snShapeMesh_Outside(const snShape* shape, snVec3 p, double most, snVec3* normal, double* gap)
{
    const snBox* box = &shape->box;
    snNearestHit hit;
    double limit = most * (1 + 1e-12) + 1e-300; // at most, not below
    if (snBox_DistanceSq(box, p) > limit * limit ||
        !snNearest_Find(&shape->mesh->nearest, p, limit, &hit)) {
        return false;
    }
    bool face = hit.weight[0] > 0 && hit.weight[1] > 0 && hit.weight[2] > 0;
    bool close = hit.distance < 1e-9 * snLength(snSub(box->hi, box->lo));
    *normal = face || close ? hit.normal : snScale(1 / hit.distance, snSub(p, hit.point));
    *gap = hit.distance;
    return *gap <= most;
}

// Of an open mesh, a triangle is entered when the winding number says so on both sides of it.
static bool castOpen(const snShape* shape, snVec3 a, snVec3 b, double after, double* t,
                     snVec3* normal)
{
    const snShapeMesh* m = shape->mesh;
    snVec3 d = snSub(b, a);
    double size = snLength(snSub(shape->box.hi, shape->box.lo)), length = snLength(d);
    double beside = length > 0 ? BESIDE * size / length : 0;
    for (;;) {
        int32_t at = firstCrossing(&m->nearest, a, b, after, fromFront | fromBehind, t);
        if (at < 0) {
            return false;
        }
        double before = snWinding_At(&m->winding, snMulAdd(a, *t - beside, d));
        double behind = snWinding_At(&m->winding, snMulAdd(a, *t + beside, d));
        if (!snWinding_IsInside(before) && snWinding_IsInside(behind)) {
            snVec3 n = faceNormal(&m->nearest.surface, at);
            *normal = snDot(n, d) > 0 ? snNeg(n) : n;
            return true;
        }
        after = *t;
    }
}

bool snShapeMesh_Cast(const snShape* shape, snVec3 a, snVec3 b, double after, double* t,
                      snVec3* normal)
{
    if (!shape->mesh->closed) {
        return castOpen(shape, a, b, after, t, normal);
    }
    const snNearest* nearest = &shape->mesh->nearest;
    int32_t at = firstCrossing(nearest, a, b, after, fromFront, t);
    if (at < 0) {
        return false;
    }
    *normal = faceNormal(&nearest->surface, at);
    return true;
}
