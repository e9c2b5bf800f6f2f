// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The paper's scenes from begin to end: what a mean step takes, and where its time goes. Kim &
// Pollard 2011 spent 40 % of the glass box on collision.
#include "bench.h"

#include "base/cpu.h"
#include "method/explicit/actor.h"
#include "sim/scene.h"
#include <math.h>
#include <scenes/scenes.h>
#include <stdlib.h>
#include <string.h>

static const char* const CASES[] = {"rolling_worm", "jumping_fish", "jump_turn_starfish",
                                    "glass_box"};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

typedef struct Watch {
    double last;               // when the present stage began, s
    snStage stage;             // which it is
    double spent[sn_stageEnd]; // s
} Watch;

static void look(void* user, snStage begins)
{
    Watch* w = user;
    double now = snBench_Now();
    if (begins != sn_stageBegin) {
        w->spent[w->stage] += now - w->last;
    }
    w->stage = begins;
    w->last = now;
}

static void emit(const snBenchOut* out, const char* name, const char* metric, double value,
                 const char* unit, const char* peer)
{
    snBenchRow row = {"scenes", name, metric, value, unit, 0, 1, peer};
    out->row(out->user, &row);
}

static void emitAll(const snBenchOut* out, const char* name, const Watch* w, int64_t steps,
                    double h)
{
    double all = w->spent[sn_stageBegin] + w->spent[sn_stageContact] + w->spent[sn_stageFinish];
    double mean = 1e6 / (double)steps;
    emit(out, name, "step_size", 1e3 * h, "ms", NULL);
    emit(out, name, "step", mean * all, "us", NULL);
    emit(out, name, "begin", mean * w->spent[sn_stageBegin], "us", NULL);
    emit(out, name, "contact", mean * w->spent[sn_stageContact], "us", NULL);
    emit(out, name, "finish", mean * w->spent[sn_stageFinish], "us", NULL);
    emit(out, name, "contact_share", 100 * w->spent[sn_stageContact] / all, "%", NULL);
    if (strcmp(name, "glass_box") == 0) {
        emit(out, name, "contact_share", 40, "%", "Kim & Pollard 2011");
    }
}

static snStatus runScene(const snBenchOut* out, const char* name, snScene* scene, snMessage* why)
{
    Watch watch = {.last = 0};
    snMethodData* data = NULL;
    snTasks* tasks = NULL;
    snHost host;
    snHost_Init(&host);
    host.thread_count = 1;
    snStatus status = snExplicit.build(&scene->world, &data, why);
    status = status ? status : snTasks_Create(&host, &tasks, why);
    void* state = status ? NULL : aligned_alloc(64, snExplicit.stateSize(data));
    if (state) {
        const double rate = snScene_Def(scene)->frame_rate, step = snScene_Def(scene)->step;
        const double most = step > 0 ? step : snExplicit.chooseStep(data);
        const double h = 1 / (rate * ceil(1 / (rate * most) - 1e-9));
        const int64_t steps = (int64_t)(snScene_Def(scene)->duration / h);
        snFault fault;
        memset(state, 0, snExplicit.stateSize(data));
        snExplicit.init(data, state);
        data->stage = look;
        data->stage_user = &watch;
        for (int64_t i = 0; i < steps && !status; ++i) {
            bool done = snExplicit.advance(data, tasks, state, (double)i * h, h, false, &fault);
            status = done ? sn_ok : sn_errorNumeric;
        }
        if (!status) {
            emitAll(out, name, &watch, steps, h);
        }
    }
    free(state);
    snTasks_Free(tasks);
    if (data) {
        snExplicit.free(data);
    }
    return status;
}

int snBench_Scenes(const snBenchOut* out)
{
    snStatus status = sn_ok;
    snFpMode mode = snFpMode_Enter(); // as sims do
    for (int i = 0; i < CASE_COUNT && !status; ++i) {
        snMessage why = {"a step failed"};
        snScene* scene = NULL;
        status = snBuiltinScene_Find(CASES[i])->make(NULL, &scene, &why);
        status = status ? status : runScene(out, CASES[i], scene, &why);
        snScene_Free(scene);
        if (status) {
            out->note(out->user, why.text);
        }
    }
    snFpMode_Leave(mode);
    return status ? 1 : 0;
}
