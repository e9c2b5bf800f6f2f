// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "render/camera.h"

#include <math.h>

#define MARGIN 0.08 // of half the picture, on each side

static snVec3 cross(snVec3 a, snVec3 b)
{
    return (snVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static snVec3 unit(snVec3 a)
{
    double length = sqrt(dot(a, a));
    return length > 0 ? (snVec3){a.x / length, a.y / length, a.z / length} : (snVec3){0, 0, 1};
}

Camera aimCamera(snVec3 eye, snVec3 forward)
{
    Camera c = {.eye = eye};
    c.back = unit((snVec3){-forward.x, -forward.y, -forward.z});
    // straight down, the top of the picture is where characters have their backs
    bool vertical = fabs(c.back.y) > 0.9999;
    c.right = unit(cross(vertical ? (snVec3){0, 0, -1} : (snVec3){0, 1, 0}, c.back));
    c.up = cross(c.back, c.right);
    return c;
}

Camera viewAxes(int32_t view, double turn)
{
    // turn about the vertical, height above the horizon
    const double QUARTER = 1.5707963267948966;
    const double ANGLES[][2] = {{0.56, 0.40},       {0, 0.1},       {QUARTER, 0.1}, {0, 1.571},
                                {2 * QUARTER, 0.1}, {QUARTER, 0.1}, {-QUARTER, 0.1}};
    double yaw = ANGLES[view][0] + turn, pitch = ANGLES[view][1];
    snVec3 back = {sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch)};
    return aimCamera((snVec3){0, 0, 0}, (snVec3){-back.x, -back.y, -back.z});
}

double lensTangent(const Camera* c)
{
    return tan(0.5 * CAMERA_LENS) / (c->zoom > 0 ? c->zoom : 1);
}

// Tangents of half the angles of view, less the margin.
static void frameTangents(double aspect, double* across, double* upward)
{
    *upward = tan(0.5 * CAMERA_LENS) * (1 - MARGIN);
    *across = *upward * aspect;
}

void frameNormals(const Camera* c, double aspect, snVec3 normals[4])
{
    double across, upward;
    frameTangents(aspect, &across, &upward);
    const double tangents[2] = {across, upward};
    const snVec3 axes[2] = {c->right, c->up};
    snVec3 zero = {0, 0, 0};
    for (int k = 0; k < 4; ++k) {
        double t = tangents[k / 2], scale = 1 / sqrt(1 + t * t);
        normals[k] = plus(plus(zero, k % 2 ? -scale : scale, axes[k / 2]), scale * t, c->back);
    }
}

// Nothing is cut off by a face with outward normal n when n.eye >= side. The two faces of a pair
// share the depth; the difference of their sides says where the middle is.
void fitCamera(Camera* c, double aspect, const double side[4])
{
    double tangents[2], depth = -1e30, middle[2];
    frameTangents(aspect, &tangents[0], &tangents[1]);
    for (int k = 0; k < 2; ++k) {
        double t = tangents[k], scale = 1 / sqrt(1 + t * t);
        double wanted = (side[2 * k] + side[2 * k + 1]) / (2 * scale * t);
        depth = wanted > depth ? wanted : depth;
        middle[k] = (side[2 * k] - side[2 * k + 1]) / (2 * scale);
    }
    snVec3 zero = {0, 0, 0};
    c->eye = plus(plus(plus(zero, middle[0], c->right), middle[1], c->up), depth, c->back);
}

// rows: right, up, back of the camera, scaled, and the row of w
static Matrix fromRows(const Camera* c, const double scale[3], double shift_z, double w_back,
                       double w_one)
{
    const snVec3 axes[3] = {c->right, c->up, c->back};
    Matrix m;
    for (int row = 0; row < 4; ++row) {
        snVec3 a = row < 3 ? axes[row] : c->back;
        double s = row < 3 ? scale[row] : w_back;
        double offset = -s * dot(a, c->eye) + (row == 2 ? shift_z : 0) + (row == 3 ? w_one : 0);
        m.m[row] = (float)(s * a.x);
        m.m[4 + row] = (float)(s * a.y);
        m.m[8 + row] = (float)(s * a.z);
        m.m[12 + row] = (float)offset;
    }
    return m;
}

Matrix cameraMatrix(const Camera* c, double aspect, double near, double far)
{
    double t = lensTangent(c);
    const double scale[3] = {1 / (t * aspect), 1 / t, -(far + near) / (far - near)};
    return fromRows(c, scale, -2 * far * near / (far - near), -1, 0);
}

Matrix boxMatrix(const Camera* c, double half, double depth)
{
    const double scale[3] = {1 / half, 1 / half, -1 / depth};
    return fromRows(c, scale, 0, 0, 1);
}
