// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/delaunay.h"

#include "base/message.h"

#if !defined(SN_HAVE_QHULL)
#define SN_HAVE_QHULL 0
#endif

bool snDelaunay_IsAvailable(void)
{
    return SN_HAVE_QHULL;
}

#if SN_HAVE_QHULL

#include <libqhull_r/qhull_ra.h>
#include <string.h>

#include "geom/surface.h"

// Below this part of the box's volume a tet is flat.
#define FLAT 1e-12

// Qhull's first line of complaint, without its line end.
static void readComplaint(FILE* file, char* text, size_t size)
{
    text[0] = 0;
    rewind(file);
    while (fgets(text, (int)size, file) && strspn(text, " \r\n") == strlen(text)) {
    }
    text[strcspn(text, "\r\n")] = 0;
}

// Qhull lists a tet's corners in any order.
static bool takeTet(const snVec3* point, double least, int32_t v[4])
{
    double volume = snTetVolume(point[v[0]], point[v[1]], point[v[2]], point[v[3]]);
    if (volume < 0) {
        int32_t swap = v[2];
        v[2] = v[3];
        v[3] = swap;
    }
    return fabs(volume) > least;
}

static void listTets(qhT* qh, const snVec3* point, double least, snTets* out)
{
    facetT* facet;
    vertexT* vertex;
    vertexT** vertexp;
    int32_t count = 0;
    FORALLfacets
    {
        if (facet->upperdelaunay) {
            continue;
        }
        int32_t v[4] = {0, 0, 0, 0};
        int corners = 0;
        bool real = true;
        FOREACHvertex_(facet->vertices)
        {
            int id = qh_pointid(qh, vertex->point);
            real = real && id >= 0 && id < out->node_count && corners < 4;
            if (real) {
                v[corners++] = id;
            }
        }
        if (real && corners == 4 && takeTet(point, least, v)) {
            if (out->tet) {
                memcpy(out->tet + 4 * (size_t)count, v, sizeof(v));
            }
            ++count;
        }
    }
    out->tet_count = count;
}

snStatus snDelaunay_Build(snArena* arena, const snVec3* point, int32_t count, snTets* out,
                          snMessage* why)
{
    *out = (snTets){0};
    snBox box = snBox_Empty();
    for (int32_t i = 0; i < count; ++i) {
        box = snBox_Point(box, point[i]);
        if (!(fabs(point[i].x) < HUGE_VAL && fabs(point[i].y) < HUGE_VAL &&
              fabs(point[i].z) < HUGE_VAL)) {
            return snFail(why, sn_errorArgument, "point %d is not finite", i);
        }
    }
    if (count < 4) {
        return snFail(why, sn_errorArgument, "tets need four points, there are %d", count);
    }
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    coordT* xyz = snArena_Push(&scratch, 3 * (size_t)count, sizeof(coordT));
    out->position = snArena_Push(arena, (size_t)count, sizeof(snVec3));
    FILE* log = tmpfile();
    if (!xyz || !out->position || !log) {
        snArena_Free(&scratch);
        if (log) {
            (void)fclose(log);
        }
        return snFail(why, log ? sn_errorMemory : sn_errorIo,
                      "no memory or no temporary file for the tets of %d points", count);
    }
    for (int32_t i = 0; i < count; ++i) {
        out->position[i] = point[i];
        xyz[3 * i] = point[i].x, xyz[3 * i + 1] = point[i].y, xyz[3 * i + 2] = point[i].z;
    }
    out->node_count = count;
    // d: Delaunay, Qbb: scaled lifting, Qt: simplices only, Qz: also cospherical points
    char command[] = "qhull d Qbb Qt Qz";
    qhT state;
    qhT* qh = &state;
    qh_zero(qh, log);
    int code = qh_new_qhull(qh, 3, count, xyz, False, command, NULL, log);
    snStatus status = sn_ok;
    if (code) {
        char text[200];
        readComplaint(log, text, sizeof(text));
        status = snFail(why, code == qh_ERRmem ? sn_errorMemory : sn_errorArgument,
                        "no tets for %d points, do they lie in a plane? (%s)", count, text);
    } else {
        snVec3 size = snSub(box.hi, box.lo);
        double least = FLAT * size.x * size.y * size.z;
        listTets(qh, point, least, out);
        out->tet = snArena_Push(arena, 4 * (size_t)out->tet_count, sizeof(int32_t));
        if (out->tet) {
            listTets(qh, point, least, out);
        } else {
            status = snFail(why, sn_errorMemory, "out of memory for %d tets", out->tet_count);
        }
    }
    int rest, blocks;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &rest, &blocks);
    (void)fclose(log);
    snArena_Free(&scratch);
    if (status) {
        *out = (snTets){0};
    }
    return status;
}

#else

snStatus snDelaunay_Build(snArena* arena, const snVec3* point, int32_t count, snTets* out,
                          snMessage* why)
{
    (void)arena;
    (void)point;
    *out = (snTets){0};
    return snFail(why, sn_errorUnsupported,
                  "tets of %d points need Qhull, which this build does not have; install "
                  "libqhull-dev and build again, or use a lattice",
                  count);
}

#endif
