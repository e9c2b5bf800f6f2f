// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A hash of what a simulation gives its user, by public calls alone. It takes field by field, so it
// does not depend on how anything is laid out, neither in frames nor in the state.
#ifndef SN_TESTS_SIM_RESULT_HASH_H
#define SN_TESTS_SIM_RESULT_HASH_H

#include "base/hash.h"
#include <sinew/sim.h>

static inline uint64_t hashWhole(int64_t value, uint64_t hash)
{
    return snHash(&value, sizeof value, hash);
}

static inline uint64_t hashDoubles(const double* values, int32_t count, uint64_t hash)
{
    return count > 0 ? snHash(values, (size_t)count * sizeof *values, hash) : hash;
}

static inline uint64_t hashFloats(const float* values, int32_t count, uint64_t hash)
{
    return count > 0 ? snHash(values, (size_t)count * sizeof *values, hash) : hash;
}

static inline uint64_t hashVec(snVec3 v, uint64_t hash)
{
    double values[3] = {v.x, v.y, v.z};
    return hashDoubles(values, 3, hash);
}

static inline uint64_t hashPose(snTransform t, uint64_t hash)
{
    double turn[4] = {t.q.x, t.q.y, t.q.z, t.q.w};
    return hashDoubles(turn, 4, hashVec(t.p, hash));
}

static inline uint64_t hashTwist(snTwist t, uint64_t hash)
{
    return hashVec(t.v, hashVec(t.w, hash));
}

static inline uint64_t hashCharacter(const snSkeleton* skeleton, const snFrameCharacter* c,
                                     uint64_t hash)
{
    for (int32_t i = 0; i < c->bone_count; ++i) {
        hash = hashTwist(c->twists[i], hashPose(c->bones[i], hash));
    }
    if (c->bone_count > 0) {
        hash = hashDoubles(c->q, snSkeleton_PositionCount(skeleton), hash);
        hash = hashDoubles(c->qd, snSkeleton_VelocityCount(skeleton), hash);
        hash = hashDoubles(c->tau, snSkeleton_VelocityCount(skeleton), hash);
    }
    hash = hashVec(c->origin, hash);
    hash = hashFloats(c->nodes, 3 * c->node_count, hash);
    hash = hashFloats(c->node_velocities, 3 * c->node_count, hash);
    for (int32_t i = 0; i < c->surface_count; ++i) {
        const snFrameSurface* s = &c->surfaces[i];
        hash = hashFloats(s->position, 3 * s->vertex_count, hash);
        hash = hashFloats(s->normal, 3 * s->vertex_count, hash);
    }
    hash = hashVec(c->contact_load.f, hashVec(c->contact_load.n, hash));
    hash = hashWhole(c->contact_count, hashDoubles(&c->depth, 1, hash));
    return hashWhole(c->is_asleep != 0, hash);
}

static inline uint64_t hashContact(const snContact* c, uint64_t hash)
{
    hash = hashWhole(c->obstacle, hashWhole(c->character, hash));
    hash = hashWhole(c->other, hashWhole(c->with, hash));
    hash = hashVec(c->force, hashVec(c->normal, hashVec(c->place, hash)));
    return hashDoubles(&c->depth, 1, hash);
}

static inline uint64_t hashEvent(const snTouchEvent* e, uint64_t hash)
{
    hash = hashWhole(e->obstacle, hashWhole(e->character, hash));
    hash = hashWhole(e->other, hashWhole(e->with, hash));
    hash = hashWhole(e->ended != 0, hashWhole(e->began != 0, hash));
    hash = hashVec(e->impulse, hashVec(e->normal, hashVec(e->place, hash)));
    return hashDoubles(&e->most, 1, hash);
}

// The present instant of a sim of the scene: time, joints, bones, nodes, skin, obstacles, contacts.
static inline uint64_t hashResults(const snScene* scene, snSim* sim, uint64_t hash)
{
    const snFrame* frame = snSim_Frame(sim);
    hash = hashDoubles(&frame->time, 1, hash);
    hash = hashWhole(frame->guard.retries, hashWhole(frame->step, hash));
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, i));
        hash = hashCharacter(skeleton, &frame->characters[i], hash);
    }
    for (int32_t i = 0; i < frame->obstacle_count; ++i) {
        const snFrameObstacle* o = &frame->obstacles[i];
        hash = hashTwist(o->twist, hashPose(o->pose, hash));
        hash = hashWhole(o->is_asleep != 0, hash);
    }
    for (int32_t i = 0; i < frame->contact_count; ++i) {
        hash = hashContact(&frame->contacts[i], hash);
    }
    for (int32_t i = 0; i < frame->event_count; ++i) {
        hash = hashEvent(&frame->events[i], hash);
    }
    return hashVec(frame->shift, hash);
}

#endif
