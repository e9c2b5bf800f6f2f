// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/loop.h"

#include <string.h>

#include "rig/pose.h"

// Share of what one sees that must close: a leg may stray, which is cut at the seam.
#define MOST_SEEN 0.85

// By which the step from the last pose to the first may differ from the one before it, in parts of
// the largest of BESIDE steps at each end: cycles made by hand are not even
#define BESIDE 2
#define UNEVEN 1.5

// By which going on by a step may fit worse than standing still, where that is no loop either
#define UNLIKE 3.0

// Travel --------------------------------------------------------------------------

snMatrix snTravel_Matrix(snTravel t)
{
    return snMatrix_FromParts(t.move, snQFromAxisAngle(snV3(0, 1, 0), t.turn), snV3(1, 1, 1));
}

// R^n x + (I - R^n) c, with c that stays where it is: (I - R) c = move
snTravel snTravel_Repeat(snTravel t, double n)
{
    if (t.turn == 0) {
        return (snTravel){0, snScale(n, t.move)};
    }
    double s, c;
    snSinCos(t.turn, &s, &c);
    double k = 1 / (2 * (1 - c)), a = 1 - c;
    snVec3 still = snScale(k, snV3(a * t.move.x + s * t.move.z, 0, a * t.move.z - s * t.move.x));
    snSinCos(n * t.turn, &s, &c);
    return (snTravel){n * t.turn,
                      snV3((1 - c) * still.x - s * still.z, 0, (1 - c) * still.z + s * still.x)};
}

// What a node does along the ground and about the vertical from a to b
static snTravel travelOf(const snMatrix* a, const snMatrix* b, double least_turn)
{
    snVec3 from, to, scale;
    snQuat qa, qb;
    snMatrix_Split(a, &from, &qa, &scale);
    snMatrix_Split(b, &to, &qb, &scale);
    snQuat d = snQMul(qb, snQConj(qa));
    double sign = d.w < 0 ? -1 : 1, turn = 2 * snAtan2(sign * d.y, sign * d.w);
    snTravel t = {fabs(turn) < least_turn ? 0 : turn, {0, 0, 0}};
    snMatrix rotation = snTravel_Matrix(t);
    t.move = snSub(to, snMatrix_Vector(&rotation, from));
    t.move.y = 0;
    return t;
}

// Loops ----------------------------------------------------------------------------

// A clip's ends
typedef struct Ends {
    const snRig* rig;
    const snRigClipData* clip;
    const snRigTrackDef* def;
    snRigLoop* out;
    snMatrix* last;       // the pose that is to be the first again; (node_count)
    double *far, *turned; // by which nodes may miss it; (node_count)
    uint8_t* moves;       // 1: a channel changes; (node_count)
    double* seen;         // part of what one sees that hangs on it; (node_count)
    double* carried;      // itself and below; (node_count)
    uint8_t* travels;     // of the travel that is tried; (node_count)
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

// Vertices that hang on each node
static void countSeen(Ends* e)
{
    const snRig* rig = e->rig;
    double all = 0;
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigInstance* instance = &rig->instances[i];
        const snRigShape* shape = instance->shape;
        int32_t skin = instance->info.skin;
        bool skinned = skin >= 0 && shape->first;
        for (int32_t k = 0; skinned && k < shape->first[shape->vertex_count]; ++k) {
            e->seen[rig->skins[skin].joints[shape->joint[k]]] += (double)shape->weight[k];
        }
        e->seen[instance->info.node] += skinned ? 0 : shape->vertex_count;
        all += shape->vertex_count;
    }
    for (int32_t n = 0; n < rig->info.node_count && all == 0; ++n) {
        e->seen[n] = rig->info.joint_count == 0 || rig->nodes[n].is_joint;
    }
}

static void markNodes(Ends* e)
{
    const snRig* rig = e->rig;
    for (int32_t i = 0; i < e->clip->info.channel_count; ++i) {
        const snRigChannel* c = &e->clip->channels[i];
        e->moves[c->node] |= c->path != sn_pathWeights && changes(c);
    }
    countSeen(e);
    for (int32_t n = rig->info.node_count; n-- > 0;) {
        e->carried[n] += e->seen[n];
        if (rig->nodes[n].parent >= 0) {
            e->carried[rig->nodes[n].parent] += e->carried[n];
        }
    }
}

// How far a is from b: distance in sizes, angle, which counts the change of scale too
static void apart(const snMatrix* a, const snMatrix* b, double size, double* distance,
                  double* angle)
{
    snVec3 pa, pb, sa, sb;
    snQuat qa, qb;
    snMatrix_Split(a, &pa, &qa, &sa);
    snMatrix_Split(b, &pb, &qb, &sb);
    double large = fmax(snLength(sa), snLength(sb));
    *distance = snLength(snSub(pb, pa)) / size;
    // what has shrunk to nothing has no orientation
    *angle = large > 0
                 ? fmax(snLength(snQLog(snQMul(snQConj(qa), qb))), snLength(snSub(sb, sa)) / large)
                 : 0;
}

// Does the clip loop with this travel? Keeps it if it does, or misses less than what there was.
static bool tryTravel(Ends* e, snTravel travel)
{
    int32_t nodes = e->rig->info.node_count, worst = -1;
    snRigLoop* out = e->out;
    snMatrix go = snTravel_Matrix(travel);
    double far = 0, turned = 0, most = 0, all = 0, closed = 0, sum = 0;
    for (int32_t n = 0; n < nodes; ++n) {
        int32_t parent = e->rig->nodes[n].parent;
        double distance, angle, there, angle_there;
        snMatrix goal = snMatrix_Mul(&go, &out->first[n]);
        apart(&out->first[n], &e->last[n], out->size, &distance, &angle);
        apart(&goal, &e->last[n], out->size, &there, &angle_there);
        e->travels[n] = parent >= 0 && e->travels[parent];
        e->travels[n] |= e->moves[n] && there + angle_there < distance + angle;
        distance = e->travels[n] ? there : distance;
        angle = e->travels[n] ? angle_there : angle;
        if (e->seen[n] > 0) {
            double miss = fmax(distance / e->far[n], angle / e->turned[n]);
            worst = miss > most ? n : worst;
            most = fmax(most, miss);
            far = fmax(far, distance), turned = fmax(turned, angle);
            all += e->seen[n];
            sum += e->seen[n] * (distance + angle);
            closed += miss <= 1 ? e->seen[n] : 0;
        }
    }
    bool found = closed >= MOST_SEEN * all;
    if (found || sum < out->mean * all) {
        out->distance = far, out->angle = turned;
        out->mean = sum / all;
        out->node = worst;
        out->has_strays = most > 1;
        out->travel = travel;
        for (int32_t n = 0; n < nodes; ++n) {
            out->travels[n] = e->travels[n];
        }
    }
    return found;
}

// First without travel, then with that of each node that carries most of what one sees, from the
// root on.
static bool tryTravels(Ends* e)
{
    int32_t nodes = e->rig->info.node_count;
    double all = 0;
    for (int32_t n = 0; n < nodes; ++n) {
        all += e->seen[n];
    }
    bool found = tryTravel(e, (snTravel){0, {0, 0, 0}});
    for (int32_t n = 0; n < nodes && !found; ++n) {
        if (e->moves[n] && 2 * e->carried[n] > all) {
            found = tryTravel(e, travelOf(&e->out->first[n], &e->last[n], e->def->loop_angle));
        }
    }
    return found;
}

// Between the last two keys of the channel that has most, s; 0 if they are too sparse to tell
static double stepOf(const snRigClipData* clip)
{
    const snRigChannel* c = clip->info.channel_count > 0 ? clip->channels : NULL;
    for (int32_t i = 0; i < clip->info.channel_count; ++i) {
        c = clip->channels[i].key_count > c->key_count ? &clip->channels[i] : c;
    }
    if (!c || c->key_count < 4) {
        return 0;
    }
    double step = (double)c->times[c->key_count - 1] - (double)c->times[c->key_count - 2];
    return step <= SN_CURVE_SPARSE && step >= SN_LOOP_SHORTEST ? step : 0;
}

// Lets nodes miss what they move from a time on
static void allow(Ends* e, snMatrix* poses[2], double time, double step)
{
    double far, turned;
    snRigClipData_World(e->rig, e->clip, time, poses[0], NULL);
    snRigClipData_World(e->rig, e->clip, time + step, poses[1], NULL);
    for (int32_t n = 0; n < e->rig->info.node_count; ++n) {
        apart(&poses[0][n], &poses[1][n], e->out->size, &far, &turned);
        e->far[n] = fmax(e->far[n], e->def->loop_distance + UNEVEN * far);
        e->turned[n] = fmax(e->turned[n], e->def->loop_angle + UNEVEN * turned);
    }
}

// The last pose, moved on by a step as it moved in the one before it. It may miss the first one by
// a part of what nodes move in a step there.
static void goOn(Ends* e, snMatrix* poses[2], double step)
{
    const snRigClip* info = &e->clip->info;
    for (int i = 0; i < BESIDE; ++i) {
        allow(e, poses, info->first + i * step, step);
        allow(e, poses, info->last - i * step, -step);
    }
    snRigClipData_World(e->rig, e->clip, info->last - step, poses[0], NULL);
    for (int32_t n = 0; n < e->rig->info.node_count; ++n) {
        snVec3 p, q, s, r;
        snQuat a, b;
        snMatrix_Split(&poses[0][n], &p, &a, &s);
        snMatrix_Split(&e->last[n], &q, &b, &r);
        e->last[n] =
            snMatrix_FromParts(snMulAdd(q, 1, snSub(q, p)), snQMul(snQMul(b, snQConj(a)), b), r);
    }
}

bool snRigLoop_Find(snArena* scratch, const snRig* rig, const snRigClipData* clip,
                    const snRigTrackDef* def, snRigLoop* out)
{
    size_t nodes = (size_t)rig->info.node_count;
    double step = stepOf(clip);
    Ends e = {.rig = rig, .clip = clip, .def = def, .out = out};
    snMatrix* poses[2] = {snArena_Push(scratch, nodes, sizeof(snMatrix)),
                          snArena_Push(scratch, nodes, sizeof(snMatrix))};
    e.last = snArena_Push(scratch, nodes, sizeof *e.last);
    e.far = snArena_Push(scratch, nodes, sizeof *e.far);
    e.turned = snArena_Push(scratch, nodes, sizeof *e.turned);
    e.moves = snArena_Push(scratch, nodes, 1);
    e.seen = snArena_Push(scratch, nodes, sizeof *e.seen);
    e.carried = snArena_Push(scratch, nodes, sizeof *e.carried);
    e.travels = snArena_Push(scratch, nodes, 1);
    uint8_t* travels = snArena_Push(scratch, nodes, 1);
    if (scratch->failed) {
        return false;
    }
    snRigClipData_World(rig, clip, clip->info.last, e.last, NULL);
    markNodes(&e);
    for (size_t n = 0; n < nodes; ++n) {
        e.far[n] = def->loop_distance, e.turned[n] = def->loop_angle;
    }
    out->mean = HUGE_VAL;
    out->is_found = tryTravels(&e);
    if (step > 0 && (!out->is_found || out->has_strays)) {
        snRigLoop open = {
            .first = out->first, .travels = travels, .size = out->size, .mean = HUGE_VAL};
        e.out = &open;
        goOn(&e, poses, step);
        open.is_found = tryTravels(&e);
        if (open.is_found && open.mean < (out->is_found ? 1 : UNLIKE) * out->mean) {
            memcpy(out->travels, travels, nodes);
            open.travels = out->travels;
            open.gap = step;
            *out = open;
        }
    }
    return true;
}
