// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "elastic/box.h"

static const snMaterial laws[] = {
    {sn_materialStvk, sn_diagonalizeAlways, SN_STRETCH_LOWER, SN_STRETCH_UPPER},
    {sn_materialStvk, sn_diagonalizeNone, SN_STRETCH_LOWER, SN_STRETCH_UPPER},
    {sn_materialNeoHookean, sn_diagonalizeSelective, 0, 0},
    {sn_materialCorotated, sn_diagonalizeSelective, 0, 0},
};
enum { LAWS = sizeof laws / sizeof *laws, STATES = 5 };

typedef struct Model {
    Box box;
    size_t count;
    double *x, *v, *f, *work;
} Model;

static void modelInit(Model* m, int n)
{
    boxInit(&m->box, n, n, n, 1, 2.8, 0.4); // mu = 1
    m->count = 3 * (size_t)m->box.def.node_count;
    double** vectors[] = {&m->x, &m->v, &m->f, &m->work};
    for (int i = 0; i < 4; ++i) {
        *vectors[i] = boxArray(&m->box, m->count, sizeof(double));
    }
    for (int32_t i = 0; i < m->box.def.cell_count; ++i) {
        m->box.weight[i] = 1 - 0.01 * i;
        m->box.lambda[i] *= 1 + 0.1 * (i % 3);
    }
}

// F of a state times the rest positions, and noise
static void pose(Model* m, int state, snRandom* r)
{
    const snMat3 kinds[STATES] = {
        snMat3_Identity(),
        snMat3_Diagonal(1.8, 0.9, 1),
        snMat3_Diagonal(1, 0.4, 1.1),
        snMat3_Diagonal(1.1, 0, 0.9),
        snMat3_Diagonal(1.1, 0.8, -0.4),
    };
    snMat3 F = snMatMul(snMatFromQ(drawQuat(r)), kinds[state]);
    double noise = state == 0 ? 0.3 : 0.1;
    for (size_t i = 0; i < m->count; i += 3) {
        const double* X = m->box.rest + i;
        snVec3 x = snMatVec(F, snV3(X[0], X[1], X[2]));
        x = snMulAdd(x, noise, drawVec(r));
        snVec3 v = drawVec(r);
        m->x[i] = x.x, m->x[i + 1] = x.y, m->x[i + 2] = x.z;
        m->v[i] = v.x, m->v[i + 1] = v.y, m->v[i + 2] = v.z;
    }
}

static double energyAt(Model* m)
{
    return snCells_Forces_ref(&m->box.def, m->x, NULL, m->work, NULL);
}

static void forceIsMinusTheSlopeOfEnergy(void** state)
{
    (void)state;
    // rounding 1e-15 / step; truncation of second order, of first where a stretch passes an end of
    // the range
    const double step = 1e-6, tolerance = 1e-5;
    snRandom r = snRandom_Seed(1);
    Model m;
    modelInit(&m, 2);
    for (int i = 0; i < 2 * LAWS * STATES; ++i) {
        m.box.def.material = laws[i / 2 % LAWS];
        m.box.def.node_averaged = i % 2;
        pose(&m, i / (2 * LAWS), &r);
        snCells_Forces_ref(&m.box.def, m.x, NULL, m.work, m.f);
        for (size_t k = 0; k < m.count; ++k) {
            double x = m.x[k];
            m.x[k] = x + step;
            double up = energyAt(&m);
            m.x[k] = x - step;
            double slope = (up - energyAt(&m)) / (2 * step);
            m.x[k] = x;
            assert_close(-slope, m.f[k], tolerance * (1 + gap(m.f, NULL, m.count)));
        }
    }
    boxFree(&m.box);
}

static void dampingOnlyTakes(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    Model m;
    modelInit(&m, 2);
    for (int i = 0; i < 4 * STATES; ++i) {
        pose(&m, i % STATES, &r);
        m.box.def.damping = 0;
        snCells_Forces_ref(&m.box.def, m.x, m.v, m.work, m.f);
        double power = 0;
        for (size_t k = 0; k < m.count; ++k) {
            power -= m.f[k] * m.v[k];
        }
        m.box.def.damping = 0.1;
        snCells_Forces_ref(&m.box.def, m.x, m.v, m.work, m.f);
        for (size_t k = 0; k < m.count; ++k) {
            power += m.f[k] * m.v[k];
        }
        assert_true(power < -0.01);
    }
    boxFree(&m.box);
}

static void energyIsPositiveExceptAtRest(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    Model m;
    modelInit(&m, 2);
    for (int i = 0; i < 2 * LAWS * STATES; ++i) {
        m.box.def.material = laws[i / 2 % LAWS];
        m.box.def.node_averaged = i % 2;
        pose(&m, i / (2 * LAWS), &r);
        assert_true(energyAt(&m) > 0.01);
        snMat3 R = snMatFromQ(drawQuat(&r));
        for (size_t k = 0; k < m.count; k += 3) {
            snVec3 x = snMatVec(R, snV3(m.box.rest[k], m.box.rest[k + 1], m.box.rest[k + 2]));
            m.x[k] = x.x + 5, m.x[k + 1] = x.y - 3, m.x[k + 2] = x.z;
        }
        double energy = snCells_Forces_ref(&m.box.def, m.x, NULL, m.work, m.f);
        assert_below(fabs(energy), 1e-13);
        assert_below(gap(m.f, NULL, m.count), 1e-13);
    }
    boxFree(&m.box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forceIsMinusTheSlopeOfEnergy),
        cmocka_unit_test(dampingOnlyTakes),
        cmocka_unit_test(energyIsPositiveExceptAtRest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
