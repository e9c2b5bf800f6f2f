// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What trails: tails and the like, from their roots to their tips.

#include "character/body_maker.h"

// The nearest joint of the list above each, -1: none. Parents come first.
static void findAbove(const snRigBody* out, int32_t* place, int32_t* above)
{
    const snRig* rig = out->rig;
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        place[n] = -1;
    }
    for (int32_t j = 0; j < out->joint_count; ++j) {
        int32_t up = rig->nodes[out->joint[j]].parent;
        while (up >= 0 && place[up] < 0) {
            up = rig->nodes[up].parent;
        }
        place[out->joint[j]] = j;
        above[j] = up >= 0 ? place[up] : -1;
    }
}

// How much of a vertex each tail moves: adds weight times `by` to sum, by their first joints
static void addTails(const snBodyMaker* m, const int32_t* tail, int32_t vertex, double by,
                     double* sum)
{
    for (int32_t k = m->skin.first[vertex]; k < m->skin.first[vertex + 1]; ++k) {
        int32_t first = tail[m->skin.joint[k]];
        if (first >= 0) {
            sum[first] += by * (double)m->skin.weight[k];
        }
    }
}

// Mean thickness of each tail over its skin
static void measureTails(const snBodyMaker* m, const int32_t* tail, double* thick, double* area)
{
    const snSurface* s = &m->solid;
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        const int32_t* n = s->triangle + 3 * (ptrdiff_t)t;
        snVec3 a = s->position[n[0]], b = s->position[n[1]], c = s->position[n[2]];
        double size = snLength(snCross(snSub(b, a), snSub(c, a))) / 6;
        for (int k = 0; k < 3; ++k) {
            addTails(m, tail, n[k], size * m->thickness[n[k]], thick);
            addTails(m, tail, n[k], size, area);
        }
    }
    for (int32_t j = 0; j < m->out->joint_count; ++j) {
        thick[j] = area[j] > 0 ? thick[j] / area[j] : 0;
    }
}

snStatus snBodyMaker_Trail(snBodyMaker* m, snMessage* why)
{
    snRigBody* out = m->out;
    size_t joints = (size_t)out->joint_count, vertices = (size_t)m->solid.vertex_count;
    int32_t* place = snArena_Push(&m->scratch, (size_t)out->rig->info.node_count, sizeof *place);
    int32_t* above = snArena_Push(&m->scratch, joints, sizeof *above);
    int32_t* tail = snArena_Push(&m->scratch, joints, sizeof *tail);
    double* thick = snArena_Push(&m->scratch, joints, sizeof *thick);
    double* area = snArena_Push(&m->scratch, joints, sizeof *area);
    m->is_tail = snArena_Push(&m->scratch, joints, 1);
    m->bulk = snArena_Push(&m->scratch, vertices, sizeof *m->bulk);
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    findAbove(out, place, above);
    for (int32_t j = 0; j < out->joint_count; ++j) {
        m->is_tail[j] = snRigSoft_IsTail(out->rig->nodes[out->joint[j]].name);
        tail[j] = !m->is_tail[j] ? -1 : above[j] >= 0 && tail[above[j]] >= 0 ? tail[above[j]] : j;
    }
    measureTails(m, tail, thick, area);
    for (int32_t v = 0; v < m->solid.vertex_count; ++v) {
        m->bulk[v] = m->thickness[v];
        for (int32_t k = m->skin.first[v]; k < m->skin.first[v + 1]; ++k) {
            int32_t first = tail[m->skin.joint[k]];
            double more = first >= 0 ? thick[first] - m->thickness[v] : 0;
            m->bulk[v] += more > 0 ? (double)m->skin.weight[k] * more : 0;
        }
    }
    return sn_ok;
}

double snBodyMaker_Tether(const snBodyMaker* m, const snNodeWeights* w)
{
    double sum = 0;
    for (int k = 0; k < SN_WEIGHTS_MOST && w->joint[k] >= 0; ++k) {
        sum += m->is_tail[w->joint[k]] ? (double)w->weight[k] : 0;
    }
    return fmin(sum, 1);
}
