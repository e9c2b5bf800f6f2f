// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What of a rig should be soft, as its user says, and is not.

#include <stdio.h>
#include <string.h>

#include "character/body_maker.h"

// A part of which less than this moves with the flesh follows its skinning.
#define NOTHING 0.05

// What is thicker than this many cells is rigid for other reasons: near a bone.
#define THICKEST 2.5

// Names in a line
#define MOST_NAMES 3

// What a joint moves, or a mesh instance, sums over its vertices in the flesh's skin
typedef struct Part {
    const char* name;
    double all, soft, thickness;
} Part;

static void addVertex(const snBodyMaker* m, int32_t solid, double weight, Part* part)
{
    const snTie* tie = &m->out->ties[m->welded[solid]];
    double soft = 0;
    for (int k = 0; k < 4 && tie->node[0] >= 0; ++k) {
        soft += (double)tie->weight[k];
    }
    part->all += weight;
    part->soft += weight * soft;
    part->thickness += weight * m->thickness[solid];
}

static void addJoints(const snBodyMaker* m, Part* parts)
{
    const snRigBody* out = m->out;
    for (int32_t j = 0; j < out->joint_count; ++j) {
        parts[j].name = out->rig->nodes[out->joint[j]].name;
    }
    for (int32_t v = 0; v < m->skin.vertex_count; ++v) {
        for (int32_t i = m->skin.first[v]; i < m->skin.first[v + 1]; ++i) {
            addVertex(m, v, (double)m->skin.weight[i], &parts[m->skin.joint[i]]);
        }
    }
}

static void addMeshes(const snBodyMaker* m, Part* parts)
{
    const snRigWeld* weld = &m->out->weld;
    for (int32_t k = 0; k < weld->instance_count; ++k) {
        parts[k].name = m->out->rig->instances[k].info.name;
        for (int32_t v = weld->first[k]; v < weld->first[k + 1]; ++v) {
            int32_t solid = m->solid_of[weld->map[v]];
            if (solid >= 0) {
                addVertex(m, solid, 1, &parts[k]);
            }
        }
    }
}

static bool isAsked(const snRigPatterns* p, const char* name)
{
    bool asked = false;
    for (int32_t i = 0; i < p->soft_count; ++i) {
        asked = asked || snRigPattern_Matches(p->soft[i], name);
    }
    for (int32_t i = 0; i < p->rigid_count; ++i) {
        asked = asked && !snRigPattern_Matches(p->rigid[i], name);
    }
    return asked;
}

static bool isThin(const snBodyMaker* m, const Part* part, bool asked)
{
    return asked && part->all > 0 && part->soft < NOTHING * part->all &&
           part->thickness < THICKEST * m->out->cell * part->all;
}

static snStatus say(const snBodyMaker* m, const Part* thin, int32_t count, snMessage* why)
{
    char text[512], names[256] = "";
    size_t length = 0;
    double thickest = 0;
    for (int32_t i = 0; i < count; ++i) {
        thickest = fmax(thickest, thin[i].thickness / thin[i].all);
        if (i < MOST_NAMES) {
            length += (size_t)snprintf(names + length, sizeof names - length, "%s'%.60s'",
                                       i ? ", " : "", thin[i].name);
        }
    }
    if (count > MOST_NAMES) {
        (void)snprintf(names + length, sizeof names - length, " and %d more",
                       (int)(count - MOST_NAMES));
    }
    (void)snprintf(text, sizeof text,
                   "%s should be soft, but %s its skinning: at most %.3g mm thick, too thin for "
                   "cells of %.3g mm%s",
                   names, count > 1 ? "each follows" : "follows", 1e3 * thickest,
                   1e3 * m->out->cell,
                   m->def->quality < sn_qualityFine ? "; a finer quality has smaller ones" : "");
    m->out->remark = snArena_String(m->arena, text, strlen(text));
    return m->out->remark ? sn_ok : snFail(why, sn_errorMemory, "out of memory");
}

snStatus snBodyMaker_Remark(snBodyMaker* m, snMessage* why)
{
    const snRigBody* out = m->out;
    int32_t joints = out->joint_count, all = joints + out->weld.instance_count, count = 0;
    if (m->patterns.soft_count == 0) {
        return sn_ok;
    }
    Part* parts = snArena_Push(&m->scratch, (size_t)all, sizeof *parts);
    if (!parts) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    addJoints(m, parts);
    addMeshes(m, parts + joints);
    for (int32_t i = 0; i < all; ++i) {
        bool asked = i < joints
                         ? isAsked(&m->patterns, parts[i].name)
                         : snRigSoft_Instance(&out->rig->instances[i - joints], &m->patterns) == 1;
        if (isThin(m, &parts[i], asked)) {
            parts[count++] = parts[i];
        }
    }
    return count > 0 ? say(m, parts, count, why) : sn_ok;
}
