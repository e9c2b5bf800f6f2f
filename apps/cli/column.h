// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How clips are called in a table: without what all their names begin with, up to a '|', ':' or
// '/'.
#ifndef SINEW_APPS_CLI_COLUMN_H
#define SINEW_APPS_CLI_COLUMN_H

#include <sinew/sinew.h>

typedef struct ClipColumn {
    int shared; // letters that are left out
    int width;  // that shows what is left, in bounds
} ClipColumn;

ClipColumn columnOf(const snBakeReport* report);

#endif
