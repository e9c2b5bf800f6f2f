// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tables of defs: what is within its range, and what is said of what is not.
#include "base/def.h"
#include "check.h"

typedef struct Thing {
    double length;
    int32_t count;
    int32_t kind;
    snVec3 way;
    const char* name;
} Thing;

static const char* kindName(int32_t kind)
{
    return kind == 0 ? "soft" : kind == 1 ? "hard" : NULL;
}

static const snDefField FIELDS[] = {
    {.name = "length", .offset = offsetof(Thing, length), .unit = "m", .low = 0.5, .high = 2},
    {.name = "count", .kind = sn_defInteger, .offset = offsetof(Thing, count), .low = 1, .high = 9},
    {.name = "kind", .kind = sn_defChoice, .offset = offsetof(Thing, kind), .word = kindName},
    {.name = "way", .kind = sn_defVector, .offset = offsetof(Thing, way), .low = -1, .high = 1},
    {.name = "name", .kind = sn_defText, .offset = offsetof(Thing, name)},
};
static const snDefTable TABLE = {"Thing", "a thing", sizeof(Thing), NULL, 5, FIELDS};

static Thing fine(void)
{
    return (Thing){.length = 1, .count = 3, .kind = 1, .way = {0, 0.5, -1}};
}

static void assertRefused(const Thing* thing, const char* said)
{
    snMessage why;
    assert_int_equal(snDef_Check(&TABLE, thing, &why), sn_errorArgument);
    if (!strstr(why.text, said)) {
        print_error("no '%s' in: %s\n", said, why.text);
        fail();
    }
}

static void endsAreInside(void** state)
{
    (void)state;
    snMessage why;
    Thing low = fine(), high = fine();
    low.length = 0.5;
    low.count = 1;
    low.kind = 0;
    low.way = (snVec3){-1, -1, -1};
    high.length = 2;
    high.count = 9;
    high.way = (snVec3){1, 1, 1};
    assert_ok(snDef_Check(&TABLE, &low, &why), why);
    assert_ok(snDef_Check(&TABLE, &high, &why), why);
}

static void whatIsOutsideIsNamed(void** state)
{
    (void)state;
    Thing thing = fine();
    thing.length = 2.5;
    assertRefused(&thing, "length must lie in 0.5..2 m, found 2.5");
    thing.length = (double)NAN;
    assertRefused(&thing, "length must lie in");
    thing = fine();
    thing.count = 0;
    assertRefused(&thing, "count must lie in 1..9, found 0");
    thing = fine();
    thing.kind = 2;
    assertRefused(&thing, "kind 2 is none of those there are");
    thing.kind = -1;
    assertRefused(&thing, "kind -1");
    for (int i = 0; i < 3; ++i) {
        thing = fine();
        (&thing.way.x)[i] = -1.5;
        assertRefused(&thing, "way must lie in -1..1, found (");
    }
}

static void kindsHaveNames(void** state)
{
    (void)state;
    for (int i = 0; i < sn_defKindCount; ++i) {
        assert_true(snDefKind_Name((snDefKind)i)[0]);
    }
    assert_string_equal(snDefKind_Name(sn_defNumber), "number");
    assert_string_equal(snDefKind_Name(sn_defHook), "hook");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endsAreInside),
        cmocka_unit_test(whatIsOutsideIsNamed),
        cmocka_unit_test(kindsHaveNames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
