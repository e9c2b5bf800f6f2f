// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "bake/file.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"

#define VERSION 1

typedef struct Head {
    char magic[8];
    uint64_t version, node_count, state_size, id;
} Head;

enum { FRAME = 0x4D415246, STATE = 0x54415453 };

typedef struct Record {
    uint32_t kind;
    int32_t clip, number;
    uint32_t size; // of the content
} Record;

static snStatus failIo(const snBakeFile* f, const char* verb, snMessage* why)
{
    return snFail(why, sn_errorIo, "cannot %s '%.300s': %s; check the free space and the rights",
                  verb, f->path, strerror(errno));
}

static size_t sizeOf(const snBakeFile* f, uint32_t kind)
{
    return kind == FRAME ? sizeof(snFrameFacts) + 3 * f->node_count * sizeof(float) : f->state_size;
}

static uint64_t hashOf(const Record* r, const void* content)
{
    return snHash(content, r->size, snHash(r, sizeof *r, 0));
}

// Reading --------------------------------------------------------------------------

// The record at the file's place, into the buffer. False when there is none that is whole.
static bool readRecord(snBakeFile* f, Record* r)
{
    uint64_t hash;
    return fread(r, sizeof *r, 1, f->file) == 1 && (r->kind == FRAME || r->kind == STATE) &&
           r->size == sizeOf(f, r->kind) && fread(f->buffer, 1, r->size, f->file) == r->size &&
           fread(&hash, sizeof hash, 1, f->file) == 1 && hash == hashOf(r, f->buffer);
}

// Is it the next one? Clips that are not complete are the last ones.
static bool follows(const snBakeFile* f, const Record* r)
{
    if (r->clip < 0 || r->clip >= f->clip_count) {
        return false;
    }
    for (int32_t c = 0; c < r->clip; ++c) {
        if (f->clips[c].count < f->clips[c].wanted) {
            return false;
        }
    }
    const snBakedFrames* clip = &f->clips[r->clip];
    return r->kind == FRAME ? r->number == clip->count && clip->count < clip->wanted
                            : r->number == clip->count - 1 && r->number >= 0;
}

// All records that are there; cuts off what is no record.
static snStatus scan(snBakeFile* f, snMessage* why)
{
    Record r;
    int64_t good = snFile_Tell(f->file);
    while (readRecord(f, &r) && follows(f, &r)) {
        snBakedFrames* clip = &f->clips[r.clip];
        if (r.kind == FRAME) {
            clip->offset[clip->count++] = good;
        } else {
            clip->state = r.number;
            clip->state_begin = good;
            clip->state_end = snFile_Tell(f->file);
        }
        good = snFile_Tell(f->file);
    }
    if (fseek(f->file, 0, SEEK_END) != 0 || good < 0) {
        return failIo(f, "read", why);
    }
    int64_t lost = snFile_Tell(f->file) - good;
    if (lost > 0) {
        snLog(&f->host, sn_logWarning,
              "'%s': %lld bytes at its end are damaged and were dropped; they are simulated again",
              f->path, (long long)lost);
    }
    if (!snFile_Truncate(f->file, good)) {
        return failIo(f, "write", why);
    }
    return sn_ok;
}

static Head headOf(const snBakeFile* f)
{
    return (Head){
        {'S', 'I', 'N', 'E', 'W', 'F', 'R', 'M'}, VERSION, f->node_count, f->state_size, f->id};
}

static snStatus start(snBakeFile* f, snMessage* why)
{
    Head head = headOf(f);
    f->file = snFile_Open(f->path, "wb+");
    if (!f->file) {
        return snFail(why, sn_errorIo,
                      "cannot write '%.300s': %s; check that the folder exists and can be written",
                      f->path, strerror(errno));
    }
    return fwrite(&head, sizeof head, 1, f->file) == 1 && fflush(f->file) == 0
               ? sn_ok
               : failIo(f, "write", why);
}

snStatus snBakeFile_Open(snBakeFile* f, bool resume, snMessage* why)
{
    Head head, wanted = headOf(f);
    size_t frame = sizeOf(f, FRAME);
    f->room = frame > f->state_size ? frame : f->state_size;
    f->buffer = snHost_Allocate(&f->host, f->room);
    for (int32_t c = 0; c < f->clip_count; ++c) {
        f->clips[c].state = -1;
    }
    if (!f->buffer) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    f->file = resume ? snFile_Open(f->path, "rb+") : NULL;
    if (!f->file) {
        if (resume && errno != ENOENT) {
            return failIo(f, "go on with", why);
        }
        return start(f, why);
    }
    size_t got = fread(&head, 1, sizeof head, f->file);
    if (got < sizeof head && memcmp(&head, &wanted, got) == 0) { // killed before its first record
        fclose(f->file);
        return start(f, why);
    }
    if (got < sizeof head || memcmp(&head, &wanted, sizeof head) != 0) {
        return snFail(why, sn_errorFile,
                      "'%.300s' is no side file of this bake: the character, its controls, the "
                      "clips, the rate or this program are not those that it was made with; bake "
                      "with those, or without resume, which starts anew",
                      f->path);
    }
    return scan(f, why);
}

void snBakeFile_Close(snBakeFile* f)
{
    if (f->file) {
        fclose(f->file);
        f->file = NULL;
    }
    snHost_Release(&f->host, f->buffer, f->room);
    f->buffer = NULL;
}

snStatus snBakeFile_Frame(snBakeFile* f, int32_t clip, int32_t frame, snFrameFacts* facts,
                          float* nodes, snMessage* why)
{
    Record r;
    if (!snFile_Seek(f->file, f->clips[clip].offset[frame]) || !readRecord(f, &r) ||
        r.kind != FRAME || r.clip != clip || r.number != frame) {
        return snFail(why, sn_errorIo,
                      "cannot read '%.300s': frame %d is not as it was written; was the file "
                      "changed meanwhile?",
                      f->path, (int)frame);
    }
    memcpy(facts, f->buffer, sizeof *facts);
    memcpy(nodes, f->buffer + sizeof *facts, 3 * f->node_count * sizeof *nodes);
    return sn_ok;
}

// Writing --------------------------------------------------------------------------

static snStatus addRecord(snBakeFile* f, uint32_t kind, int32_t clip, int32_t number,
                          snMessage* why)
{
    Record r = {kind, clip, number, (uint32_t)sizeOf(f, kind)};
    uint64_t hash = hashOf(&r, f->buffer);
    bool fine = fwrite(&r, sizeof r, 1, f->file) == 1 &&
                fwrite(f->buffer, 1, r.size, f->file) == r.size &&
                fwrite(&hash, sizeof hash, 1, f->file) == 1 && fflush(f->file) == 0;
    return fine ? sn_ok : failIo(f, "write", why);
}

snStatus snBakeFile_AddFrame(snBakeFile* f, int32_t clip, const snFrameFacts* facts,
                             const float* nodes, snMessage* why)
{
    snBakedFrames* c = &f->clips[clip];
    memcpy(f->buffer, facts, sizeof *facts);
    memcpy(f->buffer + sizeof *facts, nodes, 3 * f->node_count * sizeof *nodes);
    c->offset[c->count] = snFile_Tell(f->file);
    snStatus status = addRecord(f, FRAME, clip, c->count, why);
    c->count += !status;
    return status;
}

snStatus snBakeFile_AddState(snBakeFile* f, int32_t clip, const void* state, snMessage* why)
{
    snBakedFrames* c = &f->clips[clip];
    memcpy(f->buffer, state, f->state_size);
    c->state = c->count - 1;
    c->state_begin = snFile_Tell(f->file);
    snStatus status = addRecord(f, STATE, clip, c->state, why);
    c->state_end = snFile_Tell(f->file);
    return status;
}

snStatus snBakeFile_State(snBakeFile* f, int32_t clip, void* state, int32_t* frame, snMessage* why)
{
    snBakedFrames* c = &f->clips[clip];
    Record r;
    *frame = c->state;
    int64_t end = c->state >= 0 ? c->state_end : c->offset[0];
    if (c->count == 0) {
        return sn_ok;
    }
    if (c->state >= 0) {
        if (!snFile_Seek(f->file, c->state_begin) || !readRecord(f, &r)) {
            return failIo(f, "read", why);
        }
        memcpy(state, f->buffer, f->state_size);
    }
    c->count = c->state + 1;
    if (!snFile_Truncate(f->file, end)) {
        return failIo(f, "write", why);
    }
    return sn_ok;
}
