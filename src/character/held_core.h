// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What holds a rig's flesh: nodes about its bones. A bone goes from a joint that moves some of the
// body to the next such joint below it; of the last in a chain, on to where its flesh ends. Joints
// of flesh itself, by their names, and ends of chains that move in no clip and mean no limb (a
// belly's joint), are no bones.
#ifndef SN_CHARACTER_HELD_CORE_H
#define SN_CHARACTER_HELD_CORE_H

#include "flesh/weights.h"
#include "rig/rig.h"

typedef struct snHeldCoreDef {
    const snRig* rig;
    int32_t joint_count;  // that move some of the body
    const int32_t* joint; // nodes of the rig, rising; (joint_count)
    const snVec3* place;  // of each joint in the bind pose, m; (joint_count)
    const snTets* mesh;
    double cell;                  // m
    const snNodeWeights* weights; // of the mesh's nodes; (node_count)
    const double* depth;          // of nodes below the surface, m; 0 outside; (node_count)
} snHeldCoreDef;

// A node is held when it is nearer to a bone of a joint that moves it than this part of the way
// from there to the surface, or than so many cells if it is so many deep. With less, a line of
// nodes would hold limbs, and they would spin about it.
#define SN_HELD_CORE_PART 0.4
#define SN_HELD_CORE_CELLS 0.8
#define SN_HELD_CORE_DEPTH 0.2

// Tails have no core: they trail. Sets held[i] = 1 of such nodes; others stay as they are.
// (node_count)
snStatus snHeldCore_Mark(const snHeldCoreDef* def, uint8_t* held, snMessage* why);

#endif
