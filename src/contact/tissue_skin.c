// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Places on the skin, which stay what they are when the flesh behind them is crushed.
#include "contact/tissue.h"

// A cell squeezed to this share of its volume does not tell where places beside it are.
#define LEAST_VOLUME 0.5

// Parts of a way that are looked at
#define LOOKS 16

// How much farther back than it has come a point is looked for, as a part: the flesh has moved too.
#define FARTHER 1.5

static snVec3 widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

// First corner and edges from it.
typedef struct Corner {
    snVec3 a, d[3];
} Corner;

static Corner restCorner(const snTissue* tissue, int32_t cell)
{
    const snTets* tets = &tissue->flesh.tets;
    const int32_t* n = tets->tet + 4 * (size_t)cell;
    Corner c = {.a = tets->position[n[0]]};
    for (int k = 0; k < 3; ++k) {
        c.d[k] = snSub(tets->position[n[k + 1]], c.a);
    }
    return c;
}

static Corner cornerNow(const snTissue* tissue, const snVec4f* x, int32_t cell)
{
    const int32_t* n = tissue->flesh.tets.tet + 4 * (size_t)cell;
    Corner c = {.a = widen(x[n[0]])};
    for (int k = 0; k < 3; ++k) {
        c.d[k] = snSub(widen(x[n[k + 1]]), c.a);
    }
    return c;
}

static double volumeOf(const Corner* c)
{
    return snDot(c->d[0], snCross(c->d[1], c->d[2]));
}

// Of a vector, in edges
static snVec3 partsOf(const Corner* c, snVec3 v)
{
    double per = 1 / volumeOf(c);
    return snV3(per * snDot(v, snCross(c->d[1], c->d[2])),
                per * snDot(v, snCross(c->d[2], c->d[0])),
                per * snDot(v, snCross(c->d[0], c->d[1])));
}

static snVec3 sumOf(const Corner* c, snVec3 parts)
{
    return snMulAdd(snMulAdd(snScale(parts.x, c->d[0]), parts.y, c->d[1]), parts.z, c->d[2]);
}

static void setWeights(snVec3 parts, float weight[4])
{
    weight[0] = (float)(1 - parts.x - parts.y - parts.z);
    weight[1] = (float)parts.x;
    weight[2] = (float)parts.y;
    weight[3] = (float)parts.z;
}

static snVec3 partsIn(const float weight[4])
{
    return snV3((double)weight[1], (double)weight[2], (double)weight[3]);
}

static double heightAt(const snTissue* tissue, int32_t cell, snVec3 rest, snVec3* gradient)
{
    int32_t patch = tissue->patch_of[cell];
    return snDistanceField_At(patch < 0 ? &tissue->field : &tissue->patches[patch], rest, gradient);
}

snSkinPlace snTissue_Foot(const snTissue* tissue, int32_t cell, snVec3 rest)
{
    Corner corner = restCorner(tissue, cell);
    snSkinPlace skin = {.cell = cell};
    setWeights(partsOf(&corner, snSub(rest, corner.a)), skin.weight);
    return skin;
}

// With the cell's edges d now and D at rest a surface that looks along g at rest looks along
// cof(F) g, which is sum over edges of (g . D_k) (d_l x d_m) up to a positive factor: no inverse.
snVec3 snTissue_Skin(const snTissue* tissue, const snVec4f* x, const snSkinPlace* skin,
                     snVec3* normal)
{
    Corner rest = restCorner(tissue, skin->cell), now = cornerNow(tissue, x, skin->cell);
    snVec3 parts = partsIn(skin->weight), g;
    heightAt(tissue, skin->cell, snAdd(rest.a, sumOf(&rest, parts)), &g);
    snVec3 n = snScale(snDot(g, rest.d[0]), snCross(now.d[1], now.d[2]));
    n = snMulAdd(n, snDot(g, rest.d[1]), snCross(now.d[2], now.d[0]));
    n = snMulAdd(n, snDot(g, rest.d[2]), snCross(now.d[0], now.d[1]));
    *normal = snNormalize(n);
    return snAdd(now.a, sumOf(&now, parts));
}

bool snTissue_Weights(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p,
                      float weight[4])
{
    Corner rest = restCorner(tissue, cell), now = cornerNow(tissue, x, cell);
    if (!(volumeOf(&now) > LEAST_VOLUME * volumeOf(&rest))) {
        return false;
    }
    setWeights(partsOf(&now, snSub(p, now.a)), weight);
    return true;
}

bool snTissue_IsOutside(const snTissue* tissue, int32_t cell, const float weight[4])
{
    Corner rest = restCorner(tissue, cell);
    return heightAt(tissue, cell, snAdd(rest.a, sumOf(&rest, partsIn(weight))), NULL) > 0;
}

bool snTissue_Entered(const snTissue* tissue, const snVec4f* x, snVec3 way, snTissueHit* hit)
{
    Corner rest = restCorner(tissue, hit->cell), now = cornerNow(tissue, x, hit->cell);
    snVec3 step = snScale(FARTHER / LOOKS, sumOf(&rest, partsOf(&now, way)));
    double before = heightAt(tissue, hit->cell, hit->rest, NULL);
    for (int i = 1; i <= LOOKS; ++i) {
        double here = heightAt(tissue, hit->cell, snMulAdd(hit->rest, -i, step), NULL);
        if (here >= 0) {
            hit->foot = snMulAdd(hit->rest, -(i - here / (here - before)), step);
            return true;
        }
        before = here;
    }
    return false;
}
