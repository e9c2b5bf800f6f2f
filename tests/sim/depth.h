// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How deep contacts are, against how thick bodies are where they touch.
#ifndef SN_TESTS_SIM_DEPTH_H
#define SN_TESTS_SIM_DEPTH_H

#include "geom/thickness.h"
#include "sim/flesh.h"

#define OF_CELL 0.07 // of a cell may always be sunk in

// Of one character.
typedef struct Thickness {
    double* at; // m, at rest behind each vertex of the surface; (vertex_count)
    double cell;
} Thickness;

static inline Thickness openThickness(const snCharacter* character)
{
    snMessage why;
    snSurface surface, welded;
    int32_t* map = NULL;
    snArena arena;
    const snFleshInfo* info = snCharacter_Flesh(character);
    Thickness t = {.cell = info ? info->cell_size : 0};
    if (!info) {
        return t;
    }
    size_t n = (size_t)info->vertex_count;
    snArena_Init(&arena, NULL);
    surface.vertex_count = info->vertex_count;
    surface.triangle_count = info->triangle_count;
    surface.position = snArena_Push(&arena, n, sizeof(snVec3));
    surface.triangle = snArena_Push(&arena, 3 * (size_t)info->triangle_count, sizeof(int32_t));
    double* thick = snArena_Push(&arena, n, sizeof(double));
    t.at = malloc(n * sizeof(double));
    assert_true(surface.position && surface.triangle && thick && t.at);
    memcpy(surface.position, info->vertices, n * sizeof(snVec3));
    memcpy(surface.triangle, info->triangles, 3 * (size_t)info->triangle_count * sizeof(int32_t));
    assert_ok(snSurface_Weld(&arena, &surface, &welded, &map, &why), why);
    assert_ok(snThickness_Find(NULL, &welded, 0, thick, &why), why);
    for (size_t i = 0; i < n; ++i) {
        t.at[i] = thick[map[i]];
    }
    snArena_Free(&arena);
    return t;
}

// The thickness at the vertex that is nearest to a place.
static inline double thicknessAt(const Thickness* t, const snFrameCharacter* c, snVec3 place)
{
    const snFrameSurface* s = &c->surfaces[0];
    snVec3 p = snSub(place, c->origin);
    double best = HUGE_VAL, found = 0;
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        double d = snLengthSq(snSub(pointAt(s->position, i), p));
        if (d < best) {
            best = d;
            found = t->at[i];
        }
    }
    return found;
}

// Of a contact whose depth is `part` of the local thickness, or OF_CELL of a cell if that is more,
// 1; of one that is twice as deep 2. Between two soft bodies the thinner one counts.
static inline double depthRatio(const Thickness* of, const snFrame* f, const snContact* c,
                                double part)
{
    double thick = HUGE_VAL, cell = HUGE_VAL;
    int32_t soft[2] = {c->character, c->with == sn_withCharacter ? c->other : -1};
    for (int k = 0; k < 2; ++k) {
        if (soft[k] >= 0 && f->characters[soft[k]].surface_count > 0) {
            thick = fmin(thick, thicknessAt(&of[soft[k]], &f->characters[soft[k]], c->place));
            cell = fmin(cell, of[soft[k]].cell);
        }
    }
    return thick < HUGE_VAL ? c->depth / fmax(part * thick, OF_CELL * cell) : 0;
}

// The largest of all contacts that are deeper than `floor` (m), which need not be looked at.
static inline double worstDepth(const Thickness* of, const snFrame* f, double part, double floor)
{
    double worst = 0;
    for (int32_t i = 0; i < f->contact_count; ++i) {
        if (f->contacts[i].depth > floor) {
            worst = fmax(worst, depthRatio(of, f, &f->contacts[i], part));
        }
    }
    return worst;
}

#endif
