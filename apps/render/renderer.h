// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Draws lists into pictures, without window or display.
#ifndef SINEW_APPS_RENDER_RENDERER_H
#define SINEW_APPS_RENDER_RENDERER_H

#include "render/camera.h"
#include "render/draw.h"
#include "render/image.h"

#define PICTURE_MOST 4096 // pixels, width or height
#define PICTURE_LEAST 16

typedef struct Renderer Renderer;

// For pictures of one size, PICTURE_LEAST..PICTURE_MOST pixels each way.
snStatus createRenderer(int32_t width, int32_t height, Renderer** renderer, snMessage* why);

// NULL is fine.
void freeRenderer(Renderer* renderer);

// How one picture is taken. What stays the same during a film keeps its light and ground still.
typedef struct Shot {
    Camera camera;
    snVec3 light;  // unit, towards the key light
    snVec3 centre; // of what the film shows; the ground fades around it
    double radius; // of what the film shows, m
    bool has_ground;
    double ground; // its height, m
} Shot;

// Draws a list; image is that of the renderer and lives until the next call.
snStatus renderPicture(Renderer* renderer, const DrawList* list, const Shot* shot,
                       const Image** image, snMessage* why);

#endif
