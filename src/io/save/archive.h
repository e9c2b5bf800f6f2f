// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Structures as bytes, and back. One function describes a structure for both directions, so that
// they cannot disagree: every call below writes what it is given, or gives what it reads, and
// checks that. Numbers are little-endian; arrays lie as they are in memory, aligned, and are used
// where they lie in the file.
//
// The first failure stays; after it everything that is read is 0, NULL or empty.
#ifndef SN_IO_SAVE_ARCHIVE_H
#define SN_IO_SAVE_ARCHIVE_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/message.h"

// Numbers beyond this are refused.
#define SN_ARCHIVE_LARGEST 1e30

typedef struct snArchive {
    bool reads;
    snArena* arena;     // of records
    uint8_t* bytes;     // aligned to SN_ALIGNMENT; written: from the host, freed by Free
    size_t count, room; // bytes that there are, and that there is room for
    size_t at;          // the next one
    snStatus status;    // the first failure
    snMessage* why;     // what it was
} snArchive;

// What begins a file: 8 bytes that name its kind
typedef struct snArchiveKind {
    char magic[8];
    uint32_t version;
    const char* name; // for messages: "a saved body"
    const char* how;  // what makes one
} snArchiveKind;

// Begins to write. Memory for records comes from the arena.
void snArchive_Write(snArchive* a, const snArchiveKind* kind, snArena* arena, snMessage* why);

// Fills in size and checksum. The bytes are there until Free.
snStatus snArchive_Close(snArchive* a);

// The same, into a file.
snStatus snArchive_CloseFile(snArchive* a, const char* path);

// Frees what was written.
void snArchive_Free(snArchive* a);

// A copy of bytes as Read wants them, with a 0 after it; *host: what was taken of `given`. Release
// with snHost_Release(host, *copy, count + 1).
snStatus snArchive_Copy(const snHost* given, const void* bytes, size_t count, snHost* host,
                        uint8_t** copy, snMessage* why);

// Begins to read bytes that outlive all that is read and are aligned to SN_ALIGNMENT. Fails on
// another kind or version, when bytes are missing, and when the checksum is wrong.
snStatus snArchive_Read(snArchive* a, const snArchiveKind* kind, uint8_t* bytes, size_t count,
                        snArena* arena, snMessage* why);

// Fails unless everything was read.
snStatus snArchive_End(snArchive* a);

// A failure that the caller found; only the first one counts.
void snArchive_Fail(snArchive* a, const char* what);

// One number
void snArchive_Int(snArchive* a, int32_t* value, int32_t low, int32_t high, const char* what);
void snArchive_Real(snArchive* a, double* value, double low, double high, const char* what);

// Is something there that may be missing?
bool snArchive_Has(snArchive* a, bool present);

// A text; never NULL when it is read
void snArchive_Text(snArchive* a, const char** text);

// Structures that hold pointers, each of which takes at least 8 bytes: copies, or room for them,
// to be gone through one by one. NULL: none, or no memory.
void* snArchive_Records(snArchive* a, const void* records, int32_t count, size_t size);

// Elements without pointers: what was given, or those of the file.
void* snArchive_Block(snArchive* a, const void* block, size_t count, size_t size, const char* what);

// The same of numbers, checked: indices in low..high; others finite
int32_t* snArchive_Indices(snArchive* a, const int32_t* block, size_t count, int32_t low,
                           int32_t high, const char* what);
float* snArchive_Floats(snArchive* a, const float* block, size_t count, const char* what);
double* snArchive_Doubles(snArchive* a, const double* block, size_t count, const char* what);

// Of elements that consist of doubles: finite
void snArchive_CheckDoubles(snArchive* a, const void* numbers, size_t count, const char* what);

#endif
