// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Boxes of soft bodies' trees.
#ifndef SN_CONTACT_TISSUE_BOX_H
#define SN_CONTACT_TISSUE_BOX_H

#include "contact/tissue.h"

#define ALL_LANES 0xffff

// A pair of nodes leaves two behind at each level of either tree.
#define SN_TISSUE_PAIRS (2 * SN_BVH_DEPTH + 4)

// All four numbers, so that they go through one instruction.
static inline snVec4f lower(snVec4f a, snVec4f b)
{
    snVec4f m = {b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z,
                 b.w < a.w ? b.w : a.w};
    return m;
}

static inline snVec4f upper(snVec4f a, snVec4f b)
{
    snVec4f m = {b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z,
                 b.w > a.w ? b.w : a.w};
    return m;
}

static inline snTissueBox unite(snTissueBox a, snTissueBox b)
{
    snTissueBox box = {lower(a.lo, b.lo), upper(a.hi, b.hi)};
    return box;
}

static inline snTissueBox enlarge(snVec4f lo, snVec4f hi, float by)
{
    snTissueBox box = {{lo.x - by, lo.y - by, lo.z - by, 0}, {hi.x + by, hi.y + by, hi.z + by, 0}};
    return box;
}

// Of a point in its tree's order
static inline snTissueBox pointBox(const snTissueTree* tree, int32_t i)
{
    return enlarge(tree->points[i], tree->points[i], tree->points[i].w);
}

static inline float sizeOf(const snTissueBox* box)
{
    return box->hi.x - box->lo.x + (box->hi.y - box->lo.y) + (box->hi.z - box->lo.z);
}

static inline snTissueBox narrow(const snBox* box)
{
    snTissueBox out = {{(float)box->lo.x, (float)box->lo.y, (float)box->lo.z, 0},
                       {(float)box->hi.x, (float)box->hi.y, (float)box->hi.z, 0}};
    return out;
}

static inline bool meet(const snTissueBox* a, const snTissueBox* b)
{
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) &
           (b->lo.y <= a->hi.y) & (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

static inline int lowestBit(uint32_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctz(bits);
#else
    int i = 0;
    for (; !(bits >> i & 1); ++i) {
    }
    return i;
#endif
}

// Bits of the lanes that hold: a comparison a lane, all lanes at once.
static inline uint32_t bitsOf(const int32_t yes[SN_TISSUE_LANES])
{
    static const int32_t BIT[SN_TISSUE_LANES] = {1,   2,   4,    8,    16,   32,   64,    128,
                                                 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    int32_t bits = 0;
    for (int i = 0; i < SN_TISSUE_LANES; ++i) {
        bits |= -yes[i] & BIT[i];
    }
    return (uint32_t)bits;
}

// Lanes whose boxes meet the box.
static inline uint32_t meetLanes(const snTissueBlock* b, const snTissueBox* box)
{
    int32_t yes[SN_TISSUE_LANES];
    snVec4f lo = box->lo, hi = box->hi;
    for (int i = 0; i < SN_TISSUE_LANES; ++i) {
        yes[i] = (b->lo[0][i] <= hi.x) & (lo.x <= b->hi[0][i]) & (b->lo[1][i] <= hi.y) &
                 (lo.y <= b->hi[1][i]) & (b->lo[2][i] <= hi.z) & (lo.z <= b->hi[2][i]);
    }
    return bitsOf(yes);
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

// Lanes with a place that is farther than `apart` from some place of the box.
static inline uint32_t farLanes(const snTissueBlock* b, const snTissueBox* box, float apart_sq)
{
    int32_t yes[SN_TISSUE_LANES];
    snVec4f lo = box->lo, hi = box->hi;
    for (int i = 0; i < SN_TISSUE_LANES; ++i) {
        float x = larger(b->hi[0][i] - lo.x, hi.x - b->lo[0][i]);
        float y = larger(b->hi[1][i] - lo.y, hi.y - b->lo[1][i]);
        float z = larger(b->hi[2][i] - lo.z, hi.z - b->lo[2][i]);
        yes[i] = x * x + y * y + z * z >= apart_sq;
    }
    return bitsOf(yes);
}

// The square of tissue->apart, less what rounding to float may lose.
static inline float apartSqBelow(const snTissue* tissue)
{
    return (float)(0.9999 * tissue->apart * tissue->apart);
}

#endif
