// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How far flesh should move in a clip, without simulating it: every place of the skin hangs on its
// skinned place by a spring of its region's slowest jiggle,
//
//   z'' = -a - 2 zeta omega z' - omega^2 z
//
// a the acceleration of the soft nodes that it is tied to, as skinning moves them, of each as much
// as it yields: by how far it sags compared with the flesh of its joint. For slow motion that is
// z = a / omega^2. Flesh that neighbours drag along is left out.
#ifndef SN_TESTS_BAKE_EXPECTED_H
#define SN_TESTS_BAKE_EXPECTED_H

#include "character/body.h"
#include "check.h"
#include "rig/motion.h"
#include "rig/track.h"

#define EXPECTED_RATE 240.0 // Hz
#define EXPECTED_LEAD 2.0   // s that a loop runs before it counts
#define EXPECTED_LIMIT 0.5  // of what the limit allows: from there on it is felt

typedef struct Expected {
    double movement;     // largest, m
    int32_t region;      // of the body's, in which that is
    double acceleration; // largest of soft skin, m/s^2
    double travel;       // largest distance of soft skin from where it is first, m
} Expected;

// What is known of the skin's places
typedef struct ExpectedSkin {
    const snRigBody* body;
    snVec3 *velocity, *first; // of soft nodes: m/s, m at the clip's first time; (node_count)
    snVec3* place;            // likewise, m now
    snVec3 *was, *z, *w;      // of welded vertices: velocity before, spring; (vertex_count)
    double *omega, *most;     // likewise: 1/s, 0: not soft; m
    double* yields;           // nodes, 0 held .. 1 soft; (node_count)
    snMatrix *nodes, *rates;  // (nodes of the rig)
} ExpectedSkin;

static inline void moveExpected(ExpectedSkin* s, const snRigTrack* track, double time,
                                snVec3* place)
{
    const snRigBody* b = s->body;
    snRigTrack_At(track, time, s->nodes, s->rates);
    for (int32_t i = 0; i < b->tets.node_count; ++i) {
        const snNodeWeights* weights = &b->weights[i];
        snVec3 V = snV3(0, 0, 0), T = V;
        for (int k = 0; k < SN_WEIGHTS_MOST && weights->joint[k] >= 0 && !b->held[i]; ++k) {
            int32_t j = weights->joint[k];
            snVec3 p = snMatrix_Point(&b->inverse[j], b->tets.position[i]);
            double w = b->unit * (double)weights->weight[k];
            V = snMulAdd(V, w, snMatrix_Point(&s->rates[b->joint[j]], p));
            T = snMulAdd(T, w, snMatrix_Point(&s->nodes[b->joint[j]], p));
        }
        s->velocity[i] = V;
        place[i] = T;
    }
}

static inline bool isCutAt(const snRigTrack* t, double a, double b)
{
    double shift = t->is_loop ? floor((b - t->first) / t->period) * t->period : 0;
    for (int32_t i = 0; i < t->cut_count; ++i) {
        for (int round = -1; round <= 0; ++round) {
            double cut = t->cuts[i] + shift + round * t->period;
            if (cut > a && cut <= b) {
                return true;
            }
        }
    }
    return false;
}

static inline snVec3 tiedTo(const ExpectedSkin* s, int32_t vertex, const snVec3* nodes)
{
    const snTie* tie = &s->body->ties[vertex];
    snVec3 sum = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        double w = (double)tie->weight[k] * s->yields[tie->node[k]];
        sum = snMulAdd(sum, w, nodes[tie->node[k]]);
    }
    return sum;
}

// Of flesh that is held by bones as its sag says; what trails yields by itself.
static inline void findYields(const snRigBody* b, double* square, double* sum, double* yields)
{
    for (int32_t i = 0; i < b->tets.node_count; ++i) {
        double s = (double)b->sag[i];
        square[b->weights[i].joint[0]] += b->mass[i] * s * s;
        sum[b->weights[i].joint[0]] += b->mass[i] * s;
    }
    for (int32_t i = 0; i < b->tets.node_count; ++i) {
        int32_t j = b->weights[i].joint[0];
        double s = square[j] > 0 ? (double)b->sag[i] * sum[j] / square[j] : 0;
        yields[i] = b->held[i] ? 0 : fmin(fmax(s, (double)b->tether[i]), 1);
    }
}

static inline void makeExpected(ExpectedSkin* s, const snBody* body, snArena* arena)
{
    const snRigBody* b = s->body = &body->made;
    size_t n = (size_t)b->tets.node_count, v = (size_t)b->weld.surface.vertex_count;
    size_t nodes = (size_t)b->rig->info.node_count;
    s->velocity = snArena_Push(arena, n, sizeof *s->velocity);
    s->first = snArena_Push(arena, n, sizeof *s->first);
    s->place = snArena_Push(arena, n, sizeof *s->place);
    s->was = snArena_Push(arena, v, sizeof *s->was);
    s->z = snArena_Push(arena, v, sizeof *s->z);
    s->w = snArena_Push(arena, v, sizeof *s->w);
    s->omega = snArena_Push(arena, v, sizeof *s->omega);
    s->most = snArena_Push(arena, v, sizeof *s->most);
    s->yields = snArena_Push(arena, n, sizeof *s->yields);
    s->nodes = snArena_Push(arena, nodes, sizeof *s->nodes);
    s->rates = snArena_Push(arena, nodes, sizeof *s->rates);
    double* sums = snArena_Push(arena, 2 * (size_t)b->joint_count, sizeof *sums);
    assert_false(arena->failed);
    findYields(b, sums, sums + b->joint_count, s->yields);
    for (size_t i = 0; i < v; ++i) {
        if (body->region_of[i] >= 0) {
            s->omega[i] = 6.283185307179586 * body->info.regions[body->region_of[i]].hz;
            for (int k = 0; k < 4; ++k) {
                const snTie* tie = &b->ties[i];
                double thick = fmin(b->thickness[tie->node[k]], SN_BODY_THICKEST * b->size);
                s->most[i] += (double)tie->weight[k] * thick * EXPECTED_LIMIT * b->def.limit;
            }
        }
    }
}

static inline void stepExpected(ExpectedSkin* s, const snBody* body, double h, bool cut,
                                Expected* out)
{
    double zeta = s->body->def.damping;
    for (int32_t i = 0; i < s->body->weld.surface.vertex_count; ++i) {
        double omega = s->omega[i];
        if (!(omega > 0)) {
            continue;
        }
        snVec3 velocity = tiedTo(s, i, s->velocity);
        snVec3 change = cut ? snV3(0, 0, 0) : snSub(velocity, s->was[i]);
        s->was[i] = velocity;
        // springs are taken at the end of the step, which is stable for all of them
        snVec3 w = snSub(snMulAdd(s->w[i], -h * omega * omega, s->z[i]), change);
        s->w[i] = snScale(1 / (1 + h * omega * (2 * zeta + h * omega)), w);
        s->z[i] = snMulAdd(s->z[i], h, s->w[i]);
        double far = fmin(snLength(s->z[i]), s->most[i]);
        out->region = far > out->movement ? body->region_of[i] : out->region;
        out->movement = fmax(out->movement, far);
        out->acceleration = fmax(out->acceleration, snLength(change) / h);
        snVec3 moved = snSub(tiedTo(s, i, s->place), tiedTo(s, i, s->first));
        out->travel = fmax(out->travel, snLength(moved));
    }
}

// Of a clip of the body's rig, or of a motion
static inline Expected expectedOf(const snBody* body, int32_t clip, int32_t motion)
{
    snMessage why;
    snArena arena;
    snRigTrack track;
    snRigClipData moves;
    ExpectedSkin skin = {0};
    Expected out = {0};
    const double h = 1 / EXPECTED_RATE;
    snArena_Init(&arena, NULL);
    if (motion) {
        assert_ok(snMotion_BuildClip(&arena, body->rig, motion, &moves, &why), why);
        assert_ok(snRigTrack_Of(&arena, body->rig, &moves, NULL, &track, &why), why);
    } else {
        assert_ok(snRigTrack_Build(&arena, body->rig, clip, NULL, &track, &why), why);
    }
    makeExpected(&skin, body, &arena);
    double time = track.first - (track.is_loop ? EXPECTED_LEAD : 0);
    double end = track.is_loop ? track.first + track.period : track.last;
    moveExpected(&skin, &track, track.first, skin.first);
    for (bool begins = true; time <= end; time += h, begins = false) {
        Expected before = {0}; // the clip's beginning
        bool cut = begins || isCutAt(&track, time - h, time);
        moveExpected(&skin, &track, time, skin.place);
        stepExpected(&skin, body, h, cut, time < track.first ? &before : &out);
    }
    snArena_Free(&arena);
    return out;
}

#endif
