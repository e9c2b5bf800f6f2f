// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Films and pictures by their names, in builds that cannot draw too.
#include "render/film.h"

#include <string.h>

static bool endsWith(const char* path, const char* end)
{
    size_t a = strlen(path), b = strlen(end);
    return a > b && strcmp(path + a - b, end) == 0;
}

bool isMoviePath(const char* path)
{
    return endsWith(path, ".mp4");
}

bool isFilmPath(const char* path)
{
    return isMoviePath(path) || endsWith(path, ".png");
}
