// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Linear tetrahedra and their elastic forces. Cells lie in chunks that fit the first-level cache,
// each with its own short list of nodes. Pass 1 takes a chunk at a time and writes the forces on
// its nodes to slots; pass 2 sums the slots of each node in fixed order. So the bits do not depend
// on threads, and the kernels give the same ones for every instruction set.
//
// With X the rest and x the current positions of a cell's nodes 0..3, Dm = (X1 - X0, X2 - X0,
// X3 - X0) and Ds likewise, F = Ds Dm^-1; the forces on nodes 1..3 are the columns of
// -V w P(F) Dm^-T, V the rest volume, w the weight, and node 0 has minus their sum.
#ifndef SN_ELASTIC_CELLS_H
#define SN_ELASTIC_CELLS_H

#include "base/memory.h"
#include "base/tasks.h"
#include "elastic/material.h"

SN_BEGIN_C

// Cells in a block, the width of every kernel loop.
#define SN_LANES 16

// Cells in a chunk, places without a cell included. Smaller chunks share more nodes, so have more
// slots, and have fewer blocks of cells that are all alike; larger ones divide badly among threads.
#define SN_CHUNK_CELLS (SN_LANES * 32)

// Lanes that are not full make a chunk's blocks a few more than its cells need.
#define SN_CHUNK_BLOCKS (SN_CHUNK_CELLS / SN_LANES + SN_FAN_CELLS)

// Four cells around an edge have six nodes together: read and written once for all four, these take
// less than half the time of sixteen. Lattices consist of such fans but for their surface.
#define SN_FAN_CELLS 4
#define SN_FAN_NODES 6

// A node's position, velocity or force: m, m/s or N. w is not read, and written as 0.
typedef struct snVec4f {
    SN_ALIGN(16) float x;
    float y, z, w;
} snVec4f;

// What a body is built from. Arrays are the caller's and read by snCells_Build alone.
typedef struct snCellsDef {
    int32_t node_count;
    int32_t cell_count;
    const double* rest;   // node positions without stress, m; (node_count, 3)
    const int32_t* tets;  // nodes of each cell, positive volume; (cell_count, 4)
    const double* mu;     // Lamé, Pa, > 0; (cell_count)
    const double* lambda; // Lamé, Pa, >= 0; (cell_count)
    const double* weight; // fill ratio, in [0, 1]; NULL is 1 everywhere; (cell_count)
    snMaterial material;  // default selective StVK with the range of material.h
    bool general_svd;     // StVK: the m x n SVD of LAPACK in place of the 3 x 3 one; for comparison
    bool node_averaged;   // volume strain averaged at nodes, against locking; default false
    double damping; // strain-rate damping time, s, >= 0: eta = damping * (mu, lambda); default 0
} snCellsDef;

void snCellsDef_Init(snCellsDef* def);

// 16 cells, lane by lane.
typedef struct snCellBlock {
    SN_ALIGN(SN_ALIGNMENT) uint16_t node[4][SN_LANES]; // in the chunk's list
} snCellBlock;

// V w of a block's cells, m3. Lanes without a cell have 0.
typedef struct snCellVolume {
    SN_ALIGN(SN_ALIGNMENT) float of[SN_LANES];
} snCellVolume;

// Lamé's constants of a block's cells, Pa; lambda is 0 when node-averaged. Blocks whose cells all
// have the same ones share them.
typedef struct snCellLaw {
    SN_ALIGN(SN_ALIGNMENT) float mu[SN_LANES];
    float lambda[SN_LANES];
} snCellLaw;

// Dm^-1 of a block's cells, row by row, 1/m. The cells of a lattice are of a dozen kinds: blocks of
// one kind share theirs, which makes large models small enough for the second-level cache.
typedef struct snCellShape {
    SN_ALIGN(SN_ALIGNMENT) float B[9][SN_LANES];
} snCellShape;

// 16 fans: nodes 0 and 1 are the edge, the others the ring around it. Cell k has nodes 0, 1, 2 + k
// and 3 + k, the last one node 2. A fan of three cells has a lane of volume 0 for the fourth.
typedef struct snCellFan {
    SN_ALIGN(SN_ALIGNMENT) uint16_t node[SN_FAN_NODES][SN_LANES]; // in the chunk's list
} snCellFan;

// Of a chunk's blocks those of its fans come first, four to a fan: cells 0 of all lanes, cells 1
// ...
typedef struct snCellChunk {
    int32_t block_begin, block_count;
    int32_t fan_begin, fan_count;
    int32_t slot_begin, node_count; // its nodes are slot_nodes[slot_begin ...]
} snCellChunk;

// Immutable; everything lies in the arena given to snCells_Build.
typedef struct snCells {
    int32_t node_count, cell_count, chunk_count, block_count, fan_count;
    int32_t shape_count, law_count;
    int32_t slot_count; // those that begin a chunk are aligned to a cache line, so some are unused
    snMaterial material;
    bool general_svd, node_averaged;
    snSvdBatchFcn* svd; // that diagonalises in place of snSvdBatch's; NULL = none
    double damping;
    const snCellChunk* chunks;
    const snCellBlock* blocks;
    const snCellFan* fans;
    const int32_t* block_shape;  // of each block: which of the shapes; (block_count)
    const snCellShape* shapes;   // (shape_count)
    const int32_t* block_law;    // the same for laws; (block_count)
    const snCellLaw* laws;       // (law_count)
    const snCellVolume* volumes; // (block_count)
    const int32_t* slot_nodes;   // node of each slot, -1 if unused; (slot_count)
    const int32_t* node_begin; // slots of node n: node_slots[node_begin[n] .. node_begin[n + 1]-1]
    const int32_t* node_slots; // ascending
    const int32_t* lane_cells; // the def's cell in each lane, -1 if none; (block_count * SN_LANES)
    // node-averaged volume: lambda_n, Pa, and W_n = sum of V w / 4, m3; else NULL; (node_count)
    const float *node_lambda, *node_volume;
} snCells;

SN_FN const snCellShape* snCells_Shape(const snCells* cells, int32_t block)
{
    return &cells->shapes[cells->block_shape[block]];
}

SN_FN const snCellLaw* snCells_Law(const snCells* cells, int32_t block)
{
    return &cells->laws[cells->block_law[block]];
}

// Checks the def and builds. *out lives in the arena. What is wrong is said with the cell's number.
snStatus snCells_Build(snArena* arena, const snCellsDef* def, const snCells** out, snMessage* why);

typedef struct snCellsCount {
    int64_t diagonalized; // cells whose SVD was taken
    int64_t inverted;     // cells with det F <= 0
} snCellsCount;

// Bytes of scratch memory, aligned to SN_ALIGNMENT, that a pass needs; nothing in it is kept.
size_t snCells_WorkSize(const snCells* cells);

// Lamé's constants of each cell of the def, Pa: rounded to 32 bits, as kernels read them, so that
// snCells_Build makes the same bits of them; (cell_count). Node-averaged cells have no lambda.
void snCells_Constants(const snCells* cells, double* mu, double* lambda);

// All of its numbers.
uint64_t snCells_Hash(const snCells* cells, uint64_t hash);

// f = elastic forces (and strain-rate damping, for which v is read; else v may be NULL) at x. isa
// as chosen by snCpu_Choose. x, v and f have node_count entries.
snCellsCount snCells_Forces(const snCells* cells, snTasks* tasks, snIsa isa, const snVec4f* x,
                            const snVec4f* v, void* work, snVec4f* f);

// Where nodes are and how they move.
typedef struct snCellsMotion {
    const snVec4f* x;    // (node_count)
    const snVec4f* lost; // what rounding took from x, to be added to it; NULL = nothing
    const snVec4f* v;    // for strain-rate damping; NULL = none of it
    bool fine;           // strains in double, for stiff flesh; not where volume is node-averaged
} snCellsMotion;

// What a look at the flesh tells, as the kernels see it: in float, summed in double.
typedef struct snCellsLook {
    double energy;    // elastic, J
    float* stiffness; // by how much nodes are stiffer than at rest, N/m: for each the sum over its
                      // cells of d2(energy)/dx2, at most, in those that are deformed much;
                      // the caller's, written; (node_count)
} snCellsLook;

// The same for nodes whose places are known better than x says: strains are then right to some
// 1e-7, wherever the nodes' origin is. look may be NULL.
snCellsCount snCells_ForcesAt(const snCells* cells, snTasks* tasks, snIsa isa,
                              const snCellsMotion* at, void* work, snVec4f* f, snCellsLook* look);

// Stiffness of each node at rest in the same sense, N/m; (node_count).
void snCells_RestStiffness(const snCells* cells, float* stiffness);

// Elastic energy at x, J, in double; the forces are minus its gradient, to float rounding. isa as
// above; the bits are the same for all.
double snCells_Energy(const snCells* cells, snTasks* tasks, snIsa isa, const snVec4f* x,
                      void* work);

// The same in double, straight from the tets, one after the other: forces if f is not NULL. v may
// be NULL. Returns the energy. x, v and f are packed xyz; work has room for 3 node_count numbers.
double snCells_Forces_ref(const snCellsDef* def, const double* x, const double* v, double* work,
                          double* f);

// Largest steps of an explicit integrator, s; infinite when nothing moves.
typedef struct snStableStep {
    double rest;     // 2/omega at rest, from power iteration; damping counted
    double admitted; // in the stiffest state that the law is meant for, see snCells_StableStep
    double bound;    // certainly stable at rest: a bound cell by cell
} snStableStep;

// omega^2 is the largest eigenvalue of M^-1 K, K the exact stiffness at rest in double. The power
// iteration starts from fixed pseudo-random numbers, comes from below, and ends after `iterations`
// (say 60: 1 %) or when it stands still; the bound never is above the true step. inverse_mass is
// 1/kg, 0 for nodes that are held; (node_count).
//
// admitted: StVK stretched along one axis has the slope (3 s^2 - 1)/2 of that at rest up to the
// upper end of the range, hence sqrt(2/(3 upper^2 - 1)) = 0.64 of the step at 1.4; pressed flat it
// is about as stiff. The same number serves the neo-Hookean law; the corotated one is nowhere
// stiffer than at rest.
snStatus snCells_StableStep(const snCells* cells, const snHost* host, const double* inverse_mass,
                            int iterations, snStableStep* out, snMessage* why);

SN_END_C

#endif
