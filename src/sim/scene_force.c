// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Force fields of a scene.
#include "base/message.h"
#include "math/vec.h"
#include "sim/scene.h"

void snForceDef_Init(snForceDef* def)
{
    *def = (snForceDef){.size = sizeof(snForceDef), .radius = (double)INFINITY, .rate = 1};
}

snStatus snScene_AddForce(snScene* scene, const snForceDef* def, snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !def || def->size != sizeof(snForceDef)) {
        return snFail(why, sn_errorArgument,
                      "a field needs a scene and a def that was set up with snForceDef_Init");
    }
    if (def->kind < 0 || def->kind >= sn_forceKindCount ||
        (def->kind == sn_forceCall && !def->call)) {
        return snFail(why, sn_errorArgument,
                      "kind %d is none of the %d there are, or has no function to call",
                      (int)def->kind, sn_forceKindCount);
    }
    double most = def->kind == sn_forceWind ? 1e4 : 1e6;
    if (!(def->radius > 0) || !(snLength(def->place) <= SN_MOST_LENGTH) ||
        !(snLength(def->value) <= most) || !(def->rate >= 0 && def->rate <= 1e4) ||
        !(fabs(def->towards) <= 1e6)) {
        return snFail(
            why, sn_errorArgument,
            "a field's radius must be above 0, its place within 1e9 m, rate in 0..1e4 1/s, "
            "accelerations within 1e6 m/s^2, wind within 1e4 m/s");
    }
    if (scene->world.field_count >= SN_MOST_FORCES) {
        return snFail(why, sn_errorArgument, "a scene has at most %d fields", SN_MOST_FORCES);
    }
    scene->world.fields[scene->world.field_count++] = *def;
    scene->world.field_edition++;
    return sn_ok;
}

void snScene_ClearForces(snScene* scene)
{
    if (scene && scene->world.field_count > 0) {
        scene->world.field_count = 0;
        scene->world.field_edition++;
    }
}
