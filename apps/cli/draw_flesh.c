// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/draw_flesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIXED_NODE 0.18 // radius of a node fixed to a bone, as part of a cell's size
#define FREE_NODE 0.06  // and of another one
#define MASS_SHARE 0.25 // of the body's volume that masses take
#define DENSE_CAGE 4000 // edges beyond which lines are thinner

static const Colour BONE_COLOURS[] = {
    {0.80f, 0.25f, 0.22f, 1}, {0.16f, 0.45f, 0.70f, 1}, {0.93f, 0.62f, 0.13f, 1},
    {0.25f, 0.58f, 0.33f, 1}, {0.52f, 0.33f, 0.63f, 1}, {0.10f, 0.60f, 0.62f, 1},
    {0.82f, 0.42f, 0.60f, 1}, {0.55f, 0.42f, 0.25f, 1},
};

const Scale FILL_SCALE = {"fill",
                          {"0", "50", "100%"},
                          {{0.99f, 0.95f, 0.78f, 1},
                           {0.78f, 0.87f, 0.62f, 1},
                           {0.44f, 0.74f, 0.60f, 1},
                           {0.20f, 0.55f, 0.62f, 1},
                           {0.13f, 0.33f, 0.52f, 1}}};

Colour boneColour(int32_t bone)
{
    return BONE_COLOURS[bone % (int32_t)(sizeof BONE_COLOURS / sizeof *BONE_COLOURS)];
}

static void paintEdges(const Cage* cage, const float* nodes, DrawList* list)
{
    static const Colour LINE = {0.16f, 0.22f, 0.32f, 0.55f};
    float* lines = malloc(((size_t)cage->edge_count + 1) * 6 * sizeof *lines);
    list->failed = list->failed || !lines;
    for (size_t i = 0; lines && i < 2 * (size_t)cage->edge_count; ++i) {
        memcpy(lines + 3 * i, nodes + 3 * (size_t)cage->edges[i], 3 * sizeof *nodes);
    }
    if (lines) {
        addLines(list, lines, cage->edge_count, LINE, cage->edge_count > DENSE_CAGE ? 0.8f : 1.3f);
    }
    free(lines);
}

void paintCage(const Cage* cage, const float* nodes, int32_t node_count, Colour faces,
               DrawList* list)
{
    DrawMesh mesh = {.vertex_count = node_count,
                     .triangle_count = cage->triangle_count,
                     .positions = nodes,
                     .triangles = cage->triangles,
                     .colour = faces};
    paintEdges(cage, nodes, list);
    if (faces.a > 0) {
        addMesh(list, &mesh);
    }
}

// Spheres at nodes: a radius by `size`, in the bone's colour where fixed.
static void paintSpheres(const snFleshInfo* flesh, const float* nodes, Colour colour,
                         double (*size)(const snFleshInfo*, int32_t), DrawList* list)
{
    float* spheres = malloc(((size_t)flesh->node_count + 1) * 4 * sizeof *spheres);
    Colour* colours = malloc(((size_t)flesh->node_count + 1) * sizeof *colours);
    list->failed = list->failed || !spheres || !colours;
    for (int32_t i = 0; spheres && colours && i < flesh->node_count; ++i) {
        memcpy(spheres + 4 * (size_t)i, nodes + 3 * (size_t)i, 3 * sizeof *nodes);
        spheres[4 * (size_t)i + 3] = (float)size(flesh, i);
        colours[i] = flesh->fixed[i] < 0 ? colour : boneColour(flesh->fixed[i]);
    }
    if (!list->failed) {
        addSpheres(list, spheres, colours, flesh->node_count, colour);
    }
    free(spheres);
    free(colours);
}

static double nodeSize(const snFleshInfo* flesh, int32_t node)
{
    return (flesh->fixed[node] < 0 ? FREE_NODE : FIXED_NODE) * flesh->cell_size;
}

void paintNodes(const snFleshInfo* flesh, const float* nodes, DrawList* list)
{
    paintSpheres(flesh, nodes, (Colour){0.25f, 0.28f, 0.33f, 1}, nodeSize, list);
}

static double massSize(const snFleshInfo* flesh, int32_t node)
{
    const double BALL = 4.1887902047863905; // volume of a ball of radius 1
    return cbrt(MASS_SHARE * flesh->volume * flesh->mass[node] / (flesh->flesh_mass * BALL));
}

void paintMass(const snFleshInfo* flesh, const float* nodes, DrawList* list)
{
    paintSpheres(flesh, nodes, (Colour){0.60f, 0.64f, 0.69f, 1}, massSize, list);
}

// Every face has its own vertices, so cells have flat sides of one colour.
void paintFill(const snFleshInfo* flesh, const Cage* cage, const float* nodes, float opacity,
               DrawList* list)
{
    int32_t count = 3 * cage->triangle_count;
    float* positions = malloc(((size_t)count + 1) * 6 * sizeof *positions);
    int32_t* triangles = malloc(((size_t)count + 1) * sizeof *triangles);
    list->failed = list->failed || !positions || !triangles;
    for (int32_t i = 0; positions && triangles && i < count; ++i) {
        Colour c = scaleColour(&FILL_SCALE, flesh->fill[cage->cells[i / 3]]);
        const float rgb[3] = {c.r, c.g, c.b};
        memcpy(positions + 3 * (size_t)i, nodes + 3 * (size_t)cage->triangles[i],
               3 * sizeof *nodes);
        memcpy(positions + 3 * (size_t)(count + i), rgb, sizeof rgb);
        triangles[i] = i;
    }
    if (!list->failed) {
        DrawMesh mesh = {.vertex_count = count,
                         .triangle_count = cage->triangle_count,
                         .positions = positions,
                         .triangles = triangles,
                         .colours = positions + 3 * (size_t)count,
                         .colour = {1, 1, 1, opacity}};
        addMesh(list, &mesh);
        paintEdges(cage, nodes, list);
    }
    free(positions);
    free(triangles);
}
