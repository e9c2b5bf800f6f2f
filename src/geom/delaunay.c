// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/delaunay.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/importers.h"
#include "base/message.h"
#include "geom/surface.h"

// Below this part of the box's volume a tet is flat.
#define FLAT 1e-12

// Importers list a tet's corners in any order.
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

static snStatus checkPoints(const snVec3* point, int32_t count, snBox* box, snMessage* why)
{
    *box = snBox_Empty();
    for (int32_t i = 0; i < count; ++i) {
        *box = snBox_Point(*box, point[i]);
        if (!(fabs(point[i].x) < HUGE_VAL && fabs(point[i].y) < HUGE_VAL &&
              fabs(point[i].z) < HUGE_VAL)) {
            return snFail(why, sn_errorArgument, "point %d is not finite", i);
        }
    }
    return count < 4
               ? snFail(why, sn_errorArgument, "tets need four points, there are %d", (int)count)
               : sn_ok;
}

// The tets that are not flat, turned to a positive volume
static snStatus takeTets(snArena* arena, const snVec3* point, double least, int32_t* tet,
                         int32_t tet_count, snTets* out, snMessage* why)
{
    int32_t kept = 0;
    for (int32_t t = 0; t < tet_count; ++t) {
        int32_t* v = tet + 4 * (size_t)t;
        if (takeTet(point, least, v)) {
            memmove(tet + 4 * (size_t)kept++, v, 4 * sizeof *v);
        }
    }
    out->tet = snArena_Push(arena, 4 * (size_t)kept, sizeof *out->tet);
    if (!out->tet) {
        return snFail(why, sn_errorMemory, "out of memory for %d tets", (int)kept);
    }
    memcpy(out->tet, tet, 4 * (size_t)kept * sizeof *tet);
    out->tet_count = kept;
    return sn_ok;
}

snStatus snDelaunay_Build(snArena* arena, const snVec3* point, int32_t count, snTets* out,
                          snMessage* why)
{
    const snHost* host = &arena->host;
    snBox box;
    snTets made = {.node_count = count};
    int32_t *tet = NULL, tet_count = 0;
    *out = (snTets){0};
    snStatus status = checkPoints(point, count, &box, why);
    if (!status && !(host->importers && host->importers->delaunay)) {
        char what[80];
        snprintf(what, sizeof what, "tets of %d points are made", (int)count);
        status = snImporters_Fail(host, what, "Qhull", "libqhull-dev", "use a lattice", why);
    }
    status = status ? status : host->importers->delaunay(host, point, count, &tet, &tet_count, why);
    if (status) {
        return status;
    }
    made.position = snArena_Push(arena, (size_t)count, sizeof(snVec3));
    if (made.position) {
        snVec3 size = snSub(box.hi, box.lo);
        memcpy(made.position, point, (size_t)count * sizeof *point);
        status =
            takeTets(arena, point, FLAT * size.x * size.y * size.z, tet, tet_count, &made, why);
    } else {
        status = snFail(why, sn_errorMemory, "out of memory for %d points", (int)count);
    }
    snHost_Release(host, tet, 4 * (size_t)tet_count * sizeof *tet);
    *out = status ? (snTets){0} : made;
    return status;
}
