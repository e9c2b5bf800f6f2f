// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "character/character.h"

#include "base/log.h"
#include "base/message.h"
#include "geom/delaunay.h"
#include <string.h>

#define MOST_PAIRS 10000000 // of nodes whose distance is looked at

// Young's modulus over density, gravity and height: a column then sags by 1 / (2 x 12), 4 %, under
// its own weight.
#define USUAL_STIFFNESS 12.0

const char* snLaw_Name(int32_t law)
{
    static const char* const NAMES[sn_lawCount] = {"stvk", "neo_hookean", "corotated"};
    return law >= 0 && law < sn_lawCount ? NAMES[law] : NULL;
}

void snCharacterDef_Init(snCharacterDef* def)
{
    snFleshDef usual;
    snFleshDef_Init(&usual);
    *def = (snCharacterDef){.size = sizeof(snCharacterDef),
                            .name = "body",
                            .bone_mass = usual.bone_mass,
                            .cells = usual.cells,
                            .material = usual.material};
}

static snStatus allocate(const snHost* host, const char* name, snSkeleton* skeleton,
                         snCharacter** character, snMessage* why)
{
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status) {
        return status;
    }
    size_t length = name ? strlen(name) : 0;
    if (length < 1 || length > 255) {
        return snFail(why, sn_errorArgument, "a character's name has 1 to 255 bytes, found %zu",
                      length);
    }
    snCharacter* c = snHost_Allocate(&taken, sizeof *c);
    if (!c) {
        return snFail(why, sn_errorMemory, "no memory for a character");
    }
    c->host = taken;
    snOwners_Init(&c->owners);
    memcpy(c->name, name, length);
    snArena_Init(&c->arena, &taken);
    if (skeleton) {
        c->skeleton = snSkeleton_Retain(skeleton);
    } else {
        status = snSkeleton_Create(&taken, NULL, 0, &c->skeleton, why);
    }
    if (status) {
        snCharacter_Release(c);
        return status;
    }
    *character = c;
    return sn_ok;
}

snStatus snCharacter_Create(const snHost* host, const char* name, snSkeleton* skeleton,
                            snCharacter** character, snMessage* why)
{
    snMessage_Clear(why);
    if (!name || !skeleton || !character) {
        return snFail(why, sn_errorArgument, "name, skeleton and character must not be NULL");
    }
    *character = NULL;
    if (skeleton->bone_count < 1) {
        return snFail(why, sn_errorArgument, "a character without flesh needs bones");
    }
    return allocate(host, name, skeleton, character, why);
}

// Flesh -------------------------------------------------------------------------

static snVec3* takePoints(snArena* arena, const double* x, int32_t count)
{
    snVec3* points = snArena_Push(arena, (size_t)count, sizeof(snVec3));
    for (int32_t i = 0; points && i < count; ++i) {
        points[i] = snV3(x[3 * (size_t)i], x[3 * (size_t)i + 1], x[3 * (size_t)i + 2]);
    }
    return points;
}

static int32_t* takeIndices(snArena* arena, const int32_t* index, size_t count)
{
    int32_t* out = snArena_Push(arena, count, sizeof(int32_t));
    if (out && count > 0) {
        memcpy(out, index, count * sizeof(int32_t));
    }
    return out;
}

static snStatus describe(snCharacter* c, snMessage* why)
{
    const snFlesh* f = &c->flesh;
    double mass = 0, loose = 0; // loose: what is not merged into bones
    int32_t* nodes = snArena_Push(&c->arena, 4 * (size_t)f->vertex_count, sizeof(int32_t));
    float* weights = snArena_Push(&c->arena, 4 * (size_t)f->vertex_count, sizeof(float));
    if (c->arena.failed) {
        return snFail(why, sn_errorMemory, "no memory for %d vertices", (int)f->vertex_count);
    }
    for (int32_t i = 0; i < f->vertex_count; ++i) {
        memcpy(nodes + 4 * (size_t)i, f->ties[i].node, sizeof f->ties[i].node);
        memcpy(weights + 4 * (size_t)i, f->ties[i].weight, sizeof f->ties[i].weight);
    }
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        mass += f->mass[i];
        loose += f->binding.fixed[i] < 0 ? f->mass[i] : 0;
    }
    c->info = (snFleshInfo){
        .vertex_count = c->surface.vertex_count,
        .triangle_count = c->surface.triangle_count,
        .node_count = f->tets.node_count,
        .cell_count = f->tets.tet_count,
        .fixed_count = f->binding.fixed_count,
        .outside_count = f->embedding.outside,
        .vertices = &c->surface.position->x,
        .triangles = c->surface.triangle,
        .nodes = &f->tets.position->x,
        .cells = f->tets.tet,
        .fill = f->fill,
        .mass = f->mass,
        .fixed = f->binding.fixed,
        .vertex_nodes = nodes,
        .vertex_weights = weights,
        .cell_size = f->cell,
        .total_mass = f->skeleton->mass + loose,
        .flesh_mass = mass,
        .volume = f->volume,
        .volume_error = f->error,
        .floored_mass = f->floored.mass,
        .floored_inertia = f->floored.inertia,
        .stable_step = f->step.rest,
        .young = c->def.material.young,
    };
    return sn_ok;
}

static snMaterial lawOf(const snCharacterDef* def, snMaterial usual)
{
    bool always = def->diagonal == sn_diagonalAlways || def->diagonal == sn_diagonalAlwaysGeneral;
    usual.kind = (snMaterialKind)def->law;
    usual.diagonalize = def->diagonal == sn_diagonalNever ? sn_diagonalizeNone
                        : always                          ? sn_diagonalizeAlways
                                                          : sn_diagonalizeSelective;
    return usual;
}

// Cells that were given, or that given nodes make; none: a lattice will be made.
static snStatus takeCells(snCharacter* c, const snCharacterDef* def, snTets* given, snMessage* why)
{
    *given = (snTets){def->node_count, def->cell_count,
                      takePoints(&c->arena, def->nodes, def->node_count),
                      takeIndices(&c->arena, def->tets, 4 * (size_t)def->cell_count)};
    if (c->arena.failed) {
        return snFail(why, sn_errorMemory, "no memory for %d given cells", (int)def->cell_count);
    }
    return def->node_count > 0 && def->cell_count == 0
               ? snDelaunay_Build(&c->arena, given->position, def->node_count, given, why)
               : sn_ok;
}

static void* takeBlock(snArena* arena, const void* block, size_t count, size_t size)
{
    void* copy = snArena_Push(arena, count, size);
    if (copy && count > 0) {
        memcpy(copy, block, count * size);
    }
    return copy;
}

// The surface and the regions, which the character keeps
static snStatus takeDef(snCharacter* c, const snCharacterDef* def, snMessage* why)
{
    c->surface =
        (snSurface){def->vertex_count, def->triangle_count,
                    takePoints(&c->arena, def->vertices, def->vertex_count),
                    takeIndices(&c->arena, def->triangles, 3 * (size_t)def->triangle_count)};
    c->def = *def;
    c->def.name = c->name;
    c->def.skeleton = c->skeleton;
    c->def.vertices = c->def.nodes = NULL; // the caller's
    c->def.triangles = c->def.tets = NULL;
    c->def.regions =
        takeBlock(&c->arena, def->regions, (size_t)def->region_count, sizeof *def->regions);
    return c->arena.failed ? snFail(why, sn_errorMemory, "no memory for a surface of %d vertices",
                                    (int)def->vertex_count)
                           : sn_ok;
}

static snFleshDef fleshOf(const snCharacter* c)
{
    snFleshDef d;
    const snCharacterDef* def = &c->def;
    snFleshDef_Init(&d);
    d.surface = &c->surface;
    d.skeleton = c->skeleton;
    d.bone_mass = def->bone_mass;
    d.cells = def->cells;
    d.cell_size = def->cell_size;
    d.material = def->material;
    d.regions = def->regions;
    d.region_count = def->region_count;
    d.strain_damping = def->strain_damping;
    d.law = lawOf(def, d.law);
    d.general_svd =
        def->diagonal == sn_diagonalSelectiveGeneral || def->diagonal == sn_diagonalAlwaysGeneral;
    d.shift = def->lattice_shift;
    return d;
}

// Copies what there is of a mesh.
static snStatus takeMesh(snCharacter* c, const snFlesh* mesh, snMessage* why)
{
    snArena* arena = &c->arena;
    snFlesh* f = &c->flesh;
    const snTets* t = &mesh->tets;
    size_t nodes = (size_t)t->node_count, cells = (size_t)t->tet_count;
    size_t points = (size_t)mesh->point_count;
    *f = (snFlesh){.cell = mesh->cell,
                   .volume = mesh->volume,
                   .error = mesh->error,
                   .floored = mesh->floored,
                   .step = mesh->step,
                   .vertex_count = mesh->vertex_count,
                   .point_count = mesh->point_count};
    f->tets = (snTets){t->node_count, t->tet_count,
                       takeBlock(arena, t->position, nodes, sizeof *t->position),
                       takeIndices(arena, t->tet, 4 * cells)};
    f->fill = takeBlock(arena, mesh->fill, cells, sizeof *mesh->fill);
    f->mass = takeBlock(arena, mesh->mass, nodes, sizeof *mesh->mass);
    f->embedding = mesh->embedding;
    f->embedding.cell = takeIndices(arena, mesh->embedding.cell, points);
    f->embedding.weight = takeBlock(arena, mesh->embedding.weight, points, sizeof(double[4]));
    return arena->failed ? snFail(why, sn_errorMemory, "no memory for %zu cells", cells) : sn_ok;
}

// mesh: from before, or NULL
static snStatus buildFlesh(snCharacter* c, const snCharacterDef* def, const snFlesh* mesh,
                           snMessage* why)
{
    snTets given = {0};
    snStatus status = takeDef(c, def, why);
    snFleshDef d = fleshOf(c);
    if (mesh) {
        status = status ? status : takeMesh(c, mesh, why);
        status = status ? status : snFlesh_Complete(&c->arena, &d, &c->flesh, why);
    } else {
        status = status ? status : takeCells(c, def, &given, why);
        d.given = def->node_count > 0 ? &given : NULL;
        status = status ? status : snFlesh_Build(&c->arena, &d, &c->flesh, why);
    }
    c->has_flesh = !status;
    status = status ? status : snSkin_Build(&c->arena, &c->flesh, &c->surface, &c->skin, why);
    return status ? status : describe(c, why);
}

// The farthest that a node is from one that is fixed. Of large meshes some nodes tell enough.
static double farthestFree(const snFlesh* f, snArena* scratch)
{
    int32_t count = 0;
    snVec3* fixed = snArena_Push(scratch, (size_t)f->binding.fixed_count, sizeof(snVec3));
    for (int32_t i = 0; fixed && i < f->tets.node_count; ++i) {
        if (f->binding.fixed[i] >= 0 && count < f->binding.fixed_count) {
            fixed[count++] = f->tets.position[i];
        }
    }
    double reach = 0;
    int32_t stride = (int32_t)(1 + (int64_t)f->tets.node_count * count / MOST_PAIRS);
    for (int32_t i = 0; i < f->tets.node_count && count > 0; i += stride) {
        double nearest = HUGE_VAL;
        for (int32_t k = 0; k < count; ++k) {
            double d = snLengthSq(snSub(f->tets.position[i], fixed[k]));
            nearest = d < nearest ? d : nearest;
        }
        reach = nearest > reach ? nearest : reach;
    }
    return sqrt(reach);
}

// How far flesh is from what holds it up: without bones all its height above the ground.
static double reachOf(const snCharacter* c)
{
    if (c->flesh.binding.fixed_count == 0) {
        snBox box = snSurface_Bounds(&c->surface);
        return box.hi.y - box.lo.y;
    }
    snArena scratch;
    snArena_Init(&scratch, &c->host);
    double reach = farthestFree(&c->flesh, &scratch);
    snArena_Free(&scratch);
    return reach;
}

// What will disappoint, though it is no mistake.
static void warn(snCharacter* c, const snCharacterDef* def)
{
    c->info.young_advised = USUAL_STIFFNESS * def->material.density * SN_GRAVITY * reachOf(c);
    if (c->info.young < 0.25 * c->info.young_advised) {
        snLog(&c->host, sn_logWarning,
              "'%s' is too soft to carry its own weight on the ground: it has a Young's modulus of "
              "%.2g Pa; %.2g Pa would do",
              c->name, c->info.young, c->info.young_advised);
    }
    if (c->info.volume_error > 0.03) {
        snLog(&c->host, sn_logWarning,
              "the mass of '%s' is known to %.0f %% only; ask for more cells", c->name,
              100 * c->info.volume_error);
    }
}

static snStatus make(const snHost* host, const snCharacterDef* def, const snFlesh* mesh,
                     snCharacter** character, snMessage* why)
{
    snMessage_Clear(why);
    if (!def || !character) {
        return snFail(why, sn_errorArgument, "def and character must not be NULL");
    }
    *character = NULL;
    snCharacter* c = NULL;
    snStatus status = snCharacterDef_Check(def, why);
    status = status ? status : allocate(host, def->name, def->skeleton, &c, why);
    if (status || !c) {
        return status;
    }
    status = buildFlesh(c, def, mesh, why);
    if (status) {
        snCharacter_Release(c);
        return status;
    }
    *character = c;
    return sn_ok;
}

snStatus snCharacter_Build(const snHost* host, const snCharacterDef* def, snCharacter** character,
                           snMessage* why)
{
    snStatus status = make(host, def, NULL, character, why);
    if (!status && *character) {
        warn(*character, def);
    }
    return status;
}

snStatus snCharacter_Assemble(const snHost* host, const snCharacterDef* def, const snFlesh* mesh,
                              double advised, snCharacter** character, snMessage* why)
{
    snStatus status = make(host, def, mesh, character, why);
    if (!status && *character) {
        (*character)->info.young_advised = advised;
    }
    return status;
}

// Sharing and asking ----------------------------------------------------------

snCharacter* snCharacter_Retain(snCharacter* character)
{
    if (character) {
        snOwners_Add(&character->owners);
    }
    return character;
}

void snCharacter_Release(snCharacter* character)
{
    if (character && snOwners_Drop(&character->owners)) {
        snHost host = character->host;
        snSkeleton_Release(character->flesh.skeleton);
        snSkeleton_Release(character->skeleton);
        snArena_Free(&character->arena);
        snHost_Release(&host, character, sizeof *character);
    }
}

const char* snCharacter_Name(const snCharacter* character)
{
    return character ? character->name : NULL;
}

snSkeleton* snCharacter_Skeleton(const snCharacter* character)
{
    return character ? character->skeleton : NULL;
}

const snFleshInfo* snCharacter_Flesh(const snCharacter* character)
{
    return character && character->has_flesh ? &character->info : NULL;
}

const snSkeleton* snCharacter_Moving(const snCharacter* character)
{
    return character->has_flesh ? character->flesh.skeleton : character->skeleton;
}
