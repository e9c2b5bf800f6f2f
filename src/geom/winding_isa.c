// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/winding.h"
#include "math/isa.h"
#include "math/trig.h"

enum { LANES = SN_WINDING_LANES };

// one near lane in a count of both kinds; far ones count 1
#define NEAR_ONE 16

// plain WebAssembly has no vectors, and clang warns of a wish it cannot grant
#if defined(__wasm__) && !defined(__wasm_simd128__)
#define ALL_LANES
#else
#define ALL_LANES _Pragma("omp simd")
#endif

// What is known of the points so far. Every lane adds in the order in which its own point meets the
// nodes, so that a point's result does not depend on the points beside it.
typedef struct Lanes {
    double x[LANES], y[LANES], z[LANES]; // the points
    double far[LANES];                   // sum of the far fields
    double re[LANES], im[LANES];         // product of the near triangles' numbers
    double whole[LANES];                 // full turns of that product
} Lanes;

// With G = 1/r and R = q - c, 4 pi w = D_i d_i G - Q_ij d_ij G + 1/2 O_ijk d_ijk G + ..., and for
// symmetric traceless moments d_i G = -R_i/r^3, d_ij G = 3 R_i R_j/r^5, d_ijk G = -15 R_i R_j
// R_k/r^7. Here (x, y, z) = R/r and s = reach/r; the factors 3 and 15/2 are in the moments.
SN_KERNEL double farField(const snWindingNode* m, double x, double y, double z, double s)
{
    double xx = x * x, yy = y * y, zz = z * z;
    double dipole = m->x * x + m->y * y + m->z * z;
    double quadrupole = m->xx * (xx - zz) + m->yy * (yy - zz) +
                        (m->xy * (x * y) + m->xz * (x * z) + m->yz * (y * z));
    double octupole = x * (m->xyy * (3 * yy - xx) + m->xzz * (3 * zz - xx)) +
                      y * (m->yxx * (3 * xx - yy) + m->yzz * (3 * zz - yy)) +
                      z * (m->zxx * (3 * xx - zz) + m->zyy * (3 * yy - zz)) + m->xyz * (x * y * z);
    return -(s * s) * (dipole + s * (quadrupole + s * octupole));
}

// 1 when a > b, else 0; b is not -0. By the sign of the difference, which equal numbers leave
// positive: for what looks like a choice gcc makes a branch here and does not vectorise the loop.
SN_KERNEL double above(double a, double b)
{
    return 0.5 - copysign(0.5, b - a);
}

// Which of the active lanes are far from the node, and which near; returns far + NEAR_ONE *
// near. About half of all visits need no more.
static int compare(const Lanes* l, const snWindingNode* node, const double* active, double* far,
                   double* near)
{
    const double cx = node->cx, cy = node->cy, cz = node->cz, far_sq = node->far_sq;
    ALL_LANES
    for (int i = 0; i < LANES; ++i) {
        double x = l->x[i] - cx, y = l->y[i] - cy, z = l->z[i] - cz;
        far[i] = active[i] * above(x * x + y * y + z * z, far_sq);
        near[i] = active[i] - far[i];
    }
    double count = 0;
    for (int i = 0; i < LANES; ++i) {
        count += far[i] + NEAR_ONE * near[i];
    }
    return (int)count;
}

// Adds the node's far field. Where the node is near, any finite number will do: it counts 0 times.
static void addField(Lanes* l, const snWindingNode* node, const double* far)
{
    const snWindingNode m = *node; // so that nothing stored can change it
    ALL_LANES
    for (int i = 0; i < LANES; ++i) {
        double x = l->x[i] - m.cx, y = l->y[i] - m.cy, z = l->z[i] - m.cz;
        double r2 = x * x + y * y + z * z;
        double over = 1 / sqrt(r2 > m.far_sq ? r2 : m.far_sq);
        l->far[i] += far[i] * farField(&m, x * over, y * over, z * over, m.reach * over);
    }
}

// The half solid angle of a triangle seen from the origin is the angle of
// (|a||b||c| + a.b|c| + b.c|a| + c.a|b|, a.(b x c)) (van Oosterom & Strackee 1983). Angles add as
// these numbers multiply; the product crosses the negative axis when both factors have the sign
// that it has not. One atan2 in the end serves all triangles.
static void turn(Lanes* l, const double* corner, const double* near)
{
    double p[9];
    for (int k = 0; k < 9; ++k) {
        p[k] = corner[k];
    }
    ALL_LANES
    for (int i = 0; i < LANES; ++i) {
        double ax = p[0] - l->x[i], ay = p[1] - l->y[i], az = p[2] - l->z[i];
        double bx = p[3] - l->x[i], by = p[4] - l->y[i], bz = p[5] - l->z[i];
        double cx = p[6] - l->x[i], cy = p[7] - l->y[i], cz = p[8] - l->z[i];
        double la = sqrt(ax * ax + ay * ay + az * az);
        double lb = sqrt(bx * bx + by * by + bz * bz);
        double lc = sqrt(cx * cx + cy * cy + cz * cz);
        double ab = ax * bx + ay * by + az * bz, bc = bx * cx + by * cy + bz * cz;
        double ca = cx * ax + cy * ay + cz * az;
        double im = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
        double re = la * lb * lc + ab * lc + bc * la + ca * lb;
        // other lanes, points on a corner and triangles that are none: times 1
        double counts = near[i] * above(fabs(re) + fabs(im), 0);
        re = counts * re + (1 - counts);
        im = counts * im;
        double was = l->im[i], x = l->re[i] * re - was * im, y = l->re[i] * im + was * re;
        double least = was < im ? was : im, most = was > im ? was : im;
        least = least < -y ? least : -y;
        most = most > -y ? most : -y;
        l->whole[i] += above(least, 0) - above(-most, 0);
        // a power of two rounds nothing and keeps the product in range
        double size = fabs(x) + fabs(y);
        double scale = 1 + above(0x1p-100, size) * 0x1p+100 - above(size, 0x1p+100) * (1 - 0x1p-50);
        l->re[i] = x * scale;
        l->im[i] = y * scale;
    }
}

snWindingBlockFcn SN_ISA_NAME(snWindingBlock);

void SN_ISA_NAME(snWindingBlock)(const snWinding* winding, const double* x, const double* y,
                                 const double* z, double* w)
{
    Lanes l;
    double active[SN_BVH_DEPTH + 2][LANES], far[LANES], near[LANES];
    int32_t stack[SN_BVH_DEPTH + 2];
    int top = 0;
    for (int i = 0; i < LANES; ++i) {
        l.x[i] = x[i], l.y[i] = y[i], l.z[i] = z[i];
        l.far[i] = l.im[i] = l.whole[i] = 0;
        l.re[i] = 1;
        active[0][i] = 1;
    }
    if (winding->node_count > 0) {
        stack[top++] = 0;
    }
    while (top > 0) {
        --top;
        const snWindingNode* node = &winding->nodes[stack[top]];
        int counts = compare(&l, node, active[top], far, near);
        if (counts % NEAR_ONE > 0) {
            addField(&l, node, far);
        }
        if (counts < NEAR_ONE) {
            continue;
        }
        if (node->count == 0) {
            for (int i = 0; i < LANES; ++i) {
                active[top][i] = active[top + 1][i] = near[i];
            }
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        for (int32_t t = node->first; t < node->first + node->count; ++t) {
            turn(&l, winding->corner + 9 * (size_t)t, near);
        }
    }
    for (int i = 0; i < LANES; ++i) {
        w[i] = l.far[i] + (l.whole[i] + snAtan2(l.im[i], l.re[i]) / (2 * SN_PI));
    }
}
