// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig's surface with flesh: plain skinning, and what flesh adds. Normals are those of the
// skinned surface, turned as flesh turned the area around them, so that hard edges stay hard:
//
//   n = R n_skinned, R the least rotation that takes N(skinned) to N(skinned + offsets)
//
// N the unit normals of the welded surface, weighted by area. Where nothing was added the result
// has exactly the bits of plain skinning.
#ifndef SN_SIM_FOLLOW_SURFACE_H
#define SN_SIM_FOLLOW_SURFACE_H

#include "base/tasks.h"
#include "character/body.h"

typedef struct snFollowSurface {
    snArena arena;
    const snRigBody* body;
    snTasks* tasks; // not owned

    // vertices of all mesh instances, one instance after the other, that flesh moves or whose
    // normals it turns
    int32_t moving_count;
    const int32_t* moving;   // rising; (moving_count)
    const int32_t* instance; // whose they are; (moving_count)

    // the frame
    snMatrix* nodes;  // of the rig in the world; the caller fills them; (node_count)
    double* weights;  // morph weights; the caller fills them; (weight_count)
    float* offsets;   // of welded vertices, in the file's unit; (vertex_count, 3)
    snMatrix* joints; // of all skins, one after the other
    snQuat* turns;    // of welded vertices' normals; (vertex_count)

    // how it is found
    int32_t* skin_first;  // of each skin's joints; (skin_count)
    uint8_t* part;        // of welded vertices; (vertex_count)
    int32_t place_count;  // welded vertices that are needed
    int32_t* places;      // (place_count)
    int32_t face_count;   // triangles about normals that turn
    int32_t* faces;       // (face_count)
    int32_t* face_begin;  // of each welded vertex; (vertex_count + 1)
    int32_t* around;      // places in `faces`
    snVec3* skinned;      // of welded vertices; (vertex_count)
    snVec3 *plain, *soft; // of faces: twice the area along the normal; (face_count)
    int32_t* singular;    // found by each task
} snFollowSurface;

// The body and the tasks must outlive it.
snStatus snFollowSurface_Create(const snHost* host, const snRigBody* body, snTasks* tasks,
                                snFollowSurface** out, snMessage* why);

// NULL is fine.
void snFollowSurface_Free(snFollowSurface* surface);

// Takes the pose that was filled in; Update does so, too.
void snFollowSurface_Pose(snFollowSurface* surface);

// Shows flesh whose nodes left their places by u, m, in the pose that was filled in.
void snFollowSurface_Update(snFollowSurface* surface, const snVec4f* u);

// The two halves of that: what positions need, and then what normals need besides.
void snFollowSurface_Move(snFollowSurface* surface, const snVec4f* u);
void snFollowSurface_Turn(snFollowSurface* surface);

// Positions, and normals unless NULL, of a mesh instance
void snFollowSurface_Instance(const snFollowSurface* surface, int32_t mesh, float* positions,
                              float* normals);

// Differences before the skin (rig/pullback.h) of the moving vertices' positions and normals.
// Returns how many of those that moved are where skin is near-singular. Both: (moving_count, 3);
// normals may be NULL, and then need no snFollowSurface_Turn
int32_t snFollowSurface_Deltas(snFollowSurface* surface, float* positions, float* normals);

// Differences before the skin as one sees them: squares of the lengths that they have after it in
// the pose, in the file's unit. out: (moving_count)
void snFollowSurface_Squares(snFollowSurface* surface, const float* deltas, double* out);

// The same as vectors of the world. out: (moving_count, 3)
void snFollowSurface_Ways(snFollowSurface* surface, const float* deltas, float* out);

#endif
