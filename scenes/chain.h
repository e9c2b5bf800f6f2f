// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Scripts for bodies of four bones in a row, the fish and the worm: their three joints by direct
// control, key poses, and limp in the end.
#ifndef SINEW_SCENES_CHAIN_H
#define SINEW_SCENES_CHAIN_H

#include <sinew/sinew.h>

#define SN_CHAIN_JOINTS 3
#define SN_CHAIN_MOST_KEYS 16

// Puts a built-in character of four bones in the scene.
snStatus snChain_Add(const snHost* host, snScene* scene, const char* name, const snStart* start,
                     int32_t* who, snMessage* why);

// A pose that the body moves to from wherever it is, and keeps until the next.
typedef struct snChainPose {
    double begin, end;             // s: sets out, has arrived
    double bends[SN_CHAIN_JOINTS]; // degrees, from the head on
} snChainPose;

snStatus snChain_Pose(snScene* scene, int32_t who, const snChainPose* poses, int count,
                      snMessage* why);

// A pose that the body passes through on a smooth curve.
typedef struct snChainKey {
    double time; // s
    double bends[SN_CHAIN_JOINTS];
} snChainKey;

// From the first key on; the body must be at rest in its pose by then. At most SN_CHAIN_MOST_KEYS.
snStatus snChain_Follow(snScene* scene, int32_t who, const snChainKey* keys, int count,
                        snMessage* why);

// All joints limp from a time on.
snStatus snChain_Relax(snScene* scene, int32_t who, double begin, snMessage* why);

#endif
