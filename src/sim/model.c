// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a state's meaning depends on, as a number.
#include "base/hash.h"
#include "sim/sim_state.h"
#include <string.h>

static uint64_t hashObstacles(const snWorld* world, uint64_t hash)
{
    for (int32_t i = 0; i < world->obstacle_count; ++i) {
        const snObstacleDef* o = &world->obstacles[i].def;
        hash = snHash(&o->pose, sizeof o->pose, hash);
        hash = snHash(&o->mass, sizeof o->mass, hash);
        if (o->hosted) {
            hash = snHash(&o->hosted, sizeof o->hosted, hash);
        }
        hash = snHash(o->material, strlen(o->material), hash);
        for (int32_t k = 0; k < o->shape_count; ++k) {
            const snShapeDef* s = &o->shapes[k];
            double numbers[] = {s->kind,   s->half.x, s->half.y,
                                s->half.z, s->radius, s->half_length};
            hash = snHash(numbers, sizeof numbers, hash);
            hash = snHash(&s->pose, sizeof s->pose, hash);
            hash = snHash(s->vertices, (size_t)(s->vertices ? s->vertex_count : 0) * sizeof(snVec3),
                          hash);
        }
    }
    return snHash(world->pairs, (size_t)world->pair_count * sizeof(snPair), hash);
}

// Bones lie in zero-filled memory, padding included.
uint64_t snSim_HashActor(const snSim* sim, int32_t who, uint64_t hash)
{
    const snActor* actor = &sim->scene->world.actors[who];
    const snSkeleton* s = snCharacter_Moving(actor->character);
    hash = snHash(sim->method->name, strlen(sim->method->name), hash);
    hash = snHash(s->bones, (size_t)s->bone_count * sizeof(snBone), hash);
    hash = snHash(s->passives, (size_t)s->passive_count * sizeof(snPassiveDef), hash);
    hash = snHash(&actor->base, sizeof actor->base, hash);
    return sim->method->hash ? sim->method->hash(sim->data, who, hash) : hash;
}

uint64_t snSim_HashModel(const snSim* sim)
{
    const snWorld* world = &sim->scene->world;
    double settings[] = {world->gravity.x,
                         world->gravity.y,
                         world->gravity.z,
                         sim->frame_rate * (double)sim->steps_per_frame,
                         world->ground ? 1 : 0,
                         world->ground_height,
                         world->friction,
                         world->restitution,
                         world->self_contact ? 1 : 0};
    uint64_t hash =
        snHash(settings, sizeof settings, snHash(sim->method->name, strlen(sim->method->name), 0));
    hash = snSettings_Hash(&world->settings, hash);
    hash = hashObstacles(world, hash);
    for (int32_t i = 0; i < world->actor_count; ++i) {
        const snActor* actor = &world->actors[i];
        hash = snSim_HashActor(sim, i, hash);
        hash = snHash(actor->material, sizeof actor->material, hash);
    }
    return snHash(&world->sleep, sizeof world->sleep, hash);
}
