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

// A skin while its frame is looked for
typedef struct Skin {
    double* weight; // of all vertices on each joint; (joint_count)
    int32_t leader; // joint that carries most of the skin
    double carried; // by it
    bool known;
    snMatrix G;
} Skin;

static void weighJoints(const snRig* rig, const Skin* skins)
{
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigInstance* m = &rig->instances[i];
        int32_t vertices = m->shape->first && m->info.skin >= 0 ? m->info.vertex_count : 0;
        for (int32_t k = 0; vertices > 0 && k < m->shape->first[vertices]; ++k) {
            skins[m->info.skin].weight[m->shape->joint[k]] += (double)m->shape->weight[k];
        }
    }
}

// The joint that carries most, itself and by what hangs on it; of equal ones the uppermost. Sums
// of more joints are never smaller, since all are added up in the same order.
// carried: zeros, before and after; (node_count)
static void findLeader(const snRig* rig, const snRigSkin* skin, double* carried, Skin* out)
{
    out->leader = -1;
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        for (int32_t n = skin->joints[j]; n >= 0; n = rig->nodes[n].parent) {
            carried[n] += out->weight[j];
        }
    }
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        int32_t n = skin->joints[j], best = out->leader < 0 ? n : skin->joints[out->leader];
        bool ok;
        (void)snMatrix_Inverse(&skin->inverse_bind[j], &ok);
        if (ok && (out->leader < 0 || carried[n] > carried[best] ||
                   (carried[n] == carried[best] && n < best))) {
            out->leader = j;
            out->carried = carried[n];
        }
    }
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        for (int32_t n = skin->joints[j]; n >= 0; n = rig->nodes[n].parent) {
            carried[n] = 0;
        }
    }
}

// Where skins whose frame is known want a node; false: nowhere
static bool placeNode(const snRig* rig, const Skin* skins, const Use* uses, const int32_t* begin,
                      int32_t n, snMatrix* out)
{
    for (int32_t k = begin[n]; k < begin[n + 1]; ++k) {
        bool ok;
        snMatrix inverse =
            snMatrix_Inverse(&rig->skins[uses[k].skin].inverse_bind[uses[k].joint], &ok);
        if (skins[uses[k].skin].known && ok) {
            *out = snMatrix_Mul(&skins[uses[k].skin].G, &inverse);
            return true;
        }
    }
    return false;
}

// Where a node is: nodes' own pose from the next one up that a skin places. path: (node_count)
static snMatrix placeOf(const snRig* rig, const Skin* skins, const Use* uses, const int32_t* begin,
                        int32_t n, int32_t* path)
{
    snMatrix at = snMatrix_Identity();
    int32_t count = 0;
    while (n >= 0 && !placeNode(rig, skins, uses, begin, n, &at)) {
        path[count++] = n;
        n = rig->nodes[n].parent;
    }
    if (n < 0) {
        at = rig->nodes[path[--count]].local;
    }
    while (count > 0) {
        at = snMatrix_Mul(&at, &rig->nodes[path[--count]].local);
    }
    return at;
}

// What the leaders say, those that carry more first: skins that share joints agree on them.
// path: (node_count)
static void findFrames(const snRig* rig, const Use* uses, const int32_t* begin,
                       const int32_t* order, int32_t* path, Skin* skins)
{
    for (int32_t i = 0; i < rig->info.skin_count; ++i) {
        Skin* skin = &skins[order[i]];
        const snRigSkin* from = &rig->skins[order[i]];
        if (skin->leader >= 0) {
            snMatrix at = placeOf(rig, skins, uses, begin, from->joints[skin->leader], path);
            skin->G = snMatrix_Mul(&at, &from->inverse_bind[skin->leader]);
            skin->known = true;
        }
    }
}

// Skins by what their leaders carry; equal ones stay in their order.
static void sortSkins(const Skin* skins, int32_t count, int32_t* order)
{
    for (int32_t i = 0; i < count; ++i) {
        int32_t at = i;
        for (; at > 0 && skins[order[at - 1]].carried < skins[i].carried; --at) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

snStatus snRig_BindPose(const snRig* rig, snMatrix* nodes, snMessage* why)
{
    snArena scratch;
    int32_t *begin, count = rig->info.skin_count;
    snArena_Init(&scratch, &rig->host);
    Use* uses = listUses(&scratch, rig, &begin);
    Skin* skins = snArena_Push(&scratch, (size_t)count, sizeof *skins);
    int32_t* order = snArena_Push(&scratch, (size_t)count, sizeof *order);
    double* carried = snArena_Push(&scratch, (size_t)rig->info.node_count, sizeof *carried);
    int32_t* path = snArena_Push(&scratch, (size_t)rig->info.node_count, sizeof *path);
    for (int32_t s = 0; s < count && !scratch.failed; ++s) {
        skins[s].weight =
            snArena_Push(&scratch, (size_t)rig->skins[s].joint_count, sizeof *skins[s].weight);
    }
    if (scratch.failed) {
        snArena_Free(&scratch);
        return snFail(why, sn_errorMemory, "out of memory");
    }
    weighJoints(rig, skins);
    for (int32_t s = 0; s < count; ++s) {
        findLeader(rig, &rig->skins[s], carried, &skins[s]);
    }
    sortSkins(skins, count, order);
    findFrames(rig, uses, begin, order, path, skins);
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        const snRigNode* node = &rig->nodes[n];
        if (!placeNode(rig, skins, uses, begin, n, &nodes[n])) {
            nodes[n] =
                node->parent < 0 ? node->local : snMatrix_Mul(&nodes[node->parent], &node->local);
        }
    }
    snArena_Free(&scratch);
    return sn_ok;
}
