// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any two texts, separated by a bar, either become tets or get a message.
#include "io/mesh/tetgen.h"
#include "meshes.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Ration ration;
    snArena arena = rationed(&ration, size);
    snMessage why = {""};
    snTetFile file;
    const char* text = (const char*)data;
    const char* bar = size > 0 ? memchr(text, '|', size) : NULL;
    size_t length = bar ? (size_t)(bar - text) : size;
    size_t skipped = length + (bar != NULL);
    snStatus status =
        snTetgen_Parse(&arena, text, length, text + skipped, size - skipped, &file, &why);
    checkTets(status, &file, &why);
    snArena_Free(&arena);
    return 0;
}
