// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton: a tree of bones, each hung on its parent (or on the ground) by one joint.
//
// A bone's frame sits at its joint. At zero coordinates it coincides with the joint's anchor, which
// is fixed to the parent. Coordinates of all joints lie one after the other in q (positions, as
// many as snSkeleton_PositionCount) and qd, qdd, tau (rates and torques, snSkeleton_VelocityCount),
// in the order of the bones:
//
//   joint      q                                 qd                                  tau
//   weld       -                                 -                                   -
//   revolute   angle about axis                  rad/s                               Nm
//   prismatic  travel along axis                 m/s                                 N
//   universal  angle about axis, then axis2      rad/s, rad/s                        Nm, Nm
//   ball       rotation (x, y, z, w)             angular velocity, anchor's axes     Nm
//   planar     travel along axis2, along         m/s, m/s, rad/s                     N, N, Nm
//              axis x axis2, angle about axis
//   free       position (m), rotation            angular, linear velocity of the     Nm, N
//              (x, y, z, w)                      bone's origin, anchor's axes
#ifndef SINEW_SKELETON_H
#define SINEW_SKELETON_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Mass, centre of mass and inertia of a rigid piece.
typedef struct snMass {
    double mass;    // kg
    snVec3 com;     // centre of mass, m
    snSym3 inertia; // about the centre of mass, kg m^2
} snMass;

// Two pieces as one rigid piece; a piece without mass adds nothing.
SN_API snMass snMass_Add(const snMass* a, const snMass* b);

// A point mass: kg at a position in m.
SN_API snMass snMass_Point(double mass, snVec3 position);

// A solid capsule, the points within `radius` (m) of the segment from a to b; density in kg/m^3.
// Without mass when radius or density is negative or not a number.
SN_API snMass snMass_Capsule(snVec3 a, snVec3 b, double radius, double density);

// A closed triangle mesh (3 coordinates a vertex, 3 indices a triangle, seen counter-clockwise from
// outside) of uniform density, kg/m^3. Fails when the mesh is open, inside out or without volume.
SN_API snStatus snMass_Mesh(const double* vertices, int32_t vertex_count, const int32_t* triangles,
                            int32_t triangle_count, double density, snMass* mass, snMessage* why);

// How a bone moves against its parent; the table above says with which coordinates.
typedef enum snJointType {
    sn_jointWeld = 0,  // not at all
    sn_jointRevolute,  // turns about an axis
    sn_jointPrismatic, // slides along an axis
    sn_jointUniversal, // turns about two axes, one after the other
    sn_jointBall,      // turns freely
    sn_jointPlanar,    // slides in a plane and turns in it
    sn_jointFree,      // moves freely
    sn_jointTypeCount, // how many there are
} snJointType;

// The joint type's name in scene files, for example "revolute"; NULL for a number that is no type.
SN_API const char* snJointType_Name(int32_t type);

// Springs, damping and limits of one coordinate of a joint. All are integrated implicitly: any
// stiffness is stable on any bone, and limits are made no stiffer than a step can resolve.
typedef struct snDofDef {
    double lower;     // lower limit, rad or m; default -infinity (none)
    double upper;     // upper limit, rad or m, at least `lower`; default infinity (none)
    double stiffness; // spring, Nm/rad or N/m, >= 0; default 0
    double rest;      // where the spring is slack, rad or m; default 0
    double damping;   // Nm s/rad or N s/m, >= 0; default 0
    double armature;  // inertia of a geared motor's rotor, kg m^2 or kg, >= 0; default 0
} snDofDef;

// One bone and the joint it hangs on.
typedef struct snBoneDef {
    uint32_t size;    // sizeof(snBoneDef); set by snBoneDef_Init
    int32_t parent;   // index of an earlier bone; default -1 = the ground
    const char* name; // unique, not empty
    int32_t joint;    // an snJointType; default sn_jointWeld
    snTransform
        anchor;   // the joint on the parent (or in the character's frame), m; default identity
    snVec3 axis;  // the joint's first axis in the anchor's frame, of any sensible length; default x
    snVec3 axis2; // the second one, for universal and planar, 10 degrees or more from `axis`;
                  // default y

    // One entry per coordinate. Ball: [0] holds for every direction of rotation, its limits for the
    // twist about `axis`. Free: [0] every direction of rotation, [1] every direction of travel; no
    // limits.
    snDofDef dof[3];

    double swing; // ball: largest angle between `axis` and where the joint takes it, rad, > 0;
                  // default infinity
    double limit_frequency; // how stiff limits are, as the frequency in Hz of the limb bouncing on
                            // one, > 0; default 10. Limits are critically damped.

    snMass mass; // in the bone's frame; default none (a leaf that can move must have some)

    // The bone as a person sees it: a capsule from its origin to `tip`.
    snVec3 tip;    // m; default (0, 0, 0)
    double radius; // m, >= 0; default 0 (the drawing picks one)
} snBoneDef;

// Fills the defaults. Must be called before fields are changed.
SN_API void snBoneDef_Init(snBoneDef* def);

// An immutable, reference-counted skeleton.
typedef struct snSkeleton snSkeleton;

// Builds a skeleton from `count` (0..100,000) bone defs; a parent comes before its children. The
// defs are copied. Without bones it stands for the skeleton of a jellyfish.
SN_API snStatus snSkeleton_Create(const snHost* host, const snBoneDef* bones, int32_t count,
                                  snSkeleton** skeleton, snMessage* why);

// One more owner. Returns the skeleton.
SN_API snSkeleton* snSkeleton_Retain(snSkeleton* skeleton);

// One owner less; the last one frees it. NULL is fine.
SN_API void snSkeleton_Release(snSkeleton* skeleton);

// Number of bones.
SN_API int32_t snSkeleton_BoneCount(const snSkeleton* skeleton);

// Length of q.
SN_API int32_t snSkeleton_PositionCount(const snSkeleton* skeleton);

// Length of qd, qdd and tau: the degrees of freedom.
SN_API int32_t snSkeleton_VelocityCount(const snSkeleton* skeleton);

// Total mass, kg.
SN_API double snSkeleton_Mass(const snSkeleton* skeleton);

// The bone of that name, or -1.
SN_API int32_t snSkeleton_FindBone(const snSkeleton* skeleton, const char* name);

// The def of a bone as it was given (names live as long as the skeleton); NULL when there is no
// such bone.
SN_API const snBoneDef* snSkeleton_Bone(const snSkeleton* skeleton, int32_t bone);

// Where the bone's joint begins in q, or -1.
SN_API int32_t snSkeleton_PositionStart(const snSkeleton* skeleton, int32_t bone);

// Where the bone's joint begins in qd, or -1.
SN_API int32_t snSkeleton_VelocityStart(const snSkeleton* skeleton, int32_t bone);

// Writes the zero pose: all coordinates 0, rotations identity. q holds snSkeleton_PositionCount
// numbers.
SN_API void snSkeleton_ZeroPose(const snSkeleton* skeleton, double* q);

#ifdef __cplusplus
}
#endif

#endif
