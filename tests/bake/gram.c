// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Products of frames are those of plain sums, whenever they were made; what is principal in a span
// leaves what plain arithmetic finds left, and no more than shapes that are found frame by frame.

#include "bake/gram.h"

#include "base/random.h"
#include "check.h"
#include "linsolve/basis.h"

#define WIDTH 3001
#define FRAMES 70

// Of what is squared: rounding of doubles, and of the basis' floats
static const double rounding = 1e-12;
static const double basis_rounding = 1e-6;

static float frames[FRAMES][WIDTH];

// A mean, and combinations of patterns, each half as strong as the one before
static void makeFrames(int rank)
{
    static float patterns[33][WIDTH];
    snRandom random = snRandom_Seed(7);
    for (int k = 0; k <= rank; ++k) {
        for (int i = 0; i < WIDTH; ++i) {
            patterns[k][i] = (float)snRandom_Range(&random, -1, 1);
        }
    }
    for (int f = 0; f < FRAMES; ++f) {
        float strong = 1;
        memcpy(frames[f], patterns[rank], sizeof frames[f]);
        for (int k = 0; k < rank; ++k, strong *= 0.5f) {
            float w = strong * (float)snRandom_Range(&random, -1, 1);
            for (int i = 0; i < WIDTH; ++i) {
                frames[f][i] += w * patterns[k][i];
            }
        }
    }
}

typedef struct Case {
    snArena arena;
    snTasks* tasks;
    snBakeGram gram;
} Case;

static void openCase(Case* c, int threads)
{
    snMessage why;
    snHost host;
    snHost_Init(&host);
    host.thread_count = threads;
    snArena_Init(&c->arena, &host);
    assert_ok(snTasks_Create(&host, &c->tasks, &why), why);
    assert_true(snBakeGram_Build(&c->gram, &c->arena, c->tasks, WIDTH, FRAMES, 1000));
    for (int f = 0; f < FRAMES; ++f) {
        c->gram.rows[f] = frames[f];
    }
}

static void closeCase(Case* c)
{
    snTasks_Free(c->tasks);
    snArena_Free(&c->arena);
}

static void test_products(void** state)
{
    (void)state;
    Case a, b;
    makeFrames(20);
    openCase(&a, 1);
    openCase(&b, 3);
    snBakeGram_Add(&a.gram, 0, FRAMES);
    snBakeGram_Add(&b.gram, 20, 33); // in pieces
    snBakeGram_Add(&b.gram, 5, 41);
    snBakeGram_Add(&b.gram, 0, FRAMES);
    for (int i = 0; i < FRAMES; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = 0, at = a.gram.products[i * FRAMES + i - j];
            for (int k = 0; k < WIDTH; ++k) {
                sum += (double)frames[i][k] * (double)frames[j][k];
            }
            assert_close(at, sum, rounding * WIDTH);
            assert_true(at == b.gram.products[i * FRAMES + i - j]);
        }
    }
    closeCase(&a);
    closeCase(&b);
}

// What shapes leave of a span, squared, of each frame and all; plainly
static double leftOf(const snBakePrincipal* p, int begin, int n, double* each)
{
    static double left[FRAMES][WIDTH];
    double all = 0;
    for (int k = 0; k < WIDTH; ++k) {
        double mean = 0;
        for (int i = 0; i < n; ++i) {
            mean += (double)frames[begin + i][k] / n;
        }
        for (int i = 0; i < n; ++i) {
            left[i][k] = (double)frames[begin + i][k] - mean;
        }
        for (int32_t c = 0; c < p->count; ++c) {
            double shape = 0;
            for (int i = 0; i < n; ++i) {
                shape += p->weights[c * n + i] * (double)frames[begin + i][k];
            }
            for (int i = 0; i < n; ++i) {
                left[i][k] -= p->weights[c * n + i] * shape;
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        each[i] = 0;
        for (int k = 0; k < WIDTH; ++k) {
            each[i] += left[i][k] * left[i][k];
        }
        all += each[i];
    }
    return all;
}

// The same of shapes that are found frame by frame
static double leftOfBasis(Case* c, int begin, int n, int most)
{
    snBasis basis;
    static float x[FRAMES][WIDTH];
    double all = 0;
    assert_true(snBasis_Build(&basis, &c->arena, c->tasks, WIDTH, most));
    for (int k = 0; k < WIDTH; ++k) {
        double mean = 0;
        for (int i = 0; i < n; ++i) {
            mean += (double)frames[begin + i][k] / n;
        }
        for (int i = 0; i < n; ++i) {
            x[i][k] = frames[begin + i][k] - (float)mean;
        }
    }
    for (int i = 0; i < n; ++i) {
        snBasis_Add(&basis, x[i]);
    }
    snBasis_Finish(&basis);
    for (int i = 0; i < n; ++i) {
        all += snBasis_Dot(x[i], x[i], WIDTH);
        for (int32_t k = 0; k < basis.count; ++k) {
            double dot = snBasis_Dot(x[i], basis.rows[k], WIDTH);
            all -= dot * dot / snBasis_Dot(basis.rows[k], basis.rows[k], WIDTH);
        }
    }
    return all;
}

static void test_spans(void** state)
{
    (void)state;
    static const int SPANS[][3] = {
        {0, FRAMES, 7}, {10, 31, 3}, {40, 44, 3}, {3, 4, 3}, {50, 70, 0}};
    Case c;
    makeFrames(20);
    openCase(&c, 2);
    for (size_t s = 0; s < sizeof SPANS / sizeof *SPANS; ++s) {
        int begin = SPANS[s][0], end = SPANS[s][1], most = SPANS[s][2], n = end - begin;
        snBakePrincipal p;
        double each[FRAMES], whole = leftOf(&(snBakePrincipal){0}, begin, n, each);
        snBakeGram_Add(&c.gram, begin, end);
        assert_true(snBakeGram_Find(&c.gram, begin, end, most, &c.arena, &p));
        assert_int_equal(p.count, most < n - 1 ? most : n - 1);
        double left = leftOf(&p, begin, n, each);
        for (int i = 0; i < n; ++i) {
            assert_close(p.left[i], each[i], 100 * rounding * WIDTH);
        }
        assert_below(left, leftOfBasis(&c, begin, n, most) + basis_rounding * whole);
    }
    closeCase(&c);
}

// Frames that are combinations of few get as many shapes, and these leave nothing.
static void test_rank(void** state)
{
    (void)state;
    Case c;
    snBakePrincipal p;
    double each[FRAMES];
    makeFrames(5);
    openCase(&c, 1);
    snBakeGram_Add(&c.gram, 0, FRAMES);
    assert_true(snBakeGram_Find(&c.gram, 0, FRAMES, 8, &c.arena, &p));
    assert_int_equal(p.count, 5);
    double whole = leftOf(&(snBakePrincipal){0}, 0, FRAMES, each);
    assert_below(leftOf(&p, 0, FRAMES, each), rounding * whole);
    closeCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
