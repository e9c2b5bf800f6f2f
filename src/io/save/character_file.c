// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Characters from surfaces and tets.
#include <string.h>

#include "base/log.h"
#include "base/message.h"
#include "io/kind.h"
#include "io/mesh/file.h"
#include "io/save/saved_character.h"

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

// What was done to the tets without asking.
static void tell(const snHost* host, const char* path, const snMeshFacts* f)
{
    if (f->turned_tets > 0) {
        snLog(host, sn_logInfo, "%s: %d tets were inside out and are turned, the first is %lld",
              path, (int)f->turned_tets, (long long)f->first_turned_tet);
    }
    if (f->flat_tets > 0) {
        snLog(host, sn_logWarning, "%s: %d tets without volume are left out, the first is %lld",
              path, (int)f->flat_tets, (long long)f->first_flat_tet);
    }
    if (f->duplicate_tets > 0) {
        snLog(host, sn_logWarning, "%s: %d tets that repeat others are left out, the first is %lld",
              path, (int)f->duplicate_tets, (long long)f->first_duplicate_tet);
    }
    if (f->other_volumes > 0) {
        snLog(host, sn_logWarning, "%s: %lld hexahedra, prisms or pyramids are left out", path,
              (long long)f->other_volumes);
    }
}

static void takeMesh(const snMeshFile* file, snCharacterDef* def)
{
    def->vertex_count = file->surface.vertex_count;
    def->triangle_count = file->surface.triangle_count;
    def->vertices = &file->surface.position->x;
    def->triangles = file->surface.triangle;
    if (file->tets.tet_count > 0) {
        def->node_count = file->tets.node_count;
        def->cell_count = file->tets.tet_count;
        def->nodes = &file->tets.position->x;
        def->tets = file->tets.tet;
    }
}

snStatus snCharacter_Load(const snHost* host, const char* path, const snCharacterDef* def,
                          snCharacter** character, snMessage* why)
{
    return path && character && snKind_OfPath(path) == sn_kindCharacter
               ? snCharacter_LoadSaved(host, path, character, why)
               : snMeshFile_Load(host, path, def, NULL, character, why);
}

snStatus snMeshFile_Load(const snHost* host, const char* path, const snCharacterDef* def,
                         int32_t* refused_tets, snCharacter** character, snMessage* why)
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
    snMeshFile file;
    snArena_Init(&arena, &taken);
    status = snMeshFile_Read(&arena, path, &file, why);
    if (!status && refused_tets && file.tets.tet_count > 0) {
        *refused_tets = file.tets.tet_count;
        status = snFail(why, sn_errorArgument, "%s has tets of its own", path);
    } else if (!status) {
        tell(&taken, path, &file.facts);
        takeMesh(&file, &own);
        status = snCharacter_Build(&taken, &own, character, why);
        if (status) {
            snMessage_Prefix(why, "%s", path);
        }
    }
    snArena_Free(&arena);
    return status;
}
