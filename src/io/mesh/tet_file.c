// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/tet_file.h"

int64_t snTetFile_Node(const snTetFile* file, int32_t node)
{
    return node < 0 ? -1 : file->node_name ? file->node_name[node] : file->first_node + node;
}

int64_t snTetFile_Tet(const snTetFile* file, int32_t tet)
{
    return tet < 0 ? -1 : file->tet_name ? file->tet_name[tet] : file->first_tet + tet;
}

snStatus snTetFile_Allocate(snTetFile* file, snArena* arena, int64_t nodes, int64_t tets,
                            snMessage* why)
{
    if (nodes > 0) {
        file->tets.position = snArena_Push(arena, (size_t)nodes, sizeof(snVec3));
    }
    if (tets > 0) {
        file->tets.tet = snArena_Push(arena, 4 * (size_t)tets, sizeof(int32_t));
    }
    return arena->failed ? snFail(why, sn_errorMemory, "out of memory for %lld nodes or tets",
                                  (long long)(nodes > tets ? nodes : tets))
                         : sn_ok;
}

snStatus snTetFile_Corners(const snTetFile* file, snCursor* c, bool line, int64_t number,
                           int32_t corner[4])
{
    for (int k = 0; k < 4; ++k) {
        int64_t name;
        snStatus status = snCursor_Integer(c, line, "the four nodes of a tet", &name);
        if (status) {
            return status;
        }
        if (name < file->first_node || name - file->first_node >= file->tets.node_count) {
            return snCursor_Fail(c,
                                 "tet %lld names node %lld, but the file has %d (numbered from "
                                 "%lld); it may be cut",
                                 (long long)number, (long long)name, (int)file->tets.node_count,
                                 (long long)file->first_node);
        }
        corner[k] = (int32_t)(name - file->first_node);
    }
    return sn_ok;
}

snStatus snTetFile_Check(const snTetFile* file, snMessage* why)
{
    if (file->tets.tet_count > 0 && file->tets.node_count > 0) {
        return sn_ok;
    }
    return snFail(why, sn_errorFile,
                  "no tets in it: %d nodes, %lld other elements, of them %lld hexahedra, prisms or "
                  "pyramids; save the volume mesh, made of tets",
                  (int)file->tets.node_count, (long long)file->others,
                  (long long)file->other_volumes);
}
