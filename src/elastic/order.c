// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "elastic/order.h"

static snVec3 restOf(const snCellsDef* def, int32_t node)
{
    const double* x = def->rest + 3 * (size_t)node;
    return snV3(x[0], x[1], x[2]);
}

snMat3 snCellsDef_Edges(const snCellsDef* def, const int32_t node[4])
{
    snVec3 o = restOf(def, node[0]);
    return snMatFromCols(snSub(restOf(def, node[1]), o), snSub(restOf(def, node[2]), o),
                         snSub(restOf(def, node[3]), o));
}

// Fans ------------------------------------------------------------------------

void snFanCells_Nodes(const snFanCells* fan, int k, int32_t node[4])
{
    node[0] = fan->node[0];
    node[1] = fan->node[1];
    node[2] = fan->node[2 + k];
    node[3] = fan->node[2 + (k + 1) % SN_FAN_CELLS];
}

// The cell among `count` from `first` on whose node 2 is this; -1 if there is none.
static int32_t cellFrom(const snCellsDef* def, int32_t first, int32_t count, int32_t node)
{
    for (int32_t i = first; i < first + count; ++i) {
        if (def->tets[4 * (size_t)i + 2] == node) {
            return i;
        }
    }
    return -1;
}

// The cell with which the ring begins: any, or that which no other comes before.
static int32_t ringBegin(const snCellsDef* def, int32_t first, int32_t count)
{
    for (int32_t i = first; i < first + count; ++i) {
        bool follows = false;
        for (int32_t k = first; k < first + count; ++k) {
            follows |= def->tets[4 * (size_t)k + 3] == def->tets[4 * (size_t)i + 2];
        }
        if (!follows) {
            return i;
        }
    }
    return first;
}

static bool comesBefore(snVec3 a, snVec3 b)
{
    return a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)));
}

// Fans of a lattice then begin alike, so that their cells are of the same kinds.
static void turnRing(const snCellsDef* def, snFanCells* fan)
{
    int least = 0;
    for (int k = 1; k < SN_FAN_CELLS; ++k) {
        if (comesBefore(restOf(def, fan->node[2 + k]), restOf(def, fan->node[2 + least]))) {
            least = k;
        }
    }
    snFanCells old = *fan;
    for (int k = 0; k < SN_FAN_CELLS; ++k) {
        fan->node[2 + k] = old.node[2 + (k + least) % SN_FAN_CELLS];
        fan->cell[k] = old.cell[(k + least) % SN_FAN_CELLS];
    }
}

// A place without a cell, the last one, is computed all the same: it must not be flat.
#define LEAST_SHAPE 0.1

static bool hasShape(const snCellsDef* def, const snFanCells* fan)
{
    int32_t node[4], beside[4];
    snFanCells_Nodes(fan, SN_FAN_CELLS - 1, node);
    snFanCells_Nodes(fan, 0, beside);
    return snDet(snCellsDef_Edges(def, node)) > LEAST_SHAPE * snDet(snCellsDef_Edges(def, beside));
}

bool snFanCells_Find(const snCellsDef* def, int32_t first, int32_t count, snFanCells* fan)
{
    int32_t cell = ringBegin(def, first, count);
    fan->node[0] = def->tets[4 * (size_t)first];
    fan->node[1] = def->tets[4 * (size_t)first + 1];
    for (int k = 0; k < SN_FAN_CELLS; ++k) {
        fan->cell[k] = k < count ? cell : -1;
        if (k < count) {
            if (cell < 0) {
                return false;
            }
            fan->node[2 + k] = def->tets[4 * (size_t)cell + 2];
        } else {
            fan->node[2 + k] = def->tets[4 * (size_t)fan->cell[k - 1] + 3];
        }
        cell = k < count ? cellFrom(def, first, count, def->tets[4 * (size_t)cell + 3]) : cell;
    }
    bool whole = count == SN_FAN_CELLS;
    if (whole ? cell != fan->cell[0] : cell >= 0 || !hasShape(def, fan)) {
        return false;
    }
    turnRing(def, fan);
    return true;
}

// Units -----------------------------------------------------------------------

// Cells from `first` on that begin with the same two nodes; counted up to one more than a fan has.
static int32_t runLength(const snCellsDef* def, int32_t first)
{
    const int32_t* a = def->tets + 4 * (size_t)first;
    int32_t end = first + 1;
    while (end < def->cell_count && end - first <= SN_FAN_CELLS &&
           def->tets[4 * (size_t)end] == a[0] && def->tets[4 * (size_t)end + 1] == a[1]) {
        ++end;
    }
    return end - first;
}

static snCellUnit unitOf(const snCellsDef* def, int32_t first, int32_t count)
{
    snVec3 sum = snV3(0, 0, 0);
    for (int32_t i = 4 * first; i < 4 * (first + count); ++i) {
        sum = snAdd(sum, restOf(def, def->tets[i]));
    }
    return (snCellUnit){{sum.x / count, sum.y / count, sum.z / count}, first, count, 0};
}

int32_t snCellUnits_List(const snCellsDef* def, snCellUnit* units)
{
    int32_t unit_count = 0;
    for (int32_t i = 0; i < def->cell_count;) {
        snFanCells fan;
        int32_t run = runLength(def, i);
        bool fans = (run == 3 || run == SN_FAN_CELLS) && snFanCells_Find(def, i, run, &fan);
        int32_t count = fans ? run : 1;
        units[unit_count++] = unitOf(def, i, count);
        i += count;
    }
    return unit_count;
}

// Bisection -------------------------------------------------------------------

static int32_t placesOf(const snCellUnit* units, int32_t count)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < count; ++i) {
        sum += snCellUnit_Places(&units[i]);
    }
    return sum;
}

static bool before(const snCellUnit* a, const snCellUnit* b, int axis)
{
    return a->centre[axis] < b->centre[axis] ||
           (a->centre[axis] == b->centre[axis] && a->cell < b->cell);
}

// Hoare's selection: afterwards those that come first along the axis, and take `places` or a few
// more or less, come first. Returns how many they are.
static int32_t partition(snCellUnit* u, int32_t count, int32_t places, int axis)
{
    int32_t lo = 0, hi = count - 1;
    while (lo < hi) {
        snCellUnit pivot = u[lo + (hi - lo) / 2];
        int32_t i = lo, j = hi;
        while (i <= j) {
            while (before(&u[i], &pivot, axis)) {
                ++i;
            }
            while (before(&pivot, &u[j], axis)) {
                --j;
            }
            if (i <= j) {
                snCellUnit swap = u[i];
                u[i++] = u[j];
                u[j--] = swap;
            }
        }
        int32_t left = placesOf(u + lo, j + 1 - lo), middle = placesOf(u + j + 1, i - j - 1);
        if (places < left) {
            hi = j;
        } else if (places >= left + middle) {
            places -= left + middle;
            lo = i;
        } else {
            return j + 1;
        }
    }
    return lo;
}

// Which axis is longest.
static int longestAxis(const snCellUnit* u, int32_t count)
{
    double size[3];
    for (int k = 0; k < 3; ++k) {
        double lo = u[0].centre[k], hi = lo;
        for (int32_t i = 1; i < count; ++i) {
            lo = u[i].centre[k] < lo ? u[i].centre[k] : lo;
            hi = u[i].centre[k] > hi ? u[i].centre[k] : hi;
        }
        size[k] = hi - lo;
    }
    int axis = size[1] > size[0] ? 1 : 0;
    return size[2] > size[axis] ? 2 : axis;
}

// ends counts from `first` on, where u is.
static int32_t bisect(snCellUnit* u, int32_t first, int32_t count, int32_t* ends)
{
    int32_t places = placesOf(u, count);
    if (places <= SN_CHUNK_CELLS) {
        ends[0] = first + count;
        return 1;
    }
    // not quite full, since a fan is not divided
    int32_t full = SN_CHUNK_CELLS - 4 * SN_FAN_CELLS, chunks = (places + full - 1) / full;
    int32_t wanted = (int32_t)((int64_t)places * (chunks / 2) / chunks);
    int32_t left = partition(u, count, wanted, longestAxis(u, count));
    left = left < 1 ? 1 : left > count - 1 ? count - 1 : left;
    int32_t done = bisect(u, first, left, ends);
    return done + bisect(u + left, first + left, count - left, ends + done);
}

int32_t snCellUnits_Bisect(snCellUnit* units, int32_t count, int32_t* ends)
{
    return count > 0 ? bisect(units, 0, count, ends) : 0;
}
