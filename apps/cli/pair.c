// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/pair.h"

#include <stdlib.h>

bool makePair(const Comparison* c, Pair* p)
{
    const snRigInfo *f = snRig_Info(c->before), *g = snRig_Info(c->after);
    size_t floats = 3 * (size_t)f->vertex_count + 1;
    *p = (Pair){.of = c,
                .nodes = calloc((size_t)g->node_count + 1, sizeof *p->nodes),
                .old_nodes = calloc((size_t)f->node_count + 1, sizeof *p->nodes),
                .old_weights = calloc((size_t)f->weight_count + 1, sizeof *p->weights),
                .weights = calloc((size_t)g->weight_count + 1, sizeof *p->weights),
                .old_positions = calloc(floats, sizeof *p->positions),
                .old_normals = calloc(floats, sizeof *p->positions),
                .positions = calloc(floats, sizeof *p->positions),
                .normals = calloc(floats, sizeof *p->positions),
                .colours = calloc(floats, sizeof *p->positions)};
    return p->nodes && p->old_nodes && p->old_weights && p->weights && p->old_positions &&
           p->old_normals && p->positions && p->normals && p->colours;
}

void freePair(Pair* p)
{
    free(p->nodes);
    free(p->old_nodes);
    free(p->old_weights);
    free(p->weights);
    free(p->old_positions);
    free(p->old_normals);
    free(p->positions);
    free(p->normals);
    free(p->colours);
}

// A motion is in the second alone.
snStatus posePair(Pair* p, double time, snMessage* why)
{
    const Comparison* c = p->of;
    double at = snRig_Clip(c->after, c->clip)->first + time;
    snStatus status = snRig_Pose(c->after, c->clip, at, p->nodes, p->weights, why);
    for (int32_t n = 0; n < snRig_Info(c->before)->node_count && !status; ++n) {
        p->old_nodes[n] = p->nodes[c->same[n]];
    }
    return status ? status
                  : snRig_Pose(c->before, c->old_clip, at, c->old_clip < 0 ? NULL : p->old_nodes,
                               p->old_weights, why);
}

snStatus skinPair(Pair* p, int32_t mesh, snMessage* why)
{
    const Comparison* c = p->of;
    snStatus status = snRig_Skin(c->before, mesh, p->old_nodes, p->old_weights, p->old_positions,
                                 p->old_normals, why);
    return status ? status
                  : snRig_Skin(c->after, mesh, p->nodes, p->weights, p->positions, p->normals, why);
}

bool showsMesh(const Pair* p, int32_t mesh)
{
    return snRig_Node(p->of->after, snRig_Mesh(p->of->after, mesh)->node)->is_shown;
}

snVec3 differenceAt(const Pair* p, int32_t vertex)
{
    const float *a = p->old_positions + 3 * (size_t)vertex, *b = p->positions + 3 * (size_t)vertex;
    double unit = p->of->unit;
    return (snVec3){unit * (double)(b[0] - a[0]), unit * (double)(b[1] - a[1]),
                    unit * (double)(b[2] - a[2])};
}
