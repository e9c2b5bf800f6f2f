// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What hosts do between steps, as part of a balance.
#include "base/cpu.h"
#include "sim/sim_state.h"

static double heldByCharacter(snSim* sim, int32_t who)
{
    snFpMode mode = snFpMode_Enter();
    sim->method->writeFrame(sim->data, sim->tasks, snSim_Slices(sim->state), sim->state->shift);
    snFpMode_Leave(mode);
    const snEnergyBalance* balance = sim->data->characters[who].balance;
    return balance ? balance->now : 0;
}

double snSim_Held(snSim* sim, bool obstacle, int32_t number)
{
    const snSurroundings* around = &sim->data->around;
    if (!around->balanced) {
        return 0;
    }
    sim->frame_step = -1; // frames' arrays are used
    void* state = snSim_Slices(sim->state);
    return obstacle
               ? snSurroundings_ObstacleAt(around, state, number, snSim_Time(sim)).energy.kinetic
               : heldByCharacter(sim, number);
}

void snSim_NoteHost(snSim* sim, bool obstacle, int32_t number, double held)
{
    if (sim->data->around.balanced) {
        snAccount* account =
            snSurroundings_Account(&sim->data->around, snSim_Slices(sim->state), obstacle, number);
        double now = snSim_Held(sim, obstacle, number);
        if (account->known) {
            snAccount_Add(account, sn_workHost, now - held);
        }
    }
}
