// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any text either becomes a surface whose indices are in range and whose numbers are finite, or
// gets a message.
#include "io/mesh/obj.h"
#include "meshes.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Ration ration;
    snArena arena = rationed(&ration, size);
    snMessage why = {""};
    snSurface s, welded;
    snSurfaceFacts facts;
    int32_t turned;
    snStatus status = snObj_Parse(&arena, (const char*)data, size, &s, &why);
    checkSurface(status, &s, &why);
    if (status == sn_ok) {
        require(snSurface_Weld(&arena, &s, &welded, NULL, &why) == sn_ok);
        require(snSurface_Orient(&welded, NULL, &turned, &why) == sn_ok);
        require(snSurface_Inspect(&welded, NULL, &facts, &why) == sn_ok);
        require(facts.edges <= 3 * s.triangle_count && facts.shells <= s.triangle_count);
    }
    snArena_Free(&arena);
    return 0;
}
