// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A method steps the whole world and owns every changing number of its characters. Sims know
// methods only by this table, and what all of them share by the head of their data.
//
// The state is one block without pointers: the world's slice (world/surroundings.h), then a slice
// for each character: the method's own numbers first, what the world keeps of the character behind
// them. Sims copy, carry, save and restore slices; methods only fill in their part.
#ifndef SN_METHOD_METHOD_H
#define SN_METHOD_METHOD_H

#include "method/stage.h"
#include "world/surroundings.h"

typedef struct snMethod snMethod;

// Where a character's numbers lie in the state block, in bytes; all multiples of 64.
typedef struct snSlice {
    size_t offset;
    size_t own;  // of the method
    size_t size; // of all
} snSlice;

// The head of every method's data: immutable tables, and workspaces that carry nothing from step to
// step. The method's own type has it as its first member.
typedef struct snMethodData {
    const snMethod* method;
    const snWorld* world;
    snArena arena;
    snIsa isa;
    snSurroundings around;
    int32_t actor_count;          // the world's when it was made
    snSlice* slices;              // (actor_count)
    size_t state_size;            // bytes of the block
    snWantDef* wants;             // what frames show of characters; (actor_count)
    snFrameCharacter* characters; // frame's; (actor_count)
    snEnergyBalance* balances;    // frame's; (actor_count)
} snMethodData;

// What went wrong in a step.
typedef struct snVerdict {
    int32_t actor;   // -1 = nobody in particular
    int32_t bone;    // -1 = none in particular
    int32_t trouble; // an snTrouble
} snVerdict;

// Steps to do: the k-th, k = 0 .. count - 1, goes from (first + k)/rate to (first + k + 1)/rate.
typedef struct snSpan {
    int64_t first, count;
    int64_t frame;       // steps of a frame, whose end is kept as a good state; 0 = none are
    double rate;         // steps a second
    bool strict;         // what shorter steps would make better counts as trouble, too
    snVec3 shift;        // of the world's origin, for events, m
    snStageClock* clock; // NULL = nobody wants to know
} snSpan;

static inline double snSpan_Time(const snSpan* span, int64_t k)
{
    return (double)(span->first + k) / span->rate;
}

// An impulse about a place, and the step that it comes before.
typedef struct snBlast {
    snVec3 place;   // m, world
    snVec3 impulse; // Ns
    double radius;  // m
    double t, h;    // s
} snBlast;

// Entries from `free` on may be NULL: there is nothing to do, or the method cannot do it.
struct snMethod {
    const char* name;
    const char* about;         // one line for people
    uint32_t does;             // bits of snDoes
    const snSetting* settings; // the last one has no name; NULL = none

    int32_t stage_count;
    const char* const* stages; // parts of a step that are timed apart; (stage_count)

    size_t data_size; // bytes of its data, the head included
    // makes the data, whose head is there, and says in around.neighbours how flesh looks to contact
    snStatus (*build)(snMethodData* data, snMessage* why);
    // bytes of its numbers of a character, a multiple of 64
    size_t (*sliceSize)(const snMethodData* data, int32_t actor);
    // a character at time 0; its slice is zero-filled
    void (*init)(snMethodData* data, void* state, int32_t actor);
    // the largest step it takes by itself, s: stable, and fine enough; infinity: a frame's
    double (*chooseStep)(const snMethodData* data);
    // Does the steps of the span. Returns how many were good; when not all were, *verdict says why
    // and the state is undefined.
    int64_t (*advance)(snMethodData* data, snTasks* tasks, void* state, const snSpan* span,
                       snVerdict* verdict);
    // fills data->characters with what is wanted of the state; shift: of the world's origin
    void (*writeFrame)(snMethodData* data, snTasks* tasks, void* state, snVec3 shift);

    // what the head's arena does not hold
    void (*free)(snMethodData* data);
    // the world is as it was when the data was made, but elsewhere in memory
    void (*rebind)(snMethodData* data);
    // the state was replaced: what workspaces remember of the last step does not count any more
    void (*forget)(snMethodData* data);
    // everything of a character that gives the method's numbers their meaning
    uint64_t (*hash)(const snMethodData* data, int32_t actor, uint64_t seed);
    // moves a character as one piece; false when it is held
    bool (*teleport)(snMethodData* data, void* state, int32_t actor, snTransform by);
    // an impulse on a character
    void (*push)(snMethodData* data, void* state, int32_t actor, const snBlast* blast);
};

// By name; NULL when there is none.
const snMethod* snMethod_Find(const char* name);

// The i-th method, NULL after the last.
const snMethod* snMethod_At(int32_t i);

// sn_errorUnsupported: the method cannot do `bit` (an snDoes); names one that can.
snStatus snMethod_Refuse(const snMethod* method, uint32_t bit, snMessage* why);

// sn_ok when the method does all of these bits; refuses the first that it does not.
snStatus snMethod_Require(const snMethod* method, uint32_t bits, snMessage* why);

// There is no method of that name (may be NULL): suggests the nearest and names all.
snStatus snMethod_FailUnknown(const char* name, snMessage* why);

// The method has no setting of that name: names the method that has it, or the nearest, or all.
snStatus snMethod_FailSetting(const snMethod* method, const char* name, snMessage* why);

// Data for a world. from (may be NULL): older data of the same world, with which it shares what it
// can, and which stays, to be freed; change: who left since.
snStatus snMethod_Build(const snMethod* method, const snWorld* world, const snMethodData* from,
                        const snChange* change, snMethodData** data, snMessage* why);

// NULL is fine.
void snMethodData_Free(snMethodData* data);

// The state at time 0, in a zero-filled block of state_size bytes.
void snMethodData_Init(snMethodData* data, void* state);

// The state was replaced.
void snMethodData_Forget(snMethodData* data);

// Others are wanted of characters than before.
void snMethodData_NoteWants(snMethodData* data);

// A character's account in a state; NULL when nobody wants its balance.
static inline snAccount* snMethodData_Account(const snMethodData* data, void* state, int32_t actor)
{
    return data->wants[actor].wanted & sn_wantedBalance
               ? snSurroundings_Account(&data->around, state, false, actor)
               : NULL;
}

#endif
