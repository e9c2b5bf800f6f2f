// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/clip.h"

#include <sinew/clip.h>

#include "base/log.h"

#define INSTEAD "call snScene_PlayClip"

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

snStatus snReadClip(snSceneReader* r, const snJson* node, snScene* scene, int32_t who)
{
    Clip c = {.rest = sn_restAuto};
    const snJson* file = NULL;
    const char* path = NULL;
    snClipDef def;
    snClip* clip = NULL;
    snClipDef_Init(&def);
    snPlayDef_Init(&c.play);
    snStatus status = snFields_Read(r, node, &CLIP_KEYS, &c);
    status = status ? status : snFields_Require(r, node, &CLIP_KEYS, "file", &file);
    status = status ? status : snField_File(r, file, INSTEAD, &path);
    const snJson* map = snJson_Get(node, "map");
    status = status || !map ? status : snField_File(r, map, INSTEAD, &def.map);
    if (status) {
        return status;
    }
    def.rest = c.rest;
    status = snClip_Load(&r->host, path, &def, &clip, &r->why);
    // that the file is not there is a mistake of this one
    status = snWrapAt(r, file, status == sn_errorIo ? sn_errorFile : status);
    if (!status) {
        snPlayReport report = {0};
        status = snWrapAt(r, node, snScene_PlayClip(scene, who, clip, &c.play, &report, &r->why));
        if (!status && report.idle[0]) {
            snLog(&r->host, sn_logInfo,
                  "no joint of '%.200s' moves these bones, which keep their zero pose: %s", path,
                  report.idle);
        }
    }
    snClip_Free(clip);
    return status;
}
