// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Violence that the guard has to do with.
#ifndef SN_TESTS_SIM_VIOLENCE_H
#define SN_TESTS_SIM_VIOLENCE_H

#include "sim/flesh.h"
#include "sim/sim_state.h"

static inline snSceneDef sceneDef(double frame_rate, double step, int32_t ground)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.frame_rate = frame_rate;
    def.step = step;
    def.ground = ground;
    return def;
}

static inline void setJump(snScene* scene, int32_t who, int32_t kind)
{
    double time = 0, key = 2;
    snMessage why;
    snDriveDef drive;
    snDriveDef_Init(&drive);
    drive.kind = kind;
    drive.bone = 2;
    drive.key_count = 1;
    drive.times = &time;
    drive.keys = &key;
    drive.stiffness = 1e6;
    assert_ok(snScene_SetDrive(scene, who, &drive, &why), why);
}

// How far the farthest node is from the middle of the body's mass, in half diagonals of the body at
// rest
static inline double extentOf(const snSim* sim, const snFrameCharacter* c)
{
    const snFleshInfo* flesh = snCharacter_Flesh(snScene_Character(sim->scene, 0));
    snVec3 middle = snSub(c->momentum.com, c->origin), low = snV3(0, 0, 0), high = low;
    double most = 0;
    for (int32_t i = 0; i < c->node_count; ++i) {
        const double* X = &flesh->nodes[3 * (size_t)i];
        const float* x = &c->nodes[3 * (size_t)i];
        snVec3 p = snV3((double)x[0], (double)x[1], (double)x[2]);
        low = i ? snMin3(low, snV3(X[0], X[1], X[2])) : snV3(X[0], X[1], X[2]);
        high = i ? snMax3(high, snV3(X[0], X[1], X[2])) : low;
        most = fmax(most, snLength(snSub(p, middle)));
    }
    return most / (0.5 * snLength(snSub(high, low)));
}

// Runs, whatever happens; returns the status. All the time frames are finite, and bodies no larger
// than `most` times what they are at rest.
static inline snStatus endureMore(const char* what, snSim* sim, double seconds, double most)
{
    snMessage why = {""};
    snStatus status = sn_ok;
    double extent = 0;
    for (int i = 0; i < 60 * seconds && !status; ++i) {
        status = snSim_Advance(sim, 1.0 / 60, &why);
        assert_true(isFrameFinite(snSim_Frame(sim)));
        extent = fmax(extent, extentOf(sim, &snSim_Frame(sim)->characters[0]));
    }
    const snFrame* frame = snSim_Frame(sim);
    print_message("%s, h %.3f ms: %d retries, the last at %.2f of %.2f s, nodes up to %.3g m/s, "
                  "%.2f sizes %s\n",
                  what, 1e3 * snSim_Step(sim), (int)frame->guard.retries, frame->guard.time,
                  frame->time, fastestNode(&frame->characters[0]), extent, why.text);
    assert_below(extent, most);
    assert_true(status == sn_ok || status == sn_errorNumeric);
    return status;
}

// A joint that is told to be two radians away at once. Steps get very short.
static inline void checkJumps(double seconds)
{
    static const char* const NAMES[] = {"worm", "starfish_coarse"};
    for (int i = 0; i < 2; ++i) {
        for (int kind = 0; kind < 2; ++kind) {
            snSceneDef def = sceneDef(60, 0, 1);
            snStart start;
            snStart_Init(&start);
            start.pose.p = snV3(0, 0.2, 0);
            snScene* scene = makeSceneOf(NULL, &def, makeBuiltin(NAMES[i]), &start);
            snSim* sim = startSim(scene);
            advance(sim, 0.1);
            setJump(scene, 0, kind ? sn_driveServo : sn_driveTrajectory);
            endureMore(kind ? "servo of 1e6 Nm/rad jumps" : "trajectory jumps by 2 rad", sim,
                       seconds, 6);
            snSim_Free(sim);
            snScene_Free(scene);
        }
    }
}

#endif
