// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/pose.h"

#include "skel/joint.h"

static const snField TURN = {.key = "angles",
                             .kind = sn_fieldNumber,
                             .lo = -SN_SCENE_DEGREES,
                             .hi = SN_SCENE_DEGREES,
                             .unit = "degrees",
                             .degrees = true};
static const snField TRAVEL = {.key = "coordinates",
                               .kind = sn_fieldNumber,
                               .lo = -SN_SCENE_LENGTH,
                               .hi = SN_SCENE_LENGTH,
                               .unit = "m"};
static const snField QUATERNION = {
    .key = "rotation", .kind = sn_fieldNumber, .lo = -2, .hi = 2, .unit = "(a quaternion)"};
static const snField TORQUE = {.key = "value",
                               .kind = sn_fieldNumber,
                               .lo = -SN_SCENE_FORCE,
                               .hi = SN_SCENE_FORCE,
                               .unit = "Nm or N"};
static const snField ACCELERATION = {
    .key = "value", .kind = sn_fieldNumber, .lo = -1e9, .hi = 1e9, .unit = "m/s^2"};
static const snField SPIN_UP = {.key = "value",
                                .kind = sn_fieldNumber,
                                .lo = -1e9,
                                .hi = 1e9,
                                .unit = "degrees/s^2",
                                .degrees = true};

// The object form of a ball's or a free joint's coordinates.
typedef struct Placement {
    snVec3 position, angles;
} Placement;

static const snField PLACEMENT_FIELDS[] = {
    {.key = "position",
     .kind = sn_fieldVector,
     .offset = offsetof(Placement, position),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m",
     .only = 1u << sn_jointFree},
    {.key = "degrees",
     .kind = sn_fieldVector,
     .offset = offsetof(Placement, angles),
     .lo = -SN_SCENE_DEGREES,
     .hi = SN_SCENE_DEGREES,
     .unit = "degrees",
     .degrees = true},
};
static const snFields PLACEMENT = SN_FIELDS("a placement", PLACEMENT_FIELDS);

static const char* const WANTED_COORDINATES[sn_jointTypeCount] = {
    [sn_jointWeld] = "nothing: a weld has no coordinates",
    [sn_jointRevolute] = "an angle in degrees",
    [sn_jointPrismatic] = "a travel in metres",
    [sn_jointUniversal] = "two angles in degrees: [a, b]",
    [sn_jointBall] = "a rotation: a quaternion [x, y, z, w] or {\"degrees\": [x, y, z]}",
    [sn_jointPlanar] = "travels and an angle: [metres, metres, degrees]",
    [sn_jointFree] =
        "{\"position\": [x, y, z], \"degrees\": [x, y, z]} or [x, y, z, qx, qy, qz, qw]",
};

const char* snEndsName(int32_t ends)
{
    return ends == sn_endsClamped ? "clamped" : ends == sn_endsPeriodic ? "periodic" : NULL;
}

bool snIsTurn(int32_t joint, int32_t i)
{
    return joint == sn_jointPlanar ? i == 2
           : joint == sn_jointFree ? i < 3
                                   : joint != sn_jointPrismatic;
}

const snField* snCoordinateField(bool turn)
{
    return turn ? &TURN : &TRAVEL;
}

// About x, then y, then z, axes that stay; radians
static snQuat fromAngles(snVec3 a)
{
    snQuat x = snQFromAxisAngle(snV3(1, 0, 0), a.x);
    snQuat y = snQFromAxisAngle(snV3(0, 1, 0), a.y);
    snQuat z = snQFromAxisAngle(snV3(0, 0, 1), a.z);
    return snQMul(z, snQMul(y, x));
}

// Few digits are fine, another length is a mistake.
static snStatus takeQuaternion(snSceneReader* r, const snJson* node, const double v[4], snQuat* out)
{
    snQuat q = snLoadQ(v);
    double square = snQDot(q, q);
    if (!(square > 0.81 && square < 1.21)) {
        return snFailAt(
            r, node,
            "the quaternion has the length %.3g; give one of length 1, [x, y, z, w], or "
            "write the rotation in degrees",
            sqrt(square));
    }
    *out = snQNormalize(q);
    return sn_ok;
}

snStatus snReadRotation(snSceneReader* r, const snJson* object, snQuat* out)
{
    const snJson* quaternion = snJson_Get(object, "rotation");
    const snJson* degrees = snJson_Get(object, "rotation_degrees");
    if (quaternion && degrees) {
        return snFailAt(r, degrees,
                        "there is \"rotation\" as well as \"rotation_degrees\"; remove one");
    }
    double v[4];
    if (quaternion) {
        snStatus status = snField_Numbers(r, quaternion, &QUATERNION, 4, v);
        return status ? status : takeQuaternion(r, quaternion, v, out);
    }
    if (degrees) {
        snStatus status = snField_Numbers(r, degrees, &TURN, 3, v);
        if (status) {
            return status;
        }
        *out = fromAngles(snLoad3(v));
    }
    return sn_ok;
}

// The object form
static snStatus readPlacement(snSceneReader* r, const snJson* node, int32_t joint, double* q)
{
    Placement p = {{0, 0, 0}, {0, 0, 0}};
    snStatus status = snFields_Read(r, node, &PLACEMENT, &p);
    status = status ? status : snFields_CheckUse(r, node, &PLACEMENT, joint, "a ball joint");
    if (status) {
        return status;
    }
    if (joint == sn_jointFree) {
        snStore3(q, p.position);
        q += 3;
    }
    snStoreQ(q, fromAngles(p.angles));
    return sn_ok;
}

snStatus snReadCoordinates(snSceneReader* r, const snJson* node, int32_t joint, double* q)
{
    int32_t nq = snJoint_Shape(joint)->nq, turn = joint == sn_jointFree ? 3 : 0;
    bool rotation = joint == sn_jointBall || joint == sn_jointFree;
    if (rotation && node->kind == sn_jsonObject) {
        return readPlacement(r, node, joint, q);
    }
    if (nq == 1 && node->kind == sn_jsonNumber) {
        return snField_Number(r, node, snCoordinateField(snIsTurn(joint, 0)), q);
    }
    if (nq == 0 || node->kind != sn_jsonArray || node->count != (size_t)nq) {
        return snFailFound(r, node, "the value", WANTED_COORDINATES[joint]);
    }
    const snJson* m = node->child;
    for (int32_t i = 0; i < nq; ++i, m = m->next) {
        const snField* field =
            rotation ? (i < turn ? &TRAVEL : &QUATERNION) : snCoordinateField(snIsTurn(joint, i));
        snStatus status = snField_Number(r, m, field, &q[i]);
        if (status) {
            return status;
        }
    }
    if (rotation) {
        snQuat unit;
        snStatus status = takeQuaternion(r, node, q + turn, &unit);
        if (status) {
            return status;
        }
        snStoreQ(q + turn, unit);
    }
    return sn_ok;
}

static const snField* rateField(int32_t joint, int32_t i, bool torque)
{
    return torque ? &TORQUE : snIsTurn(joint, i) ? &SPIN_UP : &ACCELERATION;
}

snStatus snReadRates(snSceneReader* r, const snJson* node, int32_t joint, bool torque, double* out)
{
    int32_t nv = snJoint_Shape(joint)->nv;
    if (nv == 1 && node->kind == sn_jsonNumber) {
        return snField_Number(r, node, rateField(joint, 0, torque), out);
    }
    if (node->kind != sn_jsonArray || node->count != (size_t)nv) {
        return snField_Numbers(r, node, rateField(joint, 0, torque), (size_t)nv, out);
    }
    const snJson* m = node->child;
    snStatus status = sn_ok;
    for (int32_t i = 0; i < nv && !status; ++i, m = m->next) {
        status = snField_Number(r, m, rateField(joint, i, torque), &out[i]);
    }
    return status;
}

snStatus snReadBone(snSceneReader* r, const snJson* at, const char* name, const snNames* bones,
                    int32_t* out)
{
    *out = snNames_Find(bones, name);
    if (*out < 0) {
        snHint hint = snHint_For(name, bones->names, bones->count);
        return snFailAt(r, at, "the skeleton has no bone \"%s\";%s", snQuote(name).text,
                        hint.text[0] ? hint.text : " check the name");
    }
    return sn_ok;
}

snStatus snReadPose(snSceneReader* r, const snJson* node, const snSkeleton* skeleton,
                    const snNames* bones, double* q)
{
    if (node->kind != sn_jsonObject) {
        return snFailFound(r, node, "the pose", "an object: {\"bone\": coordinates, ...}");
    }
    snStatus status = sn_ok;
    for (const snJson* m = node->child; m && !status; m = m->next) {
        int32_t bone;
        status = snReadBone(r, m, m->key, bones, &bone);
        if (!status) {
            status = snReadCoordinates(r, m, snSkeleton_Bone(skeleton, bone)->joint,
                                       q + snSkeleton_PositionStart(skeleton, bone));
        }
    }
    return status;
}
