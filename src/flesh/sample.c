// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/sample.h"

#include "base/message.h"
#include "base/random.h"
#include <sinew/skeleton.h>

#define MOST_STRATA 16

// Barycentric coordinates of a place in the unit cube folded into a tet.
static void fold(double s, double t, double u, double bary[4])
{
    if (s + t > 1) {
        s = 1 - s;
        t = 1 - t;
    }
    if (t + u > 1) {
        double was = u;
        u = 1 - s - t;
        t = 1 - was;
    } else if (s + t + u > 1) {
        double was = u;
        u = s + t + u - 1;
        s = 1 - t - was;
    }
    bary[0] = 1 - s - t - u;
    bary[1] = s;
    bary[2] = t;
    bary[3] = u;
}

typedef struct Samples {
    snVec3* point;     // (count)
    double (*bary)[4]; // (count)
    uint8_t* inside;   // (count)
    int32_t count;
} Samples;

static void placeSamples(const snTets* mesh, int32_t cell, int32_t strata, const Samples* s)
{
    const int32_t* c = mesh->tet + 4 * (ptrdiff_t)cell;
    snRandom random = snRandom_Seed((uint64_t)cell + 1);
    int32_t n = 0;
    for (int32_t i = 0; i < strata; ++i) {
        for (int32_t j = 0; j < strata; ++j) {
            for (int32_t k = 0; k < strata; ++k, ++n) {
                double x = (i + snRandom_Unit(&random)) / strata;
                double y = (j + snRandom_Unit(&random)) / strata;
                double z = (k + snRandom_Unit(&random)) / strata;
                double* b = s->bary[n];
                fold(x, y, z, b);
                snVec3 p = snScale(b[0], mesh->position[c[0]]);
                p = snMulAdd(p, b[1], mesh->position[c[1]]);
                p = snMulAdd(p, b[2], mesh->position[c[2]]);
                s->point[n] = snMulAdd(p, b[3], mesh->position[c[3]]);
            }
        }
    }
}

// Is sample n of copy e in that copy's part of the body?
static bool holds(const snSplit* split, int32_t e, const Samples* s, int32_t n)
{
    if (!s->inside[n]) {
        return false;
    }
    int32_t given = split ? split->origin[e] : 0;
    bool copied = split && split->first_copy[given + 1] - split->first_copy[given] > 1;
    return !copied || snSplit_Copy(split, given, s->bary[n]) == e;
}

snStatus snSample_Mesh(snArena* arena, const snTets* mesh, const snSplit* split, const snBody* body,
                       const double* density, int32_t strata, snSampling* out, snMessage* why)
{
    strata = strata < 1 ? 1 : strata > MOST_STRATA ? MOST_STRATA : strata;
    Samples s = {.count = strata * strata * strata};
    s.point = snArena_Push(arena, (size_t)s.count, sizeof(snVec3));
    s.bary = snArena_Push(arena, (size_t)s.count, sizeof *s.bary);
    s.inside = snArena_Push(arena, (size_t)s.count, 1);
    *out = (snSampling){.fill = snArena_Push(arena, (size_t)mesh->tet_count, sizeof(double)),
                        .mass = snArena_Push(arena, (size_t)mesh->node_count, sizeof(double))};
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory to sample %d cells", (int)mesh->tet_count);
    }
    double variance = 0;
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        double V = snTets_Volume(mesh, e), share = V / s.count, hits = 0;
        placeSamples(mesh, e, strata, &s);
        snStatus status = body->material(body->user, s.point, s.count, s.inside, why);
        if (status) {
            return status;
        }
        for (int32_t n = 0; n < s.count; ++n) {
            if (holds(split, e, &s, n)) {
                hits += 1;
                for (int k = 0; k < 4; ++k) {
                    out->mass[mesh->tet[4 * (ptrdiff_t)e + k]] += density[e] * share * s.bary[n][k];
                }
            }
        }
        double w = hits / s.count;
        out->fill[e] = w;
        out->volume += w * V;
        variance += V * V * w * (1 - w) / s.count; // as if not stratified: an upper bound
    }
    out->error = out->volume > 0 ? sqrt(variance) / out->volume : 0;
    return sn_ok;
}

static snMass totalMass(const snTets* mesh, const double* mass)
{
    snMass total = snMass_Point(0, snV3(0, 0, 0));
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        snMass node = snMass_Point(mass[i], mesh->position[i]);
        total = snMass_Add(&total, &node);
    }
    return total;
}

static double inertiaChange(const snMass* before, const snMass* after)
{
    double x = fabs(after->inertia.xx / before->inertia.xx - 1);
    double y = fabs(after->inertia.yy / before->inertia.yy - 1);
    double z = fabs(after->inertia.zz / before->inertia.zz - 1);
    double most = x > y ? x : y;
    return most > z ? most : z;
}

snStatus snSample_FloorMasses(snArena* arena, const snTets* mesh, const double* density,
                              snSampling* sampling, snFloorChange* change, snMessage* why)
{
    double* mass = sampling->mass;
    double* least = snArena_Push(arena, (size_t)mesh->node_count, sizeof(double));
    if (!least) {
        return snFail(why, sn_errorMemory, "no memory for %d nodes", (int)mesh->node_count);
    }
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        double share = 0.5 * sampling->fill[e] * density[e] * snTets_Volume(mesh, e) / 4;
        for (int k = 0; k < 4; ++k) {
            least[mesh->tet[4 * (ptrdiff_t)e + k]] += share;
        }
    }
    snMass before = totalMass(mesh, mass);
    double raised = 0;
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        mass[i] = mass[i] > least[i] ? mass[i] : least[i];
        raised += mass[i];
    }
    double scale = raised > 0 ? before.mass / raised : 1;
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        mass[i] *= scale;
    }
    snMass after = totalMass(mesh, mass);
    change->mass = before.mass > 0 ? raised / before.mass - 1 : 0;
    change->inertia = before.mass > 0 ? inertiaChange(&before, &after) : 0;
    return sn_ok;
}
