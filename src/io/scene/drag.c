// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/drag.h"

#include "io/scene/pose.h"
#include <string.h>

#define MOST_KEYS 100000
#define MOST_DRAGS 256

static const snField DRAG_FIELDS[] = {
    {.key = "bone"},
    {.key = "keys"},
    {.key = "point",
     .kind = sn_fieldVector,
     .offset = offsetof(snDragDef, point),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "ends", .kind = sn_fieldWord, .offset = offsetof(snDragDef, ends), .name = snEndsName},
    {.key = "from_start", .kind = sn_fieldSwitch, .offset = offsetof(snDragDef, from_start)},
    {.key = "frequency",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDragDef, frequency),
     .lo = 0.01,
     .hi = 1000,
     .unit = "Hz"},
    {.key = "weight",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDragDef, weight),
     .lo = 1e-6,
     .hi = 1e6},
    {.key = "turn_weight",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDragDef, turn_weight),
     .lo = 1e-6,
     .hi = 1e6,
     .unit = "m^2/rad^2"},
    {.key = "begin",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDragDef, begin),
     .hi = 86400,
     .unit = "s"},
    {.key = "end",
     .kind = sn_fieldPositive,
     .offset = offsetof(snDragDef, end),
     .hi = 86400,
     .unit = "s"},
};
static const snFields DRAG_KEYS = SN_FIELDS("a drag", DRAG_FIELDS);

typedef struct Key {
    double time;
    snVec3 position;
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
     .offset = offsetof(Key, position),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "rotation"},
    {.key = "rotation_degrees"},
};
static const snFields KEY_KEYS = SN_FIELDS("a key of a drag", KEY_FIELDS);

static const snField DIRECT_FIELDS[] = {
    {.key = "command",
     .kind = sn_fieldWord,
     .offset = offsetof(snDirectDef, command),
     .name = snDirectCommand_Name},
    {.key = "pose"},
    {.key = "hold_frequency",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDirectDef, hold_frequency),
     .hi = 100,
     .unit = "Hz"},
    {.key = "hold_weight",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDirectDef, hold_weight),
     .lo = 1e-9,
     .hi = 1e3},
    {.key = "torque",
     .kind = sn_fieldPositive,
     .offset = offsetof(snDirectDef, torque),
     .hi = SN_SCENE_FORCE,
     .unit = "Nm or N"},
    {.key = "torques"},
};
static const snFields DIRECT_KEYS = SN_FIELDS("\"direct\"", DIRECT_FIELDS);

// Drags -----------------------------------------------------------------------

static bool hasRotation(const snJson* key)
{
    return snJson_Get(key, "rotation") || snJson_Get(key, "rotation_degrees");
}

// Every key says the same: where, how turned, or both.
static snStatus checkKey(snSceneReader* r, const snJson* key, const snJson* first)
{
    bool moves = snJson_Get(key, "position") != NULL, turns = hasRotation(key);
    if (!moves && !turns) {
        return snFailAt(r, key, "a key of a drag must have \"position\" or a rotation, or both");
    }
    if (moves != (snJson_Get(first, "position") != NULL) || turns != hasRotation(first)) {
        return snFailAt(r, key,
                        "all keys of a drag must have the same: position, rotation, or both");
    }
    return sn_ok;
}

static snStatus readKeys(snSceneReader* r, const snJson* node, snDragDef* def)
{
    snStatus status = snField_Array(r, node, 1, MOST_KEYS);
    if (status) {
        return status;
    }
    double* times = snArena_Push(&r->arena, node->count, sizeof(double));
    snVec3* positions = snArena_Push(&r->arena, node->count, sizeof(snVec3));
    snQuat* rotations = snArena_Push(&r->arena, node->count, sizeof(snQuat));
    if (!times || !positions || !rotations) {
        return snFailMemory(r);
    }
    size_t i = 0;
    for (const snJson* m = node->child; m && !status; m = m->next, ++i) {
        const snJson* member;
        Key key = {0};
        status = snFields_Read(r, m, &KEY_KEYS, &key);
        status = status ? status : snFields_Require(r, m, &KEY_KEYS, "time", &member);
        status = status ? status : checkKey(r, m, node->child);
        status = status ? status : snReadRotation(r, m, &rotations[i]);
        times[i] = key.time;
        positions[i] = key.position;
        if (!status && i > 0 && !(times[i] > times[i - 1])) {
            return snFailAt(r, m, "the key's time is not after the one before; sort keys by time");
        }
    }
    if (!status) {
        def->key_count = (int32_t)node->count;
        def->times = times;
        def->positions = snJson_Get(node->child, "position") ? positions : NULL;
        def->rotations = hasRotation(node->child) ? rotations : NULL;
    }
    return status;
}

static snStatus readDrag(snSceneReader* r, const snJson* node, const snNames* bones, snDragDef* def)
{
    const snJson *bone, *keys, *end;
    const char* name;
    snDragDef_Init(def);
    snStatus status = snFields_Read(r, node, &DRAG_KEYS, def);
    status = status ? status : snFields_Require(r, node, &DRAG_KEYS, "bone", &bone);
    status = status ? status : snField_Name(r, bone, &name);
    status = status ? status : snReadBone(r, bone, name, bones, &def->bone);
    status = status ? status : snFields_Require(r, node, &DRAG_KEYS, "keys", &keys);
    status = status ? status : readKeys(r, keys, def);
    end = status ? NULL : snJson_Get(node, "end");
    if (end && !(def->end > def->begin)) {
        return snFailAt(r, end, "\"end\" must be after \"begin\", %g s", def->begin);
    }
    return status;
}

// Direct ----------------------------------------------------------------------

// {"bone": bound, ...}
static snStatus readTorques(snSceneReader* r, const snJson* node, const snSkeleton* skeleton,
                            const snNames* bones, snDirectDef* def)
{
    int32_t nv = snSkeleton_VelocityCount(skeleton);
    double* torques = snArena_Push(&r->arena, (size_t)nv, sizeof(double));
    if (!torques) {
        return snFailMemory(r);
    }
    if (node->kind != sn_jsonObject) {
        return snFailFound(r, node, "\"torques\"", "an object: {\"bone\": bound, ...}");
    }
    for (int32_t k = 0; k < nv; ++k) {
        torques[k] = def->torque;
    }
    snStatus status = sn_ok;
    for (const snJson* m = node->child; m && !status; m = m->next) {
        int32_t bone;
        status = snReadBone(r, m, m->key, bones, &bone);
        if (!status) {
            status = snReadRates(r, m, snSkeleton_Bone(skeleton, bone)->joint, true,
                                 torques + snSkeleton_VelocityStart(skeleton, bone));
        }
    }
    def->torques = torques;
    return status;
}

static snStatus readDirect(snSceneReader* r, const snJson* node, const snSkeleton* skeleton,
                           const snNames* bones, const double* start, snDirectDef* def)
{
    snDirectDef_Init(def);
    snStatus status = snFields_Read(r, node, &DIRECT_KEYS, def);
    const snJson* torques = status ? NULL : snJson_Get(node, "torques");
    const snJson* pose = status ? NULL : snJson_Get(node, "pose");
    if (torques) {
        status = readTorques(r, torques, skeleton, bones, def);
    }
    if (pose && !status) {
        size_t nq = (size_t)snSkeleton_PositionCount(skeleton);
        double* q = snArena_Push(&r->arena, nq, sizeof(double));
        if (!q) {
            return snFailMemory(r);
        }
        snSkeleton_ZeroPose(skeleton, q);
        if (start) {
            memcpy(q, start, nq * sizeof(double));
        }
        def->pose = q;
        status = snReadPose(r, pose, skeleton, bones, q);
    }
    return status;
}

snStatus snReadDrags(snSceneReader* r, const snJson* object, snScene* scene, int32_t who,
                     const snNames* bones, const double* start)
{
    const snJson* direct = snJson_Get(object, "direct");
    const snJson* drags = snJson_Get(object, "drags");
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    snStatus status = sn_ok;
    if (direct) {
        snDirectDef def;
        status = readDirect(r, direct, skeleton, bones, start, &def);
        status =
            status ? status : snWrapAt(r, direct, snScene_SetDirect(scene, who, &def, &r->why));
    }
    if (drags && !status) {
        status = snField_Array(r, drags, 0, MOST_DRAGS);
    }
    for (const snJson* m = drags && !status ? drags->child : NULL; m && !status; m = m->next) {
        snDragDef def;
        status = readDrag(r, m, bones, &def);
        status = status ? status : snWrapAt(r, m, snScene_AddDrag(scene, who, &def, &r->why));
    }
    return status;
}
