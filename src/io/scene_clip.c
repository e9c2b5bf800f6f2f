// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene_clip.h"

#include <sinew/clip.h>
#include <stdio.h>
#include <string.h>

typedef struct Clip {
    snPlayDef play;
    int32_t rest;
} Clip;

static const char* restName(int32_t rest)
{
    static const char* const NAMES[sn_restKindCount] = {"auto", "first", "zero"};
    return rest >= 0 && rest < sn_restKindCount ? NAMES[rest] : NULL;
}

static const snField CLIP_FIELDS[] = {
    {.key = "file"},
    {.key = "map"},
    {.key = "rest", .kind = sn_fieldWord, .offset = offsetof(Clip, rest), .name = restName},
    {.key = "begin",
     .kind = sn_fieldNumber,
     .offset = offsetof(Clip, play.begin),
     .lo = -86400,
     .hi = 86400,
     .unit = "s"},
    {.key = "lead",
     .kind = sn_fieldNumber,
     .offset = offsetof(Clip, play.lead),
     .hi = 60,
     .unit = "s"},
    {.key = "speed",
     .kind = sn_fieldNumber,
     .offset = offsetof(Clip, play.speed),
     .lo = 0.01,
     .hi = 100},
    {.key = "feet", .kind = sn_fieldSwitch, .offset = offsetof(Clip, play.feet)},
};
static const snFields CLIP_KEYS = SN_FIELDS("a clip", CLIP_FIELDS);

// Found from the scene's folder
static snStatus readPath(snSceneReader* r, const snJson* node, const char** out)
{
    const char* path;
    snStatus status = snField_Path(r, node, &path);
    if (status) {
        return status;
    }
    if (!r->folder) {
        return snFailAt(r, node,
                        "\"%s\" names a file, and a scene that is not a file itself reads none; "
                        "save the scene to a file, or call snScene_PlayClip in the program",
                        node->key);
    }
    const char* folder = path[0] == '/' ? "" : r->folder;
    size_t size = strlen(folder) + strlen(path) + 1;
    char* joined = snArena_Push(&r->arena, size, 1);
    if (!joined) {
        return snFailMemory(r);
    }
    snprintf(joined, size, "%s%s", folder, path);
    *out = joined;
    return sn_ok;
}

snStatus snReadClip(snSceneReader* r, const snJson* node, snScene* scene, int32_t who)
{
    Clip c = {.rest = sn_restAuto};
    const snJson* file;
    const char* path;
    snClipDef def;
    snClip* clip = NULL;
    snClipDef_Init(&def);
    snPlayDef_Init(&c.play);
    snStatus status = snFields_Read(r, node, &CLIP_KEYS, &c);
    status = status ? status : snFields_Require(r, node, &CLIP_KEYS, "file", &file);
    status = status ? status : readPath(r, file, &path);
    const snJson* map = snJson_Get(node, "map");
    status = status || !map ? status : readPath(r, map, &def.map);
    if (status) {
        return status;
    }
    def.rest = c.rest;
    status = snWrapAt(r, file, snClip_Load(&r->host, path, &def, &clip, &r->why));
    if (!status) {
        status = snWrapAt(r, node, snScene_PlayClip(scene, who, clip, &c.play, NULL, &r->why));
    }
    snClip_Free(clip);
    return status;
}
