// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Whole files in, whole files out.
#ifndef SN_BASE_FILE_H
#define SN_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/language.h"
#include "sinew/base.h"

SN_BEGIN_C

// Files as the system has them. Paths are UTF-8 with '/' between folders, on Windows too. What
// fails leaves errno.
typedef enum snEntryKind {
    sn_entryAbsent, // or not to be looked at
    sn_entryPlain,
    sn_entryFolder,
    sn_entryOther, // devices, pipes, symbolic links
} snEntryKind;

FILE* snFile_Open(const char* path, const char* mode); // modes as fopen's, "wbx" included
bool snFile_Remove(const char* path);
bool snFile_Rename(const char* from, const char* to);      // also onto a file that is there
snEntryKind snFile_KindOf(const char* path);               // does not follow symbolic links
snEntryKind snFile_KindOfOpen(FILE* file, uint64_t* size); // size: of a plain one, bytes

// Places in a file of any size, bytes from its beginning. Truncate cuts off what is behind, and
// goes there.
bool snFile_Seek(FILE* file, int64_t offset);
int64_t snFile_Tell(FILE* file); // -1: it has none
bool snFile_Truncate(FILE* file, int64_t size);

// Reads a file, also a pipe, of at most limit bytes. One 0 byte follows the *count bytes. Release
// with snHost_Release(host, *bytes, *count + 1). On failure *bytes is NULL and *count 0.
snStatus snFile_Read(const snHost* host, const char* path, size_t limit, uint8_t** bytes,
                     size_t* count, snMessage* why);

#define SN_PATH_SIZE 4096

// Writes PATH.tmp-N beside the target and renames it on Close, so that no reader ever sees half a
// file. Devices, pipes and symbolic links are written directly.
typedef struct snFileWriter {
    FILE* file; // NULL when closed
    int error;  // errno of the first failed write, 0 while all is well; later writes do nothing
    char path[SN_PATH_SIZE];
    char temp[SN_PATH_SIZE + 16]; // empty when written directly
} snFileWriter;

snStatus snFileWriter_Open(snFileWriter* writer, const char* path, snMessage* why);

// Errors are kept for Close.
void snFileWriter_Write(snFileWriter* writer, const void* bytes, size_t count);

// Either the whole file is there under its name, or the call fails and the old one is untouched.
snStatus snFileWriter_Close(snFileWriter* writer, snMessage* why);

// Drops what was written; fine after a failed Open, after Close, and twice.
void snFileWriter_Abort(snFileWriter* writer);

SN_END_C

#endif
