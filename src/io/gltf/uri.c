// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// realpath
#define _XOPEN_SOURCE 700

#include "io/gltf/uri.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int hexDigit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool snUri_Path(const char* uri, char* out, size_t size)
{
    size_t n = 0, part = 0; // where the path's present part begins
    for (const char* c = uri;; ++c) {
        char byte = *c;
        if (byte == '%' && hexDigit(c[1]) >= 0 && hexDigit(c[2]) >= 0) {
            byte = (char)(16 * hexDigit(c[1]) + hexDigit(c[2]));
            c += 2;
            if (byte == 0) {
                return false;
            }
        }
        bool ends = byte == 0 || byte == '/';
        bool up = ends && n - part == 2 && out[part] == '.' && out[part + 1] == '.';
        if (up || n + 1 >= size || byte == '\\' || byte == ':' || (byte == '/' && n == 0)) {
            return false;
        }
        out[n] = byte;
        if (byte == 0) {
            return n > 0;
        }
        part = byte == '/' ? n + 1 : part;
        ++n;
    }
}

const char* snUri_Of(snArena* arena, const char* path)
{
    static const char DIGITS[] = "0123456789ABCDEF";
    size_t length = strlen(path), n = 0;
    char* uri = snArena_Push(arena, 3 * length + 1, 1);
    for (size_t i = 0; uri && i < length; ++i) {
        unsigned char c = (unsigned char)(path[i] == '\\' ? '/' : path[i]);
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
            strchr("/._-", c)) {
            uri[n++] = (char)c;
        } else {
            uri[n++] = '%';
            uri[n++] = DIGITS[c >> 4];
            uri[n++] = DIGITS[c & 15];
        }
    }
    return uri;
}

bool snUri_IsRelative(const char* uri)
{
    size_t scheme = strcspn(uri, ":/?#\\");
    return uri[0] && uri[0] != '/' && uri[0] != '\\' && uri[scheme] != ':';
}

#if defined(__wasm__) || defined(_WIN32)

const char* snUri_Between(snArena* arena, const char* from, const char* to)
{
    (void)arena;
    return strcmp(from, to) == 0 ? "" : NULL;
}

#else

// The folder without links and dots, with a slash at its end; NULL when it is not there
static char* wholePath(snArena* arena, const char* folder)
{
    char* found = realpath(folder[0] ? folder : ".", NULL);
    size_t length = found ? strlen(found) : 0;
    char* path = found ? snArena_Push(arena, length + 2, 1) : NULL;
    if (path) {
        snprintf(path, length + 2, "%s%s", found, length > 1 ? "/" : "");
    }
    free(found);
    return path;
}

const char* snUri_Between(snArena* arena, const char* from, const char* to)
{
    const char *a = wholePath(arena, from), *b = wholePath(arena, to);
    size_t common = 0, ups = 0;
    if (!a || !b) {
        return NULL;
    }
    for (size_t i = 0; a[i] && a[i] == b[i]; ++i) {
        common = a[i] == '/' ? i + 1 : common;
    }
    for (const char* c = b + common; *c; ++c) {
        ups += *c == '/';
    }
    size_t bytes = 3 * ups + strlen(a + common) + 1;
    char* path = snArena_Push(arena, bytes, 1);
    if (!path) {
        return NULL;
    }
    for (size_t k = 0; k < 3 * ups; ++k) {
        path[k] = k % 3 < 2 ? '.' : '/';
    }
    snprintf(path + 3 * ups, bytes - 3 * ups, "%s", a + common);
    return snUri_Of(arena, path);
}

#endif
