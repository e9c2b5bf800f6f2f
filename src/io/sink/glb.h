// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// glTF 2.0 binary: every bone an animated node, with a shape to see it by or a surface around all
// of them; every obstacle a mesh (docs/formats.md).
#ifndef SN_IO_SINK_GLB_H
#define SN_IO_SINK_GLB_H

#include "base/file.h"
#include "base/json.h"
#include "io/sink/morph.h"
#include "io/sink/sink.h"

extern const snSinkFormat snGlbFormat;

// Lengths in a GLB are 32 bits wide.
#define SN_GLB_LIMIT ((uint64_t)UINT32_MAX)

// Surfaces are kept until the file is closed: bytes that they may take.
#define SN_GLB_MEMORY ((uint64_t)4 << 30)

typedef struct snGlbChunk snGlbChunk;

// One channel of a node over time. It takes memory only from the frame on at which it first differs
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

typedef struct snGlbFrame snGlbFrame;

// A character's surface: a mesh whose node has the rigid motion that fits best, so that morph
// targets are left with what is not rigid.
typedef struct snGlbSurface {
    int32_t vertex_count; // 0: bones alone
    int32_t triangle_count;
    uint32_t* triangles; // (3 triangle_count)
    double size;         // diagonal of the box around it at the first frame, m
    snGlbTrack rotation; // of its node against the character's
    snGlbTrack translation;
    snGlbFrame* head; // all frames, as seen from the node
    snGlbFrame* tail;
    snGlbFrame* spare; // that is being written
    float* base;       // the first frame once the shapes are found; (6 vertex_count)
    snMorph morph;
    size_t normals; // obstacles: where in the base they begin
} snGlbSurface;

// A character, or an obstacle: without bones, with a surface that keeps its shape
typedef struct snGlbCharacter {
    const char* name;
    const snSkeleton* skeleton; // NULL: an obstacle
    int32_t material;
    int32_t bone_count;
    snGlbBone* bones; // (bone_count)
    float origin[3];  // of the character's node, m: where its first bone, or the middle of its
                      // surface, was at the first frame
    double size;      // of the skeleton at the first frame, m
    snGlbSurface surface;
} snGlbCharacter;

// The sink's state.
typedef struct snGlb {
    snFileWriter file;
    uint64_t limit;             // bytes the file may take; SN_GLB_LIMIT, less in tests
    uint64_t memory;            // bytes the surfaces may take; SN_GLB_MEMORY, less in tests
    snGlbTrack time;            // of the frames, s
    int32_t count;              // the sink's characters and obstacles
    snGlbCharacter* characters; // and after them the obstacles; (count)
    float (*colours)[4];        // of the obstacles: linear red, green, blue, and opacity
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

// Tracks of a character: two of each bone, rotation before translation, then two of its surface.
static inline int32_t snGlb_TrackCount(const snGlbCharacter* c)
{
    return 2 * c->bone_count + (c->surface.vertex_count > 0 ? 2 : 0);
}

static inline snGlbTrack* snGlb_Track(snGlbCharacter* c, int32_t i)
{
    if (i / 2 < c->bone_count) {
        return i % 2 == 0 ? &c->bones[i / 2].rotation : &c->bones[i / 2].translation;
    }
    return i % 2 == 0 ? &c->surface.rotation : &c->surface.translation;
}

// Bytes of a frame or shape of a surface in memory and in the file.
static inline uint64_t snGlbSurface_Bytes(const snGlbSurface* surface)
{
    return (uint64_t)surface->vertex_count * SN_MORPH_WIDTH * sizeof(float);
}

// Bytes of a surface's indices.
static inline uint64_t snGlbSurface_IndexBytes(const snGlbSurface* surface)
{
    return (uint64_t)surface->triangle_count * 3 * sizeof(uint32_t);
}

// The first frame: takes the triangles and places the character's node if there are no bones. False
// when memory runs out; may then be called again.
bool snGlbSurface_Begin(snArena* arena, const snFrameCharacter* given, snGlbCharacter* c);

// The surface at a frame, as the next value of its tracks and the spare frame. False when memory
// runs out; may then be called again.
bool snGlbSurface_Read(snArena* arena, const snFrameCharacter* given, snGlbCharacter* c);

// Keeps the spare frame.
void snGlbSurface_Keep(snGlbSurface* surface);

// Turns the frames into shapes; error relative to the surface's size.
snStatus snGlbSurface_Fit(snArena* arena, snGlbSurface* surface, int64_t frame_count, double error,
                          snMessage* why);

// Takes the shapes of an obstacle, which it then keeps.
snStatus snGlbObstacle_Build(snArena* arena, const snObstacleDef* def, snGlbCharacter* c,
                             snMessage* why);

// Where an obstacle is at a frame, as the next value of its tracks; the first frame places its
// node.
void snGlbObstacle_Read(const snTransform* pose, bool first, snGlbCharacter* c);

// Adding zero turns -0 into 0.
static inline float snGlb_Float(double value)
{
    return (float)value + 0.0f;
}

void snGlb_SetVec(float out[3], snVec3 v);

// The sign that is nearer to the frame before, so that players interpolate the short way.
void snGlb_SetQuat(float out[4], const float before[4], snQuat q);

// Writes the document that describes the binary chunk and returns that chunk's length. The chunk
// has, each if there are any: the shapes of bones; the times, the moving tracks by character, and
// the weights of every surface that has shapes; for each surface its first frame and its shapes,
// positions before normals, then its triangles.
uint64_t snGlb_Describe(const snSink* sink, snJsonWriter* json);

// The times are written only if something moves.
bool snGlb_Moves(const snSink* sink);

// Bones are drawn where there is no surface.
bool snGlb_HasShapes(const snSink* sink);

#endif
