// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The tests of one folder: `PROGRAM NAME` runs one of them, each of which was a main. table.inl has
// a row TEST(name, function) for each.
#include <stdio.h>
#include <string.h>

#define TEST(name, function) int function(void);
#include "table.inl"
#undef TEST

typedef struct Test {
    const char* name;
    int (*run)(void);
} Test;

#define TEST(name, function) {#name, function},
static const Test tests[] = {
#include "table.inl"
};

int main(int argc, char** argv)
{
    size_t count = sizeof tests / sizeof tests[0];
    for (size_t i = 0; argc == 2 && i < count; ++i) {
        if (strcmp(argv[1], tests[i].name) == 0) {
            return tests[i].run();
        }
    }
    fprintf(stderr, "%s NAME, which is one of:\n", argv[0]);
    for (size_t i = 0; i < count; ++i) {
        fprintf(stderr, "  %s\n", tests[i].name);
    }
    return 2;
}
