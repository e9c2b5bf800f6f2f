// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Any surface, broken or not, becomes a body that falls on the ground and stays there, or gets an
// error that says what is wrong with it. surfaces_rest.c waits until each lies still.
#include "scenes/fall.h"

#define SECONDS 1.5
#define DEEPEST 0.15 // of its size: when thin things hit the ground

static void testEverySurface(void** state)
{
    (void)state;
    const FallDef def = {.longest = SECONDS, .still = SECONDS};
    if (!haveSurfaces()) {
        skip();
    }
    printHeading();
    for (size_t i = 0; i < SURFACE_FILE_COUNT; ++i) {
        snArena arena;
        snSurface s;
        snArena_Init(&arena, NULL);
        if (readSurface(&arena, &SURFACE_FILES[i], &s)) {
            Fall f = dropSurface(&s, &def);
            printFall(SURFACE_FILES[i].name, &f, "");
            assert_int_equal(f.retries, 0);
            assert_below(f.deepest, DEEPEST * f.size);
        }
        snArena_Free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testEverySurface)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
