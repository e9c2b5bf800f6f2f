// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A soft body to be probed, and maps that deform it.
#ifndef SN_TESTS_CONTACT_SOFT_H
#define SN_TESTS_CONTACT_SOFT_H

#include "contact/tissue.h"

#include "base/random.h"
#include "flesh/bodies.h"
#include "math/quat.h"

// Boxes are enlarged by this share of a cell.
#define MARGIN 0.1

#define RADIUS 0.4

static inline double ballField(void* user, snVec3 p)
{
    (void)user;
    return snField_Ball(p, snV3(0, 0, 0), RADIUS);
}

typedef struct Body {
    Case c;
    const snFlesh* flesh;
    snTissue tissue;
    snTissueTree tree;
    snVec4f* x;
} Body;

static inline void finish(Body* b)
{
    snMessage why;
    b->flesh = &b->c.flesh;
    const snFleshView view = snFleshView_Of(b->flesh);
    assert_ok(snTissue_Build(&b->c.arena, &view, &b->c.surface, &b->tissue, &why), why);
    snTissueTree_Push(&b->tree, &b->tissue, &b->c.arena);
    b->x = snArena_Push(&b->c.arena, (size_t)b->flesh->tets.node_count, sizeof(snVec4f));
    assert_false(b->c.arena.failed);
}

static inline void openBody(Body* b, snFieldFcn* field, int32_t vertices, int32_t cells)
{
    setUp(&b->c, field, vertices, makeNoBones, cells);
    build(&b->c);
    finish(b);
}

typedef snVec3 MapFcn(void* user, snVec3 p);

static inline void deform(Body* b, MapFcn* map, void* user)
{
    for (int32_t i = 0; i < b->flesh->tets.node_count; ++i) {
        snVec3 p = map(user, b->flesh->tets.position[i]);
        b->x[i] = (snVec4f){(float)p.x, (float)p.y, (float)p.z, 0};
    }
    snTissueTree_Refit(&b->tree, &b->tissue, b->x, (float)(MARGIN * b->flesh->cell));
}

typedef struct Affine {
    snMat3 A;
    snVec3 t;
} Affine;

static inline snVec3 affine(void* user, snVec3 p)
{
    const Affine* map = user;
    return snAdd(map->t, snMatVec(map->A, p));
}

static inline snVec3 drawIn(snRandom* r, double size)
{
    double x = snRandom_Range(r, -size, size), y = snRandom_Range(r, -size, size);
    return snV3(x, y, snRandom_Range(r, -size, size));
}

static inline snQuat drawTurn(snRandom* r)
{
    double x = snRandom_Normal(r), y = snRandom_Normal(r), z = snRandom_Normal(r);
    return snQNormalize(snQ(x, y, z, snRandom_Normal(r)));
}

// The deepest hit of the cells that the tree names. Returns how many there are.
static inline int32_t probeTree(const Body* b, snVec3 p, snTissueHit* best)
{
    int32_t cells[512], count = snTissueTree_Cells(&b->tree, &b->tissue, p, 0, cells, 512),
                        hits = 0;
    assert_true(count <= 512);
    *best = (snTissueHit){.cell = -1};
    for (int32_t i = 0; i < count; ++i) {
        snTissueHit hit;
        if (snTissue_Probe(&b->tissue, b->x, cells[i], p, &hit)) {
            ++hits;
            *best = hit.depth > best->depth ? hit : *best;
        }
    }
    return hits;
}

// Bends, twists and stretches, by about the amount per metre.
static inline snVec3 swirl(void* user, snVec3 p)
{
    double s = *(const double*)user;
    snVec3 q = snV3(p.x + s * p.y * p.z, p.y * (1 + s * p.x), p.z - s * p.x * p.x);
    double angle = s * p.y;
    return snV3(snCos(angle) * q.x - snSin(angle) * q.z, q.y,
                snSin(angle) * q.x + snCos(angle) * q.z);
}

#endif
