// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/drive.h"

#include <stdio.h>

#include "io/scene/pose.h"
#include "skel/joint.h"

#define MOST_KEYS 100000
#define MOST_DRIVES 100000
#define MOST_SWITCHES 1000 // drives of one bone

#define DRIVE(kind) (1u << sn_drive##kind)
#define VALUE (DRIVE(Torque) | DRIVE(Acceleration))
#define CURVE (DRIVE(Trajectory) | DRIVE(Servo))

static const snField DRIVE_FIELDS[] = {
    {.key = "bone"},
    {.key = "kind",
     .kind = sn_fieldWord,
     .offset = offsetof(snDriveDef, kind),
     .name = snDriveKind_Name},
    {.key = "begin",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDriveDef, begin),
     .hi = 86400,
     .unit = "s"},
    {.key = "end",
     .kind = sn_fieldPositive,
     .offset = offsetof(snDriveDef, end),
     .hi = 86400,
     .unit = "s",
     .only = DRIVE(Pose)},
    {.key = "pose", .only = DRIVE(Pose)},
    {.key = "value", .only = VALUE},
    {.key = "keys", .only = CURVE},
    {.key = "ends",
     .kind = sn_fieldWord,
     .offset = offsetof(snDriveDef, ends),
     .name = snEndsName,
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

// Where a pose drive goes, and when it is there
static snStatus readGoal(snSceneReader* r, const snJson* node, int32_t joint, snDriveDef* def)
{
    const snJson *member, *end;
    snStatus status = snFields_Require(r, node, &DRIVE_KEYS, "pose", &member);
    status = status ? status : snFields_Require(r, node, &DRIVE_KEYS, "end", &end);
    if (status) {
        return status;
    }
    if (!(def->end > def->begin)) {
        return snFailAt(r, end, "\"end\" must be after \"begin\", %g s", def->begin);
    }
    double* key = snArena_Push(&r->arena, 1, 7 * sizeof(double));
    if (!key) {
        return snFailMemory(r);
    }
    def->key_count = 1;
    def->keys = key;
    return snReadCoordinates(r, member, joint, key);
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
    if (kind & DRIVE(Pose)) {
        return readGoal(r, node, joint, def);
    }
    if (kind & CURVE) {
        status = snFields_Require(r, node, &DRIVE_KEYS, "keys", &member);
        return status ? status : readKeys(r, member, joint, def);
    }
    return status;
}

// A bone's last drive so far.
typedef struct Last {
    uint32_t line; // 0 = none yet
    int32_t count; // of its drives
    double begin;  // s
} Last;

// The bone that a drive is for; drives of a bone come in order of time
static snStatus readTarget(snSceneReader* r, const snJson* node, const snNames* bones, Last* lasts,
                           snDriveDef* def)
{
    const snJson* member;
    const char* name;
    snStatus status = snFields_Require(r, node, &DRIVE_KEYS, "bone", &member);
    status = status ? status : snField_Name(r, member, &name);
    status = status ? status : snReadBone(r, member, name, bones, &def->bone);
    if (status) {
        return status;
    }
    Last* last = &lasts[def->bone];
    if (last->line && !(def->begin > last->begin)) {
        return snFailAt(r, member,
                        "\"%s\" has a drive already, in line %u; remove one, or give this one a "
                        "\"begin\" after %g s",
                        snQuote(name).text, (unsigned)last->line, last->begin);
    }
    if (++last->count > MOST_SWITCHES) {
        return snFailAt(r, member, "\"%s\" has more than %d drives", snQuote(name).text,
                        MOST_SWITCHES);
    }
    last->line = node->line;
    last->begin = def->begin;
    return sn_ok;
}

static snStatus readDrive(snSceneReader* r, const snJson* node, const snSkeleton* skeleton,
                          const snNames* bones, Last* lasts, snDriveDef* def)
{
    const snJson* member;
    snDriveDef_Init(def);
    snStatus status = snFields_Read(r, node, &DRIVE_KEYS, def);
    status = status ? status : snFields_Require(r, node, &DRIVE_KEYS, "kind", &member);
    status = status ? status : readTarget(r, node, bones, lasts, def);
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
    snStatus status = snField_Array(r, node, 0, MOST_DRIVES);
    if (status) {
        return status;
    }
    Last* lasts = snArena_Push(&r->arena, bones->count, sizeof(Last));
    if (!lasts) {
        return snFailMemory(r);
    }
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    for (const snJson* m = node->child; m && !status; m = m->next) {
        snDriveDef def;
        status = readDrive(r, m, skeleton, bones, lasts, &def);
        if (!status) {
            status = snWrapAt(r, m, snScene_SetDrive(scene, who, &def, &r->why));
        }
    }
    return status;
}
