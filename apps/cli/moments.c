// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/moments.h"

#include "cli/place.h"

#include <math.h>
#include <render/camera.h>
#include <stdlib.h>

#define LEAST_SIZE 0.001 // of differences, as a part of the rig's size
#define COVERED 0.99     // of the surface has no larger difference
#define APART 0.6        // of even distances, that moments keep at least
#define SIDES 8          // from which one may look
#define USUAL 1.05       // times as much as the usual side must another one show

// One place of the surface
typedef struct Spot {
    double length, area; // m, m^2
} Spot;

static int byLength(const void* a, const void* b)
{
    double x = ((const Spot*)a)->length, y = ((const Spot*)b)->length;
    return (x > y) - (x < y);
}

static snVec3 cornerAt(const Pair* p, int32_t vertex)
{
    const float* x = p->old_positions + 3 * (size_t)vertex;
    double unit = p->of->unit;
    return (snVec3){unit * (double)x[0], unit * (double)x[1], unit * (double)x[2]};
}

// Of the mesh skinned last. spots: (vertex_count)
static void findSpots(const Pair* p, const snRigMesh* m, Spot* spots)
{
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        spots[v] = (Spot){lengthOf(differenceAt(p, v)), 0};
    }
    for (int32_t t = 0; t < m->triangle_count; ++t) {
        const int32_t* n = m->triangles + 3 * (size_t)t;
        snVec3 a = cornerAt(p, n[0]), u = minus(cornerAt(p, n[1]), a);
        snVec3 w = minus(cornerAt(p, n[2]), a);
        snVec3 twice = {u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x};
        for (int k = 0; k < 3; ++k) {
            spots[n[k]].area += lengthOf(twice) / 6;
        }
    }
}

// Sorts them.
static double sizeOf(Spot* spots, int32_t count)
{
    double all = 0, above = 0, size = 0;
    qsort(spots, (size_t)count, sizeof *spots, byLength);
    for (int32_t i = 0; i < count; ++i) {
        all += spots[i].area;
    }
    for (int32_t i = count - 1; i >= 0 && above <= (1 - COVERED) * all; --i) {
        above += spots[i].area;
        size = spots[i].length;
    }
    return size;
}

static snStatus noMemory(snMessage* why)
{
    snprintf(why->text, sizeof why->text, "out of memory");
    return sn_errorMemory;
}

snStatus findMoments(Pair* p, double first, double last, Moments* m, snMessage* why)
{
    const snRig* rig = p->of->after;
    const snRigInfo* f = snRig_Info(p->of->before);
    double size = fmax(fmax(f->high.x - f->low.x, f->high.y - f->low.y), f->high.z - f->low.z);
    Spot* spots = calloc((size_t)f->vertex_count + 1, sizeof *spots);
    snStatus status = spots ? sn_ok : noMemory(why);
    *m = (Moments){first, last, .largest = fmax(LEAST_SIZE * p->of->unit * size, 1e-9)};
    for (int k = 0; k <= MOMENTS_LOOKS && !status; ++k) {
        int32_t count = 0;
        status = posePair(p, first + (last - first) * k / MOMENTS_LOOKS, why);
        for (int32_t i = 0; i < snRig_Info(rig)->mesh_count && !status; ++i) {
            status = showsMesh(p, i) ? skinPair(p, i, why) : sn_ok;
            if (!status && showsMesh(p, i)) {
                findSpots(p, snRig_Mesh(rig, i), spots + count);
                count += snRig_Mesh(rig, i)->vertex_count;
            }
        }
        m->sizes[k] = status ? 0 : sizeOf(spots, count);
        m->largest = fmax(m->largest, m->sizes[k]);
    }
    free(spots);
    return status;
}

int32_t chooseMoments(const Moments* m, int32_t most, double* times)
{
    bool taken[MOMENTS_LOOKS + 1] = {[0] = true};
    double apart = most > 1 ? APART * MOMENTS_LOOKS / (most - 1) : 0;
    int32_t count = 1;
    for (int best = 0; count < most && best >= 0; count += best >= 0) {
        best = -1;
        for (int k = 0; k <= MOMENTS_LOOKS; ++k) {
            bool free = true;
            for (int i = 0; i <= MOMENTS_LOOKS && free; ++i) {
                free = !taken[i] || abs(i - k) >= apart;
            }
            best = free && (best < 0 || m->sizes[k] > m->sizes[best]) ? k : best;
        }
        if (best >= 0) {
            taken[best] = true;
        }
    }
    count = 0;
    for (int k = 0; k <= MOMENTS_LOOKS; ++k) {
        if (taken[k]) {
            times[count++] = m->first + (m->last - m->first) * k / MOMENTS_LOOKS;
        }
    }
    return count;
}

// What is seen of differences of the mesh skinned last: what lies across the view, where the
// surface faces it
static double seenAlong(const Pair* p, const snRigMesh* m, const Spot* spots, snVec3 back)
{
    double seen = 0;
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        const float* n = p->old_normals + 3 * (size_t)v;
        double faces = back.x * (double)n[0] + back.y * (double)n[1] + back.z * (double)n[2];
        snVec3 d = differenceAt(p, v);
        seen += spots[v].area * fmax(faces, 0) * lengthOf(along(d, -dot(d, back), back));
    }
    return seen;
}

snStatus chooseSide(Pair* p, const double* times, int32_t count, double turn, double* side,
                    snMessage* why)
{
    const snRig* rig = p->of->after;
    double seen[SIDES] = {0};
    Spot* spots = calloc((size_t)snRig_Info(rig)->vertex_count + 1, sizeof *spots);
    snStatus status = spots ? sn_ok : noMemory(why);
    for (int32_t k = 0; k < count && !status; ++k) {
        status = posePair(p, times[k], why);
        for (int32_t i = 0; i < snRig_Info(rig)->mesh_count && !status; ++i) {
            const snRigMesh* m = snRig_Mesh(rig, i);
            status = showsMesh(p, i) ? skinPair(p, i, why) : sn_ok;
            if (!status && showsMesh(p, i)) {
                findSpots(p, m, spots);
                for (int s = 0; s < SIDES; ++s) {
                    double yaw = turn + 6.283185307179586 * s / SIDES;
                    seen[s] += seenAlong(p, m, spots, viewAxes(viewIso, yaw).back);
                }
            }
        }
    }
    int best = 0;
    for (int s = 1; s < SIDES; ++s) {
        best = seen[s] > (best == 0 ? USUAL : 1) * seen[best] ? s : best;
    }
    *side = turn + 6.283185307179586 * best / SIDES;
    free(spots);
    return status;
}
