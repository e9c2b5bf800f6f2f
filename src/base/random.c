// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/random.h"

snRandom snRandom_Seed(uint64_t seed)
{
    snRandom random = {0, seed << 1 | 1};
    snRandom_Bits(&random);
    random.state += seed * 0x9E3779B97F4A7C15u + 0xD1B54A32D192ED03u;
    snRandom_Bits(&random);
    return random;
}

uint32_t snRandom_Bits(snRandom* random)
{
    uint64_t s = random->state;
    random->state = s * 6364136223846793005u + random->inc;
    uint32_t folded = (uint32_t)(((s >> 18) ^ s) >> 27);
    uint32_t turn = (uint32_t)(s >> 59);
    return folded >> turn | folded << ((32 - turn) & 31);
}

double snRandom_Unit(snRandom* random)
{
    uint64_t high = snRandom_Bits(random) >> 5;
    uint64_t low = snRandom_Bits(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

double snRandom_Range(snRandom* random, double lo, double hi)
{
    return lo + (hi - lo) * snRandom_Unit(random);
}

uint32_t snRandom_Below(snRandom* random, uint32_t n)
{
    // 2^32 mod n draws at the bottom are thrown away; the rest divides evenly
    uint32_t bottom = (0u - n) % n;
    uint32_t bits;
    do {
        bits = snRandom_Bits(random);
    } while (bits < bottom);
    return bits % n;
}

double snRandom_Normal(snRandom* random)
{
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
        sum += snRandom_Unit(random);
    }
    return sum;
}
