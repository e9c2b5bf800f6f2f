// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Force fields of the scene, by mass: what is light is taken along as what is heavy.
#include "math/twist.h"
#include "method/explicit/actor.h"

static void blowNodes(snActorSpace* a, const snWorld* world, double t, double h)
{
    const snFlesh* flesh = a->flesh;
    snVec3 origin = a->nodes.head->origin;
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        if (flesh->inverse_mass[i] > 0) {
            const snVec4f *x = &a->nodes.x[i], *v = &a->nodes.v[i];
            snVec3 r = snV3((double)x->x, (double)x->y, (double)x->z);
            snVec3 speed = snV3((double)v->x, (double)v->y, (double)v->z);
            snVec3 force = snScale((double)flesh->node_mass[i],
                                   snForces_At(&world->forces, t, h, snAdd(origin, r), speed));
            snVec4f part = {(float)force.x, (float)force.y, (float)force.z, 0};
            snVec4f* push = &a->nodes.push[i];
            push->x += part.x, push->y += part.y, push->z += part.z;
            force = snV3((double)part.x, (double)part.y, (double)part.z);
            a->wind.f = snAdd(a->wind.f, force);
            a->wind.n = snAdd(a->wind.n, snCross(r, force));
        }
    }
}

// At their centres of mass; they hold the mass of nodes that are fixed to them.
static void blowBones(snActorSpace* a, const snWorld* world, double t, double h)
{
    for (int32_t i = 0; i < a->skeleton->bone_count; ++i) {
        const snBone* b = &a->skeleton->bones[i];
        const snBoneMotion* m = &a->ws.motion[i];
        snVec3 arm = snMatVec(m->R, b->com), v = snAdd(m->v, snCross(m->w, arm));
        snVec3 force = snScale(b->mass, snForces_At(&world->forces, t, h, snAdd(m->p, arm), v));
        a->winds[i] = snWrenchFrom(snCross(arm, force), force);
    }
}

void snActor_AddFieldForces(snActorSpace* a, const snWorld* world, double t, double h)
{
    a->blown = world->forces.count > 0;
    a->wind = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    if (a->blown) {
        blowBones(a, world, t, h);
    }
    if (a->blown && a->flesh) {
        blowNodes(a, world, t, h);
    }
}
