// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How dark the ground is under and beside things, from depth maps that the renderer reads back. The
// ground throws no shadow, so every caster is above it: where the shadow map holds anything the
// light is gone. That makes a picture which is blurred the wider the higher the caster is: no acne,
// no gap under what touches the ground, no noise, and cheaper than many looks into the map per
// pixel.
#ifndef SINEW_APPS_RENDER_GROUND_H
#define SINEW_APPS_RENDER_GROUND_H

#include <stdbool.h>
#include <stdint.h>

#define GROUND_BLUR 0.05f // widest blur of a shadow, of the map's width

typedef struct GroundLight GroundLight;

// NULL: no memory. Free with freeGroundLight.
GroundLight* createGroundLight(int32_t most_size);

void freeGroundLight(GroundLight* ground);

// depth: size x size numbers 0..1, 1 = nothing there. height[0..3], dotted with (x, y, z, 1) of the
// map's clip space, is the way from there to the ground along the light as a part of the map's
// width. Returns (size / 2)^2 bytes, 255 = the key light is gone.
const uint8_t* blurShadow(GroundLight* ground, const float* depth, int32_t size,
                          const float height[4]);

// depth: a map from below with 0.5 at the ground, of half-depth `reach` times the height at which
// things no longer darken the ground. Returns size x size bytes, 255 = no light comes in.
const uint8_t* blurContact(GroundLight* ground, const float* depth, int32_t size, float reach);

#endif
