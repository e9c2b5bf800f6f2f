// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/distance_field.h"

#include "base/message.h"
#include "geom/nearest.h"
#include "geom/winding.h"

// Samples along the side of a block. What its middle says of a block holds for all its samples
// when the surface is far enough away.
#define BLOCK 4

// Samples beyond the body on each side, at least.
#define RIM 2

// A winding number within this of 1/2 says nothing: there is a hole.
#define DOUBT 0.25

typedef enum BlockKind {
    blockFar = 0, // its samples are all cut to the same value
    blockOut,     // outside
    blockIn,      // inside
    blockMixed,   // sample by sample
} BlockKind;

typedef struct Builder {
    snDistanceField* field;
    float* samples;
    snArena scratch;
    snNearest nearest;
    snWinding winding;
    int32_t bx, by, bz; // blocks along each axis
    uint8_t* kind;      // BlockKind; (blocks)
    int32_t triangle;   // the nearest one of the sample before
    int64_t asked;      // samples in mixed blocks
} Builder;

static int64_t indexOf(const snDistanceField* f, int32_t i, int32_t j, int32_t k)
{
    return ((int64_t)k * f->ny + j) * f->nx + i;
}

static snVec3 placeOf(const snDistanceField* f, double i, double j, double k)
{
    return snMulAdd(f->origin, f->spacing, snV3(i, j, k));
}

// The grid ---------------------------------------------------------------------

// Samples along one side. The middle of the body lies at 0.31 of the way between two samples: a
// symmetric one would otherwise have no gradient in the very middle.
static int32_t layAxis(double lo, double hi, double spacing, double* origin)
{
    double before = ceil(0.5 * (hi - lo) / spacing) + RIM;
    *origin = 0.5 * (lo + hi) - (before + 0.31) * spacing;
    return (int32_t)(2 * before) + 2;
}

static snStatus layGrid(Builder* b, const snSurface* surface, double spacing, snMessage* why)
{
    snDistanceField* f = b->field;
    snBox box = snSurface_Bounds(surface);
    snVec3 size = snSub(box.hi, box.lo);
    if (!(spacing > 0) || !(size.x >= 0 && size.y >= 0 && size.z >= 0) ||
        !(size.x + size.y + size.z < HUGE_VAL)) {
        return snFail(why, sn_errorArgument,
                      "a distance field needs triangles and a spacing above 0, found %g", spacing);
    }
    for (;; spacing *= 1.1) {
        double cells = (size.x / spacing + 2 * RIM + 4) * (size.y / spacing + 2 * RIM + 4) *
                       (size.z / spacing + 2 * RIM + 4);
        if (cells <= SN_FIELD_SAMPLES) {
            break;
        }
    }
    f->spacing = spacing;
    f->nx = layAxis(box.lo.x, box.hi.x, spacing, &f->origin.x);
    f->ny = layAxis(box.lo.y, box.hi.y, spacing, &f->origin.y);
    f->nz = layAxis(box.lo.z, box.hi.z, spacing, &f->origin.z);
    b->bx = (f->nx + BLOCK - 1) / BLOCK;
    b->by = (f->ny + BLOCK - 1) / BLOCK;
    b->bz = (f->nz + BLOCK - 1) / BLOCK;
    return sn_ok;
}

// Samples of one block, cut where the grid ends.
typedef struct Span {
    int32_t i0, i1, j0, j1, k0, k1;
} Span;

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static Span spanOf(const Builder* b, int32_t block)
{
    const snDistanceField* f = b->field;
    Span s;
    s.i0 = block % b->bx * BLOCK;
    s.j0 = block / b->bx % b->by * BLOCK;
    s.k0 = block / b->bx / b->by * BLOCK;
    s.i1 = least(s.i0 + BLOCK, f->nx);
    s.j1 = least(s.j0 + BLOCK, f->ny);
    s.k1 = least(s.k0 + BLOCK, f->nz);
    return s;
}

static snVec3 middleOf(const Builder* b, int32_t block)
{
    Span s = spanOf(b, block);
    double half = 0.5 * (BLOCK - 1);
    return placeOf(b->field, s.i0 + half, s.j0 + half, s.k0 + half);
}

// Signs ------------------------------------------------------------------------

// Far blocks get their value here, the others the sign of each sample as far as it is known.
static void fillBlock(Builder* b, int32_t block, float value)
{
    Span s = spanOf(b, block);
    for (int32_t k = s.k0; k < s.k1; ++k) {
        for (int32_t j = s.j0; j < s.j1; ++j) {
            for (int32_t i = s.i0; i < s.i1; ++i) {
                b->samples[indexOf(b->field, i, j, k)] = value;
            }
        }
    }
}

static int64_t samplesIn(Span s)
{
    return (int64_t)(s.i1 - s.i0) * (s.j1 - s.j0) * (s.k1 - s.k0);
}

static void judgeBlock(Builder* b, int32_t block, snVec3 middle, double w)
{
    const snDistanceField* f = b->field;
    const double radius = 0.5 * (BLOCK - 1) * sqrt(3) * f->spacing * (1 + 1e-9);
    bool inside = snWinding_IsInside(w);
    double cut = inside ? f->inner : f->outer;
    snNearestHit hit;
    if (!snNearest_Find(&b->nearest, middle, radius + cut, &hit)) {
        b->kind[block] = blockFar;
        fillBlock(b, block, (float)(inside ? -cut : cut));
    } else if (hit.distance <= radius || fabs(fabs(w) - 0.5) < DOUBT) {
        b->kind[block] = blockMixed;
        b->asked += samplesIn(spanOf(b, block));
    } else {
        b->kind[block] = inside ? blockIn : blockOut;
        fillBlock(b, block, inside ? -1 : 1);
    }
}

static snStatus judgeBlocks(Builder* b, snMessage* why)
{
    int32_t blocks = b->bx * b->by * b->bz;
    snVec3* middle = snArena_Push(&b->scratch, (size_t)blocks, sizeof(snVec3));
    double* w = snArena_Push(&b->scratch, (size_t)blocks, sizeof(double));
    b->kind = snArena_Push(&b->scratch, (size_t)blocks, 1);
    if (b->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %d blocks of a field", (int)blocks);
    }
    for (int32_t i = 0; i < blocks; ++i) {
        middle[i] = middleOf(b, i);
    }
    snStatus status = snWinding_Batch(&b->winding, middle, blocks, w, &b->scratch.host, NULL, why);
    for (int32_t i = 0; i < blocks && !status; ++i) {
        judgeBlock(b, i, middle[i], w[i]);
    }
    return status;
}

// The signs of samples in mixed blocks.
static snStatus askSamples(Builder* b, snMessage* why)
{
    const snDistanceField* f = b->field;
    snVec3* p = snArena_Push(&b->scratch, (size_t)b->asked, sizeof(snVec3));
    double* w = snArena_Push(&b->scratch, (size_t)b->asked, sizeof(double));
    int64_t* index = snArena_Push(&b->scratch, (size_t)b->asked, sizeof(int64_t));
    int64_t count = 0;
    if (b->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %lld samples", (long long)b->asked);
    }
    for (int32_t block = 0; block < b->bx * b->by * b->bz; ++block) {
        Span s = spanOf(b, block);
        for (int32_t k = s.k0; k < s.k1 && b->kind[block] == blockMixed; ++k) {
            for (int32_t j = s.j0; j < s.j1; ++j) {
                for (int32_t i = s.i0; i < s.i1; ++i) {
                    p[count] = placeOf(f, i, j, k);
                    index[count++] = indexOf(f, i, j, k);
                }
            }
        }
    }
    snStatus status = snWinding_Batch(&b->winding, p, count, w, &b->scratch.host, NULL, why);
    for (int64_t n = 0; n < count && !status; ++n) {
        b->samples[index[n]] = snWinding_IsInside(w[n]) ? -1 : 1;
    }
    return status;
}

// Distances --------------------------------------------------------------------

static double distanceTo(const snSurface* surface, int32_t triangle, snVec3 q)
{
    const int32_t* v = surface->triangle + 3 * (size_t)triangle;
    snVec3 a = surface->position[v[0]], b = surface->position[v[1]], c = surface->position[v[2]];
    double w[3];
    snTriangle_Nearest(a, b, c, q, w);
    snVec3 p = snAdd(a, snAdd(snScale(w[1], snSub(b, a)), snScale(w[2], snSub(c, a))));
    return snLength(snSub(p, q));
}

// The triangle nearest to one sample is often nearest to the next: what is found must be nearer.
static void measureRow(Builder* b, const Span* s, int32_t j, int32_t k)
{
    const snDistanceField* f = b->field;
    float* row = b->samples + indexOf(f, 0, j, k);
    for (int32_t i = s->i0; i < s->i1; ++i) {
        snVec3 q = placeOf(f, i, j, k);
        double sign = row[i] < 0 ? -1 : 1, cut = row[i] < 0 ? f->inner : f->outer;
        double distance = distanceTo(&b->nearest.surface, b->triangle, q);
        distance = distance < cut ? distance : cut;
        snNearestHit hit;
        if (snNearest_Find(&b->nearest, q, distance, &hit)) {
            distance = hit.distance;
            b->triangle = hit.triangle;
        }
        row[i] = (float)(sign * distance);
    }
}

static void measureBlocks(Builder* b)
{
    for (int32_t block = 0; block < b->bx * b->by * b->bz; ++block) {
        Span s = spanOf(b, block);
        for (int32_t k = s.k0; k < s.k1 && b->kind[block] != blockFar; ++k) {
            for (int32_t j = s.j0; j < s.j1; ++j) {
                measureRow(b, &s, j, k);
            }
        }
    }
}

snStatus snDistanceField_Build(snArena* arena, const snSurface* surface, double spacing,
                               double band, snDistanceField* field, snMessage* why)
{
    Builder b = {.field = field};
    *field = (snDistanceField){.spacing = spacing};
    snStatus status = layGrid(&b, surface, spacing, why);
    if (status) {
        return status;
    }
    field->inner = band > field->spacing ? band : field->spacing;
    field->outer = SN_FIELD_OUTSIDE * field->spacing;
    snArena_Init(&b.scratch, &arena->host);
    b.samples = snArena_Push(arena, (size_t)field->nx * (size_t)field->ny * (size_t)field->nz,
                             sizeof(float));
    field->samples = b.samples;
    status = b.samples ? snNearest_Build(&b.scratch, surface, &b.nearest, why)
                       : snFail(why, sn_errorMemory, "no memory for a field of %d x %d x %d",
                                (int)field->nx, (int)field->ny, (int)field->nz);
    status = status ? status : snWinding_Build(&b.scratch, surface, &b.winding, why);
    status = status ? status : judgeBlocks(&b, why);
    status = status ? status : askSamples(&b, why);
    if (!status) {
        measureBlocks(&b);
    }
    snArena_Free(&b.scratch);
    return status;
}

// Questions --------------------------------------------------------------------

static double mix(double a, double b, double t)
{
    return a + t * (b - a);
}

double snDistanceField_At(const snDistanceField* field, snVec3 p, snVec3* gradient)
{
    const double per = 1 / field->spacing;
    double x = (p.x - field->origin.x) * per, y = (p.y - field->origin.y) * per;
    double z = (p.z - field->origin.z) * per;
    if (!(x >= 0 && y >= 0 && z >= 0 && x < field->nx - 1 && y < field->ny - 1 &&
          z < field->nz - 1)) {
        if (gradient) {
            *gradient = snV3(0, 0, 0);
        }
        return field->outer;
    }
    int32_t i = (int32_t)x, j = (int32_t)y, k = (int32_t)z;
    double u = x - i, v = y - j, w = z - k;
    const float* row = field->samples + indexOf(field, i, j, k);
    const float *up = row + field->nx, *back = row + (ptrdiff_t)field->nx * field->ny;
    const float* far = back + field->nx;
    // along x on the four edges, then along y on the two faces, then along z
    double x00 = (double)row[1] - (double)row[0], x10 = (double)up[1] - (double)up[0];
    double x01 = (double)back[1] - (double)back[0], x11 = (double)far[1] - (double)far[0];
    double a00 = (double)row[0] + u * x00, a10 = (double)up[0] + u * x10;
    double a01 = (double)back[0] + u * x01, a11 = (double)far[0] + u * x11;
    double front = mix(a00, a10, v), rear = mix(a01, a11, v);
    if (gradient) {
        *gradient = snV3(per * mix(mix(x00, x10, v), mix(x01, x11, v), w),
                         per * mix(a10 - a00, a11 - a01, w), per * (rear - front));
    }
    return mix(front, rear, w);
}
