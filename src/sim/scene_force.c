// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Force fields of a scene.
#include "base/message.h"
#include "sim/scene.h"

snStatus snScene_AddForce(snScene* scene, const snForceDef* def, snMessage* why)
{
    return scene ? snForces_Add(&scene->world.forces, def, why)
                 : snFail(why, sn_errorArgument, "a field needs a scene");
}

void snScene_ClearForces(snScene* scene)
{
    if (scene) {
        snForces_Clear(&scene->world.forces);
    }
}
