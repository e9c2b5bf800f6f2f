// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "machine.h"

#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Copying ---------------------------------------------------------------------

bool snMachineCopy_Open(snMachineCopy* copy, size_t bytes)
{
    *copy = (snMachineCopy){.bytes = bytes,
                            .from = aligned_alloc(SN_ALIGNMENT, bytes),
                            .to = aligned_alloc(SN_ALIGNMENT, bytes)};
    if (!copy->from || !copy->to) {
        return false;
    }
    memset(copy->from, 1, bytes); // or all pages were the one of zeros
    memset(copy->to, 2, bytes);
    return true;
}

void snMachineCopy_Close(snMachineCopy* copy)
{
    free(copy->from);
    free(copy->to);
}

static void copyPart(void* argument, int part, int worker)
{
    const snMachineCopy* c = argument;
    const size_t bytes = c->bytes / (size_t)snTasks_WorkerCount(c->tasks);
    (void)worker;
    memcpy(c->to + (size_t)part * bytes, c->from + (size_t)part * bytes, bytes);
}

void snMachineCopy_Run(void* copy, int n)
{
    snMachineCopy* c = copy;
    for (int i = 0; i < n; ++i) {
        snTasks_Run(c->tasks, snTasks_WorkerCount(c->tasks), copyPart, c);
    }
}

// Fused multiply-adds ---------------------------------------------------------

// Independent chains: more than latency times the number of units, 4 x 2, and few enough to stay in
// registers.
#define CHAINS 12

#if defined(__x86_64__)

__attribute__((target("avx512f"))) static float fma512(int rounds)
{
    const __m512 a = _mm512_set1_ps(0.999F), b = _mm512_set1_ps(0.001F);
    __m512 x[CHAINS];
    float out[16];
    for (int k = 0; k < CHAINS; ++k) {
        x[k] = _mm512_set1_ps((float)k);
    }
    for (int i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int k = 0; k < CHAINS; ++k) {
            x[k] = _mm512_fmadd_ps(x[k], a, b);
        }
    }
    for (int k = 1; k < CHAINS; ++k) {
        x[0] = _mm512_add_ps(x[0], x[k]);
    }
    _mm512_storeu_ps(out, x[0]);
    return out[0];
}

__attribute__((target("avx2,fma"))) static float fma256(int rounds)
{
    const __m256 a = _mm256_set1_ps(0.999F), b = _mm256_set1_ps(0.001F);
    __m256 x[CHAINS];
    float out[8];
    for (int k = 0; k < CHAINS; ++k) {
        x[k] = _mm256_set1_ps((float)k);
    }
    for (int i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int k = 0; k < CHAINS; ++k) {
            x[k] = _mm256_fmadd_ps(x[k], a, b);
        }
    }
    for (int k = 1; k < CHAINS; ++k) {
        x[0] = _mm256_add_ps(x[0], x[k]);
    }
    _mm256_storeu_ps(out, x[0]);
    return out[0];
}

static int lanes(snIsa isa)
{
    return isa == sn_isaAvx512 ? 16 : isa == sn_isaAvx2 ? 8 : 0;
}

static float chain(snIsa isa, int rounds)
{
    return isa == sn_isaAvx512 ? fma512(rounds) : isa == sn_isaAvx2 ? fma256(rounds) : 0;
}

#else

static int lanes(snIsa isa)
{
    (void)isa;
    return 0;
}

static float chain(snIsa isa, int rounds)
{
    (void)isa;
    (void)rounds;
    return 0;
}

#endif

double snMachineFma_Flops(const snMachineFma* fma)
{
    return 2.0 * CHAINS * lanes(fma->isa) * fma->rounds;
}

static void fmaPart(void* argument, int part, int worker)
{
    snMachineFma* f = argument;
    (void)worker;
    f->sink[part] = chain(f->isa, f->rounds);
}

void snMachineFma_Run(void* fma, int n)
{
    snMachineFma* f = fma;
    for (int i = 0; i < n; ++i) {
        snTasks_Run(f->tasks, snTasks_WorkerCount(f->tasks), fmaPart, f);
    }
}
