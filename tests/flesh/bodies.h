// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Bodies made of implicit recipes, and flesh in them.
#ifndef SN_TESTS_FLESH_BODIES_H
#define SN_TESTS_FLESH_BODIES_H

#include "check.h"
#include "flesh/flesh.h"
#include "geom/field.h"
#include "geom/iso.h"
#include "math/trig.h"
#include <scenes/scenes.h>

// A starfish 1 m across around the built-in skeleton: a flat hub and five arms that taper.
static inline double starField(void* user, snVec3 p)
{
    (void)user;
    double d = snField_Ellipsoid(p, snV3(0, 0, 0), snV3(0.15, 0.075, 0.15));
    for (int arm = 0; arm < 5; ++arm) {
        double angle = (90 + 72 * arm) * SN_PI / 180, x = snCos(angle), z = -snSin(angle);
        double cone =
            snField_Cone(p, snV3(0.07 * x, 0, 0.07 * z), 0.075, snV3(0.46 * x, 0, 0.46 * z), 0.028);
        d = snField_Union(d, cone, 0.06);
    }
    return d;
}

static inline double wormField(void* user, snVec3 p)
{
    (void)user;
    return snField_Capsule(p, snV3(0, 0, -0.43), snV3(0, 0, 0.43), 0.07);
}

// Two fingers on a palm, closer to each other than a cell.
static inline double fingerField(void* user, snVec3 p)
{
    (void)user;
    double a = snField_Capsule(p, snV3(-0.075, 0, 0), snV3(-0.075, 0, 0.6), 0.05);
    double b = snField_Capsule(p, snV3(0.075, 0, 0), snV3(0.075, 0, 0.6), 0.05);
    double palm = snField_Ball(p, snV3(0, 0, -0.1), 0.15);
    double least = a < b ? a : b;
    return least < palm ? least : palm;
}

typedef snStatus MakeFcn(const snHost* host, snSkeleton** skeleton, snMessage* why);

static inline snStatus makeNoBones(const snHost* host, snSkeleton** skeleton, snMessage* why)
{
    return snSkeleton_Create(host, NULL, 0, skeleton, why);
}

typedef struct Case {
    snArena arena;
    snSurface surface;
    snSkeleton* skeleton;
    snFleshDef def;
    snFlesh flesh;
} Case;

// A surface, a skeleton, and the usual def with both; what is to differ is changed before build().
static inline void setUp(Case* c, snFieldFcn* field, int32_t vertices, MakeFcn* make, int32_t cells)
{
    snMessage why;
    snBox box = {snV3(-0.7, -0.7, -0.7), snV3(0.7, 0.7, 0.75)};
    snIsoSize size = {0, vertices};
    *c = (Case){.skeleton = NULL};
    snArena_Init(&c->arena, NULL);
    assert_ok(snIso_Mesh(&c->arena, field, NULL, box, size, &c->surface, &why), why);
    assert_ok(make(NULL, &c->skeleton, &why), why);
    snFleshDef_Init(&c->def);
    c->def.surface = &c->surface;
    c->def.skeleton = c->skeleton;
    c->def.cells = cells;
}

static inline void build(Case* c)
{
    snMessage why;
    assert_ok(snFlesh_Build(&c->arena, &c->def, &c->flesh, &why), why);
}

static inline void drop(Case* c)
{
    snSkeleton_Release(c->flesh.skeleton);
    snSkeleton_Release(c->skeleton);
    snArena_Free(&c->arena);
}

static inline double massOf(const snFlesh* f)
{
    double sum = 0;
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        assert_true(f->mass[i] > 0);
        sum += f->mass[i];
    }
    return sum;
}

static inline double volumeOf(const snSurface* surface)
{
    snSurfaceFacts facts;
    snMessage why;
    assert_ok(snSurface_Inspect(surface, NULL, &facts, &why), why);
    return facts.volume;
}

#endif
