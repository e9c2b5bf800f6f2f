// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Frames are their shapes times weights, to the error asked for, with hardly more shapes than there
// are independent ones.

#include "io/sink/morph.h"
#include "base/random.h"
#include "check.h"

#define VERTICES 400
#define FRAMES 60
#define FLOATS (SN_MORPH_WIDTH * VERTICES)

// Frames hold numbers of about 1: a few dozen roundings of a float.
#define ROUNDING 1e-5

typedef struct Frames {
    float values[FRAMES][FLOATS];
    float used[FRAMES][FLOATS]; // the fit uses up these
    float* pointers[FRAMES];
    snArena arena;
    snMorph morph;
} Frames;

// Sums of `rank` random shapes, each half as large as the one before
static Frames* makeFrames(int rank, uint64_t seed)
{
    Frames* f = calloc(1, sizeof *f);
    float* shape = calloc(FLOATS, sizeof *shape);
    assert_true(f && shape);
    snRandom random = snRandom_Seed(seed);
    double size = 1;
    for (int k = 0; k <= rank; ++k) {
        for (int i = 0; i < FLOATS; ++i) {
            shape[i] = (float)snRandom_Range(&random, -1, 1);
        }
        for (int n = 0; n < FRAMES; ++n) {
            float w = k == 0 ? 1 : (float)(size * snRandom_Range(&random, -1, 1));
            for (int i = 0; i < FLOATS; ++i) {
                f->values[n][i] += w * shape[i];
            }
        }
        size *= k == 0 ? 1 : 0.5;
    }
    memcpy(f->used, f->values, sizeof f->used);
    for (int n = 0; n < FRAMES; ++n) {
        f->pointers[n] = f->used[n];
    }
    snArena_Init(&f->arena, NULL);
    f->morph = (snMorph){.frame_count = FRAMES, .vertex_count = VERTICES, .frames = f->pointers};
    free(shape);
    return f;
}

static void freeFrames(Frames* f)
{
    snArena_Free(&f->arena);
    free(f);
}

// how far b's tip is from the line along a: rad for unit normals
static double distanceFrom(const double* a, const double* b)
{
    double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
    return sqrt((cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) /
                (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
}

// The largest distance of a vertex from where it was; *normals: the largest error of a normal
static double measure(const Frames* f, double* normals)
{
    const snMorph* m = &f->morph;
    double worst = 0;
    *normals = 0;
    for (int n = 0; n < FRAMES; ++n) {
        double now[FLOATS], was[FLOATS];
        for (int i = 0; i < FLOATS; ++i) {
            now[i] = (double)m->frames[0][i];
            was[i] = (double)f->values[n][i];
            for (int32_t k = 0; k < m->shape_count; ++k) {
                now[i] += (double)snMorph_Weight(m, k, n) * (double)m->shapes[k][i];
            }
        }
        for (int i = 0; i < 3 * VERTICES; i += 3) {
            double x = now[i] - was[i], y = now[i + 1] - was[i + 1], z = now[i + 2] - was[i + 2];
            worst = fmax(worst, sqrt(x * x + y * y + z * z));
            *normals = fmax(*normals, distanceFrom(now + 3 * VERTICES + i, was + 3 * VERTICES + i));
        }
    }
    return worst;
}

static void test_rank(void** state)
{
    (void)state;
    for (int rank = 0; rank <= 8; rank += 4) {
        snMessage why;
        double normals;
        Frames* f = makeFrames(rank, 7);
        assert_ok(snMorph_Fit(&f->morph, &f->arena, 1e-4, &why), why);
        print_message("rank %d: %d shapes\n", rank, f->morph.shape_count);
        assert_in_range(f->morph.shape_count, rank, rank + rank / 4);
        assert_true(f->morph.error <= 1e-4);
        assert_close(measure(f, &normals), f->morph.error, ROUNDING);
        assert_below(normals,
                     0.05); // they follow the weights of the positions, one shape after the other
        freeFrames(f);
    }
}

// Weights fill 0..1, which is what players clamp them to.
static void test_weights(void** state)
{
    (void)state;
    snMessage why;
    Frames* f = makeFrames(6, 11);
    assert_ok(snMorph_Fit(&f->morph, &f->arena, 1e-3, &why), why);
    for (int32_t k = 0; k < f->morph.shape_count; ++k) {
        float most = 0, least = 1;
        for (int n = 0; n < FRAMES; ++n) {
            most = fmaxf(most, snMorph_Weight(&f->morph, k, n));
            least = fminf(least, snMorph_Weight(&f->morph, k, n));
        }
        assert_true(most == 1.0f && least == 0.0f);
    }
    freeFrames(f);
}

// Error 0, and noise that no few shapes can describe, keep every frame.
static void test_exact(void** state)
{
    (void)state;
    static const double errors[] = {0, 1e-7};
    for (int i = 0; i < 2; ++i) {
        snMessage why;
        double normals;
        Frames* f = makeFrames(12, 13);
        for (int n = 0; n < FRAMES && i == 1; ++n) { // of full rank
            snRandom random = snRandom_Seed((uint64_t)n);
            for (int k = 0; k < FLOATS; ++k) {
                f->values[n][k] = f->used[n][k] = (float)snRandom_Range(&random, -1, 1);
            }
        }
        assert_ok(snMorph_Fit(&f->morph, &f->arena, errors[i], &why), why);
        assert_int_equal(f->morph.shape_count, FRAMES - 1);
        assert_null(f->morph.weights);
        assert_true(f->morph.error == 0);
        assert_below(measure(f, &normals), i == 0 ? 1e-6 : ROUNDING);
        assert_below(normals, i == 0 ? 1e-6 : ROUNDING);
        freeFrames(f);
    }
}

static void test_few(void** state)
{
    (void)state;
    for (int frames = 1; frames <= 2; ++frames) {
        for (int exact = 0; exact < 2; ++exact) {
            snMessage why;
            Frames* f = makeFrames(3, 17);
            f->morph.frame_count = frames;
            assert_ok(snMorph_Fit(&f->morph, &f->arena, exact ? 0 : 1e-4, &why), why);
            assert_int_equal(f->morph.shape_count, frames - 1);
            freeFrames(f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
