// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <math.h>

#include "io/save/save.h"

#define MOST 100000000 // of anything

// A shorter step would not be one, s
#define LEAST_STEP 1e-7

static void failUnless(snArchive* a, bool ok, const char* what)
{
    if (!ok) {
        snArchive_Fail(a, what);
    }
}

// Surface --------------------------------------------------------------------------

// Where the vertices and triangles of each instance begin among those of all: not saved
static void countInstances(snArchive* a, const snRig* rig, snRigWeld* w)
{
    size_t count = (size_t)rig->info.mesh_count;
    int32_t* first = snArena_Push(a->arena, count + 1, sizeof *first);
    int32_t* first_triangle = snArena_Push(a->arena, count + 1, sizeof *first_triangle);
    if (!first || !first_triangle) {
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        first[i + 1] = first[i] + rig->instances[i].info.vertex_count;
        first_triangle[i + 1] = first_triangle[i] + rig->instances[i].info.triangle_count;
    }
    *w = (snRigWeld){.instance_count = rig->info.mesh_count,
                     .first = first,
                     .first_triangle = first_triangle,
                     .surface = {.triangle_count = rig->info.triangle_count}};
}

// Without shells, which only the making needs
static void saveWeld(snArchive* a, const snRig* rig, snRigWeld* w)
{
    snSurface* s = &w->surface;
    if (a->reads && !a->status) {
        countInstances(a, rig, w);
    }
    int32_t all = rig->info.vertex_count;
    snArchive_Int(a, &s->vertex_count, 0, all, "too many places of the surface");
    size_t places = (size_t)s->vertex_count, corners = 3 * (size_t)s->triangle_count;
    w->map = snArchive_Indices(a, w->map, (size_t)all, 0, s->vertex_count - 1, "a vertex' place");
    w->origin = snArchive_Indices(a, w->origin, places, 0, all - 1, "a place's vertex");
    s->position = snArchive_Block(a, s->position, places, sizeof *s->position, "places");
    snArchive_CheckDoubles(a, s->position, 3 * places, "places are not finite");
    s->triangle = snArchive_Indices(a, s->triangle, corners, 0, s->vertex_count - 1,
                                    "a triangle's place is not there");
}

static void checkTies(snArchive* a, const snRigBody* b)
{
    int32_t nodes = b->tets.node_count;
    bool ok = true;
    for (int32_t v = 0; v < b->weld.surface.vertex_count; ++v) {
        const snTie* tie = &b->ties[v];
        for (int k = 0; k < 4 && tie->node[0] != -1; ++k) {
            ok &= tie->node[k] >= 0 && tie->node[k] < nodes && fabsf(tie->weight[k]) < 1e6f;
        }
    }
    failUnless(a, ok, "a vertex hangs on nodes that are not there");
}

static void checkRiders(snArchive* a, const snRigBody* b, int32_t rides, int32_t riding)
{
    bool ok = true;
    for (int32_t r = 0; r < b->rider_count; ++r) {
        const snRider* rider = &b->riders[r];
        ok &= rider->ride_begin >= 0 && rider->ride_count >= 1 && rider->ride_begin <= rides &&
              rider->ride_count <= rides - rider->ride_begin;
        ok &= rider->vertex_begin >= 0 && rider->vertex_count >= 0 &&
              rider->vertex_begin <= riding && rider->vertex_count <= riding - rider->vertex_begin;
    }
    for (int32_t i = 0; i < 3 * rides; ++i) {
        int32_t v = b->rides[i / 3].vertex[i % 3];
        ok &= v >= 0 && v < b->weld.surface.vertex_count &&
              fabsf(b->rides[i / 3].weight[i % 3]) < 1e6f;
    }
    failUnless(a, ok, "what rides on the flesh rides on nothing");
}

static void saveSurface(snArchive* a, snRigBody* b)
{
    int32_t rides = 0, riding = 0, places = b->weld.surface.vertex_count;
    for (int32_t r = 0; r < b->rider_count && !a->reads; ++r) {
        rides += b->riders[r].ride_count;
        riding += b->riders[r].vertex_count;
    }
    b->ties = snArchive_Block(a, b->ties, (size_t)places, sizeof *b->ties, "ties");
    snArchive_Int(a, &b->rider_count, 0, places, "too many riders");
    snArchive_Int(a, &rides, 0, MOST, "too many rides");
    snArchive_Int(a, &riding, 0, places, "too many vertices that ride");
    b->riders =
        snArchive_Block(a, b->riders, (size_t)b->rider_count, sizeof *b->riders, "the riders");
    b->rides = snArchive_Block(a, b->rides, (size_t)rides, sizeof *b->rides, "the rides");
    b->riding = snArchive_Indices(a, b->riding, (size_t)riding, 0, places - 1, "what rides");
    if (a->reads && !a->status) {
        checkTies(a, b);
        checkRiders(a, b, rides, riding);
    }
}

// Flesh ----------------------------------------------------------------------------

static void checkNodes(snArchive* a, const snRigBody* b)
{
    bool ok = true;
    for (int32_t i = 0; i < b->tets.node_count; ++i) {
        const snNodeWeights* w = &b->weights[i];
        ok &= w->joint[0] >= 0 && w->weight[0] > 0 && b->mass[i] > 0;
        ok &= b->tether[i] >= 0 && b->tether[i] <= 1;
        ok &= b->held[i] <= 1 && (b->regions.of_node[i] < 0) == (b->held[i] != 0);
        for (int k = 0; k < SN_WEIGHTS_MOST; ++k) {
            ok &= w->joint[k] >= -1 && w->joint[k] < b->joint_count && w->weight[k] >= 0 &&
                  w->weight[k] <= 2;
        }
    }
    for (int32_t j = 1; j < b->joint_count; ++j) {
        ok &= b->joint[j] > b->joint[j - 1];
    }
    failUnless(a, ok, "nodes of the flesh are not sound");
}

static void saveNodes(snArchive* a, snRigBody* b)
{
    size_t nodes = (size_t)b->tets.node_count, joints = (size_t)b->joint_count;
    b->joint = snArchive_Indices(a, b->joint, joints, 0, b->rig->info.node_count - 1, "a joint");
    b->inverse = snArchive_Block(a, b->inverse, joints, sizeof *b->inverse, "joints' matrices");
    snArchive_CheckDoubles(a, b->inverse, 12 * joints, "joints' matrices are not finite");
    b->mass = snArchive_Doubles(a, b->mass, nodes, "masses are not finite");
    b->weights = snArchive_Block(a, b->weights, nodes, sizeof *b->weights, "nodes' joints");
    b->held = snArchive_Block(a, b->held, nodes, 1, "what is held");
    b->soft = snArchive_Floats(a, b->soft, nodes, "what is soft");
    b->tether = snArchive_Floats(a, b->tether, nodes, "what trails");
    b->sag = snArchive_Floats(a, b->sag, nodes, "how far flesh sags");
    b->thickness = snArchive_Doubles(a, b->thickness, nodes, "thickness");
    const float** painted[] = {&b->damping, &b->limit, &b->inertia, &b->gravity, &b->shape};
    for (size_t i = 0; i < sizeof painted / sizeof *painted; ++i) {
        *painted[i] = snArchive_Has(a, *painted[i] != NULL)
                          ? snArchive_Floats(a, *painted[i], nodes, "painted controls")
                          : NULL;
    }
}

static void saveRegions(snArchive* a, snRigBody* b)
{
    snRegions* r = &b->regions;
    size_t nodes = (size_t)b->tets.node_count, tets = (size_t)b->tets.tet_count;
    snArchive_Int(a, &r->count, 1, b->tets.node_count, "no region is soft");
    size_t count = (size_t)r->count;
    int32_t most = r->count - 1, last = b->tets.node_count - 1;
    r->of_node = snArchive_Indices(a, r->of_node, nodes, -1, most, "a node's region");
    r->of_cell = snArchive_Indices(a, r->of_cell, tets, -1, most, "a cell's region");
    r->is_held = snArchive_Block(a, r->is_held, count, 1, "regions that are held");
    r->slowest = snArchive_Doubles(a, r->slowest, count, "a region's stiffness");
    r->sway = snArchive_Doubles(a, r->sway, count, "how fast a region sways");
    r->swaying = snArchive_Block(a, r->swaying, nodes, sizeof *r->swaying, "how flesh sways");
    snArchive_CheckDoubles(a, r->swaying, 3 * nodes, "how flesh sways is not finite");
    r->share = snArchive_Doubles(a, r->share, count, "a region's share");
    r->loosest = snArchive_Indices(a, r->loosest, count, -1, last, "a region's loosest node");
    r->node_count = snArchive_Indices(a, r->node_count, count, 0, MOST, "a region's nodes");
    r->cell_count = snArchive_Indices(a, r->cell_count, count, 0, MOST, "a region's cells");
    r->mass = snArchive_Doubles(a, r->mass, count, "a region's mass");
    b->young = snArchive_Doubles(a, b->young, count, "a region's stiffness");
    b->hz = snArchive_Doubles(a, b->hz, count, "a region's frequency");
}

// Cells ----------------------------------------------------------------------------

// What kernels read is not saved: it is built again, to the same bits.
static void buildCells(snArchive* a, snRigBody* b, const double* mu, const double* lambda)
{
    snCellsDef def; // bodies have the usual law
    snCellsDef_Init(&def);
    def.node_count = b->tets.node_count;
    def.cell_count = b->tets.tet_count;
    def.rest = &b->tets.position->x;
    def.tets = b->tets.tet;
    def.mu = mu;
    def.lambda = lambda;
    def.weight = b->fill;
    snStatus status = snCells_Build(a->arena, &def, &b->cells, a->why);
    // an argument of what was read is a fault of the file
    a->status = status == sn_errorArgument ? sn_errorFile : status;
}

// Lamé's constants of each cell
static void saveCells(snArchive* a, snRigBody* b)
{
    size_t cells = (size_t)b->tets.tet_count;
    double *mu = NULL, *lambda = NULL;
    if (!a->reads) {
        mu = snArena_Push(a->arena, cells, sizeof *mu);
        lambda = snArena_Push(a->arena, cells, sizeof *lambda);
        if (!mu || !lambda) {
            a->status = snFail(a->why, sn_errorMemory, "out of memory");
            return;
        }
        snCells_Constants(b->cells, mu, lambda);
    }
    mu = snArchive_Doubles(a, mu, cells, "cells' constants are not finite");
    lambda = snArchive_Doubles(a, lambda, cells, "cells' constants are not finite");
    if (a->reads && !a->status) {
        buildCells(a, b, mu, lambda);
    }
}

void snSave_Tets(snArchive* a, snTets* t)
{
    snArchive_Int(a, &t->node_count, 1, MOST, "too many nodes of the flesh");
    snArchive_Int(a, &t->tet_count, 1, MOST, "too many cells");
    size_t nodes = (size_t)t->node_count, tets = (size_t)t->tet_count;
    t->position = snArchive_Block(a, t->position, nodes, sizeof *t->position, "nodes");
    snArchive_CheckDoubles(a, t->position, 3 * nodes, "nodes are not finite");
    t->tet = snArchive_Indices(a, t->tet, 4 * tets, 0, t->node_count - 1, "a cell's node");
}

static void saveFlesh(snArchive* a, snRigBody* b)
{
    snTets* t = &b->tets;
    snSave_Tets(a, t);
    snArchive_Int(a, &b->joint_count, 1, b->rig->info.node_count, "too many joints");
    size_t tets = (size_t)t->tet_count;
    b->fill = snArchive_Doubles(a, b->fill, tets, "cells' fill");
    b->stiff = snArchive_Doubles(a, b->stiff, tets, "cells' stiffness");
    saveNodes(a, b);
    saveRegions(a, b);
    if (a->reads && !a->status) {
        checkNodes(a, b);
    }
    saveCells(a, b);
}

// The body -------------------------------------------------------------------------

static void saveDef(snArchive* a, snBodyDef* def)
{
    if (a->reads) {
        snBodyDef_Init(def);
    }
    snArchive_Int(a, &def->quality, 0, sn_qualityCount - 1, "no known quality");
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        snArchive_Real(a, snBodyDef_Number(def, c), -10, 1000, c->name);
    }
    failUnless(a, a->status || (def->softness > 0 && def->damping >= 0 && def->limit > 0),
               "controls are out of range");
}

void snSave_Body(snArchive* a, snRigBody* b)
{
    double most = SN_ARCHIVE_LARGEST;
    snShellCounts* shells = &b->shells;
    saveDef(a, &b->def);
    snArchive_Real(a, &b->unit, 1 / most, most, "the unit is none");
    snArchive_Real(a, &b->size, 1 / most, most, "the size is none");
    snArchive_Real(a, &b->cell, 1 / most, most, "cells have no size");
    snArchive_Int(a, &shells->flesh, 0, MOST, "shells");
    snArchive_Int(a, &shells->riding, 0, MOST, "shells");
    snArchive_Int(a, &shells->draped, 0, MOST, "shells");
    snArchive_Int(a, &shells->fixed, 0, MOST, "shells");
    snArchive_Real(a, &b->step.rest, LEAST_STEP, most, "the step is too short");
    snArchive_Real(a, &b->step.admitted, 0, most, "the step is none");
    snArchive_Real(a, &b->step.bound, 0, most, "the step is none");
    saveWeld(a, b->rig, &b->weld);
    saveFlesh(a, b);
    saveSurface(a, b);
}
