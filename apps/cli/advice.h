// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What to try when a body's flesh moves too little or is held back too often.
#ifndef SINEW_APPS_CLI_ADVICE_H
#define SINEW_APPS_CLI_ADVICE_H

#include <sinew/sinew.h>
#include <stdbool.h>

// Prints lines on stdout, or none. moved: how far flesh went, m; limited: share of frames in which
// it was at its limit; ahead: of a bake.
void printAdvice(const snBodyDef* def, const snBodyInfo* info, double moved, double limited,
                 bool ahead);

// The softness at which flesh moves `times` as far, Hz.
double softnessFor(const snBodyInfo* info, double times);

#endif
