// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUN_SECONDS 2e-3 // long against the clock, short against the scheduler

static const snBench BENCHES[] = {
    {"skeleton", "kinematics and hybrid dynamics, against MuJoCo, and their growth with the model",
     snBench_Skeleton},
    {"flesh", "steps of the characters with flesh and their stages, beside Kim & Pollard 2011",
     snBench_Flesh},
    {"scenes", "the paper's scenes from begin to end, and the share of contact", snBench_Scenes},
    {NULL, NULL, NULL},
};

const snBench* snBenches(void)
{
    return BENCHES;
}

double snBench_Now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

static double timeOnce(const snBenchRunner* r)
{
    if (r->ready) {
        r->ready(r->subject);
    }
    double start = snBench_Now();
    r->run(r->subject, r->n);
    return (snBench_Now() - start) / r->n;
}

void snBench_Time(const snBenchOut* out, snBenchRunner* runners, int count)
{
    for (int k = 0; k < count; ++k) {
        runners[k].n = 1;
        double once = timeOnce(&runners[k]);
        once = fmin(once, timeOnce(&runners[k])); // the first one warmed up
        runners[k].n = (int)fmin(fmax(RUN_SECONDS / once, 1), 1e6);
    }
    for (int i = 0; i < out->runs; ++i) {
        for (int k = 0; k < count; ++k) {
            runners[k].samples[i] = timeOnce(&runners[k]);
        }
    }
}

void snBench_Emit(const snBenchOut* out, const snBenchRow* row, snBenchRunner* r, double scale)
{
    char metric[64];
    snBenchRow own = *row;
    snBenchStat s = snBench_Summarise(r->samples, out->runs);
    own.value = s.median * scale;
    own.spread = s.spread;
    out->row(out->user, &own);
    snprintf(metric, sizeof metric, "%s_best", row->metric);
    own.metric = metric;
    own.value = s.best * scale;
    own.spread = 0;
    out->row(out->user, &own);
}
