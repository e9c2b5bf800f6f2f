// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Saved bodies of shared rigs and saved characters load in less than 5 ms.

#include <sinew/sinew.h>
#include <time.h>

#include "rig/shared.h"
#include "sim/flesh.h"

#define BODY "saved.body"
#define CHARACTER "saved.character"
#define TRIES 12

static const double loads_in = 5e-3; // s of this process

static double since(clock_t begin)
{
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static void checkRig(const char* name)
{
    char path[1024];
    snMessage why;
    snRig* rig;
    snBody* body;
    snBodyDef def;
    double best = HUGE_VAL;
    snprintf(path, sizeof path, "%s/%s", RIGS, name);
    assert_ok(snRig_Load(NULL, path, &rig, &why), why);
    snBodyDef_Init(&def);
    assert_ok(snBody_Build(NULL, rig, &def, &body, &why), why);
    snRig_Release(rig);
    assert_ok(snBody_Save(body, BODY, &why), why);
    snBody_Release(body);
    for (int i = 0; i < TRIES; ++i) {
        clock_t begin = clock();
        assert_ok(snBody_Load(NULL, BODY, &body, &why), why);
        best = fmin(best, since(begin));
        snBody_Release(body);
    }
    print_message("%s loads in %.2f ms\n", name, 1e3 * best);
    assert_below(best, loads_in);
}

static void bodiesLoadSoon(void** state)
{
    (void)state;
    if (!haveRigs()) {
        skip();
    }
    checkRig("CesiumMan.glb");
    checkRig("RobotExpressive.glb");
}

static void charactersLoadSoon(void** state)
{
    (void)state;
    snMessage why;
    snCharacter* character = makeBuiltin("starfish");
    double best = HUGE_VAL;
    assert_ok(snCharacter_Save(character, CHARACTER, &why), why);
    snCharacter_Release(character);
    for (int i = 0; i < TRIES; ++i) {
        clock_t begin = clock();
        assert_ok(snCharacter_Load(NULL, CHARACTER, NULL, &character, &why), why);
        best = fmin(best, since(begin));
        snCharacter_Release(character);
    }
    print_message("the starfish loads in %.2f ms\n", 1e3 * best);
    assert_below(best, loads_in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodiesLoadSoon),
        cmocka_unit_test(charactersLoadSoon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
