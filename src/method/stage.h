// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the stages of a step take, for who measures them. One thread alone can be watched.
#ifndef SN_METHOD_STAGE_H
#define SN_METHOD_STAGE_H

#include "base/clock.h"
#include <stddef.h>
#include <stdint.h>

#define SN_MOST_STAGES 16

typedef struct snStageClock {
    double spent[SN_MOST_STAGES]; // s
    double since;                 // when the present stage began, s
    int32_t stage;                // the present one; -1 = none
} snStageClock;

static inline void snStageClock_Init(snStageClock* clock)
{
    *clock = (snStageClock){.stage = -1};
}

// Another stage begins; -1: the step ends. NULL is fine.
static inline void snStageClock_Enter(snStageClock* clock, int32_t stage)
{
    if (clock) {
        double now = snClock_Now();
        if (clock->stage >= 0) {
            clock->spent[clock->stage] += now - clock->since;
        }
        clock->stage = stage;
        clock->since = now;
    }
}

#endif
