// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Characters: names, ownership, what is refused.
#include "character/character.h"

#include "sim/puppet.h"

static void testOwnership(void** state)
{
    (void)state;
    snMessage why;
    snCharacter* c = NULL;
    snSkeleton* skeleton = makeSingle(sn_jointRevolute);
    char name[] = "Älskling";
    assert_ok(snCharacter_Create(NULL, name, skeleton, &c, &why), why);
    assert_string_equal(why.text, "");
    snSkeleton_Release(skeleton); // the character keeps it
    name[0] = '?';                // and its own copy of the name
    assert_string_equal(snCharacter_Name(c), "Älskling");
    assert_int_equal(snSkeleton_BoneCount(snCharacter_Skeleton(c)), 1);
    assert_ptr_equal(snCharacter_Retain(c), c);
    snCharacter_Release(c);
    assert_string_equal(snCharacter_Name(c), "Älskling");
    snCharacter_Release(c);
    snCharacter_Release(NULL);
}

static void testNames(void** state)
{
    (void)state;
    char name[300];
    snMessage why;
    snSkeleton* skeleton = makeSingle(sn_jointRevolute);
    memset(name, 'a', sizeof name);
    for (size_t length = 0; length < 260; ++length) {
        snCharacter* c = (snCharacter*)name;
        name[length] = 0;
        snStatus status = snCharacter_Create(NULL, name, skeleton, &c, &why);
        if (length >= 1 && length <= 255) {
            assert_ok(status, why);
            assert_int_equal(strlen(snCharacter_Name(c)), length);
            snCharacter_Release(c);
        } else {
            assert_refused(status, sn_errorArgument, why, "1 to 255");
            assert_null(c);
        }
        name[length] = 'a';
    }
    snCharacter* c = NULL;
    assert_refused(snCharacter_Create(NULL, NULL, skeleton, &c, &why), sn_errorArgument, why,
                   "name");
    assert_refused(snCharacter_Create(NULL, "a", NULL, &c, &why), sn_errorArgument, why, "NULL");
    assert_refused(snCharacter_Create(NULL, "a", skeleton, NULL, &why), sn_errorArgument, why,
                   "NULL");
    assert_int_equal(snCharacter_Create(NULL, "a", NULL, &c, NULL), sn_errorArgument);
    snHost host = {0};
    assert_int_equal(snCharacter_Create(&host, "a", skeleton, &c, &why), sn_errorArgument);
    snSkeleton_Release(skeleton);
}

static void* none(void* user, size_t bytes, size_t alignment)
{
    (void)user, (void)bytes, (void)alignment;
    return NULL;
}

static void noRelease(void* user, void* memory, size_t bytes)
{
    (void)user, (void)memory, (void)bytes;
}

static void testNoMemory(void** state)
{
    (void)state;
    snMessage why;
    snHost host;
    snHost_Init(&host);
    host.allocate = none;
    host.release = noRelease;
    snCharacter* c = NULL;
    snSkeleton* skeleton = makeSingle(sn_jointBall);
    assert_refused(snCharacter_Create(&host, "a", skeleton, &c, &why), sn_errorMemory, why,
                   "memory");
    assert_null(c);
    snSkeleton_Release(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testOwnership),
        cmocka_unit_test(testNames),
        cmocka_unit_test(testNoMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
