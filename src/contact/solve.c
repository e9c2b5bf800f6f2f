// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Contact forces of flesh, by the law of contact/law.h, as they are at the end of a step of h.
//
// Let k be the stiffness of a row (the secant at its depth g, in the middle of the step), t its
// damping time, u the speed at which its sides part at the end of the step, and a >= 1/2 how far
// ahead of the middle the depth is looked at, in steps. Then its force is
//
//   f = max(0, k g - k (a h + t) u),  u = v + h D f,
//
// v being the speed without this force and D how easily its sides give way to it. Rows share nodes:
// D counts of each node only the part that is the row's by stiffness, m_i c_r / K_i with c = k (h/2
// + t) and K_i the sum of |w| c over all rows on it. All rows are solved at once with the speeds
// that the last pass left, which then converges, however stiff rows are (mass splitting, Tonge et
// al. 2012). Explicit forces of such stiffness would need far shorter steps.
#include "contact/blow.h"
#include "contact/place.h"

// Passes over all rows; more where a row is stiff against the mass that is its own.
#define PASSES 4
#define MANY_PASSES 16
#define STIFF 4.0 // h^2 k D

// Where flesh meets flesh the points of both feel each other, each with half of its area. Points of
// obstacles find what lies between those of flesh, and add no more than as much again.
#define BOTH_SIDES 0.5

// The rows of a group.
typedef struct Solve {
    const snContacts* contacts;
    const snContactGroup* group;
    int32_t count;
    snContactRow* rows;
    double h; // s
} Solve;

// Beginning -------------------------------------------------------------------

static void beginSoft(snSoft* s)
{
    s->load = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    s->still_friction = 0;
    s->touching = 0;
    s->depth = s->excess = s->rush = 0;
    s->list_count = 0;
}

static void beginBodies(const Solve* g)
{
    for (int32_t i = 0; i < g->group->member_count; ++i) {
        int32_t body = snGroup_Member(g->contacts, g->group, i);
        snSoft* soft = snContacts_Soft(g->contacts, body);
        if (soft) {
            beginSoft(soft);
        } else {
            snContacts_Hard(g->contacts, body)->load = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
        }
    }
}

// What movable obstacles would do without flesh.
static void predictHards(const Solve* g)
{
    for (int32_t i = 0; i < g->group->member_count; ++i) {
        snHard* hard = snContacts_Hard(g->contacts, snGroup_Member(g->contacts, g->group, i));
        if (hard && hard->rigid) {
            const snWrench act = snWrenchAdd(hard->load, hard->pull);
            hard->inverse = snSymRotate(hard->R, hard->rigid->inverse);
            hard->dv = snScale(g->h / hard->rigid->mass, act.f);
            hard->dw = snScale(g->h, snSymVec(hard->inverse, act.n));
            hard->share = 0;
        }
    }
}

// Nodes -------------------------------------------------------------------------

static int32_t boneOf(snSoft* s, int32_t bone)
{
    if (s->bone_slot[bone] == 0) {
        s->list[s->list_count] = (snContactNode){.node = -1, .bone = bone};
        s->bone_slot[bone] = ++s->list_count;
    }
    return s->bone_slot[bone] - 1;
}

static int32_t nodeOf(snSoft* s, int32_t node)
{
    if (s->slot[node] == 0) {
        int32_t bone = s->flesh->bone_of[node];
        int32_t held = bone >= 0 ? boneOf(s, bone) : -1;
        s->list[s->list_count] = (snContactNode){.node = node, .bone = held};
        s->slot[node] = ++s->list_count;
    }
    return s->slot[node] - 1;
}

static void listNodes(const Solve* g)
{
    for (int32_t i = 0; i < g->count; ++i) {
        snContactRow* p = &g->rows[i];
        snContactSide own = snContacts_Side(g->contacts, p);
        snContactSide other = snContacts_OtherSide(g->contacts, p);
        p->flesh = own.soft || other.soft;
        for (int k = 0; k < 4 && p->flesh; ++k) {
            p->work.own[k] = own.soft ? nodeOf(own.soft, own.node[k]) : -1;
            p->work.others[k] = other.soft ? nodeOf(other.soft, other.node[k]) : -1;
        }
    }
}

// Who sleeps stands still in this step.
static void predictSofts(const Solve* g)
{
    for (int32_t i = 0; i < g->group->member_count; ++i) {
        snSoft* s = snContacts_Soft(g->contacts, snGroup_Member(g->contacts, g->group, i));
        if (s && !s->asleep && s->list_count > 0) {
            s->predict(s->predictor, g->h, s->list_count, s->list);
        }
        for (int32_t k = 0; s && k < s->list_count; ++k) {
            const snContactNode* n = &s->list[k];
            *(n->node >= 0 ? &s->slot[n->node] : &s->bone_slot[n->bone]) = 0;
        }
    }
}

// What a node is moved by: itself, or its bone.
static snContactNode* moverOf(const snSoft* s, int32_t at)
{
    snContactNode* n = &s->list[at];
    return n->bone >= 0 ? &s->list[n->bone] : n;
}

// Rows --------------------------------------------------------------------------

static snLayer layerOf(const snContacts* c, const snSoft* s, int32_t cell, double thickness)
{
    const snCellMaterial* m = &s->flesh->materials[cell];
    snLayer layer = {c->layer * thickness, (double)m->modulus, (double)m->density,
                     (double)m->shear};
    return layer;
}

static void setLaw(const snContacts* c, snContactRow* p)
{
    const snSoft *own = snContacts_Soft(c, p->owner), *other = snContacts_Soft(c, p->other);
    snLayer a = {0}, b = {0};
    if (own) {
        p->area = (double)own->flesh->area[p->point];
        a = layerOf(c, own, own->flesh->cell_of[p->point],
                    (double)own->tissue->point_thickness[p->point]);
    } else {
        p->area = snContacts_Hard(c, p->owner)->solid->point_area;
    }
    if (other) {
        b = layerOf(c, other, p->cell, (double)other->tissue->cell_thickness[p->cell]);
    }
    p->area *= own && other ? BOTH_SIDES : 1;
    p->law = snContactLaw_Join(&a, &b, p->area);
}

// How far its layers are squeezed, and how far it has slipped.
static void squeeze(const Solve* g, snContactRow* p)
{
    const snContacts* c = g->contacts;
    const snSoft *own = snContacts_Soft(c, p->owner), *other = snContacts_Soft(c, p->other);
    double since = snContactMemory_Since(snContacts_Memory(c, p->owner), g->h);
    double lift = g->h * snSoft_LiftSpeed(own ? own : other);
    bool fresh = p->memo.age == 0;
    if (p->gap >= 0) {
        p->work.depth = -p->gap;
        p->work.slip = snV3(0, 0, 0);
        return;
    }
    snEntry entry = other ? snEntry_IntoSoft(since, lift, p->v, p->normal)
                          : snEntry_IntoHard(g->h, lift, p->law.layer, p->v);
    p->work.depth = snEntry_PressedIn(&entry, -p->gap, p->normal, &p->memo);
    snVec3 slip = snMulAdd(snContactMemo_Slip(&p->memo), since, p->v);
    p->work.slip = fresh ? snV3(0, 0, 0) : snContactLaw_Across(slip, p->normal);
}

static void stiffen(const Solve* g, snContactRow* p)
{
    snRowWork* w = &p->work;
    double time = p->gap < 0 ? p->rub->damping * p->law.time : 0;
    w->stiffness = snContactLaw_Stiffness(&p->law, w->depth);
    w->shear = p->law.shear * w->stiffness;
    w->weight = w->stiffness * (0.5 * g->h + time);
    w->ahead = w->ahead_across = time;
}

static void shareSide(const snSoft* s, const int32_t at[4], const float weight[4], double load)
{
    for (int k = 0; k < 4; ++k) {
        moverOf(s, at[k])->load += fabs((double)weight[k]) * load;
    }
}

static void shareNodes(const Solve* g, const snContactRow* p)
{
    snContactSide own = snContacts_Side(g->contacts, p);
    snContactSide other = snContacts_OtherSide(g->contacts, p);
    if (own.soft) {
        shareSide(own.soft, p->work.own, own.weight, p->work.weight);
    } else if (own.hard) {
        own.hard->share += p->work.weight;
    }
    if (other.soft) {
        shareSide(other.soft, p->work.others, other.weight, p->work.weight);
    } else if (other.hard) {
        other.hard->share += p->work.weight;
    }
}

// What joints and flesh do to a bone meanwhile is not known here: taken as free, it would seem to
// give way more than it does. So it counts only as far as its rows are too stiff to do without.
#define BONE_STIFF 1.6 // h K/m; the limit is 2

static void stiffenBones(const Solve* g)
{
    for (int32_t i = 0; i < g->group->member_count; ++i) {
        snSoft* s = snContacts_Soft(g->contacts, snGroup_Member(g->contacts, g->group, i));
        for (int32_t k = 0; s && k < s->list_count; ++k) {
            snContactNode* n = &s->list[k];
            double stiff = g->h * n->load * n->give;
            if (n->node < 0) {
                n->give *= stiff > BONE_STIFF ? 1 - BONE_STIFF / stiff : 0;
            }
        }
    }
}

static double giveOfNodes(const snSoft* s, const int32_t at[4], const float weight[4], double part)
{
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        const snContactNode* n = moverOf(s, at[k]);
        sum += fabs((double)weight[k]) * n->load * n->give;
    }
    return sum / part;
}

// Of a movable obstacle: along the normal, and whichever way across.
static void addGiveOfHard(const snHard* hard, const snContactRow* p, double* along, double* across)
{
    snVec3 arm = snCross(snSub(p->place, hard->com), p->normal);
    double part = hard->share / p->work.weight;
    *along += part * (1 / hard->rigid->mass + snDot(arm, snSymVec(hard->inverse, arm)));
    *across += part * snHard_MostGive(hard, p->place);
}

// How far ahead depth is looked at: half a step, as the step moves on from its middle, but stiff
// rows would ring with that.
static double aheadOf(double h, double stiffness, double give)
{
    double stiff = h * h * stiffness * give, whole = 1 - 1 / stiff;
    return h * (stiff > 2 ? whole : 0.5);
}

static void shareGive(const Solve* g, snContactRow* p)
{
    snContactSide own = snContacts_Side(g->contacts, p);
    snContactSide other = snContacts_OtherSide(g->contacts, p);
    snRowWork* w = &p->work;
    double give = 0, across = 0;
    if (own.soft) {
        give += giveOfNodes(own.soft, w->own, own.weight, w->weight);
    }
    if (other.soft) {
        give += giveOfNodes(other.soft, w->others, other.weight, w->weight);
    }
    across = give;
    if (own.hard) {
        addGiveOfHard(own.hard, p, &give, &across);
    }
    if (other.hard) {
        addGiveOfHard(other.hard, p, &give, &across);
    }
    w->give = give;
    w->give_across = across;
    w->ahead += aheadOf(g->h, w->stiffness, give);
    w->ahead_across += aheadOf(g->h, w->shear, across);
}

// Returns how many passes are needed.
static int prepare(const Solve* g)
{
    int passes = PASSES;
    for (int32_t i = 0; i < g->count; ++i) {
        if (g->rows[i].flesh) {
            setLaw(g->contacts, &g->rows[i]);
            squeeze(g, &g->rows[i]);
            stiffen(g, &g->rows[i]);
            shareNodes(g, &g->rows[i]);
        }
    }
    stiffenBones(g);
    for (int32_t i = 0; i < g->count; ++i) {
        const snRowWork* w = &g->rows[i].work;
        if (g->rows[i].flesh) {
            shareGive(g, &g->rows[i]);
            passes = g->h * g->h * w->stiffness * w->give > STIFF ? MANY_PASSES : passes;
        }
    }
    return passes;
}

// Passes ------------------------------------------------------------------------

static snVec3 velocityOfNodes(const snSoft* s, const int32_t at[4], const float weight[4])
{
    snVec3 v = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        const snContactNode* n = &s->list[at[k]];
        snVec3 u = n->bone >= 0 ? snAdd(n->v, s->list[n->bone].v) : n->v;
        v = snMulAdd(v, (double)weight[k], u);
    }
    return v;
}

static snVec3 velocityOfHard(const snHard* hard, snVec3 place)
{
    snVec3 v = snHard_Velocity(hard, place);
    return hard->rigid ? snAdd(v, snAdd(hard->dv, snCross(hard->dw, snSub(place, hard->com)))) : v;
}

// Of the point against what it is in, at the end of the step.
static snVec3 velocityOf(const Solve* g, const snContactRow* p)
{
    const snContacts* c = g->contacts;
    const snSoft *own = snContacts_Soft(c, p->owner), *other = snContacts_Soft(c, p->other);
    const snHard *hard = snContacts_Hard(c, p->owner), *wall = snContacts_Hard(c, p->other);
    snVec3 v = own ? velocityOfNodes(own, p->work.own, own->flesh->ties[p->point].weight)
                   : velocityOfHard(hard, p->place);
    return other  ? snSub(v, velocityOfNodes(other, p->work.others, p->weight))
           : wall ? snSub(v, velocityOfHard(wall, p->place))
                  : v;
}

// The row's force at the velocity u that the last pass left, of which its own part is taken out.
static snVec3 forceOf(const snContactRow* p, double h, snVec3 u)
{
    const snRowWork* w = &p->work;
    double before = snDot(p->force, p->normal), k = w->stiffness, kt = w->shear;
    double un = snDot(u, p->normal) - h * w->give * before;
    double push = (k * w->depth - k * w->ahead * un) / (1 + h * k * w->ahead * w->give);
    push = push > 0 ? push : 0;
    snVec3 drag_before = snMulAdd(p->force, -before, p->normal);
    snVec3 ut = snMulAdd(snContactLaw_Across(u, p->normal), -h * w->give_across, drag_before);
    double part = -kt / (1 + h * kt * w->ahead_across * w->give_across);
    snVec3 drag = snScale(part, snMulAdd(w->slip, w->ahead_across, ut));
    double size_sq = snLengthSq(drag), most = snContactRow_Friction(p) * push;
    if (size_sq > most * most) {
        drag = snScale(most / sqrt(size_sq), drag);
    }
    return snMulAdd(drag, push, p->normal);
}

static void pushList(const snSoft* s, const int32_t at[4], const float weight[4], snVec3 impulse)
{
    for (int k = 0; k < 4; ++k) {
        snContactNode* n = moverOf(s, at[k]);
        n->v = snMulAdd(n->v, (double)weight[k] * n->give, impulse);
    }
}

static void pushHard(snHard* hard, snVec3 place, snVec3 impulse)
{
    snVec3 turn = snCross(snSub(place, hard->com), impulse);
    hard->dv = snMulAdd(hard->dv, 1 / hard->rigid->mass, impulse);
    hard->dw = snAdd(hard->dw, snSymVec(hard->inverse, turn));
}

static void applyChange(const Solve* g, snContactRow* p)
{
    snContactSide own = snContacts_Side(g->contacts, p);
    snContactSide other = snContacts_OtherSide(g->contacts, p);
    snVec3 impulse = snScale(g->h, p->work.change), back = snNeg(impulse);
    p->force = snAdd(p->force, p->work.change);
    if (own.soft) {
        pushList(own.soft, p->work.own, own.weight, impulse);
    } else if (own.hard) {
        pushHard(own.hard, p->place, impulse);
    }
    if (other.soft) {
        pushList(other.soft, p->work.others, other.weight, back);
    } else if (other.hard) {
        pushHard(other.hard, p->place, back);
    }
}

static void pass(const Solve* g)
{
    for (int32_t i = 0; i < g->count; ++i) {
        snContactRow* p = &g->rows[i];
        if (p->flesh) {
            p->work.change = snSub(forceOf(p, g->h, velocityOf(g, p)), p->force);
        }
    }
    for (int32_t i = 0; i < g->count; ++i) {
        if (g->rows[i].flesh) {
            applyChange(g, &g->rows[i]);
        }
    }
}

// Forces ------------------------------------------------------------------------

static void pushNodes(const snSoft* soft, const int32_t* nodes, const float* weights, snVec3 f)
{
    for (int k = 0; k < 4; ++k) {
        snVec4f* p = &soft->push[nodes[k]];
        p->x += weights[k] * (float)f.x;
        p->y += weights[k] * (float)f.y;
        p->z += weights[k] * (float)f.z;
    }
}

// What is thinner than two cells bends as if it were so thick.
#define LEAST_CELLS 2.0

static void noteDepth(snSoft* soft, const snContactRow* p, double thickness, double h)
{
    double rush = -h * snDot(p->v, p->normal) / soft->flesh->cell;
    double least = LEAST_CELLS * soft->flesh->cell, depth = -p->gap;
    double excess = (depth - (double)p->memo.sunk) / (thickness > least ? thickness : least);
    soft->depth = depth > soft->depth ? depth : soft->depth;
    soft->excess = excess > soft->excess ? excess : soft->excess;
    soft->rush = rush > soft->rush ? rush : soft->rush;
}

// The slip is taken back when the friction cone is left, so that the spring holds just what the
// cone allows. Without a spring a body on a slope would creep.
static void rememberSlip(snContactRow* p)
{
    double push = snDot(p->force, p->normal), most = snContactRow_Friction(p) * push;
    snVec3 drag = snMulAdd(p->force, -push, p->normal), slip = p->work.slip;
    double held = p->work.shear * snLength(slip), size = snLength(drag);
    if (size >= most * (1 - 1e-9) && held > 0) {
        slip = size > 0 ? snScale(-1 / p->work.shear, drag) : snV3(0, 0, 0);
    }
    snContactMemo_SetSlip(&p->memo, slip);
}

// With a gap that nothing closes.
static bool isOpen(const snContactRow* p)
{
    return p->gap >= 0 && snLengthSq(p->force) == 0;
}

// A row of a body with itself is inner: it has no load.
static void apply(const Solve* g, snContactRow* p)
{
    const snContacts* c = g->contacts;
    snSoft *own = snContacts_Soft(c, p->owner), *other = snContacts_Soft(c, p->other);
    snHard *hard = snContacts_Hard(c, p->owner), *wall = snContacts_Hard(c, p->other);
    snVec3 force = p->force, back = snNeg(force);
    bool still = p->other == SN_BODY_GROUND || (wall && !wall->moves);
    if (isOpen(p)) {
        return;
    }
    if (own) {
        const snTie* tie = &own->flesh->ties[p->point];
        pushNodes(own, tie->node, tie->weight, force);
        own->touching++;
        noteDepth(own, p, (double)own->tissue->point_thickness[p->point], g->h);
        own->still_friction += still ? snContactRow_Friction(p) * snDot(force, p->normal) : 0;
    } else if (hard) {
        snWrench_AddForce(&hard->load, snSub(p->place, hard->com), force);
    }
    if (other) {
        pushNodes(other, other->flesh->tets.tet + 4 * (size_t)p->cell, p->weight, back);
        noteDepth(other, p, (double)other->tissue->cell_thickness[p->cell], g->h);
    } else if (wall) {
        snWrench_AddForce(&wall->load, snSub(p->place, wall->com), back);
    }
    if (own && own != other) {
        snWrench_AddForce(&own->load, snSub(p->place, own->origin), force);
    }
    if (other && own != other) {
        snWrench_AddForce(&other->load, snSub(p->place, other->origin), back);
    }
}

static void dropOpen(snContactRows* rows)
{
    int32_t kept = rows->touching;
    for (int32_t i = rows->touching; i < rows->count; ++i) {
        if (!isOpen(&rows->rows[i])) {
            rows->rows[kept++] = rows->rows[i];
        }
    }
    rows->count = kept;
}

void snContacts_Solve(snContacts* c, int32_t group, snContactRows* rows, double h)
{
    Solve g = {c, &c->groups[group], rows->count, rows->rows, h};
    beginBodies(&g);
    if (c->hard_count > 0) {
        snBlows_Apply(c, g.group, rows->rows, rows->touching, h);
        predictHards(&g);
    }
    listNodes(&g);
    predictSofts(&g);
    for (int passes = prepare(&g); passes > 0; --passes) {
        pass(&g);
    }
    for (int32_t i = 0; i < g.count; ++i) {
        if (g.rows[i].flesh) {
            apply(&g, &g.rows[i]);
            rememberSlip(&g.rows[i]);
        }
    }
    dropOpen(rows);
}
