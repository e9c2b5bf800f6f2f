// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/cpu.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <xmmintrin.h>
#endif

static const char* const isa_names[] = {"auto", "baseline", "avx2", "avx512"};
static const int isa_count = sizeof(isa_names) / sizeof(isa_names[0]);

snIsa snCpu_Best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    // clang 14 has no name for this one
    unsigned a, b, c, d;
    bool f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
    if (!(f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
          __builtin_cpu_supports("bmi2"))) {
        return sn_isaBaseline;
    }
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
    return avx512 ? sn_isaAvx512 : sn_isaAvx2;
#else
    return sn_isaBaseline;
#endif
}

snIsa snCpu_Choose(int32_t wanted)
{
    snIsa best = snCpu_Best();
    return wanted > sn_isaAuto && wanted < (int32_t)best ? (snIsa)wanted : best;
}

const char* snIsa_Name(snIsa isa)
{
    int i = (int)isa;
    return i >= 0 && i < isa_count ? isa_names[i] : "unknown";
}

bool snIsa_FromName(const char* name, snIsa* out)
{
    for (int i = 0; i < isa_count; ++i) {
        if (strcmp(name, isa_names[i]) == 0) {
            *out = (snIsa)i;
            return true;
        }
    }
    return false;
}

snFpMode snFpMode_Enter(void)
{
#if defined(__x86_64__)
    uint32_t saved = _mm_getcsr();
    // bit 15 flush results, bit 6 flush operands, bits 13-14 rounding (0: nearest), bits 7-12 no
    // traps
    _mm_setcsr((saved & ~0x6000u) | 0x8000u | 0x0040u | 0x1F80u);
    return (snFpMode){saved};
#else
    return (snFpMode){0};
#endif
}

void snFpMode_Leave(snFpMode mode)
{
#if defined(__x86_64__)
    _mm_setcsr(mode.saved);
#else
    (void)mode;
#endif
}
