// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What holds for everything that a reader of meshes has taken: indices in range, numbers finite,
// memory in proportion to the file.
#ifndef SN_FUZZ_MESHES_H
#define SN_FUZZ_MESHES_H

#include "geom/surface.h"
#include "geom/tet_facts.h"
#include "io/mesh/tet_file.h"
#include "ration.h"

static inline void checkPoints(const snVec3* position, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        require(fabs(position[i].x) < HUGE_VAL && fabs(position[i].y) < HUGE_VAL &&
                fabs(position[i].z) < HUGE_VAL);
    }
}

static inline void checkSurface(snStatus status, const snSurface* s, const snMessage* why)
{
    require((status == sn_ok) == (why->text[0] == 0));
    require((status == sn_ok) == (s->position != NULL));
    if (status) {
        return;
    }
    require(s->vertex_count > 0 && s->triangle_count > 0);
    for (int32_t i = 0; i < 3 * s->triangle_count; ++i) {
        require(s->triangle[i] >= 0 && s->triangle[i] < s->vertex_count);
    }
    checkPoints(s->position, s->vertex_count);
}

static inline void checkTets(snStatus status, const snTetFile* file, const snMessage* why)
{
    require((status == sn_ok) == (why->text[0] == 0));
    require((status == sn_ok) == (file->tets.tet_count > 0));
    if (status) {
        return;
    }
    snTets t = file->tets;
    for (int32_t i = 0; i < 4 * t.tet_count; ++i) {
        require(t.tet[i] >= 0 && t.tet[i] < t.node_count);
    }
    checkPoints(t.position, t.node_count);
    snTetFacts facts;
    snMessage none = {""};
    snArena arena;
    snSurface s;
    int32_t crowded;
    snArena_Init(&arena, NULL);
    require(snTets_Mend(&t, NULL, &facts, &none) == sn_ok);
    require(t.tet_count + facts.flat + facts.duplicate == file->tets.tet_count);
    require(snTetFile_Tet(file, facts.worst) == -1 || facts.worst < file->tets.tet_count);
    require(snTets_Boundary(&arena, &t, &s, &crowded, &none) == sn_ok);
    require(s.triangle_count <= 4 * t.tet_count);
    snArena_Free(&arena);
}

#endif
