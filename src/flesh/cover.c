// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/cover.h"

#include "base/message.h"
#include "flesh/sample.h"
#include <string.h>

// Points asked for together.
#define BLOCK 16384

// Farther from a whole number than this, a winding number tells of a hole nearby. The tree's own
// error is usually 0.002.
#define WHOLE 0.03

// Corners and triangles -----------------------------------------------------------

static int16_t wholeOf(double w)
{
    double whole = floor(w + 0.5);
    return fabs(w - whole) < WHOLE && fabs(whole) < 100 ? (int16_t)whole : SN_NOT_WHOLE;
}

// At all nodes of the lattice, shared by the cells around them.
static snStatus askNodes(snCover* c, snArena* scratch, snMessage* why)
{
    int64_t nodes = snBcc_NodeCount(&c->lattice);
    snVec3* p = snArena_Push(scratch, BLOCK, sizeof(snVec3));
    double* w = snArena_Push(scratch, BLOCK, sizeof(double));
    if (scratch->failed) {
        return snFail(why, sn_errorMemory, "no memory for %d points", BLOCK);
    }
    snStatus status = sn_ok;
    for (int64_t i = 0; i < nodes && !status; i += BLOCK) {
        int64_t n = nodes - i < BLOCK ? nodes - i : BLOCK;
        for (int64_t k = 0; k < n; ++k) {
            p[k] = snBcc_Node(&c->lattice, i + k);
        }
        status = snWinding_Batch(&c->solid->winding, p, n, w, &c->solid->host, NULL, why);
        for (int64_t k = 0; k < n && !status; ++k) {
            c->side[i + k] = (uint8_t)snSide_Of(w[k]);
            c->winding[i + k] = wholeOf(w[k]);
        }
    }
    return status;
}

// A cube of the lattice while its triangles are looked for.
typedef struct Cube {
    snCover* cover;
    int64_t number;
    snBox box;
    snVec3 corner[SN_BCC_TETS][4]; // of its tets
    uint32_t used;                 // a bit for each tet that there is
    uint32_t touched;              // and that a triangle touches
    int32_t count, room;           // entries of cover->crossed
} Cube;

static void enterCube(Cube* cube, int64_t number)
{
    const snBcc* lattice = &cube->cover->lattice;
    int64_t node[4];
    cube->number = number;
    cube->box = snBox_Empty();
    cube->used = cube->touched = 0;
    for (int t = 0; t < SN_BCC_TETS; ++t) {
        if (snBcc_Tet(lattice, SN_BCC_TETS * number + t, node)) {
            cube->used |= 1U << t;
            for (int k = 0; k < 4; ++k) {
                cube->corner[t][k] = snBcc_Node(lattice, node[k]);
                cube->box = snBox_Point(cube->box, cube->corner[t][k]);
            }
        }
    }
}

static void pushCrossed(Cube* cube, snCrossed entry)
{
    if (cube->count == cube->room) {
        int32_t room = 2 * cube->room + 1024;
        snCrossed* more = snArena_Push(&cube->cover->arena, (size_t)room, sizeof(snCrossed));
        if (!more) {
            return; // the arena remembers
        }
        if (cube->count > 0) {
            memcpy(more, cube->cover->crossed, (size_t)cube->count * sizeof(snCrossed));
        }
        cube->cover->crossed = more;
        cube->room = room;
    }
    cube->cover->crossed[cube->count++] = entry;
}

static void meetTriangle(void* user, int32_t triangle)
{
    Cube* cube = user;
    snCrossed entry = {triangle, 0};
    for (int t = 0; t < SN_BCC_TETS; ++t) {
        if (cube->used >> t & 1 && snSolid_Meets(cube->cover->solid, triangle, cube->corner[t])) {
            entry.tets |= 1U << t;
        }
    }
    if (entry.tets) {
        cube->touched |= entry.tets;
        pushCrossed(cube, entry);
    }
}

static void findKinds(snCover* c)
{
    int64_t cubes = snBcc_CubeCount(&c->lattice), node[4];
    Cube cube = {.cover = c};
    for (int64_t i = 0; i < cubes && !c->arena.failed; ++i) {
        enterCube(&cube, i);
        snSolid_Near(c->solid, cube.box, meetTriangle, &cube);
        c->begin[i + 1] = cube.count;
        for (int t = 0; t < SN_BCC_TETS; ++t) {
            int64_t tet = SN_BCC_TETS * i + t;
            c->kind[tet] = sn_cellEmpty;
            if (cube.used >> t & 1) {
                snBcc_Tet(&c->lattice, tet, node);
                const uint8_t sides[4] = {c->side[node[0]], c->side[node[1]], c->side[node[2]],
                                          c->side[node[3]]};
                c->kind[tet] = (uint8_t)snSolid_Kind(sides, cube.touched >> t & 1);
            }
        }
    }
}

// Points ------------------------------------------------------------------------

// Change of the winding number from a to b, both in the cell, by the triangles that touch it; false
// when one of them leaves it in doubt.
static bool countCrossings(const snCover* c, int64_t tet, snVec3 a, snVec3 b, int* sum)
{
    int64_t cube = tet / SN_BCC_TETS;
    uint32_t bit = 1U << tet % SN_BCC_TETS;
    *sum = 0;
    for (int32_t i = c->begin[cube]; i < c->begin[cube + 1]; ++i) {
        if (c->crossed[i].tets & bit) {
            int change = snSolid_Cross(c->solid, c->crossed[i].triangle, a, b);
            if (change == SN_DOUBT) {
                return false;
            }
            *sum += change;
        }
    }
    return true;
}

// A cell whose points are asked for.
typedef struct Asked {
    int64_t tet;
    bool counts; // crossings tell
    snVec3 from; // a corner
    int winding; // there
} Asked;

// Finds a corner to start from whose crossings agree with the other corners. One on the surface
// leaves everything in doubt; near a hole they disagree, or the numbers are not whole.
static Asked askCell(const snCover* c, int64_t tet)
{
    int64_t node[4];
    snVec3 p[4];
    snBcc_Tet(&c->lattice, tet, node);
    for (int k = 0; k < 4; ++k) {
        p[k] = snBcc_Node(&c->lattice, node[k]);
    }
    for (int f = 0; f < 4; ++f) {
        int winding = c->winding[node[f]], change, agreed = 0;
        for (int k = 0; k < 4 && winding != SN_NOT_WHOLE; ++k) {
            if (k == f || !countCrossings(c, tet, p[f], p[k], &change)) {
                continue;
            }
            if (winding + change != c->winding[node[k]]) {
                return (Asked){.tet = tet};
            }
            ++agreed;
        }
        if (agreed > 0) {
            return (Asked){tet, true, p[f], winding};
        }
    }
    return (Asked){.tet = tet};
}

bool snCover_Start(const snCover* cover, int64_t tet, snVec3* from, int* winding)
{
    Asked cell = askCell(cover, tet);
    *from = cell.from;
    *winding = cell.winding;
    return cell.counts;
}

// 0 or 1, or 2 when the solid must be asked.
static uint8_t tell(const snCover* c, const Asked* cell, snVec3 p)
{
    int change;
    return cell->counts && countCrossings(c, cell->tet, cell->from, p, &change)
               ? cell->winding + change != 0
               : 2;
}

snStatus snCover_Material(void* user, const snVec3* p, int64_t count, uint8_t* in, snMessage* why)
{
    const snCover* c = user;
    Asked cell = {.tet = -1};
    int64_t open = 0;
    for (int64_t i = 0; i < count; ++i) {
        int64_t tet = snBcc_Locate(&c->lattice, p[i]);
        int kind = tet < 0 ? sn_cellMixed : c->kind[tet];
        if (kind == sn_cellMixed && tet != cell.tet) {
            cell = tet < 0 ? (Asked){.tet = -1} : askCell(c, tet);
        }
        in[i] = kind == sn_cellMixed ? tell(c, &cell, p[i]) : kind == sn_cellFull;
        open += in[i] == 2;
    }
    if (open == 0) {
        return sn_ok;
    }
    snArena scratch;
    snArena_Init(&scratch, &c->solid->host);
    snVec3* q = snArena_Push(&scratch, (size_t)open, sizeof(snVec3));
    uint8_t* answer = snArena_Push(&scratch, (size_t)open, 1);
    snStatus status =
        scratch.failed ? snFail(why, sn_errorMemory, "no memory for %lld points", (long long)open)
                       : sn_ok;
    for (int64_t i = 0, n = 0; i < count && !status; ++i) {
        if (in[i] == 2) {
            q[n++] = p[i];
        }
    }
    status = status ? status : snSolid_Material(c->solid, q, open, answer, why);
    for (int64_t i = 0, n = 0; i < count && !status; ++i) {
        in[i] = in[i] == 2 ? answer[n++] : in[i];
    }
    snArena_Free(&scratch);
    return status;
}

// Keeping -----------------------------------------------------------------------

// Mixed cells are kept when one of the places at which flesh is sampled holds material: with other
// places, what lies in cells left out would be missing from the mass.
typedef struct Probes {
    int32_t strata, count;
    double (*bary)[4]; // (count)
    snVec3* point;     // (count)
    uint8_t* in;       // (count)
} Probes;

// Most cells tell by the first few. Where crossings cannot, the solid is asked for all.
static snStatus probeCell(snCover* c, int64_t tet, const Probes* probes, snMessage* why)
{
    int64_t node[4];
    snVec3 corner[4];
    snStatus status = sn_ok;
    Asked cell = askCell(c, tet);
    snBcc_Tet(&c->lattice, tet, node);
    for (int k = 0; k < 4; ++k) {
        corner[k] = snBcc_Node(&c->lattice, node[k]);
    }
    snSample_Place((uint64_t)tet, probes->strata, corner, probes->bary, probes->point);
    for (int32_t i = 0; i < probes->count && cell.counts && !c->keep[tet]; ++i) {
        c->keep[tet] = tell(c, &cell, probes->point[i]) == 1;
    }
    if (!cell.counts) {
        status = snSolid_Material(c->solid, probes->point, probes->count, probes->in, why);
        c->keep[tet] = !status && memchr(probes->in, 1, (size_t)probes->count) != NULL;
    }
    return status;
}

static snStatus keepCells(snCover* c, snArena* scratch, int32_t strata, snMessage* why)
{
    Probes probes = {.strata = strata, .count = strata * strata * strata};
    int64_t tets = snBcc_TetCount(&c->lattice);
    snStatus status = sn_ok;
    probes.bary = snArena_Push(scratch, (size_t)probes.count, sizeof *probes.bary);
    probes.point = snArena_Push(scratch, (size_t)probes.count, sizeof(snVec3));
    probes.in = snArena_Push(scratch, (size_t)probes.count, 1);
    if (scratch->failed) {
        return snFail(why, sn_errorMemory, "no memory for %d probes", (int)probes.count);
    }
    for (int64_t t = 0; t < tets && !status; ++t) {
        c->keep[t] = c->kind[t] == sn_cellFull;
        if (c->kind[t] == sn_cellMixed) {
            status = probeCell(c, t, &probes, why);
        }
        c->count += c->keep[t];
    }
    return status;
}

static snStatus lay(snCover* c, int32_t strata, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &c->solid->host);
    size_t tets = (size_t)snBcc_TetCount(&c->lattice);
    size_t nodes = (size_t)snBcc_NodeCount(&c->lattice);
    c->keep = snArena_Push(&c->arena, tets, 1);
    c->kind = snArena_Push(&c->arena, tets, 1);
    c->winding = snArena_Push(&c->arena, nodes, sizeof(int16_t));
    c->begin = snArena_Push(&c->arena, tets / SN_BCC_TETS + 1, sizeof(int32_t));
    c->side = snArena_Push(&c->arena, nodes, 1);
    snStatus status = sn_ok;
    if (!c->arena.failed && !scratch.failed) {
        status = askNodes(c, &scratch, why);
    }
    if (!c->arena.failed && !scratch.failed && !status) {
        findKinds(c);
    }
    if (c->arena.failed || scratch.failed) {
        status = snFail(why, sn_errorMemory, "no memory for a lattice with cells of %g m",
                        c->lattice.cell);
    }
    status = status ? status : keepCells(c, &scratch, snSample_Strata(strata), why);
    snArena_Free(&scratch);
    return status;
}

snStatus snCover_Lay(const snSolid* solid, double cell, snVec3 shift, int32_t strata, snCover* out,
                     snMessage* why)
{
    *out = (snCover){.solid = solid};
    snStatus status = snBcc_Cover(solid->box, cell, shift, &out->lattice, why);
    if (status) {
        return status;
    }
    snArena_Init(&out->arena, &solid->host);
    status = lay(out, strata, why);
    if (status) {
        snCover_Free(out);
    }
    return status;
}

void snCover_Free(snCover* cover)
{
    snArena_Free(&cover->arena);
    *cover = (snCover){0};
}

// Search ------------------------------------------------------------------------

// Trials of the search, and how close to the wanted number ends it. Counts jump with the size, and
// a few cells are dropped or split later, so closer is no use.
#define TRIALS 12
#define CLOSE 0.02

// Cells smaller than this part of the first guess mean that there is no volume to speak of.
#define LEAST 0.05

// Thinner against its size, a body is a sheet or a thread that no sensible number of cells fills,
// and the search would take minutes to find out.
#define THINNEST 1e-4

// The size h at which 12 V/h^3 cells fill the volume, and those that the surface crosses are half
// outside: about 6 A/h^2 more.
static double guessCell(const snSolid* solid, double wanted)
{
    snVec3 span = snSub(solid->box.hi, solid->box.lo);
    double lo = 0, hi = 2 * (span.x + span.y + span.z);
    for (int i = 0; i < 60; ++i) {
        double h = 0.5 * (lo + hi);
        bool fine = 12 * solid->volume + 6 * solid->area * h > wanted * h * h * h;
        lo = fine ? h : lo;
        hi = fine ? hi : h;
    }
    return hi;
}

// Counts go with a power of the size between -2 and -3: x^(3/8) is the step for -2.7.
static double stepFor(double x)
{
    double root = sqrt(sqrt(x));
    return root * sqrt(root);
}

snStatus snCover_Search(const snSolid* solid, int64_t wanted, snVec3 shift, int32_t strata,
                        snCover* out, snMessage* why)
{
    double guess = guessCell(solid, (double)wanted), now = guess, error = HUGE_VAL;
    double fine = 0, coarse = HUGE_VAL; // sizes that gave too many cells and too few
    double size = snLength(snSub(solid->box.hi, solid->box.lo));
    *out = (snCover){0};
    if (solid->volume > 0 && 2 * solid->volume < THINNEST * size * solid->area) {
        return snFail(why, sn_errorArgument,
                      "the surface is %.2g m thick on average and %.2g m long: too thin to fill "
                      "with cells; thicken it, or close its holes",
                      2 * solid->volume / solid->area, size);
    }
    for (int i = 0; i < TRIALS && error > CLOSE && now > LEAST * guess; ++i) {
        snCover trial;
        snStatus status = snCover_Lay(solid, now, shift, strata, &trial, why);
        if (status) {
            snCover_Free(out);
            return status;
        }
        double ratio = (double)trial.count / (double)wanted;
        bool better = trial.count > 0 && fabs(ratio - 1) < error;
        snCover worse = better ? *out : trial;
        *out = better ? trial : *out;
        error = better ? fabs(ratio - 1) : error;
        snCover_Free(&worse);
        fine = ratio > 1 ? now : fine;
        coarse = ratio > 1 ? coarse : now;
        now *= stepFor(ratio < 0.05 ? 0.05 : ratio > 20 ? 20 : ratio);
        now = now > fine && now < coarse ? now : sqrt(fine * coarse);
    }
    return out->count > 0
               ? sn_ok
               : snFail(why, sn_errorArgument,
                        "the surface encloses nothing, or too little for %lld cells; close its "
                        "holes or ask for fewer",
                        (long long)wanted);
}
