// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/column.h"

#include <stdbool.h>
#include <string.h>

// Letters of names
#define NAME_LEAST 20
#define NAME_MOST 40

// As far as the first clip's name and another's are the same
static int sharedBy(const char* a, const char* b)
{
    int count = 0;
    while (a[count] && a[count] == b[count]) {
        ++count;
    }
    return count;
}

ClipColumn columnOf(const snBakeReport* r)
{
    ClipColumn column = {0, NAME_LEAST};
    const char* first = r->clip_count > 0 ? r->clips[0].name : "";
    int shared = (int)strlen(first);
    for (int32_t i = 1; i < r->clip_count; ++i) {
        int same = sharedBy(first, r->clips[i].name);
        shared = same < shared ? same : shared;
    }
    for (int k = 0; k < shared; ++k) {
        bool ends = false; // a name of nothing else
        for (int32_t i = 0; i < r->clip_count; ++i) {
            ends = ends || !r->clips[i].name[k + 1];
        }
        column.shared = strchr("|:/", first[k]) && !ends ? k + 1 : column.shared;
    }
    for (int32_t i = 0; i < r->clip_count; ++i) {
        int length = (int)strlen(r->clips[i].name) - column.shared;
        column.width = length > column.width ? length : column.width;
    }
    column.width = column.width > NAME_MOST ? NAME_MOST : column.width;
    return column;
}
