// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A bumpy ball of 35,000 vertices and what draws it.
#ifndef SN_TESTS_RENDER_BALL_H
#define SN_TESTS_RENDER_BALL_H

#include "check.h"

#include <render/renderer.h>

#define ROWS 187 // 34,969 vertices
#define VERTICES (ROWS * ROWS)
#define TRIANGLES (2 * (ROWS - 1) * (ROWS - 1))
#define WIDTH 960
#define HEIGHT 720

typedef struct Ball {
    float* positions;
    int32_t* triangles;
    float* lines; // every sixth parallel
    int32_t line_count;
} Ball;

// Vertices on the seam are doubled, as in files from modelling programs, but lie in the same place.
static inline Ball makeBall(void)
{
    const double PI = 3.141592653589793;
    Ball b = {malloc(VERTICES * 3 * sizeof(float)), malloc(TRIANGLES * 3 * sizeof(int32_t)),
              malloc(VERTICES * 6 * sizeof(float)), 0};
    float low = 0;
    for (int i = 0; i < VERTICES; ++i) {
        int row = i / ROWS, column = i % (ROWS) % (ROWS - 1);
        double u = PI * row / (ROWS - 1), v = 2 * PI * column / (ROWS - 1);
        double r = 0.5 * (1 + 0.06 * sin(6 * u) * sin(6 * u) * cos(8 * v));
        double across = row % (ROWS - 1) ? r * sin(u) : 0;
        b.positions[3 * i] = (float)(across * cos(v));
        b.positions[3 * i + 1] = (float)(r * cos(u));
        b.positions[3 * i + 2] = (float)(-across * sin(v));
        low = fminf(low, b.positions[3 * i + 1]);
    }
    int32_t* t = b.triangles;
    for (int row = 0; row < ROWS - 1; ++row) {
        for (int column = 0; column < ROWS - 1; ++column) {
            int32_t at = row * ROWS + column;
            const int32_t two[6] = {at, at + ROWS, at + 1, at + 1, at + ROWS, at + ROWS + 1};
            memcpy(t, two, sizeof two);
            t += 6;
        }
    }
    for (int i = 0; i < VERTICES; ++i) {
        b.positions[3 * i + 1] -= low;
    }
    for (int i = 0; i < VERTICES; ++i) {
        if (i / ROWS % 6 == 0 && i % ROWS < ROWS - 1) {
            memcpy(b.lines + 6 * (size_t)b.line_count++, b.positions + 3 * i, 6 * sizeof(float));
        }
    }
    return b;
}

static inline void freeBall(Ball* b)
{
    free(b->positions);
    free(b->triangles);
    free(b->lines);
}

static inline void addBall(DrawList* list, const Ball* b, float opacity)
{
    const DrawMesh mesh = {.vertex_count = VERTICES,
                           .triangle_count = TRIANGLES,
                           .positions = b->positions,
                           .triangles = b->triangles,
                           .colour = {0.86f, 0.52f, 0.38f, opacity}};
    addMesh(list, &mesh);
}

static inline Shot fitShot(const DrawList* list)
{
    double aspect = (double)WIDTH / HEIGHT;
    Shot shot = {.camera = viewAxes(viewIso, 0),
                 .light = {-0.2, 0.8, 0.5656854249492381},
                 .centre = {0, 0.5, 0},
                 .radius = 1,
                 .has_ground = true};
    snVec3 normals[4];
    Extent e = emptyExtent();
    frameNormals(&shot.camera, aspect, normals);
    measureDrawList(list, false, normals, &e);
    measureDrawList(list, true, normals, &e);
    fitCamera(&shot.camera, aspect, e.side);
    return shot;
}

static inline Renderer* openRenderer(void)
{
    Renderer* r = NULL;
    snMessage why;
    if (createRenderer(WIDTH, HEIGHT, &r, &why)) {
        fprintf(stderr, "SKIP: %s\n", why.text);
        exit(77);
    }
    return r;
}

#endif
