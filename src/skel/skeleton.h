// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The skeleton as the mechanics reads it: one compact record per bone, parents first.
#ifndef SN_SKEL_SKELETON_H
#define SN_SKEL_SKELETON_H

#include "base/memory.h"
#include "base/owners.h"
#include "math/mat.h"
#include <sinew/skeleton.h>
#include <stdbool.h>

// What the recursions read of a bone on every step.
typedef struct snBone {
    int32_t parent; // -1 = ground
    int32_t type;   // snJointType
    int32_t qi, vi; // where the joint begins in q and in qd
    int32_t nv;     // its degrees of freedom
    int32_t ball;   // number among the ball and free joints, or -1
    int32_t last;   // its last child, the first that a backward recursion meets, or -1
    int32_t
        passive; // index of its snPassiveDef, or -1 when no spring, damper, limit or armature acts

    double mass; // kg

    snMat3 anchor_R; // anchor in the parent's frame
    snVec3 anchor_p;
    snVec3 axis, axis2; // unit, anchor's frame; planar: axis2 is perpendicular to axis

    snVec3 com;     // bone's frame, m
    snSym3 inertia; // about the bone's origin, bone's axes, kg m^2
} snBone;

// What saves work on a bone. Follows from the others, so it is no part of a model's hash.
typedef struct snBoneShape {
    int8_t straight;      // 1 = the anchor has the parent's axes
    int8_t about, about2; // which of the anchor's axes `axis` and `axis2` are (0, 1, 2), or -1
} snBoneShape;

// Springs, dampers, limits and armatures of a joint, in the order of snBoneDef.dof.
typedef struct snPassiveDef {
    snDofDef dof[3];
    double limit_k[3]; // stiffness of the limits, from limit_frequency and the limb's inertia
    double limit_d[3]; // their damping, critical
    double swing;      // ball: cone angle, rad
    double swing_k, swing_d;
    int64_t ball_limits; // ball: nonzero when swing or twist is limited
} snPassiveDef;

struct snSkeleton {
    snHost host;
    snOwners owners;
    snArena arena; // everything below lives here

    snIsa isa; // that its recursions use
    int32_t bone_count, nq, nv, passive_count, ball_count;
    double mass;           // of all bones, kg
    int32_t floating_root; // the one root bone with a free joint, or -1 when there is no such one
    const snBoneDef* defs; // as given, for people and files
    const snBone* bones;
    const snBoneShape* shapes; // (bone_count)
    const snPassiveDef* passives;
};

#endif
