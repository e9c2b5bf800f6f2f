// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Frames of a bake as shapes are made of them: differences before the skin.
#include <stdlib.h>
#include <string.h>

#include "bake/baker.h"
#include "rig/bind_pose.h"
#include "rig/pose.h"

// A file beyond this cannot be written: GLB ends at 4 GiB.
#define MOST_BYTES 4.0e9

// Floats of weights do not quite sum up to 1.
#define MARGIN 1e-5

static snStatus failMemory(const snBaker* b)
{
    snFail(b->why, sn_errorMemory, "out of memory");
    return sn_errorMemory; // so that the analyser sees it
}

static void poseFrame(snBaker* b, const snBakeClip* c, int32_t i)
{
    snRigClipData_World(b->rig, c->motion, snBakeClip_Time(c, i), b->surface->nodes,
                        b->surface->weights);
}

void snBaker_Pose(snBaker* b, const snBakeClip* c, int32_t i)
{
    poseFrame(b, c, i);
    snFollowSurface_Pose(b->surface);
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

snStatus snBaker_UpdateSurface(snBaker* b, const snBakeClip* c, int32_t i)
{
    snFrameFacts facts;
    snStatus status = readFrame(b, c, i, &facts);
    if (!status) {
        poseFrame(b, c, i);
        snFollowSurface_Update(b->surface, b->u);
    }
    return status;
}

// A frame's differences, as simulated. *singular: adds up
static snStatus makeFrame(snBaker* b, const snBakeClip* c, int32_t i, float* out, int64_t* singular)
{
    snFrameFacts facts;
    snStatus status = readFrame(b, c, i, &facts);
    if (status) {
        return status;
    }
    poseFrame(b, c, i);
    snFollowSurface_Move(b->surface, b->u);
    *singular += snFollowSurface_Deltas(b->surface, out, NULL);
    for (size_t k = 0; k < snBaker_Half(b); ++k) {
        out[k] *= b->scale[k / 3];
    }
    return sn_ok;
}

static void takeOff(float part, const float* seam, size_t count, float* x)
{
    for (size_t k = 0; part > 0 && k < count; ++k) {
        x[k] -= part * seam[k];
    }
}

// Positions ------------------------------------------------------------------------

static float* placeOf(snBaker* b, const snBakeClip* c, int32_t i)
{
    return b->rows.rows + snBaker_Half(b) * (size_t)((c->base + i) % b->rows.room);
}

static snStatus makeRow(snBaker* b, const snBakeClip* c, int32_t i, int64_t* singular)
{
    float* row = placeOf(b, c, i);
    int64_t* which = &b->rows.which[(c->base + i) % b->rows.room];
    snStatus status = makeFrame(b, c, i, row, singular);
    *which = status ? 0 : c->base + i + 1;
    takeOff(snBakeClip_Closing(c, i), c->seam, snBaker_Half(b), row);
    return status;
}

snStatus snBaker_Row(snBaker* b, const snBakeClip* c, int32_t i, const float** out)
{
    int64_t singular = 0;
    *out = placeOf(b, c, i);
    if (b->rows.which[(c->base + i) % b->rows.room] == c->base + i + 1) {
        return sn_ok;
    }
    return snBaker_IsStopped(b) ? sn_errorInterrupted : makeRow(b, c, i, &singular);
}

// What the last frame of a loop has and the first one has not. Of closed loops it is taken off
// little by little, evenly, so that nothing jumps or bends at any time.
static snStatus findSeam(snBaker* b, const snBakeClip* c, float* seam)
{
    int64_t singular = 0;
    snStatus status = makeFrame(b, c, 0, b->frame, &singular);
    status = status ? status : makeFrame(b, c, c->made - 1, seam, &singular);
    for (size_t k = 0; k < snBaker_Half(b) && !status; ++k) {
        seam[k] -= b->frame[k];
    }
    return status;
}

// Normals --------------------------------------------------------------------------

static snStatus makeNormals(snBaker* b, const snBakeClip* c, int32_t i)
{
    snStatus status = snBaker_IsStopped(b) ? sn_errorInterrupted : snBaker_UpdateSurface(b, c, i);
    if (!status) {
        snFollowSurface_Deltas(b->surface, b->frame, b->normals);
    }
    return status;
}

snStatus snBaker_BeginNormals(snBaker* b, const snBakeClip* c)
{
    if (!c->is_closed) {
        return sn_ok;
    }
    snStatus status = makeNormals(b, c, 0);
    memcpy(b->seam, b->normals, snBaker_Half(b) * sizeof *b->seam);
    status = status ? status : makeNormals(b, c, c->made - 1);
    for (size_t k = 0; k < snBaker_Half(b); ++k) {
        b->seam[k] = b->normals[k] - b->seam[k];
    }
    return status;
}

snStatus snBaker_Normals(snBaker* b, const snBakeClip* c, int32_t i)
{
    snStatus status = makeNormals(b, c, i);
    takeOff(snBakeClip_Closing(c, i), b->seam, snBaker_Half(b), b->normals);
    return status;
}

// Distances ------------------------------------------------------------------------

// Differences, times scale, as one sees them: the largest, m, and the sum of squares
static double measure(snBaker* b, float* deltas, double* sum)
{
    double most = 0, unit = b->body->made.unit;
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
    float part = snBakeClip_Closing(c, i);
    for (size_t k = 0; part > 0 && k < snBaker_Half(b); ++k) {
        left[k] += part * c->seam[k];
    }
    return measure(b, left, sum);
}

// The longest that a matrix makes a vector of length 1, from above, and exactly where it turns and
// scales evenly: by the rows of A'A
static double longest(const snMatrix* m)
{
    double xy = fabs(snDot(m->x, m->y)), yz = fabs(snDot(m->y, m->z)), zx = fabs(snDot(m->z, m->x));
    double square = fmax(snLengthSq(m->x) + xy + zx, snLengthSq(m->y) + xy + yz);
    return sqrt(fmax(square, snLengthSq(m->z) + yz + zx));
}

// Of all blends of matrices in the pose
static float stretchOf(const snBaker* b)
{
    const snFollowSurface* s = b->surface;
    double most = 0;
    for (int32_t k = 0; k < b->rig->info.skin_count; ++k) {
        for (int32_t j = 0; j < b->rig->skins[k].joint_count; ++j) {
            most = fmax(most, longest(&s->joints[s->skin_first[k] + j]));
        }
    }
    for (int32_t i = 0; i < b->rig->info.mesh_count; ++i) {
        const snRigMesh* mesh = &b->rig->instances[i].info;
        most = mesh->skin < 0 ? fmax(most, longest(&s->nodes[mesh->node])) : most;
    }
    return (float)(most * (1 + MARGIN));
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

static snStatus lookForSeam(snBaker* b, snBakeClip* c)
{
    float* seam = b->normals;
    double sum = 0;
    if (!c->track.is_loop || c->made < c->all || c->made == 0) {
        return sn_ok;
    }
    snStatus status = findSeam(b, c, seam);
    c->seam = snArena_Push(&b->arena, c->is_closed ? snBaker_Half(b) : 0, sizeof *c->seam);
    if (status || !c->seam) {
        return status ? status : failMemory(b);
    }
    memcpy(c->seam, seam, (c->is_closed ? snBaker_Half(b) : 0) * sizeof *seam);
    snBaker_Pose(b, c, 0);
    c->facts->seam = measure(b, seam, &sum);
    return sn_ok;
}

static snStatus lookAtFrame(snBaker* b, snBakeClip* c, int32_t i, double* far)
{
    snBaker_Tell(b, "frames", c);
    snStatus status = makeRow(b, c, i, &b->report->singular_count);
    const float* row = placeOf(b, c, i);
    *far = farthest(b);
    c->stretch[i] = stretchOf(b);
    for (size_t k = 0; i < snBakeClip_Count(c) && k < snBaker_Half(b); ++k) {
        b->sum[k] += (double)row[k];
    }
    ++b->done;
    return !status && snBaker_IsStopped(b) ? sn_errorInterrupted : status;
}

// Makes all frames once: how far they go, and what is kept of them in memory
static snStatus lookAt(snBaker* b, snBakeClip* c, double* far)
{
    snFrameFacts begin = {0}, facts = {0}; // counts go on from the lead
    c->stretch = snArena_Push(&b->arena, (size_t)c->made, sizeof *c->stretch);
    snStatus status = c->stretch ? lookForSeam(b, c) : failMemory(b);
    for (int32_t i = 0; i < c->made && !status; ++i) {
        status = lookAtFrame(b, c, i, &far[i]);
    }
    status = status || c->made == 0 ? status : readFrame(b, c, 0, &begin);
    status = status || c->made == 0 ? status : readFrame(b, c, c->made - 1, &facts);
    if (status || c->made == 0) {
        return status;
    }
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
    for (size_t k = 0; k < 3 * n; ++k) {
        b->frame[k] = 0.57735027f;
    }
    snFollowSurface_Pose(s);
    snFollowSurface_Squares(s, b->frame, b->squares);
    for (size_t v = 0; v < n; ++v) {
        double first = v > 0 && s->instance[v] == s->instance[v - 1] ? (double)b->scale[v - 1]
                                                                     : sqrt(b->squares[v]);
        b->scale[v] = first > 1e-9 && first < 1e9 ? (float)first : 1;
        double inverse = b->body->made.unit / (double)b->scale[v];
        b->inverse[v] = (float)(inverse * inverse);
    }
    return status;
}

// all: frames there are
static snStatus pushArrays(snBaker* b, int64_t all)
{
    size_t half = snBaker_Half(b), bytes = half * sizeof(float);
    bool shapes = b->def->as == sn_bakeShapes && b->def->shapes > 0;
    int64_t fit = bytes > 0 ? (int64_t)(b->cache / bytes) : all;
    int64_t room = shapes || b->def->as == sn_bakeJoints ? fit : 0;
    room = room < SN_BAKE_LEAST ? SN_BAKE_LEAST : room < all ? room : all + 1;
    b->rows.room = room;
    b->rows.rows = snArena_Push(&b->arena, (size_t)room, bytes);
    b->rows.which = snArena_Push(&b->arena, (size_t)room, sizeof *b->rows.which);
    b->u = snArena_Push(&b->arena, (size_t)b->body->made.tets.node_count, sizeof *b->u);
    b->scale = snArena_Push(&b->arena, half / 3, sizeof *b->scale);
    b->inverse = snArena_Push(&b->arena, half / 3, sizeof *b->inverse);
    b->frame = snArena_Push(&b->arena, half, sizeof *b->frame);
    b->normals = snArena_Push(&b->arena, half, sizeof *b->normals);
    b->seam = snArena_Push(&b->arena, half, sizeof *b->seam);
    b->sum = snArena_Push(&b->arena, half, sizeof *b->sum);
    b->squares = snArena_Push(&b->arena, half / 3, sizeof *b->squares);
    return b->arena.failed ? failMemory(b) : findScale(b);
}

snStatus snBaker_BuildFrames(snBaker* b)
{
    const snRigBody* body = &b->body->made;
    snStatus status = snFollowSurface_Create(&b->host, body, b->tasks, &b->surface, b->why);
    if (status) {
        return status;
    }
    int64_t all = 0, most = 0;
    for (int32_t i = 0; i < b->clip_count; ++i) {
        b->clips[i].base = all;
        all += b->clips[i].made;
        most = b->clips[i].made > most ? b->clips[i].made : most;
    }
    b->done = 0;
    b->total = all;
    double bytes = 2.0 * (double)snBaker_Half(b) * sizeof(float) * (double)all;
    if (b->def->shapes == 0 && bytes > MOST_BYTES) {
        return snFail(b->why, sn_errorArgument,
                      "a shape for every frame would take %.1f GB, and GLB files end at 4; bake "
                      "fewer clips at a time, with a lower rate, or with shapes",
                      bytes * 1e-9);
    }
    double* far = snArena_Push(&b->arena, (size_t)most, sizeof *far);
    status = far ? pushArrays(b, all) : failMemory(b);
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        status = lookAt(b, &b->clips[i], far);
    }
    return status;
}
