// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "tree.h"

#include "base/message.h"
#include <stdlib.h>

snStatus snTree_Open(snTree* tree, snSkeleton* skeleton, snMessage* why)
{
    size_t nq = (size_t)snSkeleton_PositionCount(skeleton);
    size_t nv = (size_t)snSkeleton_VelocityCount(skeleton);
    *tree = (snTree){.skeleton = skeleton,
                     .q = calloc(nq, sizeof(double)),
                     .qd = calloc(nv, sizeof(double)),
                     .qdd = calloc(nv, sizeof(double))};
    if (!tree->q || !tree->qd || !tree->qdd) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snStatus status = snDynamics_Create(NULL, skeleton, &tree->dynamics, why);
    if (!status) {
        snSkeleton_ZeroPose(skeleton, tree->q);
        for (size_t i = 7; i < nq; ++i) {
            tree->q[i] += tree->q[i] == 0 ? 0.05 : 0;
        }
        for (size_t i = 0; i < nv; ++i) {
            tree->qd[i] = 0.3 + 0.01 * (double)(i % 50);
        }
        status = snDynamics_SetState(tree->dynamics, tree->q, tree->qd, why);
        snDynamics_GetState(tree->dynamics, tree->q, NULL);
    }
    return status;
}

void snTree_Close(snTree* tree)
{
    snDynamics_Free(tree->dynamics);
    snSkeleton_Release(tree->skeleton);
    free(tree->q);
    free(tree->qd);
    free(tree->qdd);
}

void snTree_Forward(void* tree, int n)
{
    snTree* t = tree;
    for (int i = 0; i < n; ++i) {
        snDynamics_SetState(t->dynamics, t->q, t->qd, NULL);
        snDynamics_Hybrid(t->dynamics, NULL, t->qdd, NULL);
    }
}

void snTree_Kinematics(void* tree, int n)
{
    snTree* t = tree;
    for (int i = 0; i < n; ++i) {
        snDynamics_SetState(t->dynamics, t->q, t->qd, NULL);
    }
}

void snTree_Step(void* tree, int n)
{
    snTree* t = tree;
    for (int i = 0; i < n; ++i) {
        snDynamics_Step(t->dynamics, 1e-3, sn_integratorMidpoint, 1, NULL, NULL);
    }
}
