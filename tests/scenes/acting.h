// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What holds for every scene in which a character acts by itself.
#ifndef SN_TESTS_SCENES_ACTING_H
#define SN_TESTS_SCENES_ACTING_H

#include "sim/flesh.h"
#include "sim/scene.h"

#define SUNK 0.02    // of the body's size: what the deepest point may be in what it touches
#define ROLLING 0.03 // of friction, at half of the size: what may stop a body's rolling
#define MOST_ACTORS 12

// What gravity and contact gave a character since the start.
typedef struct Ledger {
    snMomentum first;
    double length;          // of the body's longest side, m
    snVec3 push, turn;      // kg m/s, kg m^2/s
    double size, turn_size; // the same, whichever way
    double off, turn_off;   // the largest that was not from them, at the end of a frame
    double rolling;         // the largest moment that no contact gave, of all forces times the size
} Ledger;

typedef struct Act {
    snScene* scene;
    snSim* sim;
    bool unwatched; // no ledgers are kept, which takes a third of the time
    int32_t count;
    Ledger ledgers[MOST_ACTORS];
} Act;

// The longest side of the surface.
static inline double sizeOfBody(const snFrameCharacter* c)
{
    snVec3 lo = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
        snVec3 p = pointAt(c->surfaces[0].position, i);
        lo = snV3(fmin(lo.x, p.x), fmin(lo.y, p.y), fmin(lo.z, p.z));
        hi = snV3(fmax(hi.x, p.x), fmax(hi.y, p.y), fmax(hi.z, p.z));
    }
    return fmax(hi.x - lo.x, fmax(hi.y - lo.y, hi.z - lo.z));
}

// Nobody is thrown, and no root is told where to go.
static inline void nobodyIsMoved(const snScene* scene)
{
    for (int32_t i = 0; i < scene->world.actor_count; ++i) {
        const snActor* actor = &scene->world.actors[i];
        const snSkeleton* skeleton = snCharacter_Moving(actor->character);
        assert_true(snLength(actor->velocity) == 0 && snLength(actor->spin) == 0);
        for (int32_t k = 0; k < skeleton->nv; ++k) {
            assert_true(actor->qd[k] == 0);
        }
        assert_int_equal(skeleton->bones[0].type, sn_jointFree);
        for (const snDrive* d = actor->drive[0]; d; d = d->next) {
            assert_int_equal(d->kind, sn_driveFree);
        }
    }
    for (int32_t i = 0; i < snScene_ObstacleCount(scene); ++i) {
        const snObstacleDef* o = snScene_Obstacle(scene, i);
        assert_true(snLength(o->velocity) == 0 && snLength(o->spin) == 0);
    }
}

static inline Act openAct(snScene* scene)
{
    Act act = {.scene = scene, .sim = startSim(scene)};
    const snFrame* f = snSim_Frame(act.sim);
    nobodyIsMoved(scene);
    act.count = f->character_count;
    assert_true(act.count <= MOST_ACTORS);
    for (int32_t i = 0; i < act.count; ++i) {
        act.ledgers[i].first = f->characters[i].momentum;
        act.ledgers[i].length = sizeOfBody(&f->characters[i]);
        assert_true(f->characters[i].energy.kinetic == 0);
    }
    return act;
}

static inline Act beginAct(const char* name)
{
    snScene* scene = NULL;
    snMessage why;
    assert_non_null(snBuiltinScene_Find(name));
    assert_ok(snBuiltinScene_Find(name)->make(NULL, &scene, &why), why);
    return openAct(scene);
}

// What there is of a character's load besides the sum of its contacts: rolling resistance.
static inline void keepRolling(Act* act, const snFrame* f)
{
    snVec3 sums[MOST_ACTORS] = {{0, 0, 0}};
    double sizes[MOST_ACTORS] = {0};
    for (int32_t k = 0; k < f->contact_count; ++k) {
        const snContact* c = &f->contacts[k];
        int32_t with = c->with == sn_withCharacter ? c->other : -1;
        for (int side = 0; side < 2 && with != c->character; ++side) {
            int32_t i = side ? with : c->character;
            if (i >= 0) {
                snVec3 arm = snSub(c->place, f->characters[i].momentum.com);
                snVec3 turn = snCross(arm, c->force);
                sums[i] = snMulAdd(sums[i], side ? -1 : 1, turn);
                sizes[i] += snLength(c->force);
            }
        }
    }
    for (int32_t i = 0; i < act->count; ++i) {
        Ledger* l = &act->ledgers[i];
        double rest = snLength(snSub(f->characters[i].contact_load.n, sums[i]));
        double size = sizes[i] * l->length;
        assert_true(size > 0 || rest == 0);
        l->rolling = size > 0 ? fmax(l->rolling, rest / size) : l->rolling;
    }
}

// Writes down what acted on everybody in the step that was done last.
static inline void keepLedgers(Act* act, const snFrame* f, double h)
{
    const snVec3 gravity = snScene_Def(act->scene)->gravity;
    for (int32_t i = 0; i < act->count; ++i) {
        Ledger* l = &act->ledgers[i];
        const snWrench* load = &f->characters[i].contact_load;
        l->push = snMulAdd(l->push, h, snMulAdd(load->f, l->first.mass, gravity));
        l->turn = snMulAdd(l->turn, h, load->n);
        l->size += h * (snLength(load->f) + l->first.mass * snLength(gravity));
        l->turn_size += h * snLength(load->n);
    }
}

static inline void checkLedgers(Act* act, const snFrame* f)
{
    for (int32_t i = 0; i < act->count; ++i) {
        Ledger* l = &act->ledgers[i];
        const snMomentum* m = &f->characters[i].momentum;
        l->off = fmax(l->off, snLength(snSub(snSub(m->linear, l->first.linear), l->push)));
        l->turn_off =
            fmax(l->turn_off, snLength(snSub(snSub(m->angular, l->first.angular), l->turn)));
    }
}

// Every step of it, for loads are those of one.
static inline const snFrame* nextFrame(Act* act)
{
    const snFrame* f = snSim_Frame(act->sim);
    const double h = f->step_size, until = f->time + 1 / snScene_Def(act->scene)->frame_rate;
    if (act->unwatched) {
        advance(act->sim, until - f->time);
        f = snSim_Frame(act->sim);
    }
    while (f->time < until - 0.5 * h) {
        int64_t last = f->step;
        advance(act->sim, h);
        f = snSim_Frame(act->sim);
        assert_int_equal(f->step - last, 1);
        keepLedgers(act, f, h);
        keepRolling(act, f);
    }
    if (!act->unwatched) {
        checkLedgers(act, f);
    }
    assert_true(isFrameFinite(f));
    assert_int_equal(f->guard.retries, 0);
    return f;
}

// Gravity and contact alone have changed anybody's momentum, all the time; and all but rolling
// resistance is in the contacts that frames show.
static inline void checkAct(const Act* act)
{
    double off = 0, turn_off = 0, rolling = 0;
    for (int32_t i = 0; i < act->count; ++i) {
        const Ledger* l = &act->ledgers[i];
        off = fmax(off, l->off / l->size);
        turn_off = fmax(turn_off, l->turn_size > 0 ? l->turn_off / l->turn_size : 0);
        rolling = fmax(rolling, l->rolling);
    }
    print_message("until %.3f s momentum is off by %.2g of what gravity and contact gave, angular "
                  "%.2g; rolling resistance is up to %.2g of all forces times the size\n",
                  snSim_Time(act->sim), off, turn_off, rolling);
    assert_below(off, 1e-6);      // loads and nodes are floats
    assert_below(turn_off, 1e-2); // moments are taken in mid-step
    assert_below(rolling, 0.5 * ROLLING);
}

static inline void endAct(Act* act)
{
    if (act->unwatched) {
        print_message("until %.3f s; NOT CHECKED: what changed momentum (no ledgers were kept)\n",
                      snSim_Time(act->sim));
    } else {
        checkAct(act);
    }
    snSim_Free(act->sim);
    snScene_Free(act->scene);
}

#endif
