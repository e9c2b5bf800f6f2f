// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Force fields of a scene.
#include "base/message.h"
#include "sim/scene.h"

snStatus snScene_AddForce(snScene* scene, const snForceDef* def, snMessage* why)
{
    if (!scene) {
        return snFail(why, sn_errorArgument, "a field needs a scene");
    }
    bool runs = scene->sim_count > 0;
    snStatus status = runs ? snMethod_Require(scene->method, sn_doesFields, why) : sn_ok;
    return status ? status : snForces_Add(&scene->world.forces, def, why);
}

void snScene_ClearForces(snScene* scene)
{
    if (scene) {
        snForces_Clear(&scene->world.forces);
    }
}
