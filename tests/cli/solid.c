// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// needs: cli

// Shapes of obstacles as triangles: closed, outward, of the right size and in the right place.
#include "check.h"

#include <cli/solid.h>
#include <render/shapes.h>

#define PI 3.141592653589793
#define ROUND 0.01 // flat facets have less area than what is round

static const snTransform POSE = {{0.5, -0.25, 2}, {0.5, 0.5, 0.5, 0.5}}; // x to y to z to x

static Solid makeOne(const snShapeDef* shapes, int32_t count)
{
    Solid s;
    const snObstacleDef def = {.shape_count = count, .shapes = shapes};
    assert_true(makeSolid(&def, &s));
    return s;
}

static void expectArea(const snShapeDef* shape, double area, double tolerance)
{
    Solid s = makeOne(shape, 1);
    MeshForm form = measureMesh(s.positions, s.triangles, s.triangle_count);
    assert_int_equal(form.side, 1);
    assert_close(form.area, area, tolerance * area);
    // normals are unit and point the same way as their triangles
    for (int32_t i = 0; i < s.triangle_count; ++i) {
        const int32_t* t = s.triangles + 3 * (ptrdiff_t)i;
        const float *a = s.positions + 3 * (ptrdiff_t)t[0], *b = s.positions + 3 * (ptrdiff_t)t[1],
                    *c = s.positions + 3 * (ptrdiff_t)t[2];
        float n[3], length = 0, dot = 0;
        for (int k = 0; k < 3; ++k) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            n[k] = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
            length += n[k] * n[k];
        }
        for (int k = 0; k < 3; ++k) {
            dot += n[k] * s.normals[3 * (ptrdiff_t)t[0] + k];
        }
        assert_true(length == 0 || dot > 0.98f * sqrtf(length));
    }
    freeSolid(&s);
}

static void shapesAreClosedAndOutward(void** state)
{
    (void)state;
    static const snVec3 CORNERS[5] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 1, 0}};
    static const int32_t FACES[18] = {0, 1, 2, 0, 2, 3, 1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3, 4};
    const snShapeDef box = {.kind = sn_shapeBox, .pose = POSE, .half = {1, 2, 3}};
    const snShapeDef ball = {.kind = sn_shapeSphere, .pose = POSE, .radius = 2, .half_length = 9};
    const snShapeDef capsule = {
        .kind = sn_shapeCapsule, .pose = POSE, .radius = 0.5, .half_length = 1};
    const snShapeDef pyramid = {.kind = sn_shapeMesh,
                                .pose = POSE,
                                .vertex_count = 5,
                                .triangle_count = 6,
                                .vertices = CORNERS,
                                .triangles = FACES};
    expectArea(&box, 8.0 * (2 + 3 + 6), 1e-6);
    expectArea(&ball, 16 * PI, ROUND);
    expectArea(&capsule, PI + 2 * PI, ROUND);
    expectArea(&pyramid, 4 + 4 * sqrt(2), 1e-6);
}

// A capsule's line runs along its y, which the pose turns to z.
static void shapesArePosed(void** state)
{
    (void)state;
    static const snVec3 NORMALS[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    const snShapeDef two[2] = {
        {.kind = sn_shapeCapsule, .pose = POSE, .radius = 0.5, .half_length = 1},
        {.kind = sn_shapeBox, .pose = {{0, 10, 0}, {0, 0, 0, 1}}, .half = {0.1, 0.2, 0.3}}};
    Solid s = makeOne(two, 2);
    DrawList list = {0};
    Extent e = emptyExtent();
    const snTransform pose = {{100, 0, 0}, {0, 0, 0, 1}};
    paintSolid(&s, &pose, (snVec3){100, 0, 0}, (Colour){1, 1, 1, 1}, false, &list);
    assert_int_equal(list.count, 1);
    measureItem(&list.items[0], NORMALS, &e);
    assert_close(e.low.x, -0.1, 1e-6);
    assert_close(e.high.x, 1, 1e-6);
    assert_close(e.low.y, -0.75, 1e-6);
    assert_close(e.high.y, 10.2, 1e-6);
    assert_close(e.low.z, -0.3, 1e-6);
    assert_close(e.high.z, 3.5, 1e-6);
    clearDrawList(&list);
    freeSolid(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapesAreClosedAndOutward),
        cmocka_unit_test(shapesArePosed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
