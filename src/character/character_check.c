// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/message.h"
#include "character/character.h"

#define MOST_VERTICES 10000000
#define MOST_REGIONS 1000
#define MOST_LENGTH 1e6 // m; a body larger than that is a mistake of units

static snStatus checkMaterial(const snFleshMaterial* s, snMessage* why)
{
    if (!(s->density >= 1 && s->density <= 1e5) || !(s->young >= 1 && s->young <= 1e10) ||
        !(s->poisson >= 0 && s->poisson <= 0.49) || !(s->damping >= 0 && s->damping <= 1000)) {
        return snFail(why, sn_errorArgument,
                      "density must lie in 1..1e5 kg/m^3, Young's modulus in 1..1e10 Pa, Poisson's "
                      "ratio in 0..0.49 and damping in 0..1000 1/s, found %g, %g, %g and %g",
                      s->density, s->young, s->poisson, s->damping);
    }
    return sn_ok;
}

static snStatus checkPoints(const char* what, const double* x, int32_t count, snMessage* why)
{
    for (int64_t i = 0; i < 3 * (int64_t)count; ++i) {
        if (!(fabs(x[i]) <= MOST_LENGTH)) {
            return snFail(why, sn_errorArgument,
                          "%s %d lies at (%g, %g, %g): coordinates must be within %g m", what,
                          (int)(i / 3), x[i / 3 * 3], x[i / 3 * 3 + 1], x[i / 3 * 3 + 2],
                          MOST_LENGTH);
        }
    }
    return sn_ok;
}

static snStatus checkIndices(const char* what, const int32_t* index, int32_t count, int per,
                             int32_t limit, snMessage* why)
{
    for (int64_t i = 0; i < (int64_t)count * per; ++i) {
        if (index[i] < 0 || index[i] >= limit) {
            return snFail(why, sn_errorArgument, "%s %d names number %d, but there are %d", what,
                          (int)(i / per), (int)index[i], (int)limit);
        }
    }
    return sn_ok;
}

static snStatus checkNumbers(const snCharacterDef* d, snMessage* why)
{
    if (!(d->bone_mass >= 0.001 && d->bone_mass <= 1)) {
        return snFail(why, sn_errorArgument, "bone_mass must lie in 0.001..1, found %g",
                      d->bone_mass);
    }
    if (d->cells < 1 || d->cells > 10000000 || !(d->cell_size >= 0 && d->cell_size <= 1000)) {
        return snFail(why, sn_errorArgument,
                      "cells must lie in 1..10000000 and cell_size in 0..1000 m, found %d and %g",
                      (int)d->cells, d->cell_size);
    }
    if (!(d->strain_damping >= 0 && d->strain_damping <= 1)) {
        return snFail(why, sn_errorArgument, "strain_damping must lie in 0..1 s, found %g",
                      d->strain_damping);
    }
    if (!snLaw_Name(d->law) || d->diagonal < 0 || d->diagonal >= sn_diagonalCount) {
        return snFail(why, sn_errorArgument, "law %d or diagonal %d is none that there is",
                      (int)d->law, (int)d->diagonal);
    }
    snVec3 s = d->lattice_shift;
    if (!(fabs(s.x) <= 0.5 && fabs(s.y) <= 0.5 && fabs(s.z) <= 0.5)) {
        return snFail(why, sn_errorArgument, "lattice_shift must lie in -0.5..0.5 cells");
    }
    snStatus status = checkMaterial(&d->material, why);
    for (int32_t i = 0; i < d->region_count && !status; ++i) {
        const snRegionDef* r = &d->regions[i];
        double ends[6] = {r->a.x, r->a.y, r->a.z, r->b.x, r->b.y, r->b.z};
        status = checkMaterial(&r->material, why);
        status = status ? status : checkPoints("end", ends, 2, why);
        if (!status && !(r->radius > 0 && r->radius <= MOST_LENGTH)) {
            status =
                snFail(why, sn_errorArgument, "its radius must be above 0 m, found %g", r->radius);
        }
        if (status) {
            snMessage_Prefix(why, "region %d", (int)i);
        }
    }
    return status;
}

snStatus snCharacterDef_Check(const snCharacterDef* d, snMessage* why)
{
    if (d->size != sizeof(snCharacterDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snCharacterDef_Init");
    }
    if (d->vertex_count < 0 || d->vertex_count > MOST_VERTICES || d->triangle_count < 0 ||
        d->triangle_count > 2 * MOST_VERTICES || d->node_count < 0 ||
        d->node_count > MOST_VERTICES || d->cell_count < 0 || d->cell_count > MOST_VERTICES ||
        d->region_count < 0 || d->region_count > MOST_REGIONS) {
        return snFail(why, sn_errorArgument,
                      "a count is negative or too large: %d vertices, %d triangles, %d nodes, %d "
                      "cells, %d regions",
                      (int)d->vertex_count, (int)d->triangle_count, (int)d->node_count,
                      (int)d->cell_count, (int)d->region_count);
    }
    if (d->vertex_count < 4 || d->triangle_count < 4 || !d->vertices || !d->triangles) {
        return snFail(why, sn_errorArgument,
                      "flesh needs a surface of at least 4 vertices and 4 triangles, found %d and "
                      "%d; is this the whole mesh?",
                      (int)d->vertex_count, (int)d->triangle_count);
    }
    if ((d->region_count > 0 && !d->regions) || (d->node_count > 0 && !d->nodes) ||
        (d->cell_count > 0 && !d->tets)) {
        return snFail(why, sn_errorArgument, "regions, nodes or tets are counted but not given");
    }
    snStatus status = checkPoints("vertex", d->vertices, d->vertex_count, why);
    status =
        status ? status
               : checkIndices("triangle", d->triangles, d->triangle_count, 3, d->vertex_count, why);
    if (!status && d->node_count > 0) {
        status = checkPoints("node", d->nodes, d->node_count, why);
        status =
            status ? status : checkIndices("tet", d->tets, d->cell_count, 4, d->node_count, why);
    }
    return status ? status : checkNumbers(d, why);
}
