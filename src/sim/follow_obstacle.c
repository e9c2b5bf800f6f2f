// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/follow_obstacle.h"

#include "base/message.h"
#include "contact/shape.h"
#include "math/transform.h"
#include "sim/follow_state.h"

// Vertices share nodes: they are put out in turns, so often.
#define SWEEPS 4

// Vertices that hang on free nodes by less than this part of their weight are held: a solid would
// throw those nodes far to put such a vertex out.
#define FREE 0.3

// What is there -------------------------------------------------------------------

snStatus snFollowContact_Build(snFollowContact* contact, snArena* arena, const snFollowSkin* skin,
                               snMessage* why)
{
    size_t count = (size_t)skin->vertex_count;
    contact->begin = snArena_Push(arena, count, sizeof *contact->begin);
    contact->end = snArena_Push(arena, count, sizeof *contact->end);
    return arena->failed ? snFail(why, sn_errorMemory, "no memory for obstacles") : sn_ok;
}

void snFollowContact_Update(snFollowContact* contact, const snFollowSkin* skin, bool jumped)
{
    snVec3* was = contact->begin;
    contact->begin = contact->end;
    contact->end = was;
    for (int32_t i = 0; i < skin->vertex_count; ++i) {
        contact->end[i] = snFollowSkin_At(skin, i);
        contact->begin[i] = jumped ? contact->end[i] : contact->begin[i];
    }
}

bool snFollowSolids_Move(const snFollowSolids* solids)
{
    bool move = false;
    for (int32_t i = 0; i < solids->count; ++i) {
        const snFollowSolid* o = &solids->of[i];
        snQuat a = o->from.q, b = o->to.q;
        move |= snLengthSq(snSub(o->to.p, o->from.p)) > 0;
        move |= a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w;
    }
    return move;
}

void snFollowSolids_End(snFollowSolids* solids)
{
    solids->tick = 0;
    for (int32_t i = 0; i < solids->count; ++i) {
        solids->of[i].from = solids->of[i].to;
    }
}

void snFollowSolids_Shift(snFollowSolids* solids, snVec3 by)
{
    for (int32_t i = 0; i < solids->count; ++i) {
        snFollowSolid* o = &solids->of[i];
        o->from.p = snAdd(o->from.p, by);
        o->to.p = snAdd(o->to.p, by);
    }
}

static snFollowSolid solidOf(const snShapeDef* def, double unit)
{
    snTransform at = {snScale(unit, def->pose.p), snQNormalize(def->pose.q)};
    return (snFollowSolid){.kind = def->kind,
                           .from = at,
                           .to = at,
                           .half = snScale(unit, def->half),
                           .radius = unit * def->radius,
                           .half_length = unit * def->half_length};
}

static snStatus checkShape(const snShapeDef* def, int32_t index, double unit, snMessage* why)
{
    snShape made;
    snFollowSolid o = solidOf(def, unit);
    snShapeDef metres = *def;
    metres.pose.p = o.to.p;
    metres.half = o.half;
    metres.radius = o.radius;
    metres.half_length = o.half_length;
    if (def->kind == sn_shapeMesh) {
        return snFail(why, sn_errorUnsupported,
                      "obstacle %d is a mesh: take boxes, spheres and capsules", (int)index);
    }
    snStatus status = snShape_Build(NULL, &metres, &made, why); // only meshes take memory
    if (status) {
        snMessage_Prefix(why, "obstacle %d", (int)index);
    }
    return status;
}

static snStatus checkShapes(const snFollow* follow, const snShapeDef* shapes, int32_t count,
                            snMessage* why)
{
    snMessage_Clear(why);
    if (!follow || count < 0 || count > SN_FOLLOW_SOLIDS || (count > 0 && !shapes)) {
        return snFail(why, sn_errorArgument, "a follow and 0 to %d shapes are needed",
                      SN_FOLLOW_SOLIDS);
    }
    snStatus status = sn_ok;
    for (int32_t i = 0; i < count && !status; ++i) {
        status = checkShape(&shapes[i], i, follow->body->unit, why);
    }
    return status;
}

snStatus snFollow_SetObstacles(snFollow* follow, const snShapeDef* shapes, int32_t count,
                               snMessage* why)
{
    snStatus status = checkShapes(follow, shapes, count, why);
    status = status ? status : snFollow_BuildContact(follow, why);
    if (status) {
        return status;
    }
    snFollowSolids* solids = &follow->head->solids;
    bool same = solids->count == count, none = solids->count == 0;
    for (int32_t i = 0; i < count && same; ++i) {
        same = solids->of[i].kind == shapes[i].kind;
    }
    for (int32_t i = 0; i < count; ++i) {
        snFollowSolid o = solidOf(&shapes[i], follow->body->unit);
        snVec3 way = snSub(o.to.p, solids->of[i].from.p);
        bool near = same && snLength(way) < follow->body->size;
        o.from = near ? solids->of[i].from : o.from;
        solids->of[i] = o;
    }
    solids->count = count;
    if (none && count > 0) { // vertices have not been looked at
        snFollow_Jump(follow);
    }
    if (!same || snFollowSolids_Move(solids)) {
        snFollow_Wake(follow);
    }
    return sn_ok;
}

// Touching --------------------------------------------------------------------------

// A solid at an instant
typedef struct Solid {
    snShape shape;
    double bound; // radius of a ball about its place, m
    const snFollowSolid* of;
} Solid;

static Solid solidAt(const snFollowSolid* o, double part)
{
    Solid solid = {.of = o};
    snQuat q = snQSlerp(o->from.q, o->to.q, part);
    solid.shape = (snShape){.kind = o->kind,
                            .p = snMulAdd(o->from.p, part, snSub(o->to.p, o->from.p)),
                            .R = snMatFromQ(q),
                            .half = o->half,
                            .radius = o->radius,
                            .half_length = o->kind == sn_shapeCapsule ? o->half_length : 0};
    solid.bound = o->kind == sn_shapeBox ? snLength(o->half) : o->radius + solid.shape.half_length;
    return solid;
}

// How fast a place of it goes, m/s
static snVec3 velocityOf(const Solid* solid, snVec3 place, double frame)
{
    snVec3 r = snMatTVec(solid->shape.R, snSub(place, solid->shape.p));
    snVec3 way = snSub(snTPoint(solid->of->to, r), snTPoint(solid->of->from, r));
    return snScale(1 / frame, way);
}

// A vertex and what it hangs on
typedef struct Vertex {
    const snTie* tie;
    snVec3 target, rate; // as skinning has it, m, m/s
    double ease;         // sum of w^2 / m, 1/kg; 0: it is held
} Vertex;

static snVec3 blendOf(const snTie* tie, const snVec4f* of)
{
    snVec3 sum = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        const snVec4f* v = &of[tie->node[k]];
        sum = snMulAdd(sum, (double)tie->weight[k], snV3((double)v->x, (double)v->y, (double)v->z));
    }
    return sum;
}

static void moveNodes(snFollow* s, const Vertex* v, snVec3 by, snVec4f* of)
{
    for (int k = 0; k < 4; ++k) {
        int32_t node = v->tie->node[k];
        double part = (double)v->tie->weight[k] * (double)s->inverse_mass[node] / v->ease;
        of[node].x += (float)(part * by.x);
        of[node].y += (float)(part * by.y);
        of[node].z += (float)(part * by.z);
    }
}

static void pressOut(snFollow* s, const Vertex* v, const Solid* solid, float part)
{
    snVec3 n, x = snAdd(v->target, blendOf(v->tie, s->u));
    double depth, frame = s->ticks * s->drive.interval;
    if (snLengthSq(snSub(x, solid->shape.p)) > solid->bound * solid->bound ||
        !snShape_Inside(&solid->shape, x, &n, &depth)) {
        return;
    }
    moveNodes(s, v, snScale(depth, n), s->u);
    snVec3 speed = snSub(snAdd(v->rate, blendOf(v->tie, s->w)), velocityOf(solid, x, frame));
    double in = -snDot(speed, n);
    if (in > 0) {
        snVec3 along = snMulAdd(speed, in, n);
        double slip = snLength(along), most = SN_GROUND_FRICTION * in;
        double lost = slip > most ? most / slip : 1;
        moveNodes(s, v, snSub(snScale(in, n), snScale(lost, along)), s->w);
    }
    for (int k = 0; k < 4; ++k) {
        snFollow_Limit(s, v->tie->node[k], part);
    }
}

void snFollow_ProjectObstacles(snFollow* s, float part)
{
    const snFollowSolids* solids = &s->head->solids;
    const snFollowContact* contact = &s->contact;
    Solid now[SN_FOLLOW_SOLIDS];
    for (int32_t i = 0; i < solids->count; ++i) {
        now[i] = solidAt(&solids->of[i], (solids->tick + (double)part) / s->ticks);
    }
    const int32_t count = solids->count > 0 ? s->skin.vertex_count : 0;
    for (int32_t turn = 0; turn < SWEEPS * count; ++turn) {
        const int32_t i = turn % count;
        snVec3 way = snSub(contact->end[i], contact->begin[i]);
        Vertex v = {.tie = snFollowSkin_Tie(&s->skin, i),
                    .target = snMulAdd(contact->begin[i], (double)part, way),
                    .rate = snScale(1 / s->drive.interval, way)};
        double loose = 0;
        for (int k = 0; k < 4; ++k) {
            double w = (double)v.tie->weight[k], ease = (double)s->inverse_mass[v.tie->node[k]];
            v.ease += w * w * ease;
            loose += ease > 0 ? w : 0;
        }
        for (int32_t k = 0; k < solids->count && loose >= FREE; ++k) {
            pressOut(s, &v, &now[k], part);
        }
    }
}
