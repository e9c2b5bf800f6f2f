// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Regular meshes for tests: a box of n x m x l cubes, each cut into six tets.
#ifndef SN_TESTS_FLESH_BOX_H
#define SN_TESTS_FLESH_BOX_H

#include "check.h"
#include "flesh/body.h"

static inline snTets makeBox(snVec3 lo, snVec3 hi, int n, int m, int l)
{
    // all six tets of a cube share its diagonal from corner 0 to corner 7
    static const int TETS[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                   {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    snTets mesh;
    mesh.node_count = (n + 1) * (m + 1) * (l + 1);
    mesh.tet_count = 6 * n * m * l;
    mesh.position = calloc((size_t)mesh.node_count, sizeof *mesh.position);
    mesh.tet = calloc((size_t)mesh.tet_count * 4, sizeof *mesh.tet);
    int32_t at = 0;
    for (int k = 0; k <= l; ++k) {
        for (int j = 0; j <= m; ++j) {
            for (int i = 0; i <= n; ++i) {
                mesh.position[at++] =
                    snV3(lo.x + (hi.x - lo.x) * i / n, lo.y + (hi.y - lo.y) * j / m,
                         lo.z + (hi.z - lo.z) * k / l);
            }
        }
    }
    at = 0;
    for (int cube = 0; cube < n * m * l; ++cube) {
        int i = cube % n, j = cube / n % m, k = cube / n / m;
        for (int t = 0; t < 6; ++t) {
            for (int c = 0; c < 4; ++c) {
                int corner = TETS[t][c];
                int x = i + (corner & 1), y = j + (corner >> 1 & 1), z = k + (corner >> 2);
                mesh.tet[at++] = (z * (m + 1) + y) * (n + 1) + x;
            }
        }
    }
    return mesh;
}

static inline void freeBox(snTets* mesh)
{
    free(mesh->position);
    free(mesh->tet);
}

#endif
