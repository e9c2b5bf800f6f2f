// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The tests of one folder, each of which was a main. `PROGRAM NOUN` runs one of them, and so does a
// link to the program that has the test's name. table.inl has a row TEST(name, noun) for each.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TEST(name, noun) int test_##name(void);
#include <table.inl>
#undef TEST

typedef struct Test {
    const char *name, *noun;
    int (*run)(void);
} Test;

#define TEST(name, noun) {#name, #noun, test_##name},
static const Test tests[] = {
#include <table.inl>
};

int main(int argc, char** argv)
{
    size_t count = sizeof tests / sizeof tests[0];
    const char* slash = strrchr(argv[0], '/');
    const char* self = slash ? slash + 1 : argv[0];
    for (size_t i = 0; i < count; ++i) {
        bool is_asked = argc == 2 && strcmp(argv[1], tests[i].noun) == 0;
        if (is_asked || (argc == 1 && strcmp(self, tests[i].name) == 0)) {
            return tests[i].run();
        }
    }
    fprintf(stderr, "%s NOUN, which is one of:\n", argv[0]);
    for (size_t i = 0; i < count; ++i) {
        fprintf(stderr, "  %s\n", tests[i].noun);
    }
    return 2;
}
