// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tests that write files do so in a folder of their own, which is gone afterwards:
// cmocka_run_group_tests(tests, enterFolder, leaveFolder). To be included before anything else.
#ifndef SN_TESTS_IO_FOLDER_H
#define SN_TESTS_IO_FOLDER_H

#define _POSIX_C_SOURCE 200809L // mkdtemp

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

// Where the tests are, empty when their files are to stay.
static char test_folder[512];

// SINEW_KEEP names a folder whose files stay, for scripts that look at them.
static inline int enterFolder(void** state)
{
    (void)state;
    const char* kept = getenv("SINEW_KEEP");
    if (kept) {
        return chdir(kept);
    }
    const char* place = getenv("TMPDIR");
    snprintf(test_folder, sizeof test_folder, "%.400s/sinew-XXXXXX",
             place && place[0] ? place : "/tmp");
    return mkdtemp(test_folder) ? chdir(test_folder) : -1;
}

// Removes a folder with all that is in it.
static inline int removeFolder(const char* path)
{
    DIR* folder = opendir(path);
    struct dirent* entry;
    while (folder && (entry = readdir(folder))) {
        char inner[1024];
        snprintf(inner, sizeof inner, "%.500s/%.500s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            remove(inner) != 0) {
            removeFolder(inner);
        }
    }
    if (folder) {
        closedir(folder);
    }
    return remove(path);
}

static inline int leaveFolder(void** state)
{
    (void)state;
    return test_folder[0] ? chdir("/") || removeFolder(test_folder) : 0;
}

#endif
