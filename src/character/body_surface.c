// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How the surface of a rig's body hangs on its flesh.

#include "character/body_maker.h"
#include "geom/nearest.h"

// From here on a place is as soft as its nodes; below it fades to what is held.
#define FULL 0.6

// Passes over the surface in which a mask fades
#define ROUNDS 200

// Vertices of a small shell that are asked where the flesh under it goes
#define ASKED 32

// Farther than this part of the size from flesh nothing rides on it.
#define FAR 0.1

// From the nodes' masks: 0 where all is held .. 1 where it is as soft as its nodes
static double maskOf(const snBodyMaker* m, int32_t v)
{
    const snEmbedding* e = &m->flesh.embedding;
    const int32_t* n = m->flesh.tets.tet + 4 * (size_t)e->cell[v];
    double mask = 0;
    for (int k = 0; k < 4; ++k) {
        mask += e->weight[v][k] * (double)m->mask[n[k]];
        if (m->number[n[k]] < 0) { // a cell that left: all of it is held
            return 0;
        }
    }
    return fmin(fmax((mask - SN_BODY_SOFT) / (FULL - SN_BODY_SOFT), 0), 1);
}

// Weights of joints may change from one vertex to the next, but flesh that moves beside some that
// does not would tear the skin, or kink it: so from what is held on, masks grow along the surface
// no faster than to 1 in so many local thicknesses: after smoothing, at most 1 in one. mask:
// (solid.vertex_count)
#define FADE 1.5

static void fadeMask(const snBodyMaker* m, double* mask)
{
    const snSurface* s = &m->solid;
    bool changed = true;
    for (int round = 0; changed && round < ROUNDS; ++round) {
        changed = false;
        for (int32_t i = 0; i < 3 * s->triangle_count; ++i) {
            // rounds go to and fro
            int32_t at = round % 2 ? 3 * s->triangle_count - 1 - i : i, next = at % 3 == 2 ? -2 : 1;
            int32_t a = s->triangle[at], b = s->triangle[at + next];
            double far = snLength(snSub(s->position[a], s->position[b]));
            double thick = FADE * fmax(fmax(m->thickness[a], m->thickness[b]), m->flesh.cell);
            double grows = far / thick + 1e-6;
            if (mask[a] > mask[b] + grows) {
                mask[a] = mask[b] + grows;
                changed = true;
            } else if (mask[b] > mask[a] + grows) {
                mask[b] = mask[a] + grows;
                changed = true;
            }
        }
    }
}

static void tieVertex(const snBodyMaker* m, int32_t v, double mask, snTie* tie)
{
    const snEmbedding* e = &m->flesh.embedding;
    const int32_t* n = m->flesh.tets.tet + 4 * (size_t)e->cell[v];
    mask = snSmoothStep(0, 1, mask);
    for (int k = 0; k < 4; ++k) {
        tie->node[k] = m->number[n[k]];
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
    double* mask = snArena_Push(&m->scratch, (size_t)m->solid.vertex_count, sizeof *mask);
    if (!ties || !mask) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (int32_t v = 0; v < m->solid.vertex_count; ++v) {
        mask[v] = maskOf(m, v);
    }
    fadeMask(m, mask);
    for (size_t v = 0; v < vertices; ++v) {
        ties[v].node[0] = -1;
        if (m->solid_of[v] >= 0) {
            tieVertex(m, m->solid_of[v], mask[m->solid_of[v]], &ties[v]);
        }
    }
    m->out->ties = ties;
    return findRiders(m, why);
}

void snRigBody_TieOffset(const snRigBody* body, int32_t vertex, const snVec4f* u, float offset[3])
{
    const snTie* tie = &body->ties[vertex];
    offset[0] = offset[1] = offset[2] = 0;
    for (int n = 0; n < 4 && tie->node[0] >= 0; ++n) {
        const snVec4f* at = &u[tie->node[n]];
        offset[0] += tie->weight[n] * at->x;
        offset[1] += tie->weight[n] * at->y;
        offset[2] += tie->weight[n] * at->z;
    }
}

void snRigBody_RiderOffset(const snRigBody* body, int32_t rider, const snVec4f* u, float* offset)
{
    const snRider* r = &body->riders[rider];
    const float k = (float)(1 / body->unit);
    offset[0] = offset[1] = offset[2] = offset[3] = 0;
    for (int32_t i = 0; i < 3 * r->ride_count; ++i) {
        const snRide* ride = &body->rides[r->ride_begin + i / 3];
        float sum[3];
        snRigBody_TieOffset(body, ride->vertex[i % 3], u, sum);
        for (int c = 0; c < 3; ++c) {
            offset[c] += ride->weight[i % 3] * (k * sum[c]) / (float)r->ride_count;
        }
    }
}

static void rideAlong(const snRigBody* body, const snRider* rider, float* offsets)
{
    float mean[3] = {0, 0, 0};
    for (int32_t i = 0; i < 3 * rider->ride_count; ++i) {
        const snRide* ride = &body->rides[rider->ride_begin + i / 3];
        for (int c = 0; c < 3; ++c) {
            mean[c] += ride->weight[i % 3] * offsets[3 * (size_t)ride->vertex[i % 3] + (size_t)c] /
                       (float)rider->ride_count;
        }
    }
    for (int32_t i = 0; i < 3 * rider->vertex_count; ++i) {
        int32_t v = body->riding[rider->vertex_begin + i / 3];
        offsets[3 * (size_t)v + (size_t)(i % 3)] = mean[i % 3];
    }
}

void snRigBody_Offsets(const snRigBody* body, const snVec4f* u, float* offsets)
{
    const float k = (float)(1 / body->unit);
    for (int32_t v = 0; v < body->weld.surface.vertex_count; ++v) {
        float sum[3];
        snRigBody_TieOffset(body, v, u, sum);
        for (int c = 0; c < 3; ++c) {
            offsets[3 * (size_t)v + (size_t)c] = k * sum[c];
        }
    }
    for (int32_t r = 0; r < body->rider_count; ++r) {
        rideAlong(body, &body->riders[r], offsets);
    }
}
