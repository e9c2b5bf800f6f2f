// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/obstacle.h"

#include <string.h>

#include "io/scene/pose.h"
#include "io/scene/shape.h"

#define MOST_OBSTACLES 10000
#define MOST_KEYS 100000
#define MOST_PAIRS 1000
#define LONGEST_MATERIAL 31

static const snField OBSTACLE_FIELDS[] = {
    {.key = "name", .kind = sn_fieldText, .offset = offsetof(snObstacleDef, name), .hi = 63},
    {.key = "shape"},
    {.key = "shapes"},
    {.key = "material",
     .kind = sn_fieldText,
     .offset = offsetof(snObstacleDef, material),
     .hi = LONGEST_MATERIAL},
    {.key = "position",
     .kind = sn_fieldVector,
     .offset = offsetof(snObstacleDef, pose.p),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "rotation"},
    {.key = "rotation_degrees"},
    {.key = "mass",
     .kind = sn_fieldNumber,
     .offset = offsetof(snObstacleDef, mass),
     .hi = 1e6,
     .unit = "kg"},
    {.key = "velocity",
     .kind = sn_fieldVector,
     .offset = offsetof(snObstacleDef, velocity),
     .lo = -5000,
     .hi = 5000,
     .unit = "m/s"},
    {.key = "spin",
     .kind = sn_fieldVector,
     .offset = offsetof(snObstacleDef, spin),
     .lo = -300000,
     .hi = 300000,
     .unit = "degrees/s",
     .degrees = true},
    {.key = "path"},
    {.key = "ends",
     .kind = sn_fieldWord,
     .offset = offsetof(snObstacleDef, ends),
     .name = snEndsName},
    {.key = "colour"},
};
static const snFields OBSTACLE_KEYS = SN_FIELDS("an obstacle", OBSTACLE_FIELDS);

typedef struct Key {
    double time;
    snTransform pose;
} Key;

static const snField KEY_FIELDS[] = {
    {.key = "time",
     .kind = sn_fieldNumber,
     .offset = offsetof(Key, time),
     .lo = -86400,
     .hi = 86400,
     .unit = "s"},
    {.key = "position",
     .kind = sn_fieldVector,
     .offset = offsetof(Key, pose.p),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "rotation"},
    {.key = "rotation_degrees"},
};
static const snFields KEY_KEYS = SN_FIELDS("a key of a path", KEY_FIELDS);

typedef struct Pair {
    double friction, restitution;
} Pair;

static const snField PAIR_FIELDS[] = {
    {.key = "materials"},
    {.key = "friction", .kind = sn_fieldNumber, .offset = offsetof(Pair, friction), .hi = 10},
    {.key = "restitution", .kind = sn_fieldNumber, .offset = offsetof(Pair, restitution), .hi = 1},
};
static const snFields PAIR_KEYS = SN_FIELDS("a pair", PAIR_FIELDS);

// Obstacles -------------------------------------------------------------------

// [red, green, blue] or [red, green, blue, opacity]
static snStatus readColour(snSceneReader* r, const snJson* node, float out[4])
{
    static const snField PART = {.key = "colour", .kind = sn_fieldNumber, .hi = 1};
    double v[4] = {0, 0, 0, 1};
    bool opacity = node->kind == sn_jsonArray && node->count == 4;
    snStatus status = snField_Numbers(r, node, &PART, opacity ? 4 : 3, v);
    for (int k = 0; k < 4 && !status; ++k) {
        out[k] = (float)v[k];
    }
    return status;
}

// What a key does not say is as in the obstacle
static snStatus readPath(snSceneReader* r, const snJson* node, snObstacleDef* def)
{
    snStatus status = snField_Array(r, node, 1, MOST_KEYS);
    if (status) {
        return status;
    }
    double* times = snArena_Push(&r->arena, node->count, sizeof(double));
    snTransform* keys = snArena_Push(&r->arena, node->count, sizeof(snTransform));
    if (!times || !keys) {
        return snFailMemory(r);
    }
    int32_t count = 0;
    for (const snJson* m = node->child; m && !status; m = m->next, ++count) {
        const snJson* needed;
        Key key = {.pose = def->pose};
        status = snFields_Read(r, m, &KEY_KEYS, &key);
        status = status ? status : snFields_Require(r, m, &KEY_KEYS, "time", &needed);
        status = status ? status : snReadRotation(r, m, &key.pose.q);
        times[count] = key.time;
        keys[count] = key.pose;
        if (!status && count > 0 && !(key.time > times[count - 1])) {
            return snFailAt(r, m, "the key's time is not after the one before; sort keys by time");
        }
    }
    def->key_count = count;
    def->times = times;
    def->keys = keys;
    return status;
}

// Keys that make no sense without another one, or with it
static snStatus checkMotion(snSceneReader* r, const snJson* node, const snObstacleDef* def)
{
    const snJson* path = snJson_Get(node, "path");
    const snJson* ends = snJson_Get(node, "ends");
    const snJson* velocity = snJson_Get(node, "velocity");
    const snJson* pushed = velocity ? velocity : snJson_Get(node, "spin");
    if (path && def->mass > 0) {
        return snFailAt(r, path,
                        "\"path\" does not go with \"mass\": an obstacle follows a path or is "
                        "pushed about; remove one of them");
    }
    if (ends && !path) {
        return snFailAt(r, ends, "\"ends\" goes with a \"path\"; add that or remove it");
    }
    if (pushed && !(def->mass > 0)) {
        return snFailAt(r, pushed, "\"%s\" goes with a \"mass\" above 0; add that or remove it",
                        pushed->key);
    }
    return sn_ok;
}

static snStatus readObstacle(snSceneReader* r, const snJson* node, snScene* scene)
{
    snObstacleDef def;
    snObstacleDef_Init(&def);
    snStatus status = snFields_Read(r, node, &OBSTACLE_KEYS, &def);
    status = status ? status : checkMotion(r, node, &def);
    status = status ? status : snReadRotation(r, node, &def.pose.q);
    status = status ? status : snReadShapes(r, node, &def);
    if (status) {
        return status;
    }
    const snJson* colour = snJson_Get(node, "colour");
    const snJson* path = snJson_Get(node, "path");
    status = colour ? readColour(r, colour, def.colour) : sn_ok;
    status = status || !path ? status : readPath(r, path, &def);
    return status ? status : snWrapAt(r, node, snScene_AddObstacle(scene, &def, NULL, &r->why));
}

// Pairs -----------------------------------------------------------------------

// What characters, obstacles and the ground are made of
static snStatus listMaterials(snSceneReader* r, const snJson* root, snNames* out)
{
    const snJson* lists[] = {snJson_Get(root, "characters"), snJson_Get(root, "obstacles")};
    size_t count = 1;
    for (int i = 0; i < 2; ++i) {
        count += lists[i] ? lists[i]->count : 0;
    }
    if (!snNames_Init(out, &r->arena, count)) {
        return snFailMemory(r);
    }
    snNames_Add(out, "ground");
    for (int i = 0; i < 2; ++i) {
        for (const snJson* m = lists[i] ? lists[i]->child : NULL; m; m = m->next) {
            const snJson* material = snJson_Get(m, "material");
            if (material && snNames_Find(out, material->string) < 0) {
                snNames_Add(out, material->string);
            }
        }
    }
    return sn_ok;
}

// A pair of materials that nobody has is a misspelled one
static snStatus readMaterials(snSceneReader* r, const snJson* node, const snNames* known,
                              const char* out[2])
{
    if (node->kind != sn_jsonArray || node->count != 2) {
        return snFailFound(r, node, "an entry", "two materials: [\"rubber\", \"ground\"]");
    }
    snStatus status = sn_ok;
    const snJson* m = node->child;
    for (int i = 0; i < 2 && !status; ++i, m = m->next) {
        status = snField_Text(r, m, LONGEST_MATERIAL, &out[i]);
        if (!status && snNames_Find(known, out[i]) < 0) {
            snHint hint = snHint_For(out[i], known->names, known->count);
            return snFailAt(r, m, "nothing is made of \"%s\";%s", snQuote(out[i]).text,
                            hint.text[0] ? hint.text
                                         : " give a character or an obstacle that \"material\", "
                                           "or remove the pair");
        }
    }
    return status;
}

// Whether an earlier entry is about the same two
static const snJson* findTwin(const snJson* list, const snJson* before, const char* const pair[2])
{
    for (const snJson* m = list->child; m != before; m = m->next) {
        const snJson* materials = snJson_Get(m, "materials");
        const char* a = materials->child->string;
        const char* b = materials->child->next->string;
        if ((strcmp(a, pair[0]) == 0 && strcmp(b, pair[1]) == 0) ||
            (strcmp(a, pair[1]) == 0 && strcmp(b, pair[0]) == 0)) {
            return m;
        }
    }
    return NULL;
}

static snStatus readPairs(snSceneReader* r, const snJson* root, const snJson* list, snScene* scene)
{
    const snSceneDef* def = snScene_Def(scene);
    snNames known;
    snStatus status = snField_Array(r, list, 0, MOST_PAIRS);
    status = status ? status : listMaterials(r, root, &known);
    for (const snJson* m = list->child; m && !status; m = m->next) {
        Pair pair = {def->friction, def->restitution};
        const char* names[2] = {"", ""};
        const snJson* materials;
        status = snFields_Read(r, m, &PAIR_KEYS, &pair);
        status = status ? status : snFields_Require(r, m, &PAIR_KEYS, "materials", &materials);
        status = status ? status : readMaterials(r, materials, &known, names);
        if (status) {
            return status;
        }
        const snJson* twin = findTwin(list, m, names);
        if (twin) {
            return snFailAt(r, m, "\"%s\" and \"%s\" are a pair already, in line %u; remove one",
                            snQuote(names[0]).text, snQuote(names[1]).text, (unsigned)twin->line);
        }
        status =
            snScene_SetPair(scene, names[0], names[1], pair.friction, pair.restitution, &r->why);
        status = snWrapAt(r, m, status);
    }
    return status;
}

snStatus snReadObstacles(snSceneReader* r, const snJson* root, snScene* scene)
{
    const snJson* obstacles = snJson_Get(root, "obstacles");
    const snJson* pairs = snJson_Get(root, "pairs");
    snStatus status = obstacles ? snField_Array(r, obstacles, 0, MOST_OBSTACLES) : sn_ok;
    for (const snJson* m = obstacles ? obstacles->child : NULL; m && !status; m = m->next) {
        status = readObstacle(r, m, scene);
    }
    return status || !pairs ? status : readPairs(r, root, pairs, scene);
}
