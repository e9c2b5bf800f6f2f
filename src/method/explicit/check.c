// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the guard is told after every step: coordinates, flesh, depth of contacts.
#include "method/explicit/actor.h"
#include "skel/joint.h"
#include <math.h>

// Faster than this (rad/s, m/s) nothing a person animates moves; beyond it a run has gone wrong.
#define MOST_SPEED 1e5
#define MOST_PLACE 1e12 // rad, m

// Part of the largest energy that flesh has held which it may gain from nowhere, and what is added
// whenever the step changes, so that a frame that is done again can be good: the total stays below
// 2 % for eight times of trouble, after which a minute lies between two of them.
#define MOST_GAIN 0.018
#define MORE_GAIN 0.00025

// What rounding may add between two looks, as a strain of all cells: kernels are right to 2e-7.
// Gains that are no more than a strain which nobody sees are none.
#define NOISE_STRAIN 1e-6
#define LEAST_STRAIN 3e-5

// Cells that a node may pass in one step, against its bones. One or two happen to the lightest
// nodes of undamped flesh.
#define MOST_CELLS 10

// Part of the largest stable step's square that a step's may be where flesh is deformed, as far as
// the stiffness of its nodes tells: a bound, so more than 1. Damped starfish bent by 0.2 come
// to 1.1 and are stable.
#define MOST_BUDGET 1.2

// Steps after which elastic energy is looked at, at the latest.
#define LOOK_STEPS 16

// Cells by which something may come nearer to a body that it touches in one step. What is faster
// turns the way out, or is through a fold, from one look to the next.
#define MOST_RUSH 0.25

// Is every number within the bound, and a number?
static bool areBelow(const double* x, int32_t count, double most)
{
    int32_t fine = 0;
    for (int32_t k = 0; k < count; ++k) {
        fine += fabs(x[k]) < most;
    }
    return fine == count;
}

// Finds coordinates that are not numbers, or larger or faster than anything real.
void snActor_CheckBones(snActorSpace* a, const snActorState* s, int32_t index)
{
    if (areBelow(s->qd, a->skeleton->nv, MOST_SPEED) &&
        areBelow(s->q, a->skeleton->nq, MOST_PLACE)) {
        return;
    }
    for (int32_t i = 0; i < a->skeleton->bone_count; ++i) {
        const snBone* b = &a->skeleton->bones[i];
        const snJointShape* shape = snJoint_Shape(b->type);
        if (!areBelow(s->qd + b->vi, shape->nv, MOST_SPEED) ||
            !areBelow(s->q + b->qi, shape->nq, MOST_PLACE)) {
            a->verdict = (snVerdict){index, i, sn_troubleSpeed};
            return;
        }
    }
}

bool snSpan_IsLook(const snSpan* span, int64_t k)
{
    int64_t done = span->first + k + 1;
    return done % LOOK_STEPS == 0 || (span->frame > 0 && done % span->frame == 0);
}

double snActor_StiffestRate(const snActorSpace* a, const float* more)
{
    double most = 0;
    for (int32_t i = 0; i < a->flesh->tets.node_count; ++i) {
        double k = (double)a->rest_stiffness[i] + (more ? (double)more[i] : 0);
        most = fmax(most, k * (double)a->flesh->inverse_mass[i]);
    }
    return most;
}

// The joules that a strain of all cells holds
static double energyOf(const snActorSpace* a, double strain)
{
    return a->stiffness * strain * strain;
}

// Sets the account right. What is more than it says came from nowhere. Dampers take of that as of
// all that moves, twice as fast as the largest energy that was held is forgotten. When the step
// changes, so does what the account is off by, which does not count.
static void lookAtEnergy(const snActorSpace* a, const snNodesTally* tally, double h)
{
    snNodesHead* head = a->nodes.head;
    double left = 1 / (1 + a->damping * h * (double)head->age),
           held = a->look.energy + tally->jiggle;
    head->held = fmax(left * head->held, held);
    if (head->step == h) {
        double gain = a->look.energy - head->bank - energyOf(a, NOISE_STRAIN);
        head->gained = fmax(left * left * head->gained + gain, 0);
    } else if (head->step > 0 && head->held > 0) {
        head->allowed = fmax(head->allowed, head->gained / head->held + MORE_GAIN);
    }
    head->bank = a->look.energy;
    head->step = h;
    head->age = 0;
}

// Whether the step is too long for the flesh as it is now: frequencies rise as the stiffest node
// does. The account does not see that, for a scheme that is not stable keeps v v'/2 negative.
static bool isStiff(const snActorSpace* a, double h)
{
    double rest = a->flesh->step.rest, rate = snActor_StiffestRate(a, a->look.stiffness);
    return h * h * rate > MOST_BUDGET * rest * rest * a->rest_rate;
}

// Flesh cannot give more energy than went into it. By the trapezoidal rule the work of elastic
// forces between two steps is exact for linear flesh, and the kinetic energy v v'/2 (v before and
// v' after a kick) takes up just that: what elastic energy has beyond the account is what the
// scheme gained, at any step and frequency.
void snActor_CheckFlesh(snActorSpace* a, const snNodesTally* tally, double h, bool strict,
                        int32_t index)
{
    snNodesHead* head = a->nodes.head;
    if (tally->bad >= 0) {
        a->verdict = (snVerdict){index, -1, sn_troubleNotFinite};
        return;
    }
    if (!(sqrt(tally->fastest) * h < MOST_CELLS * a->flesh->cell)) {
        a->verdict = (snVerdict){index, -1, sn_troubleCells};
        return;
    }
    head->bank -= tally->before;
    ++head->age;
    if (a->looked) {
        lookAtEnergy(a, tally, h);
        double most = fmax(head->allowed, MOST_GAIN) * head->held + energyOf(a, LEAST_STRAIN);
        if (!(head->gained <= most)) {
            a->verdict = (snVerdict){index, -1, sn_troubleEnergy};
        } else if (strict && isStiff(a, h)) {
            a->verdict = (snVerdict){index, -1, sn_troubleStiff};
        }
    }
    head->bank -= tally->after;
}

// A step that is long against a blow: shorter ones help. How deep it goes depends on the law alone.
bool snActors_AreStruck(const snExplicitData* data, snVerdict* verdict)
{
    for (int32_t i = 0; i < data->head.actor_count; ++i) {
        const snSoft* soft = data->actors[i].neighbour->soft;
        if (soft && soft->rush > MOST_RUSH) {
            *verdict = (snVerdict){i, -1, sn_troubleStruck};
            return true;
        }
    }
    return false;
}
