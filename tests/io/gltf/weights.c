// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Columns added to keys of weights: at all times the old columns say what they said, and the new
// ones what the track says; the old keys are there bit by bit; times rise.

#include "io/gltf/weights.h"

#include "base/random.h"
#include "check.h"
#include "rig/pose.h"

#define OWN 2
#define ADDED 3
#define KEYS 9
#define SAMPLES 997

// Values of about 1, as floats; cubic ones are cut at float times, with slopes of about 10 1/s
static const double tolerance = 2e-6;

typedef struct Stage {
    float times[KEYS], values[3 * KEYS * OWN];
    float track_times[KEYS], weights[KEYS * ADDED];
    snRigChannel channel;
    snGltfTrack track;
} Stage;

static float draw(snRandom* r, double low, double high)
{
    return (float)snRandom_Range(r, low, high);
}

// Keys of the channel from about 1 to 3.5 s; of the track from 0.5 to 3 s, two at keys of the
// channel
static void openStage(Stage* s, int32_t interpolation, uint64_t seed)
{
    snRandom r = snRandom_Seed(seed);
    for (int k = 0; k < KEYS; ++k) {
        s->times[k] = 1 + 0.3f * (float)k + draw(&r, 0, 0.2);
        s->track_times[k] = 0.5f + 0.3f * (float)k + draw(&r, 0, 0.1);
    }
    s->track_times[4] = s->times[2];
    s->track_times[7] = s->times[5];
    for (int k = 0; k < 3 * KEYS * OWN; ++k) {
        s->values[k] = draw(&r, -1, 1);
    }
    memcpy(s->values + OWN, s->values, OWN * sizeof(float)); // no jump there
    for (int k = 0; k < KEYS * ADDED; ++k) {
        s->weights[k] = draw(&r, -1, 1);
    }
    s->channel = (snRigChannel){.path = sn_pathWeights,
                                .interpolation = interpolation,
                                .key_count = KEYS,
                                .width = OWN,
                                .times = s->times,
                                .values = s->values};
    s->track = (snGltfTrack){0, KEYS, s->track_times, s->weights};
}

static snRigChannel channelOf(const snGltfKeys* keys)
{
    return (snRigChannel){.path = sn_pathWeights,
                          .interpolation = keys->interpolation,
                          .key_count = (int32_t)keys->count,
                          .width = (int32_t)keys->width,
                          .times = keys->times,
                          .values = keys->values};
}

static void checkKept(const Stage* s, const snGltfKeys* keys)
{
    size_t parts = s->channel.interpolation == sn_interpolateCubic ? 3 : 1, found = 0;
    for (size_t i = 0; i < keys->count; ++i) {
        assert_true(i == 0 || keys->times[i] > keys->times[i - 1]);
        if (found < KEYS && keys->times[i] == s->times[found]) {
            const float* v = keys->values + (parts * i + parts / 2) * keys->width;
            assert_memory_equal(v, s->values + (parts * found + parts / 2) * OWN,
                                OWN * sizeof(float));
            ++found;
        }
    }
    assert_int_equal(found, KEYS);
}

static void checkMerged(int32_t interpolation, uint64_t seed)
{
    Stage s;
    snArena arena;
    snGltfKeys keys;
    openStage(&s, interpolation, seed);
    snArena_Init(&arena, NULL);
    assert_true(snGltfKeys_Build(&arena, &s.channel, NULL, OWN, &s.track, ADDED, &keys));
    checkKept(&s, &keys);
    assert_int_equal(keys.interpolation, interpolation == sn_interpolateCubic
                                             ? sn_interpolateCubic
                                             : sn_interpolateLinear);
    size_t jumps = interpolation == sn_interpolateStep ? KEYS - 2 : 0;
    assert_int_equal(keys.count, 2 * KEYS - 2 + jumps);
    snRigChannel merged = channelOf(&keys);
    snRigChannel track = {.path = sn_pathWeights,
                          .interpolation = sn_interpolateLinear,
                          .key_count = KEYS,
                          .width = ADDED,
                          .times = s.track_times,
                          .values = s.weights};
    for (int i = 0; i < SAMPLES; ++i) { // SAMPLES is prime: no time is a float's
        double time = 4.0 * i / SAMPLES, new[OWN + ADDED], old[OWN], added[ADDED];
        snRigChannel_Sample(&merged, time, new);
        snRigChannel_Sample(&s.channel, time, old);
        snRigChannel_Sample(&track, time, added);
        for (int k = 0; k < OWN + ADDED; ++k) {
            assert_close(new[k], k < OWN ? old[k] : added[k - OWN], tolerance);
        }
    }
    snArena_Free(&arena);
}

static void test_merged(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        checkMerged(sn_interpolateLinear, seed);
        checkMerged(sn_interpolateCubic, seed);
        checkMerged(sn_interpolateStep, seed);
    }
}

static void test_zeros(void** state)
{
    (void)state;
    for (int32_t way = sn_interpolateStep; way <= sn_interpolateCubic; ++way) {
        Stage s;
        snArena arena;
        snGltfKeys keys;
        size_t parts = way == sn_interpolateCubic ? 3 : 1;
        openStage(&s, way, 5);
        snArena_Init(&arena, NULL);
        assert_true(snGltfKeys_Build(&arena, &s.channel, NULL, OWN, NULL, ADDED, &keys));
        assert_true(!keys.moved && keys.times == s.times && keys.count == KEYS);
        assert_int_equal(keys.interpolation, way);
        for (size_t i = 0; i < parts * KEYS; ++i) { // tangents too
            const float* row = keys.values + i * keys.width;
            assert_memory_equal(row, s.values + i * OWN, OWN * sizeof(float));
            assert_true(row[OWN] == 0 && row[OWN + 1] == 0 && row[OWN + 2] == 0);
        }
        snArena_Free(&arena);
    }
}

// A clip that did not move weights: the old ones stand where they are at rest
static void test_alone(void** state)
{
    (void)state;
    static const double rest[OWN] = {0.25, -2};
    Stage s;
    snArena arena;
    snGltfKeys keys;
    openStage(&s, sn_interpolateLinear, 3);
    snArena_Init(&arena, NULL);
    assert_true(snGltfKeys_Build(&arena, NULL, rest, OWN, &s.track, ADDED, &keys));
    assert_true(keys.moved && keys.count == KEYS && keys.width == OWN + ADDED);
    for (size_t i = 0; i < KEYS; ++i) {
        const float* row = keys.values + i * keys.width;
        assert_true(row[0] == 0.25f && row[1] == -2);
        assert_memory_equal(row + OWN, s.weights + i * ADDED, ADDED * sizeof(float));
    }
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_merged), cmocka_unit_test(test_zeros),
                                       cmocka_unit_test(test_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
