// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/shape.h"

#include "base/message.h"
#include "math/quat.h"
#include <sinew/skeleton.h>

// Making -------------------------------------------------------------------------

#define LEAST_LENGTH 1e-4
#define LARGEST_LENGTH 1e4

// Largest coordinate of a pose, m.
#define FARTHEST 1e6

static bool isLength(double x)
{
    return x >= LEAST_LENGTH && x <= LARGEST_LENGTH;
}

static snStatus checkPose(const snTransform* pose, snMessage* why)
{
    double square = snQDot(pose->q, pose->q);
    snVec3 p = pose->p;
    if (!(fabs(p.x) <= FARTHEST && fabs(p.y) <= FARTHEST && fabs(p.z) <= FARTHEST)) {
        return snFail(why, sn_errorArgument, "its pose must be within %g m of the origin",
                      FARTHEST);
    }
    if (!(fabs(square - 1) <= 1e-3)) {
        return snFail(
            why, sn_errorArgument,
            "the quaternion of its pose must have length 1; (0, 0, 0, 1) does not turn it");
    }
    return sn_ok;
}

static snStatus checkLengths(const snShapeDef* def, snMessage* why)
{
    bool round = def->kind == sn_shapeSphere || def->kind == sn_shapeCapsule;
    if (def->kind == sn_shapeBox &&
        !(isLength(def->half.x) && isLength(def->half.y) && isLength(def->half.z))) {
        return snFail(why, sn_errorArgument, "half sides must be %g to %g m, not (%g, %g, %g)",
                      LEAST_LENGTH, LARGEST_LENGTH, def->half.x, def->half.y, def->half.z);
    }
    if (round && !isLength(def->radius)) {
        return snFail(why, sn_errorArgument, "the radius must be %g to %g m, not %g", LEAST_LENGTH,
                      LARGEST_LENGTH, def->radius);
    }
    if (def->kind == sn_shapeCapsule &&
        !(def->half_length >= 0 && def->half_length <= LARGEST_LENGTH)) {
        return snFail(why, sn_errorArgument, "half_length must be 0 to %g m, not %g",
                      LARGEST_LENGTH, def->half_length);
    }
    return sn_ok;
}

// V (hy^2 + hz^2)/3 about x, and so on.
static void makeBox(snShape* shape)
{
    snVec3 h = shape->half;
    snMat3 R = shape->R;
    snVec3 reach = snV3(fabs(R.m00) * h.x + fabs(R.m01) * h.y + fabs(R.m02) * h.z,
                        fabs(R.m10) * h.x + fabs(R.m11) * h.y + fabs(R.m12) * h.z,
                        fabs(R.m20) * h.x + fabs(R.m21) * h.y + fabs(R.m22) * h.z);
    double least = h.x < h.y ? h.x : h.y, V = 8 * h.x * h.y * h.z;
    snSym3 inertia = {V / 3 * (h.y * h.y + h.z * h.z),
                      V / 3 * (h.z * h.z + h.x * h.x),
                      V / 3 * (h.x * h.x + h.y * h.y),
                      0,
                      0,
                      0};
    shape->box = (snBox){snSub(shape->p, reach), snAdd(shape->p, reach)};
    shape->thickness = 2 * (least < h.z ? least : h.z);
    shape->area = 8 * (h.x * h.y + h.y * h.z + h.z * h.x);
    shape->volume = V;
    shape->com = shape->p;
    shape->inertia = snSymRotate(R, inertia);
}

static void makeCapsule(snShape* shape)
{
    snVec3 arm = snScale(shape->half_length, snMatCol(shape->R, 1));
    double r = shape->radius;
    snVec3 reach = snV3(fabs(arm.x) + r, fabs(arm.y) + r, fabs(arm.z) + r);
    snMass mass = snMass_Capsule(snSub(shape->p, arm), snAdd(shape->p, arm), r, 1);
    shape->box = (snBox){snSub(shape->p, reach), snAdd(shape->p, reach)};
    shape->thickness = 2 * r;
    shape->area = 4 * SN_PI * r * (r + shape->half_length);
    shape->volume = mass.mass;
    shape->com = shape->p;
    shape->inertia = mass.inertia;
}

snStatus snShape_Build(snArena* arena, const snShapeDef* def, snShape* shape, snMessage* why)
{
    if (def->kind < 0 || def->kind >= sn_shapeKindCount) {
        return snFail(why, sn_errorArgument, "its kind is %d, which is none", (int)def->kind);
    }
    snStatus status = checkPose(&def->pose, why);
    status = status ? status : checkLengths(def, why);
    if (status) {
        return status;
    }
    bool round = def->kind == sn_shapeSphere || def->kind == sn_shapeCapsule;
    *shape = (snShape){.kind = def->kind,
                       .p = def->pose.p,
                       .R = snMatFromQ(snQNormalize(def->pose.q)),
                       .half = def->half,
                       .radius = def->radius,
                       .half_length = def->kind == sn_shapeCapsule ? def->half_length : 0};
    if (def->kind == sn_shapeMesh) {
        return snShapeMesh_Build(arena, def, shape, why);
    }
    if (round) {
        makeCapsule(shape);
    } else {
        makeBox(shape);
    }
    return sn_ok;
}

// Inside -------------------------------------------------------------------------

static bool insideBox(const snShape* shape, snVec3 p, snVec3* normal, double* depth)
{
    snVec3 q = snMatTVec(shape->R, snSub(p, shape->p)), h = shape->half;
    double x = h.x - fabs(q.x), y = h.y - fabs(q.y), z = h.z - fabs(q.z);
    if (!(x > 0 && y > 0 && z > 0)) {
        return false;
    }
    int axis = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
    *depth = axis == 0 ? x : axis == 1 ? y : z;
    snVec3 n = snMatCol(shape->R, axis);
    *normal = (axis == 0 ? q.x : axis == 1 ? q.y : q.z) < 0 ? snNeg(n) : n;
    return true;
}

static double clampTo(double x, double most)
{
    return x < -most ? -most : x > most ? most : x;
}

// From the nearest place of the line inside; on it, across it.
static bool insideCapsule(const snShape* shape, snVec3 p, snVec3* normal, double* depth)
{
    snVec3 q = snSub(p, shape->p), axis = snMatCol(shape->R, 1);
    q = snMulAdd(q, -clampTo(snDot(q, axis), shape->half_length), axis);
    double square = snLengthSq(q), r = shape->radius;
    if (!(square < r * r)) {
        return false;
    }
    double distance = sqrt(square);
    *depth = r - distance;
    *normal = distance > 1e-12 * r ? snScale(1 / distance, q) : snMatCol(shape->R, 0);
    return *depth > 0;
}

bool snShape_Inside(const snShape* shape, snVec3 p, snVec3* normal, double* depth)
{
    switch (shape->kind) {
    case sn_shapeBox:
        return insideBox(shape, p, normal, depth);
    case sn_shapeMesh:
        return snShapeMesh_Inside(shape, p, normal, depth);
    default:
        return insideCapsule(shape, p, normal, depth);
    }
}

// Near ---------------------------------------------------------------------------

// On the surface the way to the nearest place has no direction: there the face that it lies on.
static bool nearBox(const snShape* shape, snVec3 p, double most, snVec3* normal, double* gap)
{
    snVec3 q = snMatTVec(shape->R, snSub(p, shape->p)), h = shape->half;
    snVec3 off = snV3(q.x - clampTo(q.x, h.x), q.y - clampTo(q.y, h.y), q.z - clampTo(q.z, h.z));
    double x = fabs(q.x) - h.x, y = fabs(q.y) - h.y, z = fabs(q.z) - h.z;
    *gap = snLength(off);
    if (!(*gap <= most)) {
        return false;
    }
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    snVec3 n = snMatCol(shape->R, axis);
    *normal = *gap > 0 ? snMatVec(shape->R, snScale(1 / *gap, off))
              : (axis == 0   ? q.x
                 : axis == 1 ? q.y
                             : q.z) < 0
                  ? snNeg(n)
                  : n;
    return true;
}

static bool nearCapsule(const snShape* shape, snVec3 p, double most, snVec3* normal, double* gap)
{
    snVec3 q = snSub(p, shape->p), axis = snMatCol(shape->R, 1);
    q = snMulAdd(q, -clampTo(snDot(q, axis), shape->half_length), axis);
    double distance = snLength(q);
    *gap = distance > shape->radius ? distance - shape->radius : 0;
    *normal = snScale(1 / distance, q);
    return *gap <= most;
}

bool snShape_Outside(const snShape* shape, snVec3 p, double most, snVec3* normal, double* gap)
{
    switch (shape->kind) {
    case sn_shapeBox:
        return nearBox(shape, p, most, normal, gap);
    case sn_shapeMesh:
        return snShapeMesh_Outside(shape, p, most, normal, gap);
    default:
        return nearCapsule(shape, p, most, normal, gap);
    }
}

// Cast ---------------------------------------------------------------------------

// Between two parallel planes while first < t < last; *axis: which planes were passed last.
typedef struct Slabs {
    double first, last;
    int axis;
    bool missed;
} Slabs;

static void cutSlab(Slabs* slabs, int axis, double q, double d, double half)
{
    if (d == 0) {
        slabs->missed = slabs->missed || !(fabs(q) < half);
        return;
    }
    double side = d > 0 ? half : -half, in = (-side - q) / d, out = (side - q) / d;
    slabs->axis = in > slabs->first ? axis : slabs->axis;
    slabs->first = in > slabs->first ? in : slabs->first;
    slabs->last = out < slabs->last ? out : slabs->last;
}

static bool castBox(const snShape* shape, snVec3 a, snVec3 b, double* t, snVec3* normal)
{
    snVec3 q = snMatTVec(shape->R, snSub(a, shape->p)), d = snMatTVec(shape->R, snSub(b, a));
    Slabs slabs = {-HUGE_VAL, HUGE_VAL, 0, false};
    cutSlab(&slabs, 0, q.x, d.x, shape->half.x);
    cutSlab(&slabs, 1, q.y, d.y, shape->half.y);
    cutSlab(&slabs, 2, q.z, d.z, shape->half.z);
    if (slabs.missed || !(slabs.first < slabs.last && slabs.first >= 0 && slabs.first <= 1)) {
        return false;
    }
    *t = slabs.first;
    snVec3 n = snMatCol(shape->R, slabs.axis);
    double along = slabs.axis == 0 ? d.x : slabs.axis == 1 ? d.y : d.z;
    *normal = along > 0 ? snNeg(n) : n;
    return true;
}

// Where q + t d comes within r of the origin. About the nearest place t0, so that nothing cancels:
// t = t0 - sqrt((r^2 - |q + t0 d|^2) / d.d). A start on the surface must not be inside by rounding.
static double enterBall(snVec3 q, snVec3 d, double r)
{
    double dd = snLengthSq(d), t0 = dd > 0 ? -snDot(q, d) / dd : 0;
    double left = r * r - snLengthSq(snMulAdd(q, t0, d));
    double t = left > 0 && dd > 0 ? t0 - sqrt(left / dd) : HUGE_VAL;
    return t < 0 && t0 > 0 && snLengthSq(q) >= r * r * (1 - 1e-12) ? 0 : t;
}

// A capsule is convex and the union of two balls and a tube: it is entered where the first of them
// is, unless the way starts in it.
static bool castCapsule(const snShape* shape, snVec3 a, snVec3 b, double* t, snVec3* normal)
{
    snVec3 q = snSub(a, shape->p), d = snSub(b, a), axis = snMatCol(shape->R, 1), n;
    double y = snDot(q, axis), dy = snDot(d, axis), r = shape->radius, L = shape->half_length;
    double depth, first = HUGE_VAL;
    if (insideCapsule(shape, a, &n, &depth)) {
        return false;
    }
    for (int end = -1; end <= 1; end += 2) {
        double s = enterBall(snMulAdd(q, -L * end, axis), d, r);
        first = s >= 0 && s < first ? s : first;
    }
    double s = enterBall(snMulAdd(q, -y, axis), snMulAdd(d, -dy, axis), r);
    first = s >= 0 && s < first && fabs(y + s * dy) <= L ? s : first;
    if (!(first <= 1)) {
        return false;
    }
    snVec3 at = snMulAdd(q, first, d);
    *t = first;
    *normal = snNormalize(snMulAdd(at, -clampTo(snDot(at, axis), L), axis));
    return true;
}

bool snShape_Cast(const snShape* shape, snVec3 a, snVec3 b, double after, double* t, snVec3* normal)
{
    switch (shape->kind) {
    case sn_shapeBox:
        return castBox(shape, a, b, t, normal) && *t > after;
    case sn_shapeMesh:
        return snShapeMesh_Cast(shape, a, b, after, t, normal);
    default:
        return castCapsule(shape, a, b, t, normal) && *t > after;
    }
}
