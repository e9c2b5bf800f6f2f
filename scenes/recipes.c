// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "recipes.h"

#include "geom/field.h"
#include <string.h>

#define FAR 0.15 // m: more than any fillet reaches

// Lumps, each with a ball around it and its fillet.
typedef struct Field {
    const snLumps* body;
    snVec3 middle[SN_MOST_LUMPS];
    double reach[SN_MOST_LUMPS];
} Field;

static void boundLump(const snLump* l, snVec3* middle, double* reach)
{
    *middle = l->shape == sn_lumpOval ? l->a : snScale(0.5, snAdd(l->a, l->b));
    if (l->shape == sn_lumpOval) {
        double most = l->b.x > l->b.y ? l->b.x : l->b.y;
        *reach = most > l->b.z ? most : l->b.z;
    } else {
        *reach = 0.5 * snLength(snSub(l->b, l->a)) + (l->ra > l->rb ? l->ra : l->rb);
    }
    *reach += 2 * l->blend; // twice, as ovals are not quite distances
}

// The disc-shaped cone within the plane, swept by a ball.
static double plate(const snLump* l, snVec3 p)
{
    double above = snDot(snSub(p, l->a), l->normal);
    snVec3 foot = snMulAdd(p, -above, l->normal);
    double beside = snField_Cone(foot, l->a, l->ra - l->half, l->b, l->rb - l->half);
    beside = beside > 0 ? beside : 0;
    return sqrt(beside * beside + above * above) - l->half;
}

// Marching asks everywhere: what is too far away to make a difference takes no root.
static double fieldAt(void* user, snVec3 p)
{
    const Field* field = user;
    double d = FAR;
    p.x = fabs(p.x);
    for (int i = 0; i < field->body->count; ++i) {
        const snLump* l = &field->body->lumps[i];
        bool carved = l->shape == sn_lumpCarved;
        double reach = field->reach[i] + (carved ? -d : d);
        if (reach < 0 || snLengthSq(snSub(p, field->middle[i])) > reach * reach) {
            continue;
        }
        double f = l->shape == sn_lumpOval    ? snField_Ellipsoid(p, l->a, l->b)
                   : l->shape == sn_lumpPlate ? plate(l, p)
                                              : snField_Cone(p, l->a, l->ra, l->b, l->rb);
        d = carved ? -snField_Union(-d, f, l->blend) : snField_Union(d, f, l->blend);
    }
    return d;
}

snStatus snRecipe_Build(const snHost* host, snCharacterDef* def, snBonesFcn* bones,
                        const snSurface* surface, snCharacter** character, snMessage* why)
{
    snStatus status = bones(host, &def->skeleton, why);
    *character = NULL;
    if (status) {
        return status;
    }
    def->vertex_count = surface->vertex_count;
    def->triangle_count = surface->triangle_count;
    def->vertices = &surface->position->x;
    def->triangles = surface->triangle;
    status = snCharacter_Build(host, def, character, why);
    snSkeleton_Release(def->skeleton);
    return status;
}

snStatus snRecipe_BuildLumps(const snHost* host, snCharacterDef* def, snBonesFcn* bones,
                             const snLumps* lumps, snCharacter** character, snMessage* why)
{
    snArena arena;
    snSurface surface;
    Field field = {.body = lumps};
    for (int i = 0; i < lumps->count; ++i) {
        boundLump(&lumps->lumps[i], &field.middle[i], &field.reach[i]);
    }
    snArena_Init(&arena, host);
    *character = NULL;
    snStatus status = snIso_Mesh(&arena, fieldAt, &field, lumps->box, lumps->size, &surface, why);
    status = status ? status : snRecipe_Build(host, def, bones, &surface, character, why);
    snArena_Free(&arena);
    return status;
}

// Cage ------------------------------------------------------------------------

// Nodes at the corners of the boxes and one in the middle of each. Of two boxes that touch, every
// edge between them makes a tet with the two middles; outer faces make two tets with the middle.
typedef struct Place {
    int i[3];
} Place;

static int32_t corner(const snCage* c, Place p)
{
    if (c->pointed && p.i[2] == 0) {
        return p.i[1];
    }
    return 9 * p.i[2] + 3 * p.i[1] + p.i[0] - (c->pointed ? 6 : 0);
}

static int32_t middle(const snCage* c, Place p)
{
    return c->node_count - 4 * (c->boxes - p.i[2]) + 2 * p.i[1] + p.i[0];
}

// A tet turned so that its volume is positive; none where a box has an edge for a face. The first
// node is the middle of a box.
static void addTet(snCage* c, int32_t i, int32_t j, int32_t k, int32_t l)
{
    if (j == k || k == l || l == j) {
        return;
    }
    const snVec3* x = c->nodes;
    bool turn = snDot(snSub(x[j], x[i]), snCross(snSub(x[k], x[i]), snSub(x[l], x[i]))) < 0;
    const int32_t tet[4] = {i, j, turn ? l : k, turn ? k : l};
    memcpy(c->tets + 4 * (size_t)c->tet_count++, tet, sizeof tet);
}

// The face of a box at its lower or upper end along an axis.
static void addFace(snCage* c, Place box, int axis, int upper)
{
    static const int AROUND[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int boxes[3] = {2, 2, c->boxes};
    int32_t q[4], m = middle(c, box);
    bool outer = box.i[axis] == (upper ? boxes[axis] - 1 : 0), even = false;
    for (int k = 0; k < 4; ++k) {
        Place p = box;
        p.i[axis] += upper;
        p.i[(axis + 1) % 3] += AROUND[k][0];
        p.i[(axis + 2) % 3] += AROUND[k][1];
        q[k] = corner(c, p);
        even = k == 0 ? (p.i[0] + p.i[1] + p.i[2]) % 2 == 0 : even;
    }
    if (outer) { // cut so that left and right are alike
        addTet(c, m, q[0], q[1], q[even ? 2 : 3]);
        addTet(c, m, q[2], q[3], q[even ? 0 : 1]);
    } else if (upper) {
        Place next = box;
        next.i[axis]++;
        for (int k = 0; k < 4; ++k) {
            addTet(c, m, middle(c, next), q[k], q[(k + 1) % 4]);
        }
    }
}

void snCage_Make(const snSection* sections, int boxes, snCage* c)
{
    *c = (snCage){.boxes = boxes, .pointed = sections[0].half[1] == 0};
    c->node_count = 9 * (boxes + 1) + 4 * boxes - (c->pointed ? 6 : 0);
    for (int i = 0; i < 9 * (boxes + 1); ++i) {
        Place p = {{i % 3, i / 3 % 3, i / 9}};
        const snSection* s = &sections[p.i[2]];
        double y = p.i[1] == 0 ? s->low : p.i[1] == 1 ? 0 : s->high;
        c->nodes[corner(c, p)] = snV3((p.i[0] - 1) * s->half[p.i[1]],
                                      p.i[0] == 1 || s->half[1] == 0 ? y : y * s->share, s->at);
    }
    for (int i = 0; i < 4 * boxes; ++i) {
        Place box = {{i % 2, i / 2 % 2, i / 4}};
        snVec3 sum = snV3(0, 0, 0);
        for (int k = 0; k < 8; ++k) {
            Place p = {{box.i[0] + k % 2, box.i[1] + k / 2 % 2, box.i[2] + k / 4}};
            sum = snAdd(sum, c->nodes[corner(c, p)]);
        }
        c->nodes[middle(c, box)] = snScale(1.0 / 8, sum);
    }
    for (int i = 0; i < 4 * boxes; ++i) {
        for (int face = 0; face < 6; ++face) {
            addFace(c, (Place){{i % 2, i / 2 % 2, i / 4}}, face / 2, face % 2);
        }
    }
}
