// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Affine maps of nodes and joints.
#ifndef SN_RIG_MATRIX_H
#define SN_RIG_MATRIX_H

#include "math/quat.h"
#include <sinew/rig.h>

static inline snMatrix snMatrix_Make(snMat3 A, snVec3 p)
{
    return (snMatrix){snMatCol(A, 0), snMatCol(A, 1), snMatCol(A, 2), p};
}

static inline snMatrix snMatrix_Identity(void)
{
    return snMatrix_Make(snMat3_Identity(), snV3(0, 0, 0));
}

static inline snMat3 snMatrix_Linear(const snMatrix* m)
{
    return snMatFromCols(m->x, m->y, m->z);
}

static inline snVec3 snMatrix_Vector(const snMatrix* m, snVec3 v)
{
    return snMulAdd(snMulAdd(snScale(v.x, m->x), v.y, m->y), v.z, m->z);
}

static inline snVec3 snMatrix_Point(const snMatrix* m, snVec3 p)
{
    return snAdd(snMatrix_Vector(m, p), m->p);
}

// First b, then a
static inline snMatrix snMatrix_Mul(const snMatrix* a, const snMatrix* b)
{
    return (snMatrix){snMatrix_Vector(a, b->x), snMatrix_Vector(a, b->y), snMatrix_Vector(a, b->z),
                      snMatrix_Point(a, b->p)};
}

// First scale, then rotate, then move
static inline snMatrix snMatrix_FromParts(snVec3 translation, snQuat rotation, snVec3 scale)
{
    snMatrix m = snMatrix_Make(snMatFromQ(rotation), translation);
    m.x = snScale(scale.x, m.x);
    m.y = snScale(scale.y, m.y);
    m.z = snScale(scale.z, m.z);
    return m;
}

// a + s b, entry by entry
static inline snMatrix snMatrix_MulAdd(const snMatrix* a, double s, const snMatrix* b)
{
    return (snMatrix){snMulAdd(a->x, s, b->x), snMulAdd(a->y, s, b->y), snMulAdd(a->z, s, b->z),
                      snMulAdd(a->p, s, b->p)};
}

// What undoes it; not ok when it is flat
static inline snMatrix snMatrix_Inverse(const snMatrix* m, bool* ok)
{
    snMat3 A = snMatInverse(snMatrix_Linear(m), ok);
    return snMatrix_Make(A, snNeg(snMatVec(A, m->p)));
}

// What takes normals along, but for their length: the cofactors, turned round where the map mirrors
static inline snMat3 snMatrix_ForNormals(const snMatrix* m)
{
    snVec3 a = snCross(m->y, m->z), b = snCross(m->z, m->x), c = snCross(m->x, m->y);
    return snMatScale(snDot(m->x, a) < 0 ? -1 : 1, snMatFromCols(a, b, c));
}

// Translation, rotation and scale of a map. False when it has shear, and then they are the nearest
// simple ones.
bool snMatrix_Split(const snMatrix* m, snVec3* translation, snQuat* rotation, snVec3* scale);

#endif
