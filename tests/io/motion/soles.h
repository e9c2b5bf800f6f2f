// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Soles of a skinned mesh, against the ground.
#ifndef SN_TESTS_IO_MOTION_SOLES_H
#define SN_TESTS_IO_MOTION_SOLES_H

#include <math.h>

#include "check.h"
#include "rig/lbs.h"
#include "rig/names.h"
#include "rig/pose.h"

// m for a person of up to 1.7 m, more for taller ones: what shoes do between heel and toe, and skin
// about an ankle
#define MOST_SUNK 0.04
#define MOST_FLOATING 0.03 // of the lower foot while somebody walks
#define MOST_SLIDE \
    0.15           // m/s of the lowest point of a sole that is down, in the middle of all
                   // frames: feet that swing low are among them
#define DOWN 0.012 // m above the lowest that it ever is: a sole is down

typedef struct Soles {
    const snRig* rig;
    const snRigClipData* clip;
    uint8_t** sides; // of each instance's vertices: 1 left, 2 right foot, else 0
    float* now[2];   // of all instances
    snMatrix *nodes, *joints;
    double* weights; // of morphs
    int32_t vertices;
} Soles;

// Vertices whose main joint is a foot or its toes, or hangs on one
static inline void findSides(Soles* s)
{
    const snRig* rig = s->rig;
    size_t nodes = (size_t)rig->info.node_count;
    const char** names = calloc(nodes, sizeof *names);
    int32_t* parents = calloc(nodes, sizeof *parents);
    int32_t* roles = calloc(nodes, sizeof *roles);
    for (size_t n = 0; n < nodes; ++n) {
        names[n] = rig->nodes[n].is_joint ? rig->nodes[n].name : "";
        parents[n] = rig->nodes[n].parent;
    }
    snRoles_Find(names, parents, (int32_t)nodes, roles);
    s->sides = calloc((size_t)rig->info.mesh_count, sizeof *s->sides);
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigInstance* m = &rig->instances[i];
        s->sides[i] = calloc((size_t)m->info.vertex_count, 1);
        for (int32_t v = 0; v < m->info.vertex_count && m->info.skin >= 0; ++v) {
            int32_t best = m->shape->first[v];
            for (int32_t k = best; k < m->shape->first[v + 1]; ++k) {
                best = m->shape->weight[k] > m->shape->weight[best] ? k : best;
            }
            int32_t n = rig->skins[m->info.skin].joints[m->shape->joint[best]];
            while (n >= 0 && snRole_Part(roles[n]) != sn_partFoot) {
                n = parents[n];
            }
            s->sides[i][v] = (uint8_t)(n < 0 ? 0 : 1 + roles[n] % 2);
        }
        s->vertices += m->info.vertex_count;
    }
    free(names);
    free(parents);
    free(roles);
}

static inline void skinSoles(const Soles* s, double time, float* out)
{
    snRigClipData_World(s->rig, s->clip, time, s->nodes, s->weights);
    for (int32_t i = 0; i < s->rig->info.mesh_count; ++i) {
        const snRigInstance* m = &s->rig->instances[i];
        snLbs_Skin(s->rig, m, s->nodes, s->weights, s->joints, out, NULL);
        out += 3 * (size_t)m->info.vertex_count;
    }
}

// The lowest vertex of a side
static inline size_t lowestOf(const Soles* s, const float* at, int side)
{
    size_t best = 0, v = 0;
    double low = (double)INFINITY;
    for (int32_t i = 0; i < s->rig->info.mesh_count; ++i) {
        for (int32_t k = 0; k < s->rig->instances[i].info.vertex_count; ++k, ++v) {
            if (s->sides[i][k] == side + 1 && (double)at[3 * v + 1] < low) {
                low = (double)at[3 * v + 1];
                best = v;
            }
        }
    }
    assert_true(isfinite(low));
    return best;
}

static inline int risingSlides(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// What one sees of a clip: soles sink and slide as little as shoes and skin make them
static inline void measureSoles(const snRig* rig, const snRigClipData* clip, bool runs)
{
    const double RATE = 30;
    Soles s = {.rig = rig, .clip = clip};
    findSides(&s);
    int32_t frames = (int32_t)(clip->info.duration * RATE), slides = 0;
    s.nodes = calloc((size_t)rig->info.node_count, sizeof *s.nodes);
    s.joints = calloc((size_t)rig->info.node_count, sizeof *s.joints);
    s.weights = calloc((size_t)rig->info.weight_count + 1, sizeof *s.weights);
    s.now[0] = calloc(3 * (size_t)s.vertices, sizeof(float));
    s.now[1] = calloc(3 * (size_t)s.vertices, sizeof(float));
    double* slide = calloc(2 * (size_t)frames + 2, sizeof *slide);
    double sunk = 0, floating = 0, unit = rig->info.unit;
    double tall = fmax(1, unit * (rig->info.high.y - rig->info.low.y) / 1.7), down = DOWN * tall;
    for (int32_t f = 0; f < frames; ++f) {
        double time = clip->info.first + f / RATE, both = (double)INFINITY;
        skinSoles(&s, time, s.now[0]);
        skinSoles(&s, time + 1 / RATE, s.now[1]);
        for (int side = 0; side < 2; ++side) {
            size_t v = lowestOf(&s, s.now[0], side);
            const float *a = s.now[0] + 3 * v, *b = s.now[1] + 3 * v;
            double height = unit * (double)a[1];
            both = fmin(both, height);
            if (height < down && unit * (double)b[1] < down) {
                slide[slides++] = RATE * unit * hypot((double)(b[0] - a[0]), (double)(b[2] - a[2]));
            }
        }
        sunk = fmax(sunk, -both);
        floating = fmax(floating, both);
    }
    qsort(slide, (size_t)slides, sizeof *slide, risingSlides);
    print_message("  soles: at most %.0f mm below the ground, the lower one %.0f mm above it; down "
                  "in %d of %d; slide %.2f m/s in the middle\n",
                  1e3 * sunk, 1e3 * floating, (int)slides, 2 * (int)frames,
                  slides ? slide[slides / 2] : 0);
    assert_below(sunk, MOST_SUNK * tall);
    assert_below(10, slides);
    assert_below(slide[slides / 2], MOST_SLIDE * tall);
    if (!runs) {
        assert_below(floating, MOST_FLOATING * tall);
    }
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        free(s.sides[i]);
    }
    free(s.sides);
    free(s.nodes);
    free(s.joints);
    free(s.weights);
    free(s.now[0]);
    free(s.now[1]);
    free(slide);
}

#endif
