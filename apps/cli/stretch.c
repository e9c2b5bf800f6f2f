// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/stretch.h"

#include <math.h>
#include <stdlib.h>

// Edges of a cell from its first node, as columns.
typedef struct Edges {
    double m[3][3];
} Edges;

static Edges edgesAtRest(const snFleshInfo* f, const int32_t* cell)
{
    Edges e;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) {
            e.m[row][k] = f->nodes[3 * (size_t)cell[k + 1] + (size_t)row] -
                          f->nodes[3 * (size_t)cell[0] + (size_t)row];
        }
    }
    return e;
}

static Edges edgesNow(const float* nodes, const int32_t* cell)
{
    Edges e;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) {
            e.m[row][k] = (double)nodes[3 * (size_t)cell[k + 1] + (size_t)row] -
                          (double)nodes[3 * (size_t)cell[0] + (size_t)row];
        }
    }
    return e;
}

static double cofactor(const Edges* e, int row, int column)
{
    int a = (row + 1) % 3, b = (row + 2) % 3, c = (column + 1) % 3, d = (column + 2) % 3;
    return e->m[a][c] * e->m[b][d] - e->m[a][d] * e->m[b][c];
}

static double determinant(const Edges* e)
{
    return e->m[0][0] * cofactor(e, 0, 0) + e->m[0][1] * cofactor(e, 0, 1) +
           e->m[0][2] * cofactor(e, 0, 2);
}

// The largest and the least eigenvalue of a symmetric matrix, by the cubic's trigonometric roots
// (Smith 1961): with q = tr C / 3, p^2 = tr (C - q I)^2 / 6 and cos 3a = det((C - q I)/p) / 2 they
// are q + 2 p cos a and q + 2 p cos(a + 2 pi / 3).
static void eigenvalues(const Edges* c, double* most, double* least)
{
    const double THIRD_TURN = 2.0943951023931953;
    double q = (c->m[0][0] + c->m[1][1] + c->m[2][2]) / 3, square = 0;
    Edges b = *c;
    for (int i = 0; i < 3; ++i) {
        b.m[i][i] -= q;
        for (int k = 0; k < 3; ++k) {
            square += b.m[i][k] * b.m[i][k];
        }
    }
    double p = sqrt(square / 6), cosine = p > 0 ? determinant(&b) / (2 * p * p * p) : 1;
    double angle = acos(fmin(fmax(cosine, -1), 1)) / 3;
    *most = q + 2 * p * cos(angle);
    *least = q + 2 * p * cos(angle + THIRD_TURN);
}

// F maps edges at rest to edges now; stretches are the roots of the eigenvalues of F'F.
double cellStretch(const snFleshInfo* flesh, int32_t cell, const float* nodes)
{
    const int32_t* corners = flesh->cells + 4 * (size_t)cell;
    Edges rest = edgesAtRest(flesh, corners), now = edgesNow(nodes, corners), F, C;
    double volume = determinant(&rest);
    if (volume == 0) {
        return 1;
    }
    if (determinant(&now) / volume <= 0) {
        return 0;
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            F.m[i][k] = (now.m[i][0] * cofactor(&rest, k, 0) + now.m[i][1] * cofactor(&rest, k, 1) +
                         now.m[i][2] * cofactor(&rest, k, 2)) /
                        volume;
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            C.m[i][k] = F.m[0][i] * F.m[0][k] + F.m[1][i] * F.m[1][k] + F.m[2][i] * F.m[2][k];
        }
    }
    double most, least;
    eigenvalues(&C, &most, &least);
    least = fmax(least, 0);
    return sqrt(most * least >= 1 ? most : least);
}

bool nodeStretch(const snFleshInfo* flesh, const float* nodes, float* stretch)
{
    double* sums = calloc(2 * (size_t)flesh->node_count + 1, sizeof *sums);
    for (int32_t i = 0; sums && i < flesh->cell_count; ++i) {
        const int32_t* cell = flesh->cells + 4 * (size_t)i;
        Edges rest = edgesAtRest(flesh, cell);
        double weight = fabs(determinant(&rest)) * flesh->fill[i];
        double s = cellStretch(flesh, i, nodes);
        for (int k = 0; k < 4; ++k) {
            sums[2 * (size_t)cell[k]] += weight * s;
            sums[2 * (size_t)cell[k] + 1] += weight;
        }
    }
    for (size_t i = 0; sums && i < (size_t)flesh->node_count; ++i) {
        stretch[i] = sums[2 * i + 1] > 0 ? (float)(sums[2 * i] / sums[2 * i + 1]) : 1;
    }
    bool ok = sums != NULL;
    free(sums);
    return ok;
}
