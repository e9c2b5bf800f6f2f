// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "character/body.h"

#include "character/body_maker.h"
#include "rig/bind_pose.h"

const char* snQuality_Name(int32_t quality)
{
    static const char* const NAMES[] = {"draft", "normal", "fine"};
    return quality >= 0 && quality < sn_qualityCount ? NAMES[quality] : NULL;
}

void snBodyDef_Init(snBodyDef* def)
{
    *def = (snBodyDef){.size = sizeof *def, .quality = sn_qualityNormal};
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        *snBodyDef_Number(def, c) = c->usual;
    }
}

snStatus snBodyDef_Check(const snBodyDef* def, snMessage* why)
{
    const struct {
        const char* name;
        int32_t value, high;
    } counts[] = {
        {"quality", def->quality, sn_qualityCount - 1},
        {"number of patterns of what is soft", def->soft_count, 1000},
        {"number of patterns of what is rigid", def->rigid_count, 1000},
    };
    if (def->size != sizeof *def) {
        return snFail(why, sn_errorArgument, "a body's def must be filled by snBodyDef_Init");
    }
    snBodyDef copy = *def;
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        double value = *snBodyDef_Number(&copy, c);
        if (!(value >= c->low && value <= c->high) && value != c->usual) {
            return snFail(why, sn_errorArgument, "%s must lie in %g..%g%s%s, found %g", c->name,
                          c->low, c->high, c->unit[0] ? " " : "", c->unit, value);
        }
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        if (counts[i].value < 0 || counts[i].value > counts[i].high) {
            return snFail(why, sn_errorArgument, "%s must lie in 0..%d, found %d", counts[i].name,
                          (int)counts[i].high, (int)counts[i].value);
        }
    }
    return sn_ok;
}

static snStatus findUnit(const snRig* rig, const snBodyDef* def, double* unit, snMessage* why)
{
    double tall = rig->info.high.y - rig->info.low.y;
    *unit = rig->info.unit;
    if (def->height > 0) {
        *unit = def->height / tall;
        return isfinite(*unit) && *unit > 0
                   ? sn_ok
                   : snFail(why, sn_errorArgument, "a rig that is flat has no height");
    }
    return *unit > 0 ? sn_ok
                     : snFail(why, sn_errorArgument,
                              "it is %g units tall, which could be any unit; say how tall it is in "
                              "metres (height)",
                              tall);
}

static snStatus goOn(const snBodyMaker* m, snMessage* why)
{
    const snHost* host = &m->arena->host;
    return host->interrupted && host->interrupted(host->user)
               ? snFail(why, sn_errorInterrupted, "interrupted while the body was made")
               : sn_ok;
}

static snStatus make(snBodyMaker* m, snMessage* why)
{
    snRigBody* out = m->out;
    snMatrix* bind = snArena_Push(&m->scratch, (size_t)out->rig->info.node_count, sizeof *bind);
    if (!bind) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    m->bind = bind;
    snStatus status = snRig_BindPose(out->rig, bind, why);
    status = status ? status : snRigWeld_Build(m->arena, out->rig, bind, &out->weld, why);
    for (int32_t v = 0; !status && v < out->weld.surface.vertex_count; ++v) {
        snVec3* p = &out->weld.surface.position[v];
        *p = snScale(out->unit, *p);
    }
    status = status ? status : goOn(m, why);
    status = status ? status : snBodyMaker_Skin(m, why);
    status = status ? status : goOn(m, why);
    status = status ? status : snBodyMaker_Flesh(m, why);
    status = status ? status : goOn(m, why);
    status = status ? status : snBodyMaker_Surface(m, why);
    return status ? status : snBodyMaker_Remark(m, why);
}

snStatus snRigBody_Build(snArena* arena, const snRig* rig, const snBodyDef* def, snRigBody* out,
                         snMessage* why)
{
    snBodyMaker m = {.def = def,
                     .patterns = {def->soft_count, def->rigid_count, def->soft, def->rigid},
                     .arena = arena,
                     .out = out};
    *out = (snRigBody){.rig = rig, .def = *def};
    out->def.soft_count = out->def.rigid_count = 0;
    out->def.soft = out->def.rigid = NULL;
    out->def.paint = NULL;
    snStatus status = snBodyDef_Check(def, why);
    status = status ? status : findUnit(rig, def, &out->unit, why);
    status = status ? status : snRigPatterns_Check(&m.patterns, rig, why);
    if (status) {
        return status;
    }
    snArena_Init(&m.scratch, &arena->host);
    status = make(&m, why);
    snArena_Free(&m.scratch);
    return status;
}

// Facts ----------------------------------------------------------------------------

// How much of its flesh's motion each welded vertex has
static void findSoftness(const snRigBody* body, float* welded)
{
    for (int32_t v = 0; v < body->weld.surface.vertex_count; ++v) {
        const snTie* tie = &body->ties[v];
        float sum = tie->weight[0] + tie->weight[1] + tie->weight[2] + tie->weight[3];
        welded[v] = tie->node[0] >= 0 ? fminf(fmaxf(sum, 0), 1) : 0;
    }
    for (int32_t r = 0; r < body->rider_count; ++r) {
        const snRider* rider = &body->riders[r];
        float mean = 0;
        for (int32_t i = 0; i < 3 * rider->ride_count; ++i) {
            const snRide* ride = &body->rides[rider->ride_begin + i / 3];
            mean += ride->weight[i % 3] * welded[ride->vertex[i % 3]] / (float)rider->ride_count;
        }
        for (int32_t i = 0; i < rider->vertex_count; ++i) {
            welded[body->riding[rider->vertex_begin + i]] = mean;
        }
    }
}

snStatus snBody_Finish(snBody* body, snMessage* why)
{
    const snRigBody* made = &body->made;
    const snRigWeld* weld = &made->weld;
    size_t vertices = (size_t)weld->first[weld->instance_count];
    size_t welded_count = (size_t)weld->surface.vertex_count;
    snArena* arena = &body->arena;
    float* softness = snArena_Push(arena, vertices, sizeof *softness);
    float* welded = snArena_Push(arena, welded_count, sizeof *welded);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    findSoftness(made, welded);
    for (size_t v = 0; v < vertices; ++v) {
        softness[v] = welded[weld->map[v]];
    }
    body->info = (snBodyInfo){.unit = made->unit,
                              .size = made->size,
                              .softness = made->def.softness,
                              .cell = made->cell,
                              .step = made->step.rest,
                              .cell_count = made->tets.tet_count,
                              .node_count = made->tets.node_count,
                              .vertex_count = weld->surface.vertex_count,
                              .joint_count = made->joint_count,
                              .shells_flesh = made->shells.flesh,
                              .shells_riding = made->shells.riding,
                              .shells_draped = made->shells.draped,
                              .shells_fixed = made->shells.fixed,
                              .vertex_softness = softness,
                              .remark = made->remark ? made->remark : ""};
    for (int32_t i = 0; i < made->tets.node_count; ++i) {
        body->info.soft_count += !made->held[i];
    }
    for (size_t v = 0; v < welded_count; ++v) {
        body->info.soft_vertex_count += welded[v] > 0;
    }
    snStatus status = snBody_ListRegions(body, why);
    return status ? status : snBody_BuildTable(body, why);
}

// Objects --------------------------------------------------------------------------

snBody* snBody_New(const snHost* host, snRig* rig)
{
    snBody* body = snHost_Allocate(host, sizeof *body);
    if (body) {
        body->host = *host;
        snOwners_Init(&body->owners);
        snArena_Init(&body->arena, host);
        body->rig = snRig_Retain(rig);
    }
    return body;
}

snStatus snBody_Build(const snHost* host, snRig* rig, const snBodyDef* def, snBody** out,
                      snMessage* why)
{
    snHost taken;
    if (!out || !rig || !def) {
        return snFail(why, sn_errorArgument, "a rig, a def and a place for the body are needed");
    }
    *out = NULL;
    snStatus status = snHost_Take(host, &taken, why);
    snBody* body = status ? NULL : snBody_New(&taken, rig);
    if (!body) {
        return status ? status : snFail(why, sn_errorMemory, "out of memory");
    }
    status = snRigBody_Build(&body->arena, rig, def, &body->made, why);
    status = status ? status : snBody_Finish(body, why);
    if (status) {
        snBody_Release(body);
        return status;
    }
    *out = body;
    return sn_ok;
}

snBody* snBody_Retain(snBody* body)
{
    if (body) {
        snOwners_Add(&body->owners);
    }
    return body;
}

void snBody_Release(snBody* body)
{
    if (body && snOwners_Drop(&body->owners)) {
        snHost host = body->host;
        snArena_Free(&body->arena);
        snRig_Release(body->rig);
        snHost_Release(&host, body, sizeof *body);
    }
}

const snBodyInfo* snBody_Info(const snBody* body)
{
    return body ? &body->info : NULL;
}

snRig* snBody_Rig(const snBody* body)
{
    return body ? body->rig : NULL;
}
