// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rotations and joint coordinates as scene files write them: degrees, metres, quaternions.
#ifndef SN_IO_SCENE_POSE_H
#define SN_IO_SCENE_POSE_H

#include "io/scene/field.h"
#include "io/scene/names.h"

// "rotation" or "rotation_degrees" of an object; neither leaves *out alone, both are an error.
snStatus snReadRotation(snSceneReader* r, const snJson* object, snQuat* out);

// How a curve ends: a word of scene files; NULL for a number that is none.
const char* snEndsName(int32_t ends);

// Whether entry i of qd (and, where there is no quaternion, of q) is an angle.
bool snIsTurn(int32_t joint, int32_t i);

// Range and unit of a coordinate.
const snField* snCoordinateField(bool turn);

// A joint's part of q.
snStatus snReadCoordinates(snSceneReader* r, const snJson* node, int32_t joint, double* q);

// A joint's part of qdd (turns in degrees) or, with `torque`, of tau.
snStatus snReadRates(snSceneReader* r, const snJson* node, int32_t joint, bool torque, double* out);

// A bone that is called by its name; the table lists all there are.
snStatus snReadBone(snSceneReader* r, const snJson* at, const char* name, const snNames* bones,
                    int32_t* out);

// {"bone": coordinates, ...} into q, which holds the zero pose.
snStatus snReadPose(snSceneReader* r, const snJson* node, const snSkeleton* skeleton,
                    const snNames* bones, double* q);

#endif
