// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/save/archive.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

// The first bytes of a file
typedef struct Head {
    char magic[8];
    uint32_t version;
    uint32_t order; // ORDER; another one on machines whose numbers begin with their high byte
    uint64_t size;  // of the whole file
    uint64_t hash;  // of all that follows the head
    uint64_t zero[4];
} Head;

#define ORDER 0x01020304u

// Bytes of a text at most, and of a structure with pointers at least
#define LONGEST (1 << 20)
#define LEAST_RECORD 8

void snArchive_Fail(snArchive* a, const char* what)
{
    if (!a->status) {
        a->status = snFail(a->why, sn_errorFile, "byte %zu: %s; save it again", a->at, what);
    }
}

// Beginning and end ----------------------------------------------------------------

static bool makeRoom(snArchive* a, size_t more)
{
    size_t wanted = a->room ? a->room : (size_t)1 << 16;
    if (a->status || more > SIZE_MAX / 4 || a->at > SIZE_MAX / 4) {
        a->status = a->status ? a->status : snFail(a->why, sn_errorMemory, "out of memory");
        return false;
    }
    if (a->at + more <= a->room) {
        return true;
    }
    while (wanted < a->at + more) {
        wanted *= 2;
    }
    uint8_t* bytes = snHost_Allocate(&a->arena->host, wanted);
    if (!bytes) {
        a->status = snFail(a->why, sn_errorMemory, "out of memory");
        return false;
    }
    if (a->at > 0) {
        memcpy(bytes, a->bytes, a->at);
    }
    snHost_Release(&a->arena->host, a->bytes, a->room);
    a->bytes = bytes;
    a->room = wanted;
    return true;
}

void snArchive_Write(snArchive* a, const snArchiveKind* kind, snArena* arena, snMessage* why)
{
    Head head = {.version = kind->version, .order = ORDER};
    memcpy(head.magic, kind->magic, sizeof head.magic);
    *a = (snArchive){.arena = arena, .why = why};
    if (makeRoom(a, sizeof head)) {
        memcpy(a->bytes, &head, sizeof head);
        a->at = sizeof head;
    }
}

snStatus snArchive_Close(snArchive* a)
{
    Head head;
    if (!a->status && a->arena->failed) {
        a->status = snFail(a->why, sn_errorMemory, "out of memory");
    }
    if (!a->status) {
        a->count = a->at;
        memcpy(&head, a->bytes, sizeof head);
        head.size = (uint64_t)a->count;
        head.hash = snHash(a->bytes + sizeof head, a->count - sizeof head, 0);
        memcpy(a->bytes, &head, sizeof head);
    }
    return a->status;
}

snStatus snArchive_CloseFile(snArchive* a, const char* path)
{
    snFileWriter file;
    snStatus status = snArchive_Close(a);
    status = status ? status : snFileWriter_Open(&file, path, a->why);
    if (!status) {
        snFileWriter_Write(&file, a->bytes, a->count);
        status = snFileWriter_Close(&file, a->why);
    }
    return status;
}

void snArchive_Free(snArchive* a)
{
    if (!a->reads) {
        snHost_Release(&a->arena->host, a->bytes, a->room);
        a->bytes = NULL;
    }
}

snStatus snArchive_Copy(const snHost* given, const void* bytes, size_t count, snHost* host,
                        uint8_t** copy, snMessage* why)
{
    snStatus status = snHost_Take(given, host, why);
    if (status) {
        return status;
    }
    *copy = count < SIZE_MAX ? snHost_Allocate(host, count + 1) : NULL;
    if (!*copy) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    memcpy(*copy, bytes, count);
    return sn_ok;
}

snStatus snArchive_Read(snArchive* a, const snArchiveKind* kind, uint8_t* bytes, size_t count,
                        snArena* arena, snMessage* why)
{
    Head head = {0};
    *a = (snArchive){.reads = true, .arena = arena, .bytes = bytes, .count = count, .why = why};
    if (count >= sizeof head.magic) {
        memcpy(&head, bytes, count < sizeof head ? count : sizeof head);
    }
    if (memcmp(head.magic, kind->magic, sizeof head.magic) != 0) {
        a->status = snFail(why, sn_errorFile, "it is not %s: it begins otherwise; %s", kind->name,
                           kind->how);
    } else if (count < sizeof head || head.size != count) {
        a->status =
            snFail(why, sn_errorFile,
                   "it should have %llu bytes and has %zu: it was not copied whole; save it again",
                   (unsigned long long)head.size, count);
    } else if (head.order != ORDER) {
        a->status = snFail(why, sn_errorUnsupported,
                           "it is %s of a machine with another order of bytes", kind->name);
    } else if (head.version != kind->version) {
        a->status = snFail(why, sn_errorUnsupported,
                           "it is %s of version %u, and this program reads %u; save it again with "
                           "this one",
                           kind->name, (unsigned)head.version, (unsigned)kind->version);
    } else if (head.hash != snHash(bytes + sizeof head, count - sizeof head, 0) ||
               (head.zero[0] | head.zero[1] | head.zero[2] | head.zero[3]) != 0) {
        a->status =
            snFail(why, sn_errorFile, "its checksum is wrong: it is damaged; save it again");
    }
    a->at = sizeof head;
    return a->status;
}

snStatus snArchive_End(snArchive* a)
{
    if (!a->status && a->arena->failed) {
        a->status = snFail(a->why, sn_errorMemory, "out of memory");
    }
    if (a->at != a->count) {
        snArchive_Fail(a, "more follows than there should be");
    }
    return a->status;
}

// Numbers --------------------------------------------------------------------------

// `size` bytes at the present place; false after a failure
static bool pass(snArchive* a, void* value, size_t size)
{
    if (a->reads) {
        if (!a->status && a->count - a->at < size) {
            snArchive_Fail(a, "it ends too early");
        }
        if (a->status) {
            return false;
        }
        memcpy(value, a->bytes + a->at, size);
    } else {
        if (!makeRoom(a, size)) {
            return false;
        }
        memcpy(a->bytes + a->at, value, size);
    }
    a->at += size;
    return true;
}

void snArchive_Int(snArchive* a, int32_t* value, int32_t low, int32_t high, const char* what)
{
    int32_t found = a->reads ? 0 : *value;
    if (pass(a, &found, sizeof found) && (found < low || found > high)) {
        snArchive_Fail(a, what);
    }
    *value = a->status ? 0 : found;
}

void snArchive_Real(snArchive* a, double* value, double low, double high, const char* what)
{
    double found = a->reads ? 0 : *value;
    if (pass(a, &found, sizeof found) && !(found >= low && found <= high)) {
        snArchive_Fail(a, what);
    }
    *value = a->status ? 0 : found;
}

bool snArchive_Has(snArchive* a, bool present)
{
    int32_t found = present;
    snArchive_Int(a, &found, 0, 1, "what may be missing is neither there nor not");
    return found != 0;
}

void snArchive_Text(snArchive* a, const char** text)
{
    const char* given = a->reads ? "" : *text;
    size_t long_as = strlen(given);
    int32_t length = long_as < LONGEST ? (int32_t)long_as : LONGEST + 1;
    snArchive_Int(a, &length, 0, LONGEST, "a name is too long");
    const char* found = snArchive_Block(a, given, (size_t)length + 1, 1, "a name");
    if (found && a->reads && memchr(found, 0, (size_t)length + 1) != found + length) {
        snArchive_Fail(a, "a name ends elsewhere than it should");
    }
    *text = a->status || !found ? "" : found;
}

// Arrays ---------------------------------------------------------------------------

void* snArchive_Records(snArchive* a, const void* records, int32_t count, size_t size)
{
    if (a->reads && (size_t)count > (a->count - a->at) / LEAST_RECORD) {
        snArchive_Fail(a, "there are more parts than can follow");
    }
    void* out = a->status ? NULL : snArena_Push(a->arena, (size_t)count, size);
    if (!out) {
        a->status = a->status ? a->status : snFail(a->why, sn_errorMemory, "out of memory");
    } else if (!a->reads && count > 0) {
        memcpy(out, records, (size_t)count * size);
    }
    return out;
}

// Zeros up to a boundary
static void align(snArchive* a, size_t boundary)
{
    static const uint8_t ZEROS[SN_ALIGNMENT];
    uint8_t found[SN_ALIGNMENT] = {0};
    size_t left = (boundary - a->at % boundary) % boundary;
    if (pass(a, found, left) && memcmp(found, ZEROS, left) != 0) {
        snArchive_Fail(a, "what should be empty is not");
    }
}

void* snArchive_Block(snArchive* a, const void* block, size_t count, size_t size, const char* what)
{
    size_t bytes = 0;
    if (!snSizeMul(count, size, &bytes)) {
        snArchive_Fail(a, what);
    }
    uint64_t said = bytes;
    // short ones, as names are, need no boundary of their own
    size_t boundary = size < sizeof(int32_t) ? 1 : size < SN_ALIGNMENT ? 16 : SN_ALIGNMENT;
    if (pass(a, &said, sizeof said) && said != bytes) {
        snArchive_Fail(a, what);
    }
    align(a, boundary);
    if (!a->reads) {
        if (bytes > 0 && makeRoom(a, bytes)) {
            memcpy(a->bytes + a->at, block, bytes);
            a->at += bytes;
        }
        union {
            const void* given;
            void* same; // nobody writes to it
        } out = {block};
        return out.same;
    }
    if (!a->status && a->count - a->at < bytes) {
        snArchive_Fail(a, what);
    }
    if (a->status) {
        return NULL;
    }
    void* found = a->bytes + a->at;
    a->at += bytes;
    return found;
}

int32_t* snArchive_Indices(snArchive* a, const int32_t* block, size_t count, int32_t low,
                           int32_t high, const char* what)
{
    int32_t* found = snArchive_Block(a, block, count, sizeof *block, what);
    bool ok = true;
    for (size_t i = 0; found && a->reads && i < count; ++i) {
        ok &= (found[i] >= low) & (found[i] <= high);
    }
    if (!ok) {
        snArchive_Fail(a, what);
    }
    return a->status ? NULL : found;
}

float* snArchive_Floats(snArchive* a, const float* block, size_t count, const char* what)
{
    float* found = snArchive_Block(a, block, count, sizeof *block, what);
    bool ok = true;
    for (size_t i = 0; found && a->reads && i < count; ++i) {
        ok &= fabsf(found[i]) <= (float)SN_ARCHIVE_LARGEST;
    }
    if (!ok) {
        snArchive_Fail(a, what);
    }
    return a->status ? NULL : found;
}

void snArchive_CheckDoubles(snArchive* a, const void* numbers, size_t count, const char* what)
{
    const double* found = numbers;
    bool ok = true;
    for (size_t i = 0; found && !a->status && a->reads && i < count; ++i) {
        ok &= fabs(found[i]) <= SN_ARCHIVE_LARGEST;
    }
    if (!ok) {
        snArchive_Fail(a, what);
    }
}

double* snArchive_Doubles(snArchive* a, const double* block, size_t count, const char* what)
{
    double* found = snArchive_Block(a, block, count, sizeof *block, what);
    snArchive_CheckDoubles(a, found, count, what);
    return a->status ? NULL : found;
}
