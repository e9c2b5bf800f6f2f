// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What there is to see in a comparison: how large its differences are, when they are largest, and
// from which side one sees most of them.
#ifndef SINEW_APPS_CLI_MOMENTS_H
#define SINEW_APPS_CLI_MOMENTS_H

#include "cli/pair.h"

#define MOMENTS_LOOKS 120 // times of the clip that are looked at

// Differences over a part of a clip. That of a time is what all but 1 % of the surface keeps below:
// a single vertex does not count.
typedef struct Moments {
    double first, last;              // of the part, s
    double sizes[MOMENTS_LOOKS + 1]; // evenly from first to last, m
    double largest;                  // of them, or what is hardly seen, m
} Moments;

// Looks at a part of the clip.
snStatus findMoments(Pair* pair, double first, double last, Moments* moments, snMessage* why);

// The first time and those with the largest differences that keep some distance from each other.
// Writes up to `most` of them, rising; returns how many.
int32_t chooseMoments(const Moments* moments, int32_t most, double* times);

// By how much the usual view is turned to the side that shows most at some times, rad. turn: where
// the character's front is
snStatus chooseSide(Pair* pair, const double* times, int32_t count, double turn, double* side,
                    snMessage* why);

#endif
