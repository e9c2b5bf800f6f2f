// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes either are an FBX file, with control points that are there, or get a message.
#include "io/fbx/facts.h"
#include "ration.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Ration ration;
    snHost host = rationedHost(&ration, size + ((size_t)1 << 15), 1024);
    snArena arena;
    snFbxFacts f;
    snMessage why = {""};
    snArena_Init(&arena, &host);
    snStatus status = snFbxFacts_Read(&arena, data, size, &f, &why);
    require((status == sn_ok) == (why.text[0] == 0));
    for (size_t i = 0; !status && i < f.part_count; ++i) {
        for (size_t k = 0; k < f.parts[i].corner_count; ++k) {
            int32_t point = f.parts[i].point[k];
            require(point >= 0 && (size_t)point < f.parts[i].point_count);
        }
    }
    snArena_Free(&arena);
    return 0;
}
