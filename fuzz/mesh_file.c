// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The first byte chooses a name, the others are the file: whatever it is taken for, it becomes a
// surface, of tets the one around them, or gets a message.
#include "io/mesh/file.h"
#include "meshes.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const char* const NAMES[] = {"a.obj", "a.off", "a.ply",  "a.stl",
                                        "a.msh", "a.veg", "a.mesh", "a.node"};
    if (size == 0) {
        return 0;
    }
    Ration ration;
    snArena arena = rationed(&ration, size);
    snMessage why = {""};
    snMeshFile file;
    snStatus status = snMeshFile_Parse(&arena, NAMES[data[0] % 8], data + 1, size - 1, &file, &why);
    checkSurface(status, &file.surface, &why);
    if (!status) {
        require(file.facts.format[0] != 0);
        require(file.facts.tet_count == file.tets.tet_count);
        require(snMeshFile_Inspect(&file, NULL, &why) == sn_ok);
        require(file.tets.tet_count == 0 || file.facts.volume > 0);
    }
    snArena_Free(&arena);
    return 0;
}
