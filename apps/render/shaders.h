// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The programs that run per vertex and per pixel. All work in linear light; the frame buffer
// encodes sRGB.
#ifndef SINEW_APPS_RENDER_SHADERS_H
#define SINEW_APPS_RENDER_SHADERS_H

// What all of them know; the layout (std140) of Scene in GLSL.
typedef struct SceneBlock {
    float camera[16];    // world to clip space
    float light_box[16]; // world to the shadow map's clip space
    float floor_box[16]; // world to the height map's clip space
    float eye[4];        // xyz; w: metres per texel of the shadow map
    float light[4];      // xyz towards the key light; w: half-size of the light box, m
    float ground[4];     // height, distance of grid lines, where it begins to fade and is gone, m
    float centre[4];     // xyz of what is seen; w: its radius
    float picture[4];    // width and height in pixels
} SceneBlock;

extern const char SHADER_HEAD[];

extern const char MESH_VERTEX[];   // triangle meshes
extern const char DENSE_VERTEX[];  // closed meshes of tiny triangles, lit per vertex: far cheaper
extern const char SHAPE_VERTEX[];  // capsules and octahedra, one per instance
extern const char LINE_VERTEX[];   // lines as strips of a width in pixels
extern const char GROUND_VERTEX[]; // a large square on the ground
extern const char SCREEN_VERTEX[]; // one triangle over the whole picture

extern const char LIT_FRAGMENT[];
extern const char DENSE_FRAGMENT[];
extern const char EMPTY_FRAGMENT[]; // depth alone
extern const char LINE_FRAGMENT[];
extern const char GROUND_FRAGMENT[];
extern const char BACKGROUND_FRAGMENT[];

#endif
