// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What did work on a body, for those who want to know (sn_wantedBalance). Accounts lie in the
// world's slice behind the events and are in no hash: whether somebody looks changes no bits.
#ifndef SN_WORLD_ACCOUNT_H
#define SN_WORLD_ACCOUNT_H

#include "base/def.h"
#include <sinew/sim.h>

SN_BEGIN_C

// In the state.
typedef struct snAccount {
    int64_t known;                              // 0: it has not begun
    double start;                               // kinetic and elastic energy when it began, J
    double held;                                // the same before what is no force, J
    double in[sn_workCount], out[sn_workCount]; // work done on the body and by it, J
} snAccount;

// Begins with an energy, unless it has.
void snAccount_Begin(snAccount* account, double energy);

// Work done in a step.
void snAccount_Add(snAccount* account, int32_t work, double joules);

// As frames show it, with the energy that the body has now.
snEnergyBalance snAccount_Balance(const snAccount* account, double energy);

SN_END_C

#endif
