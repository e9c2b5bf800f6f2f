// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "world/account.h"

#include <stdbool.h>
#include <string.h>

static const char* const NAMES[sn_workCount] = {
    [sn_workDrives] = "drives",   [sn_workDrags] = "drags",     [sn_workGravity] = "gravity",
    [sn_workContact] = "contact", [sn_workDamping] = "damping", [sn_workFields] = "fields",
    [sn_workHost] = "host",
};

const char* snWorkKind_Name(int32_t work)
{
    return work >= 0 && work < sn_workCount ? NAMES[work] : NULL;
}

void snAccount_Begin(snAccount* account, double energy)
{
    if (!account->known) {
        *account = (snAccount){.known = 1, .start = energy};
    }
}

void snAccount_Add(snAccount* account, int32_t work, double joules)
{
    if (joules > 0) {
        account->in[work] += joules;
    } else {
        account->out[work] -= joules;
    }
}

// What is left when all work is taken off the change of energy.
static void settle(snEnergyBalance* b)
{
    b->rest = b->now - b->start;
    b->turnover = 0;
    for (int32_t k = 0; k < sn_workCount; ++k) {
        b->rest -= b->in[k] - b->out[k];
        b->turnover += b->in[k] + b->out[k];
    }
}

snEnergyBalance snAccount_Balance(const snAccount* account, double energy)
{
    snEnergyBalance b = {.start = account->known ? account->start : energy, .now = energy};
    if (account->known) {
        memcpy(b.in, account->in, sizeof b.in);
        memcpy(b.out, account->out, sizeof b.out);
    }
    settle(&b);
    return b;
}

static bool add(snEnergyBalance* sum, const snEnergyBalance* part)
{
    if (part) {
        sum->start += part->start;
        sum->now += part->now;
        for (int32_t k = 0; k < sn_workCount; ++k) {
            sum->in[k] += part->in[k];
            sum->out[k] += part->out[k];
        }
    }
    return part != NULL;
}

int32_t snFrame_Balance(const snFrame* frame, snEnergyBalance* all)
{
    bool any = false;
    *all = (snEnergyBalance){0};
    for (int32_t i = 0; frame && i < frame->character_count; ++i) {
        any = add(all, frame->characters[i].balance) || any;
    }
    for (int32_t i = 0; frame && i < frame->obstacle_count; ++i) {
        any = add(all, frame->obstacles[i].balance) || any;
    }
    settle(all);
    return any;
}
