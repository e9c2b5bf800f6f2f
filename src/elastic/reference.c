// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The plain version of what forces.c and cells_isa.c do.

#include "elastic/cells.h"

static snVec3 vec(const double* x, int32_t node)
{
    const double* p = x + 3 * (size_t)node;
    return snV3(p[0], p[1], p[2]);
}

static snMat3 edges(const double* x, const int32_t* n)
{
    snVec3 o = vec(x, n[0]);
    return snMatFromCols(snSub(vec(x, n[1]), o), snSub(vec(x, n[2]), o), snSub(vec(x, n[3]), o));
}

static void addTo(double* f, int32_t node, snVec3 a)
{
    double* p = f + 3 * (size_t)node;
    p[0] += a.x, p[1] += a.y, p[2] += a.z;
}

static double weightOf(const snCellsDef* def, int32_t cell)
{
    return def->weight ? def->weight[cell] : 1;
}

// Node-averaged volume: J_n = sum V w J / sum V w over the cells of node n, W_n = sum V w / 4,
// lambda_n the mean of lambda; Psi = sum W_n lambda_n / 2 (J_n - 1)^2. Pressures lambda_n (J_n - 1)
// are left in p, which makes P = dJ/dF times the mean p of a cell's nodes (Bonet & Burton 1998).
static double nodePressures(const snCellsDef* def, const double* x, double* work)
{
    const int32_t nodes = def->node_count;
    double *p = work, *volume = work + nodes, *lambda = work + 2 * (size_t)nodes, energy = 0;
    memset(work, 0, 3 * (size_t)nodes * sizeof *work);
    for (int32_t i = 0; i < def->cell_count; ++i) {
        const int32_t* n = def->tets + 4 * (size_t)i;
        double rest = snDet(edges(def->rest, n)), v = weightOf(def, i) * rest / 24;
        double J = snDet(edges(x, n)) / rest;
        for (int k = 0; k < 4; ++k) {
            p[n[k]] += v * (J - 1);
            volume[n[k]] += v;
            lambda[n[k]] += v * def->lambda[i];
        }
    }
    for (int32_t n = 0; n < nodes; ++n) {
        double swelling = volume[n] > 0 ? p[n] / volume[n] : 0;
        energy += 0.5 * lambda[n] * swelling * swelling;
        p[n] = volume[n] > 0 ? lambda[n] / volume[n] * swelling : 0;
    }
    return energy;
}

double snCells_Forces_ref(const snCellsDef* def, const double* x, const double* v, double* work,
                          double* f)
{
    double energy = def->node_averaged ? nodePressures(def, x, work) : 0;
    if (f) {
        memset(f, 0, 3 * (size_t)def->node_count * sizeof *f);
    }
    for (int32_t i = 0; i < def->cell_count; ++i) {
        const int32_t* n = def->tets + 4 * (size_t)i;
        double mu = def->mu[i], lambda = def->node_averaged ? 0 : def->lambda[i];
        snMat3 Dm = edges(def->rest, n), B = snMatInverse(Dm, NULL), F = snMatMul(edges(x, n), B);
        double volume = weightOf(def, i) * snDet(Dm) / 6;
        energy += volume * snMaterial_Energy(&def->material, F, mu, lambda);
        if (!f) {
            continue;
        }
        snMat3 P = snMaterial_Stress(&def->material, F, mu, lambda);
        if (v) {
            snMat3 Fdot = snMatMul(edges(v, n), B);
            P = snMatAdd(P, snDampingStressd(F, Fdot, def->damping * mu, def->damping * lambda));
        }
        if (def->node_averaged) {
            double p = (work[n[0]] + work[n[1]] + work[n[2]] + work[n[3]]) / 4;
            P = snMatAdd(P, snMatScale(p, snCofactord(F)));
        }
        snMat3 H = snMatScale(-volume, snMatMul(P, snTranspose(B)));
        snVec3 f1 = snMatCol(H, 0), f2 = snMatCol(H, 1), f3 = snMatCol(H, 2);
        addTo(f, n[1], f1);
        addTo(f, n[2], f2);
        addTo(f, n[3], f3);
        addTo(f, n[0], snNeg(snAdd(snAdd(f1, f2), f3)));
    }
    return energy;
}
