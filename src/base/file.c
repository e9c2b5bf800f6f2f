// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"

// What is taken first for a pipe, whose size nobody knows; doubles.
#define PIPE_BUFFER ((size_t)64 << 10)

// A buffer of another size with the first count bytes of the old one, which is released also on
// failure
static uint8_t* resize(const snHost* host, uint8_t* old, size_t old_size, size_t count, size_t size)
{
    uint8_t* made = snHost_Allocate(host, size);
    if (made && count > 0) {
        memcpy(made, old, count);
    }
    snHost_Release(host, old, old_size);
    return made;
}

static snStatus failLarge(const char* path, size_t limit, snMessage* why)
{
    return snFail(why, sn_errorFile, "cannot read '%s': it is larger than the limit of %zu bytes",
                  path, limit);
}

static snStatus failMemory(const char* path, snMessage* why)
{
    return snFail(why, sn_errorMemory, "out of memory while reading '%s'", path);
}

// Reads to the end, whatever the size said: files grow, pipes have none.
static snStatus readAll(const snHost* host, FILE* file, const char* path, size_t size, size_t limit,
                        uint8_t** bytes, size_t* count, snMessage* why)
{
    uint8_t* buffer = snHost_Allocate(host, size);
    size_t used = 0;
    while (buffer) {
        used += fread(buffer + used, 1, size - used, file);
        if (used < size || used > limit) {
            break;
        }
        size_t larger = size > SIZE_MAX / 2 ? SIZE_MAX : size * 2;
        buffer = resize(host, buffer, size, used, larger);
        size = larger;
    }
    if (!buffer) {
        return failMemory(path, why);
    }
    if (ferror(file)) {
        int error = errno;
        snHost_Release(host, buffer, size);
        return snFail(why, sn_errorIo, "cannot read '%s': %s", path, strerror(error));
    }
    if (used > limit) {
        snHost_Release(host, buffer, size);
        return failLarge(path, limit, why);
    }
    if (size != used + 1) {
        buffer = resize(host, buffer, size, used, used + 1);
        if (!buffer) {
            return failMemory(path, why);
        }
    }
    buffer[used] = 0;
    *bytes = buffer;
    *count = used;
    return sn_ok;
}

snStatus snFile_Read(const snHost* host, const char* path, size_t limit, uint8_t** bytes,
                     size_t* count, snMessage* why)
{
    *bytes = NULL;
    *count = 0;
    FILE* file = snFile_Open(path, "rb");
    if (!file) {
        return snFail(why, sn_errorIo, "cannot open '%s': %s; check the path", path,
                      strerror(errno));
    }
    uint64_t known = 0;
    snEntryKind kind = snFile_KindOfOpen(file, &known);
    snStatus status;
    if (kind == sn_entryAbsent) {
        status = snFail(why, sn_errorIo, "cannot read '%s': %s", path, strerror(errno));
    } else if (kind == sn_entryFolder) {
        status =
            snFail(why, sn_errorIo, "cannot read '%s': it is a directory; check the path", path);
    } else if (kind == sn_entryPlain && known > limit) {
        status = failLarge(path, limit, why);
    } else {
        // one byte more than the size, for the 0, and so that the end shows without a second read
        size_t size = kind == sn_entryPlain ? (size_t)known + 1 : PIPE_BUFFER;
        status = readAll(host, file, path, size, limit, bytes, count, why);
    }
    fclose(file);
    if (status == sn_ok) {
        snMessage_Clear(why);
    }
    return status;
}

// A new file beside the target under a name that nothing has yet
static FILE* openTemp(snFileWriter* writer)
{
    FILE* file = NULL;
    for (int i = 0; i < 1000 && !file; ++i) {
        snprintf(writer->temp, sizeof(writer->temp), "%s.tmp-%d", writer->path, i);
        file = snFile_Open(writer->temp, "wbx");
        if (!file && errno != EEXIST) {
            break;
        }
    }
    if (!file) {
        writer->temp[0] = 0;
    }
    return file;
}

snStatus snFileWriter_Open(snFileWriter* writer, const char* path, snMessage* why)
{
    memset(writer, 0, sizeof(*writer));
    size_t length = strlen(path);
    if (length == 0 || length >= SN_PATH_SIZE) {
        return snFail(why, sn_errorArgument, "cannot write '%.100s': the path %s", path,
                      length == 0 ? "is empty" : "is too long");
    }
    memcpy(writer->path, path, length + 1);
    snEntryKind kind = snFile_KindOf(path);
    if (kind == sn_entryAbsent || kind == sn_entryPlain) {
        writer->file = openTemp(writer);
    } else {
        writer->file = snFile_Open(path, "wb");
    }
    if (!writer->file) {
        return snFail(why, sn_errorIo,
                      "cannot write '%s': %s; check that the folder exists and can "
                      "be written",
                      path, strerror(errno));
    }
    snMessage_Clear(why);
    return sn_ok;
}

void snFileWriter_Write(snFileWriter* writer, const void* bytes, size_t count)
{
    if (writer->file && writer->error == 0 && count > 0 &&
        fwrite(bytes, 1, count, writer->file) != count) {
        writer->error = errno != 0 ? errno : EIO;
    }
}

snStatus snFileWriter_Close(snFileWriter* writer, snMessage* why)
{
    if (!writer->file) {
        return snFail(why, sn_errorArgument, "cannot close '%s': it is not open", writer->path);
    }
    // what is still buffered can also find the disk full
    if (fclose(writer->file) != 0 && writer->error == 0) {
        writer->error = errno;
    }
    writer->file = NULL;
    if (writer->error == 0 && writer->temp[0] && !snFile_Rename(writer->temp, writer->path)) {
        writer->error = errno;
    }
    if (writer->error != 0) {
        snFileWriter_Abort(writer);
        return snFail(why, sn_errorIo, "cannot write '%s': %s; check the free space and the rights",
                      writer->path, strerror(writer->error));
    }
    writer->temp[0] = 0;
    snMessage_Clear(why);
    return sn_ok;
}

void snFileWriter_Abort(snFileWriter* writer)
{
    if (writer->file) {
        fclose(writer->file);
        writer->file = NULL;
    }
    if (writer->temp[0]) {
        snFile_Remove(writer->temp);
        writer->temp[0] = 0;
    }
}
