// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/stiffness.h"

#include "base/message.h"

typedef struct Cell {
    snVec3 g[4];   // 1/m
    double volume; // m^3; 0: it is left out
} Cell;

typedef struct Maker {
    const snTets* mesh;
    const uint8_t* moves;
    snLame lame;
    Cell* cells;
    int32_t* begin; // cells at node i: around[begin[i + 1]] .. around[begin[i + 2] - 1]
    int32_t* around;
    int32_t* last; // row that had a block in each column last, plus 1
    int32_t* at;   // that block
} Maker;

// Cells about each node
static void gather(Maker* m, const double* fill)
{
    const snTets* mesh = m->mesh;
    size_t cells = (size_t)mesh->tet_count, nodes = (size_t)mesh->node_count;
    for (size_t e = 0; e < cells; ++e) {
        bool is = fill[e] > 0 && snTets_Gradients(mesh, (int32_t)e, m->cells[e].g);
        m->cells[e].volume = is ? fill[e] * fabs(snTets_Volume(mesh, (int32_t)e)) : 0;
        for (size_t k = 0; k < 4; ++k) {
            ++m->begin[mesh->tet[4 * e + k] + 1];
        }
    }
    for (size_t i = 0; i < nodes; ++i) {
        m->begin[i + 1] += m->begin[i];
    }
    for (size_t c = 4 * cells; c-- > 0;) { // from the end: begin[i + 1] becomes the begin of i
        m->around[--m->begin[mesh->tet[c] + 1]] = (int32_t)(c / 4);
    }
    m->begin[nodes + 1] = (int32_t)(4 * cells);
}

static snMat3 blockOf(const Cell* c, snLame lame, int i, int j)
{
    double mu = c->volume * lame.mu, dot = mu * snDot(c->g[i], c->g[j]);
    snMat3 A = snMatAdd(snMatScale(mu, snOuter(c->g[j], c->g[i])),
                        snMatScale(c->volume * lame.lambda, snOuter(c->g[i], c->g[j])));
    A.m00 += dot, A.m11 += dot, A.m22 += dot;
    return A;
}

// Blocks of a row, from number `count` on; returns the count then
static int32_t addRow(Maker* m, int32_t row, int32_t count, int32_t* node, snMat3* block)
{
    for (int32_t k = m->begin[row + 1]; k < m->begin[row + 2]; ++k) {
        const Cell* c = &m->cells[m->around[k]];
        const int32_t* n = m->mesh->tet + 4 * (size_t)m->around[k];
        int i = n[0] == row ? 0 : n[1] == row ? 1 : n[2] == row ? 2 : 3;
        for (int j = 0; j < 4 && c->volume > 0; ++j) {
            if (n[j] < row || !m->moves[n[j]]) {
                continue;
            }
            if (m->last[n[j]] != row + 1) {
                m->last[n[j]] = row + 1;
                m->at[n[j]] = count;
                node[count++] = n[j];
            }
            snMat3* B = &block[m->at[n[j]]];
            *B = snMatAdd(*B, blockOf(c, m->lame, i, j));
        }
    }
    return count;
}

snStatus snStiffness_Build(snArena* arena, const snTets* mesh, const double* fill,
                           const uint8_t* moves, snLame lame, snStiffness* out, snMessage* why)
{
    size_t cells = (size_t)mesh->tet_count, nodes = (size_t)mesh->node_count;
    size_t most = nodes + 6 * cells; // a cell has six edges
    Maker m = {.mesh = mesh,
               .moves = moves,
               .lame = lame,
               .cells = snArena_Push(arena, cells, sizeof(Cell)),
               .begin = snArena_Push(arena, nodes + 2, sizeof(int32_t)),
               .around = snArena_Push(arena, 4 * cells, sizeof(int32_t)),
               .last = snArena_Push(arena, nodes, sizeof(int32_t)),
               .at = snArena_Push(arena, nodes, sizeof(int32_t))};
    int32_t* first = snArena_Push(arena, nodes + 1, sizeof *first);
    int32_t* node = snArena_Push(arena, most, sizeof *node);
    snMat3* block = snArena_Push(arena, most, sizeof *block);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
    }
    gather(&m, fill);
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        first[i + 1] = moves[i] ? addRow(&m, i, first[i], node, block) : first[i];
    }
    *out = (snStiffness){mesh->node_count, first, node, block};
    return sn_ok;
}

void snStiffness_Multiply(const snStiffness* K, const snVec3* u, snVec3* Ku)
{
    for (int32_t i = 0; i < K->node_count; ++i) {
        Ku[i] = snV3(0, 0, 0);
    }
    for (int32_t i = 0; i < K->node_count; ++i) {
        snVec3 sum = Ku[i];
        for (int32_t k = K->first[i]; k < K->first[i + 1]; ++k) {
            int32_t j = K->node[k];
            sum = snAdd(sum, snMatVec(K->block[k], u[j]));
            if (j != i) {
                Ku[j] = snAdd(Ku[j], snMatTVec(K->block[k], u[i]));
            }
        }
        Ku[i] = sum;
    }
}
