// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/track.h"

#include <stdlib.h>

#include "rig/pose.h"

void snRigTrackDef_Init(snRigTrackDef* def)
{
    *def = (snRigTrackDef){.loop = -1, .loop_distance = 0.005, .loop_angle = SN_PI / 180};
}

// From the last pose to the first one after a cut, s: time that is after the last key
#define CUT_GAP 1e-4

// Curves ---------------------------------------------------------------------------

// The travel as a channel of a node whose parent stays behind sees it
static snCurveMap mapFor(const snRigTrack* track, const snRigLoop* loop, int32_t node,
                         snTravel travel)
{
    int32_t parent = track->rig->nodes[node].parent;
    if (!loop->travels[node] || (parent >= 0 && loop->travels[parent])) {
        return (snCurveMap){snMat3_Identity(), {0, 0, 0}, snQIdentity()};
    }
    snMatrix P = parent >= 0 ? loop->first[parent] : snMatrix_Identity();
    return snCurveMap_Seen(&P, travel.turn, travel.move);
}

static snCurveSpan spanOf(const snRigTrack* track, const snRigLoop* loop, int32_t node)
{
    int32_t parent = track->rig->nodes[node].parent;
    double scale = 1;
    if (parent >= 0) {
        const snMatrix* P = &loop->first[parent];
        scale = (snLength(P->x) + snLength(P->y) + snLength(P->z)) / 3;
    }
    snTravel back = snTravel_Repeat(loop->travel, -1);
    return (snCurveSpan){.first = track->first,
                         .last = track->last,
                         .end = track->first + track->period,
                         .size = track->size / fmax(scale, 1e-12),
                         .loops = track->is_loop,
                         .on = mapFor(track, loop, node, loop->travel),
                         .back = mapFor(track, loop, node, back)};
}

static int rising(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// seam: there is one at the loop's end
static void listCuts(snArena* arena, snRigTrack* track, bool seam)
{
    size_t count = seam, kept = 0;
    for (int32_t i = 0; i < track->curve_count; ++i) {
        count += (size_t)track->curves[i].curve.cut_count;
    }
    double* cuts = snArena_Push(arena, count, sizeof *cuts);
    if (!cuts) {
        return;
    }
    count = 0;
    for (int32_t i = 0; i < track->curve_count; ++i) {
        const snCurve* c = &track->curves[i].curve;
        for (int32_t k = 1; k < c->count; ++k) {
            if (c->time[k] == c->time[k - 1]) {
                cuts[count++] = c->time[k];
            }
        }
    }
    if (seam) {
        cuts[count++] = track->first + track->period;
    }
    qsort(cuts, count, sizeof *cuts, rising);
    for (size_t i = 0; i < count; ++i) {
        if (i == 0 || cuts[i] > cuts[i - 1]) {
            cuts[kept++] = cuts[i];
        }
    }
    track->cuts = cuts;
    track->cut_count = (int32_t)kept;
}

static snStatus makeCurves(snArena* arena, const snRigLoop* loop, snRigTrack* track, snMessage* why)
{
    const snRigClipData* clip = track->clip;
    snRigCurve* curves = snArena_Push(arena, (size_t)clip->info.channel_count, sizeof *curves);
    snStatus status = sn_ok;
    if (!curves) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    track->curves = curves;
    track->is_constant = true;
    for (int32_t i = 0; i < clip->info.channel_count && !status; ++i) {
        const snRigChannel* c = &clip->channels[i];
        if (c->path == sn_pathWeights) {
            continue;
        }
        snCurveSpan span = spanOf(track, loop, c->node);
        snRigCurve* curve = &curves[track->curve_count++];
        curve->node = c->node;
        status = snCurve_Build(arena, c, &span, &curve->curve, why);
        track->is_constant = track->is_constant && curve->curve.count <= 1;
    }
    return status;
}

// Making ---------------------------------------------------------------------------

// The longest side of the box around the meshes; without any, around the nodes
static double sizeOf(const snRig* rig, const snMatrix* nodes)
{
    snVec3 lo = rig->info.low, hi = rig->info.high, d = snSub(hi, lo);
    double size = fmax(fmax(d.x, d.y), d.z);
    if (size > 0) {
        return size;
    }
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        snVec3 p = nodes[n].p;
        lo = n ? snV3(fmin(lo.x, p.x), fmin(lo.y, p.y), fmin(lo.z, p.z)) : p;
        hi = n ? snV3(fmax(hi.x, p.x), fmax(hi.y, p.y), fmax(hi.z, p.z)) : p;
    }
    d = snSub(hi, lo);
    size = fmax(fmax(d.x, d.y), d.z);
    return size > 0 ? size : 1;
}

static snStatus make(snArena* arena, snArena* scratch, const snRigTrackDef* def, snRigTrack* out,
                     snMessage* why)
{
    size_t nodes = (size_t)out->rig->info.node_count;
    snMatrix* first = snArena_Push(scratch, nodes, sizeof *first);
    snRigLoop loop = {.first = first, .travels = snArena_Push(arena, nodes, 1)};
    out->travels = loop.travels;
    if (scratch->failed || !loop.travels) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snRigClipData_World(out->rig, NULL, 0, first, NULL);
    out->size = loop.size = sizeOf(out->rig, first);
    snRigClipData_World(out->rig, out->clip, out->first, first, NULL);
    if (!snRigLoop_Find(scratch, out->rig, out->clip, def, &loop)) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    out->seam_distance = loop.distance;
    out->seam_angle = loop.angle;
    out->seam_node = loop.node;
    out->is_loop = out->last > out->first && (def->loop < 0 ? loop.is_found : def->loop > 0);
    out->is_open = out->is_loop && loop.gap > 0;
    bool cut = out->is_loop && !out->is_open && loop.has_strays;
    out->period = out->last - out->first + (out->is_open ? loop.gap : cut ? CUT_GAP : 0);
    snStatus status = makeCurves(arena, &loop, out, why);
    out->is_loop = out->is_loop && !out->is_constant;
    if (out->is_loop) {
        out->travel = loop.travel.move;
        out->turn = loop.travel.turn;
    }
    if (!status) {
        listCuts(arena, out, cut && out->is_loop);
        status = arena->failed ? snFail(why, sn_errorMemory, "out of memory") : sn_ok;
    }
    return status;
}

snStatus snRigTrack_Of(snArena* arena, const snRig* rig, const snRigClipData* clip,
                       const snRigTrackDef* def, snRigTrack* out, snMessage* why)
{
    snRigTrackDef usual;
    snArena scratch;
    snRigTrackDef_Init(&usual);
    snArena_Init(&scratch, &arena->host);
    *out =
        (snRigTrack){.rig = rig, .clip = clip, .first = clip->info.first, .last = clip->info.last};
    snStatus status = make(arena, &scratch, def ? def : &usual, out, why);
    snArena_Free(&scratch);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}

snStatus snRigTrack_Build(snArena* arena, const snRig* rig, int32_t clip, const snRigTrackDef* def,
                          snRigTrack* out, snMessage* why)
{
    if (clip < 0 || clip >= rig->info.clip_count) {
        return snFail(why, sn_errorArgument, "there is no clip %d; there are %d, from 0", (int)clip,
                      (int)rig->info.clip_count);
    }
    return snRigTrack_Of(arena, rig, &rig->clips[clip], def, out, why);
}

// At a time --------------------------------------------------------------------------

// What places a node, and how that changes
typedef struct Placement {
    snVec3 p, pd;
    snQuat q;
    snVec3 w; // angular velocity, in the parent
    snVec3 s, sd;
} Placement;

static void applyCurve(const snCurve* curve, double time, bool before, Placement* at)
{
    double v[4] = {0}, d[4] = {0};
    snCurve_Eval(curve, time, before, v, d);
    snVec3 x = snV3(v[0], v[1], v[2]), xd = snV3(d[0], d[1], d[2]);
    if (curve->path == sn_pathTranslation) {
        at->p = x, at->pd = xd;
    } else if (curve->path == sn_pathScale) {
        at->s = x, at->sd = xd;
    } else {
        // of q = x/|x|: w = 2 vec(xd x*)/|x|^2
        snQuat q = snQ(v[0], v[1], v[2], v[3]);
        snQuat u = snQMul(snQ(d[0], d[1], d[2], d[3]), snQConj(q));
        double n = snQDot(q, q);
        at->q = snQNormalize(q);
        at->w = snScale(n > SN_TINY_SQUARE ? 2 / n : 0, snV3(u.x, u.y, u.z));
    }
}

// d/dt (R S | p) = (w x R S + R Sd | pd)
static snMatrix rateOf(const Placement* at, const snMatrix* local)
{
    snMatrix turn = snMatrix_FromParts(at->pd, at->q, at->sd);
    turn.x = snAdd(turn.x, snCross(at->w, local->x));
    turn.y = snAdd(turn.y, snCross(at->w, local->y));
    turn.z = snAdd(turn.z, snCross(at->w, local->z));
    return turn;
}

// d/dt (A B) = Ad B + A Bd; the last column of a derivative is a vector's
static snMatrix productRate(const snMatrix* A, const snMatrix* Ad, const snMatrix* B,
                            const snMatrix* Bd)
{
    snMatrix left = snMatrix_Mul(Ad, B), right = snMatrix_Mul(A, Bd);
    right.p = snMatrix_Vector(A, Bd->p);
    return snMatrix_MulAdd(&left, 1, &right);
}

static void place(const snRigTrack* track, double time, bool before, snMatrix* nodes,
                  snMatrix* rates)
{
    int32_t next = 0;
    for (int32_t n = 0; n < track->rig->info.node_count; ++n) {
        const snRigNode* node = &track->rig->nodes[n];
        snVec3 zero = snV3(0, 0, 0);
        Placement at = {node->translation, zero, node->rotation, zero, node->scale, zero};
        snMatrix local = node->local, rate = {zero, zero, zero, zero};
        int32_t begin = next;
        for (; next < track->curve_count && track->curves[next].node == n; ++next) {
            applyCurve(&track->curves[next].curve, time, before, &at);
        }
        if (next > begin) {
            local = snMatrix_FromParts(at.p, at.q, at.s);
            rate = rateOf(&at, &local);
        }
        int32_t parent = node->parent;
        nodes[n] = parent < 0 ? local : snMatrix_Mul(&nodes[parent], &local);
        if (rates) {
            rates[n] =
                parent < 0 ? rate : productRate(&nodes[parent], &rates[parent], &local, &rate);
        }
    }
}

// Loop after loop the travel adds up.
static void moveByLoops(const snRigTrack* track, double loops, snMatrix* nodes, snMatrix* rates)
{
    if (loops == 0 || (track->turn == 0 && snLengthSq(track->travel) == 0)) {
        return;
    }
    snMatrix go = snTravel_Matrix(snTravel_Repeat((snTravel){track->turn, track->travel}, loops));
    for (int32_t n = 0; n < track->rig->info.node_count; ++n) {
        if (track->travels[n]) {
            nodes[n] = snMatrix_Mul(&go, &nodes[n]);
            if (rates) {
                snVec3 p = snMatrix_Vector(&go, rates[n].p);
                rates[n] = snMatrix_Mul(&go, &rates[n]);
                rates[n].p = p;
            }
        }
    }
}

static void evaluate(const snRigTrack* track, double time, bool before, snMatrix* nodes,
                     snMatrix* rates)
{
    double length = track->period, loops = 0;
    if (track->is_loop) {
        loops = floor((time - track->first) / length);
        time -= loops * length;
        time = fmin(fmax(time, track->first), track->first + length);
        if (before && time <= track->first) {
            loops -= 1;
            time = track->first + length;
        }
    }
    place(track, time, before, nodes, rates);
    moveByLoops(track, loops, nodes, rates);
}

void snRigTrack_At(const snRigTrack* track, double time, snMatrix* nodes, snMatrix* rates)
{
    evaluate(track, time, false, nodes, rates);
}

void snRigTrack_Before(const snRigTrack* track, double time, snMatrix* nodes, snMatrix* rates)
{
    evaluate(track, time, true, nodes, rates);
}

void snRigTrack_Pose(const snRigTrack* track, double time, snMatrix* nodes, double* weights)
{
    double length = track->period, loops = 0;
    if (track->is_loop) { // its end is the clip's last key, not the next round's first
        loops = fmax(0, ceil((time - track->first) / length - 1e-6) - 1);
        time -= loops * length;
        if (track->is_open && time > track->last + 1e-6 * length && nodes) {
            place(track, fmin(time, track->first + length), true, nodes, NULL);
            moveByLoops(track, loops, nodes, NULL);
            nodes = NULL;
        }
        time = fmin(time, track->last);
    }
    snRigClipData_World(track->rig, track->clip, time, nodes, weights);
    if (nodes) {
        moveByLoops(track, loops, nodes, NULL);
    }
}
