// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks: named, repeated, with spread, in one form that people and programs read.
#ifndef SINEW_BENCH_H
#define SINEW_BENCH_H

#include <sinew/sinew.h>
#include <stdbool.h>

// Runs of a figure: enough for a steady median on a noisy machine.
#define SN_BENCH_RUNS 101

// One figure.
typedef struct snBenchRow {
    const char* bench;  // which benchmark
    const char* name;   // which case of it; "case" in the output
    const char* metric; // what was measured
    double value;       // median over the runs
    const char* unit;   // of value
    double spread;      // half the range that the middle 80 % of the runs fill, over value
    int threads;        // that worked
    const char* peer;   // name and version of the other program whose figure it is; NULL = ours
} snBenchRow;

// Where rows go.
typedef struct snBenchOut {
    void* user;
    void (*row)(void* user, const snBenchRow* row);
    void (*note)(void* user, const char* text); // what could not be measured, and why
    const char* folder;                         // where peers' modules are
    int runs;                                   // of each figure, 1..SN_BENCH_RUNS
} snBenchOut;

// One benchmark; 0 = done, else an exit code.
typedef struct snBench {
    const char* name;
    const char* about;
    int (*run)(const snBenchOut* out);
} snBench;

// All of them, ending with a NULL name.
const snBench* snBenches(void);

// Seconds of a clock that only goes forward.
double snBench_Now(void);

// Median and spread of n samples, which are sorted.
typedef struct snBenchStat {
    double median, best, spread;
} snBenchStat;

snBenchStat snBench_Summarise(double* samples, int n);

// Something that is timed.
typedef struct snBenchRunner {
    void (*run)(void* subject, int n); // does its work n times
    void (*ready)(void* subject);      // before each run, not timed; may be NULL
    void* subject;
    int n;                         // repetitions in one run
    double samples[SN_BENCH_RUNS]; // s per repetition
} snBenchRunner;

// Times all runners in turns, so that noise hits them alike.
void snBench_Time(const snBenchOut* out, snBenchRunner* runners, int count);

// Emits the median, in `row` but for value and spread, and the best as another metric.
void snBench_Emit(const snBenchOut* out, const snBenchRow* row, snBenchRunner* r, double scale);

// The benchmarks.
int snBench_Skeleton(const snBenchOut* out);
int snBench_Flesh(const snBenchOut* out);
int snBench_Scenes(const snBenchOut* out);

#endif
