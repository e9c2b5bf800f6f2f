// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/sample.h"

#include "base/message.h"
#include "base/random.h"
#include <sinew/skeleton.h>

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

int32_t snSample_Strata(int32_t strata)
{
    return strata < 1 ? 1 : strata > SN_MOST_STRATA ? SN_MOST_STRATA : strata;
}

void snSample_Place(uint64_t seed, int32_t strata, const snVec3 corner[4], double (*bary)[4],
                    snVec3* point)
{
    snRandom random = snRandom_Seed(seed + 1);
    int32_t n = 0;
    for (int32_t i = 0; i < strata; ++i) {
        for (int32_t j = 0; j < strata; ++j) {
            for (int32_t k = 0; k < strata; ++k, ++n) {
                double x = (i + snRandom_Unit(&random)) / strata;
                double y = (j + snRandom_Unit(&random)) / strata;
                double z = (k + snRandom_Unit(&random)) / strata;
                double* b = bary[n];
                fold(x, y, z, b);
                snVec3 p = snMulAdd(snScale(b[0], corner[0]), b[1], corner[1]);
                point[n] = snMulAdd(snMulAdd(p, b[2], corner[2]), b[3], corner[3]);
            }
        }
    }
}

// Samples of the cells whose turn it is, one cell after the other.
typedef struct Samples {
    snVec3* point;     // (cells * per_cell)
    double (*bary)[4]; // (cells * per_cell)
    uint8_t* inside;   // (cells * per_cell)
    int32_t* cell;     // (cells)
    int32_t cells, most, per_cell;
} Samples;

// Points asked for together: many are faster.
#define BLOCK 16384

static void placeCell(const snSampleDef* def, int32_t cell, int32_t strata, Samples* s)
{
    const int32_t* n = def->mesh->tet + 4 * (ptrdiff_t)cell;
    const snVec3* at = def->mesh->position;
    const snVec3 corner[4] = {at[n[0]], at[n[1]], at[n[2]], at[n[3]]};
    ptrdiff_t first = (ptrdiff_t)s->cells * s->per_cell;
    uint64_t seed = (uint64_t)(def->seed ? def->seed[cell] : cell);
    snSample_Place(seed, strata, corner, s->bary + first, s->point + first);
    s->cell[s->cells++] = cell;
}

// What the samples of one cell say; returns its fill.
static double addCell(const snSampleDef* def, const Samples* s, int32_t at, snSampling* out)
{
    int32_t e = s->cell[at];
    double share = snTets_Volume(def->mesh, e) / s->per_cell, hits = 0;
    for (int32_t n = at * s->per_cell; n < (at + 1) * s->per_cell; ++n) {
        const snSampledBody* body = &def->body;
        if (s->inside[n] && (!body->owns || body->owns(body->user, e, s->point[n]))) {
            hits += 1;
            for (int k = 0; k < 4; ++k) {
                out->mass[def->mesh->tet[4 * (ptrdiff_t)e + k]] +=
                    def->density[e] * share * s->bary[n][k];
            }
        }
    }
    return hits / s->per_cell;
}

static snStatus askBlock(const snSampleDef* def, Samples* s, snSampling* out, double* variance,
                         snMessage* why)
{
    int64_t count = (int64_t)s->cells * s->per_cell;
    snStatus status = def->body.material(def->body.user, s->point, count, s->inside, why);
    for (int32_t i = 0; i < s->cells && !status; ++i) {
        double V = snTets_Volume(def->mesh, s->cell[i]), w = addCell(def, s, i, out);
        out->fill[s->cell[i]] = w;
        out->volume += w * V;
        *variance += V * V * w * (1 - w) / s->per_cell; // as if not stratified: an upper bound
    }
    s->cells = 0;
    return status;
}

static void fillWhole(const snSampleDef* def, int32_t e, snSampling* out)
{
    double V = snTets_Volume(def->mesh, e);
    out->fill[e] = 1;
    out->volume += V;
    for (int k = 0; k < 4; ++k) {
        out->mass[def->mesh->tet[4 * (ptrdiff_t)e + k]] += 0.25 * def->density[e] * V;
    }
}

static snStatus sampleCells(snArena* scratch, const snSampleDef* def, int32_t strata,
                            snSampling* out, snMessage* why)
{
    Samples s = {.per_cell = strata * strata * strata};
    s.most = BLOCK / s.per_cell;
    size_t count = (size_t)s.most * (size_t)s.per_cell;
    s.point = snArena_Push(scratch, count, sizeof(snVec3));
    s.bary = snArena_Push(scratch, count, sizeof *s.bary);
    s.inside = snArena_Push(scratch, count, 1);
    s.cell = snArena_Push(scratch, (size_t)s.most, sizeof(int32_t));
    if (scratch->failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu samples", count);
    }
    double variance = 0;
    snStatus status = sn_ok;
    for (int32_t e = 0; e < def->mesh->tet_count && !status; ++e) {
        int kind = def->kind ? def->kind[e] : sn_cellMixed;
        if (kind == sn_cellFull) {
            fillWhole(def, e, out);
        } else if (kind == sn_cellMixed) {
            placeCell(def, e, strata, &s);
            status = s.cells == s.most ? askBlock(def, &s, out, &variance, why) : sn_ok;
        }
    }
    status = status ? status : askBlock(def, &s, out, &variance, why);
    out->error = out->volume > 0 ? sqrt(variance) / out->volume : 0;
    return status;
}

snStatus snSample_Mesh(snArena* arena, const snSampleDef* def, snSampling* out, snMessage* why)
{
    const snTets* mesh = def->mesh;
    *out = (snSampling){.fill = snArena_Push(arena, (size_t)mesh->tet_count, sizeof(double)),
                        .mass = snArena_Push(arena, (size_t)mesh->node_count, sizeof(double))};
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory to sample %d cells", (int)mesh->tet_count);
    }
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snStatus status = sampleCells(&scratch, def, snSample_Strata(def->strata), out, why);
    snArena_Free(&scratch);
    return status;
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

// Nodes that hang on almost empty cells would weigh next to nothing: undamped, the little energy
// that every mode gets in time throws them through their cells. Counting such cells as this full
// costs about 0.1 % more mass than not doing so.
#define LEAST_FILL 0.08

snStatus snSample_FloorMasses(snArena* arena, const snTets* mesh, const double* density,
                              snSampling* sampling, snFloorChange* change, snMessage* why)
{
    double* mass = sampling->mass;
    double* least = snArena_Push(arena, (size_t)mesh->node_count, sizeof(double));
    if (!least) {
        return snFail(why, sn_errorMemory, "no memory for %d nodes", (int)mesh->node_count);
    }
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        double fill = sampling->fill[e];
        fill = fill > 0 && fill < LEAST_FILL ? LEAST_FILL : fill;
        double share = 0.5 * fill * density[e] * snTets_Volume(mesh, e) / 4;
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
