// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Nodes and tets are called by the file's numbers.
#include "io/mesh/tet_file.h"
#include "check.h"

static void test_numbers(void** state)
{
    (void)state;
    static const int64_t names[2] = {70, 3};
    snTetFile f = {.first_node = 1, .first_tet = 0};
    assert_int_equal(snTetFile_Node(&f, 4), 5);
    assert_int_equal(snTetFile_Tet(&f, 4), 4);
    assert_int_equal(snTetFile_Node(&f, -1), -1);
    assert_int_equal(snTetFile_Tet(&f, -1), -1);
    f.node_name = f.tet_name = names;
    assert_int_equal(snTetFile_Node(&f, 1), 3);
    assert_int_equal(snTetFile_Tet(&f, 0), 70);
}

static void test_corners(void** state)
{
    (void)state;
    snMessage why;
    int32_t corner[4];
    snTetFile f = {.tets = {.node_count = 4}, .first_node = 1};
    snCursor c = snCursor_Start("4 3 2 1\n1 2 3 0\n1 2 3 5\n1 2", 26, 0, &why);
    assert_ok(snTetFile_Corners(&f, &c, true, 7, corner), why);
    for (int k = 0; k < 4; ++k) {
        assert_int_equal(corner[k], 3 - k);
    }
    for (int k = 0; k < 3; ++k) {
        snCursor_NextLine(&c);
        assert_int_equal(snTetFile_Corners(&f, &c, true, 8, corner), sn_errorFile);
        assert_non_null(strstr(why.text, k == 0   ? "line 2: tet 8 names node 0, but"
                                         : k == 1 ? "line 3: tet 8 names node 5, but"
                                                  : "line 4: expected the four nodes"));
    }
    assert_int_equal(snTetFile_Check(&f, &why), sn_errorFile);
    f.tets.tet_count = 1;
    assert_int_equal(snTetFile_Check(&f, &why), sn_ok);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
