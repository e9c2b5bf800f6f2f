// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/fbx/foreign.h"

#include <string.h>

#include "base/importers.h"

// Where the text of a file says what it is at the latest
#define HEAD_TEXT 4096

// Begins the head of a binary FBX file.
static const char MAGIC[] = "Kaydara FBX Binary  ";

const char* snForeign_FindText(const uint8_t* bytes, size_t count, const char* text)
{
    size_t length = strlen(text), most = count < HEAD_TEXT ? count : HEAD_TEXT;
    for (size_t i = 0; i + length <= most; ++i) {
        if (memcmp(bytes + i, text, length) == 0) {
            return (const char*)bytes + i + length;
        }
    }
    return NULL;
}

bool snForeign_IsBinaryFbx(const uint8_t* bytes, size_t count)
{
    return count >= SN_FBX_HEAD_BYTES && memcmp(bytes, MAGIC, sizeof MAGIC) == 0;
}

const char* snForeign_Kind(const uint8_t* bytes, size_t count)
{
    if (snForeign_IsBinaryFbx(bytes, count)) {
        return "fbx";
    }
    if (snForeign_FindText(bytes, count, "<COLLADA")) {
        return "dae";
    }
    return snForeign_FindText(bytes, count, "FBXHeaderExtension:") ? "fbx" : NULL;
}

// Takes an answer of snImporters.rig apart.
static snStatus unpack(snRig* rig, const uint8_t* all, size_t count, const char** generator,
                       snMessage* why)
{
    uint64_t text = 0;
    memcpy(&text, all, count < sizeof text ? 0 : sizeof text);
    if (text == 0 || text > count - sizeof text || all[sizeof text + text - 1] != 0) {
        return snFail(why, sn_errorFile,
                      "Assimp, which reads such files, fell over it; export it "
                      "again, or as .glb");
    }
    size_t before = sizeof text + (size_t)text;
    const char *at = (const char*)all + sizeof text, *end = (const char*)all + before;
    uint8_t* document = snHost_Allocate(&rig->host, count - before + 1);
    *generator = snArena_String(&rig->arena, at, strlen(at));
    if (!document || !*generator) {
        snHost_Release(&rig->host, document, count - before + 1);
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
        snRig_Warn(rig, "%s", at);
    }
    memcpy(document, all + before, count - before);
    snHost_Release(&rig->host, rig->source.bytes, rig->source.size + 1);
    rig->source.bytes = document;
    rig->source.size = count - before;
    return sn_ok;
}

snStatus snForeign_Convert(snRig* rig, const char* kind, const char** generator, snMessage* why)
{
    const snImporters* importers = rig->host.importers;
    uint8_t* bytes = NULL;
    size_t count = 0;
    if (!importers || !importers->rig) {
        return snImporters_Fail(&rig->host,
                                strcmp(kind, "fbx") == 0 ? "it is FBX, which is read"
                                                         : "it is Collada, which is read",
                                "Assimp", "libassimp-dev", "export the character as .glb", why);
    }
    snStatus status =
        importers->rig(&rig->host, kind, rig->source.bytes, rig->source.size, &bytes, &count, why);
    if (!status) {
        status = unpack(rig, bytes, count, generator, why);
        snHost_Release(&rig->host, bytes, count + 1);
    }
    return status;
}
