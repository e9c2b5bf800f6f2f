// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The two rest poses of a retargeted clip as one.
//
// Limbs of the character point where the recorded ones do at rest. Feet stand flat in both poses,
// whatever way the line from ankle to toes falls: they only turn about the vertical. A file of
// motion alone may have no rest pose but a step of its walk. A foot that is in the air then has the
// frame as its rest pose in which it is lowest.
//
// Bones that are called legs but lie on their side, as hips that lead out to them, keep their
// offset. Hands and fingers go with the forearm, the trunk needs nothing.
#ifndef SN_RIG_REST_H
#define SN_RIG_REST_H

#include "rig/work.h"

// Fills rest, direction, after and was.
void snRest_Find(snWork* work);

#endif
