// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// needs: cli

// Hard edges: a cube has them, a ball has none, a bent strip where it is bent.
#include "check.h"

#include <render/creases.h>
#include <render/shapes.h>

static void expectSame(const Creases* c, const int32_t* triangles)
{
    for (int32_t i = 0; i < 3 * c->triangle_count; ++i) {
        assert_int_equal(c->origins[c->triangles[i]], triangles[i]);
    }
}

static void aCubeHasSixSides(void** state)
{
    (void)state;
    static const int32_t FACES[12 * 3] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                          3, 6, 2, 3, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};
    static const float CORNERS[8 * 3] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0,
                                         0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    Creases c;
    assert_true(findCreases(CORNERS, 8, FACES, 12, CREASE_COSINE, &c));
    assert_int_equal(c.vertex_count, 24);
    expectSame(&c, FACES);
    for (int32_t i = 0; i < 12; i += 2) { // the two halves of a side share its diagonal
        int shared = 0;
        for (int k = 0; k < 9; ++k) {
            shared += c.triangles[3 * i + k / 3] == c.triangles[3 * i + 3 + k % 3];
        }
        assert_int_equal(shared, 2);
    }
    freeCreases(&c);
    // without a limit everything is smooth
    assert_true(findCreases(CORNERS, 8, FACES, 12, -1, &c));
    assert_int_equal(c.vertex_count, 8);
    assert_memory_equal(c.triangles, FACES, sizeof FACES);
    freeCreases(&c);
}

static void aBallIsSmooth(void** state)
{
    (void)state;
    static Shape s;
    static float positions[3 * SHAPE_MOST_VERTICES];
    makeCapsule(&s, 16, 4);
    for (int i = 0; i < s.vertex_count; ++i) {
        memcpy(positions + 3 * i, s.vertices + 4 * i, 3 * sizeof(float));
    }
    Creases c;
    assert_true(
        findCreases(positions, s.vertex_count, s.triangles, s.triangle_count, CREASE_COSINE, &c));
    assert_int_equal(c.vertex_count, s.vertex_count);
    expectSame(&c, s.triangles);
    freeCreases(&c);
}

// Two quads that meet at an angle, the second one as given or turned over.
static int32_t bendStrip(double degrees, bool turned)
{
    double a = degrees * 3.141592653589793 / 180;
    const float p[6 * 3] = {-1,
                            0,
                            0,
                            -1,
                            0,
                            1,
                            0,
                            0,
                            0,
                            0,
                            0,
                            1,
                            (float)cos(a),
                            (float)sin(a),
                            0,
                            (float)cos(a),
                            (float)sin(a),
                            1};
    const int32_t straight[12] = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4};
    const int32_t over[12] = {0, 1, 3, 0, 3, 2, 3, 2, 5, 5, 2, 4};
    Creases c;
    assert_true(findCreases(p, 6, turned ? over : straight, 4, CREASE_COSINE, &c));
    expectSame(&c, turned ? over : straight);
    int32_t count = c.vertex_count;
    freeCreases(&c);
    return count;
}

static void theAngleDecides(void** state)
{
    (void)state;
    assert_int_equal(bendStrip(0, false), 6);
    assert_int_equal(bendStrip(50, false), 6);
    assert_int_equal(bendStrip(-50, false), 6);
    assert_int_equal(bendStrip(60, false), 8);
    assert_int_equal(bendStrip(-60, false), 8);
    // sides of triangles that were put together wrongly do not share a normal
    assert_int_equal(bendStrip(0, true), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aCubeHasSixSides),
        cmocka_unit_test(aBallIsSmooth),
        cmocka_unit_test(theAngleDecides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
