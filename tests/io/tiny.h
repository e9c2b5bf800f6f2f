// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The smallest body: three cells on a joint that a clip moves, with a rider, by hand. Its save has
// few enough bytes to damage each of them.
#ifndef SN_TESTS_IO_TINY_H
#define SN_TESTS_IO_TINY_H

#include "character/body.h"

#include "character/rigs.h"

#define TINY_NODES 6
#define TINY_CELLS 3

typedef struct Tiny {
    MadeRig made;
    snBody* body;
    float times[3], values[9];
} Tiny;

static inline void tinyWeights(snVec3 p, double* weights)
{
    weights[0] = 1 - 0.5 * p.y;
    weights[1] = 0.5 * p.y;
}

static inline void makeTinyRig(Tiny* t)
{
    static const snVec3 PLACES[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int32_t FACES[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const float MORPH[12] = {0, 0.1f};
    startRig(&t->made);
    snOwners_Init(&t->made.rig.owners);
    addJoint(&t->made, "root", -1, snV3(0, 0, 0));
    addJoint(&t->made, "tip", 0, snV3(0, 1, 0));
    snSurface s = {4, 4, snArena_Push(&t->made.arena, 4, sizeof(snVec3)),
                   snArena_Push(&t->made.arena, 12, sizeof(int32_t))};
    memcpy(s.position, PLACES, sizeof PLACES);
    memcpy(s.triangle, FACES, sizeof FACES);
    addPart(&t->made, "part", &s, tinyWeights, 0);
    t->made.shapes[0].joint_most = 1;
    t->made.shapes[0].influence_most = 2;
    snRigTarget* target = snArena_Push(&t->made.arena, 1, sizeof *target);
    double* weights = snArena_Push(&t->made.arena, 1, sizeof *weights);
    target->position = MORPH;
    t->made.shapes[0].targets = target;
    t->made.shapes[0].target_count = t->made.instances[0].info.target_count = 1;
    t->made.nodes[0].weight_count = 1;
    t->made.rig.weights = weights;
    t->made.rig.info.weight_count = 1;
    for (int i = 0; i < 3; ++i) {
        t->times[i] = 0.1f * (float)i;
        t->values[3 * i] = i == 1 ? 0.2f : 0;
    }
    addChannel(&t->made, 0, sn_pathTranslation, false, 3, t->times, t->values);
    t->made.rig.info.unit_name = t->made.rig.info.generator = t->made.rig.info.kind = "";
    finishRig(&t->made);
}

static inline void tieTiny(snArena* arena, snRigBody* b)
{
    snTie* ties = snArena_Push(arena, 4, sizeof *ties);
    snRider* rider = snArena_Push(arena, 1, sizeof *rider);
    snRide* ride = snArena_Push(arena, 1, sizeof *ride);
    int32_t* riding = snArena_Push(arena, 1, sizeof *riding);
    for (int v = 0; v < 4; ++v) {
        ties[v] = (snTie){{v, v == 3 ? 2 : v + 1, 4, 5}, {0.4f, 0.3f, 0.2f, 0.1f}};
    }
    ties[3].node[0] = -1;
    *rider = (snRider){0, 1, 0, 1};
    *ride = (snRide){{0, 1, 2}, {0.5f, 0.25f, 0.25f}};
    riding[0] = 3;
    b->ties = ties;
    b->rider_count = 1;
    b->riders = rider;
    b->rides = ride;
    b->riding = riding;
}

static inline void fillTinyNodes(snArena* arena, snRigBody* b)
{
    double* mass = snArena_Push(arena, TINY_NODES, sizeof *mass);
    double* thickness = snArena_Push(arena, TINY_NODES, sizeof *thickness);
    snNodeWeights* weights = snArena_Push(arena, TINY_NODES, sizeof *weights);
    uint8_t* held = snArena_Push(arena, TINY_NODES, 1);
    float* soft = snArena_Push(arena, TINY_NODES, sizeof *soft);
    float* tether = snArena_Push(arena, TINY_NODES, sizeof *tether);
    for (int i = 0; i < TINY_NODES; ++i) {
        mass[i] = 1 + 0.1 * i;
        thickness[i] = 0.5;
        held[i] = i < 2;
        soft[i] = held[i] ? 0 : 1;
        tether[i] = i == TINY_NODES - 1 ? 1 : 0;
        for (int k = 0; k < SN_WEIGHTS_MOST; ++k) {
            weights[i].joint[k] = k < 2 ? k : -1;
            weights[i].weight[k] = k < 2 ? 0.5f : 0;
        }
    }
    b->mass = mass;
    b->thickness = thickness;
    b->weights = weights;
    b->held = held;
    b->soft = soft;
    b->tether = tether;
    b->sag = snArena_Push(arena, TINY_NODES, sizeof *b->sag);
}

static inline void makeTinyCells(snArena* arena, snRigBody* b)
{
    static const snVec3 PLACES[TINY_NODES] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                              {0, 0, 1}, {1, 1, 1}, {-1, 1, 1}};
    static const int32_t TETS[4 * TINY_CELLS] = {0, 1, 2, 3, 1, 4, 2, 3, 0, 2, 5, 3};
    snMessage why;
    double* numbers = snArena_Push(arena, 4 * TINY_CELLS, sizeof *numbers);
    double* regions = snArena_Push(arena, 2, sizeof *regions);
    b->tets = (snTets){TINY_NODES, TINY_CELLS, snArena_Push(arena, TINY_NODES, sizeof(snVec3)),
                       snArena_Push(arena, 4 * TINY_CELLS, sizeof(int32_t))};
    memcpy(b->tets.position, PLACES, sizeof PLACES);
    memcpy(b->tets.tet, TETS, sizeof TETS);
    for (int i = 0; i < 4 * TINY_CELLS; ++i) {
        numbers[i] = i < 2 * TINY_CELLS ? 1 : 3000; // fill and stiffness, then Lame's
    }
    b->fill = numbers;
    b->stiff = numbers + TINY_CELLS;
    assert_ok(snRegions_Find(arena, &b->tets, b->mass, b->held, &b->regions, &why), why);
    assert_ok(snRegions_Slowest(&b->regions, NULL, &b->tets, b->fill, b->mass, NULL, 0.4,
                                SN_MODE_WELL, &why),
              why);
    assert_ok(snRegions_Sway(&b->regions, NULL, &b->tets, b->fill, b->mass, NULL, 0.4, &why), why);
    assert_int_equal(b->regions.count, 1);
    regions[0] = 8000;
    regions[1] = 4;
    b->young = regions;
    b->hz = regions + 1;
    snCellsDef def;
    snCellsDef_Init(&def);
    def.node_count = TINY_NODES;
    def.cell_count = TINY_CELLS;
    def.rest = &b->tets.position->x;
    def.tets = b->tets.tet;
    def.mu = numbers + 2 * (ptrdiff_t)TINY_CELLS;
    def.lambda = def.mu + TINY_CELLS;
    assert_ok(snCells_Build(arena, &def, &b->cells, &why), why);
    b->step = (snStableStep){0.005, 0.003, 0.002};
}

static inline void openTiny(Tiny* t)
{
    snMessage why;
    snHost host;
    memset(t, 0, sizeof *t);
    makeTinyRig(t);
    assert_ok(snHost_Take(NULL, &host, &why), why);
    t->body = snBody_New(&host, &t->made.rig);
    snArena* arena = &t->body->arena;
    snRigBody* b = &t->body->made;
    int32_t* joints = snArena_Push(arena, 2, sizeof *joints);
    snMatrix* inverse = snArena_Push(arena, 2, sizeof *inverse);
    *b = (snRigBody){.rig = &t->made.rig, .unit = 1, .size = 1, .cell = 1, .joint_count = 2};
    snBodyDef_Init(&b->def);
    b->def.softness = 4;
    assert_ok(snRigWeld_Build(arena, b->rig, NULL, &b->weld, &why), why);
    joints[1] = 1;
    memcpy(inverse, t->made.bind, 2 * sizeof *inverse);
    b->joint = joints;
    b->inverse = inverse;
    fillTinyNodes(arena, b);
    makeTinyCells(arena, b);
    tieTiny(arena, b);
    assert_ok(snBody_Finish(t->body, &why), why);
}

static inline void closeTiny(Tiny* t)
{
    snBody_Release(t->body);
    dropRig(&t->made);
}

#endif
