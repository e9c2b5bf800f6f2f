// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What there is to know about the bake of one file: a row of a table for people, and JSON for
// programs. docs/formats.md describes the latter.
#ifndef SINEW_APPS_CLI_RECORD_H
#define SINEW_APPS_CLI_RECORD_H

#include "cli/choice.h"
#include "cli/hero.h"

#include <sinew/bake.h>
#include <stdbool.h>
#include <stdio.h>

// Plain numbers, so that one process can pass it to another.
typedef struct Record {
    int code;                       // exit code
    bool begun, kept;               // kept: it was there from an earlier run
    double seconds;                 // that all of it took
    int32_t cell_count;             // 0: no body was made
    double step, size;              // s; m
    double unit, softness;          // m in a unit of the file; Hz
    int32_t clip_count;             // that were baked
    int32_t still_count;            // that were asked for and left out: nothing moves in them
    int32_t file_count;             // that were written
    int32_t shape_count;            // of the basis
    int32_t active_most;            // of these at a time
    int32_t joint_count;            // helper joints
    double pace;                    // seconds a second of its clips took; 0: nothing was simulated
    double largest, limited, error; // the largest of all clips; m, 0..1, m
    int64_t interventions;          // of all clips
    char path[640];                 // of the first of these
    char why[640];                  // it failed; "" = it did not
} Record;

// Fills in what is known of the body and of clips that were baked; appends warnings, files and
// clips as JSON to a file. report may be NULL.
void recordBake(Record* record, const Hero* hero, const snBakeDef* def, const Choice* choice,
                const snBakeReport* report, FILE* notes);

// One file of a report: paths, the record, and what was appended, from the file's place on. notes
// may be NULL.
void writeRecord(FILE* out, const char* input, const char* output, const Record* record,
                 FILE* notes);

// The head and a row of the table.
void printRecordHead(void);
void printRecord(const char* input, const char* output, const Record* record);

// What comes before all files of a report, and after them.
void beginReport(FILE* out);
void endReport(FILE* out);

#endif
