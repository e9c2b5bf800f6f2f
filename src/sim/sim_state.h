// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a sim is made of, for the files that change it.
#ifndef SN_SIM_SIM_STATE_H
#define SN_SIM_SIM_STATE_H

#include "sim/scene.h"

// The front of the state block; the method's state follows, then the events.
typedef struct snStateHead {
    uint64_t magic;
    uint64_t model; // hash of everything the state's meaning depends on
    uint64_t check; // in saved states: hash of the rest, so that damage is noticed
    double wanted;  // time that has been asked for, s
    double lost; // what rounding took from `wanted`, s: thousands of small times add up to no error
    snVec3 shift; // of the world's origin, m
    uint64_t unused_front[5];
    // everything from here to the events goes into hashes
    int64_t step;  // steps done
    int64_t frame; // whole frames done
    int64_t part;  // steps done since
    // the guard
    int64_t level;     // steps are 2^level times shorter than at the start
    int64_t calm;      // good frames since the last trouble
    int64_t retries;   // frames done again
    int64_t character; // where the last trouble was, plus 1; 0 = nowhere yet
    double when;       // s
    uint64_t unused[3];
} snStateHead;

// Pairs of bodies that touch or touched in this Advance, in order. Not in hashes: when they began
// depends on how calls cut time.
typedef struct snEventTable {
    int64_t count, lost;
    snTouchEvent events[]; // room for as many as the scene says
} snEventTable;

struct snSim {
    snHost host;
    snScene* scene;
    const snMethod* method;
    snMethodData* data;
    snTasks* tasks;
    double frame_rate;
    int64_t steps_per_frame; // at level 0
    size_t method_size;      // of the method's state
    size_t state_size;       // of the block
    snStateHead* state;      // head, method's state and events in one block
    snStateHead* good;       // the last good frame's block, or that of the last change by the host
    snFrame frame;
    int64_t frame_step; // step that the frame shows, -1 = none
};

static inline void* snSim_MethodState(snStateHead* head)
{
    return head + 1;
}

// Hash of the model, for what has changed.
uint64_t snSim_HashModel(const snSim* sim);

// Steps of a frame that the method's data asks for.
int64_t snSim_WantedSteps(const snSim* sim, const snMethodData* data);

// After a change by the host: the guard goes back no farther.
void snSim_Changed(snSim* sim);

// Events ----------------------------------------------------------------------

// Bytes of the table, a multiple of 64; 0 when the scene wants none.
size_t snEvents_Size(const snSim* sim);

// In a block of the state; NULL when there is none.
snEventTable* snEvents_Of(const snSim* sim, snStateHead* block);

// A new Advance: pairs that touch stay, with nothing that happened.
void snEvents_Begin(const snSim* sim, snStateHead* block);

// After a step of h.
void snEvents_Step(snSim* sim, double h);

// Somebody left: pairs with him are forgotten.
void snEvents_Carry(const snSim* sim, const snEventTable* from, const snChange* change,
                    snEventTable* to);

#endif
