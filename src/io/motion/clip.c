// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Clips from files, and the files that say which joint is which bone.
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "io/mesh/cursor.h"
#include "io/motion/bvh.h"
#include "io/motion/clip.h"

#define MOST_MAP_BYTES ((size_t)1 << 20)

// Mapping files ------------------------------------------------------------------

// What a line of the mapping says; `c` is where it stands.
static snStatus nameJoint(snClip* clip, const snCursor* c, const char* joint, const char* bone)
{
    for (int32_t i = 0; i < clip->info.joint_count; ++i) {
        if (strcmp(clip->joints[i].name, joint) == 0) {
            if (clip->alias_line[i] > 0) {
                return snCursor_Fail(c, "joint '%.60s' is there twice; remove one", joint);
            }
            clip->alias[i] = snArena_String(&clip->arena, bone, strlen(bone));
            clip->alias_line[i] = c->line;
            return clip->alias[i] ? sn_ok : snFail(c->why, sn_errorMemory, "out of memory");
        }
    }
    const char** names =
        snArena_Push(&clip->arena, (size_t)clip->info.joint_count, sizeof(const char*));
    for (int32_t i = 0; names && i < clip->info.joint_count; ++i) {
        names[i] = clip->joints[i].name;
    }
    const char* near = names ? snSuggest(joint, names, (size_t)clip->info.joint_count) : NULL;
    return snCursor_Fail(c, "the clip has no joint '%.60s'%s%s%s", joint,
                         near ? "; did you mean '" : "; 'sinew info' lists them", near ? near : "",
                         near ? "'?" : "");
}

// {"LeftArm": "upper_arm_l", ...}
static snStatus readJsonMap(snClip* clip, const char* text, size_t length, snMessage* why)
{
    snArena arena;
    const snJson* root;
    snArena_Init(&arena, &clip->host);
    snStatus status = snJson_Parse(&arena, text, length, &root, why);
    if (!status && root->kind != sn_jsonObject) {
        status = snFail(why, sn_errorFile, "line 1, column 1: expected {\"joint\": \"bone\", ...}");
    }
    for (const snJson* m = status ? NULL : root->child; m && !status; m = m->next) {
        snCursor c = {.line = (int64_t)m->line, .column = (int64_t)m->column, .why = why};
        status = m->kind == sn_jsonString
                     ? nameJoint(clip, &c, m->key, m->string)
                     : snCursor_Fail(&c, "expected the name of a bone after \"%.60s\"", m->key);
    }
    snArena_Free(&arena);
    return status;
}

// "LeftArm upper_arm_l", a pair a line; # begins a comment
static snStatus readTextMap(snClip* clip, const char* text, size_t length, snMessage* why)
{
    snStatus status = sn_ok;
    snCursor c = snCursor_Start(text, length, '#', why);
    for (snWord joint = snCursor_Word(&c); joint.length > 0 && !status; joint = snCursor_Word(&c)) {
        snCursor_Mark(&c, joint);
        snWord bone = snCursor_LineWord(&c);
        const char* pair[2] = {snArena_String(&clip->arena, joint.text, joint.length),
                               snArena_String(&clip->arena, bone.text, bone.length)};
        if (bone.length == 0) {
            return snCursor_Fail(&c, "expected a joint and a bone, found '%.*s' alone",
                                 snWord_Shown(joint), joint.text);
        }
        snCursor_Mark(&c, (snWord){c.at, 0});
        status = snCursor_EndLine(&c, "a joint and a bone");
        snCursor_Mark(&c, joint);
        status = status               ? status
                 : pair[0] && pair[1] ? nameJoint(clip, &c, pair[0], pair[1])
                                      : snFail(why, sn_errorMemory, "out of memory");
    }
    return status;
}

snStatus snClip_ReadMap(snClip* clip, const char* path, snMessage* why)
{
    uint8_t* bytes;
    size_t count;
    snStatus status = snFile_Read(&clip->host, path, MOST_MAP_BYTES, &bytes, &count, why);
    if (status) {
        return status;
    }
    const char* text = (const char*)bytes;
    size_t first = 0;
    while (first < count && strchr(" \t\r\n", text[first])) {
        ++first;
    }
    status = first < count && text[first] == '{' ? readJsonMap(clip, text, count, why)
                                                 : readTextMap(clip, text, count, why);
    if (status) {
        snMessage_Prefix(why, "%.300s", path);
    }
    snHost_Release(&clip->host, bytes, count + 1);
    return status;
}

// Clips --------------------------------------------------------------------------

static snStatus checkDef(const snClipDef* def, snMessage* why)
{
    if (def && def->size != sizeof(snClipDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snClipDef_Init");
    }
    return def && (def->rest < 0 || def->rest >= sn_restKindCount)
               ? snFail(why, sn_errorArgument, "rest pose %d is none of the %d there are",
                        (int)def->rest, sn_restKindCount)
               : sn_ok;
}

static snStatus parse(const snHost* host, const char* text, size_t length, const char* name,
                      const snClipDef* def, snClip** clip, snMessage* why)
{
    snStatus status = snBvhFile_Parse(host, text, length, clip, why);
    if (status) {
        snMessage_Prefix(why, "%.300s", name);
        return status;
    }
    status = def && def->map ? snClip_ReadMap(*clip, def->map, why) : sn_ok;
    status = status ? status : snClip_Finish(*clip, def, why);
    if (status) {
        snClip_Free(*clip);
        *clip = NULL;
    }
    return status;
}

snStatus snClip_Parse(const snHost* host, const char* text, size_t length, const char* name,
                      const snClipDef* def, snClip** clip, snMessage* why)
{
    snMessage_Clear(why);
    if (!clip || !text) {
        return snFail(why, sn_errorArgument, "text and clip must not be NULL");
    }
    *clip = NULL;
    snHost taken;
    snStatus status = checkDef(def, why);
    if (!status && def && def->map) {
        return snFail(why, sn_errorArgument, "a clip from memory has no mapping file");
    }
    status = status ? status : snHost_Take(host, &taken, why);
    return status ? status : parse(&taken, text, length, name ? name : "clip", def, clip, why);
}

snStatus snClip_Load(const snHost* host, const char* path, const snClipDef* def, snClip** clip,
                     snMessage* why)
{
    snMessage_Clear(why);
    if (!clip || !path) {
        return snFail(why, sn_errorArgument, "path and clip must not be NULL");
    }
    *clip = NULL;
    snHost taken;
    uint8_t* bytes;
    size_t count;
    snStatus status = checkDef(def, why);
    status = status ? status : snHost_Take(host, &taken, why);
    status = status ? status : snFile_Read(&taken, path, SN_MOST_BYTES, &bytes, &count, why);
    if (status) {
        return status;
    }
    status = parse(&taken, (const char*)bytes, count, path, def, clip, why);
    snHost_Release(&taken, bytes, count + 1);
    return status;
}
