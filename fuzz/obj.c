// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any text either becomes a surface whose indices are in range and whose numbers are finite, or
// gets a message.
#include <stdlib.h>

#include "io/obj.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void require(bool law)
{
    if (!law) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    snArena arena;
    snArena_Init(&arena, NULL);
    snMessage why = {""};
    snSurface s;
    snStatus status = snObj_Parse(&arena, (const char*)data, size, &s, &why);
    require((status == sn_ok) == (s.position != NULL) && (status == sn_ok) == (why.text[0] == 0));
    if (status == sn_ok) {
        snSurfaceFacts facts;
        snSurface welded;
        int32_t turned;
        require(s.vertex_count > 0 && s.triangle_count > 0);
        for (int32_t i = 0; i < 3 * s.triangle_count; ++i) {
            require(s.triangle[i] >= 0 && s.triangle[i] < s.vertex_count);
        }
        for (int32_t i = 0; i < s.vertex_count; ++i) {
            require(fabs(s.position[i].x) < HUGE_VAL && fabs(s.position[i].y) < HUGE_VAL &&
                    fabs(s.position[i].z) < HUGE_VAL);
        }
        require(snSurface_Weld(&arena, &s, &welded, NULL, &why) == sn_ok);
        require(snSurface_Orient(&welded, NULL, &turned, &why) == sn_ok);
        require(snSurface_Inspect(&welded, NULL, &facts, &why) == sn_ok);
        require(facts.edges <= 3 * s.triangle_count && facts.shells <= s.triangle_count);
    }
    snArena_Free(&arena);
    return 0;
}
