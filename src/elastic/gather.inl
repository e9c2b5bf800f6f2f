// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Positions of nodes to lanes of cells, and forces back; part of cells_isa.c.
#ifndef SN_ELASTIC_GATHER_INL
#define SN_ELASTIC_GATHER_INL

#include "elastic/pass.h"

enum { LANES = SN_LANES };

// Positions and forces move as whole snVec4f: twice as fast as by components.
typedef float Four __attribute__((vector_size(16)));

SN_KERNEL Four get(const void* p)
{
    Four v;
    memcpy(&v, p, sizeof v);
    return v;
}

SN_KERNEL void put(void* p, Four v)
{
    memcpy(p, &v, sizeof v);
}

static void gatherNodes(const snCells* cells, const snCellChunk* c, const snVec4f* x, snVec4f* out)
{
    const int32_t* nodes = cells->slot_nodes + c->slot_begin;
    for (int i = 0; i < c->node_count; ++i) {
        out[i] = x[nodes[i]];
    }
}

// Positions from the chunk's first node, which are small, so that what rounding took from the
// nodes' own is not lost again: strains are right to the rounding of a chunk's size, wherever the
// body is.
static void gatherPlaces(const snCellsPass* pass, const snCellChunk* c, snVec4f* out)
{
    const int32_t* nodes = pass->cells->slot_nodes + c->slot_begin;
    if (!pass->lost) {
        gatherNodes(pass->cells, c, pass->x, out);
        return;
    }
    const Four first = get(&pass->x[nodes[0]]);
    for (int i = 0; i < c->node_count; ++i) {
        put(&out[i], (get(&pass->x[nodes[i]]) - first) + get(&pass->lost[nodes[i]]));
    }
}

typedef struct Rows {
    Four x, y, z;
} Rows;

// Four vectors, lane by lane.
SN_KERNEL Rows rowsOf(Four d0, Four d1, Four d2, Four d3)
{
    Four xy01 = __builtin_shufflevector(d0, d1, 0, 4, 1, 5);
    Four xy23 = __builtin_shufflevector(d2, d3, 0, 4, 1, 5);
    Four z01 = __builtin_shufflevector(d0, d1, 2, 6, 2, 6);
    Four z23 = __builtin_shufflevector(d2, d3, 2, 6, 2, 6);
    Rows rows = {__builtin_shufflevector(xy01, xy23, 0, 1, 4, 5),
                 __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7),
                 __builtin_shufflevector(z01, z23, 0, 1, 4, 5)};
    return rows;
}

// The reverse.
SN_KERNEL void getColumns(const float* in, int stride, Four out[4])
{
    const Four zero = {0, 0, 0, 0};
    Four x = get(in), y = get(in + stride), z = get(in + 2 * stride);
    Four xy01 = __builtin_shufflevector(x, y, 0, 4, 1, 5);
    Four xy23 = __builtin_shufflevector(x, y, 2, 6, 3, 7);
    Four z01 = __builtin_shufflevector(z, zero, 0, 4, 1, 5);
    Four z23 = __builtin_shufflevector(z, zero, 2, 6, 3, 7);
    out[0] = __builtin_shufflevector(xy01, z01, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(xy01, z01, 2, 3, 6, 7);
    out[2] = __builtin_shufflevector(xy23, z23, 0, 1, 4, 5);
    out[3] = __builtin_shufflevector(xy23, z23, 2, 3, 6, 7);
}

// D = (x1 - x0, x2 - x0, x3 - x0)
static void gatherEdges(const snCellBlock* b, const snVec4f* x, float* restrict D)
{
    for (int i = 0; i < LANES; i += 4) {
        const uint16_t* o = &b->node[0][i];
        Four o0 = get(&x[o[0]]), o1 = get(&x[o[1]]), o2 = get(&x[o[2]]), o3 = get(&x[o[3]]);
        for (int k = 0; k < 3; ++k) {
            const uint16_t* n = &b->node[k + 1][i];
            Four d0 = get(&x[n[0]]) - o0, d1 = get(&x[n[1]]) - o1;
            Four d2 = get(&x[n[2]]) - o2, d3 = get(&x[n[3]]) - o3;
            Rows rows = rowsOf(d0, d1, d2, d3);
            put(&D[k * LANES + i], rows.x);
            put(&D[(3 + k) * LANES + i], rows.y);
            put(&D[(6 + k) * LANES + i], rows.z);
        }
    }
}

SN_KERNEL void addTo(snVec4f* f, Four a)
{
    put(f, get(f) + a);
}

// The columns of H are the forces on nodes 1, 2, 3.
static void scatterForces(const snCellBlock* b, const float* H, snVec4f* restrict f)
{
    const Four zero = {0, 0, 0, 0};
    for (int i = 0; i < LANES; i += 4) {
        Four o0 = zero, o1 = zero, o2 = zero, o3 = zero;
        for (int k = 0; k < 3; ++k) {
            Four h[4];
            getColumns(&H[k * LANES + i], 3 * LANES, h);
            const uint16_t* n = &b->node[k + 1][i];
            addTo(&f[n[0]], h[0]);
            addTo(&f[n[1]], h[1]);
            addTo(&f[n[2]], h[2]);
            addTo(&f[n[3]], h[3]);
            o0 -= h[0], o1 -= h[1], o2 -= h[2], o3 -= h[3];
        }
        const uint16_t* o = &b->node[0][i];
        addTo(&f[o[0]], o0);
        addTo(&f[o[1]], o1);
        addTo(&f[o[2]], o2);
        addTo(&f[o[3]], o3);
    }
}

// Positions of 16 fans' nodes, or forces on them: x, y, z of node 0, then of node 1 ...
enum { FAN_ROWS = 3 * SN_FAN_NODES * SN_LANES };

static void gatherFan(const snCellFan* fan, const snVec4f* x, float* restrict X)
{
    for (int k = 0; k < SN_FAN_NODES; ++k) {
        for (int i = 0; i < LANES; i += 4) {
            const uint16_t* n = &fan->node[k][i];
            Rows rows = rowsOf(get(&x[n[0]]), get(&x[n[1]]), get(&x[n[2]]), get(&x[n[3]]));
            put(&X[3 * k * LANES + i], rows.x);
            put(&X[(3 * k + 1) * LANES + i], rows.y);
            put(&X[(3 * k + 2) * LANES + i], rows.z);
        }
    }
}

static void scatterFan(const snCellFan* fan, const float* H, snVec4f* restrict f)
{
    for (int k = 0; k < SN_FAN_NODES; ++k) {
        for (int i = 0; i < LANES; i += 4) {
            Four h[4];
            getColumns(&H[3 * k * LANES + i], LANES, h);
            const uint16_t* n = &fan->node[k][i];
            addTo(&f[n[0]], h[0]);
            addTo(&f[n[1]], h[1]);
            addTo(&f[n[2]], h[2]);
            addTo(&f[n[3]], h[3]);
        }
    }
}

#endif
