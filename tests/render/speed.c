// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long
// needs: render

// How long a picture takes.
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "render/ball.h"
#include <time.h>

// s; wanted are 0.1 on two free cores. The bound only catches what is broken: other tests run.
#define ALLOWED 2.0

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void isFastEnough(void** state)
{
    (void)state;
    Ball b = makeBall();
    DrawList list = {0};
    addBall(&list, &b, 1);
    Shot shot = fitShot(&list);
    Renderer* r = openRenderer();
    double best = 1e30;
    for (int i = 0; i < 8; ++i) {
        const Image* image;
        snMessage why;
        double start = seconds();
        assert_int_equal(renderPicture(r, &list, &shot, &image, &why), sn_ok);
        best = fmin(best, seconds() - start);
    }
    printf("35,000 vertices, %d x %d: %.0f ms\n", WIDTH, HEIGHT, 1e3 * best);
    assert_below(best, ALLOWED);
    freeRenderer(r);
    clearDrawList(&list);
    freeBall(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(isFastEnough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
