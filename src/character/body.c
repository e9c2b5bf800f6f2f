// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "character/body.h"

#include "character/body_maker.h"
#include "rig/bind_pose.h"

void snRigBodyDef_Init(snRigBodyDef* def)
{
    *def = (snRigBodyDef){
        .softness = 5, .damping = 0.2, .limit = 0.3, .inertia = 1, .quality = sn_qualityNormal};
}

static snStatus checkDef(const snRigBodyDef* def, snMessage* why)
{
    const struct {
        const char* name;
        double value, low, high;
    } fields[] = {
        {"softness", def->softness, 0.5, 50},
        {"damping", def->damping, 0, 2},
        {"limit", def->limit, 0.01, 1},
        {"inertia", def->inertia, 0, 2},
        {"gravity", def->gravity, -1, 2},
        {"shape", def->shape, 0, 1},
        {"quality", def->quality, 0, sn_qualityCount - 1},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        if (!(fields[i].value >= fields[i].low && fields[i].value <= fields[i].high)) {
            return snFail(why, sn_errorArgument, "%s must lie in %g..%g, found %g", fields[i].name,
                          fields[i].low, fields[i].high, fields[i].value);
        }
    }
    if (def->height != 0 && !(def->height >= 0.001 && def->height <= 1000)) {
        return snFail(why, sn_errorArgument, "height must lie in 0.001..1000 m, found %g",
                      def->height);
    }
    return sn_ok;
}

static snStatus findUnit(const snRig* rig, const snRigBodyDef* def, double* unit, snMessage* why)
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

static snStatus make(snBodyMaker* m, snMessage* why)
{
    snRigBody* out = m->out;
    snMatrix* bind = snArena_Push(&m->scratch, (size_t)out->rig->info.node_count, sizeof *bind);
    if (!bind) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    m->bind = bind;
    snStatus status = snRig_BindPose(out->rig, bind, why);
    status = status ? status : snRigWeld_Make(m->arena, out->rig, bind, &out->weld, why);
    for (int32_t v = 0; !status && v < out->weld.surface.vertex_count; ++v) {
        snVec3* p = &out->weld.surface.position[v];
        *p = snScale(out->unit, *p);
    }
    status = status ? status : snBodyMaker_Skin(m, why);
    status = status ? status : snBodyMaker_Flesh(m, why);
    return status ? status : snBodyMaker_Surface(m, why);
}

snStatus snRigBody_Make(snArena* arena, const snRig* rig, const snRigBodyDef* def, snRigBody* out,
                        snMessage* why)
{
    snBodyMaker m = {.def = def, .arena = arena, .out = out};
    *out = (snRigBody){.rig = rig, .def = *def};
    out->def.patterns = (snRigPatterns){0};
    snStatus status = checkDef(def, why);
    status = status ? status : findUnit(rig, def, &out->unit, why);
    if (status) {
        return status;
    }
    snArena_Init(&m.scratch, &arena->host);
    status = make(&m, why);
    snArena_Free(&m.scratch);
    return status;
}
