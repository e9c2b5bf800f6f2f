// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// needs: cli

// How clips are called in tables.
#include "check.h"

#include <cli/column.h>

static void assertColumn(const char* const* names, int32_t count, int shared, int width)
{
    snBakedClip clips[3] = {{0}};
    snBakeReport report = {.clips = clips, .clip_count = count};
    for (int32_t i = 0; i < count; ++i) {
        clips[i].name = names[i];
    }
    ClipColumn column = columnOf(&report);
    assert_int_equal(column.shared, shared);
    assert_int_equal(column.width, width);
}

// Exporters put armatures before names: what is left tells clips apart.
static void test_shared(void** state)
{
    const char* const ALIKE[] = {"CharacterArmature|Walk", "CharacterArmature|Wave"};
    const char* const NESTED[] = {"Rig|Rig|Walk", "Rig|Rig|Rig|Run", "Rig|Rig|Jump"};
    const char* const APART[] = {"Walk", "Wave", "Run"};
    const char* const ONE[] = {"Armature|Walk"};
    const char* const BARE[] = {"Armature|", "Armature|Walk"};
    const char* const NAMELESS[] = {"Armature|Walk", ""};
    const char* const LONG[] = {"A clip of a name that is longer than twenty letters",
                                "A clip whose name has thirty l"};
    (void)state;
    assertColumn(ALIKE, 2, 18, 20);
    assertColumn(NESTED, 3, 8, 20);
    assertColumn(APART, 3, 0, 20);
    assertColumn(ONE, 1, 9, 20);
    assertColumn(BARE, 2, 0, 20);
    assertColumn(NAMELESS, 2, 0, 20);
    assertColumn(LONG, 2, 0, 40);
    assertColumn(LONG + 1, 1, 0, 30);
    assertColumn(NULL, 0, 0, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
