// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// PC2 and MDD as animations; point_cache.h says what they look like.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "io/sink/animation.h"
#include "io/sink/point_cache.h"

#define MDD_HEADER 8 // bytes
#define LISTED 8     // frames that a message names

typedef struct Points {
    const uint8_t* data; // of the first frame
    bool big;
} Points;

// What a header says
typedef struct Layout {
    uint64_t header; // bytes before the first frame
    bool big;
    int64_t frames, points;
} Layout;

static void posePoints(snAnimation* a, int64_t frame)
{
    const Points* points = a->state;
    const snAnimationSurface* s = a->surfaces;
    size_t count = 3 * (size_t)s->vertex_count;
    const uint8_t* at = points->data + 4 * count * (size_t)frame;
    for (size_t i = 0; i < count; ++i) {
        s->position[i] = snAnimation_Float(at + 4 * i, points->big);
    }
}

// The first point of a frame that is nowhere, -1 = all are somewhere
static int64_t findLost(const uint8_t* bytes, const Layout* l, int64_t frame)
{
    const uint8_t* at = bytes + l->header + 12 * (uint64_t)frame * (uint64_t)l->points;
    for (int64_t i = 0; i < 3 * l->points; ++i) {
        if (!(fabs((double)snAnimation_Float(at + 4 * i, l->big)) <= SN_ANIMATION_LARGEST)) {
            return i / 3;
        }
    }
    return -1;
}

// Names the frames that have points nowhere, as many as a message should.
static snStatus checkNumbers(const uint8_t* bytes, const Layout* l, snMessage* why)
{
    char frames[LISTED * 24] = "";
    size_t length = 0;
    int64_t count = 0, first_point = 0;
    for (int64_t i = 0; i < l->frames; ++i) {
        int64_t point = findLost(bytes, l, i);
        if (point >= 0 && count < LISTED) {
            length += (size_t)snprintf(frames + length, sizeof(frames) - length, "%s%lld",
                                       count > 0 ? ", " : "", (long long)i);
            first_point = count > 0 ? first_point : point;
        }
        count += point >= 0;
    }
    if (count == 0) {
        return sn_ok;
    }
    return snFail(why, sn_errorFile,
                  "frame%s %s%s: a coordinate is not finite, or beyond %g m (%lld of %lld frames, "
                  "first at point %lld); simulate with smaller steps, or write the cache again",
                  count > 1 ? "s" : "", frames, count > LISTED ? ", ..." : "", SN_ANIMATION_LARGEST,
                  (long long)count, (long long)l->frames, (long long)first_point);
}

static snStatus checkCounts(const Layout* l, const snSurface* mesh, snMessage* why)
{
    if (l->frames < 1 || l->points < 1) {
        return snFail(why, sn_errorFile, "it has %lld frames of %lld points, expected some",
                      (long long)l->frames, (long long)l->points);
    }
    if (l->points > SN_ANIMATION_MOST) {
        return snFail(why, sn_errorUnsupported, "it has %lld points, more than %d",
                      (long long)l->points, SN_ANIMATION_MOST);
    }
    if (mesh && (mesh->vertex_count != l->points || mesh->triangle_count > SN_ANIMATION_MOST)) {
        return snFail(why, sn_errorArgument,
                      "it has %lld points, the mesh %d vertices; give the mesh that it was made of",
                      (long long)l->points, (int)mesh->vertex_count);
    }
    return sn_ok;
}

// Edges this many times longer or shorter than in the mesh, its size put right, are others.
#define SAME_EDGE 3.0

static double lengthOf(snVec3 a, snVec3 b)
{
    return snLength(snSub(a, b));
}

static snVec3 pointOf(const snAnimationSurface* s, int32_t i)
{
    const float* x = s->position + 3 * (size_t)i;
    return snV3((double)x[0], (double)x[1], (double)x[2]);
}

// See snAnimation_Misfit. The sizes, not the edges themselves, tell the scale: with vertices in
// another order all edges alike are far too long.
static double findMisfit(snAnimation* a, const snSurface* mesh)
{
    const snAnimationSurface* s = &a->surfaces[0];
    snBox now = snBox_Empty(), given = snSurface_Bounds(mesh);
    int64_t others = 0, count = 3 * (int64_t)mesh->triangle_count;
    a->pose(a, 0);
    for (int64_t i = 0; i < count; ++i) {
        now = snBox_Point(now, pointOf(s, mesh->triangle[i]));
    }
    double size = lengthOf(given.hi, given.lo);
    double scale = size > 0 ? lengthOf(now.hi, now.lo) / size : 0;
    for (int64_t i = 0; i < count && scale > 0; ++i) {
        int32_t from = mesh->triangle[i], to = mesh->triangle[i % 3 == 2 ? i - 2 : i + 1];
        double shown = lengthOf(pointOf(s, from), pointOf(s, to));
        double rest = scale * lengthOf(mesh->position[from], mesh->position[to]);
        others += shown > SAME_EDGE * rest || rest > SAME_EDGE * shown;
    }
    return count > 0 ? (double)others / (double)count : 0;
}

// Times are filled in by the caller.
static snStatus makePoints(snAnimation* a, const uint8_t* bytes, size_t count, const Layout* l,
                           const snSurface* mesh, snMessage* why)
{
    snStatus status = checkCounts(l, mesh, why);
    if (status) {
        return status;
    }
    // counts are below 2^31 and 2^24, so the products fit
    uint64_t wanted = l->header + 12 * (uint64_t)l->frames * (uint64_t)l->points;
    if (count != wanted) {
        uint64_t whole = count > l->header ? (count - l->header) / (12 * (uint64_t)l->points) : 0;
        return snFail(
            why, sn_errorFile,
            "it has %llu bytes, but %lld frames of %lld points, which its header promises, "
            "take %llu: %s; write or copy it again",
            (unsigned long long)count, (long long)l->frames, (long long)l->points,
            (unsigned long long)wanted,
            count > wanted ? "the header is wrong"
            : whole == 0   ? "it is cut off, or no such file"
                           : "it is cut off");
    }
    status = checkNumbers(bytes, l, why);
    if (status) {
        return status;
    }
    Points* state = snArena_Push(&a->arena, 1, sizeof(Points));
    a->surfaces = snArena_Push(&a->arena, 1, sizeof(snAnimationSurface));
    a->times = snArena_Push(&a->arena, (size_t)l->frames, sizeof(double));
    if (!a->arena.failed) {
        *state = (Points){bytes + l->header, l->big};
        a->state = state;
        a->pose = posePoints;
        a->frame_count = l->frames;
        a->surface_count = 1;
        a->surfaces[0] = (snAnimationSurface){.name = "points",
                                              .vertex_count = (int32_t)l->points,
                                              .triangle_count = mesh ? mesh->triangle_count : 0};
    }
    if (a->arena.failed || !snAnimation_BuildSurface(a, a->surfaces)) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    if (mesh) {
        memcpy(a->surfaces[0].triangles, mesh->triangle,
               3 * (size_t)mesh->triangle_count * sizeof(int32_t));
        a->misfit = findMisfit(a, mesh);
    }
    return sn_ok;
}

snStatus snPc2_Parse(snAnimation* a, const uint8_t* bytes, size_t count, const snSurface* mesh,
                     double frame_rate, snMessage* why)
{
    if (count < SN_PC2_HEADER || memcmp(bytes, "POINTCACHE2", 12) != 0) {
        return snFail(why, sn_errorFile, "it is no PC2 file: it does not begin with POINTCACHE2");
    }
    int32_t version = (int32_t)snAnimation_Word(bytes + 12, false);
    double sampling = (double)snAnimation_Float(bytes + 24, false);
    Layout l = {.header = SN_PC2_HEADER,
                .points = (int32_t)snAnimation_Word(bytes + 16, false),
                .frames = (int32_t)snAnimation_Word(bytes + SN_PC2_COUNT_OFFSET, false)};
    if (version != 1) {
        return snFail(why, sn_errorUnsupported, "it is PC2 of version %d, expected 1",
                      (int)version);
    }
    if (!(sampling > 0 && sampling <= 1e6)) {
        return snFail(why, sn_errorFile, "it has %g frames per sample, expected 0..1e6", sampling);
    }
    snStatus status = makePoints(a, bytes, count, &l, mesh, why);
    for (int64_t i = 0; i < l.frames && !status; ++i) {
        a->times[i] = (double)i * sampling / frame_rate;
    }
    return status;
}

snStatus snMdd_Parse(snAnimation* a, const uint8_t* bytes, size_t count, const snSurface* mesh,
                     snMessage* why)
{
    if (count < MDD_HEADER) {
        return snFail(why, sn_errorFile, "it is no MDD file: it has %zu bytes", count);
    }
    Layout l = {.big = true,
                .frames = (int32_t)snAnimation_Word(bytes, true),
                .points = (int32_t)snAnimation_Word(bytes + 4, true)};
    l.header = MDD_HEADER + 4 * (uint64_t)l.frames;
    snStatus status = makePoints(a, bytes, count, &l, mesh, why);
    for (int64_t i = 0; i < l.frames && !status; ++i) {
        a->times[i] = (double)snAnimation_Float(bytes + MDD_HEADER + 4 * i, true);
        if (!(fabs(a->times[i]) <= SN_ANIMATION_LARGEST) ||
            (i > 0 && a->times[i] < a->times[i - 1])) {
            status =
                snFail(why, sn_errorFile,
                       "frame %lld: its time, %g s, is not finite, or before %g s of the frame "
                       "before; write the frames in order",
                       (long long)i, a->times[i], i > 0 ? a->times[i - 1] : 0);
        }
    }
    return status;
}
