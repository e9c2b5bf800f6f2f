// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Random numbers that are the same on every machine: PCG32 (O'Neill 2014, XSH-RR 64/32).
#ifndef SN_BASE_RANDOM_H
#define SN_BASE_RANDOM_H

#include "base/language.h"
#include <stdint.h>

SN_BEGIN_C

typedef struct snRandom {
    uint64_t state, inc;
} snRandom;

// Every seed gives its own sequence, neighbouring seeds unrelated ones.
snRandom snRandom_Seed(uint64_t seed);

// 32 uniform bits
uint32_t snRandom_Bits(snRandom* random);

// uniform in [0, 1), all 53 bits
double snRandom_Unit(snRandom* random);

// uniform between lo and hi; the ends can occur by rounding
double snRandom_Range(snRandom* random, double lo, double hi);

// uniform in 0 .. n-1, without bias; n > 0
uint32_t snRandom_Below(snRandom* random, uint32_t n);

// Nearly normal, mean 0, deviation 1: the sum of 12 uniforms less 6, so never beyond +-6. Needs no
// logarithm, hence the same bits everywhere.
double snRandom_Normal(snRandom* random);

SN_END_C

#endif
