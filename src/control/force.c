// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "control/force.h"

#include "base/message.h"
#include "math/vec.h"

#define MOST_LENGTH 1e9 // m; beyond it positions lose their meaning

void snForceDef_Init(snForceDef* def)
{
    *def = (snForceDef){.size = sizeof(snForceDef), .radius = (double)INFINITY, .rate = 1};
}

snStatus snForces_Add(snForces* forces, const snForceDef* def, snMessage* why)
{
    snMessage_Clear(why);
    if (!def || def->size != sizeof(snForceDef)) {
        return snFail(why, sn_errorArgument,
                      "a field needs a def that was set up with snForceDef_Init");
    }
    if (def->kind < 0 || def->kind >= sn_forceKindCount ||
        (def->kind == sn_forceCall && !def->call)) {
        return snFail(why, sn_errorArgument,
                      "kind %d is none of the %d there are, or has no function to call",
                      (int)def->kind, sn_forceKindCount);
    }
    double most = def->kind == sn_forceWind ? 1e4 : 1e6;
    if (!(def->radius > 0) || !(snLength(def->place) <= MOST_LENGTH) ||
        !(snLength(def->value) <= most) || !(def->rate >= 0 && def->rate <= 1e4) ||
        !(fabs(def->towards) <= 1e6)) {
        return snFail(
            why, sn_errorArgument,
            "a field's radius must be above 0, its place within 1e9 m, rate in 0..1e4 1/s, "
            "accelerations within 1e6 m/s^2, wind within 1e4 m/s");
    }
    if (forces->count >= SN_MOST_FORCES) {
        return snFail(why, sn_errorArgument, "there are at most %d fields", SN_MOST_FORCES);
    }
    forces->fields[forces->count++] = *def;
    forces->edition++;
    return sn_ok;
}

void snForces_Clear(snForces* forces)
{
    forces->edition += forces->count > 0;
    forces->count = 0;
}

bool snForces_HasCall(const snForces* forces)
{
    bool any = false;
    for (int32_t i = 0; i < forces->count; ++i) {
        any |= forces->fields[i].kind == sn_forceCall;
    }
    return any;
}

// One field at full strength. Wind is taken at the end of the step, v' = v + h rate (air - v'), so
// that any rate is stable.
static snVec3 fieldAt(const snForceDef* f, double t, double h, snVec3 place, snVec3 v)
{
    snVec3 away = snSub(place, f->place);
    switch (f->kind) {
    case sn_forceUniform:
        return f->value;
    case sn_forceWind:
        return snScale(f->rate / (1 + h * f->rate), snSub(f->value, v));
    case sn_forcePoint:
        return snScale(-f->towards, snNormalize(away));
    default:
        return f->call(f->user, t, place, v);
    }
}

snVec3 snForces_At(const snForces* forces, double t, double h, snVec3 place, snVec3 v)
{
    snVec3 sum = snV3(0, 0, 0);
    for (int32_t i = 0; i < forces->count; ++i) {
        const snForceDef* f = &forces->fields[i];
        double part = 1 - snLengthSq(snSub(place, f->place)) / (f->radius * f->radius);
        if (part > 0) {
            sum = snMulAdd(sum, part * part, fieldAt(f, t, h, place, v));
        }
    }
    return sum;
}
