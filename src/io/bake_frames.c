// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Frames of a bake as shapes are made of them: differences before the skin.
#include <stdlib.h>
#include <string.h>

#include "io/baker.h"
#include "rig/bind_pose.h"
#include "rig/pose.h"

// A file beyond this cannot be written: GLB ends at 4 GiB.
#define MOST_BYTES 4.0e9

static snStatus failMemory(const snBaker* b)
{
    return snFail(b->why, sn_errorMemory, "out of memory");
}

static void poseFrame(snBaker* b, const snBakeClip* c, int32_t i)
{
    snRigMotion_World(b->rig, c->motion, snBakeClip_Time(c, i), b->surface->nodes,
                      b->surface->weights);
}

static snStatus readFrame(snBaker* b, const snBakeClip* c, int32_t i, snFrameFacts* facts)
{
    snStatus status = snBakeFile_Frame(&b->file, c->number, i, facts, b->nodes, b->why);
    for (int32_t k = 0; k < b->soft_count && !status; ++k) {
        const float* x = b->nodes + 3 * (size_t)k;
        b->u[b->soft[k]] = (snVec4f){x[0], x[1], x[2], 0};
    }
    return status;
}

snStatus snBaker_Show(snBaker* b, const snBakeClip* c, int32_t i)
{
    snFrameFacts facts;
    snStatus status = readFrame(b, c, i, &facts);
    if (!status) {
        poseFrame(b, c, i);
        snFollowSurface_Show(b->surface, b->u);
    }
    return status;
}

// A frame's differences, as simulated. *singular: adds up
static snStatus makeFrame(snBaker* b, const snBakeClip* c, int32_t i, float* out, int64_t* singular)
{
    snStatus status = snBaker_Show(b, c, i);
    if (status) {
        return status;
    }
    *singular += snFollowSurface_Deltas(b->surface, out, out + snBaker_Half(b));
    for (size_t k = 0; k < snBaker_Half(b); ++k) {
        out[k] *= b->scale[k / 3];
    }
    return sn_ok;
}

// The same into b->frame, from memory where it is kept
static snStatus takeFrame(snBaker* b, const snBakeClip* c, int32_t i)
{
    int64_t singular = 0;
    if (c->frames) {
        memcpy(b->frame, c->frames + 2 * snBaker_Half(b) * (size_t)i,
               2 * snBaker_Half(b) * sizeof(float));
        return sn_ok;
    }
    return makeFrame(b, c, i, b->frame, &singular);
}

// What the last frame of a loop has and the first one has not. Of closed loops it is taken off
// little by little, evenly, so that nothing jumps or bends at any time.
snStatus snBaker_BeginClip(snBaker* b, const snBakeClip* c)
{
    memset(b->seam, 0, 2 * snBaker_Half(b) * sizeof *b->seam);
    if (!c->track.is_loop || c->made < c->all) {
        return sn_ok;
    }
    snStatus status = takeFrame(b, c, 0);
    memcpy(b->seam, b->frame, 2 * snBaker_Half(b) * sizeof *b->seam);
    status = status ? status : takeFrame(b, c, c->made - 1);
    for (size_t k = 0; k < 2 * snBaker_Half(b); ++k) {
        b->seam[k] = b->frame[k] - b->seam[k];
    }
    return status;
}

snStatus snBaker_Frame(snBaker* b, const snBakeClip* c, int32_t i)
{
    if (snBaker_IsStopped(b)) {
        return sn_errorInterrupted;
    }
    snStatus status = takeFrame(b, c, i);
    float part = c->is_closed ? (float)i / (float)(c->made - 1) : 0;
    for (size_t k = 0; part > 0 && k < 2 * snBaker_Half(b); ++k) {
        b->frame[k] -= part * b->seam[k];
    }
    return status;
}

// Differences, times scale, as one sees them at frame i: the largest, m, and the sum of squares
static double measure(snBaker* b, const snBakeClip* c, int32_t i, float* deltas, double* sum)
{
    double most = 0, unit = b->body->made.unit;
    poseFrame(b, c, i);
    snFollowSurface_Pose(b->surface);
    for (size_t k = 0; k < snBaker_Half(b); ++k) {
        deltas[k] /= b->scale[k / 3];
    }
    snFollowSurface_Squares(b->surface, deltas, b->squares);
    for (int32_t v = 0; v < b->surface->moving_count; ++v) {
        most = fmax(most, b->squares[v]);
        *sum += b->squares[v] * unit * unit;
    }
    return sqrt(most) * unit;
}

double snBaker_Miss(snBaker* b, const snBakeClip* c, int32_t i, float* left, double* sum)
{
    float part = c->is_closed ? (float)i / (float)(c->made - 1) : 0;
    for (size_t k = 0; part > 0 && k < snBaker_Half(b); ++k) {
        left[k] += part * b->seam[k];
    }
    return measure(b, c, i, left, sum);
}

// The first look -------------------------------------------------------------------

static int rising(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double farthest(const snBaker* b)
{
    const snRigBody* body = &b->body->made;
    double most = 0;
    for (int32_t v = 0; v < body->weld.surface.vertex_count; ++v) {
        const float* o = b->surface->offsets + 3 * (size_t)v;
        double x = (double)o[0], y = (double)o[1], z = (double)o[2];
        most = fmax(most, x * x + y * y + z * z);
    }
    return sqrt(most) * body->unit;
}

// Makes all frames once: how far they go, and what is kept of them in memory
static snStatus lookAt(snBaker* b, snBakeClip* c, double* far)
{
    snFrameFacts begin = {0}, facts = {0}; // counts go on from the lead
    double sum = 0;
    snStatus status = sn_ok;
    for (int32_t i = 0; i < c->made && !status; ++i) {
        float* out = c->frames ? c->frames + 2 * snBaker_Half(b) * (size_t)i : b->frame;
        status = makeFrame(b, c, i, out, &b->report->singular_count);
        far[i] = farthest(b);
        ++b->done;
        snBaker_Tell(b, "shapes", c);
        status = !status && snBaker_IsStopped(b) ? sn_errorInterrupted : status;
    }
    status = status || c->made == 0 ? status : readFrame(b, c, 0, &begin);
    status = status || c->made == 0 ? status : readFrame(b, c, c->made - 1, &facts);
    status = status ? status : snBaker_BeginClip(b, c);
    if (status || c->made == 0) {
        return status;
    }
    memcpy(b->frame, b->seam, snBaker_Half(b) * sizeof *b->frame);
    c->facts->seam = measure(b, c, 0, b->frame, &sum);
    qsort(far, (size_t)c->made, sizeof *far, rising);
    c->facts->largest = far[c->made - 1];
    c->facts->median = 0.5 * (far[(c->made - 1) / 2] + far[c->made / 2]);
    c->facts->limited = (double)(facts.limited - begin.limited) / c->made;
    c->facts->interventions = facts.interventions - begin.interventions;
    return sn_ok;
}

// World units in a unit of each instance, as in the bind pose
static snStatus findScale(snBaker* b)
{
    snFollowSurface* s = b->surface;
    snStatus status = snRig_BindPose(b->rig, s->nodes, b->why);
    size_t n = (size_t)s->moving_count;
    float* ones = snArena_Push(&b->arena, 3 * n, sizeof *ones);
    if (status || !ones) {
        return status ? status : failMemory(b);
    }
    for (size_t k = 0; k < 3 * n; ++k) {
        ones[k] = 0.57735027f;
    }
    snFollowSurface_Pose(s);
    snFollowSurface_Squares(s, ones, b->squares);
    for (size_t v = 0; v < n; ++v) {
        double first = v > 0 && s->instance[v] == s->instance[v - 1] ? (double)b->scale[v - 1]
                                                                     : sqrt(b->squares[v]);
        b->scale[v] = first > 1e-9 && first < 1e9 ? (float)first : 1;
    }
    return sn_ok;
}

snStatus snBaker_Look(snBaker* b)
{
    const snRigBody* body = &b->body->made;
    snStatus status = snFollowSurface_Create(&b->host, body, b->tasks, &b->surface, b->why);
    if (status) {
        return status;
    }
    size_t half = snBaker_Half(b), all = 0, most = 0;
    b->u = snArena_Push(&b->arena, (size_t)body->tets.node_count, sizeof *b->u);
    b->scale = snArena_Push(&b->arena, half / 3, sizeof *b->scale);
    b->frame = snArena_Push(&b->arena, 2 * half, sizeof *b->frame);
    b->seam = snArena_Push(&b->arena, 2 * half, sizeof *b->seam);
    b->squares = snArena_Push(&b->arena, half / 3, sizeof *b->squares);
    b->total = b->done = 0;
    for (int32_t i = 0; i < b->clip_count; ++i) {
        all += (size_t)b->clips[i].made;
        most = (size_t)b->clips[i].made > most ? (size_t)b->clips[i].made : most;
    }
    b->total = (int64_t)all;
    double bytes = 2.0 * (double)half * sizeof(float) * (double)all;
    if (b->def->shapes == 0 && bytes > MOST_BYTES) {
        return snFail(b->why, sn_errorArgument,
                      "a shape for every frame would take %.1f GB, and GLB files end at 4; bake "
                      "fewer clips at a time, with a lower rate, or with shapes",
                      bytes * 1e-9);
    }
    bool kept = b->def->shapes == 0 || bytes <= (double)SN_BAKE_CACHE;
    double* far = snArena_Push(&b->arena, most, sizeof *far);
    status = b->arena.failed ? failMemory(b) : findScale(b);
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        snBakeClip* c = &b->clips[i];
        c->frames =
            kept ? snArena_Push(&b->arena, 2 * half * (size_t)c->made, sizeof(float)) : NULL;
        status = kept && !c->frames ? failMemory(b) : lookAt(b, c, far);
    }
    return status;
}
