// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The fields of all public defs: what each means, its unit and range, as in the public headers.
// Where one says "above 0", 0 itself is refused. The controls of snBodyDef have a table of their
// own, snBodyControls.
#include "io/scene/defs.h"

#include <math.h>
#include <sinew/sinew.h>

#include "io/scene/pose.h"
#include "sim/scene_def.h"

#define ANY (double)INFINITY

// Words of choices that have no public names ----------------------------------

#define WORDS(function, ...)                                                            \
    static const char* function(int32_t i)                                              \
    {                                                                                   \
        static const char* const NAMES[] = {__VA_ARGS__};                               \
        return i >= 0 && i < (int32_t)(sizeof NAMES / sizeof *NAMES) ? NAMES[i] : NULL; \
    }

WORDS(forceName, "uniform", "wind", "point", "call")
WORDS(ikName, "damped least squares", "Jacobian transpose")
WORDS(diagonalName, "selective", "always", "never", "selective, LAPACK", "always, LAPACK")
WORDS(bakeName, "shapes", "pc2", "mdd", "joints")
WORDS(restName, "automatic", "first", "zero")
WORDS(wantedName, "pose", "nodes", "surface", "normals", "sums")
WORDS(axesName, "y up", "z up")

static const char* motionName(int32_t motion)
{
    return motion == sn_motionNone ? "none" : snMotion_Name(motion);
}

// Defaults that stand in other defs -------------------------------------------

static void initDof(void* dof)
{
    snBoneDef bone;
    snBoneDef_Init(&bone);
    *(snDofDef*)dof = bone.dof[0];
}

static void initMaterial(void* material)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    *(snFleshMaterial*)material = def.material;
}

// Tables ----------------------------------------------------------------------

// Fields of the struct IN; those of the wrong type do not compile.
#define NAME(field) #field
#define FIELD(field, kind, about, ...)                             \
    {                                                              \
        NAME(field), kind, offsetof(IN, field), about, __VA_ARGS__ \
    }
#define OF(field) ((IN*)0)->field
#define IS_NUMBER(field) _Generic(OF(field), double : sn_defNumber)
#define IS_INTEGER(field) _Generic(OF(field), int32_t : sn_defInteger)
#define IS_FLAG(field) _Generic(OF(field), int32_t : sn_defFlag)
#define IS_CHOICE(field) _Generic(OF(field), int32_t : sn_defChoice)
#define IS_VECTOR(field) _Generic(OF(field), snVec3 : sn_defVector)
#define IS_POSE(field) _Generic(OF(field), snTransform : sn_defPose)
#define IS_BITS(field) _Generic(OF(field), uint32_t : sn_defBits)
#define IS_BYTES(field) _Generic(OF(field), size_t : sn_defSize)
#define IS_TEXT(field) _Generic(OF(field), const char* : sn_defText)
#define NUMBER(field, about, unit, low, high) \
    FIELD(field, IS_NUMBER(field), about, unit, low, high, NULL, NULL, NULL)
#define INTEGER(field, about, low, high) \
    FIELD(field, IS_INTEGER(field), about, NULL, low, high, NULL, NULL, NULL)
#define FLAG(field, about) FIELD(field, IS_FLAG(field), about, NULL, 0, 1, NULL, NULL, NULL)
#define CHOICE(field, about, word) \
    FIELD(field, IS_CHOICE(field), about, NULL, 0, 0, word, NULL, NULL)
#define VECTOR(field, about, unit, low, high) \
    FIELD(field, IS_VECTOR(field), about, unit, low, high, NULL, NULL, NULL)
#define POSE(field, about) FIELD(field, IS_POSE(field), about, NULL, 0, 0, NULL, NULL, NULL)
#define BITS(field, about, word) FIELD(field, IS_BITS(field), about, NULL, 0, 0, word, NULL, NULL)
#define BYTES(field, about) FIELD(field, IS_BYTES(field), about, "bytes", 0, 0, NULL, NULL, NULL)
#define TEXT(field, about) FIELD(field, IS_TEXT(field), about, NULL, 0, 0, NULL, NULL, NULL)
#define ARRAY(field, about, unit, of, count) \
    FIELD(field, sn_defArray, about, unit, 0, 0, NULL, of, count)
#define OBJECT(field, about, of) FIELD(field, sn_defObject, about, NULL, 0, 0, NULL, of, NULL)
#define HOOK(field, about) FIELD(field, sn_defHook, about, NULL, 0, 0, NULL, NULL, NULL)

// An Init of a struct as a function of any.
#define INIT(name, init)             \
    static void name(void* defaults) \
    {                                \
        init(defaults);              \
    }

INIT(initStart, snStart_Init)
#define IN snStart
static const snDefField START_FIELDS[] = {
    POSE(pose, "of the character's frame in the world"),
    VECTOR(velocity, "of the root's origin, for a free root", "m/s", -1e4, 1e4),
    VECTOR(spin, "about its root's origin, for a free root", "rad/s", -1e4, 1e4),
    ARRAY(q, "joint coordinates; none is the zero pose", NULL, "number", "nq"),
    TEXT(material, "what its surface is made of, at most 31 bytes"),
};
#undef IN

#define IN snShapeDef
static const snDefField SHAPE_FIELDS[] = {
    CHOICE(kind, "what it is", snShapeKind_Name),
    POSE(pose, "in the obstacle's frame"),
    VECTOR(half, "box: half of its sides", "m", 1e-4, 1e4),
    NUMBER(radius, "sphere, capsule", "m", 1e-4, 1e4),
    NUMBER(half_length, "capsule: half of the line inside it", "m", 0, 1e4),
    INTEGER(vertex_count, "mesh", 0, 10000000),
    INTEGER(triangle_count, "mesh", 0, 10000000),
    ARRAY(vertices, "mesh", "m", "snVec3", "vertex_count"),
    ARRAY(triangles, "mesh: three vertices each, counter-clockwise from outside", NULL, "integer",
          "3 triangle_count"),
};
#undef IN

INIT(initObstacle, snObstacleDef_Init)
#define IN snObstacleDef
static const snDefField OBSTACLE_FIELDS[] = {
    TEXT(name, "0..63 bytes"),
    TEXT(material, "what it is made of, at most 31 bytes"),
    INTEGER(shape_count, "how many pieces it has", 1, 1000),
    ARRAY(shapes, "its pieces, which may overlap", NULL, "snShapeDef", "shape_count"),
    POSE(pose, "at the start"),
    FLAG(hosted, "the host moves it; without mass and path"),
    NUMBER(mass, "it is pushed about, from 1e-6 on; 0 does not give way", "kg", 0, 1e6),
    VECTOR(velocity, "of its centre of mass at the start, when it has a mass", "m/s", -1e4, 1e4),
    VECTOR(spin, "when it has a mass", "rad/s", -1e4, 1e4),
    INTEGER(key_count, "keys of its path, when it has no mass", 0, 100000),
    CHOICE(ends, "how the path begins and ends", snEndsName),
    ARRAY(times, "of the keys, increasing", "s", "number", "key_count"),
    ARRAY(keys, "where its frame is then", NULL, "snTransform", "key_count"),
    ARRAY(colour, "red, green, blue (sRGB) and opacity for pictures, 0..1", NULL, "number", "4"),
};
#undef IN

INIT(initForce, snForceDef_Init)
#define IN snForceDef
static const snDefField FORCE_FIELDS[] = {
    CHOICE(kind, "what pulls", forceName),
    VECTOR(place, "its middle", "m", -1e9, 1e9),
    NUMBER(radius, "where it ends, above 0", "m", 0, ANY),
    VECTOR(value, "uniform: acceleration, m/s^2; wind: velocity of the air, m/s", NULL, -1e6, 1e6),
    NUMBER(rate, "wind: how quickly bodies are taken along", "1/s", 0, 1e4),
    NUMBER(towards, "point: acceleration towards the place; negative is away", "m/s^2", -1e6, 1e6),
    HOOK(call, "call: the acceleration of what is at a place with a velocity at a time"),
    HOOK(user, "call: its first argument"),
};
#undef IN

INIT(initDrive, snDriveDef_Init)
#define IN snDriveDef
static const snDefField DRIVE_FIELDS[] = {
    CHOICE(kind, "how it is moved", snDriveKind_Name),
    INTEGER(bone, "whose joint", 0, 99999),
    NUMBER(begin, "when it takes over", "s", 0, 86400),
    NUMBER(end, "pose: when the joint has arrived, after begin", "s", 0, 86400),
    ARRAY(value, "torque (Nm, N) or acceleration (rad/s^2, m/s^2)", NULL, "number", "6"),
    INTEGER(key_count, "trajectory, servo: keys; pose: 1", 0, 100000),
    CHOICE(ends, "how the curve begins and ends", snEndsName),
    ARRAY(times, "trajectory, servo: of the keys, increasing", "s", "number", "key_count"),
    ARRAY(keys, "coordinates of the joint at the keys", NULL, "number", "key_count * part of q"),
    NUMBER(stiffness, "servo, Nm/rad or N/m", NULL, 0, ANY),
    NUMBER(damping, "servo, Nm s/rad or N s/m", NULL, 0, ANY),
    NUMBER(limit, "servo: largest torque or force, above 0, Nm or N", NULL, 0, ANY),
};
#undef IN

INIT(initDrag, snDragDef_Init)
#define IN snDragDef
static const snDefField DRAG_FIELDS[] = {
    INTEGER(bone, "which bone", 0, 99999),
    VECTOR(point, "of the bone, in its frame", "m", -1e9, 1e9),
    INTEGER(key_count, "keys of the path", 1, 100000),
    CHOICE(ends, "how the path begins and ends", snEndsName),
    ARRAY(times, "of the keys, increasing", "s", "number", "key_count"),
    ARRAY(positions, "where the point should be; none is anywhere", "m", "snVec3", "key_count"),
    ARRAY(rotations, "how the bone should be turned; none is anyhow", NULL, "snQuat", "key_count"),
    FLAG(from_start, "the path is in the frame that the character started in"),
    NUMBER(frequency, "how tightly it follows", "Hz", 0.01, 1000),
    NUMBER(weight, "of the position against other drags", NULL, 1e-6, 1e6),
    NUMBER(turn_weight, "of the rotation", "m^2/rad^2", 1e-6, 1e6),
    NUMBER(begin, "when it begins", "s", 0, 86400),
    NUMBER(end, "when it ends, after begin", "s", 0, ANY),
};
#undef IN

INIT(initDirect, snDirectDef_Init)
#define IN snDirectDef
static const snDefField DIRECT_FIELDS[] = {
    CHOICE(command, "what joints are told", snDirectCommand_Name),
    ARRAY(pose, "that is held softly; none is the start", NULL, "number", "nq"),
    NUMBER(hold_frequency, "how quickly joints go back to it", "Hz", 0, 100),
    NUMBER(hold_weight, "of a joint's acceleration against the drags'", NULL, 1e-9, 1000),
    NUMBER(torque, "largest torque of a joint, above 0, Nm or N", NULL, 0, ANY),
    ARRAY(torques, "the same for each coordinate; none is torque", NULL, "number", "nv"),
    NUMBER(acceleration, "largest acceleration, above 0, rad/s^2 or m/s^2", NULL, 0, ANY),
};
#undef IN

#define IN snMass
static const snDefField MASS_FIELDS[] = {
    NUMBER(mass, "how heavy it is", "kg", 0, ANY),
    VECTOR(com, "centre of mass", "m", -ANY, ANY),
    ARRAY(inertia, "xx yy zz xy xz yz about the centre of mass", "kg m^2", "number", "6"),
};
#undef IN

#define IN snDofDef
static const snDefField DOF_FIELDS[] = {
    NUMBER(lower, "lower limit, rad or m", NULL, -ANY, ANY),
    NUMBER(upper, "upper limit, rad or m, at least lower", NULL, -ANY, ANY),
    NUMBER(stiffness, "spring, Nm/rad or N/m", NULL, 0, ANY),
    NUMBER(rest, "where the spring is slack, rad or m", NULL, -ANY, ANY),
    NUMBER(damping, "Nm s/rad or N s/m", NULL, 0, ANY),
    NUMBER(armature, "inertia of a geared motor's rotor, kg m^2 or kg", NULL, 0, ANY),
};
#undef IN

INIT(initBone, snBoneDef_Init)
#define IN snBoneDef
static const snDefField BONE_FIELDS[] = {
    INTEGER(parent, "number of an earlier bone; -1 is the ground", -1, 99999),
    TEXT(name, "unique, not empty"),
    CHOICE(joint, "how it moves", snJointType_Name),
    POSE(anchor, "the joint on the parent, or in the character's frame"),
    VECTOR(axis, "the joint's first axis in the anchor's frame", NULL, -ANY, ANY),
    VECTOR(axis2, "the second one, for universal and planar", NULL, -ANY, ANY),
    ARRAY(dof, "one entry per coordinate", NULL, "snDofDef", "3"),
    NUMBER(swing, "ball: largest angle between the axis and where the joint takes it, above 0",
           "rad", 0, ANY),
    NUMBER(limit_frequency, "how stiff limits are: of the limb bouncing on one, above 0", "Hz", 0,
           ANY),
    OBJECT(mass, "in the bone's frame", "snMass"),
    VECTOR(tip, "where a capsule from its origin ends, as it is drawn", "m", -ANY, ANY),
    NUMBER(radius, "of the capsule; 0: the drawing picks one", "m", 0, ANY),
};
#undef IN

INIT(initIk, snIkDef_Init)
#define IN snIkDef
static const snDefField IK_FIELDS[] = {
    CHOICE(method, "how it searches", ikName),
    INTEGER(iterations, "at most so many", 1, 100000),
    NUMBER(tolerance, "done when the weighted error is below", "m", 0, ANY),
    NUMBER(damping, "of damped least squares, relative to the reach, above 0", NULL, 0, ANY),
    ARRAY(locked, "nonzero: that joint does not move", NULL, "flag", "bone count"),
};
#undef IN

#define IN snFleshMaterial
static const snDefField MATERIAL_FIELDS[] = {
    NUMBER(density, "how heavy", "kg/m^3", 1, 100000),
    NUMBER(young, "Young's modulus", "Pa", 1, 1e+10),
    NUMBER(poisson, "Poisson's ratio", NULL, 0, 0.49),
    NUMBER(damping, "of motion against the bones, or the body's own rigid motion", "1/s", 0, 1000),
};
#undef IN

#define IN snRegionDef
static const snDefField REGION_FIELDS[] = {
    VECTOR(a, "one end, in the character's frame", "m", -ANY, ANY),
    VECTOR(b, "the other end; the same makes a ball", "m", -ANY, ANY),
    NUMBER(radius, "above 0", "m", 0, ANY),
    OBJECT(material, "what it is made of", "snFleshMaterial"),
};
#undef IN

INIT(initCharacter, snCharacterDef_Init)
#define IN snCharacterDef
static const snDefField CHARACTER_FIELDS[] = {
    TEXT(name, "1..255 bytes"),
    OBJECT(skeleton, "its zero pose is the rest pose; none is flesh without bones", "snSkeleton"),
    NUMBER(bone_mass, "share of the skeleton's own masses that counts besides the flesh", NULL,
           0.001, 1),
    INTEGER(vertex_count, "of the surface; 0 is bones alone", 0, 10000000),
    INTEGER(triangle_count, "of the surface", 0, 20000000),
    ARRAY(vertices, "xyz at rest, in the character's frame", "m", "number", "3 vertex_count"),
    ARRAY(triangles, "three vertices each, counter-clockwise from outside", NULL, "integer",
          "3 triangle_count"),
    INTEGER(cells, "about how many cells to make", 1, 10000000),
    NUMBER(cell_size, "side of the lattice's cubes; 0 is by cells", "m", 0, ANY),
    INTEGER(node_count, "given nodes; 0 makes a lattice", 0, 10000000),
    INTEGER(cell_count, "given tets", 0, 10000000),
    ARRAY(nodes, "given nodes: xyz", "m", "number", "3 node_count"),
    ARRAY(tets, "given tets: four nodes each", NULL, "integer", "4 cell_count"),
    VECTOR(lattice_shift, "of the lattice, in cells", NULL, -0.5, 0.5),
    OBJECT(material, "what the flesh is made of", "snFleshMaterial"),
    INTEGER(region_count, "regions made of something else", 0, 1000),
    ARRAY(regions, "later ones win", NULL, "snRegionDef", "region_count"),
    NUMBER(strain_damping, "damps jiggle of any shape", "s", 0, 1),
    CHOICE(law, "between stretch and stress", snLaw_Name),
    CHOICE(diagonal, "which cells of an StVK body are diagonalised, and how", diagonalName),
};
#undef IN

INIT(initBody, snBodyDef_Init)
#define IN snBodyDef
static const snDefField BODY_FIELDS[] = {
    CHOICE(quality, "how many cells", snQuality_Name),
    INTEGER(soft_count, "patterns of what is soft besides", 0, 1000),
    INTEGER(rigid_count, "patterns of what follows its skinning", 0, 1000),
    ARRAY(soft, "names of joints, meshes and materials; * and ? stand for any text and letter",
          NULL, "text", "soft_count"),
    ARRAY(rigid, "likewise; where both match, rigid wins", NULL, "text", "rigid_count"),
    TEXT(paint, "the vertex attribute that says how soft; none is _SOFT"),
};
#undef IN

INIT(initFollow, snFollowDef_Init)
#define IN snFollowDef
static const snDefField FOLLOW_FIELDS[] = {
    INTEGER(clip, "of the rig; -1: the host feeds poses", -1, INT32_MAX),
    CHOICE(motion, "in place of a clip", motionName),
    NUMBER(rate, "frames a second", "frames/s", 1, 1000),
    NUMBER(hold, "the clip stops at this time", "s", 0, ANY),
    INTEGER(loop, "the clip is a loop: 0 never, 1 always, -1 when it is found to be one", -1, 1),
    FLAG(ground, "flesh does not go below the ground"),
    NUMBER(ground_height, "y of the ground, in the file's unit", NULL, -ANY, ANY),
};
#undef IN

INIT(initBake, snBakeDef_Init)
#define IN snBakeDef
static const snDefField BAKE_FIELDS[] = {
    INTEGER(clip_count, "0 is all that move", 0, INT32_MAX),
    ARRAY(clips, "numbers of the rig's clips", NULL, "integer", "clip_count"),
    CHOICE(motion, "written as a new clip, in place of clips", motionName),
    CHOICE(as, "what flesh is written as", bakeName),
    INTEGER(shapes, "shapes that are active at a time; 0: one of its own for every frame", 0, 64),
    NUMBER(error, "by which shapes may miss the surface, as a part of the body's size", NULL, 1e-5,
           1),
    INTEGER(joints, "helper joints at most", 1, 256),
    NUMBER(rate, "frames a second at least", "frames/s", 1, 240),
    INTEGER(first_frame, "the first that is baked, counted from 0", 0, INT32_MAX),
    INTEGER(last_frame, "the last one; -1 is the clip's last", -1, INT32_MAX),
    INTEGER(loop, "clips are loops: 0 never, 1 always, -1 when they are found to be", -1, 1),
    FLAG(ground, "flesh does not go below the ground"),
    NUMBER(ground_height, "y of the ground, in the file's unit", NULL, -ANY, ANY),
    FLAG(two_way, "flesh and ground push back on the skeleton"),
    FLAG(is_free, "nothing holds the root, and the character falls"),
    NUMBER(strength, "of the servos; below 1 they do not bear all of the weight", NULL, 0, 100),
    TEXT(frames, "path of the side file; none is the result's with .frames behind it"),
    FLAG(resume, "go on with that file, if it is of this bake"),
    HOOK(user, "passed to progress"),
    HOOK(progress, "told now and then how far it is"),
};
#undef IN

INIT(initMotion, snMotionDef_Init)
#define IN snMotionDef
static const snDefField MOTION_FIELDS[] = {
    TEXT(clip, "a word that means it; none is the first in which something moves"),
    TEXT(map, "path of a mapping file"),
    FLAG(feet, "planted feet are put on the ground and held"),
};
#undef IN

INIT(initClip, snClipDef_Init)
#define IN snClipDef
static const snDefField CLIP_FIELDS[] = {
    CHOICE(rest, "the pose in which the recording stands as the character in its zero pose",
           restName),
    TEXT(map, "path of a mapping file"),
};
#undef IN

INIT(initPlay, snPlayDef_Init)
#define IN snPlayDef
static const snDefField PLAY_FIELDS[] = {
    NUMBER(begin, "of the scene's time when the character begins to move", "s", -86400, 86400),
    NUMBER(lead, "from its start pose into the clip", "s", 0, 60),
    NUMBER(speed, "times the recorded one", NULL, 0.01, 100),
    FLAG(feet, "planted feet are put on the ground and held"),
};
#undef IN

INIT(initSink, snSinkDef_Init)
#define IN snSinkDef
static const snDefField SINK_FIELDS[] = {
    FLAG(single, "one frame and no more, to a file without a number"),
    NUMBER(error,
           ".glb: how far a vertex may be from where it was, as a part of the surface's size", NULL,
           0, 1),
};
#undef IN

INIT(initAnimation, snAnimationDef_Init)
#define IN snAnimationDef
static const snDefField ANIMATION_FIELDS[] = {
    TEXT(mesh, ".pc2, .mdd: a surface file with the triangles; none is bare points"),
    NUMBER(frame_rate, ".pc2", "frames/s", 0.001, 1e6),
    TEXT(clip, "of a rig: a clip's name; none is the first one"),
};
#undef IN

INIT(initWant, snWantDef_Init)
#define IN snWantDef
static const snDefField WANT_FIELDS[] = {
    BITS(wanted, "what frames show of the character", wantedName),
    ARRAY(positions, "the host's own memory for the surface; none: frames have their own", NULL,
          "float", "vertices"),
    ARRAY(normals, "likewise for its normals", NULL, "float", "vertices"),
    BYTES(stride, "from one vertex to the next, in both; a multiple of 4"),
    NUMBER(unit, "length of the host's unit", "m", 1e-6, 1e6),
    CHOICE(axes, "which way is up for the host", axesName),
    VECTOR(origin, "what the host measures positions from", "m", -1e9, 1e9),
};
#undef IN

#define TABLE(type, about, init, fields)                                            \
    {                                                                               \
#type, about, sizeof(type), init, sizeof(fields) / sizeof *(fields), fields \
    }

static const snDefTable TABLES[] = {
    TABLE(snStart, "where and how a character starts", initStart, START_FIELDS),
    TABLE(snShapeDef, "one solid piece of an obstacle", NULL, SHAPE_FIELDS),
    TABLE(snObstacleDef, "a solid thing that characters touch", initObstacle, OBSTACLE_FIELDS),
    TABLE(snForceDef, "a field of force", initForce, FORCE_FIELDS),
    TABLE(snDriveDef, "what a joint is told to do", initDrive, DRIVE_FIELDS),
    TABLE(snDragDef, "a bone that is dragged along a path", initDrag, DRAG_FIELDS),
    TABLE(snDirectDef, "how a character moves the joints that drag its bones", initDirect,
          DIRECT_FIELDS),
    TABLE(snMass, "mass, centre of mass and inertia of a rigid piece", NULL, MASS_FIELDS),
    TABLE(snDofDef, "one coordinate of a joint", initDof, DOF_FIELDS),
    TABLE(snBoneDef, "a bone and its joint", initBone, BONE_FIELDS),
    TABLE(snIkDef, "inverse kinematics", initIk, IK_FIELDS),
    TABLE(snFleshMaterial, "what flesh is made of", initMaterial, MATERIAL_FIELDS),
    TABLE(snRegionDef, "a capsule of flesh that is made of something else", NULL, REGION_FIELDS),
    TABLE(snCharacterDef, "a character of bones, flesh or both", initCharacter, CHARACTER_FIELDS),
    TABLE(snBodyDef, "the flesh of a rig", initBody, BODY_FIELDS),
    TABLE(snFollowDef, "a rig's flesh along a clip or fed poses", initFollow, FOLLOW_FIELDS),
    TABLE(snBakeDef, "what is baked", initBake, BAKE_FIELDS),
    TABLE(snMotionDef, "motion of another file for a rig", initMotion, MOTION_FIELDS),
    TABLE(snClipDef, "how motion capture is read", initClip, CLIP_FIELDS),
    TABLE(snPlayDef, "motion capture that a character plays", initPlay, PLAY_FIELDS),
    TABLE(snWantDef, "what a host wants of a character in each frame, and where", initWant,
          WANT_FIELDS),
    TABLE(snSinkDef, "how frames are written", initSink, SINK_FIELDS),
    TABLE(snAnimationDef, "what a file of an animation does not say", initAnimation,
          ANIMATION_FIELDS),
};

const snDefTable* snDefs_At(int32_t i)
{
    const int32_t count = sizeof TABLES / sizeof *TABLES;
    return i == 0 ? &SN_SCENE_DEF : i > 0 && i <= count ? &TABLES[i - 1] : NULL;
}
