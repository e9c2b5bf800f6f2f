// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig's own document, written back with flesh: morph targets that come before the skin, and
// tracks of their weights in its clips; or helper joints that take over some of the weights of
// joints, and tracks of their travel. With all of those weights 0, or helpers at their places, it
// shows what it showed before.
//
// The text is changed in places and never written anew, the binary data is kept and added to: all
// else stays byte for byte. The result is a GLB file; buffers in other files are taken into it, but
// images in other files stay there, named from the folder of the result. What was added is told in
// asset.extras, under "sinew":
//
//   accessors, bufferViews, meshes, animations   how many there were
//   byteLength                                   how long the data was
//   buffers      how many there were, if more than one: they follow each other, from multiples of 4
//   targets      [mesh, targets there were]
//   nodes        [node, mesh it had]: its mesh was shared with nodes that move otherwise
//   lists        [animation, samplers there were, channels there were]
//   samplers     [animation, channel, sampler it had]
//   filled       [mesh, primitive, target, attribute] of zeros: see targets.c
//   joints       [nodes there were]: see joints.c
//   children     [node, children there were]
//   skins        [skin, joints there were, inverse bind matrices it had or -1 for none]
//   influences   [mesh, primitive, accessor it had, attribute]; -1: it had none
//   images       [image, URI it had]
#ifndef SN_IO_GLTF_PATCH_H
#define SN_IO_GLTF_PATCH_H

#include "rig/rig.h"

// A mesh instance that moves
typedef struct snGltfPart {
    int32_t instance;             // of the rig's, on the flesh's node
    const float* const* position; // each shape's differences in the mesh's own space, before the
                                  // skin; (shape_count), each (vertex_count, 3)
    const float* const* normal;   // likewise; NULL = none
} snGltfPart;

// How much of each shape there is in a clip. Between keys it changes linearly, before and after
// them it stands still.
typedef struct snGltfTrack {
    int32_t clip; // of the document, or behind those of the patch's new clips
    int32_t key_count;
    const float* times;   // s, rising, not negative; (key_count)
    const float* weights; // (key_count, shape_count)
} snGltfTrack;

// The flesh of a node's mesh. All its parts share their shapes' weights, as glTF wants.
typedef struct snGltfFlesh {
    int32_t node; // of the rig
    int32_t shape_count;
    int32_t part_count; // instances that are not named stand still
    const snGltfPart* parts;
    int32_t track_count; // in clips without one all weights are 0
    const snGltfTrack* tracks;
} snGltfFlesh;

// A joint that is added
typedef struct snGltfHelper {
    int32_t node; // of the rig, a joint, that it hangs on
    snVec3 place; // at rest, in that node's frame
} snGltfHelper;

// New influences of a mesh instance. Joints by their places in its skin: helpers on joints of the
// skin come behind those, in their order (snGltfJoints_Place).
typedef struct snGltfInfluences {
    int32_t instance;              // of the rig's, with a skin
    int32_t set_count;             // 1 or 2, of four each
    const uint16_t* const* joints; // (set_count), each (vertex_count, 4)
    const float* const* weights;   // likewise; those of a vertex sum up to 1
} snGltfInfluences;

// Where helpers are in a clip, in their joints' frames
typedef struct snGltfTravel {
    int32_t clip; // as in snGltfTrack
    int32_t key_count;
    const float* times;  // s, rising, not negative; (key_count)
    const float* places; // (helper_count, key_count, 3)
} snGltfTravel;

typedef struct snGltfJoints {
    int32_t helper_count;
    const snGltfHelper* helpers;
    int32_t part_count; // at most one a mesh of the document
    const snGltfInfluences* parts;
    int32_t track_count;
    const snGltfTravel* tracks;
} snGltfJoints;

// A helper's place in a skin; -1: it hangs on no joint of it
int32_t snGltfJoints_Place(const snRig* rig, const snGltfJoints* joints, int32_t skin,
                           int32_t helper);

typedef struct snGltfPatch {
    const snRig* rig; // as it was read from glTF
    int32_t flesh_count;
    const snGltfFlesh* flesh;
    int32_t clip_count;         // clips that the document does not have
    const snRigClipData* clips; // names and channels, but none of weights; (clip_count)
    const snGltfJoints* joints; // NULL = none
    const char* before_images;  // put before relative URIs of images; NULL = nothing
} snGltfPatch;

// The GLB file in memory. Release with snHost_Release(&rig->host, *bytes, *count).
snStatus snGltfPatch_Build(const snGltfPatch* patch, uint8_t** bytes, size_t* count,
                           snMessage* why);

// The same to a file, where relative URIs of images mean what they did
snStatus snGltfPatch_Save(const snGltfPatch* patch, const char* path, snMessage* why);

#endif
