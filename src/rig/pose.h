// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Clips at a time: what channels say, and where nodes are then.
#ifndef SN_RIG_POSE_H
#define SN_RIG_POSE_H

#include "rig/rig.h"

// The channel's value at a time, as glTF 2.0 (appendix C) says: constant outside the keys; LINEAR
// rotations by slerp, the short way; CUBICSPLINE by Hermite's polynomials with tangents times the
// key's length. Rotations have unit length. out: (width).
void snRigChannel_Sample(const snRigChannel* channel, double time, double* out);

// What places a node against its parent
typedef struct snRigParts {
    snVec3 translation;
    snQuat rotation;
    snVec3 scale;
    snMatrix local; // all three; of a node that no channel moves its matrix as the file has it
} snRigParts;

// Local placements of all nodes at a time of a clip (NULL: at rest). weights may be NULL.
void snRigClipData_Local(const snRig* rig, const snRigClipData* clip, double time,
                         snRigParts* parts, double* weights);

// The same in the world. Both arrays may be NULL.
void snRigClipData_World(const snRig* rig, const snRigClipData* clip, double time, snMatrix* nodes,
                         double* weights);

#endif
