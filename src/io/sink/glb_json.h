// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the parts of a GLB's JSON chunk have in common.
#ifndef SN_IO_SINK_GLB_JSON_H
#define SN_IO_SINK_GLB_JSON_H

#include "io/sink/glb.h"

// Materials that characters take turns with.
#define SN_GLB_COLOURS 6

// Which accessors, meshes and views the file has; -1 = not there because nothing uses it
typedef struct snGlbIndex {
    int32_t colour_count;
    int32_t accessor[sn_glbShapeCount]; // of the positions; that of the normals follows
    int32_t mesh[SN_GLB_COLOURS][sn_glbShapeCount];
    int32_t time;    // accessor of the times, followed by those of the moving tracks and weights
    int32_t moving;  // view of what they hold
    int32_t surface; // first accessor of surfaces: each has positions, normals, those of its
                     // shapes, and triangles
    int32_t surface_mesh; // first mesh of surfaces
    int32_t surface_view; // first view of surfaces: each has vertices and triangles
} snGlbIndex;

// Materials of the characters; those of the obstacles follow.
static inline int32_t snGlb_ColourCount(const snSink* sink)
{
    return sink->character_count < SN_GLB_COLOURS ? sink->character_count : SN_GLB_COLOURS;
}

static inline bool snGlb_HasSurface(const snGlbCharacter* c)
{
    return c->surface.vertex_count > 0;
}

void snGlb_PutText(snJsonWriter* json, const char* key, const char* text);
void snGlb_PutInt(snJsonWriter* json, const char* key, uint64_t value);
void snGlb_PutFloats(snJsonWriter* json, const char* key, const float* values, int count);
void snGlb_BeginArray(snJsonWriter* json, const char* key);

// All meshes: those that bones are drawn with, then surfaces.
void snGlb_PutMeshes(snJsonWriter* json, const snSink* sink, const snGlbIndex* index);

void snGlb_PutMaterials(snJsonWriter* json, const snSink* sink);

#endif
