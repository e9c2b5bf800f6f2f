// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "bench.h"

#include <stdlib.h>
#include <time.h>

static const snBench BENCHES[] = {
    {"skeleton", "kinematics and hybrid dynamics, against MuJoCo, and their growth with the model",
     snBench_Skeleton},
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
