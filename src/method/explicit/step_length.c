// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How long steps are.
#include "method/explicit/actor.h"

// Steps that the method takes by itself, s: bones alone, and with flesh of 1 m, however soft; as
// times of what falls it goes with the root of the size.
#define BONE_STEP 1e-3
#define FLESH_STEP 5e-3

// Part of the largest stable step at rest that is taken: 4 * 0.6^2 = 1.4 of the stability budget of
// 4, the rest for stretched flesh, which is stiffer. Contact takes nothing of it. With more, energy
// that a midpoint scheme keeps differs too much from that of the body: by h^2 w^2/4 of a mode's
// motion, which shows when elastic energy becomes motion.
#define SAFETY 0.6

// Flesh without damping heats up: in time some cell gets as stiff as cells get.
static double safeStep(const snFlesh* flesh)
{
    bool damped = flesh->cells->damping > 0;
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        damped = damped || flesh->damping[i] > 0;
    }
    double still = SAFETY * flesh->step.rest, admitted = 0.9 * flesh->step.admitted;
    return damped || still < admitted ? still : admitted;
}

// The skin of a cell's half is a mass on the spring of its layer: what touches is resolved, too.
static double contactStep(const snActorSpace* a, double layer)
{
    const snSoft* soft = a->neighbour->soft;
    const snFlesh* flesh = a->flesh;
    double sound = 0;
    for (int32_t e = 0; e < flesh->tets.tet_count; ++e) {
        const snCellMaterial* m = &flesh->materials[e];
        double square = (double)m->modulus / (double)m->density;
        sound = square > sound ? square : sound;
    }
    return 2 * sqrt(0.5 * layer * soft->tissue->thickness * flesh->cell / sound);
}

// Whether there are others to strike for a body: those whose roots are all held do not get about.
static bool canMeet(const snExplicitData* data)
{
    bool held = true;
    for (int32_t i = 0; i < data->head.world->actor_count; ++i) {
        const snSkeleton* s = data->actors[i].skeleton;
        held = held && s->bone_count > 0 && s->bones[0].type == sn_jointWeld;
    }
    return !held && data->head.around.contacts.soft_count > 1;
}

// Obstacles that give way meet in blows, whose springs are as stiff as the step bears: in longer
// ones stacks would sink in visibly. For an obstacle of 1 m, s.
#define RIGID_STEP 7e-4

static double rigidStep(const snSurroundings* around)
{
    double step = (double)INFINITY;
    for (int32_t i = 0; i < around->contacts.hard_count; ++i) {
        const snHard* hard = &around->contacts.hards[i];
        double own = hard->rigid ? RIGID_STEP * sqrt(hard->solid->size) : step;
        step = own < step ? own : step;
    }
    return step;
}

double snExplicit_ChooseStep(const snMethodData* given)
{
    const snExplicitData* data = (const snExplicitData*)(const void*)given;
    double step = rigidStep(&given->around);
    bool crowd = given->world->ground || given->world->obstacle_count > 0 || canMeet(data);
    for (int32_t i = 0; i < given->world->actor_count; ++i) {
        const snFlesh* flesh = data->actors[i].flesh;
        double own = flesh ? safeStep(flesh) : BONE_STEP;
        double most = flesh ? FLESH_STEP * sqrt(data->actors[i].size) : BONE_STEP;
        own = own < most ? own : most;
        step = own < step ? own : step;
        if (flesh && crowd) {
            own = contactStep(&data->actors[i], given->around.layer);
            step = own < step ? own : step;
        }
    }
    return step < (double)INFINITY ? step : FLESH_STEP; // obstacles alone
}
