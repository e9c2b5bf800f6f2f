// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The static table of hosts that skin by themselves: which places move a vertex. Places are nodes
// of the flesh that some vertex hangs on, then riders.

#include "character/body.h"

// Numbers the nodes that ties name and that are not held. number: (node_count), zero-filled;
// place + 1
static int32_t numberNodes(const snRigBody* made, int32_t* number, int32_t* nodes)
{
    int32_t count = 0;
    for (int32_t v = 0; v < made->weld.surface.vertex_count; ++v) {
        const snTie* tie = &made->ties[v];
        for (int k = 0; k < 4 && tie->node[0] >= 0; ++k) {
            int32_t n = tie->node[k];
            if (tie->weight[k] != 0 && !made->held[n] && number[n] == 0) {
                nodes[count++] = n;
                number[n] = count;
            }
        }
    }
    return count;
}

snStatus snBody_BuildTable(snBody* body, snMessage* why)
{
    const snRigBody* made = &body->made;
    const snRigWeld* weld = &made->weld;
    size_t all = (size_t)weld->first[weld->instance_count];
    size_t nodes = (size_t)made->tets.node_count, places = (size_t)weld->surface.vertex_count;
    snArena* arena = &body->arena;
    int32_t* index = snArena_Push(arena, 4 * all, sizeof *index);
    float* weight = snArena_Push(arena, 4 * all, sizeof *weight);
    int32_t* number = snArena_Push(arena, nodes, sizeof *number);
    int32_t* list = snArena_Push(arena, nodes, sizeof *list);
    int32_t* rider_of = snArena_Push(arena, places, sizeof *rider_of); // + 1
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    body->table_node_count = numberNodes(made, number, list);
    body->table_nodes = list;
    for (int32_t r = 0; r < made->rider_count; ++r) {
        for (int32_t i = 0; i < made->riders[r].vertex_count; ++i) {
            rider_of[made->riding[made->riders[r].vertex_begin + i]] = r + 1;
        }
    }
    for (size_t v = 0; v < all; ++v) {
        int32_t at = weld->map[v];
        const snTie* tie = &made->ties[at];
        if (rider_of[at] > 0) {
            index[4 * v] = body->table_node_count + rider_of[at] - 1;
            weight[4 * v] = 1;
            continue;
        }
        for (size_t k = 0; k < 4 && tie->node[0] >= 0; ++k) {
            int32_t place = number[tie->node[k]] - 1;
            index[4 * v + k] = place >= 0 ? place : 0;
            weight[4 * v + k] = place >= 0 ? tie->weight[k] : 0;
        }
    }
    body->table = (snBodyTable){.place_count = body->table_node_count + made->rider_count,
                                .vertex_count = (int32_t)all,
                                .index = index,
                                .weight = weight};
    return sn_ok;
}

const snBodyTable* snBody_Table(const snBody* body)
{
    return body ? &body->table : NULL;
}
