// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes either become tets or get a message.
#include "io/mesh/veg.h"
#include "meshes.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Ration ration;
    snArena arena = rationed(&ration, size);
    snMessage why = {""};
    snTetFile file;
    checkTets(snVeg_Parse(&arena, (const char*)data, size, &file, &why), &file, &why);
    snArena_Free(&arena);
    return 0;
}
