// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/track.h"

#include <stdlib.h>

#include "rig/pose.h"

void snRigTrackDef_Init(snRigTrackDef* def)
{
    *def = (snRigTrackDef){.loop_distance = 0.005, .loop_angle = SN_PI / 180};
}

// Travel --------------------------------------------------------------------------

// x -> turn about +y, then + move
typedef struct Travel {
    double turn;
    snVec3 move;
} Travel;

static snMatrix travelMatrix(Travel t)
{
    return snMatrix_FromParts(t.move, snQFromAxisAngle(snV3(0, 1, 0), t.turn), snV3(1, 1, 1));
}

// n times. R^n x + (I - R^n) c, with c that stays where it is: (I - R) c = move
static Travel repeat(Travel t, double n)
{
    if (t.turn == 0) {
        return (Travel){0, snScale(n, t.move)};
    }
    double s, c;
    snSinCos(t.turn, &s, &c);
    double k = 1 / (2 * (1 - c)), a = 1 - c;
    snVec3 still = snScale(k, snV3(a * t.move.x + s * t.move.z, 0, a * t.move.z - s * t.move.x));
    snSinCos(n * t.turn, &s, &c);
    return (Travel){n * t.turn,
                    snV3((1 - c) * still.x - s * still.z, 0, (1 - c) * still.z + s * still.x)};
}

// What a node does along the ground and about the vertical from a to b
static Travel travelOf(const snMatrix* a, const snMatrix* b, double least_turn)
{
    snVec3 from, to, scale;
    snQuat qa, qb;
    snMatrix_Split(a, &from, &qa, &scale);
    snMatrix_Split(b, &to, &qb, &scale);
    snQuat d = snQMul(qb, snQConj(qa));
    double sign = d.w < 0 ? -1 : 1, turn = 2 * snAtan2(sign * d.y, sign * d.w);
    Travel t = {fabs(turn) < least_turn ? 0 : turn, {0, 0, 0}};
    snMatrix rotation = travelMatrix(t);
    t.move = snSub(to, snMatrix_Vector(&rotation, from));
    t.move.y = 0;
    return t;
}

// Loops ----------------------------------------------------------------------------

// A clip's ends
typedef struct Ends {
    const snRig* rig;
    const snRigMotion* clip;
    const snRigTrackDef* def;
    double size;
    snMatrix *first, *last; // the file's poses; (node_count)
    uint8_t* moves;         // 1: a channel changes; (node_count)
    uint8_t* matters;       // 1: something one sees hangs on it; (node_count)
    int32_t* carried;       // of those that matter, itself and below; (node_count)
    uint8_t* travels;       // (node_count)
    double distance, angle; // missed
    Travel travel;
} Ends;

static bool changes(const snRigChannel* c)
{
    for (int32_t i = 1; i < c->key_count; ++i) {
        for (int32_t k = 0; k < c->width; ++k) {
            bool cubic = c->interpolation == sn_interpolateCubic;
            const float* v = cubic ? c->values + c->width : c->values;
            if (v[k] != v[i * (cubic ? 3 : 1) * c->width + k]) {
                return true;
            }
        }
    }
    return false;
}

static void markNodes(Ends* e)
{
    const snRig* rig = e->rig;
    int32_t nodes = rig->info.node_count;
    for (int32_t i = 0; i < e->clip->info.channel_count; ++i) {
        const snRigChannel* c = &e->clip->channels[i];
        e->moves[c->node] |= c->path != sn_pathWeights && changes(c);
    }
    for (int32_t n = 0; n < nodes; ++n) {
        e->matters[n] = rig->info.joint_count + rig->info.mesh_count == 0 || rig->nodes[n].is_joint;
    }
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        if (rig->instances[i].info.skin < 0) {
            e->matters[rig->instances[i].info.node] = 1;
        }
    }
    for (int32_t n = nodes; n-- > 0;) {
        e->carried[n] += e->matters[n];
        if (rig->nodes[n].parent >= 0) {
            e->carried[rig->nodes[n].parent] += e->carried[n];
        }
    }
}

// By how much b misses t a: distance in sizes, angle, which counts what is missed of the scale too
static void missOf(const Ends* e, const snMatrix* t, int32_t n, double* distance, double* angle)
{
    snMatrix goal = snMatrix_Mul(t, &e->first[n]);
    snVec3 pa, pb, sa, sb;
    snQuat qa, qb;
    snMatrix_Split(&goal, &pa, &qa, &sa);
    snMatrix_Split(&e->last[n], &pb, &qb, &sb);
    double large = fmax(snLength(sa), snLength(sb));
    *distance = snLength(snSub(pb, pa)) / e->size;
    // what has shrunk to nothing has no orientation
    *angle = large > 0
                 ? fmax(snLength(snQLog(snQMul(snQConj(qa), qb))), snLength(snSub(sb, sa)) / large)
                 : 0;
}

// Does the clip loop with this travel? Keeps it if it fits better than what there was.
static bool tryTravel(Ends* e, Travel travel, uint8_t* travels)
{
    int32_t nodes = e->rig->info.node_count;
    snMatrix stay = snMatrix_Identity(), go = travelMatrix(travel);
    double worst_distance = 0, worst_angle = 0;
    for (int32_t n = 0; n < nodes; ++n) {
        int32_t parent = e->rig->nodes[n].parent;
        double distance, angle, there, turned;
        missOf(e, &stay, n, &distance, &angle);
        missOf(e, &go, n, &there, &turned);
        travels[n] = parent >= 0 && travels[parent];
        travels[n] |= e->moves[n] && there + turned < distance + angle;
        if (e->matters[n]) {
            worst_distance = fmax(worst_distance, travels[n] ? there : distance);
            worst_angle = fmax(worst_angle, travels[n] ? turned : angle);
        }
    }
    if (worst_distance < e->distance) {
        e->distance = worst_distance;
        e->angle = worst_angle;
        e->travel = travel;
        for (int32_t n = 0; n < nodes; ++n) {
            e->travels[n] = travels[n];
        }
    }
    return worst_distance <= e->def->loop_distance && worst_angle <= e->def->loop_angle;
}

// First without travel, then with that of each node that carries most of what one sees, from the
// root on.
static bool findLoop(Ends* e, uint8_t* travels)
{
    int32_t nodes = e->rig->info.node_count, all = 0;
    e->distance = HUGE_VAL;
    for (int32_t n = 0; n < nodes; ++n) {
        all += e->matters[n];
    }
    bool found = tryTravel(e, (Travel){0, {0, 0, 0}}, travels);
    for (int32_t n = 0; n < nodes && !found; ++n) {
        if (e->moves[n] && 2 * e->carried[n] > all) {
            Travel t = travelOf(&e->first[n], &e->last[n], e->def->loop_angle);
            found = tryTravel(e, t, travels);
        }
    }
    return found;
}

// Curves ---------------------------------------------------------------------------

// The travel as a channel of a node whose parent stays behind sees it
static snCurveMap mapFor(const Ends* e, int32_t node, Travel travel)
{
    int32_t parent = e->rig->nodes[node].parent;
    if (!e->travels[node] || (parent >= 0 && e->travels[parent])) {
        return (snCurveMap){snMat3_Identity(), {0, 0, 0}, snQIdentity()};
    }
    snMatrix P = parent >= 0 ? e->first[parent] : snMatrix_Identity();
    return snCurveMap_Seen(&P, travel.turn, travel.move);
}

static snCurveSpan spanOf(const Ends* e, const snRigTrack* track, int32_t node)
{
    int32_t parent = e->rig->nodes[node].parent;
    double scale = 1;
    if (parent >= 0) {
        const snMatrix* P = &e->first[parent];
        scale = (snLength(P->x) + snLength(P->y) + snLength(P->z)) / 3;
    }
    Travel back = repeat(e->travel, -1);
    return (snCurveSpan){.first = track->first,
                         .last = track->last,
                         .size = e->size / fmax(scale, 1e-12),
                         .loops = track->is_loop,
                         .on = mapFor(e, node, e->travel),
                         .back = mapFor(e, node, back)};
}

static int rising(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void listCuts(snArena* arena, snRigTrack* track)
{
    size_t count = 0, kept = 0;
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
    qsort(cuts, count, sizeof *cuts, rising);
    for (size_t i = 0; i < count; ++i) {
        if (i == 0 || cuts[i] > cuts[i - 1]) {
            cuts[kept++] = cuts[i];
        }
    }
    track->cuts = cuts;
    track->cut_count = (int32_t)kept;
}

static snStatus makeCurves(snArena* arena, const Ends* e, snRigTrack* track, snMessage* why)
{
    const snRigMotion* clip = e->clip;
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
        snCurveSpan span = spanOf(e, track, c->node);
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

static snStatus make(snArena* arena, snArena* scratch, Ends* e, snRigTrack* out, snMessage* why)
{
    size_t nodes = (size_t)e->rig->info.node_count;
    e->first = snArena_Push(scratch, nodes, sizeof *e->first);
    e->last = snArena_Push(scratch, nodes, sizeof *e->last);
    e->moves = snArena_Push(scratch, nodes, 1);
    e->matters = snArena_Push(scratch, nodes, 1);
    e->carried = snArena_Push(scratch, nodes, sizeof *e->carried);
    uint8_t* travels = snArena_Push(scratch, nodes, 1);
    out->travels = e->travels = snArena_Push(arena, nodes, 1);
    if (scratch->failed || !e->travels) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snRigMotion_World(e->rig, NULL, 0, e->first, NULL);
    out->size = e->size = sizeOf(e->rig, e->first);
    snRigMotion_World(e->rig, e->clip, out->first, e->first, NULL);
    snRigMotion_World(e->rig, e->clip, out->last, e->last, NULL);
    markNodes(e);
    bool loops = findLoop(e, travels);
    out->seam_distance = e->distance;
    out->seam_angle = e->angle;
    out->is_loop = loops && !e->def->never_loops && out->last > out->first;
    snStatus status = makeCurves(arena, e, out, why);
    out->is_loop = out->is_loop && !out->is_constant;
    if (out->is_loop) {
        out->travel = e->travel.move;
        out->turn = e->travel.turn;
    }
    if (!status) {
        listCuts(arena, out);
        status = arena->failed ? snFail(why, sn_errorMemory, "out of memory") : sn_ok;
    }
    return status;
}

snStatus snRigTrack_Of(snArena* arena, const snRig* rig, const snRigMotion* clip,
                       const snRigTrackDef* def, snRigTrack* out, snMessage* why)
{
    snRigTrackDef usual;
    snArena scratch;
    snRigTrackDef_Init(&usual);
    snArena_Init(&scratch, &arena->host);
    Ends ends = {.rig = rig, .clip = clip, .def = def ? def : &usual};
    *out =
        (snRigTrack){.rig = rig, .clip = clip, .first = clip->info.first, .last = clip->info.last};
    snStatus status = make(arena, &scratch, &ends, out, why);
    snArena_Free(&scratch);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}

snStatus snRigTrack_Make(snArena* arena, const snRig* rig, int32_t clip, const snRigTrackDef* def,
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
static void carry(const snRigTrack* track, double loops, snMatrix* nodes, snMatrix* rates)
{
    if (loops == 0 || (track->turn == 0 && snLengthSq(track->travel) == 0)) {
        return;
    }
    snMatrix go = travelMatrix(repeat((Travel){track->turn, track->travel}, loops));
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
    double length = track->last - track->first, loops = 0;
    if (track->is_loop) {
        loops = floor((time - track->first) / length);
        time -= loops * length;
        time = fmin(fmax(time, track->first), track->last);
        if (before && time <= track->first) {
            loops -= 1;
            time = track->last;
        }
    }
    place(track, time, before, nodes, rates);
    carry(track, loops, nodes, rates);
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
    double length = track->last - track->first, loops = 0;
    if (track->is_loop) { // its end is the clip's last key, not the next round's first
        loops = fmax(0, ceil((time - track->first) / length - 1e-6) - 1);
        time = fmin(time - loops * length, track->last);
    }
    snRigMotion_World(track->rig, track->clip, time, nodes, weights);
    if (nodes) {
        carry(track, loops, nodes, NULL);
    }
}
