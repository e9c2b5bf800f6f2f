// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "subject.h"

#include "base/message.h"
#include "sim/scene.h"
#include <math.h>
#include <scenes/scenes.h>
#include <stdlib.h>
#include <string.h>

#define SPIN 3.0 // rad/s

snStatus snSubject_Fall(const snHost* host, const char* character, double step, snScene** scene,
                        snMessage* why)
{
    snSceneDef def;
    snStart start;
    snCharacter* body = NULL;
    *scene = NULL;
    snSceneDef_Init(&def);
    snStart_Init(&start);
    def.frame_rate = SN_BENCH_FRAME_RATE;
    def.step = step;
    start.spin = (snVec3){SPIN, 0.3 * SPIN, 0};
    snStatus status = snScene_Create(host, &def, scene, why);
    status = status ? status : snBuiltinCharacter_Find(character)->make(NULL, &body, why);
    status = status ? status : snScene_Add(*scene, body, &start, NULL, why);
    snCharacter_Release(body);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}

snStatus snSubject_Open(snSubject* s, snScene* scene, double step, double warm, snMessage* why)
{
    *s = (snSubject){.scene = scene};
    snStatus status = snMethod_Build(&snExplicit, &scene->world, NULL, NULL, &s->data, why);
    status = status ? status : snSubject_SetThreads(s, 1, why);
    if (status) {
        return status;
    }
    s->bytes = s->data->state_size;
    s->start = aligned_alloc(SN_ALIGNMENT, s->bytes);
    s->state = aligned_alloc(SN_ALIGNMENT, s->bytes);
    if (!s->start || !s->state) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    const double rate = snScene_Def(scene)->frame_rate;
    const double most = step > 0 ? step : snExplicit.chooseStep(s->data);
    s->h = 1 / (rate * ceil(1 / (rate * most) - 1e-9));
    memset(s->state, 0, s->bytes);
    snMethodData_Init(s->data, s->state);
    const int steps = (int)(warm / s->h);
    snSubject_Step(s, steps);
    s->first = steps;
    memcpy(s->start, s->state, s->bytes);
    return s->failed ? snFail(why, sn_errorNumeric, "a step failed") : sn_ok;
}

snStatus snSubject_SetThreads(snSubject* s, int threads, snMessage* why)
{
    snHost host;
    snHost_Init(&host);
    host.thread_count = threads;
    snTasks_Free(s->tasks);
    s->tasks = NULL;
    return snTasks_Create(&host, &s->tasks, why);
}

void snSubject_Close(snSubject* s)
{
    snMethodData_Free(s->data);
    snTasks_Free(s->tasks);
    snScene_Free(s->scene);
    free(s->start);
    free(s->state);
}

// Nodes that nothing but contact moves.
static void predict(const void* user, double h, int32_t count, snContactNode* list)
{
    const snNodes* nodes = user;
    (void)h;
    for (int32_t i = 0; i < count; ++i) {
        if (list[i].node >= 0) {
            snVec4f v = nodes->v[list[i].node];
            list[i].v = snV3((double)v.x, (double)v.y, (double)v.z);
            list[i].give = (double)nodes->flesh->inverse_mass[list[i].node];
        }
    }
}

void snSubject_Touch(snSubject* s)
{
    snSurroundings* around = &s->data->around;
    if (snSurroundings_AreStill(around)) {
        return;
    }
    for (int32_t i = 0; i < s->data->actor_count; ++i) {
        snNodes* nodes = snExplicit_Nodes(s->data, s->state, i);
        if (nodes) {
            snFleshMotion motion = {nodes->head->origin, nodes->x, nodes->v, false, predict, nodes};
            snSurroundings_PlaceFlesh(around, s->tasks, s->state, i, &motion, s->h, 0);
        }
    }
    snContacts_List(&around->contacts, s->tasks, s->h);
    for (int32_t i = 0; i < around->contacts.group_count; ++i) {
        snContacts_Step(&around->contacts, i, s->h);
    }
}

void snSubject_Rewind(void* subject)
{
    snSubject* s = subject;
    memcpy(s->state, s->start, s->bytes);
    snMethodData_Forget(s->data);
    snSubject_Touch(s);
}

void snSubject_Step(void* subject, int n)
{
    snSubject* s = subject;
    snVerdict verdict;
    snSpan span = {.first = s->first, .count = n, .rate = 1 / s->h};
    s->failed |= snExplicit.advance(s->data, s->tasks, s->state, &span, &verdict) < n;
}
