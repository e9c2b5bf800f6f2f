// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Drags of a scene's characters.
#include "base/message.h"
#include "sim/scene.h"

// The drags of a character, made when they are first wanted.
static snStatus findDrags(snScene* scene, int32_t who, snDrags** drags, snMessage* why)
{
    snMessage_Clear(why);
    *drags = NULL;
    if (!scene || who < 0 || who >= scene->world.actor_count) {
        return snFail(why, sn_errorArgument, "there is no character %d", (int)who);
    }
    snActor* actor = &scene->world.actors[who];
    snStatus status = sn_ok;
    if (!actor->drags && scene->sim_count > 0) {
        return snFail(why, sn_errorArgument,
                      "sims have made no room for dragging character '%s'; call snScene_SetDirect "
                      "before they are made",
                      actor->character->name);
    }
    if (!actor->drags) {
        status = snDrags_Create(&scene->host, actor->character->skeleton, &actor->drags, why);
    }
    *drags = actor->drags;
    return status;
}

snStatus snScene_AddDrag(snScene* scene, int32_t who, const snDragDef* def, snMessage* why)
{
    snDrags* drags;
    snStatus status = findDrags(scene, who, &drags, why);
    return status ? status
                  : snDrags_Add(drags, scene->world.actors[who].character->skeleton, def, why);
}

snStatus snScene_ClearDrags(snScene* scene, int32_t who, snMessage* why)
{
    snDrags* drags;
    snStatus status = findDrags(scene, who, &drags, why);
    if (!status) {
        snDrags_Clear(drags);
    }
    return status;
}

snStatus snScene_SetDirect(snScene* scene, int32_t who, const snDirectDef* def, snMessage* why)
{
    snDrags* drags;
    snStatus status = findDrags(scene, who, &drags, why);
    return status ? status
                  : snDrags_Set(drags, scene->world.actors[who].character->skeleton, def, why);
}
