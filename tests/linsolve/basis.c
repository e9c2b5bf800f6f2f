// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "linsolve/basis.h"

#include "base/random.h"
#include "check.h"

#define WIDTH 3000
#define FRAMES 200

// Rows and products are floats.
static const double rounding = 1e-5;

// Frames that are combinations of `rank` patterns, each half as strong as the one before
static void makeFrames(int rank, float frames[FRAMES][WIDTH])
{
    static float patterns[32][WIDTH];
    snRandom random = snRandom_Seed(3);
    for (int k = 0; k < rank; ++k) {
        for (int i = 0; i < WIDTH; ++i) {
            patterns[k][i] = (float)snRandom_Range(&random, -1, 1);
        }
    }
    memset(frames, 0, FRAMES * sizeof *frames);
    for (int f = 0; f < FRAMES; ++f) {
        float strong = 1;
        for (int k = 0; k < rank; ++k, strong *= 0.5f) {
            float w = strong * (float)snRandom_Range(&random, -1, 1);
            for (int i = 0; i < WIDTH; ++i) {
                frames[f][i] += w * patterns[k][i];
            }
        }
    }
}

static snBasis find(snArena* arena, snTasks* tasks, float frames[FRAMES][WIDTH], int wanted)
{
    snBasis basis;
    assert_true(snBasis_Build(&basis, arena, tasks, WIDTH, wanted));
    for (int f = 0; f < FRAMES; ++f) {
        snBasis_Add(&basis, frames[f]);
    }
    snBasis_Finish(&basis);
    return basis;
}

// What the basis leaves of all frames, part of what there was
static double leftOf(const snBasis* basis, float frames[FRAMES][WIDTH])
{
    double all = 0, left = 0;
    for (int f = 0; f < FRAMES; ++f) {
        double square = snBasis_Dot(frames[f], frames[f], WIDTH);
        all += square;
        left += square;
        for (int32_t k = 0; k < basis->count; ++k) {
            double dot = snBasis_Dot(frames[f], basis->rows[k], WIDTH);
            left -= dot * dot / snBasis_Dot(basis->rows[k], basis->rows[k], WIDTH);
        }
    }
    return sqrt(fmax(0, left) / all);
}

static float frames[FRAMES][WIDTH];

// Rows are orthogonal, strongest first; as many as there are patterns, and they explain everything.
static void test_rank(void** state)
{
    (void)state;
    snArena arena;
    snTasks* tasks;
    snMessage why;
    snArena_Init(&arena, NULL);
    assert_ok(snTasks_Create(NULL, &tasks, &why), why);
    makeFrames(5, frames);
    snBasis basis = find(&arena, tasks, frames, 8);
    assert_int_equal(basis.count, 5);
    for (int32_t i = 0; i < basis.count; ++i) {
        double own = snBasis_Dot(basis.rows[i], basis.rows[i], WIDTH);
        for (int32_t j = 0; j < i; ++j) {
            double other = snBasis_Dot(basis.rows[j], basis.rows[j], WIDTH);
            assert_true(other >= own);
            assert_below(fabs(snBasis_Dot(basis.rows[i], basis.rows[j], WIDTH)),
                         rounding * sqrt(own * other));
        }
    }
    assert_below(leftOf(&basis, frames), 1e-3); // the square root of rounding of squares
    snTasks_Free(tasks);
    snArena_Free(&arena);
}

// Of more patterns than are wanted the strongest are found: patterns are nearly orthogonal, so what
// is left is about 4^-wanted of the squares. The same bits for any number of threads.
static void test_strongest(void** state)
{
    (void)state;
    snArena arena;
    snMessage why;
    snBasis found[2];
    snArena_Init(&arena, NULL);
    makeFrames(20, frames);
    for (int i = 0; i < 2; ++i) {
        snHost host;
        snTasks* tasks;
        snHost_Init(&host);
        host.thread_count = 1 + 3 * i;
        assert_ok(snTasks_Create(&host, &tasks, &why), why);
        found[i] = find(&arena, tasks, frames, 6);
        snTasks_Free(tasks);
    }
    assert_int_equal(found[0].count, 6);
    assert_below(leftOf(&found[0], frames), 1.2 * 0.015625);
    for (int32_t k = 0; k < 6; ++k) {
        assert_memory_equal(found[0].rows[k], found[1].rows[k], WIDTH * sizeof(float));
    }
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_strongest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
