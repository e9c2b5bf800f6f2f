// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "bench.h"

#include "base/cpu.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define RUN_SECONDS 2e-3 // long against the clock, short against the scheduler
#define SLOW 0.1         // s; what takes so long needs no warming up

static const snBench BENCHES[] = {
    {"table3", "a step of the four starfish and its stages (Kim & Pollard 2011, Table III)",
     snBench_Table3},
    {"table4", "seconds per simulated second of all characters (Table IV), and contact's share",
     snBench_Table4},
    {"table5", "what selective diagonalisation saves, with either SVD (Table V)", snBench_Table5},
    {"scaling", "time per tet from a thousand to ten million, per bone from 30 to 10,000",
     snBench_Scaling},
    {"crowd", "coarse starfish in real time in one process, and a thousand of them", snBench_Crowd},
    {"kernels", "elastic forces and 3 x 3 SVD beside what the machine can do", snBench_Kernels},
    {"bake", "seconds per second of a rig's clip", snBench_Bake},
    {"peers", "a skeleton beside MuJoCo, a soft beam beside Bullet", snBench_Peers},
    {NULL, NULL, NULL},
};

const snBench* snBenches(void)
{
    return BENCHES;
}

snStatus snBench_Run(const snBench* bench, const snBenchOut* out, snMessage* why)
{
    snFpMode mode = snFpMode_Enter();
    snStatus status = bench->run(out, why);
    snFpMode_Leave(mode);
    return status;
}

static double readClock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double snBench_Now(void)
{
    return readClock(CLOCK_MONOTONIC);
}

double snBench_Clock(int threads)
{
    return readClock(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC);
}

void snBench_Threads(int counts[2])
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int most = cores < SN_MAX_THREADS ? cores : SN_MAX_THREADS;
    counts[0] = 1;
    counts[1] = most > 1 ? most : 0;
}

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

snBenchStat snBench_Summarise(double* samples, int n)
{
    qsort(samples, (size_t)n, sizeof *samples, compare);
    double median = samples[n / 2];
    double range = samples[n - 1 - n / 10] - samples[n / 10];
    return (snBenchStat){median, samples[0], median > 0 ? 0.5 * range / median : 0};
}

snBenchRunner snBenchRunner_Of(void (*run)(void*, int), void (*ready)(void*), void* subject)
{
    return (snBenchRunner){.run = run, .ready = ready, .subject = subject};
}

static double timeOnce(const snBenchRunner* r, int threads)
{
    if (r->ready) {
        r->ready(r->subject);
    }
    double start = snBench_Clock(threads);
    r->run(r->subject, r->n);
    return (snBench_Clock(threads) - start) / r->n;
}

void snBench_Time(const snBenchOut* out, snBenchRunner* runners, int count, int threads)
{
    for (int k = 0; k < count; ++k) {
        snBenchRunner* r = &runners[k];
        r->n = 1;
        r->count = 0;
        r->samples[0] = timeOnce(r, threads);
        if (r->samples[0] > SLOW) {
            r->count = 1;
        } else { // that one warmed up
            const double once = fmin(r->samples[0], timeOnce(r, threads));
            r->n = (int)fmin(fmax(RUN_SECONDS / once, 1), 1e6);
        }
    }
    const double end = snBench_Now() + SN_BENCH_SECONDS * count;
    for (int i = 0; i < out->runs && (i == 0 || snBench_Now() < end); ++i) {
        for (int k = 0; k < count; ++k) {
            if (runners[k].count == i) {
                runners[k].samples[i] = timeOnce(&runners[k], threads);
                runners[k].count = i + 1;
            }
        }
    }
}

static void emitBest(const snBenchOut* out, const snBenchRow* row, double value)
{
    char metric[64];
    snBenchRow own = *row;
    snprintf(metric, sizeof metric, "%s_best", row->metric);
    own.metric = metric;
    own.value = value;
    own.spread = 0;
    out->row(out->user, &own);
}

void snBench_Emit(const snBenchOut* out, const snBenchRow* row, snBenchRunner* r, double scale)
{
    snBenchRow own = *row;
    snBenchStat s = snBench_Summarise(r->samples, r->count);
    own.value = s.median * scale;
    own.spread = s.spread;
    out->row(out->user, &own);
    emitBest(out, row, s.best * scale);
}

void snBench_EmitRate(const snBenchOut* out, const snBenchRow* row, snBenchRunner* r, double amount)
{
    snBenchRow own = *row;
    snBenchStat s = snBench_Summarise(r->samples, r->count);
    own.value = amount / s.median;
    own.spread = s.spread;
    out->row(out->user, &own);
    emitBest(out, row, amount / s.best);
}

void snBench_EmitNumber(const snBenchOut* out, const snBenchRow* row, double value)
{
    snBenchRow own = *row;
    own.value = value;
    out->row(out->user, &own);
}
