// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the machine can do at most, for comparison: copying memory, and fused multiply-adds.
#ifndef SINEW_BENCH_MACHINE_H
#define SINEW_BENCH_MACHINE_H

#include "base/memory.h"
#include "base/tasks.h"
#include <stdbool.h>

// Copies `bytes` from one array to another, in equal parts on all threads.
typedef struct snMachineCopy {
    snTasks* tasks;
    size_t bytes;
    char *from, *to;
} snMachineCopy;

// tasks may be set later. False when there is no memory for it.
bool snMachineCopy_Open(snMachineCopy* copy, size_t bytes);
void snMachineCopy_Close(snMachineCopy* copy);
void snMachineCopy_Run(void* copy, int n);

// Fused multiply-adds of the widest vectors, on every thread.
typedef struct snMachineFma {
    snTasks* tasks;
    snIsa isa;                           // chosen
    int rounds;                          // in one run
    volatile float sink[SN_MAX_THREADS]; // so that nothing is left out
} snMachineFma;

// Multiplications and additions of one run on one thread; 0 = this processor has none that we know.
double snMachineFma_Flops(const snMachineFma* fma);
void snMachineFma_Run(void* fma, int n);

#endif
