// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a sim is made of, for the files that change it.
#ifndef SN_SIM_SIM_STATE_H
#define SN_SIM_SIM_STATE_H

#include "sim/scene.h"

// The front of the state block; the world's slice follows, then one for each character
// (method/method.h).
typedef struct snStateHead {
    uint64_t magic;
    uint64_t model; // hash of everything the state's meaning depends on
    uint64_t check; // in saved states: hash of the rest, so that damage is noticed
    double wanted;  // time that has been asked for, s
    double lost; // what rounding took from `wanted`, s: thousands of small times add up to no error
    snVec3 shift; // of the world's origin, m
    uint64_t unused_front[5];
    // everything from here on goes into hashes, but for events
    int64_t step;  // steps done
    int64_t frame; // whole frames done
    int64_t part;  // steps done since
    // the guard
    int64_t level;     // steps are 2^level times shorter than at the start
    int64_t calm;      // good frames since the last trouble
    int64_t retries;   // frames done again
    int64_t character; // where the last trouble was, plus 1; 0 = nowhere yet
    int64_t bone;      // likewise
    int64_t trouble;   // an snTrouble: what it was
    double when;       // s
    uint64_t unused;
} snStateHead;

// More than these are not for people.
#define SN_MOST_FINDINGS 24

struct snSim {
    snHost host;
    snScene* scene;
    const snMethod* method;
    snMethodData* data;
    snTasks* tasks;
    double frame_rate;
    int64_t steps_per_frame; // at level 0
    size_t state_size;       // of the block
    snStateHead* state;      // head and slices in one block
    snStateHead* good;       // the last good frame's block, or that of the last change by the host
    snFrame frame;
    snFinding findings[SN_MOST_FINDINGS]; // frame's
    int64_t frame_step;                   // step that the frame shows, -1 = none
    snVerdict failure;                    // of the last Advance, if it failed
    double failed_at;                     // s
    bool is_timed;                        // stages are
    snStageClock clock;                   // what they took
};

// The slices behind a head.
static inline void* snSim_Slices(snStateHead* head)
{
    return head + 1;
}

// Time from 0 on in steps as long as they are now, and the length of these.
int64_t snSim_StepNumber(const snSim* sim);
double snSim_StepsPerSecond(const snSim* sim);

// Everything that gives the numbers in the state, or in one character's slice, their meaning.
uint64_t snSim_HashModel(const snSim* sim);
uint64_t snSim_HashActor(const snSim* sim, int32_t who, uint64_t hash);

// Steps of a frame that the method's data asks for.
int64_t snSim_WantedSteps(const snSim* sim, const snMethodData* data);

// Says what is wrong with the frame, whose other parts are there.
void snSim_Judge(snSim* sim);

// Writes what the host wants of the frame into its memory.
void snSim_Deliver(snSim* sim);

// Kinetic and elastic energy of a character, or of an obstacle that gives way, before a change by
// the host; then, after it, what that did is part of its balance. Without a balance 0, and nothing.
double snSim_Held(snSim* sim, bool obstacle, int32_t number);
void snSim_NoteHost(snSim* sim, bool obstacle, int32_t number, double held);

// After a change by the host: the guard goes back no farther.
void snSim_Changed(snSim* sim);

// Makes memory for the state of sim->data, zero-filled but for the head, which is the caller's.
snStatus snSim_AllocateState(snSim* sim, snMessage* why);

#endif
