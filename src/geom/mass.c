// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Mass properties of rigid pieces.
#include "base/memory.h"
#include "base/message.h"
#include "math/mat.h"
#include <sinew/skeleton.h>
#include <stdlib.h>

// The inertia of a point mass about the origin: m (|d|^2 I - d d').
static snSym3 pointInertia(double m, snVec3 d)
{
    snSym3 S = {m * (d.y * d.y + d.z * d.z),
                m * (d.x * d.x + d.z * d.z),
                m * (d.x * d.x + d.y * d.y),
                -m * d.x * d.y,
                -m * d.x * d.z,
                -m * d.y * d.z};
    return S;
}

snMass snMass_Point(double mass, snVec3 position)
{
    return (snMass){mass, position, {0, 0, 0, 0, 0, 0}};
}

snMass snMass_Add(const snMass* a, const snMass* b)
{
    if (!(b->mass > 0)) {
        return a->mass > 0 ? *a : (snMass){0};
    }
    if (!(a->mass > 0)) {
        return *b;
    }
    double m = a->mass + b->mass;
    snVec3 gap = snSub(b->com, a->com);
    double reduced = a->mass * b->mass / m;
    snSym3 inertia = snSymAdd(a->inertia, b->inertia);
    return (snMass){m, snMulAdd(a->com, b->mass / m, gap),
                    snSymAdd(inertia, pointInertia(reduced, gap))};
}

// A cylinder and two half balls. About the axis: m_c r^2/2 + m_s 2r^2/5. Across it: the cylinder's
// m_c (L^2/12 + r^2/4), the balls' m_s (2r^2/5 + L^2/4 + 3 L r/8).
snMass snMass_Capsule(snVec3 a, snVec3 b, double radius, double density)
{
    snVec3 span = snSub(b, a);
    if (!(radius >= 0) || !(density >= 0)) {
        return (snMass){0, a, {0, 0, 0, 0, 0, 0}};
    }
    double L = snLength(span), r2 = radius * radius;
    double tube = density * SN_PI * r2 * L, balls = density * 4 * SN_PI / 3 * r2 * radius;
    double along = tube * r2 / 2 + balls * 0.4 * r2;
    double across =
        tube * (L * L / 12 + r2 / 4) + balls * (0.4 * r2 + L * L / 4 + 0.375 * L * radius);
    snVec3 n = snNormalize(span);
    double d = along - across;
    snSym3 inertia = {across + d * n.x * n.x, across + d * n.y * n.y, across + d * n.z * n.z,
                      d * n.x * n.y,          d * n.x * n.z,          d * n.y * n.z};
    return (snMass){tube + balls, snScale(0.5, snAdd(a, b)), inertia};
}

typedef struct Edge {
    int32_t from, to;
} Edge;

static int compareEdges(const void* a, const void* b)
{
    const Edge* e = a;
    const Edge* f = b;
    if (e->from != f->from) {
        return e->from < f->from ? -1 : 1;
    }
    return e->to < f->to ? -1 : e->to > f->to;
}

// Closed: every directed edge occurs as often as its reverse.
static snStatus checkClosed(const int32_t* triangles, int32_t count, snMessage* why)
{
    size_t edge_count = (size_t)count * 3, bytes;
    bool fits = snSizeMul(edge_count, 2 * sizeof(Edge), &bytes);
    Edge* edges = fits ? snHost_Allocate(NULL, bytes) : NULL;
    if (!edges) {
        return snFail(why, sn_errorMemory, "no memory for %zu mesh edges", edge_count);
    }
    Edge* reversed = edges + edge_count;
    for (size_t i = 0; i < edge_count; ++i) {
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        edges[i] = (Edge){triangles[i], triangles[next]};
        reversed[i] = (Edge){triangles[next], triangles[i]};
    }
    qsort(edges, edge_count, sizeof(Edge), compareEdges);
    qsort(reversed, edge_count, sizeof(Edge), compareEdges);
    snStatus status = sn_ok;
    for (size_t i = 0; i < edge_count && !status; ++i) {
        if (compareEdges(&edges[i], &reversed[i])) {
            Edge open = compareEdges(&edges[i], &reversed[i]) < 0 ? edges[i] : reversed[i];
            status = snFail(why, sn_errorArgument,
                            "the mesh is not closed: the edge between vertices %d and %d has no "
                            "matching face; close the hole or turn the face round",
                            (int)open.from, (int)open.to);
        }
    }
    snHost_Release(NULL, edges, bytes);
    return status;
}

static snStatus checkMesh(const double* vertices, int32_t vertex_count, const int32_t* triangles,
                          int32_t triangle_count, double density, snMessage* why)
{
    if (!vertices || !triangles || vertex_count < 4 || triangle_count < 4) {
        return snFail(why, sn_errorArgument,
                      "a closed mesh has at least 4 vertices and 4 triangles, found %d and %d",
                      (int)vertex_count, (int)triangle_count);
    }
    if (!(density > 0 && density < 1e12)) {
        return snFail(why, sn_errorArgument, "density must be above 0 and below 1e12 kg/m^3");
    }
    for (int64_t i = 0; i < 3 * (int64_t)vertex_count; ++i) {
        if (!(fabs(vertices[i]) < 1e9)) {
            return snFail(why, sn_errorArgument,
                          "vertex %lld of the mesh is not a finite position within 1e9 m",
                          (long long)(i / 3));
        }
    }
    for (int64_t i = 0; i < 3 * (int64_t)triangle_count; ++i) {
        if (triangles[i] < 0 || triangles[i] >= vertex_count) {
            return snFail(why, sn_errorArgument,
                          "triangle %lld of the mesh uses vertex %d, but there are %d vertices",
                          (long long)(i / 3), (int)triangles[i], (int)vertex_count);
        }
    }
    return checkClosed(triangles, triangle_count, why);
}

// Sums signed tetrahedra from a reference point: with corners a, b, c and V = a.(b x c)/6, the
// volume gets V, the first moment V (a+b+c)/4, the second moments V/20 (a a' + b b' + c c' +
// (a+b+c)(a+b+c)').
snStatus snMass_Mesh(const double* vertices, int32_t vertex_count, const int32_t* triangles,
                     int32_t triangle_count, double density, snMass* mass, snMessage* why)
{
    snMessage_Clear(why);
    if (!mass) {
        return snFail(why, sn_errorArgument, "mass must not be NULL");
    }
    snStatus status = checkMesh(vertices, vertex_count, triangles, triangle_count, density, why);
    if (status) {
        return status;
    }
    snVec3 middle = snV3(vertices[0], vertices[1], vertices[2]), first = snV3(0, 0, 0);
    double volume = 0, noise = 0;
    snMat3 second = snMatScale(0, snMat3_Identity());
    for (int32_t t = 0; t < triangle_count; ++t) {
        snVec3 x[3], sum = snV3(0, 0, 0);
        snMat3 squares = snMatScale(0, snMat3_Identity());
        for (int k = 0; k < 3; ++k) {
            const double* v = vertices + 3 * (ptrdiff_t)triangles[3 * (ptrdiff_t)t + k];
            x[k] = snSub(snV3(v[0], v[1], v[2]), middle);
            sum = snAdd(sum, x[k]);
            squares = snMatAdd(squares, snOuter(x[k], x[k]));
        }
        double V = snDot(x[0], snCross(x[1], x[2])) / 6;
        volume += V;
        noise += snLength(snCross(snSub(x[1], x[0]), snSub(x[2], x[0]))) *
                 (snLength(middle) + snLength(sum));
        first = snMulAdd(first, V / 4, sum);
        second = snMatAdd(second, snMatScale(V / 20, snMatAdd(squares, snOuter(sum, sum))));
    }
    // rounding moves vertices by 1e-16 of where they are; less volume than that makes is none
    if (!(volume > 1e-15 * noise)) {
        return snFail(why, sn_errorArgument,
                      "the mesh encloses a volume of %.3g m^3: it is flat or inside out; turn its "
                      "faces so that they look outwards",
                      volume);
    }
    snVec3 com = snScale(1 / volume, first);
    second = snMatSub(second, snMatScale(volume, snOuter(com, com)));
    double trace = second.m00 + second.m11 + second.m22;
    mass->mass = density * volume;
    mass->com = snAdd(middle, com);
    mass->inertia =
        snSymFromMat(snMatScale(density, snMatSub(snMatScale(trace, snMat3_Identity()), second)));
    return sn_ok;
}
