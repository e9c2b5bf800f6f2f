// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "world/obstacle.h"

#include "math/twist.h"
#include <string.h>

snStatus snPath_Build(snArena* arena, const snObstacleDef* def, snPath* path, snMessage* why)
{
    int count = def->key_count;
    snSplineEnds ends = {.kind =
                             def->ends == sn_endsPeriodic ? sn_splinePeriodic : sn_splineClamped};
    *path = (snPath){.travel = {.count = 0}};
    if (count == 0) {
        return sn_ok;
    }
    double* places = snArena_Push(arena, 3 * (size_t)count, sizeof *places);
    snQuat* turns = snArena_Push(arena, (size_t)count, sizeof *turns);
    if (arena->failed) {
        return sn_errorMemory;
    }
    for (int i = 0; i < count; ++i) {
        places[3 * i] = def->keys[i].p.x;
        places[3 * i + 1] = def->keys[i].p.y;
        places[3 * i + 2] = def->keys[i].p.z;
        turns[i] = def->keys[i].q;
    }
    snStatus status = snSpline_Build(arena, 3, count, def->times, places, ends, &path->travel, why);
    return status ? status
                  : snRotSpline_Build(arena, count, def->times, turns, ends, &path->turn, why);
}

void snPath_At(const snObstacle* obstacle, double t, snTransform* pose, snTwist* twist)
{
    *pose = obstacle->def.pose;
    *twist = snTwistFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    if (obstacle->path.travel.count > 0) {
        double x[3], xd[3];
        snVec3 w;
        snSpline_Eval(&obstacle->path.travel, t, x, xd, NULL);
        snRotSpline_Eval(&obstacle->path.turn, t, &pose->q, &w, NULL);
        pose->p = snV3(x[0], x[1], x[2]);
        *twist = snTwistFrom(w, snV3(xd[0], xd[1], xd[2]));
    }
}

snPair* snPair_Find(snPair* pairs, int32_t count, const char* material, const char* other)
{
    for (int32_t i = 0; i < count; ++i) {
        snPair* p = &pairs[i];
        if ((strcmp(p->material, material) == 0 && strcmp(p->other, other) == 0) ||
            (strcmp(p->material, other) == 0 && strcmp(p->other, material) == 0)) {
            return p;
        }
    }
    return NULL;
}
