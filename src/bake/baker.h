// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A bake under way: clips are simulated frame by frame into the side file (bake.c), made to
// differences before the skin (frames.c), of which shapes are found (shapes.c by search.c,
// principal.c and fit.c), and put into the document (write.c); or helper joints are fitted
// (joints.c) and put there (rig.c); or the surface goes to point caches (cache.c).
#ifndef SN_BAKE_BAKER_H
#define SN_BAKE_BAKER_H

#include "bake/file.h"
#include "io/gltf/patch.h"
#include "rig/helper.h"
#include "rig/track.h"
#include "sim/follow_surface.h"
#include <sinew/bake.h>
#include <sinew/joints.h>

// Shapes may miss this part of what moves in a clip, where the error that is asked for is more;
// less than that part of the size nobody sees.
#define SN_BAKE_PART 0.25
#define SN_BAKE_UNSEEN 2e-4

// Of all clips together, about: what renderers and files bear
#define SN_BAKE_MOST_SHAPES 256

// Differences of frames stay in memory up to so many bytes; what does not fit is made again from
// the side file when it is needed.
#define SN_BAKE_CACHE ((size_t)256 << 20)

// Frames that go together at most: of a span
#define SN_BAKE_LONGEST 1024

// Frames that are there at least, and at a time: as many as shapes can be active, and one
#define SN_BAKE_LEAST 65

// Shapes that go together
typedef struct snBakeShapes {
    int32_t first;    // among all
    int32_t count;    // of them
    float** position; // of moving vertices; (count), each (moving_count, 3)
    float** normal;   // likewise
} snBakeShapes;

// Frames of a clip, one after the other, that are made of the same shapes
typedef struct snBakeSpan {
    int32_t begin, end; // frames begin .. end - 1
    snBakeShapes* shapes;
    float* weights; // (end - begin, shapes->count); NULL: frame k has shape k - begin
} snBakeSpan;

typedef struct snBakeClip {
    snBakedClip* facts;
    int32_t number; // among those that are baked
    const snRigClipData* motion;
    int32_t added; // among clips that the document does not have; -1: it has it
    snRigTrack track;
    snRigTrack run; // what is simulated of it: with another first time, unless it is a loop
    double rate;    // frames a second
    int32_t all;    // frames of the whole clip
    int32_t first;  // of them, that is baked
    int32_t lead;   // frames before it that are simulated, so that flesh is on its way
    int32_t wanted; // frames
    int32_t made;   // frames, of this run and others
    bool is_closed; // a closed loop, and complete: its last frame is made to be its first
    int64_t base;   // of its first frame among all
    float* seam; // of closed ones: what the last frame has and the first has not; (moving_count, 3)
    float* stretch; // at most by this frames make lengths longer, as their matrices are; (made)
    float* frames;  // if every frame is a shape; (made, 2, moving_count, 3)
    int32_t span_count;
    snBakeSpan* spans; // (span_count); of a closed clip without the last frame
    snArena own;       // shapes that only this clip has
    float* travel;     // of helper joints, in their joints' frames; (joint count, made, 3)
} snBakeClip;

// Frames in memory: each has one place, from which it drives out another
typedef struct snBakeRows {
    int64_t room;   // frames
    float* rows;    // (room, moving_count, 3)
    int64_t* which; // 1 + the frame among all, 0: none; (room)
} snBakeRows;

typedef struct snBaker {
    snHost host;
    snArena arena;
    snTasks* tasks;
    const snBody* body;
    const snRig* rig;
    const snBakeDef* def;
    const char* path;
    snMessage* why;
    size_t cache; // frames in memory, bytes
    snBakeReport* report;
    snRigClipData motion; // if no clip is baked
    snRigJoints* joints;  // two-way
    int32_t acted_count;  // two-way
    snRigClipData* acted; // clips as it made them; (acted_count)
    int32_t clip_count;   // that move
    snBakeClip* clips;    // (clip_count)
    snBakeFile file;
    int32_t soft_count;  // soft nodes of the flesh
    const int32_t* soft; // (soft_count)
    bool interrupted;
    int64_t done, total; // frames of a stage

    // frames as shapes are made of them: differences before the skin, times `scale`, which makes
    // them as long as they look in the bind pose
    snFollowSurface* surface;
    float* scale;      // of moving vertices; (moving_count)
    snVec4f* u;        // (node_count)
    float* nodes;      // of soft nodes; (soft_count, 3)
    float* inverse;    // unit / scale, squared; (moving_count)
    float* frame;      // (moving_count, 3)
    float* normals;    // of a frame; (moving_count, 3)
    float* seam;       // what closes the clip's normals; (moving_count, 3)
    double* squares;   // (moving_count)
    snBakeRows rows;   // frames
    double* sum;       // of all of them; (moving_count, 3)
    snHelperGoal goal; // of helper joints
    snHelpers helpers;
    snBakeShapes shared;
    int32_t shape_count; // of all
} snBaker;

// snBake with as many bytes of frames in memory, or SN_BAKE_LEAST frames
snStatus snBaker_Run(const snHost* host, snBody* body, const snBakeDef* def, const char* path,
                     size_t cache, snBakeReport** report, snMessage* why);

// Numbers of a frame's positions, and of its normals
static inline size_t snBaker_Half(const snBaker* b)
{
    return 3 * (size_t)b->surface->moving_count;
}

// Frames that shapes are for
static inline int32_t snBakeClip_Count(const snBakeClip* c)
{
    return c->made - c->is_closed;
}

// Asked while shapes are made: whether the bake is to stop, unless it was stopped before and they
// are of what it has. Fills in why.
bool snBaker_IsStopped(const snBaker* b);

// A copy of a text that lives as long as the report; NULL when memory runs out
const char* snBaker_CopyText(snBaker* b, const char* text);

void snBaker_Tell(const snBaker* b, const char* stage, const snBakeClip* clip);

// Two-way: plays the clip, whose place what came of it takes.
snStatus snBaker_Act(snBaker* b, snBakeClip* c);

// Makes all frames once: the report's numbers, their sum, and what is kept of them in memory.
snStatus snBaker_BuildFrames(snBaker* b);

// A frame's positions, closed, (moving_count, 3). They stay until one is asked for that is
// rows.room frames away.
snStatus snBaker_Row(snBaker* b, const snBakeClip* c, int32_t i, const float** out);

// Gets ready for the normals of a clip: finds what closes them.
snStatus snBaker_BeginNormals(snBaker* b, const snBakeClip* c);

// A frame's normals, closed, into b->normals; the surface is posed then.
snStatus snBaker_Normals(snBaker* b, const snBakeClip* c, int32_t i);

// Poses the surface.
void snBaker_Pose(snBaker* b, const snBakeClip* c, int32_t i);

// How much of the seam is taken off a frame
static inline float snBakeClip_Closing(const snBakeClip* c, int32_t i)
{
    return c->is_closed ? (float)i / (float)(c->made - 1) : 0;
}

// What shapes leave of a frame's positions, which are spoiled, against what was simulated: the
// largest distance, m. The surface is posed. Adds to the sum of squares, m^2.
double snBaker_Miss(snBaker* b, const snBakeClip* c, int32_t i, float* left, double* sum);

// Shows a frame as it was simulated: b->surface, posed, with flesh.
snStatus snBaker_UpdateSurface(snBaker* b, const snBakeClip* c, int32_t i);

// Tells the report which files were written.
snStatus snBaker_NameFiles(snBaker* b, const char* const* paths, int32_t count);

// Finds shapes and weights of all clips, and the report's numbers.
snStatus snBaker_Shapes(snBaker* b);

// Writes the document.
snStatus snBaker_Write(snBaker* b);

// Clips that the document gets
void snBaker_AddClips(const snBaker* b, snGltfPatch* patch);

// Whether the rig can have helper joints
snStatus snBaker_CheckJoints(const snBaker* b);

// Finds helper joints and their travel, and the report's numbers.
snStatus snBaker_Joints(snBaker* b);

// Writes the document with them.
snStatus snBaker_WriteJoints(snBaker* b);

// Writes point caches and the script, whose path b->path is then.
snStatus snBaker_WriteCaches(snBaker* b);

// Is some of the clip left out?
static inline bool snBakeClip_IsPart(const snBakeClip* c)
{
    return c->wanted < c->all;
}

// When frame i of those that are baked is, s
static inline double snBakeClip_Time(const snBakeClip* c, int32_t i)
{
    int32_t last = c->all - 1, k = c->first + i;
    return k >= last ? c->track.last : c->track.first + k * (c->track.last - c->track.first) / last;
}

#endif
