// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig: a character as its artist made it, read from a glTF 2.0 document (.gltf, .glb, .vrm), or
// from FBX and Collada (.fbx, .dae) where the host has libsinew_import (import.h). Nodes in a tree,
// meshes that hang on them or are skinned to them, clips that move them.
//
// Lengths are in the file's own unit, times in seconds. Nothing is moved, scaled, welded or put in
// another order: vertices and triangles are those of the file. FBX and Collada become glTF first:
// in metres, Y up, with a vertex for each control point and, at seams, more (docs/formats.md).
#ifndef SINEW_RIG_H
#define SINEW_RIG_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Immutable and reference counted; several threads may read it at once.
typedef struct snRig snRig;

// Reads a file: .gltf text, .glb, FBX or Collada, which its content decides. Buffers that it names
// are read from its own folder and folders in it, never from elsewhere. Errors name the file, the
// place in the document ("accessors[12]"), and what to do.
SN_API snStatus snRig_Load(const snHost* host, const char* path, snRig** rig, snMessage* why);

// The same from memory, of which a copy is kept; `name` stands for the file in messages. No other
// files are read: all buffers must be inside.
SN_API snStatus snRig_Parse(const snHost* host, const void* bytes, size_t count, const char* name,
                            snRig** rig, snMessage* why);

// One more owner; returns the rig.
SN_API snRig* snRig_Retain(snRig* rig);

// One owner less; the last one frees it. NULL is fine.
SN_API void snRig_Release(snRig* rig);

// What is in a rig.
typedef struct snRigInfo {
    const char* kind;            // "gltf", "glb", "vrm", "fbx" or "dae"; "saved": of a saved body
    const char* generator;       // the program that wrote it, as the file says; "" = not said
    int32_t node_count;          // nodes
    int32_t joint_count;         // nodes that are a joint of some skin
    int32_t skin_count;          // skins
    int32_t mesh_count;          // mesh instances: a part of a mesh on a node
    int32_t vertex_count;        // of all instances
    int32_t triangle_count;      // of all instances
    int32_t target_count;        // morph targets of all instances
    int32_t weight_count;        // morph weights of a pose
    int32_t clip_count;          // clips
    int32_t human_count;         // bones of a VRM file's humanoid that have a node; 0 = no VRM
    snVec3 low, high;            // corners of the box around all meshes in the nodes' own pose
    double unit;                 // m that the file's unit probably is; 0 = not known
    const char* unit_name;       // for example "cm"; "" = not known
    int32_t is_baked;            // nonzero: snBake made the file
    int32_t warning_count;       // remarks on what is odd in the file
    const char* const* warnings; // each a line of text; (warning_count)
} snRigInfo;

// Lives as long as the rig; NULL for NULL.
SN_API const snRigInfo* snRig_Info(const snRig* rig);

// An affine map, x -> x.x * x + x.y * y + x.z * z + p: the columns of a 4x4 matrix whose last row
// is 0 0 0 1.
typedef struct snMatrix {
    snVec3 x, y, z, p;
} snMatrix;

// A node. Parents come before their children.
typedef struct snRigNode {
    const char* name;     // as in the file; "" = none
    int32_t parent;       // -1: none
    int32_t file_index;   // its number in the file
    int32_t is_joint;     // nonzero: some skin names it
    int32_t is_shown;     // nonzero: it is in the file's scene
    int32_t has_matrix;   // nonzero: the file gives a matrix, of which the next three are taken
    snVec3 translation;   // at rest, against the parent
    snQuat rotation;      // at rest, against the parent
    snVec3 scale;         // at rest, against the parent
    snMatrix local;       // at rest, against the parent; the matrix itself if there is one
    int32_t weight_first; // its morph weights among those of a pose
    int32_t weight_count; // how many it has
} snRigNode;

// Lives as long as the rig; NULL when there is no such node.
SN_API const snRigNode* snRig_Node(const snRig* rig, int32_t node);

// A part of a mesh with one material (glTF: a primitive), on a node.
typedef struct snRigMesh {
    const char* name;       // of the mesh, or else of the node; "" = none
    const char* material;   // name of its material; "" = none
    int32_t node;           // where it hangs
    int32_t skin;           // -1: it rides on its node; else joints move it, and the node does not
    int32_t mesh;           // number of the mesh in the file
    int32_t primitive;      // number of the primitive in the mesh
    int32_t vertex_count;   // vertices
    int32_t triangle_count; // triangles
    int32_t target_count;   // morph targets
    int32_t influence_most; // joints that move a vertex, at most; 0 = none
    const float* position;  // as in the file, before morphs and skin; (vertex_count, 3)
    const float* normal;    // likewise, NULL = none; (vertex_count, 3)
    const int32_t* triangles; // strips and fans taken apart; (triangle_count, 3)
} snRigMesh;

// Lives as long as the rig; NULL when there is no such mesh instance.
SN_API const snRigMesh* snRig_Mesh(const snRig* rig, int32_t mesh);

// A clip.
typedef struct snRigClip {
    const char* name;      // as in the file; "" = none
    double first, last;    // times of its first and last key, s
    double duration;       // from first to last, s
    int32_t channel_count; // of nodes' translations, rotations, scales and morph weights
} snRigClip;

// Lives as long as the rig; NULL when there is no such clip.
SN_API const snRigClip* snRig_Clip(const snRig* rig, int32_t clip);

// Number of the clip of that name; an unnamed clip is found by its number as text ("2"), unless a
// clip is called so. -1 when there is none.
SN_API int32_t snRig_FindClip(const snRig* rig, const char* name);

// Clips that a word means: the clip of that name or number; "all"; a name in other letters' size; a
// pattern, in which * stands for any text and ? for any character. Fails when there is none, with
// what is near. clips: in the file's order; (clip_count of the rig)
SN_API snStatus snRig_FindClips(const snRig* rig, const char* word, int32_t* clips, int32_t* count,
                                snMessage* why);

// How a clip of another file is put on a rig.
typedef struct snMotionDef {
    uint32_t size;    // sizeof(snMotionDef); set by snMotionDef_Init
    const char* clip; // a word that means it, as in snRig_FindClips; default NULL: the first one in
                      // which something moves
    const char* map;  // path of a mapping file: a joint of the motion and one of the rig a line, or
                      // JSON (docs/motion.md); default NULL
    int32_t feet;     // nonzero: planted feet are put on the ground and held, where joints of
                      // another build are matched; default 1
} snMotionDef;

// Fills the defaults.
SN_API void snMotionDef_Init(snMotionDef* def);

// What became of it.
typedef struct snMotionReport {
    int32_t clip;        // its number in the rig: the last one
    char source[64];     // the clip's name in its file; "" = none
    int32_t clip_count;  // clips that its file has; of BVH 1
    int32_t motion_only; // nonzero: that file has no mesh
    int32_t copied;      // nonzero: both are built alike, and keys were copied
    int32_t joint_count; // nodes of the rig that it moves
    double scale;        // lengths of the rig over those of the motion, in their files' units
    int32_t feet;        // nonzero: feet were looked at
    int32_t stances;     // times that a foot was planted
    double height_before, height_after; // largest distance of planted feet from the ground, m
    double slide_before, slide_after;   // farthest that a planted foot slid, m
    char idle[256];                     // joints of the body that follow nothing; may be cut
    int32_t is_partial; // nonzero: a person's motion, of which an arm or leg follows nothing
    char missing[256];  // joints of these that nothing follows; may be cut
    char follows[512];  // "'Hips' by 'pelvis', ...": what follows what; may be cut
    double rest_lean;   // of the line from hips to head off the vertical in the bind pose, deg; 0
                        // when it is not known, or keys were copied
    double lean;        // the same on the mean of frames in which the recording stands upright
} snMotionReport;

// Gives a rig one more clip, from another file: BVH, or what snRig_Load reads. Nodes that are
// called alike and sit on their parents alike get the keys as they are; others are matched by name,
// VRM's humanoid, dictionary or mapping file, and retargeted. It is called as the file. A clip in
// which nothing moves is refused, and so is one that fits too few joints, and a person's if neither
// both legs nor both arms follow it or, without a mapping file, the trunk lies. Only while the rig
// has one owner: before a body is built for it. def and report may be NULL.
SN_API snStatus snRig_AddMotion(snRig* rig, const char* path, const snMotionDef* def,
                                snMotionReport* report, snMessage* why);

// The node of a bone of a VRM file's humanoid, by VRM's name ("hips", "leftUpperArm"); -1 when
// there is none.
SN_API int32_t snRig_FindHuman(const snRig* rig, const char* bone);

// Where all nodes are at a time of a clip (-1: the nodes' own pose), and all morph weights. Before
// the first key and after the last a clip stands still. Each array may be NULL when it is not
// wanted. nodes: in the world; (node_count). weights: (weight_count).
SN_API snStatus snRig_Pose(const snRig* rig, int32_t clip, double time, snMatrix* nodes,
                           double* weights, snMessage* why);

// Positions and normals of a mesh instance in a pose: morphed, then skinned with linear blend, in
// the world. positions: (vertex_count, 3). normals: of unit length, computed from the triangles
// where the file has none; NULL = not wanted; (vertex_count, 3).
SN_API snStatus snRig_Skin(const snRig* rig, int32_t mesh, const snMatrix* nodes,
                           const double* weights, float* positions, float* normals, snMessage* why);

#ifdef __cplusplus
}
#endif

#endif
