// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The least that is a method: each character is a point that falls, slowed by drag. Tests of what
// sims ask of methods run on it beside the real ones.
#ifndef SN_TESTS_METHOD_DUMMY_H
#define SN_TESTS_METHOD_DUMMY_H

#include "method/method.h"

#include "base/hash.h"

typedef struct Point {
    snVec3 p, v;
    double unused[2];
} Point;

typedef struct DummyData {
    snMethodData head;
    double* mass; // (actor_count)
    double drag;  // 1/s
    double most;  // s
} DummyData;

enum { DUMMY_DRAG, DUMMY_LONGEST_STEP, DUMMY_SETTINGS };

static const snSetting DUMMY_TABLE[DUMMY_SETTINGS + 1] = {
    [DUMMY_DRAG] = {"drag", sn_scopeScene, sn_settingNumber, "1/s", 0, 100, "0.5", NULL,
                    "how fast points become slower"},
    [DUMMY_LONGEST_STEP] = {"longest_step", sn_scopeScene, sn_settingNumber, "s", 0, 1, "1", NULL,
                            "longer steps count as trouble"},
};

static const char* const DUMMY_STAGES[] = {"fall"};

static inline DummyData* dummyOf(snMethodData* data)
{
    return (DummyData*)(void*)data;
}

static inline Point* dummyPoint(const snMethodData* data, void* state, int32_t actor)
{
    return (Point*)(void*)((uint8_t*)state + data->slices[actor].offset);
}

static inline snStatus dummyBuild(snMethodData* data, snMessage* why)
{
    (void)why;
    DummyData* d = dummyOf(data);
    d->drag = data->world->settings.value[DUMMY_DRAG];
    d->most = data->world->settings.value[DUMMY_LONGEST_STEP];
    d->mass = snArena_Push(&data->arena, (size_t)data->actor_count, sizeof *d->mass);
    for (int32_t i = 0; d->mass && i < data->actor_count; ++i) {
        d->mass[i] = data->world->actors[i].character->info.total_mass;
    }
    return sn_ok;
}

static inline size_t dummySliceSize(const snMethodData* data, int32_t actor)
{
    (void)data, (void)actor;
    return sizeof(Point);
}

static inline void dummyInit(snMethodData* data, void* state, int32_t actor)
{
    const snActor* a = &data->world->actors[actor];
    *dummyPoint(data, state, actor) = (Point){.p = a->base.p, .v = a->velocity};
}

static inline double dummyChooseStep(const snMethodData* data)
{
    (void)data;
    return (double)INFINITY;
}

static inline int64_t dummyAdvance(snMethodData* data, snTasks* tasks, void* state,
                                   const snSpan* span, snVerdict* verdict)
{
    (void)tasks;
    const DummyData* d = dummyOf(data);
    double h = 1 / span->rate;
    for (int64_t k = 0; k < span->count; ++k) {
        if (h > d->most) {
            *verdict = (snVerdict){0, -1, sn_troubleSpeed};
            return k;
        }
        snStageClock_Enter(span->clock, 0);
        for (int32_t i = 0; i < data->actor_count; ++i) {
            Point* point = dummyPoint(data, state, i);
            point->v = snScale(1 / (1 + h * d->drag), snMulAdd(point->v, h, data->world->gravity));
            point->p = snMulAdd(point->p, h, point->v);
        }
        snStageClock_Enter(span->clock, -1);
    }
    return span->count;
}

static inline void dummyWriteFrame(snMethodData* data, snTasks* tasks, void* state, snVec3 shift)
{
    (void)tasks;
    for (int32_t i = 0; i < data->actor_count; ++i) {
        const Point* point = dummyPoint(data, state, i);
        double mass = dummyOf(data)->mass[i];
        data->characters[i] = (snFrameCharacter){
            .name = data->world->actors[i].character->name,
            .momentum = {.mass = mass,
                         .com = snAdd(point->p, shift),
                         .linear = snScale(mass, point->v)},
        };
    }
}

static inline void dummyPush(snMethodData* data, void* state, int32_t actor, const snBlast* blast)
{
    Point* point = dummyPoint(data, state, actor);
    point->v = snMulAdd(point->v, 1 / dummyOf(data)->mass[actor], blast->impulse);
}

static inline uint64_t dummyHash(const snMethodData* data, int32_t actor, uint64_t seed)
{
    const double* mass = &((const DummyData*)(const void*)data)->mass[actor];
    return snHash(mass, sizeof *mass, seed);
}

// It cannot teleport, and has no ground.
static const snMethod DUMMY = {
    .name = "dummy",
    .about = "points that fall",
    .does = sn_doesDynamic | sn_doesPush | sn_doesChange,
    .settings = DUMMY_TABLE,
    .stage_count = 1,
    .stages = DUMMY_STAGES,
    .data_size = sizeof(DummyData),
    .build = dummyBuild,
    .sliceSize = dummySliceSize,
    .init = dummyInit,
    .chooseStep = dummyChooseStep,
    .advance = dummyAdvance,
    .writeFrame = dummyWriteFrame,
    .hash = dummyHash,
    .push = dummyPush,
};

#endif
