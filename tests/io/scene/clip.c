// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A clip in a scene file: found from its folder, refused with a place.
#include "io/folder.h"

#include "io/scene/clip.h"
#include "scenes/groove.h"
#include "scenes/scenes.h"
#include <sinew/sim.h>

// Plays what the text says on a humanoid; the message is the reader's.
static snStatus play(const char* text, const char* folder, double* after, snMessage* why)
{
    snSkeleton* skeleton;
    snCharacter* character;
    snScene* scene;
    snSceneReader r = {.folder = folder};
    const snJson* node;
    assert_ok(snHost_Take(NULL, &r.host, why), *why);
    snArena_Init(&r.arena, &r.host);
    assert_ok(snMakeHumanoid(NULL, &skeleton, why), *why);
    assert_ok(snCharacter_Create(NULL, "man", skeleton, &character, why), *why);
    assert_ok(snScene_Create(NULL, NULL, &scene, why), *why);
    assert_ok(snScene_Add(scene, character, NULL, NULL, why), *why);
    assert_ok(snJson_Parse(&r.arena, text, strlen(text), &node, why), *why);
    snStatus status = snReadClip(&r, node, scene, 0);
    *why = r.why;
    if (!status) {
        snSim* sim;
        assert_ok(snSim_Create(scene, &sim, why), *why);
        assert_ok(snSim_Advance(sim, 1, why), *why);
        *after = snSim_Frame(sim)->characters[0].bones[0].p.x;
        snSim_Free(sim);
    }
    snArena_Free(&r.arena);
    snScene_Free(scene);
    snCharacter_Release(character);
    snSkeleton_Release(skeleton);
    return status;
}

static void clipsArePlayed(void** state)
{
    (void)state;
    static char text[SN_GROOVE_SIZE];
    snMessage why;
    double x = 0, late = 0;
    FILE* file = fopen("groove.bvh", "wb");
    fwrite(text, 1, snGroove_Write(text), file);
    fclose(file);
    assert_ok(
        play("{\"file\": \"groove.bvh\", \"lead\": 0.5, \"feet\": false, \"rest\": \"first\"}",
             "./", &x, &why),
        why);
    assert_true(x < -0.2); // he has stepped aside
    assert_ok(play("{\"file\": \"groove.bvh\", \"begin\": 10}", "", &late, &why), why);
    assert_close(late, 0, 1e-12); // and not yet here
}

static void mistakesHaveAPlace(void** state)
{
    (void)state;
    static const char* const CASES[][2] = {
        {"{\"map\": \"x\"}", "line 1, column 1: "},
        {"{\"file\": \"none.bvh\"}", "none.bvh"},
        {"{\"file\": \"groove.bvh\", \"spede\": 2}", "did you mean \"speed\"?"},
        {"{\"file\": \"groove.bvh\", \"speed\": 0}", "speed"},
        {"{\"file\": \"groove.bvh\", \"rest\": \"x\"}", "rest"},
        {"{\"file\": \"groove.bvh\", \"map\": \"none\"}", "none"},
        {"[]", "line 1"},
    };
    snMessage why;
    double x;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        if (!play(CASES[i][0], "", &x, &why) || !strstr(why.text, CASES[i][1])) {
            fail_msg("case %zu: '%s'", i, why.text);
        }
    }
    // a text that is no file reads none
    assert_int_equal(play("{\"file\": \"groove.bvh\"}", NULL, &x, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "snScene_PlayClip"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clipsArePlayed),
        cmocka_unit_test(mistakesHaveAPlace),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
