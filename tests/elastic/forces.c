// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The passes in motion: tiny explicit dynamics on the fast forces.

#include "elastic/box.h"

static const double edge = 0.1, young = 30e3, density = 1000;

static const snMaterial laws[] = {
    {sn_materialStvk, sn_diagonalizeSelective, SN_STRETCH_LOWER, SN_STRETCH_UPPER},
    {sn_materialStvk, sn_diagonalizeAlways, SN_STRETCH_LOWER, SN_STRETCH_UPPER},
    {sn_materialNeoHookean, sn_diagonalizeSelective, 0, 0},
    {sn_materialCorotated, sn_diagonalizeSelective, 0, 0},
};
enum { LAWS = sizeof laws / sizeof *laws };

// Symplectic Euler with equal masses; drag per second.
static void run(Box* b, double h, int steps, double drag)
{
    float kick = (float)(h / (density * pow(edge, 3) / 4)), keep = (float)(1 - h * drag);
    for (int k = 0; k < steps; ++k) {
        snCells_Forces(b->cells, b->tasks, snCpu_Best(), b->x, b->v, b->work, b->f);
        for (int32_t n = 0; n < b->def.node_count; ++n) {
            snVec4f *x = &b->x[n], *v = &b->v[n];
            const snVec4f* f = &b->f[n];
            v->x = keep * v->x + kick * f->x, x->x += (float)h * v->x;
            v->y = keep * v->y + kick * f->y, x->y += (float)h * v->y;
            v->z = keep * v->z + kick * f->z, x->z += (float)h * v->z;
        }
    }
}

static double distance(const snVec4f* a, const snVec4f* b)
{
    return snLength(snV3((double)(a->x - b->x), (double)(a->y - b->y), (double)(a->z - b->z)));
}

// Every edge of every cell is as long as at rest, and no cell is inside out.
static void assertRecovered(Box* b)
{
    snCellsCount count =
        snCells_Forces(b->cells, b->tasks, snCpu_Best(), b->x, b->v, b->work, b->f);
    assert_int_equal(count.inverted, 0);
    for (int32_t i = 0; i < b->def.cell_count; ++i) {
        for (int k = 0; k < 6; ++k) {
            static const int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
            int32_t n = b->tets[4 * i + pairs[k][0]], m = b->tets[4 * i + pairs[k][1]];
            const double *X = b->rest + 3 * (size_t)n, *Y = b->rest + 3 * (size_t)m;
            double want = snLength(snV3(X[0] - Y[0], X[1] - Y[1], X[2] - Y[2]));
            assert_relative(distance(&b->x[n], &b->x[m]), want, 0.01, 0);
        }
    }
}

// One tet, then a whole box: pressed flat; turned inside out; crushed to nearly a point.
static void bodiesRecover(void** state)
{
    (void)state;
    const float scales[4][3] = {{1, 0, 1}, {-1, 1.01F, 0.99F}, {1, 0, 0.01F}, {0.01F, 0.02F, 0}};
    for (int i = 0; i < 4 * LAWS * 2; ++i) {
        Box b;
        boxInit(&b, 2, 2, 2, edge, young, 0.4);
        b.def.material = laws[i % LAWS];
        b.def.damping = 2e-3;
        if (i < 4 * LAWS) {
            b.def.cell_count = 1;
        }
        boxBuild(&b, 1);
        const float* s = scales[i / LAWS % 4];
        snRandom r = snRandom_Seed(1);
        for (int32_t n = 0; n < b.def.node_count; ++n) {
            const double* X = b.rest + 3 * (size_t)n;
            float tiny = (float)snRandom_Range(&r, 0, 1e-4 * edge);
            b.x[n] =
                (snVec4f){s[0] * (float)X[0] + tiny, s[1] * (float)X[1], s[2] * (float)X[2], 0};
        }
        if (i / LAWS % 4 == 1 && i >= 4 * LAWS) {
            // a whole box inside out stays so: its way back would lead through itself; one corner
            for (int32_t n = 0; n < b.def.node_count; ++n) {
                const double* X = b.rest + 3 * (size_t)n;
                b.x[n] = (snVec4f){(float)X[0], (float)X[1], (float)X[2], 0};
            }
            b.x[0] = (snVec4f){(float)(1.5 * edge), (float)(1.4 * edge), (float)(1.3 * edge), 0};
        }
        run(&b, 6e-4, 3000, 6);
        assertRecovered(&b);
        boxFree(&b);
    }
}

// The two ways of StVK to the same motion: stretches of 1.5 and inverted cells on the way.
static void selectiveMovesAsAlways(void** state)
{
    (void)state;
    const double tolerance = 2e-4; // of an edge; float rounding, grown over 300 steps
    Box b[2];
    for (int i = 0; i < 2; ++i) {
        boxInit(&b[i], 6, 2, 2, edge, young, 0.4);
        b[i].def.material = laws[i];
        boxBuild(&b[i], 1);
        for (int32_t n = 0; n < b[i].def.node_count; ++n) {
            const double* X = b[i].rest + 3 * (size_t)n;
            b[i].x[n] = (snVec4f){(float)(1.5 * X[0]), (float)(0.6 * X[1]),
                                  (float)(X[2] + 0.3 * X[0] * X[0]), 0};
        }
        run(&b[i], 2e-4, 300, 0);
    }
    double most = 0;
    for (int32_t n = 0; n < b[0].def.node_count; ++n) {
        double d = distance(&b[0].x[n], &b[1].x[n]);
        most = d <= most ? most : d;
    }
    assert_below(most, tolerance * edge);
    boxFree(&b[0]);
    boxFree(&b[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodiesRecover),
        cmocka_unit_test(selectiveMovesAsAlways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
