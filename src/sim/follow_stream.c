// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/follow_stream.h"

#include <string.h>

#include "rig/pose.h"

// What moves by less than this part of its size in a frame stands still.
#define STILL 1e-6

static size_t roundUp(size_t bytes)
{
    return (bytes + SN_ALIGNMENT - 1) / SN_ALIGNMENT * SN_ALIGNMENT;
}

static size_t matrixBytes(const snRig* rig)
{
    return roundUp((size_t)rig->info.node_count * sizeof(snMatrix));
}

static size_t weightBytes(const snRig* rig)
{
    return roundUp((size_t)rig->info.weight_count * sizeof(double));
}

size_t snFollowStream_Size(const snRig* rig)
{
    return roundUp(sizeof(snStreamHead)) + 3 * matrixBytes(rig) + 2 * weightBytes(rig);
}

void snFollowStream_Build(snFollowStream* stream, const snRigBody* body, int32_t ticks, double rate,
                          void* state)
{
    const snRig* rig = body->rig;
    uint8_t* at = (uint8_t*)state + roundUp(sizeof(snStreamHead));
    *stream = (snFollowStream){.body = body, .ticks = ticks, .rate = rate, .head = state};
    snMatrix** matrices[] = {&stream->pose, &stream->step, &stream->next};
    for (int i = 0; i < 3; ++i) {
        *matrices[i] = (snMatrix*)(void*)(at + (size_t)i * matrixBytes(rig));
    }
    at += 3 * matrixBytes(rig);
    stream->weights = (double*)(void*)at;
    stream->next_weights = (double*)(void*)(at + weightBytes(rig));
    snRigClipData_World(rig, NULL, 0, stream->pose, stream->weights);
    stream->head->is_cut = 1;
}

static snMatrix differenceOf(const snMatrix* a, const snMatrix* b)
{
    return (snMatrix){snSub(a->x, b->x), snSub(a->y, b->y), snSub(a->z, b->z), snSub(a->p, b->p)};
}

static snMatrix scaled(const snMatrix* m, double k)
{
    return (snMatrix){snScale(k, m->x), snScale(k, m->y), snScale(k, m->z), snScale(k, m->p)};
}

// Both ends have the bits that the next frame's beginning has.
void snFollowStream_At(const snFollowStream* stream, int32_t tick, snMatrix* nodes, snMatrix* rates)
{
    double s = (double)tick / stream->ticks;
    for (int32_t n = 0; n < stream->body->rig->info.node_count; ++n) {
        const snMatrix *P = &stream->pose[n], *C = &stream->step[n];
        snMatrix D = differenceOf(&stream->next[n], P), change = differenceOf(&D, C), V;
        if (tick == 0) {
            nodes[n] = snMatrix_MulAdd(P, -0.5, C);
            rates[n] = scaled(C, stream->rate);
        } else if (tick == stream->ticks) {
            nodes[n] = snMatrix_MulAdd(&stream->next[n], -0.5, &D);
            rates[n] = scaled(&D, stream->rate);
        } else {
            nodes[n] = snMatrix_MulAdd(P, s - 0.5, C);
            nodes[n] = snMatrix_MulAdd(&nodes[n], 0.5 * s * s, &change);
            V = snMatrix_MulAdd(C, s, &change);
            rates[n] = scaled(&V, stream->rate);
        }
    }
}

void snFollowStream_CopyNext(const snFollowStream* stream, snMatrix* nodes, double* weights)
{
    const snRigInfo* info = &stream->body->rig->info;
    memcpy(nodes, stream->next, (size_t)info->node_count * sizeof *nodes);
    memcpy(weights, stream->next_weights, (size_t)info->weight_count * sizeof *weights);
}

void snFollowStream_Toward(snFollowStream* stream, const snMatrix* nodes, const double* weights,
                           double part)
{
    const snRigInfo* info = &stream->body->rig->info;
    for (int32_t n = 0; n < info->node_count; ++n) {
        snMatrix way = differenceOf(&nodes[n], &stream->pose[n]);
        stream->next[n] = part < 1 ? snMatrix_MulAdd(&stream->pose[n], part, &way) : nodes[n];
    }
    for (int32_t k = 0; k < info->weight_count; ++k) {
        double way = weights[k] - stream->weights[k];
        stream->next_weights[k] = part < 1 ? stream->weights[k] + part * way : weights[k];
    }
    stream->head->has_next = 1;
}

void snFollowStream_Begin(snFollowStream* stream)
{
    const snRigInfo* info = &stream->body->rig->info;
    if (!stream->head->has_next) {
        memcpy(stream->next, stream->pose, (size_t)info->node_count * sizeof *stream->next);
        memcpy(stream->next_weights, stream->weights,
               (size_t)info->weight_count * sizeof *stream->weights);
    }
}

bool snFollowStream_IsCut(const snFollowStream* stream)
{
    return stream->head->is_cut && stream->head->has_next;
}

void snFollowStream_Cut(snFollowStream* stream)
{
    for (int32_t n = 0; n < stream->body->rig->info.node_count; ++n) {
        bool ok;
        snMatrix *C = &stream->step[n], zero = {0};
        snMat3 inverse = snMatInverse(snMatrix_Linear(&stream->pose[n]), &ok);
        snMat3 turn = snMatMul(snMatrix_Linear(&stream->next[n]), inverse);
        snMatrix step = {snMatVec(turn, C->x), snMatVec(turn, C->y), snMatVec(turn, C->z),
                         snMatVec(turn, C->p)};
        double sum = snLengthSq(step.x) + snLengthSq(step.y) + snLengthSq(step.z);
        *C = ok && isfinite(sum + snLengthSq(step.p)) ? step : zero;
        stream->pose[n] = differenceOf(&stream->next[n], C);
    }
    stream->head->is_cut = 0;
}

static bool isSmall(const snMatrix* change, const snMatrix* m, double size)
{
    double linear = snLengthSq(m->x) + snLengthSq(m->y) + snLengthSq(m->z);
    double turned = snLengthSq(change->x) + snLengthSq(change->y) + snLengthSq(change->z);
    return turned <= STILL * STILL * linear && snLengthSq(change->p) <= STILL * STILL * size * size;
}

bool snFollowStream_IsStill(const snFollowStream* stream)
{
    const snRigBody* body = stream->body;
    double size = body->size / body->unit;
    bool still = !snFollowStream_IsCut(stream);
    for (int32_t j = 0; j < body->joint_count && still; ++j) {
        int32_t n = body->joint[j];
        snMatrix D = differenceOf(&stream->next[n], &stream->pose[n]);
        still = isSmall(&D, &stream->next[n], size) &&
                isSmall(&stream->step[n], &stream->next[n], size);
    }
    return still;
}

bool snFollowStream_End(snFollowStream* stream)
{
    const snRigInfo* info = &stream->body->rig->info;
    size_t nodes = (size_t)info->node_count, weights = (size_t)info->weight_count;
    bool changed = false;
    for (size_t n = 0; n < nodes; ++n) {
        snMatrix* D = &stream->step[n];
        *D = differenceOf(&stream->next[n], &stream->pose[n]);
        changed |= snLengthSq(D->x) + snLengthSq(D->y) + snLengthSq(D->z) + snLengthSq(D->p) > 0;
    }
    for (size_t k = 0; k < weights; ++k) {
        changed |= stream->next_weights[k] != stream->weights[k];
    }
    memcpy(stream->pose, stream->next, nodes * sizeof *stream->next);
    memcpy(stream->weights, stream->next_weights, weights * sizeof *stream->weights);
    stream->head->has_next = 0;
    return changed;
}

void snFollowStream_Shift(snFollowStream* stream, snVec3 by)
{
    for (int32_t n = 0; n < stream->body->rig->info.node_count; ++n) {
        stream->pose[n].p = snAdd(stream->pose[n].p, by);
        stream->next[n].p = snAdd(stream->next[n].p, by);
    }
}
