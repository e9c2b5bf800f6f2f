// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Random skeletons, states and forces.
#ifndef SN_TESTS_SKEL_TREE_H
#define SN_TESTS_SKEL_TREE_H

#include "base/random.h"
#include "check.h"
#include "math/quat.h"
#include "skel/skeleton.h"
#include <sinew/dynamics.h>

#define TREE_BONES 64

typedef struct Tree {
    snBoneDef defs[TREE_BONES];
    char names[TREE_BONES][16];
    int32_t count;
} Tree;

// What may occur in a random tree.
typedef struct TreeKind {
    int32_t bones; // how many
    int32_t joint; // all joints of this type, or -1 for a mix without welds below the first bone
    double mass_ratio; // heaviest over lightest bone
    bool free_root;    // the first bone hangs on a free joint
    bool springs;      // springs, damping and armature
    bool limits;       // limits, some of them violated
} TreeKind;

static inline snVec3 randomVec(snRandom* r, double size)
{
    double x = snRandom_Range(r, -size, size), y = snRandom_Range(r, -size, size);
    return snV3(x, y, snRandom_Range(r, -size, size));
}

static inline snQuat randomQuat(snRandom* r)
{
    for (;;) {
        snQuat q = snQ(snRandom_Range(r, -1, 1), snRandom_Range(r, -1, 1), snRandom_Range(r, -1, 1),
                       snRandom_Range(r, -1, 1));
        double square = snQDot(q, q);
        if (square > 0.01 && square < 1) {
            return snQNormalize(q);
        }
    }
}

// A box-like body of a random mass, turned and shifted at random.
static inline snMass randomMass(snRandom* r, double ratio)
{
    double mass = pow(ratio, snRandom_Unit(r)), size = 0.2 * cbrt(mass / sqrt(ratio));
    snVec3 e = snV3(size * snRandom_Range(r, 0.3, 1), size * snRandom_Range(r, 0.3, 1),
                    size * snRandom_Range(r, 0.3, 1));
    snSym3 principal = {mass / 12 * (e.y * e.y + e.z * e.z),
                        mass / 12 * (e.x * e.x + e.z * e.z),
                        mass / 12 * (e.x * e.x + e.y * e.y),
                        0,
                        0,
                        0};
    snMass m = {mass, randomVec(r, 0.3), snSymRotate(snMatFromQ(randomQuat(r)), principal)};
    return m;
}

// A box of about 0.3 m with a mass of 1 to `ratio` kg.
static inline snMass randomBox(snRandom* r, double ratio)
{
    snMass m = randomMass(r, 1);
    double mass = pow(ratio, snRandom_Unit(r));
    snMass box = {mass, m.com, snSymScale(4 * mass, m.inertia)};
    return box;
}

static inline void randomJointForces(snRandom* r, const TreeKind* kind, snBoneDef* d)
{
    for (int i = 0; i < 3; ++i) {
        if (kind->springs) {
            d->dof[i].stiffness = snRandom_Range(r, 0, 20);
            d->dof[i].rest = snRandom_Range(r, -0.5, 0.5);
            d->dof[i].damping = snRandom_Range(r, 0, 2);
            d->dof[i].armature = snRandom_Range(r, 0, 0.1);
        }
        if (kind->limits) {
            d->dof[i].lower = snRandom_Range(r, -1, 0);
            d->dof[i].upper = snRandom_Range(r, 0, 1);
        }
    }
    if (kind->limits) {
        d->swing = snRandom_Range(r, 0.2, 1.5);
    }
}

static inline void randomTree(snRandom* r, const TreeKind* kind, Tree* tree)
{
    tree->count = kind->bones;
    for (int32_t i = 0; i < kind->bones; ++i) {
        snBoneDef* d = &tree->defs[i];
        snBoneDef_Init(d);
        snprintf(tree->names[i], sizeof tree->names[i], "bone%d", (int)i);
        d->name = tree->names[i];
        // mostly long chains: that is where errors grow
        d->parent = i == 0                   ? -1
                    : snRandom_Unit(r) < 0.7 ? i - 1
                                             : (int32_t)snRandom_Below(r, (uint32_t)i);
        d->joint = kind->joint >= 0 ? kind->joint : 1 + (int32_t)snRandom_Below(r, 6);
        if (i == 0 && kind->free_root) {
            d->joint = sn_jointFree;
        }
        d->anchor.p = randomVec(r, 0.5);
        d->anchor.q = randomQuat(r);
        d->axis = snScale(3, snQRotate(randomQuat(r), snV3(1, 0, 0)));
        do {
            d->axis2 = snQRotate(randomQuat(r), snV3(1, 0, 0));
        } while (snLength(snCross(snNormalize(d->axis), d->axis2)) < 0.5);
        d->mass = randomMass(r, kind->mass_ratio);
        randomJointForces(r, kind, d);
    }
}

// A state with coordinates of about `size` and rates of about `speed`.
static inline void randomState(snRandom* r, const snSkeleton* s, double size, double speed,
                               double* q, double* qd)
{
    for (int32_t i = 0; i < s->bone_count; ++i) {
        const snBone* b = &s->bones[i];
        bool ball = b->type == sn_jointBall, open = b->type == sn_jointFree;
        int32_t end = i + 1 < s->bone_count ? s->bones[i + 1].qi : s->nq;
        for (int32_t k = b->qi; k < end; ++k) {
            q[k] = snRandom_Range(r, -size, size);
        }
        if (ball || open) {
            snQuat p = randomQuat(r);
            double* at = q + b->qi + (open ? 3 : 0);
            at[0] = p.x, at[1] = p.y, at[2] = p.z, at[3] = p.w;
        }
    }
    for (int32_t k = 0; k < s->nv; ++k) {
        qd[k] = snRandom_Range(r, -speed, speed);
    }
}

static inline snDynamics* makeDynamics(const Tree* tree, snSkeleton** skeleton)
{
    snMessage why;
    snDynamics* d = NULL;
    assert_ok(snSkeleton_Create(NULL, tree->defs, tree->count, skeleton, &why), why);
    assert_ok(snDynamics_Create(NULL, *skeleton, &d, &why), why);
    return d;
}

#endif
