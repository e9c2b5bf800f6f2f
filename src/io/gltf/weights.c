// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/gltf/weights.h"

#include <string.h>

#include "rig/pose.h"

// Zeros ----------------------------------------------------------------------------

static bool widen(snArena* arena, const snRigChannel* c, size_t added, snGltfKeys* out)
{
    size_t own = (size_t)c->width, width = own + added;
    size_t rows = (size_t)c->key_count * (c->interpolation == sn_interpolateCubic ? 3 : 1), size;
    float* values =
        snSizeMul(rows, width, &size) ? snArena_Push(arena, size, sizeof *values) : NULL;
    if (!values) {
        return false;
    }
    for (size_t i = 0; i < rows; ++i) {
        memcpy(values + i * width, c->values + i * own, own * sizeof *values);
    }
    *out = (snGltfKeys){(size_t)c->key_count, width, c->interpolation, false, c->times, values};
    return true;
}

// The track ------------------------------------------------------------------------

// Weights of a track at a time; before and after its keys it stands still. *key: where to begin
// looking, not behind the time; moves on
static void sampleTrack(const snGltfTrack* t, size_t width, float time, size_t* key, float* out)
{
    size_t last = (size_t)t->key_count - 1;
    while (*key < last && t->times[*key + 1] <= time) {
        ++*key;
    }
    const float* a = t->weights + *key * width;
    double u = 0;
    if (*key < last && time > t->times[*key]) {
        double from = (double)t->times[*key];
        u = ((double)time - from) / ((double)t->times[*key + 1] - from);
    }
    for (size_t k = 0; k < width; ++k) {
        out[k] = u > 0 ? (float)((1 - u) * (double)a[k] + u * (double)a[k + width]) : a[k];
    }
}

static bool alone(snArena* arena, const double* rest, size_t own, const snGltfTrack* t,
                  size_t added, snGltfKeys* out)
{
    size_t count = (size_t)t->key_count, width = own + added, size;
    float* values =
        snSizeMul(count, width, &size) ? snArena_Push(arena, size, sizeof *values) : NULL;
    if (!values) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < own; ++k) {
            values[i * width + k] = (float)rest[k];
        }
        memcpy(values + i * width + own, t->weights + i * added, added * sizeof *values);
    }
    *out = (snGltfKeys){count, width, sn_interpolateLinear, true, t->times, values};
    return true;
}

// Both -----------------------------------------------------------------------------

// Times of both
typedef struct Union {
    const snRigChannel* c;
    const snGltfTrack* t;
    size_t own, added, count;
    float* times; // (count)
    int32_t* key; // of the channel's keys the last that is not later, -1 = none; (count)
    bool* exact;  // that key is here; (count)
} Union;

// The float before it
static float before(float time)
{
    uint32_t bits;
    memcpy(&bits, &time, sizeof bits);
    bits = time > 0 ? bits - 1 : time < 0 ? bits + 1 : 0x80000001u;
    memcpy(&time, &bits, sizeof bits);
    return time;
}

static void addTime(Union* u, float time, int32_t key, bool exact)
{
    u->times[u->count] = time;
    u->key[u->count] = key;
    u->exact[u->count++] = exact;
}

static bool jumps(const snRigChannel* c, int32_t key)
{
    size_t width = (size_t)c->width;
    const float* v = c->values + (size_t)key * width;
    return c->interpolation == sn_interpolateStep && key > 0 &&
           memcmp(v, v - width, width * sizeof *v) != 0;
}

static bool mergeTimes(snArena* arena, Union* u)
{
    const snRigChannel* c = u->c;
    const snGltfTrack* t = u->t;
    size_t most = 2 * (size_t)c->key_count + (size_t)t->key_count;
    u->times = snArena_Push(arena, most, sizeof *u->times);
    u->key = snArena_Push(arena, most, sizeof *u->key);
    u->exact = snArena_Push(arena, most, sizeof *u->exact);
    if (arena->failed) {
        return false;
    }
    for (int32_t i = 0, k = 0; i < c->key_count || k < t->key_count;) {
        if (i == c->key_count || (k < t->key_count && t->times[k] < c->times[i])) {
            addTime(u, t->times[k++], i - 1, false);
            continue;
        }
        float early = before(c->times[i]);
        if (jumps(c, i) && u->times[u->count - 1] < early) {
            addTime(u, early, i - 1, false);
        }
        if (k < t->key_count && t->times[k] == c->times[i]) {
            ++k;
        }
        addTime(u, c->times[i], i, true);
        ++i;
    }
    return true;
}

// Slopes of the channel's polynomials, 1/s, at place i of the way from key to key + 1. Hermite's
// basis, its derivative by u over the key's length: at both ends exactly the tangents of the file.
static void slopesOf(const Union* u, size_t i, int32_t key, float* out)
{
    const snRigChannel* c = u->c;
    size_t w = u->own, k0 = (size_t)key;
    memset(out, 0, w * sizeof *out);
    if (key < 0 || key + 1 >= c->key_count || !(c->times[k0] < c->times[k0 + 1])) {
        return; // it stands still there
    }
    const float *v0 = c->values + (3 * k0 + 1) * w, *out0 = v0 + w;
    const float *in1 = c->values + (3 * k0 + 3) * w, *v1 = in1 + w;
    double from = (double)c->times[k0], dt = (double)c->times[k0 + 1] - from;
    double x = ((double)u->times[i] - from) / dt, xx = x * x;
    for (size_t k = 0; k < w; ++k) {
        out[k] =
            (float)(6 * (x - xx) * (((double)v1[k] - (double)v0[k]) / dt) +
                    (3 * xx - 4 * x + 1) * (double)out0[k] + (3 * xx - 2 * x) * (double)in1[k]);
    }
}

// Tangents on both sides of the way from place i to i + 1. rows: those of place i and of i + 1
static void setTangents(const Union* u, size_t i, float* rows)
{
    size_t width = u->own + u->added;
    float *v0 = rows + width, *out0 = v0 + width, *in1 = out0 + width, *v1 = in1 + width;
    double dt = (double)u->times[i + 1] - (double)u->times[i];
    slopesOf(u, i, u->key[i], out0);
    slopesOf(u, i + 1, u->key[i], in1);
    for (size_t k = u->own; k < width; ++k) {
        out0[k] = in1[k] = dt > 0 ? (float)(((double)v1[k] - (double)v0[k]) / dt) : 0;
    }
}

static bool merge(snArena* arena, Union* u, snGltfKeys* out)
{
    const snRigChannel* c = u->c;
    bool cubic = c->interpolation == sn_interpolateCubic;
    size_t own = u->own, width = own + u->added, parts = cubic ? 3 : 1, size, at = 0;
    double* sample = snArena_Push(arena, own, sizeof *sample);
    if (!mergeTimes(arena, u) || !snSizeMul(parts * u->count, width, &size)) {
        return false;
    }
    float* values = snArena_Push(arena, size, sizeof *values);
    if (!values) {
        return false;
    }
    for (size_t i = 0; i < u->count; ++i) {
        float* row = values + (parts * i + parts / 2) * width;
        if (u->exact[i]) {
            size_t from = parts * (size_t)u->key[i] + parts / 2;
            memcpy(row, c->values + from * own, own * sizeof *row);
        } else {
            snRigChannel_Sample(c, (double)u->times[i], sample);
            for (size_t k = 0; k < own; ++k) {
                row[k] = (float)sample[k];
            }
        }
        sampleTrack(u->t, u->added, u->times[i], &at, row + own);
    }
    for (size_t i = 0; cubic && i + 1 < u->count; ++i) {
        setTangents(u, i, values + 3 * i * width);
    }
    *out = (snGltfKeys){u->count, width,    cubic ? sn_interpolateCubic : sn_interpolateLinear,
                        true,     u->times, values};
    return true;
}

bool snGltfKeys_Build(snArena* arena, const snRigChannel* channel, const double* rest, size_t own,
                      const snGltfTrack* track, size_t added, snGltfKeys* out)
{
    if (!channel) {
        return alone(arena, rest, own, track, added, out);
    }
    Union u = {.c = channel, .t = track, .own = own, .added = added};
    return track ? merge(arena, &u, out) : widen(arena, channel, added, out);
}
