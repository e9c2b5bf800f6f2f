// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Many coarse starfish in one simulation, all waving their arms, floating or on the ground: how
// many of them run in real time at the paper's step and at the automatic one, and what a thousand
// take. Kim & Pollard 2011 need 0.15 s per simulated second for one that falls (Table III) and 0.49
// for one that jumps (Table IV).
#include "bench.h"

#include "sim.h"
#include <math.h>
#include <scenes/scenes.h>
#include <stdio.h>

#define SPACING 1.3    // m; a starfish is 1 m across
#define HEIGHT 0.1     // m above the ground at the start
#define WARM 0.5       // s simulated before anything is timed: they have landed
#define BEND 0.4       // rad
#define BEAT 0.8       // s
#define FIRST_GUESS 64 // characters
#define MANY 1000

typedef struct Case {
    const char* name;
    bool ground;
    double paper; // s per simulated s of one
    double step;  // the paper's, s
} Case;

static const Case CASES[] = {{"starfish_coarse", false, 0.15, 3e-3},
                             {"starfish_coarse_ground", true, 0.49, 1e-3}};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

// One measurement.
typedef struct Crowd {
    const Case* c;
    snCharacter* starfish;
    int count, frames, threads;
    double step; // s; 0 = automatic
} Crowd;

// Every joint of an arm to and fro, each arm a little later than the last.
static snStatus wave(snScene* scene, int32_t who, snMessage* why)
{
    static const double PARTS[5] = {0, 0.95, 0.59, -0.59, -0.95};
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    snStatus status = sn_ok;
    for (int32_t bone = 1; bone < snSkeleton_BoneCount(skeleton) && !status; ++bone) {
        const int width = snSkeleton_Bone(skeleton, bone)->joint == sn_jointUniversal ? 2 : 1;
        double times[6], keys[12] = {0};
        for (int k = 0; k < 6; ++k) {
            times[k] = BEAT * k / 5;
            keys[width * k] = BEND * PARTS[(k + bone / 3) % 5];
        }
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.kind = sn_driveTrajectory;
        drive.bone = bone;
        drive.ends = sn_endsPeriodic;
        drive.key_count = 6;
        drive.times = times;
        drive.keys = keys;
        status = snScene_SetDrive(scene, who, &drive, why);
    }
    return status;
}

static snStatus makeScene(const Crowd* crowd, snScene** scene, snMessage* why)
{
    const int row = (int)ceil(sqrt(crowd->count));
    snHost host;
    snHost_Init(&host);
    host.thread_count = crowd->threads;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.ground = crowd->c->ground;
    def.step = crowd->step;
    def.gravity = crowd->c->ground ? def.gravity : (snVec3){0, 0, 0};
    snStatus status = snScene_Create(&host, &def, scene, why);
    for (int i = 0; i < crowd->count && !status; ++i) {
        const int column = i % row - row / 2, line = i / row - row / 2;
        snStart start;
        int32_t who = 0;
        snStart_Init(&start);
        start.pose.p = (snVec3){SPACING * column, HEIGHT, SPACING * line};
        status = snScene_Add(*scene, crowd->starfish, &start, &who, why);
        status = status ? status : wave(*scene, who, why);
    }
    return status;
}

// s per simulated s; h gets the step, s.
static snStatus timeCrowd(const snBenchOut* out, const Crowd* crowd, snBenchRunner* r, double* h,
                          snMessage* why)
{
    snScene* scene = NULL;
    snBenchSim sim = {.sim = NULL};
    snStatus status = makeScene(crowd, &scene, why);
    status = status ? status : snBenchSim_Open(&sim, scene, out->small ? 0.02 : WARM, why);
    if (!status) {
        sim.frames = crowd->frames;
        *r = snBenchRunner_Of(snBenchSim_Run, snBenchSim_Rewind, &sim);
        snBench_Time(out, r, 1, crowd->threads);
        for (int i = 0; i < r->count; ++i) {
            r->samples[i] *= sim.rate / sim.frames;
        }
        *h = snSim_Step(sim.sim);
        status = sim.status;
        if (!status) {
            snBenchSim_NoteGuard(out, crowd->c->name, &sim);
        }
    }
    snBenchSim_Close(&sim);
    snScene_Free(scene);
    return status;
}

// A first try says about how many; so many, how many.
static snStatus countRealTime(const snBenchOut* out, Crowd crowd, snBenchRow* row, snMessage* why)
{
    static snBenchRunner r;
    double h = 0, count = 0;
    crowd.count = out->small ? 2 : FIRST_GUESS;
    crowd.frames = out->small ? 1 : 30;
    for (int i = 0; i < 2; ++i) {
        snStatus status = timeCrowd(out, &crowd, &r, &h, why);
        if (status) {
            return status;
        }
        count = crowd.count / snBench_Summarise(r.samples, r.count).median;
        crowd.count = (int)fmin(fmax(count, 1), out->small ? 4 : MANY);
    }
    row->metric = crowd.step > 0 ? "characters_real_time" : "characters_real_time:auto";
    row->unit = "count";
    row->paper = floor(1 / crowd.c->paper);
    row->spread = snBench_Summarise(r.samples, r.count).spread;
    snBench_EmitNumber(out, row, floor(count));
    row->metric = crowd.step > 0 ? "h_ms" : "h_ms:auto";
    row->unit = "ms";
    row->paper = 1e3 * crowd.c->step;
    row->spread = 0;
    snBench_EmitNumber(out, row, 1e3 * h);
    return sn_ok;
}

static snStatus timeMany(const snBenchOut* out, Crowd crowd, snBenchRow* row, snMessage* why)
{
    static snBenchRunner r;
    char name[40];
    double h = 0;
    crowd.count = out->small ? 4 : MANY;
    crowd.frames = out->small ? 1 : 6;
    snStatus status = timeCrowd(out, &crowd, &r, &h, why);
    if (!status) {
        snprintf(name, sizeof name, "%s_x%d", crowd.c->name, crowd.count);
        row->name = name;
        row->metric = "s_per_s";
        row->unit = "s/s";
        row->paper = crowd.count * crowd.c->paper;
        snBench_Emit(out, row, &r, 1);
    }
    return status;
}

snStatus snBench_Crowd(const snBenchOut* out, snMessage* why)
{
    int counts[2];
    snCharacter* starfish = NULL;
    snBench_Threads(counts);
    snStatus status = snBuiltinCharacter_Find("starfish_coarse")->make(NULL, &starfish, why);
    for (int i = 0; i < 2 * CASE_COUNT && !status; ++i) {
        const Case* c = &CASES[i / 2];
        Crowd crowd = {c, starfish, 0, 0, counts[i % 2], 0};
        snBenchRow row = {.bench = "crowd", .name = c->name, .threads = crowd.threads};
        if (crowd.threads > 0) {
            status = countRealTime(out, crowd, &row, why);
            crowd.step = c->step;
            status = status ? status : countRealTime(out, crowd, &row, why);
            status = status ? status : timeMany(out, crowd, &row, why);
        }
    }
    snCharacter_Release(starfish);
    return status;
}
