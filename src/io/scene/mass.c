// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/mass.h"

#include "io/scene/mesh.h"

// kg/m^3; water, and so most of a body
#define DENSITY 1000
#define MOST_DENSITY 1e9

// More entries than a file of the largest size can hold.
#define MOST_ENTRIES 100000000

static const snField INERTIA = {.key = "inertia",
                                .kind = sn_fieldNumber,
                                .lo = -SN_SCENE_FORCE,
                                .hi = SN_SCENE_FORCE,
                                .unit = "kg m^2"};
typedef struct Capsule {
    snVec3 from, to;
    double radius, density;
} Capsule;

static const snField CAPSULE_FIELDS[] = {
    {.key = "from",
     .kind = sn_fieldVector,
     .offset = offsetof(Capsule, from),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "to",
     .kind = sn_fieldVector,
     .offset = offsetof(Capsule, to),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "radius",
     .kind = sn_fieldPositive,
     .offset = offsetof(Capsule, radius),
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "density",
     .kind = sn_fieldPositive,
     .offset = offsetof(Capsule, density),
     .hi = MOST_DENSITY,
     .unit = "kg/m^3"},
};
static const snFields CAPSULE_KEYS = SN_FIELDS("a capsule", CAPSULE_FIELDS);

typedef struct Mesh {
    double density;
} Mesh;

static const snField MESH_FIELDS[] = {
    {.key = "vertices"},
    {.key = "triangles"},
    {.key = "density",
     .kind = sn_fieldPositive,
     .offset = offsetof(Mesh, density),
     .hi = MOST_DENSITY,
     .unit = "kg/m^3"},
};
static const snFields MESH_KEYS = SN_FIELDS("a mesh", MESH_FIELDS);

typedef struct PointMass {
    double mass;
    snVec3 at;
} PointMass;

static const snField POINT_FIELDS[] = {
    {.key = "mass",
     .kind = sn_fieldNumber,
     .offset = offsetof(PointMass, mass),
     .hi = SN_SCENE_FORCE,
     .unit = "kg"},
    {.key = "at",
     .kind = sn_fieldVector,
     .offset = offsetof(PointMass, at),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
};
static const snFields POINT_KEYS = SN_FIELDS("a point mass", POINT_FIELDS);

static void merge(snBoneDef* def, const snMass* piece)
{
    def->mass = snMass_Add(&def->mass, piece);
}

// [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]
static snStatus readInertia(snSceneReader* r, const snJson* node, snSym3* out)
{
    double v[6] = {0};
    bool full = node->kind == sn_jsonArray && node->count == 6;
    snStatus status = snField_Numbers(r, node, &INERTIA, full ? 6 : 3, v);
    if (!status) {
        *out = (snSym3){v[0], v[1], v[2], v[3], v[4], v[5]};
    }
    return status;
}

// "mass", which the bone's table has put into def already, with "com" and "inertia"
static snStatus readNumbers(snSceneReader* r, const snJson* bone, snBoneDef* def)
{
    const snJson* inertia = snJson_Get(bone, "inertia");
    const snJson* com = snJson_Get(bone, "com");
    const snJson* needs = inertia ? inertia : com;
    if (needs && !(def->mass.mass > 0)) {
        return snFailAt(r, needs, "\"%s\" goes with a \"mass\" above 0; add that or remove it",
                        needs->key);
    }
    return inertia ? readInertia(r, inertia, &def->mass.inertia) : sn_ok;
}

static snStatus readCapsule(snSceneReader* r, const snJson* bone, const snJson* node,
                            snBoneDef* def)
{
    Capsule c = {.density = DENSITY};
    const snJson* needed;
    snStatus status = snFields_Read(r, node, &CAPSULE_KEYS, &c);
    status = status ? status : snFields_Require(r, node, &CAPSULE_KEYS, "to", &needed);
    status = status ? status : snFields_Require(r, node, &CAPSULE_KEYS, "radius", &needed);
    if (status) {
        return status;
    }
    snMass piece = snMass_Capsule(c.from, c.to, c.radius, c.density);
    merge(def, &piece);
    def->tip = snJson_Get(bone, "tip") ? def->tip : c.to;
    def->radius = snJson_Get(bone, "radius") ? def->radius : c.radius;
    return sn_ok;
}

static snStatus readMesh(snSceneReader* r, const snJson* node, snBoneDef* def)
{
    Mesh m = {DENSITY};
    snSurface surface;
    snMass piece;
    snStatus status = snFields_Read(r, node, &MESH_KEYS, &m);
    status = status ? status : snReadTriangles(r, node, &MESH_KEYS, &surface);
    if (status) {
        return status;
    }
    status = snMass_Mesh(&surface.position->x, surface.vertex_count, surface.triangle,
                         surface.triangle_count, m.density, &piece, &r->why);
    if (!status) {
        merge(def, &piece);
    }
    return snWrapAt(r, node, status);
}

static snStatus readPoints(snSceneReader* r, const snJson* node, snBoneDef* def)
{
    snStatus status = snField_Array(r, node, 0, MOST_ENTRIES);
    for (const snJson* m = node->child; m && !status; m = m->next) {
        PointMass p = {0};
        const snJson* needed;
        status = snFields_Read(r, m, &POINT_KEYS, &p);
        status = status ? status : snFields_Require(r, m, &POINT_KEYS, "mass", &needed);
        status = status ? status : snFields_Require(r, m, &POINT_KEYS, "at", &needed);
        snMass piece = snMass_Point(p.mass, p.at);
        merge(def, &piece);
    }
    return status;
}

snStatus snReadMass(snSceneReader* r, const snJson* bone, snBoneDef* def)
{
    const snJson* shape = snJson_Get(bone, "capsule");
    const snJson* solid = snJson_Get(bone, "mesh");
    const snJson* points = snJson_Get(bone, "point_masses");
    snStatus status = readNumbers(r, bone, def);
    status = status || !shape ? status : readCapsule(r, bone, shape, def);
    status = status || !solid ? status : readMesh(r, solid, def);
    return status || !points ? status : readPoints(r, points, def);
}
