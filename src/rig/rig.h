// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig as importers fill it, whatever the format: nodes, skins, shapes and the places where they
// are shown, clips, and for glTF the document itself.
#ifndef SN_RIG_RIG_H
#define SN_RIG_RIG_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/owners.h"
#include "rig/matrix.h"

// Vertices of all mesh instances; the same of triangles.
#define SN_RIG_MOST 100000000

// Numbers of files beyond this are refused; their squares are floats.
#define SN_RIG_LARGEST 1e15

typedef struct snRigSkin {
    const char* name; // "" = none
    int32_t joint_count;
    int32_t* joints;        // nodes; (joint_count)
    snMatrix* inverse_bind; // from the mesh to the joint in the bind pose; (joint_count)
    bool given;             // false: the file has none, they are identities
} snRigSkin;

// Numbers that the file gives for every vertex under a name of its own
typedef struct snRigAttribute {
    const char* name;    // begins with _
    int32_t width;       // numbers a vertex
    const float* values; // (vertex_count, width)
} snRigAttribute;

typedef struct snRigTarget {
    const float* position; // deltas, NULL = none; (vertex_count, 3)
    const float* normal;   // deltas, NULL = none; (vertex_count, 3)
} snRigTarget;

// Geometry with one material; several instances may show it.
typedef struct snRigShape {
    int32_t vertex_count, triangle_count;
    const float* position; // (vertex_count, 3)
    const float* normal;   // NULL = none; (vertex_count, 3)
    int32_t* triangles;    // (triangle_count, 3)

    // influences of vertex v: first[v] .. first[v + 1] - 1; NULL = it has no joints
    int32_t* first;         // (vertex_count + 1)
    int32_t* joint;         // places in the skin's list
    float* weight;          // above 0; of each vertex they sum up to 1
    int32_t influence_most; // of a vertex
    int32_t joint_most;     // the largest place that is named; -1 = none

    const float* color;  // COLOR_0, NULL = none; (vertex_count, color_width)
    int32_t color_width; // 3 or 4
    int32_t attribute_count;
    snRigAttribute* attributes; // (attribute_count)
    int32_t target_count;
    snRigTarget* targets; // (target_count)

    // of FBX
    const char* model;   // artist's mesh that it is a part of; "" = unknown
    int32_t point_count; // vertices of that, which _CONTROL_POINT counts; 0 = unknown
} snRigShape;

// A shape on a node
typedef struct snRigInstance {
    snRigMesh info;
    const snRigShape* shape;
} snRigInstance;

typedef enum snRigPath {
    sn_pathTranslation = 0,
    sn_pathRotation,
    sn_pathScale,
    sn_pathWeights,
    sn_pathCount,
} snRigPath;

typedef enum snRigInterpolation {
    sn_interpolateStep = 0,
    sn_interpolateLinear,
    sn_interpolateCubic,
} snRigInterpolation;

typedef struct snRigChannel {
    int32_t node;
    int32_t path;          // an snRigPath
    int32_t interpolation; // an snRigInterpolation
    int32_t key_count;     // at least 1
    int32_t width;         // numbers a value: 3, of rotations 4, of weights those of the node
    const float* times;    // s, not falling; (key_count)
    const float* values;   // (key_count, width); cubic: in-tangent, value, out-tangent of each key
} snRigChannel;

// In extras of clips that were moved to begin at 0: when they began, s
#define SN_CLIP_START "sinew_start"

// A clip with its keys
typedef struct snRigClipData {
    snRigClip info;
    snRigChannel* channels; // sorted by node; at most one of a node and path
    double start;           // on the artist's timeline, of what is 0 here, s
} snRigClipData;

typedef struct snRigHuman {
    const char* bone; // as VRM calls it
    int32_t node;
} snRigHuman;

// A buffer of the document
typedef struct snRigBuffer {
    const uint8_t* data;
    size_t size;
    const char* uri;  // of the file it came from, as written; NULL: in the document
    uint8_t* file;    // that file, if it was read for this buffer
    size_t file_size; // bytes of it
} snRigBuffer;

// The document as it was, for those who write it back changed in places
typedef struct snRigSource {
    uint8_t* bytes; // the whole file, with a 0 after it
    size_t size;
    bool binary;                  // GLB
    size_t json_begin, json_size; // the text of the document in it
    size_t bin_begin, bin_size;   // the binary chunk's content; 0, 0 = there is none
    int32_t buffer_count;
    snRigBuffer* buffers; // (buffer_count)
    const char* folder;   // where files are that the document names: "a/b/", or ""; NULL = unknown
} snRigSource;

struct snRig {
    snHost host;
    snOwners owners;
    snArena arena; // everything below, but the file itself
    snRigInfo info;
    snRigNode* nodes; // (node_count)
    snRigSkin* skins; // (skin_count)
    int32_t shape_count;
    snRigShape* shapes;       // (shape_count)
    snRigInstance* instances; // (mesh_count)
    snRigClipData* clips;     // (clip_count)
    int32_t added_count;      // the last of them, which the document does not have
    double* weights;          // at rest; (weight_count)
    snRigHuman* humans;       // (human_count)
    snRigSource source;
    const char** warnings; // room for SN_RIG_WARNINGS and one more
    int32_t unsaid;        // warnings beyond those
};

#define SN_RIG_WARNINGS 100

// Clips of the document
static inline int32_t snRig_OwnClips(const snRig* rig)
{
    return rig->info.clip_count - rig->added_count;
}

// An empty rig with one owner. NULL when memory runs out.
snRig* snRig_New(const snHost* host);

// Appends a warning. Those beyond SN_RIG_WARNINGS are counted.
void snRig_Warn(snRig* rig, const char* format, ...) SN_PRINTF(2, 3);

// Once everything is filled in: counts, box, unit.
snStatus snRig_Finish(snRig* rig, snMessage* why);

#endif
