// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/digest.h"

#include "cli/hero.h"
#include "cli/targets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NOTES ".sinew_bakes"

// FNV-1a, 64 bits
static uint64_t digestBytes(uint64_t digest, const void* bytes, size_t count)
{
    const unsigned char* at = bytes;
    for (size_t i = 0; i < count; ++i) {
        digest = (digest ^ at[i]) * 0x100000001b3ull;
    }
    return digest;
}

// With its end, so that "a" "bc" is not "ab" "c"
static uint64_t digestText(uint64_t digest, const char* text)
{
    return digestBytes(digest, text, strlen(text) + 1);
}

static uint64_t digestFile(uint64_t digest, const char* path)
{
    char bytes[65536];
    size_t count;
    FILE* file = fopen(path, "rb");
    while (file && (count = fread(bytes, 1, sizeof bytes, file)) > 0) {
        digest = digestBytes(digest, bytes, count);
    }
    if (file) {
        fclose(file);
    }
    return digestBytes(digest, file ? "1" : "0", 1);
}

uint64_t digestOptions(const Option* options)
{
    static const char* const OTHERS[] = {"-o",     "--output",  "--resume", "--quiet", "--jobs",
                                         "--film", "--threads", "--report", "--suffix"};
    uint32_t version = snVersion();
    uint64_t digest = digestBytes(0xcbf29ce484222325ull, &version, sizeof version);
    for (const Option* o = options; o->name; ++o) {
        bool counts = true;
        for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; ++i) {
            counts = counts && strcmp(o->name, OTHERS[i]) != 0;
        }
        if (!counts) {
            continue;
        }
        if (o->flag && *o->flag) {
            digest = digestText(digest, o->name);
        }
        int32_t count = o->words ? o->words->count : o->value && *o->value ? 1 : 0;
        for (int32_t i = 0; i < count; ++i) {
            const char* text = o->words ? o->words->at[i] : *o->value;
            digest = digestFile(digestText(digestText(digest, o->name), text), text);
        }
    }
    return digest;
}

// Files that a .gltf names are beside it.
static uint64_t digestNamed(uint64_t digest, const char* path)
{
    char line[4096], beside[2 * HERO_PATH_BYTES];
    const char* slash = strrchr(path, '/');
    FILE* file = hasEnd(path, ".gltf") ? fopen(path, "rb") : NULL;
    while (file && fgets(line, sizeof line, file)) {
        for (char* at = line; (at = strstr(at, "\"uri\""));) {
            char* name = strchr(at + 5, '"');
            char* end = name ? strchr(name + 1, '"') : NULL;
            at += 5;
            if (end) {
                snprintf(beside, sizeof beside, "%.*s%.*s", slash ? (int)(slash - path + 1) : 0,
                         path, (int)(end - name - 1), name + 1);
                digest = digestFile(digest, beside);
                at = end;
            }
        }
    }
    if (file) {
        fclose(file);
    }
    return digest;
}

uint64_t digestRig(uint64_t digest, const char* rig, const char* controls)
{
    digest = digestNamed(digestFile(digest, rig), rig);
    return controls ? digestFile(digest, controls) : digest;
}

// Where it is noted, and its name there
static const char* splitPath(const char* result, char notes[HERO_PATH_BYTES])
{
    const char* slash = strrchr(result, '/');
    snprintf(notes, HERO_PATH_BYTES, "%.*s" NOTES, slash ? (int)(slash - result + 1) : 0, result);
    return slash ? slash + 1 : result;
}

Origin originOf(const char* result, uint64_t digest)
{
    char notes[HERO_PATH_BYTES], line[HERO_PATH_BYTES];
    const char* name = splitPath(result, notes);
    Origin origin = originUnknown;
    FILE* file = fopen(notes, "r");
    while (file && fgets(line, sizeof line, file)) { // the last line counts
        char* end;
        uint64_t noted = strtoull(line, &end, 16);
        line[strcspn(line, "\n")] = 0;
        if (*end == ' ' && strcmp(end + 1, name) == 0) {
            origin = noted == digest ? originSame : originOther;
        }
    }
    if (file) {
        fclose(file);
    }
    return origin;
}

void noteOrigin(const char* result, uint64_t digest)
{
    char notes[HERO_PATH_BYTES];
    const char* name = splitPath(result, notes);
    if (originOf(result, digest) == originSame) {
        return;
    }
    FILE* file = fopen(notes, "a"); // a line at a time: several processes may do so
    if (file) {
        fprintf(file, "%016" PRIx64 " %s\n", digest, name);
        fclose(file);
    }
}
