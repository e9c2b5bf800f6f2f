// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Every surface, dropped on the ground as a body without bones, comes to lie still.
#include "scenes/fall.h"

// Bodies on round bottoms or thin legs bounce, rock and topple for long: only what bends in them
// takes energy away.
#define PATIENCE 30.0
#define STILL 1.0

#define SINK 0.03 // of its size: bodies on feet press on few points

static bool liesWell(const Fall* f)
{
    return f->speed < QUIET && f->retries == 0 && f->depth < SINK * f->size && f->inverted == 0;
}

static void testEverySurfaceRests(void** state)
{
    (void)state;
    if (!haveSurfaces()) {
        skip();
    }
    int failed = 0;
    printHeading();
    for (size_t i = 0; i < SURFACE_FILE_COUNT; ++i) {
        const FallDef def = {.longest = PATIENCE, .still = STILL};
        snArena arena;
        snSurface s;
        snArena_Init(&arena, NULL);
        if (readSurface(&arena, &SURFACE_FILES[i], &s)) {
            Fall f = dropSurface(&s, &def);
            printFall(SURFACE_FILES[i].name, &f, liesWell(&f) ? "rests" : "FAILS");
            failed += !liesWell(&f);
        }
        snArena_Free(&arena);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testEverySurfaceRests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
