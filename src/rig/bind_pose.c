// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/bind_pose.h"

#include "rig/matrix.h"

// A place of a node in a skin
typedef struct Use {
    int32_t skin, joint;
} Use;

// Skins that name each node: those of node n at begin[n] .. begin[n + 1] - 1
static Use* listUses(snArena* scratch, const snRig* rig, int32_t** begin)
{
    size_t nodes = (size_t)rig->info.node_count, total = 0;
    for (int32_t s = 0; s < rig->info.skin_count; ++s) {
        total += (size_t)rig->skins[s].joint_count;
    }
    Use* uses = snArena_Push(scratch, total, sizeof *uses);
    *begin = snArena_Push(scratch, nodes + 2, sizeof **begin);
    if (scratch->failed) {
        return NULL;
    }
    // counts sit two behind; they become starts, one behind while the list is filled
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t s = 0; s < rig->info.skin_count; ++s) {
            for (int32_t j = 0; j < rig->skins[s].joint_count; ++j) {
                int32_t* at = &(*begin)[rig->skins[s].joints[j] + (pass ? 1 : 2)];
                if (pass) {
                    uses[*at] = (Use){s, j};
                }
                ++*at;
            }
        }
        for (size_t n = 0; pass == 0 && n < nodes; ++n) {
            (*begin)[n + 2] += (*begin)[n + 1];
        }
    }
    return uses;
}

snStatus snRig_BindPose(const snRig* rig, snMatrix* nodes, snMessage* why)
{
    snArena scratch;
    int32_t* begin;
    snArena_Init(&scratch, &rig->host);
    Use* uses = listUses(&scratch, rig, &begin);
    snMatrix* G = snArena_Push(&scratch, (size_t)rig->info.skin_count, sizeof *G);
    uint8_t* known = snArena_Push(&scratch, (size_t)rig->info.skin_count, 1);
    for (int32_t n = 0; !scratch.failed && n < rig->info.node_count; ++n) {
        const snRigNode* node = &rig->nodes[n];
        nodes[n] =
            node->parent < 0 ? node->local : snMatrix_Mul(&nodes[node->parent], &node->local);
        for (int32_t k = begin[n]; k < begin[n + 1]; ++k) {
            bool ok;
            snMatrix inverse =
                snMatrix_Inverse(&rig->skins[uses[k].skin].inverse_bind[uses[k].joint], &ok);
            if (known[uses[k].skin] && ok) {
                nodes[n] = snMatrix_Mul(&G[uses[k].skin], &inverse);
                break;
            }
        }
        for (int32_t k = begin[n]; k < begin[n + 1]; ++k) {
            if (!known[uses[k].skin]) {
                G[uses[k].skin] =
                    snMatrix_Mul(&nodes[n], &rig->skins[uses[k].skin].inverse_bind[uses[k].joint]);
                known[uses[k].skin] = 1;
            }
        }
    }
    snStatus status = scratch.failed ? snFail(why, sn_errorMemory, "out of memory") : sn_ok;
    snArena_Free(&scratch);
    return status;
}
