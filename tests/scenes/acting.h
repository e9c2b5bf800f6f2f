// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What holds for every scene in which a character acts by itself.
#ifndef SN_TESTS_SCENES_ACTING_H
#define SN_TESTS_SCENES_ACTING_H

#include "sim/flesh.h"

#define SUNK 0.02 // of the body's size: what the deepest point may be in what it touches

typedef struct Act {
    snScene* scene;
    snSim* sim;
} Act;

// At rest: nobody is thrown.
static inline Act beginAct(const char* name)
{
    Act act = {NULL, NULL};
    snMessage why;
    assert_non_null(snBuiltinScene_Find(name));
    assert_ok(snBuiltinScene_Find(name)->make(NULL, &act.scene, &why), why);
    act.sim = startSim(act.scene);
    const snFrame* f = snSim_Frame(act.sim);
    for (int32_t i = 0; i < f->character_count; ++i) {
        assert_true(f->characters[i].energy.kinetic == 0);
    }
    return act;
}

static inline void endAct(Act* act)
{
    snSim_Free(act->sim);
    snScene_Free(act->scene);
}

static inline const snFrame* nextFrame(const Act* act)
{
    advance(act->sim, 1 / snScene_Def(act->scene)->frame_rate);
    const snFrame* f = snSim_Frame(act->sim);
    assert_true(isFrameFinite(f));
    assert_int_equal(f->guard.retries, 0);
    return f;
}

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

// Gravity and contact alone change a character's momentum: step by step from now to `until`.
static inline void onlyGravityAndContactOn(const Act* act, int32_t who, double until)
{
    const snVec3 gravity = snScene_Def(act->scene)->gravity;
    const snFrame* f = snSim_Frame(act->sim);
    const snMomentum first = f->characters[who].momentum;
    snVec3 push = {0, 0, 0}, turn = {0, 0, 0};
    double size = 0, turn_size = 0;
    int64_t last = f->step;
    while (f->time < until) {
        double h = f->step_size;
        advance(act->sim, h);
        f = snSim_Frame(act->sim);
        assert_int_equal(f->step - last, 1); // loads are those of one step
        last = f->step;
        const snWrench* load = &f->characters[who].contact_load;
        snVec3 force = snMulAdd(load->f, first.mass, gravity);
        push = snMulAdd(push, h, force);
        turn = snMulAdd(turn, h, load->n);
        size += h * (snLength(load->f) + first.mass * snLength(gravity));
        turn_size += h * snLength(load->n);
    }
    const snMomentum* m = &f->characters[who].momentum;
    double off = snLength(snSub(snSub(m->linear, first.linear), push));
    double turn_off = snLength(snSub(snSub(m->angular, first.angular), turn));
    print_message("momentum is off by %.2g of what gravity and contact gave, angular %.2g\n",
                  off / size, turn_off / turn_size);
    assert_below(off, 1e-3 * size);
    assert_below(turn_off, 1e-2 * turn_size); // moments are taken in mid-step
}

static inline void onlyGravityAndContact(const Act* act, double until)
{
    onlyGravityAndContactOn(act, 0, until);
}

#endif
