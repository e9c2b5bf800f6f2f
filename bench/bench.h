// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks: named, repeated, with spread, in one form that people and programs read.
#ifndef SINEW_BENCH_H
#define SINEW_BENCH_H

#include <sinew/sinew.h>
#include <stdbool.h>

// Runs of a figure: enough for a steady median on a noisy machine.
#define SN_BENCH_RUNS 101

// What is slow is repeated less often: until so much time has gone by, s.
#define SN_BENCH_SECONDS 1.0

// One figure.
typedef struct snBenchRow {
    const char* bench;  // which benchmark
    const char* name;   // which case of it; "case" in the output
    const char* metric; // what was measured
    const char* unit;   // of value
    int threads;        // that worked
    double paper;       // Kim & Pollard's (2011) figure, one CPU core; 0 = they give none
    const char* peer;   // name and version of the other program whose figure it is; NULL = ours
    double value;       // median over the runs
    double spread;      // half the range that the middle 80 % of the runs fill, over value
} snBenchRow;

// Where rows go.
typedef struct snBenchOut {
    void* user;
    void (*row)(void* user, const snBenchRow* row);
    void (*note)(void* user, const char* text); // what could not be measured, and why
    const snHost* host;                         // its importers; NULL = none
    const char* folder;                         // where peers' modules are
    const char* rigs;                           // folder of rigs to bake
    int runs;                                   // of each figure, 1..SN_BENCH_RUNS
    bool small;                                 // small cases alone: to see that it works
} snBenchOut;

// One benchmark.
typedef struct snBench {
    const char* name;
    const char* about;
    snStatus (*run)(const snBenchOut* out, snMessage* why);
} snBench;

// All of them, ending with a NULL name.
const snBench* snBenches(void);

// Runs one, in the mode of floating point numbers that sims run in.
snStatus snBench_Run(const snBench* bench, const snBenchOut* out, snMessage* why);

// Seconds of a clock that only goes forward.
double snBench_Now(void);

// The same to time what so many threads do. One thread's own time leaves out what else the machine
// does; of several threads only the clock on the wall shows what they gain.
double snBench_Clock(int threads);

// Threads to measure with: 1, and all cores; 0 in place of those that there are not.
void snBench_Threads(int counts[2]);

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
    int count;                     // runs
    double samples[SN_BENCH_RUNS]; // s per repetition
} snBenchRunner;

snBenchRunner snBenchRunner_Of(void (*run)(void*, int), void (*ready)(void*), void* subject);

// Times all runners, which use so many threads, in turns, so that noise hits them alike.
void snBench_Time(const snBenchOut* out, snBenchRunner* runners, int count, int threads);

// Emits the median time in s times scale, in `row` but for value and spread, and the best as
// another metric, ..._best.
void snBench_Emit(const snBenchOut* out, const snBenchRow* row, snBenchRunner* r, double scale);

// The same of a rate: amount over time.
void snBench_EmitRate(const snBenchOut* out, const snBenchRow* row, snBenchRunner* r,
                      double amount);

// Emits a figure that was not repeated.
void snBench_EmitNumber(const snBenchOut* out, const snBenchRow* row, double value);

// The benchmarks.
snStatus snBench_Table3(const snBenchOut* out, snMessage* why);
snStatus snBench_Table4(const snBenchOut* out, snMessage* why);
snStatus snBench_Table5(const snBenchOut* out, snMessage* why);
snStatus snBench_Scaling(const snBenchOut* out, snMessage* why);
snStatus snBench_Crowd(const snBenchOut* out, snMessage* why);
snStatus snBench_Kernels(const snBenchOut* out, snMessage* why);
snStatus snBench_Bake(const snBenchOut* out, snMessage* why);
snStatus snBench_Peers(const snBenchOut* out, snMessage* why);

#endif
