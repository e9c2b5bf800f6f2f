// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A bar that is held in places, with its regions.
#ifndef SN_TESTS_FLESH_HELD_BAR_H
#define SN_TESTS_FLESH_HELD_BAR_H

#include "flesh/box.h"
#include "flesh/mode.h"

#define POISSON 0.4
#define NX 12

// A bar along x whose ends and middle are held: two regions alike
typedef struct Bar {
    snArena arena;
    snTets mesh;
    double *fill, *mass;
    uint8_t* held;
    snRegions regions;
} Bar;

static inline void openBar(Bar* b, double size)
{
    snMessage why;
    snArena_Init(&b->arena, NULL);
    b->mesh = makeBox(snV3(0, 0, 0), snV3(2 * size, 0.3 * size, 0.2 * size), NX, 3, 2);
    size_t nodes = (size_t)b->mesh.node_count, cells = (size_t)b->mesh.tet_count;
    b->fill = snArena_Push(&b->arena, cells, sizeof *b->fill);
    b->mass = snArena_Push(&b->arena, nodes, sizeof *b->mass);
    b->held = snArena_Push(&b->arena, nodes, 1);
    for (size_t e = 0; e < cells; ++e) {
        b->fill[e] = 1;
        for (int k = 0; k < 4; ++k) {
            b->mass[b->mesh.tet[4 * e + (size_t)k]] += 250 * snTets_Volume(&b->mesh, (int32_t)e);
        }
    }
    for (size_t i = 0; i < nodes; ++i) {
        int column = (int)(i % (NX + 1));
        b->held[i] = column == 0 || column == NX / 2;
    }
    assert_ok(snRegions_Find(&b->arena, &b->mesh, b->mass, b->held, &b->regions, &why), why);
    assert_ok(snRegions_Slowest(&b->regions, NULL, &b->mesh, b->fill, b->mass, NULL, POISSON,
                                SN_MODE_WELL, &why),
              why);
    assert_ok(snRegions_Sway(&b->regions, NULL, &b->mesh, b->fill, b->mass, NULL, POISSON, &why),
              why);
}

static inline void closeBar(Bar* b)
{
    freeBox(&b->mesh);
    snArena_Free(&b->arena);
}

#endif
