// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Characters from surface files.
#include <string.h>

#include "base/message.h"
#include "io/obj.h"
#include <sinew/io.h>

#define LONGEST_NAME 255

// The file's name without folder and extension, cut to what a character's name may have.
static const char* baseName(const char* path, char out[LONGEST_NAME + 1])
{
    const char* slash = strrchr(path, '/');
    const char* start = slash ? slash + 1 : path;
    const char* dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    length = length < LONGEST_NAME ? length : LONGEST_NAME;
    memcpy(out, start, length);
    out[length] = 0;
    return out;
}

snStatus snCharacter_Load(const snHost* host, const char* path, const snCharacterDef* def,
                          snCharacter** character, snMessage* why)
{
    snMessage_Clear(why);
    if (!path || !character) {
        return snFail(why, sn_errorArgument, "path and character must not be NULL");
    }
    *character = NULL;
    char name[LONGEST_NAME + 1];
    snCharacterDef own;
    snCharacterDef_Init(&own);
    own.name = baseName(path, name);
    own = def ? *def : own;
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status) {
        return status;
    }
    snArena arena;
    snSurface surface;
    snArena_Init(&arena, &taken);
    status = snObj_Read(&arena, path, &surface, why);
    if (!status) {
        own.vertex_count = surface.vertex_count;
        own.triangle_count = surface.triangle_count;
        own.vertices = &surface.position->x;
        own.triangles = surface.triangle;
        status = snCharacter_Build(&taken, &own, character, why);
        if (status) {
            snMessage_Prefix(why, "%s", path);
        }
    }
    snArena_Free(&arena);
    return status;
}
