// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where a picture is taken from.
#ifndef SINEW_APPS_RENDER_CAMERA_H
#define SINEW_APPS_RENDER_CAMERA_H

#include "render/draw.h"

typedef enum CameraKind {
    cameraFit,    // still, the whole motion in the frame; follows what goes too far for that
    cameraFollow, // keeps the character in the middle
    cameraOrbit,  // turns about the whole motion
    cameraFixed,  // where the caller says
} CameraKind;

typedef enum CameraView {
    viewIso,   // from the front, the character's left and above
    viewFront, // the character looks at it
    viewSide,  // from the character's left
    viewTop,
    viewBack,
    viewLeft, // as viewSide
    viewRight,
} CameraView;

typedef struct CameraDef {
    int32_t kind;       // a CameraKind
    int32_t view;       // a CameraView, for all kinds but fixed
    double turn;        // of the view about the vertical, rad: a character that faces +z has 0
    double zoom;        // times as large as what fits, for all kinds but fixed; 0 = 1
    double turns;       // orbit: turns per film; 0 = 1
    snVec3 eye, target; // fixed
} CameraDef;

// Angle of view from the lower to the upper edge: a 57 mm lens of a small-picture camera.
#define CAMERA_LENS 0.6108652381980153 // 35 degrees

// A camera: axes of unit length; it looks along -back.
typedef struct Camera {
    snVec3 eye;
    snVec3 right, up, back;
    double zoom; // 1 for CAMERA_LENS, more for a longer lens; 0 = 1
} Camera;

// Tangent of half the angle of view from the lower to the upper edge.
double lensTangent(const Camera* camera);

// Axes of a camera that looks along `forward` (any length but 0).
Camera aimCamera(snVec3 eye, snVec3 forward);

// Axes of a view, turned by `turn` rad about the vertical.
Camera viewAxes(int32_t view, double turn);

// Outward unit normals of the right, left, upper and lower face of what a camera sees, less a
// margin on all sides; for Extent.side.
void frameNormals(const Camera* camera, double aspect, snVec3 normals[4]);

// Moves a camera to the nearest place from which nothing of the extent, measured with its
// frameNormals, is cut off.
void fitCamera(Camera* camera, double aspect, const double side[4]);

// Small helpers of pictures' geometry.
static inline snVec3 plus(snVec3 a, double s, snVec3 b)
{
    return (snVec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double dot(snVec3 a, snVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Column-major, as GL takes it.
typedef struct Matrix {
    float m[16];
} Matrix;

// World to clip space, through the lens, for what is between `near` and `far` m ahead.
Matrix cameraMatrix(const Camera* camera, double aspect, double near, double far);

// World to clip space without perspective: a box about the camera's eye of half-size `half` across
// and `depth` along the view.
Matrix boxMatrix(const Camera* camera, double half, double depth);

#endif
