// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// glTF 2.0 binary: every bone an animated node with a shape to see it by (docs/formats.md).
#ifndef SN_IO_GLB_H
#define SN_IO_GLB_H

#include "base/file.h"
#include "base/json.h"
#include "io/sink.h"

extern const snSinkFormat snGlbFormat;

// Lengths in a GLB are 32 bits wide.
#define SN_GLB_LIMIT ((uint64_t)UINT32_MAX)

typedef struct snGlbChunk snGlbChunk;

// One channel of a bone over time. It takes memory only from the frame on at which it first differs
// from the first one; before, it was `first`.
typedef struct snGlbTrack {
    float first[4];   // at the first frame
    float last[4];    // at the last frame
    float next[4];    // at the frame that is being written
    float tolerance;  // changes below are rounding, not motion
    int32_t width;    // floats per frame: 4 for a rotation, 3 for a translation, 1 for time
    int64_t since;    // the frame that the chunks begin with
    int64_t room;     // frames that the chunks have room for
    snGlbChunk* head; // NULL: constant so far
    snGlbChunk* tail;
} snGlbTrack;

// A node of the file that stands for a bone.
typedef struct snGlbBone {
    int32_t parent;      // bone, or -1
    int32_t first_child; // bone, or -1
    int32_t next;        // bone of the same parent, or -1
    snGlbTrack rotation; // against the parent's node
    snGlbTrack translation;
} snGlbBone;

typedef struct snGlbCharacter {
    int32_t bone_count;
    snGlbBone* bones; // (bone_count)
    float origin[3];  // of the character's node, m: where its first bone was at the first frame
    double size;      // of the skeleton at the first frame, m
} snGlbCharacter;

// The sink's state.
typedef struct snGlb {
    snFileWriter file;
    uint64_t limit;             // bytes the file may take; SN_GLB_LIMIT, less in tests
    snGlbTrack time;            // of the frames, s
    snGlbCharacter* characters; // as many as the sink has
    uint64_t width;             // floats per frame of all tracks that have chunks
} snGlb;

// Octahedra that bones are drawn with, before they are scaled.
typedef enum snGlbShape {
    sn_glbBone = 0, // from the origin to y = 1, widest near its root
    sn_glbKnob,     // around the origin, for bones without a tip
    sn_glbShapeCount,
} snGlbShape;

// Flat faces: 8 triangles with vertices of their own, position and normal interleaved.
#define SN_GLB_SHAPE_VERTICES 24
#define SN_GLB_SHAPE_FLOATS (SN_GLB_SHAPE_VERTICES * 6)

// Fills the vertices of a shape, seen counter-clockwise from outside.
void snGlbShape_Fill(snGlbShape shape, float vertices[SN_GLB_SHAPE_FLOATS]);

// Whether the track gets a channel in the file.
static inline bool snGlbTrack_Moves(const snGlbTrack* track, int64_t frame_count)
{
    return track->head && track->since < frame_count;
}

// Writes the document that describes the binary chunk and returns that chunk's length. The chunk
// has all shapes, then, if anything moves, the times and the moving tracks: by character and bone,
// rotation before translation.
uint64_t snGlb_Describe(const snSink* sink, snJsonWriter* json);

// The times are written only if something moves.
bool snGlb_Moves(const snSink* sink);

#endif
