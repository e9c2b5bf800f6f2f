// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink/point_cache.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"

// PC2 is written as it lies in memory, MDD swapped.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the PC2 writer swaps no bytes");

#define EXTENSION_LENGTH 4

// Vertices that are converted at a time.
#define BATCH 1024

// The times of an MDD file stand before its frames, and how many there will be shows at the end.
// Until then the frames are in a file of their own with this after its name.
#define FRAMES_SUFFIX ".frames"

typedef struct CacheFile {
    int32_t character;
    int32_t points;
    bool closed;             // it is there under its name
    char path[SN_PATH_SIZE]; // of the finished file
    snFileWriter file;       // PC2: the file; MDD: the frames
} CacheFile;

typedef struct Cache {
    bool mdd;
    bool finished;
    char path[SN_PATH_SIZE]; // as given
    CacheFile* files;        // of the characters with surfaces; (file_count)
    int32_t file_count;
    float* times; // MDD: of the frames, s; (time_capacity)
    int64_t time_capacity;
} Cache;

static uint32_t swapBytes(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

// Writes words of 32 bits in the format's order, which may change them.
static void putWords(const Cache* cache, snFileWriter* file, uint32_t* words, size_t count)
{
    for (size_t i = 0; i < count && cache->mdd; ++i) {
        words[i] = swapBytes(words[i]);
    }
    snFileWriter_Write(file, words, 4 * count);
}

static void putInt(const Cache* cache, snFileWriter* file, int64_t value)
{
    uint32_t word = (uint32_t)value;
    putWords(cache, file, &word, 1);
}

static void putFloat(const Cache* cache, snFileWriter* file, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    putWords(cache, file, &word, 1);
}

// Opening -----------------------------------------------------------------------

static snStatus openFrames(const Cache* cache, const char* path, snFileWriter* file, snMessage* why)
{
    char longer[SN_PATH_SIZE + sizeof(FRAMES_SUFFIX)];
    snprintf(longer, sizeof(longer), "%s%s", path, cache->mdd ? FRAMES_SUFFIX : "");
    return snFileWriter_Open(file, longer, why);
}

// How many characters there are to write shows at the first frame, whether the folder can be
// written to already now, before hours of simulation.
static snStatus openCache(snSink* sink, const char* path, bool mdd, snMessage* why)
{
    snFileWriter probe;
    Cache* cache = snArena_Push(&sink->arena, 1, sizeof(Cache));
    if (!cache) {
        return snFail(why, sn_errorMemory, "cannot write '%s': out of memory", path);
    }
    if (strlen(path) >= SN_PATH_SIZE) {
        return snFail(why, sn_errorArgument, "cannot write '%.100s': the path is too long", path);
    }
    memcpy(cache->path, path, strlen(path) + 1);
    cache->mdd = mdd;
    sink->state = cache;
    snStatus status = openFrames(cache, path, &probe, why);
    snFileWriter_Abort(&probe);
    return status;
}

static snStatus openPc2(snSink* sink, const char* path, snMessage* why)
{
    return openCache(sink, path, false, why);
}

static snStatus openMdd(snSink* sink, const char* path, snMessage* why)
{
    return openCache(sink, path, true, why);
}

// x.pc2 with one surface, else x_NAME.pc2, and x_NAME_2.pc2 when that name is taken; what file
// names should not have in them becomes "_".
static bool makePath(const Cache* cache, const char* name, int32_t index, char path[SN_PATH_SIZE])
{
    char plain[256];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof(plain); ++n) {
        unsigned char c = (unsigned char)name[n];
        bool fine = c >= 0x80 || c == '-' || c == '.' || (c >= '0' && c <= '9') ||
                    (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        plain[n] = fine ? name[n] : '_';
    }
    plain[n] = 0;
    int stem = (int)strlen(cache->path) - EXTENSION_LENGTH;
    bool taken = true;
    for (int32_t k = 1; taken; ++k) {
        char number[16] = "";
        if (k > 1) {
            snprintf(number, sizeof(number), "_%d", (int)k);
        }
        int length = snprintf(path, SN_PATH_SIZE, "%.*s_%s%s%s", stem, cache->path, plain, number,
                              cache->path + stem);
        if (length >= SN_PATH_SIZE) {
            return false;
        }
        taken = false;
        for (int32_t i = 0; i < index; ++i) {
            taken = taken || strcmp(cache->files[i].path, path) == 0;
        }
    }
    return true;
}

static void dropFiles(Cache* cache)
{
    for (int32_t i = 0; i < cache->file_count; ++i) {
        snFileWriter_Abort(&cache->files[i].file);
        if (cache->files[i].closed && !cache->finished) {
            snFile_Remove(cache->files[i].path);
        }
    }
    cache->file_count = 0;
}

static snStatus openFile(snSink* sink, const snFrame* frame, CacheFile* f, bool alone,
                         snMessage* why)
{
    Cache* cache = sink->state;
    int32_t index = (int32_t)(f - cache->files);
    if (alone) {
        memcpy(f->path, cache->path, sizeof(f->path));
    } else if (!makePath(cache, sink->characters[f->character].name, index, f->path)) {
        return snFail(why, sn_errorArgument, "cannot write '%.100s': the path is too long",
                      cache->path);
    }
    f->points = frame->characters[f->character].surfaces[0].vertex_count;
    snStatus status = openFrames(cache, f->path, &f->file, why);
    if (!status && !cache->mdd) {
        snFileWriter_Write(&f->file, "POINTCACHE2", 12);
        putInt(cache, &f->file, 1);
        putInt(cache, &f->file, f->points);
        putFloat(cache, &f->file, 0);
        putFloat(cache, &f->file, 1);
        putInt(cache, &f->file, 0);
    }
    return status;
}

static snStatus openFiles(snSink* sink, const snFrame* frame, snMessage* why)
{
    Cache* cache = sink->state;
    int32_t count = 0;
    snStatus status = snSink_RequireSurface(frame, cache->path, cache->mdd ? "MDD" : "PC2", why);
    for (int32_t i = 0; i < frame->character_count; ++i) {
        count += frame->characters[i].surface_count > 0;
    }
    if (!status && !cache->files) {
        cache->files = snArena_Push(&sink->arena, (size_t)count, sizeof(CacheFile));
        status = cache->files
                     ? sn_ok
                     : snFail(why, sn_errorMemory, "cannot write '%s': out of memory", cache->path);
    }
    for (int32_t i = 0; i < frame->character_count && !status; ++i) {
        if (frame->characters[i].surface_count > 0) {
            CacheFile* f = &cache->files[cache->file_count++];
            *f = (CacheFile){.character = i};
            status = openFile(sink, frame, f, count == 1, why);
        }
    }
    if (status) {
        dropFiles(cache); // the next frame may try again
    }
    return status;
}

// Writing -----------------------------------------------------------------------

static snStatus keepTime(snSink* sink, double time, snMessage* why)
{
    Cache* cache = sink->state;
    if (sink->frame_count == INT32_MAX) {
        return snFail(why, sn_errorUnsupported,
                      "cannot write '%s': it holds no more than %d frames", cache->path, INT32_MAX);
    }
    if (cache->mdd && sink->frame_count == cache->time_capacity) {
        int64_t capacity = 2 * cache->time_capacity + 256;
        float* times = snArena_Push(&sink->arena, (size_t)capacity, sizeof(float));
        if (!times) {
            return snFail(why, sn_errorMemory, "cannot write '%s': out of memory", cache->path);
        }
        if (sink->frame_count > 0) {
            memcpy(times, cache->times, (size_t)sink->frame_count * sizeof(float));
        }
        cache->times = times;
        cache->time_capacity = capacity;
    }
    if (cache->mdd) {
        cache->times[sink->frame_count] = (float)time;
    }
    return sn_ok;
}

static void putPoints(const Cache* cache, snFileWriter* file, const snFrameCharacter* c)
{
    size_t count = (size_t)c->surfaces[0].vertex_count;
    for (size_t begin = 0; begin < count; begin += BATCH) {
        float points[3 * BATCH];
        uint32_t words[3 * BATCH];
        size_t n = count - begin < BATCH ? count - begin : BATCH;
        for (size_t i = 0; i < n; ++i) {
            snSink_Place(c, begin + i, points + 3 * i);
        }
        memcpy(words, points, 12 * n);
        putWords(cache, file, words, 3 * n);
    }
}

static snStatus writeCache(snSink* sink, const snFrame* frame, snMessage* why)
{
    Cache* cache = sink->state;
    snStatus status = keepTime(sink, frame->time, why);
    if (!status && sink->frame_count == 0) {
        status = openFiles(sink, frame, why);
    }
    for (int32_t i = 0; i < cache->file_count && !status; ++i) {
        putPoints(cache, &cache->files[i].file, &frame->characters[cache->files[i].character]);
    }
    return status; // a full disk shows when the file is closed
}

// Finishing ---------------------------------------------------------------------

static snStatus finishPc2(const Cache* cache, int64_t frame_count, CacheFile* f, snMessage* why)
{
    if (!snFile_Seek(f->file.file, SN_PC2_COUNT_OFFSET)) {
        f->file.error = errno;
    }
    putInt(cache, &f->file, frame_count);
    return snFileWriter_Close(&f->file, why);
}

static bool copyFile(FILE* from, snFileWriter* to)
{
    uint8_t bytes[16384];
    size_t count;
    while ((count = fread(bytes, 1, sizeof(bytes), from)) > 0) {
        snFileWriter_Write(to, bytes, count);
    }
    return !ferror(from);
}

// The times, then the frames that were written before them.
static snStatus finishMdd(const Cache* cache, int64_t frame_count, CacheFile* f, snMessage* why)
{
    snFileWriter file;
    bool written = fflush(f->file.file) == 0 && f->file.error == 0;
    FILE* frames = written ? snFile_Open(f->file.temp, "rb") : NULL;
    if (!frames) {
        int error = f->file.error ? f->file.error : errno;
        return snFail(why, sn_errorIo, "cannot write '%s': %s; check the free space and the rights",
                      f->path, strerror(error));
    }
    snStatus status = snFileWriter_Open(&file, f->path, why);
    if (!status) {
        putInt(cache, &file, frame_count);
        putInt(cache, &file, f->points);
        for (int64_t i = 0; i < frame_count; ++i) {
            putFloat(cache, &file, cache->times[i]);
        }
        if (!copyFile(frames, &file)) {
            file.error = errno;
        }
        status = snFileWriter_Close(&file, why);
    }
    fclose(frames);
    return status;
}

static snStatus finishCache(snSink* sink, snMessage* why)
{
    Cache* cache = sink->state;
    for (int32_t i = 0; i < cache->file_count; ++i) {
        CacheFile* f = &cache->files[i];
        snStatus status = cache->mdd ? finishMdd(cache, sink->frame_count, f, why)
                                     : finishPc2(cache, sink->frame_count, f, why);
        if (status) {
            return status;
        }
        f->closed = true;
    }
    cache->finished = true;
    return sn_ok;
}

static void releaseCache(snSink* sink)
{
    if (sink->state) {
        dropFiles(sink->state);
    }
}

const snSinkFormat snPc2Format = {openPc2, writeCache, finishCache, releaseCache};

const snSinkFormat snMddFormat = {openMdd, writeCache, finishCache, releaseCache};
