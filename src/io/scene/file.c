// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Scene files: the scene itself and its characters. docs/scene.md describes the format.
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/scene/body.h"
#include "io/scene/bone.h"
#include "io/scene/clip.h"
#include "io/scene/drag.h"
#include "io/scene/drive.h"
#include "io/scene/obstacle.h"
#include "io/scene/pose.h"
#include "io/scene/settings.h"

#define VERSION 1
#define LARGEST_FILE ((size_t)64 << 20)
#define MOST_CHARACTERS 10000

// A path may be longer than a message; its end tells most.
#define LONGEST_PATH 300

// The scene as a whole as the file has it.
typedef struct Whole {
    snSceneDef def;
    int32_t method; // number of the method
} Whole;

static const snField SCENE_FIELDS[] = {
    {.key = "sinew"},
    {.key = "method",
     .kind = sn_fieldWord,
     .offset = offsetof(Whole, method),
     .name = snMethod_Name},
    {.key = "gravity",
     .kind = sn_fieldVector,
     .offset = offsetof(Whole, def.gravity),
     .lo = -1e5,
     .hi = 1e5,
     .unit = "m/s^2"},
    {.key = "frame_rate",
     .kind = sn_fieldNumber,
     .offset = offsetof(Whole, def.frame_rate),
     .lo = 1,
     .hi = 10000,
     .unit = "frames/s"},
    {.key = "duration",
     .kind = sn_fieldNumber,
     .offset = offsetof(Whole, def.duration),
     .hi = 86400,
     .unit = "s"},
    {.key = "step"},
    {.key = "settings"},
    {.key = "ground"},
    {.key = "friction", .kind = sn_fieldNumber, .offset = offsetof(Whole, def.friction), .hi = 10},
    {.key = "restitution",
     .kind = sn_fieldNumber,
     .offset = offsetof(Whole, def.restitution),
     .hi = 1},
    {.key = "self_contact", .kind = sn_fieldSwitch, .offset = offsetof(Whole, def.self_contact)},
    {.key = "sleep",
     .kind = sn_fieldNumber,
     .offset = offsetof(Whole, def.sleep),
     .hi = 3600,
     .unit = "s"},
    {.key = "characters"},
    {.key = "obstacles"},
    {.key = "pairs"},
};
static const snFields SCENE_KEYS = SN_FIELDS("a scene", SCENE_FIELDS);

static const snField GROUND_FIELDS[] = {
    {.key = "height",
     .kind = sn_fieldNumber,
     .offset = offsetof(snSceneDef, ground_height),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "friction", .kind = sn_fieldNumber, .offset = offsetof(snSceneDef, friction), .hi = 10},
};
static const snFields GROUND_KEYS = SN_FIELDS("a ground", GROUND_FIELDS);

static const snField CHARACTER_FIELDS[] = {
    {.key = "name"},
    {.key = "character"},
    {.key = "skeleton"},
    {.key = "body"},
    {.key = "position",
     .kind = sn_fieldVector,
     .offset = offsetof(snStart, pose.p),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "rotation"},
    {.key = "rotation_degrees"},
    {.key = "velocity",
     .kind = sn_fieldVector,
     .offset = offsetof(snStart, velocity),
     .lo = -5000,
     .hi = 5000,
     .unit = "m/s"},
    {.key = "spin",
     .kind = sn_fieldVector,
     .offset = offsetof(snStart, spin),
     .lo = -300000,
     .hi = 300000,
     .unit = "degrees/s",
     .degrees = true},
    {.key = "material", .kind = sn_fieldText, .offset = offsetof(snStart, material), .hi = 31},
    {.key = "pose"},
    {.key = "clip"},
    {.key = "drives"},
    {.key = "direct"},
    {.key = "drags"},
};
static const snFields CHARACTER_KEYS = SN_FIELDS("a character", CHARACTER_FIELDS);

static snStatus nameBones(snSceneReader* r, const snSkeleton* skeleton, snNames* bones)
{
    int32_t count = snSkeleton_BoneCount(skeleton);
    if (!snNames_Init(bones, &r->arena, (size_t)count)) {
        return snFailMemory(r);
    }
    for (int32_t i = 0; i < count; ++i) {
        snNames_Add(bones, snSkeleton_Bone(skeleton, i)->name);
    }
    return sn_ok;
}

static snStatus readStart(snSceneReader* r, const snJson* node, const snSkeleton* skeleton,
                          const snNames* bones, snStart* start)
{
    snStatus status = snReadRotation(r, node, &start->pose.q);
    const snJson* pose = snJson_Get(node, "pose");
    if (status || !pose) {
        return status;
    }
    double* q = snArena_Push(&r->arena, (size_t)snSkeleton_PositionCount(skeleton), sizeof(double));
    if (!q) {
        return snFailMemory(r);
    }
    snSkeleton_ZeroPose(skeleton, q);
    start->q = q;
    return snReadPose(r, pose, skeleton, bones, q);
}

// Puts a character into the scene, sets its drives and drags
static snStatus addCharacter(snSceneReader* r, const snJson* node, snCharacter* character,
                             snStart* start, snScene* scene)
{
    snNames bones;
    int32_t who;
    const snSkeleton* skeleton = snCharacter_Skeleton(character);
    snStatus status = nameBones(r, skeleton, &bones);
    status = status ? status : readStart(r, node, skeleton, &bones, start);
    if (status) {
        return status;
    }
    status = snScene_Add(scene, character, start, &who, &r->why);
    if (status) {
        return snWrapAt(r, node, status);
    }
    const snJson* clip = snJson_Get(node, "clip");
    const snJson* drives = snJson_Get(node, "drives");
    status = clip ? snReadClip(r, clip, scene, who) : sn_ok;
    status = status || !drives ? status : snReadDrives(r, drives, scene, who, &bones);
    return status ? status : snReadDrags(r, node, scene, who, &bones, start->q);
}

// A character that is spelled out: bones, flesh or both
static snStatus makeCharacter(snSceneReader* r, const snJson* node, snCharacter** character)
{
    const snJson* bones = snJson_Get(node, "skeleton");
    const snJson* body = snJson_Get(node, "body");
    const snJson* member;
    const char* name;
    snStatus status = snFields_Require(r, node, &CHARACTER_KEYS, "name", &member);
    status = status ? status : snField_Name(r, member, &name);
    if (status) {
        return status;
    }
    if (!bones && !body) {
        return snFailAt(r, node,
                        "a character must have \"skeleton\", \"body\" or both, or else "
                        "\"character\"; add one");
    }
    snSkeleton* skeleton = NULL;
    status = bones ? snReadSkeleton(r, bones, &skeleton) : sn_ok;
    if (!status && body) {
        status = snReadBody(r, body, name, skeleton, character);
    } else if (!status) {
        status =
            snWrapAt(r, node, snCharacter_Create(&r->host, name, skeleton, character, &r->why));
    }
    snSkeleton_Release(skeleton);
    return status;
}

// A built-in character, which has its name, bones and flesh
static snStatus findCharacter(snSceneReader* r, const snJson* node, const snJson* called,
                              snCharacter** character)
{
    static const char* const OWN[] = {"name", "skeleton", "body"};
    const snLibrary* library = r->library;
    const char* name;
    snStatus status = snField_Name(r, called, &name);
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN && !status; ++i) {
        const snJson* member = snJson_Get(node, OWN[i]);
        if (member) {
            return snFailAt(r, member,
                            "\"%s\" does not go with \"character\": a built-in character has its "
                            "own; remove one of them",
                            OWN[i]);
        }
    }
    if (!status && library && library->find_character) {
        status = snWrapAt(
            r, called, library->find_character(library->user, &r->host, name, character, &r->why));
    }
    if (status || *character) {
        return status;
    }
    snHint hint = snHint_ForList(name, library ? library->character_names : NULL);
    return snFailAt(r, called, "there is no built-in character \"%s\";%s", snQuote(name).text,
                    hint.text[0] ? hint.text : " give \"name\" and \"skeleton\" or \"body\"");
}

static snStatus readCharacter(snSceneReader* r, const snJson* node, snScene* scene)
{
    snStart start;
    snStart_Init(&start);
    snCharacter* character = NULL;
    snStatus status = snFields_Read(r, node, &CHARACTER_KEYS, &start);
    if (!status) {
        const snJson* called = snJson_Get(node, "character");
        status = called ? findCharacter(r, node, called, &character)
                        : makeCharacter(r, node, &character);
    }
    status = status ? status : addCharacter(r, node, character, &start, scene);
    snCharacter_Release(character);
    return status;
}

static snStatus checkVersion(snSceneReader* r, const snJson* root)
{
    if (root->kind != sn_jsonObject) {
        return snFailFound(r, root, "the file", "a scene: {\"sinew\": 1, \"characters\": [...]}");
    }
    const snJson* version;
    snStatus status = snFields_Require(r, root, &SCENE_KEYS, "sinew", &version);
    if (!status && (version->kind != sn_jsonNumber || version->number != VERSION)) {
        return snFailFound(r, version, "sinew", "1, the version of the format that is read here");
    }
    return status;
}

// "auto" or seconds
static snStatus readStep(snSceneReader* r, const snJson* node, double* step)
{
    bool automatic = node->kind == sn_jsonString && strcmp(node->string, "auto") == 0;
    if (automatic || (node->kind == sn_jsonNumber && node->number >= 1e-7 && node->number <= 0.1)) {
        *step = automatic ? 0 : node->number;
        return sn_ok;
    }
    return snFailFound(r, node, "step", "\"auto\" or a number from 1e-7 to 0.1 s");
}

// true, false, or an object that says where it is
static snStatus readGround(snSceneReader* r, const snJson* root, const snJson* node,
                           snSceneDef* def)
{
    const snJson* friction = snJson_Get(node, "friction");
    if (node->kind != sn_jsonBool && node->kind != sn_jsonObject) {
        return snFailFound(r, node, "ground", "true, false or {\"height\": m, \"friction\": x}");
    }
    if (friction && snJson_Get(root, "friction")) {
        return snFailAt(r, friction,
                        "the scene's \"friction\" says the same; remove one of them, or give the "
                        "ground its own in \"pairs\"");
    }
    def->ground = node->kind == sn_jsonObject || node->boolean;
    return node->kind == sn_jsonObject ? snFields_Read(r, node, &GROUND_KEYS, def) : sn_ok;
}

static snStatus readScene(snSceneReader* r, const snJson* root, snScene** scene)
{
    Whole whole = {.method = 0};
    snSceneDef_Init(&whole.def);
    const snJson* characters;
    snStatus status = checkVersion(r, root);
    status = status ? status : snCheckStraySettings(r, root, &SCENE_KEYS);
    status = status ? status : snFields_Read(r, root, &SCENE_KEYS, &whole);
    const snJson* step = snJson_Get(root, "step");
    status = status || !step ? status : readStep(r, step, &whole.def.step);
    const snJson* ground = snJson_Get(root, "ground");
    status = status || !ground ? status : readGround(r, root, ground, &whole.def);
    status = status ? status : snFields_Require(r, root, &SCENE_KEYS, "characters", &characters);
    status = status ? status : snField_Array(r, characters, 1, MOST_CHARACTERS);
    if (status) {
        return status;
    }
    if (snJson_Get(root, "method")) {
        whole.def.method = snMethod_Name(whole.method);
    }
    status = snWrapAt(r, root, snScene_Create(&r->host, &whole.def, scene, &r->why));
    const snJson* settings = snJson_Get(root, "settings");
    status = status || !settings ? status : snReadSettings(r, settings, *scene);
    for (const snJson* m = characters->child; m && !status; m = m->next) {
        status = readCharacter(r, m, *scene);
    }
    return status ? status : snReadObstacles(r, root, *scene);
}

static void prefixPath(snMessage* why, const char* path)
{
    size_t length = strlen(path), cut = length > LONGEST_PATH ? length - LONGEST_PATH : 0;
    snMessage_Prefix(why, "%s%s", cut ? "..." : "", path + cut);
}

// Reads a text; the reader has its library and, where files may be read, its folder
static snStatus parse(snSceneReader r, const snHost* host, const char* text, size_t length,
                      const char* name, snScene** scene, snMessage* why)
{
    *scene = NULL;
    const snJson* root;
    snStatus status = snHost_Take(host, &r.host, why);
    if (status) {
        return status;
    }
    snArena_Init(&r.arena, &r.host);
    if (length > LARGEST_FILE) {
        status = snFail(&r.why, sn_errorFile,
                        "line 1, column 1: the scene has %zu bytes; make it at most %zu", length,
                        LARGEST_FILE);
    } else {
        status = snJson_Parse(&r.arena, text, length, &root, &r.why);
        status = status ? status : readScene(&r, root, scene);
    }
    snArena_Free(&r.arena);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
        prefixPath(&r.why, name ? name : "scene");
        if (why) {
            *why = r.why;
        }
    }
    return status;
}

snStatus snScene_Parse(const snHost* host, const char* text, size_t length, const char* name,
                       const snLibrary* library, snScene** scene, snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !text) {
        return snFail(why, sn_errorArgument, "text and scene must not be NULL");
    }
    return parse((snSceneReader){.library = library}, host, text, length, name, scene, why);
}

snStatus snScene_Load(const snHost* host, const char* path, const snLibrary* library,
                      snScene** scene, snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !path) {
        return snFail(why, sn_errorArgument, "path and scene must not be NULL");
    }
    *scene = NULL;
    snHost taken;
    uint8_t* bytes;
    size_t count;
    snStatus status = snHost_Take(host, &taken, why);
    status = status ? status : snFile_Read(&taken, path, LARGEST_FILE, &bytes, &count, why);
    if (status) {
        return status;
    }
    char folder[SN_PATH_SIZE];
    const char* slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - path) : 0, path);
    snSceneReader r = {.library = library, .folder = folder};
    status = count == 0 ? snFail(why, sn_errorFile,
                                 "%s: line 1, column 1: the file is empty; docs/scene.md says what "
                                 "a scene is",
                                 path)
                        : parse(r, &taken, (const char*)bytes, count, path, scene, why);
    snHost_Release(&taken, bytes, count + 1);
    return status;
}
