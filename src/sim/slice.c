// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// One character's part of the state, saved and put back.
#include "base/hash.h"
#include "base/message.h"
#include "sim/sim_state.h"
#include <string.h>

#define SLICE_MAGIC 0x6563696c73776e73u // "snwslice"

// In front of a saved slice.
typedef struct SliceHead {
    uint64_t magic;
    uint64_t actor; // hash of what the numbers' meaning depends on
    uint64_t world; // the same of the whole sim, and who it was: what it touches has numbers there
    uint64_t check; // hash of all the rest, so that damage is noticed
    uint64_t unused[4];
} SliceHead;

// NULL, and a message, when there is no such character.
static const snSlice* findSlice(const snSim* sim, int32_t who, snMessage* why)
{
    snMessage_Clear(why);
    if (!sim || !snScene_Character(sim->scene, who)) {
        (void)snFail(why, sn_errorArgument, "there is no character %d", (int)who);
        return NULL;
    }
    return &sim->data->slices[who];
}

static uint64_t checkOf(SliceHead head, const uint8_t* numbers, size_t bytes)
{
    head.check = 0;
    return snHash(numbers, bytes, snHash(&head, sizeof head, 0));
}

static uint64_t worldOf(const snSim* sim, int32_t who)
{
    return snHash(&who, sizeof who, sim->state->model);
}

size_t snSim_SliceSize(const snSim* sim, int32_t who)
{
    const snSlice* slice = findSlice(sim, who, NULL);
    return slice ? sizeof(SliceHead) + slice->size : 0;
}

snStatus snSim_SaveSlice(const snSim* sim, int32_t who, void* to, snMessage* why)
{
    const snSlice* slice = findSlice(sim, who, why);
    if (!slice) {
        return sn_errorArgument;
    }
    if (!to) {
        return snFail(why, sn_errorArgument, "a slice needs memory of snSim_SliceSize bytes");
    }
    const uint8_t* numbers = (const uint8_t*)snSim_Slices(sim->state) + slice->offset;
    SliceHead head = {
        .magic = SLICE_MAGIC, .actor = snSim_HashActor(sim, who, 0), .world = worldOf(sim, who)};
    head.check = checkOf(head, numbers, slice->size);
    memcpy(to, &head, sizeof head);
    memcpy((uint8_t*)to + sizeof head, numbers, slice->size);
    return sn_ok;
}

snStatus snSim_RestoreSlice(snSim* sim, int32_t who, const void* from, size_t bytes, snMessage* why)
{
    const snSlice* slice = findSlice(sim, who, why);
    SliceHead head;
    if (!slice) {
        return sn_errorArgument;
    }
    if (!from || bytes < sizeof head || bytes < sizeof head + slice->own) {
        return snFail(why, sn_errorArgument,
                      "a slice of this character has %zu bytes, found %zu; restore one of the same "
                      "character",
                      sizeof head + slice->size, from ? bytes : 0);
    }
    const uint8_t* numbers = (const uint8_t*)from + sizeof head;
    memcpy(&head, from, sizeof head);
    if (head.magic != SLICE_MAGIC || head.actor != snSim_HashActor(sim, who, 0)) {
        return snFail(why, sn_errorArgument,
                      "this slice belongs to another character or method, or to none");
    }
    if (head.check != checkOf(head, numbers, bytes - sizeof head)) {
        return snFail(why, sn_errorArgument, "this slice is damaged; save it again");
    }
    uint8_t* state = snSim_Slices(sim->state);
    double held = snSim_Held(sim, false, who);
    if (head.world == worldOf(sim, who) && bytes == sizeof head + slice->size) {
        memcpy(state + slice->offset, numbers, slice->size);
        snSurroundings_Wake(&sim->data->around, state);
    } else {
        memcpy(state + slice->offset, numbers, slice->own);
        snSurroundings_Uproot(&sim->data->around, state, who);
    }
    snMethodData_Forget(sim->data);
    snSim_NoteHost(sim, false, who, held);
    snSim_Changed(sim);
    return sn_ok;
}
