// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "elastic/layout.h"

enum { LANES = SN_LANES, LINE = SN_ALIGNMENT / sizeof(snVec4f) };

// So many fans at least are worth a block of them; fewer become single cells.
enum { LEAST_FANS = 10 };

// Kinds -----------------------------------------------------------------------

// Cells are of a kind when their Dm^-1 are the same to this part of its largest entry, four units
// in the last place.
#define ALIKE 2.4e-7

static void invert(const snCellsDef* def, const int32_t node[4], float out[9])
{
    snMat3 B = snMatInverse(snCellsDef_Edges(def, node), NULL);
    const double entries[9] = {B.m00, B.m01, B.m02, B.m10, B.m11, B.m12, B.m20, B.m21, B.m22};
    for (int k = 0; k < 9; ++k) {
        out[k] = (float)entries[k];
    }
}

static bool isNear(const float a[9], const float b[9], double apart)
{
    for (int k = 0; k < 9; ++k) {
        if ((double)fabsf(a[k] - b[k]) > apart) {
            return false;
        }
    }
    return true;
}

static int32_t kindOf(const snCellsDef* def, const int32_t node[4], snCellKinds* kinds)
{
    float B[9], largest = 0;
    invert(def, node, B);
    for (int k = 0; k < 9; ++k) {
        largest = fabsf(B[k]) > largest ? fabsf(B[k]) : largest;
    }
    for (int32_t i = 0; i < kinds->count; ++i) {
        if (isNear(B, kinds->B[i], ALIKE * (double)largest)) {
            return i;
        }
    }
    if (kinds->count < SN_MOST_KINDS) {
        memcpy(kinds->B[kinds->count++], B, sizeof B);
        return kinds->count - 1;
    }
    return SN_MOST_KINDS;
}

// That of a cell of the def, which is found once, or of a place without one, -1.
static int32_t kindOfCell(snCellLayout* d, const snCellsDef* def, int32_t cell,
                          const int32_t node[4])
{
    if (cell < 0) {
        return kindOf(def, node, &d->kinds);
    }
    if (d->known[cell] == 0) {
        d->known[cell] = kindOf(def, node, &d->kinds) + 1;
    }
    return d->known[cell] - 1;
}

// Lanes -----------------------------------------------------------------------

// What goes to one lane of a block.
typedef struct Lane {
    int32_t cell; // -1: none
    int32_t kind;
    int32_t node[4];
} Lane;

static Lane laneOf(snCellLayout* d, const snCellsDef* def, int32_t cell)
{
    Lane lane = {.cell = cell};
    memcpy(lane.node, def->tets + 4 * (size_t)cell, sizeof lane.node);
    lane.kind = kindOfCell(d, def, cell, lane.node);
    return lane;
}

// Lane by lane the cells of 16 fans or fewer, all cells 0 first. Lanes behind them have no cell.
static void fanLanes(snCellLayout* d, const snCellsDef* def, const snCellUnit* fans, int32_t count,
                     Lane lanes[SN_FAN_CELLS][LANES], snFanCells out[LANES])
{
    for (int32_t i = 0; i < count; ++i) {
        snFanCells_Find(def, fans[i].cell, fans[i].count, &out[i]);
        for (int k = 0; k < SN_FAN_CELLS; ++k) {
            Lane* lane = &lanes[k][i];
            lane->cell = out[i].cell[k];
            snFanCells_Nodes(&out[i], k, lane->node);
            lane->kind = kindOfCell(d, def, lane->cell, lane->node);
        }
    }
}

// Whether all lanes are of one kind.
static bool areAlike(const Lane* lanes, int32_t count)
{
    bool alike = lanes[0].kind < SN_MOST_KINDS;
    for (int32_t i = 1; i < count; ++i) {
        alike = alike && lanes[i].kind == lanes[0].kind;
    }
    return alike;
}

// A block's shape: that of its kind when all its cells are of one, else its own.
static int32_t shapeOf(snCellLayout* d, const snCellsDef* def, const Lane* lanes, int32_t count)
{
    snCellKinds* kinds = &d->kinds;
    int32_t kind = lanes[0].kind, index = d->shape_count;
    bool alike = areAlike(lanes, count);
    if (alike && kinds->shape[kind] >= 0) {
        return kinds->shape[kind];
    }
    if (alike) {
        kinds->shape[kind] = index;
    }
    ++d->shape_count;
    for (int32_t i = 0; d->shapes && i < (alike ? LANES : count); ++i) {
        float own[9];
        const float* B = own;
        if (alike || lanes[i].kind < SN_MOST_KINDS) {
            B = kinds->B[alike ? kind : lanes[i].kind];
        } else {
            invert(def, lanes[i].node, own);
        }
        for (int k = 0; k < 9; ++k) {
            d->shapes[index].B[k][i] = B[k];
        }
    }
    return index;
}

// Laws ------------------------------------------------------------------------

// mu and lambda of a lane's cell; lanes without one take any.
static bool constantsOf(const snCellsDef* def, const Lane* lane, float* mu, float* lambda)
{
    if (lane->cell >= 0) {
        *mu = (float)def->mu[lane->cell];
        *lambda = def->node_averaged ? 0 : (float)def->lambda[lane->cell];
    }
    return lane->cell >= 0;
}

// Which law is that of these constants for all lanes; -1 when there is none yet.
static int32_t sharedLaw(const snCellLaws* laws, float mu, float lambda)
{
    for (int32_t i = 0; i < laws->count; ++i) {
        if (laws->mu[i] == mu && laws->lambda[i] == lambda) {
            return laws->law[i];
        }
    }
    return -1;
}

// A block's law: one for all who have these constants alone, or its own.
static int32_t lawOf(snCellLayout* d, const snCellsDef* def, const Lane* lanes, int32_t count)
{
    float mu[LANES] = {0}, lambda[LANES] = {0};
    int32_t index = d->law_count, first = -1;
    bool alike = true;
    for (int32_t i = 0; i < count; ++i) {
        if (constantsOf(def, &lanes[i], &mu[i], &lambda[i])) {
            first = first < 0 ? i : first;
            alike = alike && mu[i] == mu[first] && lambda[i] == lambda[first];
        }
    }
    first = first < 0 ? 0 : first;
    int32_t known = alike ? sharedLaw(&d->shared, mu[first], lambda[first]) : -1;
    if (known >= 0) {
        return known;
    }
    if (alike && d->shared.count < SN_MOST_LAWS) {
        int32_t at = d->shared.count++;
        d->shared.mu[at] = mu[first];
        d->shared.lambda[at] = lambda[first];
        d->shared.law[at] = index;
    }
    ++d->law_count;
    for (int32_t i = 0; d->laws && i < LANES; ++i) {
        d->laws[index].mu[i] = mu[alike ? first : i];
        d->laws[index].lambda[i] = lambda[alike ? first : i];
    }
    return index;
}

// Chunks ----------------------------------------------------------------------

// The node's place in the chunk's list, where it is put if need be.
static uint16_t localNode(snCellLayout* d, snCellChunk* c, int32_t node)
{
    if (d->local[node] < 0) {
        d->local[node] = c->node_count;
        if (d->slot_nodes) {
            d->slot_nodes[c->slot_begin + c->node_count] = node;
        }
        ++c->node_count;
    }
    return (uint16_t)d->local[node];
}

static void addBlock(snCellLayout* d, const snCellsDef* def, snCellChunk* c, const Lane* lanes,
                     int32_t count)
{
    int32_t index = d->block_count++, shape = shapeOf(d, def, lanes, count);
    int32_t law = lawOf(d, def, lanes, count);
    ++c->block_count;
    for (int32_t i = 0; i < count; ++i) {
        int32_t cell = lanes[i].cell;
        uint16_t node[4];
        for (int k = 0; k < 4; ++k) {
            node[k] = localNode(d, c, lanes[i].node[k]);
        }
        if (!d->blocks) {
            continue;
        }
        snCellBlock* b = &d->blocks[index];
        for (int k = 0; k < 4; ++k) {
            b->node[k][i] = node[k];
        }
        if (cell >= 0) {
            double w = def->weight ? def->weight[cell] : 1;
            double volume = w * snDet(snCellsDef_Edges(def, lanes[i].node)) / 6;
            d->volumes[index].of[i] = (float)volume;
        }
    }
    if (d->blocks) {
        d->block_shape[index] = shape;
        d->block_law[index] = law;
        for (int32_t i = 0; i < LANES; ++i) {
            d->lane_cells[index * LANES + i] = i < count ? lanes[i].cell : -1;
        }
    }
}

static void addFans(snCellLayout* d, const snCellsDef* def, snCellChunk* c, const snCellUnit* fans,
                    int32_t count)
{
    Lane lanes[SN_FAN_CELLS][LANES];
    snFanCells cells[LANES];
    fanLanes(d, def, fans, count, lanes, cells);
    for (int k = 0; k < SN_FAN_CELLS; ++k) {
        addBlock(d, def, c, lanes[k], count);
    }
    for (int32_t i = 0; d->fans && i < count; ++i) {
        for (int k = 0; k < SN_FAN_NODES; ++k) {
            d->fans[d->fan_count].node[k][i] = localNode(d, c, cells[i].node[k]);
        }
    }
    ++d->fan_count;
    ++c->fan_count;
}

// Puts the units of a chunk in order: fans first, and by kinds. Neighbours, which share nodes, are
// then seldom in one block, so that sums over nodes do not wait for each other. Returns how many
// fans there are.
static int32_t sortUnits(snCellLayout* d, const snCellsDef* def, snCellUnit* units, int32_t count)
{
    snCellUnit sorted[SN_CHUNK_CELLS];
    int32_t n = 0, fans = 0;
    for (int32_t i = 0; i < count; ++i) {
        snFanCells fan;
        int32_t node[4];
        if (units[i].count > 1) {
            snFanCells_Find(def, units[i].cell, units[i].count, &fan);
            snFanCells_Nodes(&fan, 0, node);
            units[i].kind = kindOfCell(d, def, fan.cell[0], node);
            ++fans;
        }
    }
    for (int32_t kind = 0; kind <= SN_MOST_KINDS; ++kind) {
        for (int32_t i = 0; i < count; ++i) {
            if (units[i].count > 1 && units[i].kind == kind) {
                sorted[n++] = units[i];
            }
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        if (units[i].count == 1) {
            sorted[n++] = units[i];
        }
    }
    memcpy(units, sorted, (size_t)count * sizeof *units);
    return fans;
}

// The cells of these units, one by one, in blocks by kinds.
static void addSingles(snCellLayout* d, const snCellsDef* def, snCellChunk* c,
                       const snCellUnit* units, int32_t count)
{
    Lane lanes[SN_CHUNK_CELLS], sorted[SN_CHUNK_CELLS];
    int32_t cells = 0, n = 0;
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < units[i].count; ++k) {
            lanes[cells++] = laneOf(d, def, units[i].cell + k);
        }
    }
    for (int32_t kind = 0; kind <= SN_MOST_KINDS; ++kind) {
        for (int32_t i = 0; i < cells; ++i) {
            if (lanes[i].kind == kind) {
                sorted[n++] = lanes[i];
            }
        }
    }
    for (int32_t i = 0; i < cells; i += LANES) {
        addBlock(d, def, c, sorted + i, cells - i < LANES ? cells - i : LANES);
    }
}

static void addChunk(snCellLayout* d, const snCellsDef* def, snCellUnit* units, int32_t count,
                     snCellChunk* c)
{
    *c = (snCellChunk){
        .block_begin = d->block_count, .fan_begin = d->fan_count, .slot_begin = d->slot_count};
    int32_t fans = sortUnits(d, def, units, count), done = 0;
    while (fans - done >= LEAST_FANS) {
        int32_t now = fans - done < LANES ? fans - done : LANES;
        addFans(d, def, c, units + done, now);
        done += now;
    }
    addSingles(d, def, c, units + done, count - done);
    d->slot_count += (c->node_count + LINE - 1) / LINE * LINE;
}

// The list of a chunk's nodes is forgotten.
static void forgetNodes(snCellLayout* d, const snCellsDef* def, const snCellUnit* units,
                        int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = 4 * units[i].cell; k < 4 * (units[i].cell + units[i].count); ++k) {
            d->local[def->tets[k]] = -1;
        }
    }
}

void snCellLayout_Run(snCellLayout* d, const snCellsDef* def)
{
    d->block_count = d->fan_count = d->shape_count = d->law_count = d->slot_count = 0;
    d->shared.count = 0;
    for (int32_t i = 0; i < SN_MOST_KINDS; ++i) {
        d->kinds.shape[i] = -1;
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        d->local[i] = -1;
    }
    for (int32_t i = 0, begin = 0; i < d->chunk_count; begin = d->ends[i++]) {
        snCellChunk chunk;
        int32_t count = d->ends[i] - begin;
        addChunk(d, def, d->units + begin, count, &chunk);
        forgetNodes(d, def, d->units + begin, count);
        if (d->chunks) {
            d->chunks[i] = chunk;
            for (int32_t k = chunk.slot_begin + chunk.node_count; k < d->slot_count; ++k) {
                d->slot_nodes[k] = -1;
            }
        }
    }
}
