// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Animations read back: what the readers of the formats fill.
#ifndef SN_IO_SINK_ANIMATION_H
#define SN_IO_SINK_ANIMATION_H

#include <string.h>

#include "geom/surface.h"
#include <sinew/io.h>
#include <sinew/rig.h>

// Vertices and triangles of all surfaces, each; nodes may show one mesh often, so the file's size
// is no bound.
#define SN_ANIMATION_MOST 10000000

// Coordinates, m, and times, s, beyond this are refused; their squares are floats.
#define SN_ANIMATION_LARGEST 1e15

typedef struct snAnimationSurface {
    const char* name;
    int32_t vertex_count, triangle_count;
    float *position, *normal; // of the present frame; (vertex_count, 3)
    int32_t* triangles;       // (triangle_count, 3)
} snAnimationSurface;

struct snAnimation {
    snHost host;
    snArena arena; // everything but the file
    uint8_t* file; // if it was read here
    size_t size;   // of the file
    int64_t frame_count;
    double* times; // s; (frame_count)
    int32_t surface_count;
    snAnimationSurface* surfaces; // (surface_count)
    void* state;                  // the format's own
    snRig* rig;                   // of .glb and the like; NULL = none
    double misfit;                // see snAnimation_Misfit
    // fills the positions of all surfaces for a frame
    void (*pose)(snAnimation* animation, int64_t frame);

    snVec3* sums; // scratch, of the surface with most vertices
    snFrame frame;
    snFrameCharacter* characters; // (surface_count)
    snFrameSurface* shown;        // (surface_count)
};

typedef enum snAnimationKind {
    sn_animationPc2 = 0,
    sn_animationMdd,
    sn_animationGlb,
} snAnimationKind;

// Reads from memory, which must outlive the animation. mesh: the triangles of a point cache, or
// NULL; frame_rate: of PC2, frames/s. Of a rig, the first clip.
snStatus snAnimation_Parse(const snHost* host, snAnimationKind kind, const uint8_t* bytes,
                           size_t count, const snSurface* mesh, double frame_rate,
                           snAnimation** animation, snMessage* why);

// For the readers ----------------------------------------------------------------

// Each fills frame_count, times, surfaces and pose of a zeroed animation with an arena.
snStatus snPc2_Parse(snAnimation* animation, const uint8_t* bytes, size_t count,
                     const snSurface* mesh, double frame_rate, snMessage* why);
snStatus snMdd_Parse(snAnimation* animation, const uint8_t* bytes, size_t count,
                     const snSurface* mesh, snMessage* why);
// of its rig; clip: a clip's name, NULL = the first one
snStatus snGlb_ReadClip(snAnimation* animation, const char* clip, snMessage* why);

// Makes the arrays of a surface whose counts are known. False when memory runs out.
bool snAnimation_BuildSurface(snAnimation* animation, snAnimationSurface* surface);

static inline uint32_t snAnimation_Word(const uint8_t* bytes, bool big)
{
    return big ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
                     (uint32_t)bytes[3]
               : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 |
                     (uint32_t)bytes[0];
}

static inline float snAnimation_Float(const uint8_t* bytes, bool big)
{
    uint32_t word = snAnimation_Word(bytes, big);
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

#endif
