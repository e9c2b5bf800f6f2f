// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Work on many files, each in a process of its own: what goes wrong with one, even a crash, leaves
// the others alone. What they print comes out line by line, with the name of the file before it.
#ifndef SINEW_APPS_CLI_BATCH_H
#define SINEW_APPS_CLI_BATCH_H

#include "cli/record.h"

typedef struct Batch {
    int32_t count;
    const char* const* inputs;  // (count)
    const char* const* outputs; // (count)
    int32_t jobs;               // at a time
    bool quiet;                 // no table
    const char* report;         // path; NULL = none
    void* user;                 // passed to the next one
    // Works on one file and fills in what there is to know; returns an exit code.
    int (*work)(void* user, int32_t index, Record* record, FILE* notes);
} Batch;

// Does it all. Ctrl-C stops what is under way, which finishes as it does alone, and begins nothing
// more. Returns EXIT_RUN_FAILED when anything failed.
int runBatch(const Batch* batch);

#endif
