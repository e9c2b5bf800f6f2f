// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/sheets.h"

#include "base/message.h"
#include "flesh/embed.h"
#include "geom/parts.h"
#include "geom/sort.h"

// Sheets of one cell that are told apart, and places on each from which others are looked for.
#define MOST_SHEETS 64
#define MOST_VIEWS 8

// Crossings on one way between two places; ways with more tell nothing.
#define MOST_CROSSINGS 64

// Places on a sheet lie this far below it, in cells: far more than rounding, far less than a gap.
#define BELOW 1e-5

// Elements of a cell: its triangles by their place in its list, then its corners.
typedef struct Finder {
    const snCover* cover;
    const snTets* tets;
    const int64_t* origin;
    snContents* out;
    const int32_t* across; // the other triangle at each edge when there is just one, else -1
    int32_t* slot;         // of each triangle in the list of the cell at hand
    int32_t* parent;       // of each element
    int32_t* name;         // of each element: part of the set that it names, or -1
    int orientation;       // winding number of most material: 1, or -1 when inside out
} Finder;

// The cell at hand.
typedef struct Cell {
    int32_t tet, count;      // its triangles
    const int32_t* triangle; // (count)
    snVec3 corner[4];
    bool in[4]; // corners with material
} Cell;

// Neighbours --------------------------------------------------------------------

// Vertices of equal position are one: seams of a surface do not part it.
static const int32_t* findAcross(snArena* scratch, const snSurface* surface, snMessage* why)
{
    snSurface welded;
    if (snSurface_Weld(scratch, surface, &welded, NULL, why)) {
        return NULL;
    }
    int32_t edges = 3 * surface->triangle_count;
    uint64_t* key = snArena_Push(scratch, (size_t)edges, sizeof(uint64_t));
    int32_t* edge = snArena_Push(scratch, (size_t)edges, sizeof(int32_t));
    int32_t* across = snArena_Push(scratch, (size_t)edges, sizeof(int32_t));
    if (scratch->failed) {
        return NULL;
    }
    for (int32_t i = 0; i < edges; ++i) {
        uint64_t a = (uint64_t)welded.triangle[i];
        uint64_t b = (uint64_t)welded.triangle[i % 3 == 2 ? i - 2 : i + 1];
        key[i] = a < b ? a << 32 | b : b << 32 | a;
        edge[i] = i;
        across[i] = -1;
    }
    snSort_Pairs(scratch, key, edge, edges);
    for (int32_t i = 0, end; i < edges; i = end) {
        for (end = i + 1; end < edges && key[end] == key[i]; ++end) {
        }
        if (end == i + 2) {
            across[edge[i]] = edge[i + 1] / 3;
            across[edge[i + 1]] = edge[i] / 3;
        }
    }
    return scratch->failed ? NULL : across;
}

// The triangles of each tet, ascending.
static snStatus listThings(snArena* arena, snArena* scratch, const Finder* f, snMessage* why)
{
    const snCover* c = f->cover;
    snContents* out = f->out;
    int64_t count = 0;
    uint64_t* key = NULL;
    int32_t* thing = NULL;
    for (int pass = 0; pass < 2; ++pass) {
        count = 0;
        for (int32_t t = 0; t < f->tets->tet_count; ++t) {
            int64_t cube = f->origin[t] / SN_BCC_TETS;
            uint32_t bit = 1U << f->origin[t] % SN_BCC_TETS;
            out->begin[t] = (int32_t)count;
            for (int32_t i = c->begin[cube]; i < c->begin[cube + 1]; ++i) {
                if (!(c->crossed[i].tets & bit)) {
                    continue;
                }
                if (pass == 1) {
                    thing[count] = c->crossed[i].triangle;
                    key[count] = (uint64_t)t << 32 | (uint64_t)thing[count];
                }
                ++count;
            }
        }
        if (pass == 0) {
            key = snArena_Push(scratch, (size_t)count, sizeof(uint64_t));
            thing = snArena_Push(arena, (size_t)count, sizeof(int32_t));
            out->part = snArena_Push(arena, (size_t)count, sizeof(int32_t));
        }
        if (count > INT32_MAX || arena->failed || scratch->failed) {
            return snFail(why, sn_errorMemory, "no memory for %lld triangles in cells",
                          (long long)count);
        }
    }
    out->begin[f->tets->tet_count] = (int32_t)count;
    out->thing = thing;
    snSort_Pairs(scratch, key, thing, count);
    return scratch->failed ? snFail(why, sn_errorMemory, "no memory to sort triangles") : sn_ok;
}

// Sheets ------------------------------------------------------------------------

static snVec3 vertexOf(const Finder* f, int32_t triangle, int k)
{
    const snSurface* s = f->cover->solid->surface;
    return s->position[s->triangle[3 * (size_t)triangle + (size_t)k]];
}

// Rounding makes no gaps between sheets: edges this close to the cell, in weights, are in it.
#define SLACK 1e-9

static bool isEdgeIn(const Finder* f, const Cell* cell, int32_t triangle, int k)
{
    double a[4], b[4], lo = 0, hi = 1;
    snEmbed_Weights(f->tets, cell->tet, vertexOf(f, triangle, k), a);
    snEmbed_Weights(f->tets, cell->tet, vertexOf(f, triangle, (k + 1) % 3), b);
    for (int i = 0; i < 4; ++i) {
        double from = a[i] + SLACK, to = b[i] + SLACK;
        if (from < 0 && to < 0) {
            return false;
        }
        double cut = from / (from - to); // used only where signs differ
        lo = from < 0 && cut > lo ? cut : lo;
        hi = to < 0 && cut < hi ? cut : hi;
    }
    return lo <= hi;
}

// Joins triangles over edges in the cell; returns the number of sheets.
static int32_t joinSheets(const Finder* f, const Cell* cell)
{
    int32_t sheets = 0;
    for (int32_t i = 0; i < cell->count; ++i) {
        f->slot[cell->triangle[i]] = i;
    }
    for (int32_t i = 0; i < cell->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int32_t other = f->across[3 * (size_t)cell->triangle[i] + (size_t)k];
            int32_t at = other > cell->triangle[i] ? f->slot[other] : -1;
            if (at > i && at < cell->count && cell->triangle[at] == other &&
                isEdgeIn(f, cell, cell->triangle[i], k)) {
                snParts_Join(f->parent, i, at);
            }
        }
    }
    for (int32_t i = 0; i < cell->count; ++i) {
        sheets += f->parent[i] == i;
    }
    return sheets;
}

// Views -------------------------------------------------------------------------

// A place in the cell from which others are looked for.
typedef struct View {
    snVec3 p;
    int winding;
    int32_t element; // whose part it is in, where the winding number is not 0
} View;

// The middle of the corners of what the cell leaves of a triangle; false when that is nothing.
static bool clipMiddle(const Finder* f, const Cell* cell, int32_t triangle, snVec3* middle)
{
    snVec3 p[8], q[8];
    int count = 3;
    for (int k = 0; k < 3; ++k) {
        p[k] = vertexOf(f, triangle, k);
    }
    for (int side = 0; side < 4; ++side) {
        int left = 0;
        for (int k = 0; k < count; ++k) {
            double a[4], b[4];
            snVec3 from = p[k], to = p[(k + 1) % count];
            snEmbed_Weights(f->tets, cell->tet, from, a);
            snEmbed_Weights(f->tets, cell->tet, to, b);
            if (a[side] >= 0) {
                q[left++] = from;
            }
            if ((a[side] < 0) != (b[side] < 0) && left < 8) {
                q[left++] = snMulAdd(from, a[side] / (a[side] - b[side]), snSub(to, from));
            }
        }
        count = left < 7 ? left : 7; // a convex polygon gains one corner per side
        for (int k = 0; k < count; ++k) {
            p[k] = q[k];
        }
    }
    *middle = snV3(0, 0, 0);
    for (int k = 0; k < count; ++k) {
        *middle = snMulAdd(*middle, 1.0 / count, p[k]);
    }
    return count > 0;
}

// How the winding number changes on the way; false in doubt.
static bool countWay(const Finder* f, const Cell* cell, snVec3 from, snVec3 to, int* sum)
{
    *sum = 0;
    for (int32_t i = 0; i < cell->count; ++i) {
        int change = snSolid_Cross(f->cover->solid, cell->triangle[i], from, to);
        if (change == SN_DOUBT) {
            return false;
        }
        *sum += change;
    }
    return true;
}

// Where crossings tell, start is a corner with a known winding number.
typedef struct Start {
    bool counts;
    snVec3 from;
    int winding;
} Start;

// A place on that side of a triangle where the material is.
static bool viewFrom(const Finder* f, const Cell* cell, const Start* start, int32_t slot, View* out)
{
    snVec3 n = f->cover->solid->plane[cell->triangle[slot]].n, middle;
    double below = BELOW * f->cover->lattice.cell;
    int change;
    if (snLengthSq(n) == 0 || !clipMiddle(f, cell, cell->triangle[slot], &middle)) {
        return false;
    }
    *out = (View){snMulAdd(middle, -f->orientation * below, n), f->orientation, slot};
    if (start->counts && countWay(f, cell, start->from, out->p, &change)) {
        out->winding = start->winding + change;
        if (out->winding == 0) { // a shell that is the other way round than most
            out->p = snMulAdd(middle, f->orientation * below, n);
            out->winding = -f->orientation;
        }
    }
    return true;
}

// Views from every sheet, evenly over its triangles, and from the corners; returns how many.
static int makeViews(const Finder* f, const Cell* cell, const Start* start, int32_t sheets,
                     View* view)
{
    int count = 0;
    int32_t most = MOST_SHEETS / sheets < MOST_VIEWS ? MOST_SHEETS / sheets : MOST_VIEWS;
    for (int32_t i = 0; i < cell->count; ++i) {
        f->name[i] = 0; // triangles of each sheet
    }
    for (int32_t i = 0; i < cell->count; ++i) {
        ++f->name[snParts_Find(f->parent, i)];
    }
    for (int32_t sheet = 0; sheet < cell->count; ++sheet) {
        if (f->parent[sheet] != sheet) {
            continue;
        }
        int32_t every = (f->name[sheet] + most - 1) / most, seen = 0, taken = 0;
        for (int32_t i = sheet; i < cell->count && taken < most; ++i) {
            if (snParts_Find(f->parent, i) == sheet && seen++ >= taken * every &&
                viewFrom(f, cell, start, i, &view[count])) {
                ++taken;
                ++count;
            }
        }
    }
    for (int k = 0; k < 4; ++k) {
        int change;
        View v = {cell->corner[k], cell->in[k] ? f->orientation : 0, cell->count + k};
        if (start->counts && countWay(f, cell, start->from, v.p, &change)) {
            v.winding = start->winding + change;
        }
        view[count++] = v;
    }
    return count;
}

typedef struct Crossing {
    double at; // 0..1 of the way
    int change;
    int32_t slot;
} Crossing;

// Crossings in their order; -1 when they tell nothing.
static int listCrossings(const Finder* f, const Cell* cell, const View* a, const View* b,
                         Crossing* list)
{
    int count = 0;
    for (int32_t i = 0; i < cell->count; ++i) {
        const snPlane* plane = &f->cover->solid->plane[cell->triangle[i]];
        int change = snSolid_Cross(f->cover->solid, cell->triangle[i], a->p, b->p);
        if (change == SN_DOUBT || (change && count == MOST_CROSSINGS)) {
            return -1;
        }
        if (change) {
            double start = snDot(plane->n, a->p) - plane->offset;
            double end = snDot(plane->n, b->p) - plane->offset;
            Crossing c = {start / (start - end), change, i};
            int at = count++;
            for (; at > 0 && list[at - 1].at > c.at; --at) {
                list[at] = list[at - 1];
            }
            list[at] = c;
        }
    }
    return count;
}

// Goes from a to b and joins what lies on the same stretch of material. Near a hole of the surface
// the way may leave the body unseen and enter another: numbers other than 0 and the usual one show
// that.
static void joinWay(const Finder* f, const Cell* cell, const View* a, const View* b, bool counts)
{
    Crossing list[MOST_CROSSINGS];
    int count = listCrossings(f, cell, a, b, list), winding = a->winding;
    for (int i = 0; i < count; ++i) {
        winding += list[i].change;
        if (!counts && winding != 0 && winding != f->orientation) {
            return;
        }
    }
    if (count < 0 || winding != b->winding) {
        return;
    }
    int32_t last = a->element;
    winding = a->winding;
    for (int i = 0; i < count; ++i) {
        if (winding != 0) {
            snParts_Join(f->parent, last, list[i].slot);
        }
        winding += list[i].change;
        last = list[i].slot;
    }
    if (winding != 0) {
        snParts_Join(f->parent, last, b->element);
    }
}

static void joinThroughMaterial(const Finder* f, const Cell* cell, int32_t sheets)
{
    View view[MOST_SHEETS + 4];
    Start start;
    start.counts = snCover_Start(f->cover, f->origin[cell->tet], &start.from, &start.winding);
    int count = makeViews(f, cell, &start, sheets, view);
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
            bool both = view[i].winding != 0 && view[j].winding != 0;
            if (!both || snParts_Find(f->parent, view[i].element) !=
                             snParts_Find(f->parent, view[j].element)) {
                joinWay(f, cell, &view[i], &view[j], start.counts);
            }
        }
    }
}

// Cells -------------------------------------------------------------------------

// Names the sets of elements with material 0, 1, ...
static void nameParts(const Finder* f, const Cell* cell)
{
    int32_t* part = f->out->part + f->out->begin[cell->tet];
    int32_t* corner = f->out->corner + 4 * (size_t)cell->tet;
    int32_t count = 0;
    for (int32_t i = 0; i < cell->count + 4; ++i) {
        f->name[i] = -1;
    }
    for (int32_t i = 0; i < cell->count + 4; ++i) {
        int k = i - cell->count;
        if (k >= 0 && !cell->in[k]) {
            corner[k] = -1;
            continue;
        }
        int32_t* name = &f->name[snParts_Find(f->parent, i)];
        *name = *name < 0 ? count++ : *name;
        *(k < 0 ? &part[i] : &corner[k]) = *name;
    }
    f->out->parts[cell->tet] = count;
}

static void findParts(const Finder* f, int32_t tet)
{
    const snContents* out = f->out;
    int64_t node[4];
    Cell cell = {.tet = tet,
                 .count = out->begin[tet + 1] - out->begin[tet],
                 .triangle = out->thing + out->begin[tet]};
    snBcc_Tet(&f->cover->lattice, f->origin[tet], node);
    for (int k = 0; k < 4; ++k) {
        cell.corner[k] = f->tets->position[f->tets->tet[4 * (size_t)tet + (size_t)k]];
        cell.in[k] = f->cover->side[node[k]] >= sn_sideInside;
        out->open[tet] |= f->cover->winding[node[k]] == SN_NOT_WHOLE;
    }
    snParts_Start(f->parent, cell.count + 4);
    int32_t sheets = joinSheets(f, &cell);
    if (sheets > 1 && sheets <= MOST_SHEETS) {
        joinThroughMaterial(f, &cell, sheets);
    } else {
        for (int32_t i = 1; i < cell.count + 4; ++i) {
            snParts_Join(f->parent, 0, i);
        }
    }
    nameParts(f, &cell);
}

static int orientationOf(const snCover* cover)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < snBcc_NodeCount(&cover->lattice); ++i) {
        sum += cover->winding[i] == SN_NOT_WHOLE ? 0 : cover->winding[i];
    }
    return sum < 0 ? -1 : 1;
}

static snStatus findAll(snArena* arena, snArena* scratch, Finder* f, snMessage* why)
{
    size_t count = (size_t)f->tets->tet_count;
    snContents* out = f->out;
    out->parts = snArena_Push(arena, count, sizeof(int32_t));
    out->corner = snArena_Push(arena, 4 * count, sizeof(int32_t));
    out->open = snArena_Push(arena, count, 1);
    out->begin = snArena_Push(arena, count + 1, sizeof(int32_t));
    snStatus status = arena->failed ? snFail(why, sn_errorMemory, "no memory for %zu cells", count)
                                    : listThings(arena, scratch, f, why);
    if (status) {
        return status;
    }
    int32_t most = 0;
    for (int32_t t = 0; t < f->tets->tet_count; ++t) {
        int32_t things = out->begin[t + 1] - out->begin[t];
        most = things > most ? things : most;
    }
    const snSurface* surface = f->cover->solid->surface;
    f->orientation = orientationOf(f->cover);
    f->across = findAcross(scratch, surface, why);
    f->slot = snArena_Push(scratch, (size_t)surface->triangle_count, sizeof(int32_t));
    f->parent = snArena_Push(scratch, (size_t)most + 4, sizeof(int32_t));
    f->name = snArena_Push(scratch, (size_t)most + 4, sizeof(int32_t));
    if (!f->across || scratch->failed) {
        return snFail(why, sn_errorMemory, "no memory for %d triangles",
                      (int)surface->triangle_count);
    }
    for (int32_t t = 0; t < f->tets->tet_count; ++t) {
        findParts(f, t);
    }
    return sn_ok;
}

snStatus snSheets_Find(snArena* arena, const snCover* cover, const snTets* tets,
                       const int64_t* origin, snContents* out, snMessage* why)
{
    Finder f = {.cover = cover, .tets = tets, .origin = origin, .out = out};
    snArena scratch;
    *out = (snContents){0};
    snArena_Init(&scratch, &arena->host);
    snStatus status = findAll(arena, &scratch, &f, why);
    snArena_Free(&scratch);
    return status;
}

// Places ------------------------------------------------------------------------

// What a way to a corner meets first, or the corner itself, is of the same part.
int32_t snSheets_Part(const snCover* cover, const snTets* tets, const snContents* contents,
                      int32_t tet, snVec3 p)
{
    for (int k = 0; k < 4 && contents->parts[tet] > 1; ++k) {
        snVec3 corner = tets->position[tets->tet[4 * (size_t)tet + (size_t)k]];
        int32_t found = contents->corner[4 * (size_t)tet + (size_t)k];
        double nearest = HUGE_VAL;
        for (int32_t i = contents->begin[tet]; i < contents->begin[tet + 1]; ++i) {
            const snPlane* plane = &cover->solid->plane[contents->thing[i]];
            int change = snSolid_Cross(cover->solid, contents->thing[i], p, corner);
            if (change == SN_DOUBT) {
                found = -1;
                break;
            }
            double start = snDot(plane->n, p) - plane->offset;
            double at = change ? start / (start - (snDot(plane->n, corner) - plane->offset)) : 2;
            if (change && at < nearest) {
                nearest = at;
                found = contents->part[i];
            }
        }
        if (found >= 0) {
            return found;
        }
    }
    return 0;
}
