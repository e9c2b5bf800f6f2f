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
static snStatus pushTissue(snMethodData* d, int32_t actor, const snTissue** tissue, snMessage* why)
{
    const snCharacter* character = d->actors[actor].actor->character;
    for (int32_t i = 0; i < actor; ++i) {
        if (d->actors[i].soft && d->actors[i].actor->character == character) {
            *tissue = d->actors[i].soft->tissue;
            return sn_ok;
        }
    }
    snTissue* made = snArena_Push(&d->arena, 1, sizeof *made);
    if (!made) {
        return snFail(why, sn_errorMemory, "no memory for contacts of '%s'", character->name);
    }
    *tissue = made;
    return snTissue_Build(&d->arena, &character->flesh, &character->surface, made, why);
}

static snStatus buildSofts(snMethodData* d, snMessage* why)
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
            status = pushTissue(d, i, &soft->tissue, why);
            a->soft = soft;
            a->feeler_offset = takeState(d, snFeeler_StateSize(a->flesh->point_count));
        }
    }
    return status;
}

static snStatus buildHard(snMethodData* d, int32_t i, double spacing, snMessage* why)
{
    const snObstacleDef* def = &d->world->obstacles[i].def;
    snObstacleSpace* space = &d->obstacles[i];
    snHard* hard = &d->contacts.hards[i];
    snStatus status =
        snSolid_Make(&d->arena, def->shapes, def->shape_count, spacing, &space->solid, why);
    if (status) {
        snMessage_Prefix(why, "obstacle %d '%s'", (int)i, def->name);
        return status;
    }
    hard->solid = &space->solid;
    hard->moves = def->mass > 0 || def->key_count > 0;
    if (def->mass > 0) {
        const snSolid* solid = &space->solid;
        space->rigid = snRigid_Make(def->mass, solid->com,
                                    snSymScale(def->mass / solid->volume, solid->inertia));
        space->offset = takeState(d, sizeof(snRigidState));
        hard->rigid = &space->rigid;
    }
    space->feeler_offset = takeState(d, snFeeler_StateSize(space->solid.hard_count));
    return sn_ok;
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

snStatus snSurroundings_Build(snMethodData* d, snMessage* why)
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
    c->ground = world->ground;
    c->height = world->ground_height;
    c->self = world->self_contact;
    c->project = world->contact_mode == sn_contactProjection;
    c->hard_count = world->obstacle_count;
    c->hards = snArena_Push(&d->arena, count, sizeof(snHard));
    d->obstacles = snArena_Push(&d->arena, count, sizeof(snObstacleSpace));
    d->frame_obstacles = snArena_Push(&d->arena, count, sizeof(snFrameObstacle));
    snStatus status = d->arena.failed ? sn_errorMemory : buildSofts(d, why);
    for (int32_t i = 0; !d->arena.failed && !status && i < world->obstacle_count; ++i) {
        status = buildHard(d, i, SPACING * cell, why);
    }
    if (!status && !d->arena.failed) {
        pushMaterials(d);
        status = snContacts_Push(c, &d->arena, why);
        d->frame_contacts = snArena_Push(&d->arena, (size_t)c->press_capacity, sizeof(snContact));
    }
    return d->arena.failed ? snFail(why, sn_errorMemory, "no memory for contacts") : status;
}

// Stepping --------------------------------------------------------------------

static snRigidState* rigidState(const snMethodData* d, void* state, int32_t i)
{
    return (snRigidState*)(void*)((uint8_t*)state + d->obstacles[i].offset);
}

void snSurroundings_Init(snMethodData* d, void* state)
{
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        const snObstacleDef* def = &d->world->obstacles[i].def;
        if (d->contacts.hards[i].rigid) {
            *rigidState(d, state, i) =
                snRigid_Start(&d->obstacles[i].rigid, def->pose, def->velocity, def->spin);
        }
    }
}

void snSurroundings_Drift(snMethodData* d, void* state, double t, double h)
{
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        snHard* hard = &d->contacts.hards[i];
        if (hard->rigid) {
            snRigidState* s = rigidState(d, state, i);
            snRigid_Drift(hard->rigid, s, h);
            hard->pose = snRigid_Pose(hard->rigid, s);
            hard->twist = snTwistFrom(snRigid_Spin(hard->rigid, s),
                                      snRigid_Velocity(hard->rigid, s, hard->pose.p));
            hard->com = s->p;
        } else {
            snPath_At(&d->world->obstacles[i], t, &hard->pose, &hard->twist);
            hard->com = hard->pose.p;
        }
        snFeeler_At(&hard->feeler, hard->solid->hard_count,
                    (uint8_t*)state + d->obstacles[i].feeler_offset);
    }
}

// How deep the surface is in what it touches, as frames show it.
static void noteDepth(snActorSpace* a)
{
    if (a->soft) {
        snNodesHead* head = a->nodes.head;
        head->depth = a->soft->depth;
        head->deepest = head->depth > head->deepest ? head->depth : head->deepest;
    }
}

bool snSurroundings_Touch(snMethodData* d, void* state, double h)
{
    if (!d->touches) {
        return true;
    }
    for (int32_t i = 0; i < d->world->actor_count; ++i) {
        snActorSpace* a = &d->actors[i];
        if (a->soft) {
            a->soft->origin = a->nodes.head->origin;
            a->soft->x = a->nodes.x;
            a->soft->v = a->nodes.v;
            a->soft->crushed = CRUSHED * a->nodes.head->inverted > a->flesh->tets.tet_count;
            snFeeler_At(&a->soft->feeler, a->flesh->point_count,
                        (uint8_t*)state + a->feeler_offset);
        }
    }
    bool found = snContacts_Find(&d->contacts, h);
    snContacts_Press(&d->contacts, h);
    for (int32_t i = 0; i < d->world->actor_count && !d->contacts.project; ++i) {
        noteDepth(&d->actors[i]);
    }
    return found;
}

void snSurroundings_Kick(snMethodData* d, void* state, double h)
{
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        const snHard* hard = &d->contacts.hards[i];
        if (hard->rigid) {
            snWrench load = hard->load;
            load.f = snMulAdd(load.f, hard->rigid->mass, d->world->gravity);
            snRigid_Kick(rigidState(d, state, i), h, load);
        }
    }
}

// Impulses on bones change all joints' rates: what hybrid dynamics makes of them as forces, less
// what it makes of none, for a second.
static void strikeBones(snActorSpace* a, snTasks* tasks, void* state)
{
    snActorState s = snActor_State(a, state);
    const snSkeleton* skeleton = a->skeleton;
    size_t nv = (size_t)skeleton->nv;
    double *none = a->ws.qd_mid, *with = a->ws.qdd, *without = a->ws.qdd_given;
    snHybridStep step = {.prescribed = a->ws.prescribed, .q = s.q, .qd = none};
    snHybridLoad load = {.external = a->soft->hits};
    int32_t bad;
    memset(none, 0, nv * sizeof *none);
    snKinematics_State(skeleton, s.q, none, a->ws.base, a->ws.motion);
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        snWrench* hit = &a->soft->hits[i];
        snVec3 arm = snSub(a->ws.motion[i].p, a->soft->origin);
        hit->n = snSub(hit->n, snCross(arm, hit->f));
    }
    bool fine = skeleton->bone_count > 0 &&
                snHybrid_Run(skeleton, a->ws.motion, &step, &load, &a->ws.factor, with, NULL, &bad);
    if (fine) {
        load.external = NULL;
        snHybrid_Again(skeleton, a->ws.motion, &step, &load, &a->ws.factor, without, NULL);
        for (size_t i = 0; i < nv; ++i) {
            s.qd[i] += with[i] - without[i];
        }
    }
    snKinematics_State(skeleton, s.q, s.qd, a->ws.base, a->ws.motion);
    snNodes_Hold(&a->nodes, tasks, a->ws.motion);
}

void snSurroundings_Project(snMethodData* d, snTasks* tasks, void* state)
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
            strikeBones(a, tasks, state);
            snActor_State(a, state).target->known = 0;
            a->nodes.head->step = 0;
        }
        noteDepth(a);
    }
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
                       .depth = p->depth};
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
        } else {
            snPath_At(&d->world->obstacles[i], t, &o->pose, &o->twist);
        }
    }
    for (int32_t i = 0; i < d->contacts.press_count; ++i) {
        writeContact(d, &d->contacts.presses[i], &d->frame_contacts[i]);
    }
    frame->obstacle_count = d->contacts.hard_count;
    frame->obstacles = d->frame_obstacles;
    frame->contact_count = d->contacts.press_count;
    frame->contacts = d->frame_contacts;
}
