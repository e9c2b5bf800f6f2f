// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the data of all methods has in common.
#include "method/method.h"

#include "base/cpu.h"
#include "base/message.h"
#include <assert.h>

// The world's slice, then those of characters.
static void layOut(snMethodData* d)
{
    d->state_size = d->around.slice_size;
    for (int32_t i = 0; i < d->actor_count; ++i) {
        snSlice* slice = &d->slices[i];
        slice->offset = d->state_size;
        slice->own = d->method->sliceSize(d, i);
        assert(slice->own % SN_ALIGNMENT == 0);
        slice->size = slice->own + snSurroundings_MemorySize(&d->around, i);
        snSurroundings_PlaceMemory(&d->around, i, slice->offset + slice->own);
        d->state_size += slice->size;
    }
}

static snStatus build(snMethodData* d, const snMethodData* from, const snChange* change,
                      snMessage* why)
{
    size_t count = (size_t)d->actor_count;
    d->slices = snArena_Push(&d->arena, count, sizeof(snSlice));
    d->characters = snArena_Push(&d->arena, count, sizeof(snFrameCharacter));
    d->balances = snArena_Push(&d->arena, count, sizeof(snEnergyBalance));
    d->wants = snArena_Push(&d->arena, count, sizeof(snWantDef));
    for (size_t i = 0; d->wants && i < count; ++i) {
        snWantDef_Init(&d->wants[i]);
    }
    snStatus status = snSurroundings_Begin(&d->around, d->world, d->isa, &d->arena, why);
    status = status || d->arena.failed ? status : d->method->build(d, why);
    if (!status && !d->arena.failed) {
        status = snSurroundings_Build(&d->around, from ? &from->around : NULL, change, why);
    }
    return d->arena.failed
               ? snFail(why, sn_errorMemory, "no memory for a simulation of %d characters",
                        (int)d->actor_count)
               : status;
}

snStatus snMethod_Build(const snMethod* method, const snWorld* world, const snMethodData* from,
                        const snChange* change, snMethodData** data, snMessage* why)
{
    *data = NULL;
    snMethodData* d = snHost_Allocate(&world->host, method->data_size);
    if (!d) {
        return snFail(why, sn_errorMemory, "no memory for a simulation");
    }
    d->method = method;
    d->world = world;
    d->isa = snCpu_Choose(world->host.isa);
    d->actor_count = world->actor_count;
    snArena_Init(&d->arena, &world->host);
    snStatus status = build(d, from, change, why);
    if (status) {
        snMethodData_Free(d);
        return status;
    }
    layOut(d);
    *data = d;
    return sn_ok;
}

void snWantDef_Init(snWantDef* def)
{
    *def = (snWantDef){
        .size = sizeof(snWantDef), .wanted = sn_wantedAll, .stride = 3 * sizeof(float), .unit = 1};
}

void snMethodData_Free(snMethodData* data)
{
    if (data) {
        snHost host = data->world->host;
        if (data->method->free) {
            data->method->free(data);
        }
        snSurroundings_Free(&data->around);
        snArena_Free(&data->arena);
        snHost_Release(&host, data, data->method->data_size);
    }
}

void snMethodData_Init(snMethodData* data, void* state)
{
    snSurroundings_Init(&data->around, state);
    for (int32_t i = 0; i < data->actor_count; ++i) {
        data->method->init(data, state, i);
    }
}

void snMethodData_Forget(snMethodData* data)
{
    snSurroundings_Forget(&data->around);
    if (data->method->forget) {
        data->method->forget(data);
    }
}

void snMethodData_NoteWants(snMethodData* data)
{
    data->around.balanced = false;
    for (int32_t i = 0; i < data->actor_count; ++i) {
        bool wanted = data->wants[i].wanted & sn_wantedBalance;
        data->around.balanced = data->around.balanced || wanted;
    }
}
