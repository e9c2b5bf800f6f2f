// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A starfish jumps, turns over in the air and lands on its back (Kim & Pollard 2011, Fig. 10):
// place and tilt of the hub by direct control, then free fall.
#include "actor.h"
#include "builtin.h"

// It weighs 26.5 kg. 150 Nm at the base of an arm 0.4 m long lifts one and a half times its weight.
// The jump takes 2.6 kW at its peak, 100 W/kg.
static const snStance STANCE = {{-16, -60, -20}, 0.3, 4e-5, 150};

static const snMove MOVES[] = {
    // it rises on its arms and leans back, onto arm 1
    {0.4, 1.15, 1.2, SN_HUB, {0, 0.045, 0}, {0, 0.1, 0}, 0, -36, 8, 1, 0.1},
    // off: up and forward, far beyond where its arms can follow, so that they are let go in full
    // swing
    {1.2, 1.54, 1.32, SN_HUB, {0, 0.1, 0}, {0, 0.7, -0.16}, -36, 70, 16, 1, 0.015},
    // the arms in front are raised: those behind push alone, which turns it
    {1.22, 1.56, 1.32, SN_ARM3, {-0.26, 0, 0.36}, {-0.16, 1, 0.4}, 0, 0, 16, 0.01, 0},
    {1.22, 1.56, 1.32, SN_ARM4, {0.26, 0, 0.36}, {0.16, 1, 0.4}, 0, 0, 16, 0.01, 0},
};
#define MOVE_COUNT ((int)(sizeof MOVES / sizeof MOVES[0]))

snStatus snMakeJumpTurnStarfish(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 3;
    def.ground = 1;
    snStatus status = snScene_Create(host, &def, scene, why);
    status = status ? status : snAddActor(host, *scene, &STANCE, MOVES, MOVE_COUNT, why);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
