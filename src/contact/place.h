// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where points of bodies are and how fast they move, for the files that find contacts.
#ifndef SN_CONTACT_PLACE_H
#define SN_CONTACT_PLACE_H

#include "contact/contacts.h"
#include "math/quat.h"
#include <string.h>

SN_BEGIN_C

// Cells around a point that are looked at; boxes of a lattice's cells overlap some tenfold.
#define SN_NEAR_CELLS 256

// Deeper than this part of a cell, besides what it moves, no point comes into flesh in a step.
#define SN_SUDDEN 0.25

// Whether obstacles have moved beyond what lists allow for.
bool snHards_Roamed(snContacts* contacts, double h);

// Lists anew, in this order: boxes of all; what is near a soft body, and the most that its lists
// can need, with a new tree if so; smaller boxes; the most that lists between obstacles can need;
// then, with room for so much, the lists, in parts of all contacts. i: of a soft body.
void snList_Begin(snContacts* contacts);
void snList_MeasureSoft(snContacts* contacts, int32_t i);
void snList_Tighten(snSoft* soft);
snListRoom snList_MeasureHards(const snContacts* contacts);
void snList_Soft(snContacts* contacts, int32_t i);
void snList_Hards(snContacts* contacts);

// All contacts as a thread sees them that makes a soft body's lists.
snContacts snContacts_Part(const snContacts* contacts, int32_t soft, int worker);

// A body by its number in a group.
static inline int32_t snGroup_Member(const snContacts* c, const snContactGroup* group, int32_t i)
{
    return c->members[group->member_first + i];
}

// Of a group.
static inline const snCandidates* snGroup_Pairs(const snContacts* c, const snContactGroup* group)
{
    return c->sorted + group->pair_first;
}

static inline int32_t snContacts_BodyCount(const snContacts* c)
{
    return SN_BODY_FIRST + c->hard_count + c->soft_count;
}

// Whether the margin has been used up.
static inline bool snRoam_Advance(snRoam* r, double way)
{
    r->way = way;
    r->travel += way;
    return r->travel > r->margin;
}

// Sets a margin of steps at the present speed.
static inline void snRoam_Settle(snRoam* r, double steps, double least, double most)
{
    r->travel = 0;
    r->margin = fmin(fmax(least, steps * r->way), most);
}

// Adds the cells that may hold a point to a list, which has room for `capacity`. reach: how far
// both may still move; own: the point is one of the body itself, and each may. When they are too
// many, what is added says that the tree is to be asked.
void snNear_ListCells(const snSoft* other, int32_t point, snVec3 q, double reach, bool own,
                      snNearList* near, int32_t capacity);

// Refits a soft body's tree if it is old. Before it is asked.
void snSoft_Freshen(snSoft* soft);

// Skins that touch look at each other. Where they do not, folds of either lie in between.
bool snSoft_FacesAway(const snSoft* owner, int32_t point, snVec3 normal);

// Completes a row with another soft body that has its place and velocity in the world. hit: where
// the point is in it by the nearest way out, or NULL; old: what the point remembers of it, or NULL.
// False when it does not touch.
bool snContacts_Enter(const snContacts* contacts, snContactRow* row, snTissueHit* hit,
                      const snContactMemo* old, double since);

// How far the two bodies of a pair have moved since then, in all.
snRoam snCandidates_Roam(const snContacts* contacts, const snCandidates* pair);

// How far bodies will have moved when a point can touch that has a gap before it now.
float snCandidate_Clear(double travel, double gap);

static inline int32_t snBody_OfHard(int32_t i)
{
    return SN_BODY_FIRST + i;
}

static inline int32_t snBody_OfSoft(const snContacts* c, int32_t i)
{
    return SN_BODY_FIRST + c->hard_count + i;
}

// A point of a soft body in the world
static inline snVec3 snSoft_Place(const snSoft* s, int32_t point)
{
    return snAdd(s->origin, snTie_Blend(&s->flesh->ties[point], s->x));
}

static inline snVec3 snSoft_Velocity(const snSoft* s, int32_t point)
{
    return snTie_Blend(&s->flesh->ties[point], s->v);
}

// Of a place in a cell
static inline snVec3 snSoft_CellVelocity(const snSoft* s, int32_t cell, const float weight[4])
{
    snTie tie;
    memcpy(tie.node, s->flesh->tets.tet + 4 * (size_t)cell, sizeof tie.node);
    memcpy(tie.weight, weight, sizeof tie.weight);
    return snTie_Blend(&tie, s->v);
}

// A point of an obstacle in the world
static inline snVec3 snHard_Place(const snHard* hard, int32_t point)
{
    return snAdd(hard->pose.p, snMatVec(hard->R, hard->solid->points[point]));
}

static inline snVec3 snHard_Velocity(const snHard* hard, snVec3 p)
{
    return snAdd(hard->twist.v, snCross(hard->twist.w, snSub(p, hard->pose.p)));
}

// What was put inside something comes out at this speed, m/s, for a body of 1 m; as speeds of what
// falls it goes with the root of the size.
#define SN_LIFT_SPEED 0.5

static inline double snHard_LiftSpeed(const snHard* hard)
{
    return SN_LIFT_SPEED * sqrt(hard->solid->size);
}

static inline double snSoft_LiftSpeed(const snSoft* soft)
{
    return SN_LIFT_SPEED * sqrt(soft->tissue->size);
}

// The most that a movable obstacle gives way to a push there, whichever way it goes, 1/kg: 1/m plus
// the largest eigenvalue of S' J S, with J the inverse of the inertia I and S f = r x f.
// S' J S r = 0; the other two have the sum |r|^2 tr J - r.J r and the product |r|^2 det J r.I r.
static inline double snHard_MostGive(const snHard* hard, snVec3 place)
{
    const snRigid* r = hard->rigid;
    snVec3 arm = snMatTVec(hard->R, snSub(place, hard->com));
    double a = r->middle + r->fast, b = r->middle, c = r->middle + r->slow, sq = snLengthSq(arm);
    double half = 0.5 * (sq * (a + b + c) - snDot(arm, snSymVec(r->inverse, arm)));
    double root = half * half - sq * a * b * c * snDot(arm, snSymVec(r->inertia, arm));
    return 1 / r->mass + half + (root > 0 ? sqrt(root) : 0);
}

static inline void snWrench_AddForce(snWrench* load, snVec3 arm, snVec3 f)
{
    load->f = snAdd(load->f, f);
    load->n = snAdd(load->n, snCross(arm, f));
}

SN_END_C

#endif
