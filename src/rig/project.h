// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rotations on joints that cannot turn every way.
#ifndef SN_RIG_PROJECT_H
#define SN_RIG_PROJECT_H

#include "math/quat.h"
#include "skel/skeleton.h"

// The angle of the part of q that turns about the unit axis, in -pi..pi.
double snTwistAngle(snQuat q, snVec3 axis);

// The angle about the unit axis from one vector to another, both seen along the axis.
double snAngleAbout(snVec3 axis, snVec3 from, snVec3 to);

// Coordinates of a joint that come nearest to the rotation `turn` against its anchor. `direction`
// is where the bone points, in its own frame. `carried` (may be NULL) is the rotation whose twist a
// joint takes over that twists in the next bone's place.
void snProject(const snBone* bone, snVec3 direction, snQuat turn, const snQuat* carried, double* q);

// Puts the angles of a joint within its limits, without a jump anywhere on the circle: beyond a
// limit they stay there, and opposite of the middle they come back.
void snProject_Limit(const snBone* bone, const snBoneDef* def, double* q);

// The joint's own rotation and travel from its coordinates.
snTransform snProject_Pose(const snBone* bone, const double* q);

// Angles go on where they were, not by whole turns off; quaternions keep their sign. No joint but
// the root turns by more than `most`, rad: what does is a defect of the recording.
void snProject_Continue(const snSkeleton* skeleton, const double* before, double most, double* q);

#endif
