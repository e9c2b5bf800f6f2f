// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How long steps are.
#include "method/explicit/actor.h"

// Steps that the method takes by itself, s: bones alone, and with flesh however soft.
#define BONE_STEP 1e-3
#define FLESH_STEP 5e-3

// Part of the largest stable step at rest that is taken: 4 * 0.72^2 = 2.1 of the stability budget
// for elasticity, 1.4 for contact (contact/penalty.h), the rest for stretched flesh, which is
// stiffer.
#define SAFETY 0.72

// The same of flesh without damping: energy that a midpoint scheme keeps differs from that of the
// body by h^2 w^2/4 of a mode's motion, which shows when elastic energy becomes motion.
#define UNDAMPED 0.6

// A body that lies on the ground sinks into it by this part of its size, when it rests on this part
// of its surface: soft ones spread, stiff ones touch with little.
#define MOST_SINKING 0.004
#define MOST_SHARE 0.05
#define LEAST_SHARE 0.004

// One that throws itself about, at STRIKE times sqrt(gravity size), strikes it and sinks in by this
// part of its size (which is a diagonal: 2 % of its length are more). Measured in the paper's
// scenes: 1.6 to 1.8.
#define STRIKE 1.7
#define MOST_STRUCK 0.011

// Flesh without damping heats up: in time some cell gets as stiff as cells get.
static double safeStep(const snFlesh* flesh)
{
    bool damped = flesh->cells->damping > 0;
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        damped = damped || flesh->damping[i] > 0;
    }
    double still = UNDAMPED * flesh->step.rest, admitted = 0.9 * flesh->step.admitted;
    return damped ? SAFETY * flesh->step.rest : still < admitted ? still : admitted;
}

// About the part of a ball's surface that it rests on (Hertz: it grows with r g / (E/density)). The
// speed of sound squared stands for E/density; a stable step takes it through a third of a cell.
static double restingShare(const snActorSpace* a, double gravity)
{
    double sound = a->flesh->cell / (3 * a->flesh->step.rest);
    double share = 0.15 * a->size * gravity / (sound * sound);
    return share > MOST_SHARE ? MOST_SHARE : share > LEAST_SHARE ? share : LEAST_SHARE;
}

// What is touched is as stiff as a step allows: shorter ones let bodies sink in less, where they
// lie and where they strike. A blow at v, with as much mass behind it as there is for each part of
// what touches, is stopped within v h/sqrt(c) times a power of that: the fourth root, for the part
// that touches grows with the blow.
static double groundStep(const snActorSpace* a, const snWorld* world)
{
    const snFlesh* flesh = a->flesh;
    double mass = a->actor->character->info.total_mass, gravity = snLength(world->gravity), sum = 0;
    for (int32_t u = 0; u < flesh->point_count; ++u) {
        sum += (double)flesh->contact_mass[u];
    }
    double touching = sum * restingShare(a, gravity);
    double strike = STRIKE * sqrt(gravity * a->size) * sqrt(sqrt(mass / touching));
    double h = SAFETY * flesh->step.rest, least = 0.02 * h, share;
    do {
        h *= 0.95;
        share = snPenalty_Share(snPenalty_Left(h, flesh->step.rest));
    } while (h > least && (mass * gravity * h * h > MOST_SINKING * a->size * touching * share ||
                           strike * h > MOST_STRUCK * a->size * sqrt(share)));
    return h;
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

double snExplicit_ChooseStep(const snMethodData* given)
{
    const snExplicitData* data = (const snExplicitData*)(const void*)given;
    double step = FLESH_STEP;
    bool crowd = given->world->ground || given->world->obstacle_count > 0 || canMeet(data);
    for (int32_t i = 0; i < given->world->actor_count; ++i) {
        const snFlesh* flesh = data->actors[i].flesh;
        double own = flesh ? safeStep(flesh) : BONE_STEP;
        step = own < step ? own : step;
        if (flesh && crowd) {
            own = groundStep(&data->actors[i], given->world);
            step = own < step ? own : step;
        }
    }
    return step;
}
