// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A file per frame, numbered: STEM_0000.obj, STEM_0001.obj ...
#ifndef SN_IO_SINK_SEQUENCE_H
#define SN_IO_SINK_SEQUENCE_H

#include "base/file.h"

// "_", the digits of a count, the extension and the final 0
#define SN_SEQUENCE_NUMBER 32

// Zeroed is a sequence without files.
typedef struct snSequence {
    char stem[SN_PATH_SIZE]; // the path without its extension; a single file's: all of it
    const char* extension;   // with its dot
    bool single;             // one file, not numbered; set before it is opened
    int64_t written;         // files that are there
    bool finished;           // they stay
    snFileWriter file;       // the one being written
} snSequence;

// Takes the stem of a path that ends with an extension as long as the given one. A folder that
// cannot be written to shows here, before hours of simulation.
snStatus snSequence_Open(snSequence* sequence, const char* path, const char* extension,
                         snMessage* why);

// The path of a file.
void snSequence_Path(const snSequence* sequence, int64_t number,
                     char path[SN_PATH_SIZE + SN_SEQUENCE_NUMBER]);

// Begins the next file, sequence->file.
snStatus snSequence_Begin(snSequence* sequence, snMessage* why);

// Makes it appear.
snStatus snSequence_End(snSequence* sequence, snMessage* why);

// Removes the last file again.
void snSequence_DropLast(snSequence* sequence);

// Removes what is unfinished: the file being written, and all of them unless `finished` was set.
void snSequence_Release(snSequence* sequence);

#endif
