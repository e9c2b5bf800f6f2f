// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // mkdir, strcasecmp, strdup
#include "cli/targets.h"

#include "cli/hero.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool hasEnd(const char* path, const char* end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && strcasecmp(path + length - tail, end) == 0;
}

bool isFolder(const char* path)
{
    struct stat facts;
    size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') ||
           (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode));
}

bool isSameFile(const char* a, const char* b)
{
    struct stat s, t;
    return stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

int checkFolder(const char* path)
{
    struct stat facts;
    char folder[HERO_PATH_BYTES];
    const char* slash = strrchr(path, '/');
    if (!stat(path, &facts) && S_ISDIR(facts.st_mode)) {
        return complain(EXIT_BAD_CALL, "cannot write '%s': it is a folder", path);
    }
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1,
             slash ? path : ".");
    return stat(folder, &facts) || !S_ISDIR(facts.st_mode)
               ? complain(EXIT_BAD_CALL, "cannot write '%s': there is no folder '%s'; make it",
                          path, folder)
               : EXIT_DONE;
}

// With all folders above it
static int makeFolder(const char* path)
{
    char part[HERO_PATH_BYTES];
    struct stat facts;
    snprintf(part, sizeof part, "%s", path);
    for (char* slash = part + 1; *slash; ++slash) {
        if (*slash == '/') {
            *slash = 0;
            mkdir(part, 0777);
            *slash = '/';
        }
    }
    if (mkdir(part, 0777) && errno != EEXIST) {
        return complain(EXIT_BAD_CALL, "cannot make the folder '%s': %s", path, strerror(errno));
    }
    return stat(part, &facts) || !S_ISDIR(facts.st_mode)
               ? complain(EXIT_BAD_CALL, "several rigs go into a folder, and '%s' is none", path)
               : EXIT_DONE;
}

static char* makePath(const char* input, const char* folder, const char* suffix, const char* end)
{
    char tail[HERO_PATH_BYTES], beside[HERO_PATH_BYTES];
    size_t size = 2 * HERO_PATH_BYTES;
    char* path = malloc(size);
    snprintf(tail, sizeof tail, "%s%s", suffix, end);
    replaceEnd(input, tail, beside);
    const char* slash = strrchr(beside, '/');
    if (path && folder) {
        bool ends = folder[0] && folder[strlen(folder) - 1] == '/';
        snprintf(path, size, "%s%s%s", folder, ends ? "" : "/", slash ? slash + 1 : beside);
    } else if (path) {
        snprintf(path, size, "%s", beside);
    }
    return path;
}

static int checkTargets(const char* const* inputs, const Targets* t)
{
    for (int32_t i = 0; i < t->count; ++i) {
        for (int32_t k = 0; k < t->count; ++k) {
            // some file systems do not tell cases apart
            if (k < i && strcasecmp(t->paths[i], t->paths[k]) == 0) {
                return complain(EXIT_BAD_CALL,
                                "'%s' and '%s' would both become '%s'; bake one of them in "
                                "another call, into another folder or with another --suffix",
                                inputs[k], inputs[i], t->paths[i]);
            }
            if (isSameFile(t->paths[i], inputs[k])) {
                return complain(EXIT_BAD_CALL,
                                "'%s' is one of the rigs, which are never overwritten; give "
                                "another folder or --suffix",
                                t->paths[i]);
            }
        }
    }
    return EXIT_DONE;
}

int findTargets(const char* const* inputs, int32_t count, const char* output, const char* suffix,
                const char* end, Targets* t)
{
    bool named = output && !isFolder(output), file = named && count == 1, made = true;
    if (named && !file && hasEnd(output, end)) {
        return complain(EXIT_BAD_CALL, "several rigs go into a folder: give '-o OUT/', not '%s'",
                        output);
    }
    *t = (Targets){count, calloc((size_t)count, sizeof *t->paths)};
    for (int32_t i = 0; i < count && t->paths; ++i) {
        t->paths[i] = file ? strdup(output) : makePath(inputs[i], output, suffix, end);
        made = made && t->paths[i];
    }
    int code =
        made && t->paths ? checkTargets(inputs, t) : complain(EXIT_RUN_FAILED, "out of memory");
    return code || file || !output ? code : makeFolder(output);
}

void freeTargets(Targets* t)
{
    for (int32_t i = 0; i < t->count && t->paths; ++i) {
        free(t->paths[i]);
    }
    free(t->paths);
    *t = (Targets){0};
}
