// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/bcc.h"

#include "base/message.h"

#define MOST_CUBES ((int64_t)1 << 26)

// Places ------------------------------------------------------------------------

typedef struct Place {
    int32_t i[3];
} Place;

static Place cubePlace(const snBcc* l, int64_t cube)
{
    int64_t row = cube / l->nx;
    return (Place){{(int32_t)(cube % l->nx), (int32_t)(row % l->ny), (int32_t)(row / l->ny)}};
}

static int64_t cubeAt(const snBcc* l, Place p)
{
    return ((int64_t)p.i[2] * l->ny + p.i[1]) * l->nx + p.i[0];
}

static int64_t cornerAt(const snBcc* l, Place p)
{
    return ((int64_t)p.i[2] * (l->ny + 1) + p.i[1]) * (l->nx + 1) + p.i[0];
}

static int64_t cornerCount(const snBcc* l)
{
    return (int64_t)(l->nx + 1) * (l->ny + 1) * (l->nz + 1);
}

int64_t snBcc_CubeCount(const snBcc* lattice)
{
    return (int64_t)lattice->nx * lattice->ny * lattice->nz;
}

int64_t snBcc_NodeCount(const snBcc* lattice)
{
    return cornerCount(lattice) + snBcc_CubeCount(lattice);
}

int64_t snBcc_TetCount(const snBcc* lattice)
{
    return SN_BCC_TETS * snBcc_CubeCount(lattice);
}

// Cubes along one axis: the outer half of the outermost ones has no tets, and a shift takes another
// half on either side.
static double cubesAlong(double size, double cell)
{
    return ceil(size / cell) + 2;
}

snStatus snBcc_Cover(snBox box, double cell, snVec3 shift, snBcc* lattice, snMessage* why)
{
    snVec3 size = snSub(box.hi, box.lo), middle = snAdd(box.lo, snScale(0.5, size));
    double x = cubesAlong(size.x, cell), y = cubesAlong(size.y, cell), z = cubesAlong(size.z, cell);
    if (!(cell > 0 && size.x >= 0 && size.y >= 0 && size.z >= 0)) {
        return snFail(why, sn_errorArgument, "a lattice needs a box and a positive cell size");
    }
    if (!(x * y * z <= (double)MOST_CUBES)) {
        return snFail(why, sn_errorArgument,
                      "a lattice of cell size %g m would have %.3g cubes, more than %.3g; use "
                      "larger cells",
                      cell, x * y * z, (double)MOST_CUBES);
    }
    snVec3 half = snScale(0.5 * cell, snV3(x, y, z));
    *lattice = (snBcc){snMulAdd(snSub(middle, half), cell, shift), cell, (int32_t)x, (int32_t)y,
                       (int32_t)z};
    return sn_ok;
}

snVec3 snBcc_Node(const snBcc* lattice, int64_t node)
{
    int64_t corners = cornerCount(lattice);
    bool centre = node >= corners;
    snBcc grid = *lattice;
    grid.nx += !centre, grid.ny += !centre;
    Place p = cubePlace(&grid, centre ? node - corners : node);
    double half = centre ? 0.5 : 0;
    return snMulAdd(lattice->origin, lattice->cell,
                    snV3(p.i[0] + half, p.i[1] + half, p.i[2] + half));
}

// Tets --------------------------------------------------------------------------

// The corners of a face, counter-clockwise seen along its axis, in the two axes after it.
static const int8_t around[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};

bool snBcc_Tet(const snBcc* lattice, int64_t tet, int64_t node[4])
{
    const int32_t n[3] = {lattice->nx, lattice->ny, lattice->nz};
    int edge = (int)(tet % 4), axis = (int)(tet / 4 % 3);
    int64_t cube = tet / SN_BCC_TETS, corners = cornerCount(lattice);
    Place p = cubePlace(lattice, cube);
    if (++p.i[axis] >= n[axis]) {
        return false;
    }
    node[0] = corners + cube;
    node[1] = corners + cubeAt(lattice, p);
    for (int k = 0; k < 2; ++k) {
        Place q = p;
        q.i[(axis + 1) % 3] += around[edge + k][0];
        q.i[(axis + 2) % 3] += around[edge + k][1];
        node[2 + k] = cornerAt(lattice, q);
    }
    return true;
}

int snBcc_Cube(const snBcc* lattice, int64_t cube, int64_t node[12])
{
    const int32_t n[3] = {lattice->nx, lattice->ny, lattice->nz};
    Place p = cubePlace(lattice, cube);
    int64_t first = cornerAt(lattice, p), corners = cornerCount(lattice);
    int64_t row = lattice->nx + 1, layer = row * (lattice->ny + 1);
    for (int k = 0; k < 8; ++k) {
        node[k] = first + (k & 1) + (k >> 1 & 1) * row + (k >> 2) * layer;
    }
    int count = 8;
    node[count++] = corners + cube;
    for (int axis = 0; axis < 3; ++axis) {
        Place q = p;
        if (++q.i[axis] < n[axis]) {
            node[count++] = corners + cubeAt(lattice, q);
        }
    }
    return count;
}

// In a cube, the axis of the largest coordinate off the centre says through which face the tet
// goes, the larger of the other two to which of its edges.
int64_t snBcc_Locate(const snBcc* lattice, snVec3 p)
{
    const int32_t n[3] = {lattice->nx, lattice->ny, lattice->nz};
    snVec3 g = snScale(1 / lattice->cell, snSub(p, lattice->origin));
    const double at[3] = {g.x, g.y, g.z};
    Place cube;
    double u[3];
    for (int k = 0; k < 3; ++k) {
        if (!(at[k] >= 0 && at[k] < n[k])) {
            return -1;
        }
        cube.i[k] = (int32_t)at[k];
        u[k] = at[k] - cube.i[k] - 0.5;
    }
    double ax = fabs(u[0]), ay = fabs(u[1]), az = fabs(u[2]);
    int axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    double a = u[(axis + 1) % 3], b = u[(axis + 2) % 3];
    int edge = fabs(a) > fabs(b) ? a > 0 ? 1 : 3 : b > 0 ? 2 : 0;
    cube.i[axis] -= u[axis] < 0;
    if (cube.i[axis] < 0 || cube.i[axis] + 1 >= n[axis]) {
        return -1;
    }
    return SN_BCC_TETS * cubeAt(lattice, cube) + 4 * axis + edge;
}

snStatus snBcc_Extract(snArena* arena, const snBcc* lattice, const uint8_t* keep, snTets* out,
                       int64_t** origin_of, snMessage* why)
{
    int64_t tets = snBcc_TetCount(lattice), nodes = snBcc_NodeCount(lattice), node[4];
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    int32_t* number = snArena_Push(&scratch, (size_t)nodes, sizeof(int32_t));
    *out = (snTets){0};
    for (int64_t t = 0; t < tets && number; ++t) {
        if (keep[t] && snBcc_Tet(lattice, t, node)) {
            ++out->tet_count;
            for (int k = 0; k < 4; ++k) {
                number[node[k]] = 1;
            }
        }
    }
    for (int64_t i = 0; i < nodes && number; ++i) {
        number[i] = number[i] ? out->node_count++ : -1;
    }
    out->position = snArena_Push(arena, (size_t)out->node_count, sizeof(snVec3));
    out->tet = snArena_Push(arena, 4 * (size_t)out->tet_count, sizeof(int32_t));
    int64_t* origin = snArena_Push(arena, origin_of ? (size_t)out->tet_count : 0, sizeof(int64_t));
    if (!number || arena->failed) {
        snArena_Free(&scratch);
        *out = (snTets){0};
        return snFail(why, sn_errorMemory, "out of memory for a lattice of %lld cubes",
                      (long long)snBcc_CubeCount(lattice));
    }
    for (int64_t i = 0; i < nodes; ++i) {
        if (number[i] >= 0) {
            out->position[number[i]] = snBcc_Node(lattice, i);
        }
    }
    int32_t count = 0;
    for (int64_t t = 0; t < tets; ++t) {
        if (!keep[t] || !snBcc_Tet(lattice, t, node)) {
            continue;
        }
        for (int k = 0; k < 4; ++k) {
            out->tet[4 * (size_t)count + (size_t)k] = number[node[k]];
        }
        if (origin_of) {
            origin[count] = t;
        }
        ++count;
    }
    if (origin_of) {
        *origin_of = origin;
    }
    snArena_Free(&scratch);
    return sn_ok;
}

// Search ------------------------------------------------------------------------

typedef struct Search {
    snBccCountFcn* count;
    void* user;
    int64_t wanted;
    double best;      // cell size
    int64_t best_got; // its count
    int64_t distance; // of that from wanted
} Search;

static snStatus try(Search* s, double cell, int64_t* got, snMessage* why)
{
    snStatus status = s->count(s->user, cell, got, why);
    if (status) {
        return status;
    }
    int64_t distance = *got > s->wanted ? *got - s->wanted : s->wanted - *got;
    if (s->distance < 0 || distance < s->distance) {
        s->distance = distance;
        s->best = cell;
        s->best_got = *got;
    }
    return sn_ok;
}

snStatus snBcc_Search(snBccCountFcn* count, void* user, int64_t wanted, double guess, double* cell,
                      int64_t* got, snMessage* why)
{
    if (!(wanted > 0 && guess > 0 && guess < HUGE_VAL)) {
        return snFail(why, sn_errorArgument, "a search needs a number of cells and a first size");
    }
    Search s = {count, user, wanted, guess, 0, -1};
    double fine = 0, coarse = 0, now = guess;
    for (int i = 0; i < 40; ++i) {
        int64_t found;
        snStatus status = try(&s, now, &found, why);
        if (status) {
            return status;
        }
        if (s.distance * 100 <= wanted) {
            break;
        }
        if (found > wanted) {
            fine = now;
        } else {
            coarse = now;
        }
        // cells grow with the inverse cube of their size; between two bounds, the geometric mean
        now = fine == 0 ? coarse / 1.5 : coarse == 0 ? fine * 1.5 : sqrt(fine * coarse);
    }
    *cell = s.best;
    *got = s.best_got;
    return sn_ok;
}
