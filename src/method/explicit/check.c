// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the guard is told after every step: coordinates, flesh, depth of contacts.
#include "method/explicit/actor.h"
#include "skel/joint.h"
#include <math.h>

// Faster than this (rad/s, m/s) nothing a person animates moves; beyond it a run has gone wrong.
#define MOST_SPEED 1e5
#define MOST_PLACE 1e12 // rad, m

// Part of the energy that flesh holds which it may seem to gain between two looks at it: what the
// account is off by near the largest stable step.
#define MOST_GAIN 0.25

// Cells that a node may pass in one step, against its bones. One or two happen to the lightest
// nodes of undamped flesh.
#define MOST_CELLS 10

// Steps after which the account of elastic energy is set right, which takes the time of one.
#define ACCOUNT_STEPS 256

// Part of its local thickness by which a body may be squeezed where it touches another before steps
// become shorter.
#define MOST_DEPTH 0.06
#define MOST_DEPTH_PROJECTED 0.01

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

// Flesh cannot give more energy than went into it. The account of what elastic forces did is
// cheap; when it is overdrawn the true energy decides. Now and then it is set right, so that
// rounding does not add up, and when the step changes, so that a frame that is done again does not
// answer for older ones.
void snActor_CheckFlesh(snActorSpace* a, snTasks* tasks, const snNodesTally* tally, double h,
                        int32_t index)
{
    const snFlesh* flesh = a->flesh;
    snNodesHead* head = a->nodes.head;
    double fastest = sqrt(tally->fastest);
    double floor = 1e-4 * flesh->cell * a->actor->character->info.total_mass;
    if (tally->bad >= 0) {
        a->verdict = (snVerdict){index, -1, sn_troubleNotFinite};
        return;
    }
    if (!(fastest * h < MOST_CELLS * flesh->cell)) {
        a->verdict = (snVerdict){index, -1, sn_troubleCells};
        return;
    }
    bool fresh = head->step != h;
    head->bank -= tally->before;
    if (fresh || head->bank < -floor || ++head->age >= ACCOUNT_STEPS) {
        double truth =
            snCells_Energy(flesh->cells, tasks, a->nodes.isa, a->nodes.x, a->nodes.cells_work);
        double held = truth + tally->jiggle, most = held > head->held ? held : head->held;
        if (!fresh && truth - head->bank > floor + MOST_GAIN * most) {
            a->verdict = (snVerdict){index, -1, sn_troubleEnergy};
        }
        head->bank = truth;
        head->held = held;
        head->step = h;
        head->age = 0;
    }
    head->bank -= tally->after;
}

// A step that is long against a blow lets a body sink in too far: shorter ones help.
bool snActors_AreDeep(const snExplicitData* data, snVerdict* verdict)
{
    bool projected = data->head.around.contacts.project;
    double most = projected ? MOST_DEPTH_PROJECTED : MOST_DEPTH;
    for (int32_t i = 0; i < data->head.actor_count; ++i) {
        const snSoft* soft = data->actors[i].neighbour->soft;
        if (soft && soft->excess > most) {
            *verdict = (snVerdict){i, -1, sn_troubleDeep};
            return true;
        }
    }
    return false;
}
