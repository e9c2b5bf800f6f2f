// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A simulation that is run again and again from the same state, frames and all.
#ifndef SINEW_BENCH_SIM_H
#define SINEW_BENCH_SIM_H

#include "bench.h"

typedef struct snBenchSim {
    snSim* sim;
    void* start; // state that every run begins with
    double rate; // frames a second
    int frames;  // in one run; set by the caller
    snStatus status;
    snMessage* why; // of status
} snBenchSim;

// Runs `warm` seconds of the scene, which stays the caller's. Close it in any case.
snStatus snBenchSim_Open(snBenchSim* s, snScene* scene, double warm, snMessage* why);
void snBenchSim_Close(snBenchSim* s);

// What runners call: back to the start; n times `frames` frames.
void snBenchSim_Rewind(void* sim);
void snBenchSim_Run(void* sim, int n);

// Notes when the guard had to shorten steps: the time is not that of the step asked for then.
void snBenchSim_NoteGuard(const snBenchOut* out, const char* name, snBenchSim* s);

#endif
