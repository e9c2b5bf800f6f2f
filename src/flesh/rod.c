// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/rod.h"

#include "skel/kinematics.h"

snRod* snRods_Place(snArena* arena, const snSkeleton* skeleton)
{
    size_t n = (size_t)skeleton->bone_count;
    double* q = snArena_Push(arena, (size_t)skeleton->nq, sizeof(double));
    snBoneMotion* motion = snArena_Push(arena, n, sizeof(snBoneMotion));
    snRod* made = snArena_Push(arena, n, sizeof(snRod));
    if (arena->failed) {
        return NULL;
    }
    snSkeleton_ZeroPose(skeleton, q);
    snKinematics_Position(skeleton, q, NULL, motion);
    for (size_t i = 0; i < n; ++i) {
        const snBoneDef* d = &skeleton->defs[i];
        made[i].from = motion[i].p;
        made[i].to = snAdd(motion[i].p, snMatVec(motion[i].R, d->tip));
        made[i].radius = d->radius > 0 ? d->radius : 0.1 * snLength(d->tip);
        made[i].R = motion[i].R;
    }
    return made;
}
