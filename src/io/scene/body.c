// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/body.h"

#include "io/mesh/file.h"

#define MOST_REGIONS 1000

// Beyond this the library takes a coordinate for a mistake of units, m.
#define MOST_LENGTH 1e6

// What flesh is made of, which a body and a region say alike
static const snField MATERIAL_FIELDS[] = {
    {.key = "density",
     .kind = sn_fieldNumber,
     .offset = offsetof(snFleshMaterial, density),
     .lo = 1,
     .hi = 1e5,
     .unit = "kg/m^3"},
    {.key = "young",
     .kind = sn_fieldNumber,
     .offset = offsetof(snFleshMaterial, young),
     .lo = 1,
     .hi = 1e10,
     .unit = "Pa"},
    {.key = "poisson",
     .kind = sn_fieldNumber,
     .offset = offsetof(snFleshMaterial, poisson),
     .hi = 0.49},
    {.key = "damping",
     .kind = sn_fieldNumber,
     .offset = offsetof(snFleshMaterial, damping),
     .hi = 1000,
     .unit = "1/s"},
};

static const snField BODY_FIELDS[] = {
    {.key = "surface"},
    {.key = "cells",
     .kind = sn_fieldCount,
     .offset = offsetof(snCharacterDef, cells),
     .lo = 1,
     .hi = 1e7},
    {.key = "cell_size",
     .kind = sn_fieldPositive,
     .offset = offsetof(snCharacterDef, cell_size),
     .hi = 1000,
     .unit = "m"},
    {.key = "density"},
    {.key = "young"},
    {.key = "poisson"},
    {.key = "damping"},
    {.key = "strain_damping",
     .kind = sn_fieldNumber,
     .offset = offsetof(snCharacterDef, strain_damping),
     .hi = 1,
     .unit = "s"},
    {.key = "law",
     .kind = sn_fieldWord,
     .offset = offsetof(snCharacterDef, law),
     .name = snLaw_Name},
    {.key = "bone_mass",
     .kind = sn_fieldNumber,
     .offset = offsetof(snCharacterDef, bone_mass),
     .lo = 0.001,
     .hi = 1},
    {.key = "regions"},
};
static const snFields BODY_KEYS = SN_FIELDS("a body", BODY_FIELDS);

static const snField REGION_FIELDS[] = {
    {.key = "from",
     .kind = sn_fieldVector,
     .offset = offsetof(snRegionDef, a),
     .lo = -MOST_LENGTH,
     .hi = MOST_LENGTH,
     .unit = "m"},
    {.key = "to",
     .kind = sn_fieldVector,
     .offset = offsetof(snRegionDef, b),
     .lo = -MOST_LENGTH,
     .hi = MOST_LENGTH,
     .unit = "m"},
    {.key = "radius",
     .kind = sn_fieldPositive,
     .offset = offsetof(snRegionDef, radius),
     .hi = MOST_LENGTH,
     .unit = "m"},
    {.key = "density"},
    {.key = "young"},
    {.key = "poisson"},
    {.key = "damping"},
};
static const snFields REGION_KEYS = SN_FIELDS("a region", REGION_FIELDS);

static snStatus readMaterial(snSceneReader* r, const snJson* object, snFleshMaterial* material)
{
    snStatus status = sn_ok;
    for (size_t i = 0; i < sizeof MATERIAL_FIELDS / sizeof *MATERIAL_FIELDS && !status; ++i) {
        const snField* field = &MATERIAL_FIELDS[i];
        const snJson* member = snJson_Get(object, field->key);
        if (member) {
            void* out = (char*)material + field->offset;
            status = snField_Number(r, member, field, out);
        }
    }
    return status;
}

// What a region does not say is as in the body
static snStatus readRegion(snSceneReader* r, const snJson* node, const snFleshMaterial* material,
                           snRegionDef* region)
{
    const snJson* needed;
    *region = (snRegionDef){.material = *material};
    snStatus status = snFields_Read(r, node, &REGION_KEYS, region);
    status = status ? status : readMaterial(r, node, &region->material);
    status = status ? status : snFields_Require(r, node, &REGION_KEYS, "from", &needed);
    status = status ? status : snFields_Require(r, node, &REGION_KEYS, "radius", &needed);
    if (!status && !snJson_Get(node, "to")) {
        region->b = region->a;
    }
    return status;
}

static snStatus readRegions(snSceneReader* r, const snJson* node, snCharacterDef* def)
{
    snStatus status = snField_Array(r, node, 0, MOST_REGIONS);
    if (status) {
        return status;
    }
    snRegionDef* regions = snArena_Push(&r->arena, node->count, sizeof(snRegionDef));
    if (!regions) {
        return snFailMemory(r);
    }
    def->regions = regions;
    for (const snJson* m = node->child; m && !status; m = m->next) {
        status = readRegion(r, m, &def->material, &regions[def->region_count++]);
    }
    return status;
}

snStatus snReadBody(snSceneReader* r, const snJson* node, const char* name, snSkeleton* skeleton,
                    snCharacter** character)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = name;
    def.skeleton = skeleton;
    const snJson* surface;
    const char* path = NULL;
    snStatus status = snFields_Read(r, node, &BODY_KEYS, &def);
    status = status ? status : readMaterial(r, node, &def.material);
    status = status ? status : snFields_Require(r, node, &BODY_KEYS, "surface", &surface);
    if (status) {
        return status;
    }
    const snJson* size = snJson_Get(node, "cell_size");
    if (size && snJson_Get(node, "cells")) {
        return snFailAt(r, size, "\"cell_size\" and \"cells\" say the same; remove one of them");
    }
    const snJson* regions = snJson_Get(node, "regions");
    status = regions ? readRegions(r, regions, &def) : sn_ok;
    status = status ? status : snField_File(r, surface, "build the character", &path);
    if (status) {
        return status;
    }
    const snJson* lattice = size ? size : snJson_Get(node, "cells");
    int32_t tets = 0;
    status = snMeshFile_Load(&r->host, path, &def, lattice ? &tets : NULL, character, &r->why);
    if (tets > 0) {
        return snFailAt(r, lattice,
                        "\"%s\" is for surfaces; '%s' has %d tet%s of its own. Remove it",
                        lattice->key, surface->string, (int)tets, tets == 1 ? "" : "s");
    }
    // that the file is not there is a mistake of this one
    return snWrapAt(r, surface, status == sn_errorIo ? sn_errorFile : status);
}
