// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // getpid
#include "render/image.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

// 6 is zlib's own default; 9 takes three times as long for 2 % less
#define PNG_LEVEL 6

snStatus failPicture(snMessage* why, snStatus status, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(why->text, sizeof why->text, format, list);
    va_end(list);
    return status;
}

snStatus createImage(int32_t width, int32_t height, const uint8_t colour[3], Image* image,
                     snMessage* why)
{
    size_t count = (size_t)width * (size_t)height;
    *image = (Image){width, height, malloc(3 * count)};
    if (!image->pixels) {
        return failPicture(why, sn_errorMemory, "no memory for a picture of %d x %d pixels",
                           (int)width, (int)height);
    }
    for (size_t i = 0; i < count; ++i) {
        memcpy(image->pixels + 3 * i, colour, 3);
    }
    return sn_ok;
}

void freeImage(Image* image)
{
    free(image->pixels);
    *image = (Image){0};
}

void pasteImage(Image* onto, const Image* picture, int32_t x, int32_t y)
{
    int32_t width = onto->width - x < picture->width ? onto->width - x : picture->width;
    for (int32_t row = 0; row < picture->height && y + row < onto->height && width > 0; ++row) {
        memcpy(onto->pixels + 3 * ((size_t)(y + row) * (size_t)onto->width + (size_t)x),
               picture->pixels + 3 * (size_t)row * (size_t)picture->width, 3 * (size_t)width);
    }
}

char* temporaryName(const char* path)
{
    size_t size = strlen(path) + 32;
    char* name = malloc(size);
    if (name) {
        snprintf(name, size, "%s.tmp-%ld", path, (long)getpid());
    }
    return name;
}

// PNG -------------------------------------------------------------------------
// ISO/IEC 15948: a signature, then chunks of length, type, data and CRC-32 of type and data.

static void putWord(uint8_t* out, uint32_t value)
{
    for (int i = 0; i < 4; ++i) {
        out[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static bool putChunk(FILE* file, const char type[4], const uint8_t* data, size_t count)
{
    uint8_t head[8], tail[4];
    putWord(head, (uint32_t)count);
    memcpy(head + 4, type, 4);
    uLong crc = crc32(0, head + 4, 4);
    crc = count ? crc32(crc, data, (uInt)count) : crc;
    putWord(tail, (uint32_t)crc);
    return fwrite(head, 1, 8, file) == 8 && fwrite(data, 1, count, file) == count &&
           fwrite(tail, 1, 4, file) == 4;
}

static uint8_t paeth(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

// One row with the filter "up" (2) or Paeth (4), whichever leaves less.
static void filterRow(const Image* image, int32_t y, uint8_t* out)
{
    size_t width = 3 * (size_t)image->width;
    const uint8_t* row = image->pixels + (size_t)y * width;
    const uint8_t* above = y ? row - width : NULL;
    long left[2] = {0, 0};
    for (int pass = 0; pass < 3; ++pass) {
        int filter = pass < 2 ? pass : (left[1] < left[0]);
        for (size_t i = 0; i < width; ++i) {
            int a = i >= 3 ? row[i - 3] : 0, b = above ? above[i] : 0;
            int c = i >= 3 && above ? above[i - 3] : 0;
            out[1 + i] = (uint8_t)(row[i] - (filter ? paeth(a, b, c) : b));
            left[filter] += abs((int8_t)out[1 + i]);
        }
        out[0] = filter ? 4 : 2;
    }
}

static uint8_t* packImage(const Image* image, size_t* packed_size)
{
    size_t stride = 1 + 3 * (size_t)image->width, size = stride * (size_t)image->height;
    uLongf packed = compressBound((uLong)size);
    uint8_t* rows = malloc(size);
    uint8_t* out = malloc(packed);
    for (int32_t y = 0; rows && y < image->height; ++y) {
        filterRow(image, y, rows + (size_t)y * stride);
    }
    if (!rows || !out || compress2(out, &packed, rows, (uLong)size, PNG_LEVEL) != Z_OK) {
        free(out);
        out = NULL;
    }
    free(rows);
    *packed_size = packed;
    return out;
}

static bool putPng(FILE* file, const Image* image, const uint8_t* packed, size_t packed_size)
{
    static const uint8_t SIGNATURE[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t PERCEPTUAL[1] = {0};
    uint8_t header[13] = {0};
    putWord(header, (uint32_t)image->width);
    putWord(header + 4, (uint32_t)image->height);
    header[8] = 8; // bits
    header[9] = 2; // RGB
    return fwrite(SIGNATURE, 1, 8, file) == 8 && putChunk(file, "IHDR", header, 13) &&
           putChunk(file, "sRGB", PERCEPTUAL, 1) && putChunk(file, "IDAT", packed, packed_size) &&
           putChunk(file, "IEND", PERCEPTUAL, 0);
}

snStatus writePng(const Image* image, const char* path, snMessage* why)
{
    size_t size = 0;
    uint8_t* packed = packImage(image, &size);
    char* name = temporaryName(path);
    snStatus status = sn_ok;
    FILE* file = NULL;
    if (!packed || !name || size > INT32_MAX) {
        status = failPicture(why, sn_errorMemory, "no memory to write '%s'", path);
    } else {
        file = fopen(name, "wb");
        bool ok = file && putPng(file, image, packed, size);
        ok = file && !fclose(file) && ok;
        if (!ok || rename(name, path)) {
            status = failPicture(why, sn_errorIo, "cannot write '%s': %s", path, strerror(errno));
            remove(name);
        }
    }
    free(packed);
    free(name);
    return status;
}
