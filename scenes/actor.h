// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A starfish that acts by direct control: a list of moves says which bone goes where and when.
#ifndef SINEW_SCENES_ACTOR_H
#define SINEW_SCENES_ACTOR_H

#include <sinew/sinew.h>

// Bones whose ends are dragged. Arm 1 points to -z; seen from above the others follow to the left.
enum { SN_HUB = 0, SN_ARM1 = 3, SN_ARM2 = 6, SN_ARM3 = 9, SN_ARM4 = 12, SN_ARM5 = 15 };

// The end of a bone is dragged from one place to another, smoothly and from rest to rest. While
// nothing is dragged every joint is limp.
typedef struct snMove {
    double begin, arrive, end; // s; it is let go at `end`, which may be before it arrives
    int32_t bone;
    snVec3 from, to;        // m
    double tilt_from, tilt; // of the hub, about x, degrees
    double frequency;       // how tightly it follows, Hz
    double weight;          // against what else is dragged at that time
    double turn_weight;     // likewise of the tilt; 0 = turned anyhow
} snMove;

// How it holds itself while it drags.
typedef struct snStance {
    double bends[3];       // of an arm's base, middle and tip, degrees
    double hold_frequency; // how quickly arms bend so, Hz
    double hold_weight;    // against moves: as in snDirectDef
    double torque;         // of the strongest joint, Nm
} snStance;

// Lays a coarse starfish, made of "starfish" for snScene_SetPair, on the ground and tells it what
// to do.
snStatus snAddActor(const snHost* host, snScene* scene, const snStance* stance, const snMove* moves,
                    int count, snMessage* why);

#endif
