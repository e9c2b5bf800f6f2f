// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How the surface of a rig's body hangs on its flesh.

#include "character/body_maker.h"
#include "geom/nearest.h"

// From here on a place is as soft as its nodes; below it fades to what is held.
#define FULL 0.6

// Vertices of a small shell that are asked where the flesh under it goes
#define ASKED 32

// Farther than this part of the size from flesh nothing rides on it.
#define FAR 0.1

static void tieVertex(const snBodyMaker* m, int32_t v, snTie* tie)
{
    const snEmbedding* e = &m->flesh.embedding;
    const int32_t* n = m->flesh.tets.tet + 4 * (size_t)e->cell[v];
    double mask = 0;
    for (int k = 0; k < 4; ++k) {
        int32_t at = m->number[n[k]];
        tie->node[k] = at;
        mask += e->weight[v][k] * (double)m->mask[n[k]];
        if (at < 0) { // a cell that left: all of it is held
            tie->node[0] = -1;
            return;
        }
    }
    mask = snSmoothStep(SN_BODY_SOFT, FULL, mask);
    for (int k = 0; k < 4; ++k) {
        tie->weight[k] = (float)(mask * e->weight[v][k]);
    }
    tie->node[0] = mask > 0 ? tie->node[0] : -1;
}

typedef struct Riders {
    const snBodyMaker* m;
    snNearest nearest;
    snRider* riders;
    snRide* rides;
    int32_t* riding;
    int32_t count, ride_count, vertex_count;
} Riders;

// Where a vertex touches the flesh; false when that is far
static bool addRide(Riders* r, int32_t vertex)
{
    const snBodyMaker* m = r->m;
    snNearestHit hit;
    if (!snNearest_Find(&r->nearest, m->out->weld.surface.position[vertex], FAR * m->out->size,
                        &hit)) {
        return false;
    }
    snRide* ride = &r->rides[r->ride_count++];
    for (int k = 0; k < 3; ++k) {
        ride->vertex[k] = m->welded[m->solid.triangle[3 * (ptrdiff_t)hit.triangle + k]];
        ride->weight[k] = (float)hit.weight[k];
    }
    return true;
}

// Vertices that move as one
static void addRider(Riders* r, const int32_t* vertices, int32_t count)
{
    snRider rider = {r->ride_count, 0, r->vertex_count, count};
    int32_t step = count > ASKED ? count / ASKED : 1;
    for (int32_t i = 0; i < count; i += step) {
        rider.ride_count += addRide(r, vertices[i]);
    }
    if (rider.ride_count > 0) {
        for (int32_t i = 0; i < count; ++i) {
            r->riding[r->vertex_count++] = vertices[i];
        }
        r->riders[r->count++] = rider;
    }
}

static snStatus findRiders(snBodyMaker* m, snMessage* why)
{
    const snRigWeld* weld = &m->out->weld;
    size_t vertices = (size_t)weld->surface.vertex_count, shells = (size_t)weld->shell_count;
    Riders r = {.m = m,
                .riders = snArena_Push(m->arena, vertices, sizeof(snRider)),
                .rides = snArena_Push(m->arena, vertices, sizeof(snRide)),
                .riding = snArena_Push(m->arena, vertices, sizeof(int32_t))};
    int32_t* begin = snArena_Push(&m->scratch, shells + 2, sizeof *begin);
    int32_t* list = snArena_Push(&m->scratch, vertices, sizeof *list);
    if (m->arena->failed || m->scratch.failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snStatus status = snNearest_Build(&m->scratch, &m->solid, &r.nearest, why);
    for (int pass = 0; !status && pass < 2; ++pass) { // vertices by their shells
        for (int32_t v = 0; v < weld->surface.vertex_count; ++v) {
            if (weld->shell[v] >= 0) {
                int32_t* at = &begin[weld->shell[v] + (pass ? 1 : 2)];
                if (pass) {
                    list[*at] = v;
                }
                ++*at;
            }
        }
        for (size_t s = 0; pass == 0 && s < shells; ++s) {
            begin[s + 2] += begin[s + 1];
        }
    }
    for (size_t s = 0; !status && s < shells; ++s) {
        if (m->fate[s] == sn_fateRides) {
            addRider(&r, list + begin[s], begin[s + 1] - begin[s]);
        }
        for (int32_t i = begin[s]; m->fate[s] == sn_fateDrapes && i < begin[s + 1]; ++i) {
            addRider(&r, list + i, 1);
        }
    }
    m->out->riders = r.riders, m->out->rides = r.rides, m->out->riding = r.riding;
    m->out->rider_count = r.count;
    return status;
}

snStatus snBodyMaker_Surface(snBodyMaker* m, snMessage* why)
{
    size_t vertices = (size_t)m->out->weld.surface.vertex_count;
    snTie* ties = snArena_Push(m->arena, vertices, sizeof *ties);
    if (!ties) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (size_t v = 0; v < vertices; ++v) {
        ties[v].node[0] = -1;
        if (m->solid_of[v] >= 0) {
            tieVertex(m, m->solid_of[v], &ties[v]);
        }
    }
    m->out->ties = ties;
    return findRiders(m, why);
}
