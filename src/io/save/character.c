// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <math.h>

#include "io/save/save.h"

#define MOST_BONES 100000
#define MOST_POINTS 100000000
#define MOST_WEIGHT 1e6

static void failUnless(snArchive* a, bool ok, const char* what)
{
    if (!ok) {
        snArchive_Fail(a, what);
    }
}

// Bones ----------------------------------------------------------------------------

// A copy of defs as they are in a file, without their names
static snBoneDef* copyBones(snArchive* a, const snBoneDef* defs, int32_t count)
{
    snBoneDef* copy = snArena_Push(a->arena, (size_t)count, sizeof *copy);
    for (int32_t i = 0; i < count && copy; ++i) {
        copy[i] = defs[i];
        copy[i].name = NULL;
    }
    return copy;
}

// Names follow the defs. snSkeleton_Create looks at what was read.
static void saveBones(snArchive* a, snSkeleton** skeleton)
{
    int32_t count = a->reads ? 0 : (*skeleton)->bone_count;
    snArchive_Int(a, &count, 0, MOST_BONES, "too many bones");
    const snBoneDef* block = a->reads ? NULL : copyBones(a, (*skeleton)->defs, count);
    block = snArchive_Block(a, block, (size_t)count, sizeof *block, "bones");
    snBoneDef* defs = block && !a->status ? copyBones(a, block, count) : NULL;
    for (int32_t i = 0; i < count && defs; ++i) {
        defs[i].name = a->reads ? NULL : (*skeleton)->defs[i].name;
        snArchive_Text(a, &defs[i].name);
    }
    if (a->reads && !a->status && defs) {
        a->status = snSkeleton_Create(&a->arena->host, defs, count, skeleton, a->why);
    }
}

// Numbers --------------------------------------------------------------------------

// Their ranges are looked at with the whole def.
static void saveNumbers(snArchive* a, snCharacterDef* def)
{
    double most = SN_ARCHIVE_LARGEST;
    double* numbers[] = {&def->bone_mass,       &def->strain_damping,   &def->material.density,
                         &def->material.young,  &def->material.poisson, &def->material.damping,
                         &def->lattice_shift.x, &def->lattice_shift.y,  &def->lattice_shift.z,
                         &def->cell_size};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        snArchive_Real(a, numbers[i], -most, most, "a number of the def is none");
    }
    snArchive_Int(a, &def->cells, 1, MOST_POINTS, "cells");
    snArchive_Int(a, &def->law, 0, sn_lawCount - 1, "no known law");
    snArchive_Int(a, &def->diagonal, 0, sn_diagonalCount - 1, "no known way to diagonalise");
    snArchive_Int(a, &def->region_count, 0, MOST_BONES, "too many regions");
    size_t regions = (size_t)def->region_count;
    def->regions = snArchive_Block(a, def->regions, regions, sizeof *def->regions, "regions");
    snArchive_CheckDoubles(a, def->regions, regions * (sizeof *def->regions / sizeof(double)),
                           "regions are not finite");
}

// Flesh ----------------------------------------------------------------------------

static void saveSurface(snArchive* a, snCharacterDef* def)
{
    snArchive_Int(a, &def->vertex_count, 0, MOST_POINTS, "too many vertices");
    snArchive_Int(a, &def->triangle_count, 0, MOST_POINTS, "too many triangles");
    size_t vertices = (size_t)def->vertex_count, triangles = (size_t)def->triangle_count;
    def->vertices = snArchive_Doubles(a, def->vertices, 3 * vertices, "vertices are not finite");
    def->triangles = snArchive_Indices(a, def->triangles, 3 * triangles, 0, def->vertex_count - 1,
                                       "a triangle's vertex is not there");
}

// Every node has mass, and a cell with material.
static void checkNodes(snArchive* a, const snFlesh* m)
{
    const snTets* t = &m->tets;
    uint8_t* filled = snArena_Push(a->arena, (size_t)t->node_count, 1);
    bool ok = filled != NULL;
    for (int32_t e = 0; ok && e < t->tet_count; ++e) {
        ok &= m->fill[e] >= 0 && m->fill[e] <= 1;
        for (int k = 0; k < 4; ++k) {
            filled[t->tet[4 * (size_t)e + (size_t)k]] |= m->fill[e] > 1e-12;
        }
    }
    for (int32_t i = 0; ok && i < t->node_count; ++i) {
        ok &= m->mass[i] > 0 && filled[i];
    }
    failUnless(a, ok, "nodes of the flesh are not sound");
}

static void checkPoints(snArchive* a, const snFlesh* m)
{
    bool ok = true;
    for (int64_t i = 0; i < 4 * (int64_t)m->point_count; ++i) {
        ok &= fabs(m->embedding.weight[i / 4][i % 4]) < MOST_WEIGHT;
    }
    for (int32_t i = 0; i < m->point_count; ++i) {
        const double* w = m->embedding.weight[i];
        ok &= fabs(w[0] + w[1] + w[2] + w[3] - 1) < 1e-6;
    }
    failUnless(a, ok, "a point of the surface is in no cell");
}

static void saveMesh(snArchive* a, snFlesh* m, int32_t vertices)
{
    double most = SN_ARCHIVE_LARGEST;
    snEmbedding* e = &m->embedding;
    snSave_Tets(a, &m->tets);
    size_t nodes = (size_t)m->tets.node_count, cells = (size_t)m->tets.tet_count;
    double* numbers[] = {&m->volume, &m->error, &m->floored.mass, &m->floored.inertia,
                         &e->farthest};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        snArchive_Real(a, numbers[i], -most, most, "a number of the flesh is none");
    }
    snArchive_Real(a, &m->cell, 1 / most, most, "cells have no size");
    snArchive_Real(a, &m->step.rest, 1 / most, most, "the step is none");
    snArchive_Real(a, &m->step.admitted, 0, most, "the step is none");
    snArchive_Real(a, &m->step.bound, 0, most, "the step is none");
    m->fill = snArchive_Doubles(a, m->fill, cells, "how full cells are is not finite");
    m->mass = snArchive_Doubles(a, m->mass, nodes, "masses are not finite");
    m->vertex_count = vertices;
    snArchive_Int(a, &m->point_count, vertices, MOST_POINTS, "points of the surface are missing");
    snArchive_Int(a, &e->outside, 0, vertices, "too many vertices are outside");
    size_t points = (size_t)m->point_count;
    e->cell = snArchive_Indices(a, e->cell, points, 0, m->tets.tet_count - 1, "a point's cell");
    e->weight = snArchive_Block(a, e->weight, points, sizeof *e->weight, "points of the surface");
    if (a->reads && !a->status) {
        checkNodes(a, m);
        checkPoints(a, m);
    }
}

// ----------------------------------------------------------------------------------

void snSave_Character(snArchive* a, snSavedCharacter* saved)
{
    snCharacterDef* def = &saved->def;
    if (a->reads) {
        snCharacterDef_Init(def);
    }
    snArchive_Text(a, &def->name);
    saveBones(a, &def->skeleton);
    if (snArchive_Has(a, saved->mesh.tets.tet_count > 0)) {
        saveNumbers(a, def);
        saveSurface(a, def);
        saveMesh(a, &saved->mesh, def->vertex_count);
        snArchive_Real(a, &saved->advised, 0, SN_ARCHIVE_LARGEST, "the advised stiffness is none");
    }
}
