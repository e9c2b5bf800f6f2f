// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/tissue.h"

#include "base/message.h"
#include "contact/tissue_clear.h"
#include "geom/winding.h"
#include "math/mat.h"

#define POINTS_IN_LEAF 4

// Samples of the field along a cell's side.
#define SAMPLES_PER_CELL 5

// Self contact begins at this many cells: nearer places share cells, or neighbours.
#define APART_CELLS 2.5

// Gradients shorter than this are rounding: the place is in the very middle of the body.
#define NO_GRADIENT 1e-3

// The thinnest that flesh counts as, in cells: less is in the field's rounding.
#define THINNEST 0.25

// The field ----------------------------------------------------------------------

// Triangles with material on one side only: those inside the body, where its shells overlap, and
// sheets without a body are no surface that anything could touch. What is left of a surface winds
// around the same places.
static snStatus keepOuter(snArena* scratch, const snSurface* surface, snSurface* out,
                          snMessage* why)
{
    size_t count = (size_t)surface->triangle_count;
    snWinding winding;
    snVec3* q = snArena_Push(scratch, 2 * count, sizeof(snVec3));
    double* w = snArena_Push(scratch, 2 * count, sizeof(double));
    *out = *surface;
    out->triangle_count = 0;
    out->triangle = snArena_Push(scratch, 3 * count, sizeof(int32_t));
    if (scratch->failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu triangles", count);
    }
    for (size_t t = 0; t < count; ++t) {
        const int32_t* v = surface->triangle + 3 * t;
        snVec3 a = surface->position[v[0]], b = surface->position[v[1]];
        snVec3 c = surface->position[v[2]], n = snTriangleCross(a, b, c);
        snVec3 middle = snScale(1.0 / 3, snAdd(a, snAdd(b, c)));
        double size = sqrt(snLength(n)), step = size > 0 ? 0.02 / size : 0; // 2 % of its side
        q[2 * t] = snMulAdd(middle, step, n);
        q[2 * t + 1] = snMulAdd(middle, -step, n);
    }
    snStatus status = snWinding_Build(scratch, surface, &winding, why);
    status = status
                 ? status
                 : snWinding_Batch(&winding, q, 2 * (int64_t)count, w, &scratch->host, NULL, why);
    for (size_t t = 0; t < count && !status; ++t) {
        if (snWinding_IsInside(w[2 * t]) != snWinding_IsInside(w[2 * t + 1])) {
            int32_t* v = out->triangle + 3 * (size_t)out->triangle_count++;
            v[0] = surface->triangle[3 * t];
            v[1] = surface->triangle[3 * t + 1];
            v[2] = surface->triangle[3 * t + 2];
        }
    }
    return status;
}

// Nothing is deeper inside than half the least side of its box.
static double deepestOf(const snSurface* surface)
{
    snBox box = snSurface_Bounds(surface);
    snVec3 size = snSub(box.hi, box.lo);
    double side = size.x < size.y ? size.x : size.y;
    return 0.5 * (size.z < side ? size.z : side);
}

static double reachOf(const snDistanceField* field)
{
    int64_t count = (int64_t)field->nx * field->ny * field->nz;
    float lowest = 0;
    for (int64_t i = 0; i < count; ++i) {
        lowest = field->samples[i] < lowest ? field->samples[i] : lowest;
    }
    return -(double)lowest;
}

// Trees ------------------------------------------------------------------------

static snBox cellBox(const snTets* tets, int32_t cell)
{
    snBox box = snBox_Empty();
    for (int k = 0; k < 4; ++k) {
        box = snBox_Point(box, tets->position[tets->tet[4 * (size_t)cell + (size_t)k]]);
    }
    return box;
}

static void fillBlock(const snTissue* tissue, const snBvhNode* leaf, snTissueCorners* corners,
                      snTissueBlock* rest)
{
    const snTets* tets = &tissue->flesh.tets;
    corners->count = leaf->count;
    for (int i = 0; i < SN_TISSUE_LANES; ++i) {
        bool used = i < leaf->count;
        int32_t cell = used ? tissue->cell_tree.order[leaf->first + i] : -1;
        snBox box = used ? cellBox(tets, cell) : snBox_Empty();
        corners->cell[i] = cell;
        for (int k = 0; k < 4; ++k) {
            corners->node[i][k] = used ? tets->tet[4 * (size_t)cell + (size_t)k] : 0;
        }
        rest->lo[0][i] = (float)box.lo.x, rest->hi[0][i] = (float)box.hi.x;
        rest->lo[1][i] = (float)box.lo.y, rest->hi[1][i] = (float)box.hi.y;
        rest->lo[2][i] = (float)box.lo.z, rest->hi[2][i] = (float)box.hi.z;
    }
}

// Numbers the leaves and lays out their cells.
static snStatus layBlocks(snArena* arena, snTissue* tissue, snMessage* why)
{
    const snBvh* bvh = &tissue->cell_tree;
    int32_t* block_of = snArena_Push(arena, (size_t)bvh->node_count, sizeof(int32_t));
    for (int32_t i = 0; i < bvh->node_count && block_of; ++i) {
        block_of[i] = bvh->nodes[i].count > 0 ? tissue->block_count++ : -1;
    }
    size_t blocks = (size_t)tissue->block_count;
    snTissueCorners* corners = snArena_Push(arena, blocks, sizeof(snTissueCorners));
    snTissueBlock* rest = snArena_Push(arena, blocks, sizeof(snTissueBlock));
    if (!block_of || !corners || !rest) {
        return snFail(why, sn_errorMemory, "no memory for %zu blocks of cells", blocks);
    }
    for (int32_t i = 0; i < bvh->node_count; ++i) {
        if (block_of[i] >= 0) {
            fillBlock(tissue, &bvh->nodes[i], &corners[block_of[i]], &rest[block_of[i]]);
        }
    }
    tissue->block_of = block_of;
    tissue->corners = corners;
    tissue->rest_boxes = rest;
    return sn_ok;
}

static snStatus growCells(snArena* arena, snArena* scratch, snTissue* tissue, snMessage* why)
{
    const snTets* tets = &tissue->flesh.tets;
    snBox* box = snArena_Push(scratch, (size_t)tets->tet_count, sizeof(snBox));
    double longest = 0, cell = tissue->flesh.cell;
    if (!box) {
        return snFail(why, sn_errorMemory, "no memory for %d cells", (int)tets->tet_count);
    }
    for (int32_t e = 0; e < tets->tet_count; ++e) {
        box[e] = cellBox(tets, e);
        longest = fmax(longest, snLength(snSub(box[e].hi, box[e].lo)));
    }
    tissue->apart = fmax(APART_CELLS * cell, longest + cell);
    snStatus status =
        snBvh_Build(arena, box, tets->tet_count, SN_TISSUE_LANES, &tissue->cell_tree, why);
    return status ? status : layBlocks(arena, tissue, why);
}

static snStatus growPoints(snArena* arena, snArena* scratch, snTissue* tissue, snMessage* why)
{
    const snFleshView* flesh = &tissue->flesh;
    size_t count = (size_t)flesh->point_count;
    snBox* box = snArena_Push(scratch, count, sizeof(snBox));
    snVec3* rest = snArena_Push(arena, count, sizeof(snVec3));
    snTie* ties = snArena_Push(arena, count, sizeof(snTie));
    if (!box || !rest || !ties) {
        return snFail(why, sn_errorMemory, "no memory for %zu points", count);
    }
    for (size_t i = 0; i < count; ++i) {
        const snTie* tie = &flesh->ties[i];
        rest[i] = snV3(0, 0, 0);
        for (int k = 0; k < 4; ++k) {
            rest[i] = snMulAdd(rest[i], (double)tie->weight[k], flesh->tets.position[tie->node[k]]);
        }
        box[i] = (snBox){rest[i], rest[i]};
    }
    snStatus status =
        snBvh_Build(arena, box, flesh->point_count, POINTS_IN_LEAF, &tissue->point_tree, why);
    for (size_t i = 0; i < count && !status; ++i) {
        ties[i] = flesh->ties[tissue->point_tree.order[i]];
    }
    tissue->point_rest = rest;
    tissue->ties = ties;
    return status;
}

static snStatus findNormals(snArena* arena, snTissue* tissue, snMessage* why)
{
    const snFleshView* flesh = &tissue->flesh;
    snVec3* normal = snArena_Push(arena, (size_t)flesh->point_count, sizeof(snVec3));
    for (int32_t i = 0; i < flesh->point_count && normal; ++i) {
        const snDistanceField* field = snTissue_Field(tissue, flesh->cell_of[i]);
        snDistanceField_At(field, tissue->point_rest[i], &normal[i]);
        normal[i] = snNormalize(normal[i]);
    }
    tissue->point_normal = normal;
    return normal ? sn_ok : snFail(why, sn_errorMemory, "no memory for normals");
}

// Half the way from skin to skin through a place of the body, along the way out there: of a ball
// its radius, of a cube half its side. The field says how far it is safe to go on.
static double thicknessAt(const snTissue* tissue, snVec3 place, snVec3 out)
{
    const snDistanceField* field = &tissue->field;
    const double least = THINNEST * tissue->flesh.cell;
    const double most = field->spacing * (field->nx + field->ny + field->nz);
    double phi = snDistanceField_At(field, place, NULL), in = 0;
    bool middle = snLengthSq(out) == 0; // as near to one side as to the other
    for (double deep = 0.5 * field->spacing; deep < most && !middle;) {
        double here = snDistanceField_At(field, snMulAdd(place, -deep, out), NULL);
        if (!(here < 0)) {
            break;
        }
        in = deep;
        deep += -here > 0.5 * field->spacing ? -here : 0.5 * field->spacing;
    }
    double thick = 0.5 * ((phi < 0 ? -phi : 0) + (middle ? -phi : in));
    return thick > least ? thick : least;
}

static snVec3 middleOf(const snTets* tets, int32_t cell)
{
    snVec3 sum = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        sum = snMulAdd(sum, 0.25, tets->position[tets->tet[4 * (size_t)cell + (size_t)k]]);
    }
    return sum;
}

static snStatus findThickness(snArena* arena, snTissue* tissue, snMessage* why)
{
    const snFleshView* flesh = &tissue->flesh;
    float* point = snArena_Push(arena, (size_t)flesh->point_count, sizeof(float));
    float* cell = snArena_Push(arena, (size_t)flesh->tets.tet_count, sizeof(float));
    double sum = 0, area = 0;
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for the thickness of %d cells",
                      (int)flesh->tets.tet_count);
    }
    for (int32_t i = 0; i < flesh->point_count; ++i) {
        double thick = thicknessAt(tissue, tissue->point_rest[i], tissue->point_normal[i]);
        point[i] = (float)thick;
        sum += (double)flesh->area[i] * thick;
        area += (double)flesh->area[i];
    }
    for (int32_t e = 0; e < flesh->tets.tet_count; ++e) {
        snVec3 middle = middleOf(&flesh->tets, e), out;
        snDistanceField_At(&tissue->field, middle, &out);
        cell[e] = (float)thicknessAt(tissue, middle, snNormalize(out));
    }
    tissue->point_thickness = point;
    tissue->cell_thickness = cell;
    tissue->thickness = area > 0 ? sum / area : THINNEST * flesh->cell;
    return sn_ok;
}

static snStatus build(snArena* arena, snArena* scratch, const snSurface* surface, snTissue* tissue,
                      snMessage* why)
{
    snSurface outer;
    double spacing = tissue->flesh.cell / SAMPLES_PER_CELL;
    snStatus status = keepOuter(scratch, surface, &outer, why);
    status = status ? status
                    : snDistanceField_Build(arena, &outer, spacing, deepestOf(&outer),
                                            &tissue->field, why);
    status = status ? status : growCells(arena, scratch, tissue, why);
    status = status ? status : growPoints(arena, scratch, tissue, why);
    status = status ? status : snTissue_BuildPatches(arena, tissue, &outer, why);
    status = status ? status : findNormals(arena, tissue, why);
    status = status ? status : findThickness(arena, tissue, why);
    status = status ? status : snTissue_BuildStrangers(arena, tissue, why);
    status = status ? status : snTissue_BuildParts(arena, tissue, why);
    status = status ? status : snTissue_BuildFront(arena, tissue, why);
    if (!status) {
        snBox box = snSurface_Bounds(&outer);
        tissue->reach = reachOf(&tissue->field);
        tissue->size = snLength(snSub(box.hi, box.lo));
    }
    return status;
}

snStatus snTissue_Build(snArena* arena, const snFleshView* flesh, const snSurface* surface,
                        snTissue* tissue, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    *tissue = (snTissue){.flesh = *flesh};
    snStatus status = build(arena, &scratch, surface, tissue, why);
    snArena_Free(&scratch);
    return status;
}

// Probing ----------------------------------------------------------------------

// Cells share their corners' floats, and double leaves no gap between them that this does not
// close.
#define EDGE 1e-9

// With D = [d1 d2 d3] the cell's edges from its first corner and Dm those at rest, F = D Dm^-1 and
// F^-T g = D^-T (Dm' g). The columns of D^-T are the cross products over det D.
bool snTissue_Probe(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p,
                    snTissueHit* hit)
{
    const snTets* tets = &tissue->flesh.tets;
    const int32_t* n = tets->tet + 4 * (size_t)cell;
    snVec3 a = snTissue_Widen(x[n[0]]), d1 = snSub(snTissue_Widen(x[n[1]]), a),
           d2 = snSub(snTissue_Widen(x[n[2]]), a);
    snVec3 d3 = snSub(snTissue_Widen(x[n[3]]), a), c1 = snCross(d2, d3), d = snSub(p, a);
    double det = snDot(d1, c1), w1 = snDot(d, c1), out = -EDGE * det;
    if (!(w1 >= out && w1 <= det - out && det > 0)) { // half of all questions end here
        return false;
    }
    snVec3 c2 = snCross(d3, d1), c3 = snCross(d1, d2);
    double w2 = snDot(d, c2), w3 = snDot(d, c3);
    if (!(w2 >= out && w3 >= out && det - w1 - w2 - w3 >= out)) {
        return false;
    }
    snVec3 A = tets->position[n[0]], D1 = snSub(tets->position[n[1]], A);
    snVec3 D2 = snSub(tets->position[n[2]], A), D3 = snSub(tets->position[n[3]], A);
    if (!(det > SN_LEAST_VOLUME * snDot(D1, snCross(D2, D3)))) {
        return false;
    }
    double per = 1 / det;
    w1 *= per, w2 *= per, w3 *= per;
    hit->rest = snMulAdd(snMulAdd(snMulAdd(A, w1, D1), w2, D2), w3, D3);
    snVec3 g;
    double phi = snDistanceField_At(snTissue_Field(tissue, cell), hit->rest, &g);
    double slope = snLength(g);
    if (!(phi < 0 && slope > NO_GRADIENT)) {
        return false;
    }
    snVec3 way = snAdd(snScale(snDot(g, D1), c1),
                       snAdd(snScale(snDot(g, D2), c2), snScale(snDot(g, D3), c3)));
    double stretch = snLength(way) * per / slope; // |F^-T g|
    hit->foot = snMulAdd(hit->rest, -phi / slope, g);
    hit->cell = cell;
    hit->weight[0] = (float)(1 - w1 - w2 - w3);
    hit->weight[1] = (float)w1;
    hit->weight[2] = (float)w2;
    hit->weight[3] = (float)w3;
    hit->normal = snNormalize(way);
    hit->depth = -phi / stretch;
    return true;
}

// Itself -------------------------------------------------------------------------

// Whether a contact point of the body itself feels it there; of strangers, only as far as it is
// deeper than at rest.
static bool isApart(const snTissue* tissue, int32_t point, snTissueHit* hit)
{
    snVec3 d = snSub(hit->rest, tissue->point_rest[point]);
    if (snLengthSq(d) >= tissue->apart * tissue->apart) {
        return true;
    }
    int32_t home = tissue->home[hit->cell], block = home / SN_TISSUE_LANES;
    hit->depth -= (double)tissue->sunk[point];
    return snTissue_StrangersIn(tissue, point, block) >> home % SN_TISSUE_LANES & 1;
}

bool snTissue_ProbeOwn(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p,
                       int32_t point, snTissueHit* hit)
{
    return snTissue_Probe(tissue, x, cell, p, hit) && isApart(tissue, point, hit) && hit->depth > 0;
}

// How far beyond the worst of its four faces a place is, whose weights times det are w; c: faces of
// the last three corners, as long as their area is large.
static double beyondFaces(const double w[4], const snVec3 c[3])
{
    double off = 0;
    snVec3 sum = snAdd(c[0], snAdd(c[1], c[2]));
    for (int k = 0; k < 4; ++k) {
        double out = -w[k] / snLength(k == 0 ? sum : c[k - 1]);
        off = out > off ? out : off;
    }
    return off;
}

bool snTissue_ProbeNear(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p,
                        int32_t own, double most, snTissueHit* hit, double* off)
{
    const snTets* tets = &tissue->flesh.tets;
    const int32_t* n = tets->tet + 4 * (size_t)cell;
    snVec3 a = snTissue_Widen(x[n[0]]), A = tets->position[n[0]], d[3], D[3], g;
    for (int k = 0; k < 3; ++k) {
        d[k] = snSub(snTissue_Widen(x[n[k + 1]]), a);
        D[k] = snSub(tets->position[n[k + 1]], A);
    }
    const snVec3 c[3] = {snCross(d[1], d[2]), snCross(d[2], d[0]), snCross(d[0], d[1])};
    double det = snDot(d[0], c[0]), w[4] = {det};
    if (!(det > SN_LEAST_VOLUME * snDot(D[0], snCross(D[1], D[2])))) {
        return false;
    }
    hit->rest = A;
    hit->cell = cell;
    for (int k = 0; k < 3; ++k) {
        w[k + 1] = snDot(snSub(p, a), c[k]);
        w[0] -= w[k + 1];
        hit->rest = snMulAdd(hit->rest, w[k + 1] / det, D[k]);
    }
    *off = beyondFaces(w, c);
    double phi = snDistanceField_At(snTissue_Field(tissue, cell), hit->rest, &g);
    double slope = snLength(g);
    if (!(*off <= most && phi >= 0 && slope > NO_GRADIENT)) {
        return false;
    }
    snVec3 way = snAdd(snScale(snDot(g, D[0]), c[0]),
                       snAdd(snScale(snDot(g, D[1]), c[1]), snScale(snDot(g, D[2]), c[2])));
    hit->foot = snMulAdd(hit->rest, -phi / slope, g);
    hit->normal = snNormalize(way);
    hit->depth = -phi * slope * det / snLength(way);
    for (int k = 0; k < 4; ++k) {
        hit->weight[k] = (float)(w[k] / det);
    }
    return (own < 0 || isApart(tissue, own, hit)) && -hit->depth <= most;
}

// As above, with g the normal at rest.
snVec3 snTissue_Normal(const snTissue* tissue, const snVec4f* x, int32_t point)
{
    const snTets* tets = &tissue->flesh.tets;
    const int32_t* n = tissue->flesh.ties[point].node;
    snVec3 a = snTissue_Widen(x[n[0]]), d1 = snSub(snTissue_Widen(x[n[1]]), a),
           d2 = snSub(snTissue_Widen(x[n[2]]), a);
    snVec3 d3 = snSub(snTissue_Widen(x[n[3]]), a), c1 = snCross(d2, d3),
           g = tissue->point_normal[point];
    snVec3 A = tets->position[n[0]], D1 = snSub(tets->position[n[1]], A);
    snVec3 D2 = snSub(tets->position[n[2]], A), D3 = snSub(tets->position[n[3]], A);
    if (!(snDot(d1, c1) > SN_LEAST_VOLUME * snDot(D1, snCross(D2, D3)))) {
        return snV3(0, 0, 0);
    }
    return snNormalize(
        snAdd(snScale(snDot(g, D1), c1), snAdd(snScale(snDot(g, D2), snCross(d3, d1)),
                                               snScale(snDot(g, D3), snCross(d1, d2)))));
}
