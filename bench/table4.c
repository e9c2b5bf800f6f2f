// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Kim & Pollard 2011, Table IV, and the last rows of Table III: seconds per simulated second of
// whole simulations with their frames, at the paper's step and at the automatic one, on one thread
// and on all; and where a mean step of the scenes spends its time.
#include "bench.h"

#include "sim.h"
#include "subject.h"
#include <scenes/scenes.h>
#include <stdio.h>
#include <string.h>

typedef struct Case {
    const char* name;
    const char* scene;     // a built-in one; NULL = it falls
    const char* character; // that falls
    double warm;           // simulated before anything is timed, s
    double seconds;        // simulated in one run
    double step;           // the paper's, s
    double paper;          // s per simulated s
    double share;          // of contact, %
    bool bare;             // nothing touches, as there
} Case;

static const Case CASES[] = {
    {"starfish_coarse", NULL, "starfish_coarse", 0.3, 2, 3e-3, 0.15, 0, false},
    {"fish", "jumping_fish", NULL, 0, 3, 1e-3, 0.50, 0, false},
    {"worm", "rolling_worm", NULL, 0, 5, 1e-3, 0.57, 0, false},
    {"starfish", "jump_turn_starfish", NULL, 0, 3, 1e-3, 0.49, 0, false},
    {"glass_box", "glass_box", NULL, 0, 16, 1e-3, 0.94, 40, false},
    {"fatman", "dancing_fatman", NULL, 0.5, 1, 0.5e-3, 13.24, 0, true},
    {"fatman_contact", "dancing_fatman", NULL, 0.5, 1, 0.5e-3, 0, 0, false},
    {"starfish_moderate", NULL, "starfish", 0.3, 1, 1e-3, 2.05, 0, false},
    {"starfish_fine", NULL, "starfish_fine", 0.3, 0.5, 0.5e-3, 9.53, 0, false},
    {"starfish_very_fine", NULL, "starfish_very_fine", 0.3, 0.2, 0.2e-3, 95.66, 0, false},
};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0], SMALL_COUNT = 1 };

// The case's scene with this step; 0 = automatic.
static snStatus makeScene(const snHost* host, const Case* c, double step, snScene** scene,
                          snMessage* why)
{
    if (!c->scene) {
        return snSubject_Fall(host, c->character, step, scene, why);
    }
    snStatus status = snBuiltinScene_Find(c->scene)->make(host, scene, why);
    if (!status) {
        snSceneDef def = *snScene_Def(*scene);
        def.step = step;
        def.ground = def.ground && !c->bare;
        def.self_contact = def.self_contact && !c->bare;
        status = snScene_SetDef(*scene, &def, why);
    }
    return status;
}

static double secondsOf(const snBenchOut* out, const Case* c)
{
    return out->small ? c->seconds / 30 : c->seconds;
}

// Where time goes -------------------------------------------------------------

static void emitStages(const snBenchOut* out, const Case* c, snSim* sim)
{
    snBenchRow row = {.bench = "table4", .name = c->name, .unit = "ms", .threads = 1};
    const double steps = (double)snSim_Frame(sim)->step;
    double all = 0, contact = 0, spent;
    const char* name;
    for (int32_t i = 0; (name = snSim_Stage(sim, i, &spent)) != NULL; ++i) {
        char metric[32];
        all += spent;
        contact = strcmp(name, "contact") == 0 ? spent : contact;
        snprintf(metric, sizeof metric, "stage_ms:%s", name);
        row.metric = metric;
        snBench_EmitNumber(out, &row, 1e3 * spent / steps);
    }
    row.metric = "step_ms";
    snBench_EmitNumber(out, &row, 1e3 * all / steps);
    row.metric = "contact_share";
    row.unit = "%";
    row.paper = c->share;
    snBench_EmitNumber(out, &row, 100 * contact / all);
}

// Means over all steps at the automatic step, once.
static snStatus shareStages(const snBenchOut* out, const Case* c, snMessage* why)
{
    snHost host;
    snScene* scene = NULL;
    snSim* sim = NULL;
    snHost_Init(&host);
    host.thread_count = 1;
    snStatus status = makeScene(&host, c, 0, &scene, why);
    status = status ? status : snSim_Create(scene, &sim, why);
    if (!status) {
        status = snSim_TimeStages(sim, why);
        status = status ? status : snSim_Advance(sim, secondsOf(out, c), why);
    }
    if (!status) {
        emitStages(out, c, sim);
    }
    snSim_Free(sim);
    snScene_Free(scene);
    return status;
}

// Whole simulations -----------------------------------------------------------

// On each number of threads; step 0 = automatic.
static snStatus timeRuns(const snBenchOut* out, const Case* c, double step, snMessage* why)
{
    static snBenchRunner r;
    int counts[2];
    snStatus status = sn_ok;
    snBench_Threads(counts);
    for (int k = 0; k < 2 && counts[k] > 0 && !status; ++k) {
        snHost host;
        snScene* scene = NULL;
        snBenchSim sim = {.sim = NULL};
        snHost_Init(&host);
        host.thread_count = counts[k];
        status = makeScene(&host, c, step, &scene, why);
        status = status ? status : snBenchSim_Open(&sim, scene, c->warm, why);
        if (!status) {
            sim.frames = (int)(secondsOf(out, c) * sim.rate);
            r = snBenchRunner_Of(snBenchSim_Run, snBenchSim_Rewind, &sim);
            snBench_Time(out, &r, 1, counts[k]);
            status = sim.status;
        }
        if (!status) {
            snBenchRow row = {.bench = "table4",
                              .name = c->name,
                              .metric = step > 0 ? "s_per_s" : "s_per_s:auto",
                              .unit = "s/s",
                              .threads = counts[k],
                              .paper = c->paper};
            snBench_Emit(out, &row, &r, sim.rate / sim.frames);
            if (k == 0) {
                row.metric = step > 0 ? "h_ms" : "h_ms:auto";
                row.unit = "ms";
                row.paper = 1e3 * c->step;
                snBench_EmitNumber(out, &row, 1e3 * snSim_Step(sim.sim));
            }
            snBenchSim_NoteGuard(out, c->name, &sim);
        }
        snBenchSim_Close(&sim);
        snScene_Free(scene);
    }
    return status;
}

snStatus snBench_Table4(const snBenchOut* out, snMessage* why)
{
    snStatus status = sn_ok;
    for (int i = 0; i < (out->small ? SMALL_COUNT : CASE_COUNT) && !status; ++i) {
        const Case* c = &CASES[i];
        status = timeRuns(out, c, c->step, why);
        status = status ? status : timeRuns(out, c, 0, why);
        if (c->scene && !status) {
            status = shareStages(out, c, why);
        }
    }
    return status;
}
