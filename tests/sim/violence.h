// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Violence that the guard has to do with.
#ifndef SN_TESTS_SIM_VIOLENCE_H
#define SN_TESTS_SIM_VIOLENCE_H

#include "sim/flesh.h"

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

// Runs, whatever happens; returns the status, frames being finite all the time.
static inline snStatus endureMore(const char* what, snSim* sim, double seconds)
{
    snMessage why = {""};
    snStatus status = sn_ok;
    for (int i = 0; i < 60 * seconds && !status; ++i) {
        status = snSim_Advance(sim, 1.0 / 60, &why);
        assert_true(isFrameFinite(snSim_Frame(sim)));
    }
    const snFrame* frame = snSim_Frame(sim);
    print_message(
        "%s, h %.3f ms: %d retries, the last at %.2f of %.2f s, nodes up to %.3g m/s %s\n", what,
        1e3 * snSim_Step(sim), (int)frame->guard.retries, frame->guard.time, frame->time,
        fastestNode(&frame->characters[0]), why.text);
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
                       seconds);
            snSim_Free(sim);
            snScene_Free(scene);
        }
    }
}

#endif
