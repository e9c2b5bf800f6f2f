// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes either become a surface or get a message.
#include "io/mesh/ply.h"
#include "meshes.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Ration ration;
    snArena arena = rationed(&ration, size);
    snMessage why = {""};
    snSurface s;
    checkSurface(snPly_Parse(&arena, data, size, &s, &why), &s, &why);
    snArena_Free(&arena);
    return 0;
}
