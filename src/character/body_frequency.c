// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How soft a body is when nobody says: 5 Hz, as people are, to begin with. What moves with the
// acceleration a then leaves its place by about 1.5 a/omega^2 (measured on 90 clips, 0.8..3; less
// of wild ones, which it does not feel all of), which nobody sees of a calm walk, and which is a
// block that slides in a wild fight. So a body is softer, within bounds, until its calmer clips
// show something, or stiffer until the usual one does not show too much.

#include "character/body_maker.h"
#include "rig/track.h"

#define USUAL 5.0   // Hz
#define SLOWEST 2.5 // Hz, and slower by their sizes of bodies above twice
#define LARGE 2.2   // m
#define LEAST 0.5   // Hz of the largest
#define FASTEST 5.5 // Hz
#define SHOWN 0.01  // of the size: what can be seen
#define MUCH 0.02   // of the size
#define STILL 0.1   // clips that move less than this part of the lively ones do not count
#define LIVELY 0.75 // part of the clips that move less than a lively one
#define MOVED 1.5   // of a/omega^2
#define RATE 30.0   // times a second at which clips are looked at
#define LONG 20.0   // s of a clip that are
#define NODES 400   // that are asked, about

#define TWO_PI 6.283185307179586

typedef struct Accelerations {
    const snRigBody* body;
    int32_t count;
    int32_t* asked;            // nodes; (count)
    snVec3 *now, *last, *past; // where they are, m; (count)
    snMatrix* nodes;           // (rig's nodes)
    snMatrix* joints;          // (joint_count)
} Accelerations;

static void placeNodes(Accelerations* p, const snRigTrack* track, double time)
{
    const snRigBody* body = p->body;
    snVec3* past = p->past;
    p->past = p->last, p->last = p->now, p->now = past;
    snRigTrack_At(track, time, p->nodes, NULL);
    for (int32_t j = 0; j < body->joint_count; ++j) {
        p->joints[j] = snMatrix_Mul(&p->nodes[body->joint[j]], &body->inverse[j]);
    }
    for (int32_t i = 0; i < p->count; ++i) {
        const snNodeWeights* w = &body->weights[p->asked[i]];
        snVec3 X = body->tets.position[p->asked[i]], sum = snV3(0, 0, 0);
        for (int k = 0; k < SN_WEIGHTS_MOST && w->joint[k] >= 0; ++k) {
            sum = snMulAdd(sum, (double)w->weight[k], snMatrix_Point(&p->joints[w->joint[k]], X));
        }
        p->now[i] = snScale(body->unit, sum);
    }
}

// Square of the largest acceleration in a clip, root mean square of the flesh, m/s^2
static double liveliestOf(Accelerations* p, const snRigTrack* track)
{
    double most = 0, end = fmin(track->last, track->first + LONG);
    for (int32_t k = 0; track->first + k / RATE <= end; ++k) {
        double sum = 0, mass = 0;
        placeNodes(p, track, track->first + k / RATE);
        for (int32_t i = 0; k >= 2 && i < p->count; ++i) {
            double m = p->body->mass[p->asked[i]];
            snVec3 a = snAdd(snSub(p->now[i], snScale(2, p->last[i])), p->past[i]);
            sum += m * snLengthSq(a);
            mass += m;
        }
        most = fmax(most, mass > 0 ? sum / mass * RATE * RATE * RATE * RATE : 0);
    }
    return most;
}

static bool openAccelerations(Accelerations* p, snArena* scratch)
{
    const snRigBody* body = p->body;
    int32_t step = body->tets.node_count / NODES + 1;
    size_t most = (size_t)(body->tets.node_count / step) + 1;
    p->asked = snArena_Push(scratch, most, sizeof *p->asked);
    snVec3** places[] = {&p->now, &p->last, &p->past};
    for (int k = 0; k < 3; ++k) {
        *places[k] = snArena_Push(scratch, most, sizeof(snVec3));
    }
    p->nodes = snArena_Push(scratch, (size_t)body->rig->info.node_count, sizeof *p->nodes);
    p->joints = snArena_Push(scratch, (size_t)body->joint_count, sizeof *p->joints);
    for (int32_t i = 0; !scratch->failed && i < body->tets.node_count; i += step) {
        if (!body->held[i]) {
            p->asked[p->count++] = i;
        }
    }
    return !scratch->failed;
}

// Sorts clips by how far they move; returns the first of those that are not far below lively ones:
// a wild one among many does not tell.
static int32_t sortClips(double* moved, int32_t count)
{
    int32_t first = 0;
    for (int32_t i = 1; i < count; ++i) {
        for (int32_t k = i; k > 0 && moved[k] < moved[k - 1]; --k) {
            double was = moved[k];
            moved[k] = moved[k - 1];
            moved[k - 1] = was;
        }
    }
    double lively = moved[(int32_t)(LIVELY * (count - 1))];
    while (first < count && moved[first] < STILL * lively) {
        ++first;
    }
    return first;
}

snStatus snBodyMaker_ChooseFrequency(snBodyMaker* m, double* softness, snMessage* why)
{
    Accelerations sampled = {.body = m->out};
    const snRig* rig = m->out->rig;
    double omega = TWO_PI * USUAL, size = m->out->size;
    double* moved = snArena_Push(&m->scratch, (size_t)rig->info.clip_count, sizeof *moved);
    int32_t count = 0;
    snStatus status = sn_ok;
    if (!moved || !openAccelerations(&sampled, &m->scratch)) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (int32_t c = 0; c < rig->info.clip_count && !status; ++c) {
        snArena arena;
        snRigTrack track;
        snArena_Init(&arena, &m->scratch.host);
        status = snRigTrack_Build(&arena, rig, c, NULL, &track, why);
        double a = status || track.is_constant ? 0 : sqrt(liveliestOf(&sampled, &track));
        if (a > 0) {
            moved[count++] = MOVED * a / (omega * omega * size);
        }
        snArena_Free(&arena);
    }
    *softness = USUAL;
    if (count > 0) {
        int32_t first = sortClips(moved, count), lively = count - first;
        double calm = moved[first + lively / 4], usual = moved[first + lively / 2];
        double shows = fmax(USUAL * sqrt(calm / SHOWN), fmin(SLOWEST, USUAL * LARGE / size));
        *softness = fmin(fmax(USUAL * sqrt(usual / MUCH), fmin(shows, USUAL)), FASTEST);
        *softness = fmax(*softness, LEAST);
    }
    return status;
}
