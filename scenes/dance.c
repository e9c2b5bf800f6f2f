// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "dance.h"

#include "groove.h"
#include "scenes.h"
#include <stdio.h>
#include <stdlib.h>

snStatus snPlayGroove(const snHost* host, snScene* scene, int32_t who, snPlayReport* report,
                      snMessage* why)
{
    snClip* clip = NULL;
    char* text = malloc(SN_GROOVE_SIZE);
    if (!text) {
        snprintf(why->text, sizeof why->text, "no memory for the groove");
        return sn_errorMemory;
    }
    size_t length = snGroove_Write(text);
    snStatus status = snClip_Parse(host, text, length, "groove.bvh", NULL, &clip, why);
    status = status ? status : snScene_PlayClip(scene, who, clip, NULL, report, why);
    snClip_Free(clip);
    free(text);
    return status;
}

snStatus snMakeDancingFatman(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 8.75; // lead and clip
    def.step = 0.5e-3;   // the paper's; feet follow the clip whatever the ground does
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    int32_t who;
    snCharacter* character = NULL;
    status = snBuiltinCharacter_Find("fatman")->make(host, &character, why);
    status = status ? status : snScene_Add(*scene, character, NULL, &who, why);
    status = status ? status : snPlayGroove(host, *scene, who, NULL, why);
    snCharacter_Release(character);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
