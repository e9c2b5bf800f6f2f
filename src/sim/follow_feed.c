// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a host does to flesh while it runs: feeds poses, teleports, moves the world, pushes.

#include "sim/follow_state.h"
#include <string.h>

// Flesh that goes less far in a step, in sizes, does not move: ten times what rounding of floats
// keeps going. What is nearer to its skinned place than this part of the size is there.
#define SLOW 1e-6
#define NEAR 2e-5

// Longest time that may pass at once, s; a frame that is short of this part of itself is due
#define MOST_TIME 3600
#define SAME_TIME 1e-9

// Poses ----------------------------------------------------------------------------

static bool isFinite(snVec3 v)
{
    return fabs(v.x) <= SN_RIG_LARGEST && fabs(v.y) <= SN_RIG_LARGEST &&
           fabs(v.z) <= SN_RIG_LARGEST;
}

// Clips hide limbs by joints of no size; what is left of a body whose joints all are is nothing.
static snStatus checkSize(const snRig* rig, const snMatrix* nodes, snMessage* why)
{
    int32_t flat = -1;
    bool ok = false;
    for (int32_t n = 0; n < rig->info.node_count && !ok; ++n) {
        if (rig->info.joint_count == 0 || rig->nodes[n].is_joint) {
            (void)snMatrix_Inverse(&nodes[n], &ok);
            flat = flat < 0 && !ok ? n : flat;
        }
    }
    return ok || flat < 0
               ? sn_ok
               : snFail(why, sn_errorArgument,
                        "the matrix of joint '%.60s' is singular, and so are those of all others: "
                        "give where joints are in the world, not scaled to nothing",
                        rig->nodes[flat].name);
}

static snStatus checkPose(const snRig* rig, const snMatrix* nodes, const double* weights,
                          snMessage* why)
{
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        const snMatrix* m = &nodes[n];
        if (!isFinite(m->x) || !isFinite(m->y) || !isFinite(m->z) || !isFinite(m->p)) {
            return snFail(why, sn_errorArgument, "the pose of node %d ('%.60s') is not finite",
                          (int)n, rig->nodes[n].name);
        }
    }
    for (int32_t k = 0; weights && k < rig->info.weight_count; ++k) {
        if (!(fabs(weights[k]) <= SN_RIG_LARGEST)) {
            return snFail(why, sn_errorArgument, "morph weight %d is not finite", (int)k);
        }
    }
    return checkSize(rig, nodes, why);
}

static snStatus checkFed(const snFollow* follow, snMessage* why)
{
    if (!follow) {
        return snFail(why, sn_errorArgument, "there is no follow");
    }
    return !follow->drive.track ? sn_ok
                                : snFail(why, sn_errorArgument,
                                         "a clip moves it; with snFollowDef.clip = -1 poses are "
                                         "fed");
}

snStatus snFollow_SetPose(snFollow* follow, const snMatrix* nodes, const double* weights,
                          snMessage* why)
{
    snStatus status = checkFed(follow, why);
    if (!status && !nodes) {
        (void)snFail(why, sn_errorArgument, "matrices of all nodes are needed");
        return sn_errorArgument; // so that the analyser sees it
    }
    status = status ? status : checkPose(follow->body->rig, nodes, weights, why);
    if (!status) {
        const snRig* rig = follow->body->rig;
        snFollowStream* stream = &follow->stream;
        memcpy(stream->next, nodes, (size_t)rig->info.node_count * sizeof *nodes);
        for (int32_t i = 0; i < rig->info.weight_count; ++i) {
            stream->next_weights[i] = (weights ? weights : rig->weights)[i];
        }
        stream->head->has_next = 1;
        snMessage_Clear(why);
    }
    return status;
}

snStatus snFollow_Teleport(snFollow* follow, snMessage* why)
{
    snStatus status = checkFed(follow, why);
    if (!status) {
        follow->stream.head->is_cut = 1;
        snMessage_Clear(why);
    }
    return status;
}

snStatus snFollow_Shift(snFollow* follow, snVec3 by, snMessage* why)
{
    snStatus status = checkFed(follow, why);
    if (!status && !isFinite(by)) {
        status = snFail(why, sn_errorArgument, "the shift is not finite");
    }
    if (!status) {
        snFollowStream_Shift(&follow->stream, by);
        follow->head->lift += follow->body->unit * by.y;
        snFollowSolids_Shift(&follow->head->solids, snScale(follow->body->unit, by));
        follow->is_shown = false;
        snFollow_Jump(follow);
        snMessage_Clear(why);
    }
    return status;
}

// Frames ---------------------------------------------------------------------------

static bool isAsleep(const snFollow* s)
{
    return s->head->still >= s->drowsy;
}

void snFollow_Wake(snFollow* s)
{
    if (!s->drive.track && isAsleep(s)) { // the drive has not seen what went on
        snFollow_Jump(s);
    }
    s->head->still = 0;
}

static bool isSlow(const snFollow* s)
{
    double most = SLOW * s->body->size / s->h;
    float square = (float)(most * most);
    bool slow = true;
    for (int32_t i = 0; i < s->body->tets.node_count; ++i) {
        snVec4f w = s->w[i];
        slow &= w.x * w.x + w.y * w.y + w.z * w.z <= square;
    }
    return slow;
}

// Without sag what is left is put right: one sees plain skinning.
static void fallAsleep(snFollow* s)
{
    const snBodyDef* def = &s->body->def;
    double most = NEAR * s->body->size;
    float square = (float)(most * most);
    size_t bytes = (size_t)s->body->tets.node_count * sizeof *s->u;
    bool near = def->gravity == 0 && def->shape == 0;
    for (int32_t i = 0; i < s->body->tets.node_count; ++i) {
        snVec4f u = s->u[i];
        near &= u.x * u.x + u.y * u.y + u.z * u.z <= square;
    }
    if (near) {
        memset(s->u, 0, bytes);
    }
    memset(s->w, 0, bytes);
}

// Neither poses nor obstacles move, and no function may say something else at any time.
static bool isStill(const snFollow* s)
{
    return snFollowStream_IsStill(&s->stream) && !snFollowSolids_Move(&s->head->solids) &&
           !snForces_HasCall(&s->forces);
}

bool snFollow_BeginFed(snFollow* s)
{
    snFollowStream* stream = &s->stream;
    snFollowHead* head = s->head;
    snFollowStream_Begin(stream);
    bool still = isStill(s);
    if (isAsleep(s) && still) {
        s->is_shown = !snFollowStream_End(stream) && s->is_shown;
        head->tick += s->ticks;
        ++head->frames;
        return false;
    }
    if (isAsleep(s)) { // the drive has not seen what went on
        snFollow_Jump(s);
    }
    head->still = still ? head->still : 0;
    if (snFollowStream_IsCut(stream)) {
        snFollowStream_Cut(stream);
        snFollowDrive_Cut(&s->drive, s->tasks);
        snFollow_CrossCut(s);
        snFollow_Jump(s);
    }
    return true;
}

void snFollow_EndFed(snFollow* s)
{
    snFollowHead* head = s->head;
    bool still = isStill(s) && isSlow(s);
    snFollowStream_End(&s->stream);
    head->still = still ? head->still + 1 : 0;
    if (isAsleep(s)) {
        fallAsleep(s);
    }
}

snStatus snFollow_AdvanceWithin(snFollow* follow, double dt, int64_t steps, double* dropped,
                                snMessage* why)
{
    if (!follow || !(dt >= 0 && dt <= MOST_TIME) || steps < 1) {
        return snFail(why, sn_errorArgument, "a follow, a time in 0..%d s and a step are needed",
                      MOST_TIME);
    }
    snFollowHead* head = follow->head;
    snFollowStream* stream = &follow->stream;
    const double frame = follow->ticks * follow->drive.interval;
    const int64_t usual = (int64_t)follow->ticks * follow->steps;
    const int64_t due = (int64_t)floor((head->due + dt) / frame + SAME_TIME);
    int64_t count = due > (steps > usual ? steps / usual : 1) ? 1 : due;
    double lost = frame * (double)(due - count);
    bool fed = !follow->drive.track && stream->head->has_next;
    head->due = fmax(0, head->due + dt - frame * (double)due);
    head->dropped += lost;
    if (fed && due > count) {
        stream->head->is_cut = 1;
    }
    if (dropped) {
        *dropped = lost;
    }
    bool spread = fed && count > 1 && !stream->head->is_cut;
    if (spread) {
        snFollowStream_CopyNext(stream, follow->goal, follow->goal_weights);
    }
    snStatus status = sn_ok;
    follow->spare = steps > count * usual ? steps - count * usual : 0;
    snMessage_Clear(why);
    for (int64_t left = count; left > 0; --left) {
        if (spread) {
            snFollowStream_Toward(stream, follow->goal, follow->goal_weights, 1 / (double)left);
        }
        snStatus one = snFollow_Advance(follow, status ? NULL : why);
        status = status ? status : one;
    }
    follow->spare = INT64_MAX;
    return status;
}

// Pushes ---------------------------------------------------------------------------

// Where a node of the flesh is, m
static snVec3 placeOf(const snFollow* s, int32_t i)
{
    const snNodeWeights* w = &s->body->weights[i];
    snVec3 X = s->body->tets.position[i], T = snV3(0, 0, 0);
    double sum = 0;
    for (int k = 0; k < SN_WEIGHTS_MOST && w->joint[k] >= 0; ++k) {
        snMatrix map = snMatrix_Mul(&s->drive.nodes[s->body->joint[w->joint[k]]],
                                    &s->body->inverse[w->joint[k]]);
        T = snMulAdd(T, (double)w->weight[k], snMatrix_Point(&map, X));
        sum += (double)w->weight[k];
    }
    T = snScale(s->body->unit / sum, T);
    return snAdd(T, snV3((double)s->u[i].x, (double)s->u[i].y, (double)s->u[i].z));
}

snStatus snFollow_Push(snFollow* follow, snVec3 place, snVec3 velocity, double radius,
                       snMessage* why)
{
    if (!follow || !isFinite(place) || !isFinite(velocity) ||
        !(radius > 0 && radius <= SN_RIG_LARGEST)) {
        return snFail(why, sn_errorArgument,
                      "a follow, a finite place and velocity, and a radius above 0 are needed");
    }
    double unit = follow->body->unit, r = unit * radius;
    snVec3 centre = snScale(unit, place), v = snScale(unit, velocity);
    snStatus status = snFollow_Pose(follow, follow->drive.nodes, NULL, why); // its scratch
    for (int32_t i = 0; i < follow->body->tets.node_count && !status; ++i) {
        if (follow->inverse_mass[i] > 0) {
            double d = snLengthSq(snSub(placeOf(follow, i), centre)) / (r * r);
            double k = d < 1 ? (1 - d) * (1 - d) : 0;
            follow->w[i].x += (float)(k * v.x);
            follow->w[i].y += (float)(k * v.y);
            follow->w[i].z += (float)(k * v.z);
        }
    }
    snFollow_Wake(follow);
    return status;
}

// Vertices -------------------------------------------------------------------------

snStatus snFollow_Displacements(const snFollow* follow, float* out, snMessage* why)
{
    if (!follow || !out || !follow->owner) {
        return snFail(why, sn_errorArgument, "a follow and a place for the result are needed");
    }
    const snRigBody* body = follow->body;
    const float k = (float)(1 / body->unit);
    const snBody* owner = follow->owner;
    int32_t nodes = owner->table_node_count;
    for (int32_t i = 0; i < nodes; ++i) {
        const snVec4f* u = &follow->u[owner->table_nodes[i]];
        float* to = out + 4 * (size_t)i;
        to[0] = k * u->x, to[1] = k * u->y, to[2] = k * u->z, to[3] = 0;
    }
    for (int32_t r = 0; r < body->rider_count; ++r) {
        snRigBody_RiderOffset(body, r, follow->u, out + 4 * (size_t)(nodes + r));
    }
    snMessage_Clear(why);
    return sn_ok;
}
