// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Delaunay tets by Qhull.
#include <libqhull_r/qhull_ra.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "import/parts.h"

// Qhull's first line of complaint, without its line end.
static void readComplaint(FILE* file, char* text, size_t size)
{
    text[0] = 0;
    rewind(file);
    while (fgets(text, (int)size, file) && strspn(text, " \r\n") == strlen(text)) {
    }
    text[strcspn(text, "\r\n")] = 0;
}

// Counts the tets; writes them too where `tet` is given.
static int32_t listTets(qhT* qh, int32_t point_count, int32_t* tet)
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
            real = real && id >= 0 && id < point_count && corners < 4;
            if (real) {
                v[corners++] = id;
            }
        }
        if (real && corners == 4) {
            if (tet) {
                memcpy(tet + 4 * (size_t)count, v, sizeof(v));
            }
            ++count;
        }
    }
    return count;
}

static snStatus takeTets(const snHost* host, qhT* qh, int32_t point_count, int32_t** tet,
                         int32_t* tet_count, snMessage* why)
{
    int32_t count = listTets(qh, point_count, NULL);
    *tet = snHost_Allocate(host, 4 * (size_t)count * sizeof **tet);
    if (!*tet) {
        return snFail(why, sn_errorMemory, "out of memory for %d tets", (int)count);
    }
    *tet_count = listTets(qh, point_count, *tet);
    return sn_ok;
}

// `xyz`: what Qhull reads; `log`: where it complains
static snStatus build(const snHost* host, coordT* xyz, int32_t count, FILE* log, int32_t** tet,
                      int32_t* tet_count, snMessage* why)
{
    // d: Delaunay, Qbb: scaled lifting, Qt: simplices only, Qz: also cospherical points
    char command[] = "qhull d Qbb Qt Qz", text[200];
    int rest, blocks;
    qhT state;
    qhT* qh = &state;
    qh_zero(qh, log);
    int code = qh_new_qhull(qh, 3, count, xyz, False, command, NULL, log);
    snStatus status = sn_ok;
    if (code) {
        readComplaint(log, text, sizeof(text));
        status = snFail(why, code == qh_ERRmem ? sn_errorMemory : sn_errorArgument,
                        "no tets for %d points, do they lie in a plane? (%s)", (int)count, text);
    } else {
        status = takeTets(host, qh, count, tet, tet_count, why);
    }
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &rest, &blocks);
    return status;
}

snStatus snQhull_Delaunay(const snHost* host, const snVec3* point, int32_t count, int32_t** tet,
                          int32_t* tet_count, snMessage* why)
{
    size_t bytes = 3 * (size_t)count * sizeof(coordT);
    coordT* xyz = snHost_Allocate(host, bytes);
    FILE* log = tmpfile();
    snStatus status = sn_ok;
    if (xyz && log) {
        for (int32_t i = 0; i < count; ++i) {
            xyz[3 * i] = point[i].x, xyz[3 * i + 1] = point[i].y, xyz[3 * i + 2] = point[i].z;
        }
        status = build(host, xyz, count, log, tet, tet_count, why);
    } else {
        status = snFail(why, log ? sn_errorMemory : sn_errorIo,
                        "no memory or no temporary file for the tets of %d points", (int)count);
    }
    if (log) {
        (void)fclose(log);
    }
    snHost_Release(host, xyz, bytes);
    return status;
}
