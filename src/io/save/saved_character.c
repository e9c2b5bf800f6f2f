// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Characters that are built, in files.
#include <string.h>

#include "base/file.h"
#include "io/kind.h"
#include "io/save/save.h"
#include "io/save/saved_character.h"

// To be raised whenever what snSave_Character says, or what structs hold that it saves, changes
static const snArchiveKind KIND = {
    {'S', 'N', 'C', 'H', 'A', 'R', '\r', '\n'},
    2,
    "a saved character",
    "'sinew info bunny.obj --save bunny.character' makes one, in a program snCharacter_Save"};

#define LARGEST_FILE ((size_t)1 << 31)

snStatus snCharacter_Save(const snCharacter* character, const char* path, snMessage* why)
{
    if (!character || !path) {
        return snFail(why, sn_errorArgument, "character and path must not be NULL");
    }
    if (snKind_OfPath(path) != sn_kindCharacter) {
        return snFail(why, sn_errorArgument,
                      "a saved character's name ends with %s, by which snCharacter_Load knows it, "
                      "found '%.300s'",
                      snFileKind_At(sn_kindCharacter)->extension, path);
    }
    snArena arena;
    snArchive a;
    snArena_Init(&arena, &character->host);
    snSavedCharacter saved = {
        .def = character->def, .mesh = character->flesh, .advised = character->info.young_advised};
    saved.def.name = character->name;
    saved.def.skeleton = character->skeleton;
    saved.def.vertices = character->has_flesh ? &character->surface.position->x : NULL;
    saved.def.triangles = character->surface.triangle;
    snArchive_Write(&a, &KIND, &arena, why);
    snSave_Character(&a, &saved);
    snStatus status = snArchive_CloseFile(&a, path);
    snArchive_Free(&a);
    snArena_Free(&arena);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}

// Bytes aligned to SN_ALIGNMENT
static snStatus read(const snHost* host, uint8_t* bytes, size_t count, snArena* arena,
                     snSavedCharacter* saved, snCharacter** character, snMessage* why)
{
    snArchive a;
    snStatus status = snArchive_Read(&a, &KIND, bytes, count, arena, why);
    if (!status) {
        snSave_Character(&a, saved);
        status = snArchive_End(&a);
    }
    if (!status && saved->mesh.tets.tet_count > 0) {
        return snCharacter_Assemble(host, &saved->def, &saved->mesh, saved->advised, character,
                                    why);
    }
    return status ? status
                  : snCharacter_Create(host, saved->def.name, saved->def.skeleton, character, why);
}

static snStatus take(const snHost* host, uint8_t* bytes, size_t count, const char* name,
                     snCharacter** character, snMessage* why)
{
    snArena arena;
    snSavedCharacter saved = {0};
    snArena_Init(&arena, host);
    snStatus status = read(host, bytes, count, &arena, &saved, character, why);
    snSkeleton_Release(saved.def.skeleton); // the character keeps it
    snArena_Free(&arena);
    if (status) { // an argument of what was read is a fault of the file
        status = status == sn_errorArgument ? sn_errorFile : status;
        snMessage_Prefix(why, "%.300s", name);
    }
    return status;
}

snStatus snCharacter_Parse(const snHost* host, const void* bytes, size_t count, const char* name,
                           snCharacter** character, snMessage* why)
{
    snMessage_Clear(why);
    if (!bytes || !character) {
        return snFail(why, sn_errorArgument, "bytes and character must not be NULL");
    }
    *character = NULL;
    snHost taken;
    uint8_t* copy;
    snStatus status = snArchive_Copy(host, bytes, count, &taken, &copy, why);
    if (!status) {
        status = take(&taken, copy, count, name ? name : "character", character, why);
        snHost_Release(&taken, copy, count + 1);
    }
    return status;
}

snStatus snCharacter_LoadSaved(const snHost* host, const char* path, snCharacter** character,
                               snMessage* why)
{
    uint8_t* bytes = NULL;
    size_t count = 0;
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    status = status ? status : snFile_Read(&taken, path, LARGEST_FILE, &bytes, &count, why);
    if (!status) {
        status = take(&taken, bytes, count, path, character, why);
        snHost_Release(&taken, bytes, count + 1);
    }
    return status;
}
