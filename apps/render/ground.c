// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "render/ground.h"

#include <stdlib.h>
#include <string.h>

#define LIGHT_WIDTH 0.05f // tangent of half the angle under which the key light is seen
#define LEAST_BLUR 0.5f   // texels of half the map's resolution

struct GroundLight {
    float *sums, *way_sums; // summed areas, a row and a column wider than the map
    float *a, *b;           // one number a texel
    uint8_t* bytes;
};

GroundLight* createGroundLight(int32_t most_size)
{
    GroundLight* g = calloc(1, sizeof *g);
    size_t count = (size_t)most_size * (size_t)most_size;
    size_t wide = (size_t)(most_size + 1) * (size_t)(most_size + 1);
    if (g) {
        g->sums = malloc(wide * sizeof *g->sums);
        g->way_sums = malloc(wide * sizeof *g->way_sums);
        g->a = malloc(count * sizeof *g->a);
        g->b = malloc(count * sizeof *g->b);
        g->bytes = malloc(count);
    }
    if (g && !(g->sums && g->way_sums && g->a && g->b && g->bytes)) {
        freeGroundLight(g);
        g = NULL;
    }
    return g;
}

void freeGroundLight(GroundLight* g)
{
    if (g) {
        free(g->sums);
        free(g->way_sums);
        free(g->a);
        free(g->b);
        free(g->bytes);
        free(g);
    }
}

// sums[y][x] = what is above and left of texel (x, y).
static void sumAreas(const float* map, int32_t size, float* sums)
{
    int32_t stride = size + 1;
    memset(sums, 0, (size_t)stride * sizeof *sums);
    for (int32_t y = 0; y < size; ++y) {
        float row = 0;
        sums[(y + 1) * stride] = 0;
        for (int32_t x = 0; x < size; ++x) {
            row += map[y * size + x];
            sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + row;
        }
    }
}

static int32_t clampTo(int32_t x, int32_t high)
{
    return x < 0 ? 0 : x > high ? high : x;
}

// Mean over a square of half-width r texels about (x, y); outside the map there is nothing.
static float boxMean(const float* sums, int32_t size, int32_t x, int32_t y, int32_t r)
{
    int32_t left = clampTo(x - r, size), right = clampTo(x + r + 1, size);
    int32_t top = clampTo(y - r, size) * (size + 1), bottom = clampTo(y + r + 1, size) * (size + 1);
    float sum = sums[bottom + right] - sums[bottom + left] - sums[top + right] + sums[top + left];
    return sum / (float)((2 * r + 1) * (2 * r + 1));
}

// The mean between whole radii, so that the blur grows without steps.
static float blurMean(const float* sums, int32_t size, int32_t x, int32_t y, float radius)
{
    int32_t r = (int32_t)radius;
    float part = radius - (float)r;
    return (1 - part) * boxMean(sums, size, x, y, r) + part * boxMean(sums, size, x, y, r + 1);
}

static const uint8_t* toBytes(GroundLight* g, const float* map, int32_t size)
{
    for (int32_t i = 0; i < size * size; ++i) {
        float v = map[i] < 0 ? 0 : map[i] > 1 ? 1 : map[i];
        g->bytes[i] = (uint8_t)(255 * v + 0.5f);
    }
    return g->bytes;
}

// a: how much of a texel of half the resolution has something in the light's way, b: times that
// way.
static void measureCasters(GroundLight* g, const float* depth, int32_t size, const float height[4])
{
    float texel = 2 / (float)size;
    memset(g->a, 0, (size_t)(size / 2) * (size_t)(size / 2) * sizeof *g->a);
    memset(g->b, 0, (size_t)(size / 2) * (size_t)(size / 2) * sizeof *g->b);
    for (int32_t y = 0; y < size; ++y) {
        float row = height[1] * (((float)y + 0.5f) * texel - 1) + height[3];
        for (int32_t x = 0; x < size; ++x) {
            float d = depth[y * size + x];
            float way = row + height[0] * (((float)x + 0.5f) * texel - 1) + height[2] * (2 * d - 1);
            int32_t at = y / 2 * (size / 2) + x / 2;
            g->a[at] += d < 1 ? 0.25f : 0;
            g->b[at] += d < 1 && way > 0 ? 0.25f * way : 0;
        }
    }
}

// Mean way from what shades a texel to the ground, looked for nearby and, where little is near,
// farther off; negative when there is nothing.
static float wayToCaster(const GroundLight* g, int32_t size, int32_t x, int32_t y)
{
    int32_t far = (int32_t)(GROUND_BLUR * (float)size) + 1, near = far / 3;
    float there = boxMean(g->sums, size, x, y, far);
    // single precision leaves a trace of what was summed elsewhere
    if (there < 1e-4f) {
        return -1;
    }
    float way = boxMean(g->way_sums, size, x, y, far) / there;
    float close = boxMean(g->sums, size, x, y, near), weight = close < 0.05f ? 20 * close : 1;
    return close < 1e-4f ? way
                         : way + weight * (boxMean(g->way_sums, size, x, y, near) / close - way);
}

// Percentage-closer soft shadows (Fernando 2005) on a plane: the blur is as wide as the light looks
// from the ground through the mean distance of what is in its way. Two boxes one after the other
// leave no edges.
const uint8_t* blurShadow(GroundLight* g, const float* depth, int32_t size, const float height[4])
{
    measureCasters(g, depth, size, height);
    size /= 2;
    float *radii = g->a, *once = g->b;
    sumAreas(g->a, size, g->sums);
    sumAreas(g->b, size, g->way_sums);
    for (int32_t y = 0; y < size; ++y) {
        for (int32_t x = 0; x < size; ++x) {
            float way = wayToCaster(g, size, x, y), wanted = LIGHT_WIDTH * way;
            float radius = (wanted < GROUND_BLUR ? wanted : GROUND_BLUR) * (float)size;
            bool dark = way >= 0;
            radii[y * size + x] = dark ? 0.5f * radius + LEAST_BLUR : -1;
            once[y * size + x] = dark ? blurMean(g->sums, size, x, y, radii[y * size + x]) : 0;
        }
    }
    sumAreas(once, size, g->sums);
    for (int32_t y = 0; y < size; ++y) {
        for (int32_t x = 0; x < size; ++x) {
            float radius = radii[y * size + x];
            once[y * size + x] = radius < 0 ? 0 : blurMean(g->sums, size, x, y, radius);
        }
    }
    return toBytes(g, once, size);
}

const uint8_t* blurContact(GroundLight* g, const float* depth, int32_t size, float reach)
{
    static const float PARTS[2] = {0.55f, 0.35f};
    const int32_t radii[2] = {size / 70, size / 18};
    float* map = g->b;
    memset(map, 0, (size_t)size * (size_t)size * sizeof *map);
    for (int k = 0; k < 2; ++k) {
        for (int32_t i = 0; i < size * size; ++i) {
            float h = (2 * depth[i] - 1) * reach;
            g->a[i] = depth[i] >= 1 ? 0 : h <= 0 ? 1 : 1 / (1 + h * h);
        }
        // three boxes are as good as a bell
        for (int pass = 0; pass < 3; ++pass) {
            sumAreas(g->a, size, g->sums);
            for (int32_t y = 0; y < size; ++y) {
                for (int32_t x = 0; x < size; ++x) {
                    g->a[y * size + x] = boxMean(g->sums, size, x, y, radii[k]);
                }
            }
        }
        for (int32_t i = 0; i < size * size; ++i) {
            map[i] += PARTS[k] * g->a[i];
        }
    }
    return toBytes(g, map, size);
}
