// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "chain.h"

#include "scenes.h"

#define DEGREE 0.017453292519943295

snStatus snChain_Add(const snHost* host, snScene* scene, const char* name, const snStart* start,
                     int32_t* who, snMessage* why)
{
    snCharacter* character = NULL;
    snStatus status = snBuiltinCharacter_Find(name)->make(host, &character, why);
    status = status ? status : snScene_Add(scene, character, start, who, why);
    snCharacter_Release(character);
    return status;
}

snStatus snChain_Pose(snScene* scene, int32_t who, const snChainPose* poses, int count,
                      snMessage* why)
{
    snStatus status = sn_ok;
    for (int i = 0; i < count * SN_CHAIN_JOINTS && !status; ++i) {
        const snChainPose* pose = &poses[i / SN_CHAIN_JOINTS];
        double bend = pose->bends[i % SN_CHAIN_JOINTS] * DEGREE;
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.kind = sn_drivePose;
        drive.bone = 1 + i % SN_CHAIN_JOINTS;
        drive.begin = pose->begin;
        drive.end = pose->end;
        drive.key_count = 1;
        drive.keys = &bend;
        status = snScene_SetDrive(scene, who, &drive, why);
    }
    return status;
}

snStatus snChain_Follow(snScene* scene, int32_t who, const snChainKey* keys, int count,
                        snMessage* why)
{
    snStatus status = sn_ok;
    for (int joint = 0; joint < SN_CHAIN_JOINTS && !status; ++joint) {
        double times[SN_CHAIN_MOST_KEYS], bends[SN_CHAIN_MOST_KEYS];
        for (int k = 0; k < count; ++k) {
            times[k] = keys[k].time;
            bends[k] = keys[k].bends[joint] * DEGREE;
        }
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.kind = sn_driveTrajectory;
        drive.bone = 1 + joint;
        drive.begin = keys[0].time;
        drive.key_count = count;
        drive.times = times;
        drive.keys = bends;
        status = snScene_SetDrive(scene, who, &drive, why);
    }
    return status;
}

snStatus snChain_Relax(snScene* scene, int32_t who, double begin, snMessage* why)
{
    snStatus status = sn_ok;
    for (int joint = 0; joint < SN_CHAIN_JOINTS && !status; ++joint) {
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.bone = 1 + joint;
        drive.begin = begin;
        status = snScene_SetDrive(scene, who, &drive, why);
    }
    return status;
}
