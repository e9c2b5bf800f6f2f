// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The clock on the wall. It decides nothing in a simulation; it paces what is shown of one.
#ifndef SN_BASE_CLOCK_H
#define SN_BASE_CLOCK_H

#include "base/language.h"

SN_BEGIN_C

// Seconds since some moment
double snClock_Now(void);

SN_END_C

#endif
