// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/flesh.h"

#include "base/hash.h"
#include "base/message.h"
#include "flesh/mesh.h"
#include "flesh/tables.h"

#define MOST_CELLS 10000000

void snFleshDef_Init(snFleshDef* def)
{
    *def =
        (snFleshDef){.bone_mass = 0.1,
                     .cells = 3000,
                     .material = {.density = 1000, .young = 30e3, .poisson = 0.40, .damping = 12},
                     .strata = 4,
                     .bind = {0.6, 1},
                     .floor_masses = true,
                     .fill_stiffness = true};
    snCellsDef cells;
    snCellsDef_Init(&cells);
    def->law = cells.material;
}

// Elasticity ----------------------------------------------------------------------

// Poisson's ratio from which volume strain is averaged at nodes; linear tets lock above.
#define MOST_PLAIN 0.42

// Across, a layer on an elastic body gives way as Mindlin's contact does: 2 (1 - nu) / (2 - nu).
static snCellMaterial materialOf(const snFleshMaterial* s, const snLame* lame)
{
    return (snCellMaterial){.modulus = (float)(lame->lambda + 2 * lame->mu),
                            .shear = (float)(2 * (1 - s->poisson) / (2 - s->poisson)),
                            .density = (float)s->density};
}

static snStatus buildCells(snArena* arena, snArena* scratch, const snFleshDef* def, snFlesh* out,
                           snMessage* why)
{
    size_t cells = (size_t)out->tets.tet_count, nodes = (size_t)out->tets.node_count;
    double* mu = snArena_Push(scratch, cells, sizeof(double));
    double* lambda = snArena_Push(scratch, cells, sizeof(double));
    double* inverse = snArena_Push(scratch, nodes, sizeof(double));
    snCellMaterial* materials = snArena_Push(arena, cells, sizeof(snCellMaterial));
    if (scratch->failed || arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
    }
    snCellsDef made;
    snCellsDef_Init(&made);
    for (size_t e = 0; e < cells; ++e) {
        const snFleshMaterial* s = snFleshDef_MaterialOf(def, &out->tets, (int32_t)e);
        snLame lame = snLame_FromYoung(s->young, s->poisson);
        mu[e] = lame.mu;
        lambda[e] = lame.lambda;
        materials[e] = materialOf(s, &lame);
        made.node_averaged = made.node_averaged || s->poisson > MOST_PLAIN;
    }
    for (size_t i = 0; i < nodes; ++i) {
        inverse[i] = 1 / out->mass[i];
    }
    out->materials = materials;
    made.node_count = out->tets.node_count;
    made.cell_count = out->tets.tet_count;
    made.rest = &out->tets.position->x;
    made.tets = out->tets.tet;
    made.mu = mu;
    made.lambda = lambda;
    made.weight = def->fill_stiffness ? out->fill : NULL;
    made.material = def->law;
    made.general_svd = def->general_svd;
    made.damping = def->strain_damping;
    snStatus status = snCells_Build(arena, &made, &out->cells, why);
    return status || out->step.rest > 0
               ? status
               : snCells_StableStep(out->cells, &scratch->host, inverse, 60, &out->step, why);
}

static snStatus checkDef(const snFleshDef* def, snMessage* why)
{
    if (!def->surface || !def->skeleton || def->surface->triangle_count < 1) {
        return snFail(why, sn_errorArgument, "flesh needs a surface with triangles and a skeleton");
    }
    if (def->cells < 1 || def->cells > MOST_CELLS) {
        return snFail(why, sn_errorArgument, "the number of cells must lie in 1..%d, found %d",
                      MOST_CELLS, (int)def->cells);
    }
    if (!(def->material.young > 0 && def->material.young < 1e12) ||
        !(def->material.poisson >= 0 && def->material.poisson <= 0.49) ||
        !(def->material.density > 0 && def->material.density < 1e6)) {
        return snFail(
            why, sn_errorArgument,
            "Young's modulus must be above 0 Pa, Poisson's ratio in 0..0.49 and density above "
            "0 kg/m^3, found %g, %g and %g",
            def->material.young, def->material.poisson, def->material.density);
    }
    return sn_ok;
}

snStatus snFlesh_Complete(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snStatus status =
        snBind_Nodes(arena, &out->tets, def->skeleton, &def->bind, &out->binding, why);
    status = status ? status : buildCells(arena, &scratch, def, out, why);
    status = status ? status : snTables_Fill(arena, def, out, why);
    snArena_Free(&scratch);
    return status;
}

snStatus snFlesh_Build(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why)
{
    *out = (snFlesh){0};
    snStatus status = checkDef(def, why);
    status = status ? status : snMesh_Build(arena, def, out, why);
    return status ? status : snFlesh_Complete(arena, def, out, why);
}

uint64_t snFlesh_Hash(const snFlesh* f, uint64_t hash)
{
    size_t nodes = (size_t)f->tets.node_count, points = (size_t)f->point_count;
    hash = snHash(f->tets.position, nodes * sizeof(snVec3), hash);
    hash = snHash(f->node_mass, nodes * sizeof(float), hash);
    hash = snHash(f->damping, nodes * sizeof(float), hash);
    hash = snHash(f->binding.fixed, nodes * sizeof(int32_t), hash);
    hash = snHash(f->dampers, nodes * sizeof(snDamper), hash);
    hash = snHash(f->point_area, points * sizeof(float), hash);
    hash = snHash(f->materials, (size_t)f->tets.tet_count * sizeof(snCellMaterial), hash);
    hash = snHash(&f->step.rest, sizeof f->step.rest, hash);
    hash = snHash(f->ties, points * sizeof(snTie), hash);
    return snCells_Hash(f->cells, hash);
}
