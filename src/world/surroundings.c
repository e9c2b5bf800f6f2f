// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Memory of what characters have around them.
#include "world/surroundings.h"

#include "base/message.h"
#include <string.h>

// Distance between the points on an obstacle, in cells of the finest flesh.
#define SPACING 0.5

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
        c->rubs[i] = (snRub){p ? p->friction : world->friction, restitution,
                             snContactLaw_Damping(restitution)};
    }
}

static void pushMaterials(snSurroundings* s)
{
    const snWorld* world = s->world;
    snContacts* c = &s->contacts;
    size_t most = (size_t)world->actor_count + (size_t)world->obstacle_count + 1;
    const char** names = snArena_Push(s->arena, most, sizeof *names);
    if (s->arena->failed) {
        return;
    }
    c->ground_material = materialOf(names, &c->material_count, "ground");
    for (int32_t i = 0; i < c->hard_count; ++i) {
        c->hards[i].material =
            materialOf(names, &c->material_count, world->obstacles[i].def.material);
    }
    for (int32_t i = 0; i < world->actor_count; ++i) {
        if (s->neighbours[i].soft) {
            s->neighbours[i].soft->material =
                materialOf(names, &c->material_count, world->actors[i].material);
        }
    }
    pushRubs(c, world, names, s->arena);
}

// Building --------------------------------------------------------------------

static snContactShape* createShape(const snHost* host)
{
    snContactShape* shape = snHost_Allocate(host, sizeof *shape);
    if (shape) {
        snArena_Init(&shape->arena, host);
        shape->owners = 1;
    }
    return shape;
}

static snContactShape* retainShape(snContactShape* shape)
{
    shape->owners++;
    return shape;
}

static void releaseShape(snContactShape* shape)
{
    if (shape && --shape->owners == 0) {
        snHost host = shape->arena.host;
        snArena_Free(&shape->arena);
        snHost_Release(&host, shape, sizeof *shape);
    }
}

static size_t takeState(snSurroundings* s, size_t bytes)
{
    size_t at = s->slice_size;
    s->slice_size += (bytes + 63) / 64 * 64;
    return at;
}

// Characters that are the same share what is known of their flesh.
static snContactShape* findTissue(const snSurroundings* s, int32_t count, const snFlesh* flesh)
{
    for (int32_t i = 0; s && i < count; ++i) {
        if (s->neighbours[i].shape && s->neighbours[i].flesh == flesh) {
            return s->neighbours[i].shape;
        }
    }
    return NULL;
}

static snStatus takeTissue(snSurroundings* s, const snSurroundings* from, int32_t actor,
                           snMessage* why)
{
    snNeighbour* n = &s->neighbours[actor];
    snContactShape* known = findTissue(s, actor, n->flesh);
    known = known ? known : findTissue(from, from ? from->neighbour_count : 0, n->flesh);
    n->shape = known ? retainShape(known) : createShape(&s->world->host);
    if (!n->shape) {
        return snFail(why, sn_errorMemory, "no memory for contacts of '%s'",
                      s->world->actors[actor].character->name);
    }
    const snFleshView view = snFleshView_Of(n->flesh);
    n->soft->tissue = &n->shape->tissue;
    n->soft->flesh = &n->shape->tissue.flesh;
    return known ? sn_ok
                 : snTissue_Build(&n->shape->arena, &view, n->surface, &n->shape->tissue, why);
}

static snStatus buildSofts(snSurroundings* s, const snSurroundings* from, snMessage* why)
{
    snContacts* c = &s->contacts;
    snStatus status = sn_ok;
    c->softs = snArena_Push(s->arena, (size_t)s->neighbour_count, sizeof(snSoft));
    for (int32_t i = 0; !s->arena->failed && !status && i < s->neighbour_count; ++i) {
        snNeighbour* n = &s->neighbours[i];
        if (n->flesh) {
            snSoft* soft = &c->softs[c->soft_count++];
            soft->actor = i;
            soft->push = n->push;
            n->soft = soft;
            status = takeTissue(s, from, i, why);
        }
    }
    return status;
}

// The solid of an obstacle that older data has too keeps its points, however fine flesh is now.
static snStatus takeSolid(snSurroundings* s, snContactShape* known, int32_t i, double spacing,
                          snMessage* why)
{
    const snObstacleDef* def = &s->world->obstacles[i].def;
    snContactShape* shape = known ? retainShape(known) : createShape(&s->world->host);
    s->obstacles[i].shape = shape;
    if (!shape) {
        return snFail(why, sn_errorMemory, "no memory for obstacle '%s'", def->name);
    }
    return known ? sn_ok
                 : snSolid_Build(&shape->arena, def->shapes, def->shape_count, spacing,
                                 &shape->solid, why);
}

static snStatus buildHard(snSurroundings* s, snContactShape* known, int32_t i, double spacing,
                          snMessage* why)
{
    const snObstacleDef* def = &s->world->obstacles[i].def;
    snObstacleSpace* space = &s->obstacles[i];
    snHard* hard = &s->contacts.hards[i];
    snStatus status = takeSolid(s, known, i, spacing, why);
    if (status) {
        snMessage_Prefix(why, "obstacle %d '%s'", (int)i, def->name);
        return status;
    }
    const snSolid* solid = &space->shape->solid;
    hard->solid = solid;
    hard->moves = def->mass > 0 || def->key_count > 0 || def->hosted;
    if (def->mass > 0) {
        space->rigid = snRigid_Make(def->mass, solid->com,
                                    snSymScale(def->mass / solid->volume, solid->inertia));
        space->offset = takeState(s, sizeof(snBulk));
        hard->rigid = &space->rigid;
    } else if (def->hosted) {
        space->offset = takeState(s, sizeof(snErrand));
    }
    space->memory_offset = takeState(s, snContactMemory_StateSize(solid->hard_count));
    return sn_ok;
}

static snStatus buildHards(snSurroundings* s, const snSurroundings* from, const snChange* change,
                           double spacing, snMessage* why)
{
    snStatus status = sn_ok;
    for (int32_t i = 0; !status && i < s->world->obstacle_count; ++i) {
        int32_t old = from ? snChange_Was(change->obstacle, i, from->contacts.hard_count) : -1;
        status = buildHard(s, old >= 0 ? from->obstacles[old].shape : NULL, i, spacing, why);
    }
    return status;
}

static double finestCell(const snSurroundings* s)
{
    double least = (double)INFINITY;
    for (int32_t i = 0; i < s->neighbour_count; ++i) {
        const snFlesh* flesh = s->neighbours[i].flesh;
        least = flesh && flesh->cell < least ? flesh->cell : least;
    }
    return least;
}

static snStatus buildContacts(snSurroundings* s, const snSurroundings* from, const snChange* change,
                              double cell, snMessage* why)
{
    const snWorld* world = s->world;
    snContacts* c = &s->contacts;
    size_t count = (size_t)world->obstacle_count;
    c->isa = s->isa;
    c->ground = world->ground;
    c->height = world->ground_height;
    c->self = world->self_contact;
    c->project = s->project;
    c->layer = s->layer;
    c->hard_count = world->obstacle_count;
    c->hards = snArena_Push(s->arena, count, sizeof(snHard));
    s->obstacles = snArena_Push(s->arena, count, sizeof(snObstacleSpace));
    s->frame_obstacles = snArena_Push(s->arena, count, sizeof(snFrameObstacle));
    s->frame_balances = snArena_Push(s->arena, count, sizeof(snEnergyBalance));
    snStatus status = s->arena->failed ? sn_errorMemory : buildSofts(s, from, why);
    status = status || s->arena->failed ? status : buildHards(s, from, change, SPACING * cell, why);
    if (!status && !s->arena->failed) {
        pushMaterials(s);
        status = snContacts_Push(c, s->arena, why);
        s->frame_contacts = snArena_Push(s->arena, (size_t)c->row_capacity, sizeof(snContact));
        size_t bodies = SN_BODY_FIRST + (size_t)c->hard_count + (size_t)c->soft_count;
        s->islands = snArena_Push(s->arena, bodies, sizeof(int32_t));
        s->restless = snArena_Push(s->arena, bodies, sizeof(bool));
    }
    return status;
}

snStatus snSurroundings_Begin(snSurroundings* s, const snWorld* world, snIsa isa, snArena* arena,
                              snMessage* why)
{
    *s = (snSurroundings){.world = world, .arena = arena, .isa = isa};
    s->neighbours = snArena_Push(arena, (size_t)world->actor_count, sizeof(snNeighbour));
    s->neighbour_count = world->actor_count;
    return s->neighbours ? sn_ok
                         : snFail(why, sn_errorMemory, "no memory for %d characters",
                                  (int)world->actor_count);
}

snStatus snSurroundings_Build(snSurroundings* s, const snSurroundings* from, const snChange* change,
                              snMessage* why)
{
    const snWorld* world = s->world;
    snStatus status = sn_ok;
    double cell = finestCell(s);
    bool others = world->ground || world->self_contact || world->actor_count > 1;
    s->touches = (cell < (double)INFINITY && others) || world->obstacle_count > 0;
    if (s->touches) {
        status = buildContacts(s, from, change, cell, why);
    }
    s->events_offset = takeState(s, snEvents_Size(world));
    size_t bodies = (size_t)s->neighbour_count + (size_t)world->obstacle_count;
    s->account_offset = takeState(s, bodies * sizeof(snAccount));
    return s->arena->failed ? snFail(why, sn_errorMemory, "no memory for contacts") : status;
}

void snSurroundings_Free(snSurroundings* s)
{
    for (int32_t i = 0; s->neighbours && i < s->neighbour_count; ++i) {
        releaseShape(s->neighbours[i].shape);
    }
    for (int32_t i = 0; s->obstacles && i < s->contacts.hard_count; ++i) {
        releaseShape(s->obstacles[i].shape);
    }
}

size_t snSurroundings_MemorySize(const snSurroundings* s, int32_t actor)
{
    const snNeighbour* n = &s->neighbours[actor];
    return n->soft ? SN_ALIGNMENT + snContactMemory_StateSize(n->flesh->point_count) : 0;
}

void snSurroundings_PlaceMemory(snSurroundings* s, int32_t actor, size_t offset)
{
    s->neighbours[actor].rest_offset = offset;
    s->neighbours[actor].memory_offset = offset + SN_ALIGNMENT;
}

// State -----------------------------------------------------------------------

void snSurroundings_Forget(snSurroundings* s)
{
    s->contacts.stale = true;
    snContacts_Clear(&s->contacts);
}

void snSurroundings_Uproot(snSurroundings* s, void* state, int32_t actor)
{
    const snNeighbour* n = &s->neighbours[actor];
    if (n->soft) {
        memset((uint8_t*)state + n->memory_offset, 0,
               snContactMemory_StateSize(n->flesh->point_count));
    }
    snSurroundings_Wake(s, state);
    snSurroundings_Forget(s);
}
