// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Bodies that are built, in files.
#include <string.h>

#include "base/file.h"
#include "io/save/save.h"

// To be raised whenever what snSave_Rig and snSave_Body say, or what structs hold that they save,
// changes
static const snArchiveKind KIND = {
    {'S', 'N', 'B', 'O', 'D', 'Y', '\r', '\n'},
    5,
    "a saved body",
    "'sinew rig hero.glb --save hero.body' makes one of a rig, in a program snBody_Save"};

#define LARGEST_FILE ((size_t)1 << 31)

// Writing --------------------------------------------------------------------------

snStatus snBody_Save(const snBody* body, const char* path, snMessage* why)
{
    if (!body || !path) {
        return snFail(why, sn_errorArgument, "body and path must not be NULL");
    }
    snArena arena;
    snArchive a;
    snArena_Init(&arena, &body->host);
    snRig rig = {.info = body->rig->info};
    rig.nodes = body->rig->nodes;
    rig.skins = body->rig->skins;
    rig.shape_count = body->rig->shape_count;
    rig.shapes = body->rig->shapes;
    rig.instances = body->rig->instances;
    rig.clips = body->rig->clips;
    rig.weights = body->rig->weights;
    rig.humans = body->rig->humans;
    snRigBody made = body->made;
    snArchive_Write(&a, &KIND, &arena, why);
    snSave_Rig(&a, &rig);
    snSave_Body(&a, &made);
    snStatus status = snArchive_CloseFile(&a, path);
    snArchive_Free(&a);
    snArena_Free(&arena);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}

// Reading --------------------------------------------------------------------------

// The rig takes the bytes, which arrays of both lie in.
static snStatus readBody(snBody* body, snRig* rig, snMessage* why)
{
    snArchive a;
    snStatus status =
        snArchive_Read(&a, &KIND, rig->source.bytes, rig->source.size, &rig->arena, why);
    if (status) {
        return status;
    }
    snSave_Rig(&a, rig);
    body->made.rig = rig;
    a.arena = &body->arena;
    if (!a.status) {
        snSave_Body(&a, &body->made);
    }
    status = snArchive_End(&a);
    return status ? status : snBody_Finish(body, why);
}

// The bytes then belong to the body or are released.
static snStatus makeBody(const snHost* host, uint8_t* bytes, size_t count, const char* name,
                         snBody** out, snMessage* why)
{
    snRig* rig = snRig_New(host);
    snBody* body = rig ? snBody_New(host, rig) : NULL;
    if (!rig) {
        snHost_Release(host, bytes, count + 1);
        return snFail(why, sn_errorMemory, "out of memory");
    }
    rig->source.bytes = bytes;
    rig->source.size = count;
    snStatus status =
        body ? readBody(body, rig, why) : snFail(why, sn_errorMemory, "out of memory");
    snRig_Release(rig); // the body keeps it
    if (status) {
        snMessage_Prefix(why, "%.300s", name);
        snBody_Release(body);
        return status;
    }
    *out = body;
    snMessage_Clear(why);
    return sn_ok;
}

snStatus snBody_Parse(const snHost* host, const void* bytes, size_t count, const char* name,
                      snBody** body, snMessage* why)
{
    if (!bytes || !body) {
        return snFail(why, sn_errorArgument, "bytes and body must not be NULL");
    }
    *body = NULL;
    snHost taken;
    uint8_t* copy;
    snStatus status = snArchive_Copy(host, bytes, count, &taken, &copy, why);
    return status ? status : makeBody(&taken, copy, count, name ? name : "body", body, why);
}

snStatus snBody_Load(const snHost* host, const char* path, snBody** body, snMessage* why)
{
    if (!path || !body) {
        return snFail(why, sn_errorArgument, "path and body must not be NULL");
    }
    *body = NULL;
    snHost taken;
    uint8_t* bytes = NULL;
    size_t count = 0;
    snStatus status = snHost_Take(host, &taken, why);
    status = status ? status : snFile_Read(&taken, path, LARGEST_FILE, &bytes, &count, why);
    return status ? status : makeBody(&taken, bytes, count, path, body, why);
}
