// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Hashes of results, written down once: what every compiler, optimisation level, instruction set
// (SINEW_ISA) and number of threads must give. Whoever changes the mechanics on purpose takes over
// the lines that a failing run prints.
#ifndef SN_TESTS_SIM_GOLDEN_H
#define SN_TESTS_SIM_GOLDEN_H

#include "base/cpu.h"
#include "base/sanitized.h"
#include "check.h"

#include <inttypes.h>

typedef struct Golden {
    const char* name; // of the constant
    uint64_t hash;
} Golden;

// Slow runs are done on GOLDEN_LEAST .. GOLDEN_MOST threads; a sanitizer sees all in one of them.
enum { GOLDEN_MOST = 3, GOLDEN_LEAST = SN_SANITIZED ? GOLDEN_MOST : 1 };

static snIsa golden_isa = sn_isaAuto;

static inline snHost goldenHost(int32_t threads)
{
    snHost host;
    snHost_Init(&host);
    host.thread_count = threads;
    host.isa = (int32_t)golden_isa;
    return host;
}

// Of a run on so many threads; 0: where they do not matter
static inline void checkGolden(const Golden* golden, int32_t threads, uint64_t found)
{
    if (found != golden->hash) {
        print_error("%s, threads: %d\n", golden->name, (int)threads);
        print_error("static const Golden %s = {\"%s\", 0x%016" PRIx64 "};\n", golden->name,
                    golden->name, found);
        fail();
    }
}

// Takes SINEW_ISA; what main returns at once when it is not 0
static inline int chooseIsa(void)
{
    const char* wanted = getenv("SINEW_ISA");
    if (wanted && !snIsa_FromName(wanted, &golden_isa)) {
        print_error("SINEW_ISA is auto, baseline, avx2 or avx512, not '%s'\n", wanted);
        return 1;
    }
    if (golden_isa > snCpu_Best()) {
        print_error("SKIP: this processor has no %s\n", wanted);
        return 77;
    }
    return 0;
}

#endif
