// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Points in other soft bodies remember the place of the skin that they came in by. While it is also
// the nearest way out they slide along with it; when flesh is crushed, or pushed in so far that the
// far side is nearer, they are still pushed out by it: nothing thin gets through because there is
// no flesh left, or too much, between it and the skin.
#include "contact/place.h"

// The nearest way out is the one that a point came in by if it leads to the same place, within this
// part of a cell and what it has moved, and looks the same way (cosine).
#define SAME_PLACE 0.25
#define SAME_WAY 0.5

// One that is longer at once, by more than this part of a cell and many steps, is that of a
// cell which is folding: skin that it came in by is right there still.
#define FOLDING 0.05

// Cells that the skin goes on around the place, as flat as it is there.
#define FLAT 0.5

static double leastOf(const float weight[4])
{
    float least = weight[0];
    for (int k = 1; k < 4; ++k) {
        least = weight[k] < least ? weight[k] : least;
    }
    return (double)least;
}

// At the place of the cell that the press has.
static void meetFlesh(snPress* press, const snSoft* soft, snVec3 v)
{
    press->v = snSub(v, snSoft_CellVelocity(soft, press->cell, press->weight));
}

static void useHit(snPress* press, const snSoft* soft, const snTissueHit* hit)
{
    press->normal = hit->normal;
    press->gap = -hit->depth;
    press->cell = hit->cell;
    memcpy(press->weight, hit->weight, sizeof press->weight);
    meetFlesh(press, soft, press->v);
}

// Pulled along the line to the skin, so that what it is given there is taken here.
static void useSkin(snPress* press, const snSoft* soft, snVec3 gap)
{
    press->cell = press->skin.cell;
    memcpy(press->weight, press->skin.weight, sizeof press->weight);
    press->gap = -snLength(gap);
    press->normal = snNormalize(gap);
    press->smooth = true;
    meetFlesh(press, soft, press->v);
}

// A point that is on its way out already has come in on another side.
static bool begin(snPress* press, const snSoft* soft, snTissueHit* hit, double since, bool first)
{
    snVec3 v = snSub(press->v, snSoft_CellVelocity(soft, hit->cell, hit->weight)), n;
    if (hit->depth > SN_SUDDEN * soft->flesh->cell + 4 * since * snLength(v) && !first) {
        return false;
    }
    bool other = snDot(v, hit->normal) > 0 &&
                 snTissue_Entered(soft->tissue, soft->x, snScale(since, v), hit);
    press->skin = snTissue_Foot(soft->tissue, hit->cell, hit->foot);
    snVec3 at = snTissue_Skin(soft->tissue, soft->x, &press->skin, &n);
    snVec3 gap = snSub(at, snSub(press->place, soft->origin));
    if (other && snDot(gap, n) > 0) {
        useSkin(press, soft, gap);
    } else {
        useHit(press, soft, hit);
    }
    return true;
}

bool snSoft_FacesAway(const snSoft* owner, int32_t point, snVec3 normal)
{
    snSkinPlace skin = {.cell = owner->flesh->cell_of[point]};
    memcpy(skin.weight, owner->flesh->ties[point].weight, sizeof skin.weight);
    snVec3 n;
    snTissue_Skin(owner->tissue, owner->x, &skin, &n);
    return snDot(n, normal) > 0;
}

// The skin that a point came in by.
static bool stay(const snSoft* soft, snPress* press, const snTissueHit* hit, const snTouch* old,
                 double since)
{
    const snTissue* tissue = soft->tissue;
    const float* w = old->weight;
    snSkinPlace skin = {old->cell - 1, {1 - w[0] - w[1] - w[2], w[0], w[1], w[2]}};
    snVec3 was = snV3((double)old->normal[0], (double)old->normal[1], (double)old->normal[2]), n;
    snVec3 q = snSub(press->place, soft->origin), at = snTissue_Skin(tissue, soft->x, &skin, &n);
    snVec3 gap = snSub(at, q);
    n = snDot(n, was) > SAME_WAY ? n : was;
    if (hit) {
        snVec3 v = snSub(press->v, snSoft_CellVelocity(soft, skin.cell, skin.weight));
        snVec3 off = snSub(snScale(hit->depth, hit->normal), gap);
        double way = 2 * since * snLength(v);
        bool folds = hit->depth > (double)old->depth + FOLDING * soft->flesh->cell + 10 * way;
        if (snDot(hit->normal, n) > SAME_WAY && !folds &&
            snLength(off) < SAME_PLACE * soft->flesh->cell + way) {
            snSkinPlace a = snTissue_Foot(tissue, hit->cell, hit->foot);
            snSkinPlace b = snTissue_Foot(tissue, skin.cell, hit->foot);
            press->skin = leastOf(b.weight) > leastOf(a.weight) ? b : a;
            useHit(press, soft, hit);
            return true;
        }
    }
    double depth = snDot(gap, n), aside = snLength(snMulAdd(gap, -depth, n));
    float weight[4];
    bool out = depth <= 0 || aside > FLAT * soft->flesh->cell;
    if (out || (!hit && snTissue_Weights(tissue, soft->x, skin.cell, q, weight) &&
                snTissue_IsOutside(tissue, skin.cell, weight))) {
        return false;
    }
    press->skin = skin;
    useSkin(press, soft, gap);
    return true;
}

bool snContacts_Enter(const snContacts* c, snPress* press, snTissueHit* hit, const snTouch* old,
                      double since)
{
    const snSoft *owner = snContacts_Soft(c, press->owner),
                 *soft = snContacts_Soft(c, press->other);
    bool first = *snContacts_Feeler(c, press->owner)->last == 0;
    bool stays = old && old->cell > 0 && stay(soft, press, hit, old, since);
    return (stays || (hit && begin(press, soft, hit, since, first))) &&
           !(owner && snSoft_FacesAway(owner, press->point, press->normal));
}
