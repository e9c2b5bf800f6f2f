// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where the energy of a run came from and went.
#ifndef SINEW_APPS_CLI_BALANCE_H
#define SINEW_APPS_CLI_BALANCE_H

#include <sinew/sinew.h>

// From now on the frames of a sim have the balance of all its characters.
snStatus wantBalance(snSim* sim, int32_t character_count, snMessage* why);

// On stdout, a row for each body and one for all.
void printBalance(const snFrame* frame);

#endif
