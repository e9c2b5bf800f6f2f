// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which instruction sets this processor has, and the floating-point mode of steps.
#ifndef SN_BASE_CPU_H
#define SN_BASE_CPU_H

#include <stdbool.h>

#include "base/language.h"
#include "sinew/base.h"

SN_BEGIN_C

// The best instruction set that processor and operating system support; never sn_isaAuto.
snIsa snCpu_Best(void);

// An snIsa as wanted, or the best available one below it; sn_isaAuto and nonsense give the best.
snIsa snCpu_Choose(int32_t wanted);

// "auto", "baseline", "avx2", "avx512"
const char* snIsa_Name(snIsa isa);

// The reverse; false, and *out unchanged, for any other text.
bool snIsa_FromName(const char* name, snIsa* out);

// The mode that tasks run in: subnormals are zero (they cost a hundred cycles each and nobody sees
// them), round to nearest, no traps. Processors other than x86 keep their default.
typedef struct snFpMode {
    uint32_t saved;
} snFpMode;

snFpMode snFpMode_Enter(void);
void snFpMode_Leave(snFpMode mode);

SN_END_C

#endif
