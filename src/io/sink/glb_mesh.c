// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a GLB shows: octahedra for bones, surfaces, and their colours.

#include "io/sink/glb_json.h"
#include "math/vec.h"

// Where on the way to its tip a bone is widest
#define WAIST 0.15

// Linear RGB of the characters' materials, in turn
static const float colours[SN_GLB_COLOURS][3] = {
    {0.80f, 0.27f, 0.13f}, // coral
    {0.10f, 0.37f, 0.60f}, // blue
    {0.75f, 0.50f, 0.10f}, // amber
    {0.15f, 0.45f, 0.25f}, // green
    {0.45f, 0.22f, 0.55f}, // violet
    {0.10f, 0.48f, 0.50f}, // teal
};

// A double pyramid over a square of corners at distance 1 from the y axis. glTF's own scaling of
// normals keeps them right when the shape is stretched.
void snGlbShape_Fill(snGlbShape shape, float vertices[SN_GLB_SHAPE_FLOATS])
{
    double waist = shape == sn_glbBone ? WAIST : 0;
    const snVec3 ends[2] = {snV3(0, shape == sn_glbBone ? 0 : -1, 0), snV3(0, 1, 0)};
    const snVec3 ring[4] = {snV3(1, waist, 0), snV3(0, waist, 1), snV3(-1, waist, 0),
                            snV3(0, waist, -1)};
    for (int face = 0; face < 8; ++face) {
        int end = face / 4, side = face % 4;
        snVec3 a = ring[side], b = ring[(side + 1) % 4];
        const snVec3 corners[3] = {ends[end], end == 0 ? a : b, end == 0 ? b : a};
        snVec3 n =
            snNormalize(snCross(snSub(corners[1], corners[0]), snSub(corners[2], corners[0])));
        for (int k = 0; k < 3; ++k) {
            float* v = vertices + 6 * (3 * face + k);
            const double numbers[6] = {corners[k].x, corners[k].y, corners[k].z, n.x, n.y, n.z};
            for (int j = 0; j < 6; ++j) {
                v[j] = (float)numbers[j];
            }
        }
    }
}

// Positions and the normals that follow them
static void putAttributes(snJsonWriter* json, uint64_t positions)
{
    snGlb_PutInt(json, "POSITION", positions);
    snGlb_PutInt(json, "NORMAL", positions + 1);
}

static void putShapeMesh(snJsonWriter* json, const snGlbIndex* index, int32_t colour, int shape)
{
    snJsonWriter_BeginObject(json);
    snGlb_PutText(json, "name", shape == sn_glbBone ? "bone" : "knob");
    snGlb_BeginArray(json, "primitives");
    snJsonWriter_BeginObject(json);
    snJsonWriter_Key(json, "attributes");
    snJsonWriter_BeginObject(json);
    putAttributes(json, (uint64_t)index->accessor[shape]);
    snJsonWriter_EndObject(json);
    snGlb_PutInt(json, "material", (uint64_t)colour);
    snJsonWriter_EndObject(json);
    snJsonWriter_EndArray(json);
    snJsonWriter_EndObject(json);
}

static uint64_t accessorCount(const snGlbSurface* surface)
{
    return 2 * (1 + (uint64_t)surface->morph.shape_count) + 1;
}

// first: the surface's first accessor
static void putSurfaceMesh(snJsonWriter* json, const char* name, const snGlbSurface* surface,
                           int32_t colour, uint64_t first)
{
    int32_t shapes = surface->morph.shape_count;
    snJsonWriter_BeginObject(json);
    snGlb_PutText(json, "name", name);
    snGlb_BeginArray(json, "primitives");
    snJsonWriter_BeginObject(json);
    snJsonWriter_Key(json, "attributes");
    snJsonWriter_BeginObject(json);
    putAttributes(json, first);
    snJsonWriter_EndObject(json);
    snGlb_PutInt(json, "indices", first + accessorCount(surface) - 1);
    snGlb_PutInt(json, "material", (uint64_t)colour);
    if (shapes > 0) {
        snGlb_BeginArray(json, "targets");
        for (int32_t k = 0; k < shapes; ++k) {
            snJsonWriter_BeginObject(json);
            putAttributes(json, first + 2 + 2 * (uint64_t)k);
            snJsonWriter_EndObject(json);
        }
        snJsonWriter_EndArray(json);
    }
    snJsonWriter_EndObject(json);
    snJsonWriter_EndArray(json);
    if (shapes > 0) {
        snGlb_BeginArray(json, "weights");
        for (int32_t k = 0; k < shapes; ++k) {
            snJsonWriter_NumberFloat(json, snMorph_Weight(&surface->morph, k, 0));
        }
        snJsonWriter_EndArray(json);
    }
    snJsonWriter_EndObject(json);
}

void snGlb_PutMeshes(snJsonWriter* json, const snSink* sink, const snGlbIndex* index)
{
    const snGlb* glb = sink->state;
    snGlb_BeginArray(json, "meshes");
    for (int shape = 0; shape < sn_glbShapeCount; ++shape) {
        for (int32_t k = 0; k < index->colour_count; ++k) {
            if (index->mesh[k][shape] >= 0) {
                putShapeMesh(json, index, k, shape);
            }
        }
    }
    uint64_t first = (uint64_t)index->surface;
    for (int32_t i = 0; i < glb->count; ++i) {
        const snGlbSurface* surface = &glb->characters[i].surface;
        if (snGlb_HasSurface(&glb->characters[i])) {
            putSurfaceMesh(json, glb->characters[i].name, surface, glb->characters[i].material,
                           first);
            first += accessorCount(surface);
        }
    }
    snJsonWriter_EndArray(json);
}

static void putMaterial(snJsonWriter* json, const float colour[4])
{
    snJsonWriter_BeginObject(json);
    snJsonWriter_Key(json, "pbrMetallicRoughness");
    snJsonWriter_BeginObject(json);
    snGlb_PutFloats(json, "baseColorFactor", colour, 4);
    snGlb_PutInt(json, "metallicFactor", 0);
    snJsonWriter_Key(json, "roughnessFactor");
    snJsonWriter_NumberFloat(json, 0.8f);
    snJsonWriter_EndObject(json);
    if (colour[3] < 1) {
        snGlb_PutText(json, "alphaMode", "BLEND");
    }
    snJsonWriter_EndObject(json);
}

void snGlb_PutMaterials(snJsonWriter* json, const snSink* sink)
{
    const snGlb* glb = sink->state;
    snGlb_BeginArray(json, "materials");
    for (int32_t k = 0; k < snGlb_ColourCount(sink); ++k) {
        putMaterial(json, (const float[]){colours[k][0], colours[k][1], colours[k][2], 1});
    }
    for (int32_t k = 0; k < sink->obstacle_count; ++k) {
        putMaterial(json, glb->colours[k]);
    }
    snJsonWriter_EndArray(json);
}
