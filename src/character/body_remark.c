// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What of a rig should be soft, as its user or its names say, and is too thin for it.

#include <stdio.h>
#include <string.h>

#include "character/body_maker.h"

// A part of which less than this moves with the flesh follows its skinning.
#define NOTHING 0.05

// What is thicker than this many cells is rigid for other reasons: near a bone.
#define THICKEST 2.5

// Joints that carry less than this part of the skin are not worth a word.
#define SMALL 0.01

// Names in a line
#define MOST_NAMES 3

// What a joint moves, or a mesh instance, sums over its vertices in the flesh's skin
typedef struct Part {
    const char* name;
    double all, soft, thickness;
    double wanted; // how much of it should be soft
} Part;

static void addVertex(const snBodyMaker* m, int32_t solid, double weight, Part* part)
{
    const snTie* tie = &m->out->ties[m->welded[solid]];
    double soft = 0;
    for (int k = 0; k < 4 && tie->node[0] >= 0; ++k) {
        soft += (double)tie->weight[k];
    }
    part->all += weight;
    part->wanted += weight * (double)m->soft[solid];
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

static const char* lengthText(double length, char out[32])
{
    (void)snprintf(out, 32, length < 1 ? "%.3g mm" : "%.3g m", length < 1 ? 1e3 * length : length);
    return out;
}

// asked: by patterns
static snStatus say(const snBodyMaker* m, const Part* thin, int32_t count, bool asked,
                    snMessage* why)
{
    char text[512], names[256] = "", thick[32], cell[32];
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
    (void)snprintf(
        text, sizeof text, "%s%s its skinning: at most %s thick, too thin for cells of %s%s", names,
        asked ? (count > 1 ? " should be soft, but each follows" : " should be soft, but follows")
        : count > 1 ? ": each follows"
                    : " follows",
        lengthText(thickest, thick), lengthText(m->out->cell, cell),
        m->def->quality < sn_qualityFine ? "; a finer quality has smaller ones" : "");
    m->out->remark = snArena_String(m->arena, text, strlen(text));
    return m->out->remark ? sn_ok : snFail(why, sn_errorMemory, "out of memory");
}

snStatus snBodyMaker_Remark(snBodyMaker* m, snMessage* why)
{
    const snRigBody* out = m->out;
    int32_t joints = out->joint_count, all = joints + out->weld.instance_count, count = 0;
    Part* parts = snArena_Push(&m->scratch, (size_t)all, sizeof *parts);
    Part* thin = snArena_Push(&m->scratch, (size_t)all, sizeof *thin);
    if (!parts || !thin) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    addJoints(m, parts);
    addMeshes(m, parts + joints);
    for (int32_t i = 0; i < all; ++i) {
        bool asked = i < joints
                         ? isAsked(&m->patterns, parts[i].name)
                         : snRigSoft_Instance(&out->rig->instances[i - joints], &m->patterns) == 1;
        if (isThin(m, &parts[i], asked)) {
            thin[count++] = parts[i];
        }
    }
    if (count > 0) {
        return say(m, thin, count, true, why);
    }
    for (int32_t i = 0; i < joints; ++i) {
        bool wanted =
            parts[i].wanted > 0.5 * parts[i].all && parts[i].all > SMALL * m->skin.vertex_count;
        if (isThin(m, &parts[i], wanted)) {
            thin[count++] = parts[i];
        }
    }
    return count > 0 ? say(m, thin, count, false, why) : sn_ok;
}
