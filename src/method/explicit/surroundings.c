// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a character has around it: ground, obstacles, other characters, itself.
#include "base/message.h"
#include "math/quat.h"
#include "math/twist.h"
#include "method/explicit/actor.h"
#include <string.h>

// Distance between the points on an obstacle, in cells of the finest flesh.
#define SPACING 0.5

// A body with more than one in so many cells inside out is crushed.
#define CRUSHED 16

// Materials -------------------------------------------------------------------

// Number of a name in a growing list.
static int32_t materialOf(const char** names, int32_t* count, const char* name)
{
    for (int32_t i = 0; i < *count; ++i) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    names[*count] = name;
    return (*count)++;
}

static void pushRubs(snContacts* c, const snWorld* world, const char** names, snArena* arena)
{
    int32_t n = c->material_count;
    c->rubs = snArena_Push(arena, (size_t)n * (size_t)n, sizeof(snRub));
    for (int32_t i = 0; c->rubs && i < n * n; ++i) {
        const snPair* p = snPair_Find(world->pairs, world->pair_count, names[i / n], names[i % n]);
        double restitution = p ? p->restitution : world->restitution;
        c->rubs[i] =
            (snRub){p ? p->friction : world->friction, restitution, snLaw_Damping(restitution)};
    }
}

static void pushMaterials(snMethodData* d)
{
    const snWorld* world = d->world;
    snContacts* c = &d->contacts;
    size_t most = (size_t)world->actor_count + (size_t)world->obstacle_count + 1;
    const char** names = snArena_Push(&d->arena, most, sizeof *names);
    if (d->arena.failed) {
        return;
    }
    c->ground_material = materialOf(names, &c->material_count, "ground");
    for (int32_t i = 0; i < c->hard_count; ++i) {
        c->hards[i].material =
            materialOf(names, &c->material_count, world->obstacles[i].def.material);
    }
    for (int32_t i = 0; i < world->actor_count; ++i) {
        if (d->actors[i].soft) {
            d->actors[i].soft->material =
                materialOf(names, &c->material_count, world->actors[i].material);
        }
    }
    pushRubs(c, world, names, &d->arena);
}

// Building --------------------------------------------------------------------

static size_t takeState(snMethodData* d, size_t bytes)
{
    size_t at = d->state_size;
    d->state_size += (bytes + 63) / 64 * 64;
    return at;
}

// Characters that are the same share what is known of their flesh.
static snPart* findTissue(const snMethodData* d, int32_t count, const snFlesh* flesh)
{
    for (int32_t i = 0; d && i < count; ++i) {
        if (d->actors[i].part && d->actors[i].flesh == flesh) {
            return d->actors[i].part;
        }
    }
    return NULL;
}

static snStatus takeTissue(snMethodData* d, const snMethodData* from, int32_t actor, snMessage* why)
{
    snActorSpace* a = &d->actors[actor];
    const snCharacter* character = a->actor->character;
    snPart* known = findTissue(d, actor, a->flesh);
    known = known ? known : findTissue(from, from ? from->actor_count : 0, a->flesh);
    a->part = known ? snPart_Retain(known) : snPart_Create(&d->world->host);
    if (!a->part) {
        return snFail(why, sn_errorMemory, "no memory for contacts of '%s'", character->name);
    }
    a->soft->tissue = &a->part->tissue;
    return known ? sn_ok
                 : snTissue_Build(&a->part->arena, a->flesh, &character->surface, &a->part->tissue,
                                  why);
}

static snStatus buildSofts(snMethodData* d, const snMethodData* from, snMessage* why)
{
    snContacts* c = &d->contacts;
    snStatus status = sn_ok;
    c->softs = snArena_Push(&d->arena, (size_t)d->world->actor_count, sizeof(snSoft));
    for (int32_t i = 0; !d->arena.failed && !status && i < d->world->actor_count; ++i) {
        snActorSpace* a = &d->actors[i];
        if (a->flesh) {
            snSoft* soft = &c->softs[c->soft_count++];
            soft->actor = i;
            soft->flesh = a->flesh;
            soft->push = a->nodes.push;
            a->soft = soft;
            status = takeTissue(d, from, i, why);
            a->feeler_offset = takeState(d, snFeeler_StateSize(a->flesh->point_count));
        }
    }
    return status;
}

// The solid of an obstacle that older data has too keeps its points, however fine flesh is now.
static snStatus takeSolid(snMethodData* d, snPart* known, int32_t i, double spacing, snMessage* why)
{
    const snObstacleDef* def = &d->world->obstacles[i].def;
    snPart* part = known ? snPart_Retain(known) : snPart_Create(&d->world->host);
    d->obstacles[i].part = part;
    if (!part) {
        return snFail(why, sn_errorMemory, "no memory for obstacle '%s'", def->name);
    }
    return known ? sn_ok
                 : snSolid_Make(&part->arena, def->shapes, def->shape_count, spacing, &part->solid,
                                why);
}

static snStatus buildHard(snMethodData* d, snPart* known, int32_t i, double spacing, snMessage* why)
{
    const snObstacleDef* def = &d->world->obstacles[i].def;
    snObstacleSpace* space = &d->obstacles[i];
    snHard* hard = &d->contacts.hards[i];
    snStatus status = takeSolid(d, known, i, spacing, why);
    if (status) {
        snMessage_Prefix(why, "obstacle %d '%s'", (int)i, def->name);
        return status;
    }
    const snSolid* solid = &space->part->solid;
    hard->solid = solid;
    hard->moves = def->mass > 0 || def->key_count > 0 || def->hosted;
    if (def->mass > 0) {
        space->rigid = snRigid_Make(def->mass, solid->com,
                                    snSymScale(def->mass / solid->volume, solid->inertia));
        space->offset = takeState(d, sizeof(snBulk));
        hard->rigid = &space->rigid;
    } else if (def->hosted) {
        space->offset = takeState(d, sizeof(snErrand));
    }
    space->feeler_offset = takeState(d, snFeeler_StateSize(solid->hard_count));
    return sn_ok;
}

static snStatus buildHards(snMethodData* d, const snMethodData* from, const snChange* change,
                           double spacing, snMessage* why)
{
    snStatus status = sn_ok;
    for (int32_t i = 0; !status && i < d->world->obstacle_count; ++i) {
        int32_t old = i;
        if (change && change->obstacle >= 0 && i >= change->obstacle) {
            old = i + 1;
        }
        bool known = from && old < from->contacts.hard_count;
        status = buildHard(d, known ? from->obstacles[old].part : NULL, i, spacing, why);
    }
    return status;
}

static double finestCell(const snMethodData* d)
{
    double least = (double)INFINITY;
    for (int32_t i = 0; i < d->world->actor_count; ++i) {
        const snFlesh* flesh = d->actors[i].flesh;
        least = flesh && flesh->cell < least ? flesh->cell : least;
    }
    return least;
}

snStatus snSurroundings_Build(snMethodData* d, const snMethodData* from, const snChange* change,
                              snMessage* why)
{
    const snWorld* world = d->world;
    snContacts* c = &d->contacts;
    double cell = finestCell(d);
    bool others = world->ground || world->self_contact || world->actor_count > 1;
    d->touches = (cell < (double)INFINITY && others) || world->obstacle_count > 0;
    if (!d->touches) {
        return sn_ok;
    }
    size_t count = (size_t)world->obstacle_count;
    c->isa = d->isa;
    c->ground = world->ground;
    c->height = world->ground_height;
    c->self = world->self_contact;
    c->project = world->contact_mode == sn_contactProjection;
    c->hard_count = world->obstacle_count;
    c->hards = snArena_Push(&d->arena, count, sizeof(snHard));
    d->obstacles = snArena_Push(&d->arena, count, sizeof(snObstacleSpace));
    d->frame_obstacles = snArena_Push(&d->arena, count, sizeof(snFrameObstacle));
    snStatus status = d->arena.failed ? sn_errorMemory : buildSofts(d, from, why);
    status = status || d->arena.failed ? status : buildHards(d, from, change, SPACING * cell, why);
    if (!status && !d->arena.failed) {
        pushMaterials(d);
        status = snContacts_Push(c, &d->arena, why);
        d->frame_contacts = snArena_Push(&d->arena, (size_t)c->press_capacity, sizeof(snContact));
        size_t bodies = SN_BODY_FIRST + (size_t)c->hard_count + (size_t)c->soft_count;
        d->islands = snArena_Push(&d->arena, bodies, sizeof(int32_t));
        d->restless = snArena_Push(&d->arena, bodies, sizeof(bool));
    }
    return d->arena.failed ? snFail(why, sn_errorMemory, "no memory for contacts") : status;
}

// Stepping --------------------------------------------------------------------

snBulk* snSurroundings_Bulk(const snMethodData* d, void* state, int32_t number)
{
    return (snBulk*)(void*)((uint8_t*)state + d->obstacles[number].offset);
}

static snRigidState* rigidState(const snMethodData* d, void* state, int32_t i)
{
    return &snSurroundings_Bulk(d, state, i)->motion;
}

static snErrand* errandOf(const snMethodData* d, void* state, int32_t i)
{
    return (snErrand*)(void*)((uint8_t*)state + d->obstacles[i].offset);
}

void snSurroundings_Init(snMethodData* d, void* state)
{
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        const snObstacleDef* def = &d->world->obstacles[i].def;
        if (d->contacts.hards[i].rigid) {
            *rigidState(d, state, i) =
                snRigid_Start(&d->obstacles[i].rigid, def->pose, def->velocity, def->spin);
        } else if (def->hosted) {
            *errandOf(d, state, i) = (snErrand){def->pose, def->pose, 0, 0};
        }
    }
}

static void errandAt(const snErrand* e, double t, snTransform* pose, snTwist* twist)
{
    double span = e->end - e->begin;
    *twist = snTwistFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    if (!(t < e->end)) {
        *pose = e->to;
        return;
    }
    snVec3 way = snSub(e->to.p, e->from.p), turn = snQLog(snQMul(e->to.q, snQConj(e->from.q)));
    double part = t > e->begin ? (t - e->begin) / span : 0;
    pose->p = snMulAdd(e->from.p, part, way);
    pose->q = snQNormalize(snQMul(snQExp(snScale(part, turn)), e->from.q));
    *twist = snTwistFrom(snScale(1 / span, turn), snScale(1 / span, way));
}

// Of one that does not give way, at time t
static void placeFixed(const snMethodData* d, void* state, int32_t i, double t, snTransform* pose,
                       snTwist* twist)
{
    if (d->world->obstacles[i].def.hosted) {
        errandAt(errandOf(d, state, i), t, pose, twist);
    } else {
        snPath_At(&d->world->obstacles[i], t, pose, twist);
    }
}

void snSurroundings_Drift(snMethodData* d, void* state, double t, double h)
{
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        snHard* hard = &d->contacts.hards[i];
        if (hard->rigid) {
            snRigidState* s = rigidState(d, state, i);
            if (!hard->asleep) {
                snRigid_Drift(hard->rigid, s, h);
            }
            hard->pose = snRigid_Pose(hard->rigid, s);
            hard->twist = snTwistFrom(snRigid_Spin(hard->rigid, s),
                                      snRigid_Velocity(hard->rigid, s, hard->pose.p));
            hard->com = s->p;
        } else {
            placeFixed(d, state, i, t, &hard->pose, &hard->twist);
            hard->com = hard->pose.p;
        }
        snFeeler_At(&hard->feeler, hard->solid->hard_count,
                    (uint8_t*)state + d->obstacles[i].feeler_offset);
    }
}

// How deep the surface is in what it touches, as frames show it.
static void noteDepth(snActorSpace* a)
{
    if (a->soft && !a->asleep) {
        snNodesHead* head = a->nodes.head;
        head->depth = a->soft->depth;
        head->deepest = head->depth > head->deepest ? head->depth : head->deepest;
    }
}

static bool isStill(const snMethodData* d)
{
    bool still = d->asleep;
    for (int32_t i = 0; still && i < d->contacts.hard_count; ++i) {
        still = snContacts_IsStill(&d->contacts, SN_BODY_FIRST + i);
    }
    return still;
}

bool snSurroundings_AreStill(snMethodData* d)
{
    if (!d->touches || isStill(d)) {
        snContacts_Clear(&d->contacts);
        return true;
    }
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        d->contacts.hards[i].R = snMatFromQ(d->contacts.hards[i].pose.q);
    }
    return false;
}

void snSurroundings_Show(snMethodData* d, snTasks* tasks, void* state, int32_t actor, double h,
                         int worker)
{
    snActorSpace* a = &d->actors[actor];
    if (a->soft) {
        a->soft->origin = a->nodes.head->origin;
        a->soft->x = a->nodes.x;
        a->soft->v = a->nodes.v;
        a->soft->crushed = CRUSHED * a->nodes.head->inverted > a->flesh->tets.tet_count;
        snFeeler_At(&a->soft->feeler, a->flesh->point_count, (uint8_t*)state + a->feeler_offset);
        snContacts_Roam(&d->contacts, tasks, (int32_t)(a->soft - d->contacts.softs), h, worker);
    }
}

void snSurroundings_Touch(snMethodData* d, int32_t group, double h)
{
    const snContactGroup* g = &d->contacts.groups[group];
    snContacts_Touch(&d->contacts, group, h);
    for (int32_t i = 0; i < g->member_count && !d->contacts.project; ++i) {
        const snSoft* soft =
            snContacts_Soft(&d->contacts, d->contacts.members[g->member_first + i]);
        if (soft) {
            noteDepth(&d->actors[soft->actor]);
        }
    }
}

void snSurroundings_Kick(snMethodData* d, void* state, double t, double h)
{
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        const snHard* hard = &d->contacts.hards[i];
        if (hard->rigid && !hard->asleep) {
            snWrench load = hard->load;
            load.f = snMulAdd(load.f, hard->rigid->mass, d->world->gravity);
            if (d->world->forces.count > 0) {
                const snRigidState* s = rigidState(d, state, i);
                snVec3 v = snRigid_Velocity(hard->rigid, s, s->p);
                load.f = snMulAdd(load.f, hard->rigid->mass,
                                  snForces_At(&d->world->forces, t, h, s->p, v));
            }
            snRigid_Kick(rigidState(d, state, i), h, load);
        }
    }
}

void snSurroundings_Project(snMethodData* d, void* state)
{
    if (!d->contacts.project) {
        return;
    }
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        d->contacts.hards[i].R = snMatFromQ(d->contacts.hards[i].pose.q);
    }
    snContacts_Project(&d->contacts);
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        if (d->contacts.hards[i].rigid) {
            snRigid_Kick(rigidState(d, state, i), 1, d->contacts.hards[i].hit);
        }
    }
    for (int32_t i = 0; i < d->world->actor_count; ++i) {
        snActorSpace* a = &d->actors[i];
        if (a->soft && a->soft->projected > 0) { // accounts of momentum and energy begin anew
            snActor_Strike(a, state, a->soft->hits, a->soft->origin);
            snActor_State(a, state).target->known = 0;
            a->nodes.head->step = 0;
        }
        noteDepth(a);
    }
}

// Hosts -----------------------------------------------------------------------

void snSurroundings_Push(snMethodData* d, void* state, int32_t number, snVec3 place, snVec3 impulse)
{
    snRigidState* s = rigidState(d, state, number);
    snRigid_Kick(s, 1, snWrenchFrom(snCross(snSub(place, s->p), impulse), impulse));
}

void snSurroundings_Move(snMethodData* d, void* state, int32_t number, snTransform pose, double t,
                         double end)
{
    snErrand* errand = errandOf(d, state, number);
    snTransform now;
    snTwist twist;
    errandAt(errand, t, &now, &twist);
    *errand = (snErrand){now, pose, t, end};
}

// Frames ----------------------------------------------------------------------

static void writeContact(const snMethodData* d, const snPress* p, snContact* out)
{
    int32_t first = SN_BODY_FIRST + d->contacts.hard_count;
    bool soft = p->owner >= first, into = p->other >= first;
    *out = (snContact){.character = soft ? d->contacts.softs[p->owner - first].actor : -1,
                       .obstacle = soft ? -1 : p->owner - SN_BODY_FIRST,
                       .with = p->other == SN_BODY_GROUND ? sn_withGround
                               : into                     ? sn_withCharacter
                                                          : sn_withObstacle,
                       .other = p->other == SN_BODY_GROUND ? 0
                                : into ? d->contacts.softs[p->other - first].actor
                                       : p->other - SN_BODY_FIRST,
                       .place = p->place,
                       .normal = p->normal,
                       .force = p->force,
                       .depth = -p->gap};
}

void snSurroundings_Presses(const snMethodData* d, snPressFcn* tell, void* user)
{
    for (int32_t g = 0; g < d->contacts.group_count; ++g) {
        const snPress* presses = snContacts_Presses(&d->contacts, g);
        for (int32_t i = 0; i < d->contacts.groups[g].press_count; ++i) {
            snContact contact;
            writeContact(d, &presses[i], &contact);
            tell(user, &contact);
        }
    }
}

void snSurroundings_WriteFrame(snMethodData* d, void* state, double t, snFrame* frame)
{
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        snFrameObstacle* o = &d->frame_obstacles[i];
        const snHard* hard = &d->contacts.hards[i];
        *o = (snFrameObstacle){.name = d->world->obstacles[i].def.name};
        if (hard->rigid) {
            const snRigidState* s = rigidState(d, state, i);
            o->pose = snRigid_Pose(hard->rigid, s);
            o->twist = snTwistFrom(snRigid_Spin(hard->rigid, s),
                                   snRigid_Velocity(hard->rigid, s, o->pose.p));
            o->momentum = snRigid_Momentum(hard->rigid, s);
            o->momentum.com = snAdd(o->momentum.com, frame->shift);
            o->is_asleep = snSurroundings_Bulk(d, state, i)->rest.asleep != 0;
        } else {
            placeFixed(d, state, i, t, &o->pose, &o->twist);
        }
        o->pose.p = snAdd(o->pose.p, frame->shift);
    }
    frame->contact_count = 0;
    for (int32_t g = 0; g < d->contacts.group_count; ++g) {
        const snPress* presses = snContacts_Presses(&d->contacts, g);
        for (int32_t i = 0; i < d->contacts.groups[g].press_count; ++i) {
            snContact* contact = &d->frame_contacts[frame->contact_count++];
            writeContact(d, &presses[i], contact);
            contact->place = snAdd(contact->place, frame->shift);
        }
    }
    frame->obstacle_count = d->contacts.hard_count;
    frame->obstacles = d->frame_obstacles;
    frame->contacts = d->frame_contacts;
}
