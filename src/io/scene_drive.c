// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene_drive.h"

#include <stdio.h>

#include "io/scene_pose.h"
#include "skel/joint.h"

#define MOST_KEYS 100000

#define DRIVE(kind) (1u << sn_drive##kind)
#define VALUE (DRIVE(Torque) | DRIVE(Acceleration))
#define CURVE (DRIVE(Trajectory) | DRIVE(Servo))

static const char* endsName(int32_t ends)
{
    return ends == sn_endsClamped ? "clamped" : ends == sn_endsPeriodic ? "periodic" : NULL;
}

static const snField DRIVE_FIELDS[] = {
    {.key = "bone"},
    {.key = "kind",
     .kind = sn_fieldWord,
     .offset = offsetof(snDriveDef, kind),
     .name = snDriveKind_Name},
    {.key = "value", .only = VALUE},
    {.key = "keys", .only = CURVE},
    {.key = "ends",
     .kind = sn_fieldWord,
     .offset = offsetof(snDriveDef, ends),
     .name = endsName,
     .only = CURVE},
    {.key = "stiffness",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDriveDef, stiffness),
     .hi = SN_SCENE_FORCE,
     .unit = "Nm/rad or N/m",
     .only = DRIVE(Servo)},
    {.key = "damping",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDriveDef, damping),
     .hi = SN_SCENE_FORCE,
     .unit = "Nm s/rad or N s/m",
     .only = DRIVE(Servo)},
    {.key = "limit",
     .kind = sn_fieldPositive,
     .offset = offsetof(snDriveDef, limit),
     .hi = SN_SCENE_FORCE,
     .unit = "Nm or N",
     .only = DRIVE(Servo)},
};
static const snFields DRIVE_KEYS = SN_FIELDS("a drive", DRIVE_FIELDS);

typedef struct Key {
    double time;
} Key;

static const snField KEY_FIELDS[] = {
    {.key = "time",
     .kind = sn_fieldNumber,
     .offset = offsetof(Key, time),
     .lo = -86400,
     .hi = 86400,
     .unit = "s"},
    {.key = "at"},
};
static const snFields KEY_KEYS = SN_FIELDS("a key", KEY_FIELDS);

static snStatus readKey(snSceneReader* r, const snJson* node, int32_t joint, double* time,
                        double* at)
{
    Key key;
    const snJson *member, *value;
    snStatus status = snFields_Read(r, node, &KEY_KEYS, &key);
    status = status ? status : snFields_Require(r, node, &KEY_KEYS, "time", &member);
    status = status ? status : snFields_Require(r, node, &KEY_KEYS, "at", &value);
    if (!status) {
        *time = key.time;
        status = snReadCoordinates(r, value, joint, at);
    }
    return status;
}

static snStatus readKeys(snSceneReader* r, const snJson* node, int32_t joint, snDriveDef* def)
{
    snStatus status = snField_Array(r, node, 1, MOST_KEYS);
    if (status) {
        return status;
    }
    size_t width = (size_t)snJoint_Shape(joint)->nq;
    double* times = snArena_Push(&r->arena, node->count, sizeof(double));
    double* keys = snArena_Push(&r->arena, node->count, width * sizeof(double));
    if (!times || !keys) {
        return snFailMemory(r);
    }
    size_t i = 0;
    for (const snJson* m = node->child; m && !status; m = m->next, ++i) {
        status = readKey(r, m, joint, &times[i], keys + i * width);
        if (!status && i > 0 && !(times[i] > times[i - 1])) {
            return snFailAt(r, m, "the key's time is not after the one before; sort keys by time");
        }
    }
    def->key_count = (int32_t)node->count;
    def->times = times;
    def->keys = keys;
    return status;
}

// What the drive's kind needs
static snStatus readCourse(snSceneReader* r, const snJson* node, int32_t joint, snDriveDef* def)
{
    const snJson* member;
    uint32_t kind = 1u << def->kind;
    snStatus status = sn_ok;
    if (kind & VALUE) {
        status = snFields_Require(r, node, &DRIVE_KEYS, "value", &member);
        return status ? status
                      : snReadRates(r, member, joint, def->kind == sn_driveTorque, def->value);
    }
    if (kind & CURVE) {
        status = snFields_Require(r, node, &DRIVE_KEYS, "keys", &member);
        return status ? status : readKeys(r, member, joint, def);
    }
    return status;
}

// The bone that a drive is for; `taken` has the line of each bone's drive, 0 = none yet
static snStatus readTarget(snSceneReader* r, const snJson* node, const snNames* bones,
                           uint32_t* taken, int32_t* bone)
{
    const snJson* member;
    const char* name;
    snStatus status = snFields_Require(r, node, &DRIVE_KEYS, "bone", &member);
    status = status ? status : snField_Name(r, member, &name);
    status = status ? status : snReadBone(r, member, name, bones, bone);
    if (status) {
        return status;
    }
    if (taken[*bone]) {
        return snFailAt(r, member, "\"%s\" has a drive already, in line %u; remove one",
                        snQuote(name).text, (unsigned)taken[*bone]);
    }
    taken[*bone] = node->line;
    return sn_ok;
}

static snStatus readDrive(snSceneReader* r, const snJson* node, const snSkeleton* skeleton,
                          const snNames* bones, uint32_t* taken, snDriveDef* def)
{
    const snJson* member;
    snDriveDef_Init(def);
    snStatus status = snFields_Read(r, node, &DRIVE_KEYS, def);
    status = status ? status : snFields_Require(r, node, &DRIVE_KEYS, "kind", &member);
    status = status ? status : readTarget(r, node, bones, taken, &def->bone);
    if (status) {
        return status;
    }
    int32_t joint = snSkeleton_Bone(skeleton, def->bone)->joint;
    if (joint == sn_jointWeld) {
        return snFailAt(r, node,
                        "\"%s\" is welded to its parent and cannot be driven; give it a joint",
                        snQuote(bones->names[def->bone]).text);
    }
    char kind[32];
    snprintf(kind, sizeof kind, "a %s drive", snDriveKind_Name(def->kind));
    status = snFields_CheckUse(r, node, &DRIVE_KEYS, def->kind, kind);
    return status ? status : readCourse(r, node, joint, def);
}

snStatus snReadDrives(snSceneReader* r, const snJson* node, snScene* scene, int32_t who,
                      const snNames* bones)
{
    snStatus status = snField_Array(r, node, 0, bones->count);
    if (status) {
        return status;
    }
    uint32_t* taken = snArena_Push(&r->arena, bones->count, sizeof(uint32_t));
    if (!taken) {
        return snFailMemory(r);
    }
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    for (const snJson* m = node->child; m && !status; m = m->next) {
        snDriveDef def;
        status = readDrive(r, m, skeleton, bones, taken, &def);
        if (!status) {
            status = snWrapAt(r, m, snScene_SetDrive(scene, who, &def, &r->why));
        }
    }
    return status;
}
