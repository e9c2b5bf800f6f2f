// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Largest stable steps: 2/omega, omega^2 the largest eigenvalue of M^-1 K at rest. All laws are
// linear elasticity there: K u = sum of V w P(grad u) B', P = mu (G + G') + lambda tr(G) I.

#include "base/message.h"
#include "base/random.h"
#include "elastic/cells.h"

// A body at rest, and vectors of three numbers per node.
typedef struct Body {
    const snCells* cells;
    const double* inverse_mass;
    snVec3 *u, *Ku;
    double* p; // node-averaged: pressure
} Body;

// One cell at rest.
typedef struct Cell {
    int32_t node[4];
    snVec3 g[4]; // gradients of the shape functions, 1/m: g1..g3 are the rows of B
    double volume, mu, lambda;
} Cell;

// Cells without weight bear nothing.
static bool cellAt(const snCells* cells, const snCellChunk* c, int32_t i, Cell* out)
{
    int32_t block = c->block_begin + i / SN_LANES;
    const snCellBlock* b = &cells->blocks[block];
    const snCellShape* shape = snCells_Shape(cells, block);
    const snCellLaw* law = snCells_Law(cells, block);
    int lane = i % SN_LANES;
    snVec3 sum = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        out->node[k] = cells->slot_nodes[c->slot_begin + b->node[k][lane]];
    }
    for (int k = 0; k < 3; ++k) {
        out->g[k + 1] = snV3((double)shape->B[3 * k][lane], (double)shape->B[3 * k + 1][lane],
                             (double)shape->B[3 * k + 2][lane]);
        sum = snAdd(sum, out->g[k + 1]);
    }
    out->g[0] = snNeg(sum);
    out->volume = (double)cells->volumes[block].of[lane];
    out->mu = (double)law->mu[lane];
    out->lambda = (double)law->lambda[lane];
    return out->volume > 0;
}

// fcn(body, cell, result) for every cell, in fixed order
static void forEach(const Body* body, void (*fcn)(const Body*, const Cell*, double*),
                    double* result)
{
    for (int32_t i = 0; i < body->cells->chunk_count; ++i) {
        const snCellChunk* c = &body->cells->chunks[i];
        for (int32_t k = 0; k < c->block_count * SN_LANES; ++k) {
            Cell cell;
            if (cellAt(body->cells, c, k, &cell)) {
                fcn(body, &cell, result);
            }
        }
    }
}

// Power iteration -------------------------------------------------------------

static double divergence(const Body* body, const Cell* cell)
{
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        sum += snDot(cell->g[k], body->u[cell->node[k]]);
    }
    return sum;
}

static void addSwelling(const Body* body, const Cell* cell, double* p)
{
    double share = cell->volume / 4 * divergence(body, cell);
    for (int k = 0; k < 4; ++k) {
        p[cell->node[k]] += share;
    }
}

static void addStiffness(const Body* body, const Cell* cell, double* Ku)
{
    snMat3 G = snMatScale(0, snMat3_Identity());
    double p = 0;
    for (int k = 0; k < 4; ++k) {
        G = snMatAdd(G, snOuter(body->u[cell->node[k]], cell->g[k]));
        p += body->cells->node_averaged ? body->p[cell->node[k]] / 4 : 0;
    }
    p += cell->lambda * (G.m00 + G.m11 + G.m22);
    snMat3 P = snMatAdd(snMatScale(cell->mu, snMatAdd(G, snTranspose(G))),
                        snMatScale(p, snMat3_Identity()));
    for (int k = 0; k < 4; ++k) {
        double* out = Ku + 3 * (size_t)cell->node[k];
        snVec3 f = snScale(cell->volume, snMatVec(P, cell->g[k]));
        out[0] += f.x, out[1] += f.y, out[2] += f.z;
    }
}

static void multiply(const Body* body)
{
    const snCells* cells = body->cells;
    size_t nodes = (size_t)cells->node_count;
    if (cells->node_averaged) {
        memset(body->p, 0, nodes * sizeof *body->p);
        forEach(body, addSwelling, body->p);
        for (size_t n = 0; n < nodes; ++n) {
            double volume = (double)cells->node_volume[n];
            body->p[n] *= volume > 0 ? (double)cells->node_lambda[n] / volume : 0;
        }
    }
    memset(body->Ku, 0, nodes * sizeof *body->Ku);
    forEach(body, addStiffness, &body->Ku->x);
}

// u <- M^-1 K u, scaled to u'Mu = 1; returns u'Ku before that: Rayleigh's quotient of the old u
static double iterate(const Body* body)
{
    multiply(body);
    double quotient = 0, square = 0;
    for (int32_t n = 0; n < body->cells->node_count; ++n) {
        quotient += snDot(body->u[n], body->Ku[n]);
        square += body->inverse_mass[n] * snLengthSq(body->Ku[n]);
    }
    double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (int32_t n = 0; n < body->cells->node_count; ++n) {
        body->u[n] = snScale(scale * body->inverse_mass[n], body->Ku[n]);
    }
    return quotient;
}

static double largestEigenvalue(const Body* body, int iterations)
{
    // standing still: Rayleigh's quotient errs quadratically, but creeps where many eigenvalues are
    // close
    const double still = 1e-7;
    snRandom random = snRandom_Seed(1);
    double square = 0, last = 0;
    for (int32_t n = 0; n < body->cells->node_count; ++n) {
        double x = snRandom_Normal(&random), y = snRandom_Normal(&random);
        double m = body->inverse_mass[n];
        body->u[n] = snV3(0, 0, 0);
        if (m > 0) {
            body->u[n] = snScale(sqrt(m), snV3(x, y, snRandom_Normal(&random)));
            square += snLengthSq(body->u[n]) / m;
        }
    }
    double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (int32_t n = 0; n < body->cells->node_count; ++n) {
        body->u[n] = snScale(scale, body->u[n]);
    }
    for (int i = 0; i < iterations; ++i) {
        double now = iterate(body);
        bool stands = now - last <= still * now && i > 10;
        last = now > last ? now : last;
        if (stands) {
            break;
        }
    }
    return last;
}

// Bound -----------------------------------------------------------------------

// K and M are sums over cells, so omega^2 is at most the largest of a single cell (Irons & Treharne
// 1971), for any division of the nodes' masses among cells. Here in proportion to the diagonal of
// K, V w (2 mu + lambda)|g|^2: so slivers get what they need.

static double cellLambda(const Body* body, const Cell* cell)
{
    double sum = 0;
    if (!body->cells->node_averaged) {
        return cell->lambda;
    }
    for (int k = 0; k < 4; ++k) {
        sum += (double)body->cells->node_lambda[cell->node[k]];
    }
    return sum / 4; // squares of means are at most means of squares
}

static double diagonal(const Body* body, const Cell* cell, int k)
{
    double modulus = 2 * cell->mu + cellLambda(body, cell);
    return cell->volume * modulus * snLengthSq(cell->g[k]);
}

static void addDiagonal(const Body* body, const Cell* cell, double* sums)
{
    for (int k = 0; k < 4; ++k) {
        sums[cell->node[k]] += diagonal(body, cell, k);
    }
}

// With A = sum g g'/m over the cell's nodes, 2 mu |sym grad u|^2 <= 2 mu |A| u'Mu and
// lambda (div u)^2 <= lambda tr(A) u'Mu.
static void boundCell(const Body* body, const Cell* cell, double* most)
{
    snMat3 A = snMatScale(0, snMat3_Identity());
    for (int k = 0; k < 4; ++k) {
        int32_t n = cell->node[k];
        double mine = diagonal(body, cell, k);
        double inverse = mine > 0 ? body->inverse_mass[n] * body->p[n] / mine : 0;
        A = snMatAdd(A, snMatScale(inverse, snOuter(cell->g[k], cell->g[k])));
    }
    double trace = A.m00 + A.m11 + A.m22;
    double value = cell->volume * (2 * cell->mu * snSvd3d(A).s0 + cellLambda(body, cell) * trace);
    *most = value > *most ? value : *most;
}

static double eigenvalueBound(const Body* body)
{
    double most = 0;
    memset(body->p, 0, (size_t)body->cells->node_count * sizeof *body->p);
    forEach(body, addDiagonal, body->p);
    forEach(body, boundCell, &most);
    return most;
}

// Steps -----------------------------------------------------------------------

// 2/omega (sqrt(1 + zeta^2) - zeta), zeta = damping time * omega / 2: damping forces taken from the
// velocity before the step, as explicit integrators do
static double stepFor(double eigenvalue, double damping)
{
    double omega = sqrt(eigenvalue), zeta = 0.5 * damping * omega;
    return eigenvalue > 0 ? 2 / (omega * (sqrt(1 + zeta * zeta) + zeta)) : (double)INFINITY;
}

void snCells_RestStiffness(const snCells* cells, float* stiffness)
{
    memset(stiffness, 0, (size_t)cells->node_count * sizeof *stiffness);
    for (int32_t i = 0; i < cells->chunk_count; ++i) {
        const snCellChunk* c = &cells->chunks[i];
        for (int32_t k = 0; k < c->block_count * SN_LANES; ++k) {
            Cell cell;
            for (int n = 0; cellAt(cells, c, k, &cell) && n < 4; ++n) {
                const Body body = {.cells = cells};
                stiffness[cell.node[n]] += (float)diagonal(&body, &cell, n);
            }
        }
    }
}

snStatus snCells_StableStep(const snCells* cells, const snHost* host, const double* inverse_mass,
                            int iterations, snStableStep* out, snMessage* why)
{
    snMessage_Clear(why);
    for (int32_t n = 0; n < cells->node_count; ++n) {
        if (!(inverse_mass[n] >= 0 && isfinite(inverse_mass[n]))) {
            return snFail(why, sn_errorArgument, "node %d: its mass must be positive, or infinite",
                          n);
        }
    }
    size_t nodes = (size_t)cells->node_count, bytes = nodes * (2 * sizeof(snVec3) + sizeof(double));
    char* memory = snHost_Allocate(host, bytes + 1);
    if (!memory) {
        return snFail(why, sn_errorMemory, "out of memory for %d nodes", cells->node_count);
    }
    Body body = {cells, inverse_mass, (void*)memory, (void*)(memory + nodes * sizeof(snVec3)),
                 (void*)(memory + 2 * nodes * sizeof(snVec3))};
    double bound = eigenvalueBound(&body);
    double found = largestEigenvalue(&body, iterations);
    double stiffest = 1;
    if (cells->material.kind != sn_materialCorotated) {
        bool stvk = cells->material.kind == sn_materialStvk;
        double upper = stvk ? cells->material.upper : SN_STRETCH_UPPER;
        stiffest = (3 * upper * upper - 1) / 2;
        if (stvk) { // pressed flat: e'^2 - e e''
            double lower = cells->material.lower, b = SN_STRETCH_STEEPER;
            double slope = snStretchSloped(SN_STRETCH_FLAT, lower, upper);
            double flat = slope * slope - 2 * b * snStretchStraind(SN_STRETCH_FLAT, lower, upper);
            stiffest = flat > stiffest ? flat : stiffest;
        }
    }
    out->rest = stepFor(found, cells->damping);
    out->admitted = stepFor(found * stiffest, cells->damping);
    out->bound = stepFor(bound, cells->damping);
    snHost_Release(host, memory, bytes + 1);
    return sn_ok;
}
