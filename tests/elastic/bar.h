// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Bars of square section, clamped at one end, under their own weight, against beam theory: how
// stiff the cells are, with and without node-averaged volume. Small displacements, in double, by
// snCells_Forces_ref. Body-centred cubic cells, whose faces at the surface are all split the same
// way: the stiffest choice, made so that locking shows.
#ifndef SN_TESTS_ELASTIC_BAR_H
#define SN_TESTS_ELASTIC_BAR_H

#include "elastic/box.h"

// One metre long; 30 kPa, 1000 kg/m3.
enum { SLENDER = 10 };
static const double length = 1, height = 1.0 / SLENDER, young = 30e3, density = 1000;

typedef struct Bar {
    Box box;
    size_t count;               // numbers in a vector
    double *x, *f, *work;       // for the reference
    double *u, *r, *p, *Kp, *m; // displacement, residual, direction, K p; lumped mass
} Bar;

static inline void addTet(Box* b, int32_t* at, int32_t n0, int32_t n1, int32_t n2, int32_t n3)
{
    int32_t n[4] = {n0, n1, n2, n3};
    snVec3 e[4];
    for (int k = 0; k < 4; ++k) {
        const double* x = b->rest + 3 * (size_t)n[k];
        e[k] = snV3(x[0], x[1], x[2]);
    }
    bool turn = snDot(snCross(snSub(e[1], e[0]), snSub(e[2], e[0])), snSub(e[3], e[0])) < 0;
    int32_t* t = b->tets + 4 * (size_t)(*at)++;
    t[0] = n[0], t[1] = n[turn ? 2 : 1], t[2] = n[turn ? 1 : 2], t[3] = n[3];
}

// The tets at one face of the cube with centre node `centre`: four about the line to the next
// cube's centre, made by the lower cube, or two at the surface.
static inline void addFace(Box* b, int32_t* at, const int cube[3], int axis, int side,
                           int32_t centre, int32_t next)
{
    int corner[4][3];
    int32_t n[4];
    int p = (axis + 1) % 3, q = (axis + 2) % 3;
    for (int k = 0; k < 4; ++k) {
        corner[k][axis] = cube[axis] + side;
        corner[k][p] = cube[p] + (k == 1 || k == 2);
        corner[k][q] = cube[q] + (k == 2 || k == 3);
        n[k] = boxNode(b, corner[k][0], corner[k][1], corner[k][2]);
    }
    bool inside = side ? cube[axis] + 1 < b->cubes[axis] : cube[axis] > 0;
    if (!inside) {
        addTet(b, at, centre, n[0], n[1], n[2]);
        addTet(b, at, centre, n[0], n[2], n[3]);
    }
    for (int k = 0; k < 4 && inside && side; ++k) {
        addTet(b, at, centre, next, n[k], n[(k + 1) % 4]);
    }
}

static inline void latticeInit(Box* b, int nx, int ny, int nz, double edge, double poisson)
{
    const int stride[3] = {1, nx, nx * ny};
    int32_t corners = (nx + 1) * (ny + 1) * (nz + 1), at = 0;
    int32_t inner = (nx - 1) * ny * nz + nx * (ny - 1) * nz + nx * ny * (nz - 1);
    int32_t outer = 2 * (nx * ny + ny * nz + nx * nz);
    boxBegin(b, (size_t)(corners + nx * ny * nz), (size_t)(4 * inner + 2 * outer), young, poisson);
    boxCorners(b, nx, ny, nz, edge);
    for (int32_t i = 0; i < nx * ny * nz; ++i) {
        double* x = b->rest + 3 * (size_t)(corners + i);
        x[0] = edge * (i % nx + 0.5), x[1] = edge * (i / nx % ny + 0.5);
        x[2] = edge * (i / nx / ny + 0.5);
    }
    for (int32_t i = 0; i < nx * ny * nz; ++i) {
        const int cube[3] = {i % nx, i / nx % ny, i / nx / ny};
        for (int face = 0; face < 6; ++face) {
            int32_t centre = corners + i;
            addFace(b, &at, cube, face / 2, face % 2, centre, centre + stride[face / 2]);
        }
    }
    assert_int_equal(at, b->def.cell_count);
}

static inline void barInit(Bar* b, int across, double poisson, bool averaged)
{
    Box* box = &b->box;
    latticeInit(box, SLENDER * across, across, across, height / across, poisson);
    // without rotations to speak of, the plain law will do
    box->def.material.diagonalize = sn_diagonalizeNone;
    box->def.node_averaged = averaged;
    b->count = 3 * (size_t)box->def.node_count;
    double** vectors[] = {&b->x, &b->f, &b->work, &b->u, &b->r, &b->p, &b->Kp, &b->m};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        *vectors[i] = boxArray(box, b->count, sizeof(double));
    }
    // inner and outer cells have the same volume
    double share = density * height * height * length / box->def.cell_count / 4;
    for (int32_t i = 0; i < 4 * box->def.cell_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            b->m[3 * box->tets[i] + k] += share;
        }
    }
}

// Kp = K p at rest, clamped nodes left out: minus the forces for a displacement so small that their
// second order, 1e-6, does not matter
static inline void multiply(Bar* b)
{
    const double small = 1e-7 * height / fmax(gap(b->p, NULL, b->count), 1e-300);
    for (size_t i = 0; i < b->count; ++i) {
        b->x[i] = b->box.rest[i] + small * b->p[i];
    }
    snCells_Forces_ref(&b->box.def, b->x, NULL, b->work, b->f);
    for (size_t i = 0; i < b->count; ++i) {
        b->Kp[i] = b->box.rest[i - i % 3] > 0 ? -b->f[i] / small : 0;
    }
}

static inline double dot(const double* a, const double* c, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
        sum += a[i] * c[i];
    }
    return sum;
}

// Conjugate gradients for K u = M g, 1 m/s2 down, until forces are balanced to 0.1 %.
static inline void solve(Bar* b)
{
    for (size_t i = 0; i < b->count; ++i) {
        b->r[i] = i % 3 == 1 && b->box.rest[i - 1] > 0 ? -b->m[i] : 0;
        b->p[i] = b->r[i];
        b->u[i] = 0;
    }
    double rr = dot(b->r, b->r, b->count), goal = 1e-6 * rr;
    for (int k = 0; k < 5000 && rr > goal; ++k) {
        multiply(b);
        double alpha = rr / dot(b->p, b->Kp, b->count), old = rr;
        for (size_t i = 0; i < b->count; ++i) {
            b->u[i] += alpha * b->p[i];
            b->r[i] -= alpha * b->Kp[i];
        }
        rr = dot(b->r, b->r, b->count);
        for (size_t i = 0; i < b->count; ++i) {
            b->p[i] = b->r[i] + rr / old * b->p[i];
        }
    }
    assert_below(rr, goal);
}

// how far the end sinks, m
static inline double deflection(const Bar* b)
{
    double sum = 0;
    int n = b->box.cubes[1] + 1;
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
            sum -= b->u[3 * (size_t)boxNode(&b->box, b->box.cubes[0], j, k) + 1];
        }
    }
    return sum / (n * n);
}

// Rayleigh's quotient of the deflected shape: 0.4 % above the first frequency, rad/s
static inline double frequency(const Bar* b)
{
    double work = 0, mass = 0;
    for (size_t i = 0; i < b->count; ++i) {
        work += i % 3 == 1 ? -b->m[i] * b->u[i] : 0;
        mass += b->m[i] * b->u[i] * b->u[i];
    }
    return sqrt(work / mass);
}

// Deflection and frequency over those of Euler's beam, q L^4 / 8EI and 1.8751^2 sqrt(EI/m L^4). The
// shear that it leaves out is 1 % of the deflection.
typedef struct Ratio {
    double deflection, frequency;
} Ratio;

static inline Ratio measure(int across, double poisson, bool averaged)
{
    Bar b;
    barInit(&b, across, poisson, averaged);
    solve(&b);
    double per_mass = young * height * height / (12 * density);
    Ratio out = {deflection(&b) * 8 * per_mass / pow(length, 4),
                 frequency(&b) * length * length / (1.8751 * 1.8751 * sqrt(per_mass))};
    print_message("nu %.2f, %d across%s: deflection %.3f, frequency %.3f of the beam's\n", poisson,
                  across, averaged ? ", averaged" : "", out.deflection, out.frequency);
    boxFree(&b.box);
    return out;
}

#endif
