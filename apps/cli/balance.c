// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/balance.h"

#include <stdbool.h>
#include <stdio.h>

snStatus wantBalance(snSim* sim, int32_t character_count, snMessage* why)
{
    snStatus status = sn_ok;
    for (int32_t i = 0; i < character_count && !status; ++i) {
        snWantDef def;
        snWantDef_Init(&def);
        def.wanted |= sn_wantedBalance;
        status = snSim_Want(sim, i, &def, why);
    }
    return status;
}

// Kinds of work that nothing did have no column.
static bool isShown(const snEnergyBalance* all, int32_t work)
{
    return all->in[work] > 0 || all->out[work] > 0;
}

static void printRow(const char* name, const snEnergyBalance* b, const snEnergyBalance* all)
{
    printf("%-16.16s%10.4g", name, b->start);
    for (int32_t k = 0; k < sn_workCount; ++k) {
        if (isShown(all, k)) {
            printf("%10.4g", b->in[k] - b->out[k]);
        }
    }
    printf("%10.2g%10.4g\n", b->rest, b->now);
}

void printBalance(const snFrame* frame)
{
    snEnergyBalance all;
    if (!snFrame_Balance(frame, &all)) {
        return;
    }
    printf("%-16s%10s", "energy [J]", "start");
    for (int32_t k = 0; k < sn_workCount; ++k) {
        if (isShown(&all, k)) {
            printf("%10s", snWorkKind_Name(k));
        }
    }
    printf("%10s%10s\n", "remainder", "end");
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = snFrame_Character(frame, i);
        if (c->balance) {
            printRow(c->name, c->balance, &all);
        }
    }
    for (int32_t i = 0; i < frame->obstacle_count; ++i) {
        const snFrameObstacle* o = snFrame_Obstacle(frame, i);
        if (o->balance) {
            printRow(o->name, o->balance, &all);
        }
    }
    printRow("all", &all, &all);
    printf("the remainder is %.2g %% of the %.4g J of work done\n",
           all.turnover > 0 ? 100 * all.rest / all.turnover : 0, all.turnover);
}
