// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Starfish in the four densities of cells of Kim & Pollard 2011 (Fig. 13, Table III) fall side by
// side, their joints limp: they should move alike. All take the same step, between those that
// the paper took for the last two: 3, 1, 0.5 and 0.2 ms.
#include "builtin.h"

#include "math/quat.h"
#include "scenes.h"

#define DEGREE 0.017453292519943295
#define APART 1.1   // m
#define HEIGHT 0.45 // m
#define TILT 25.0   // degrees: two arms land first, then the body tips over onto the others

snStatus snMakeFreeFall(const snHost* host, snScene** scene, snMessage* why)
{
    static const char* const NAMES[4] = {"starfish_coarse", "starfish", "starfish_fine",
                                         "starfish_very_fine"};
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 2;
    def.ground = 1;
    snStatus status = snScene_Create(host, &def, scene, why);
    for (int i = 0; i < 4 && !status; ++i) {
        snCharacter* starfish = NULL;
        snStart start;
        snStart_Init(&start);
        start.pose.p = snV3(APART * i, HEIGHT, 0);
        start.pose.q = snQFromAxisAngle(snV3(1, 0, 0), TILT * DEGREE);
        status = snBuiltinCharacter_Find(NAMES[i])->make(host, &starfish, why);
        status = status ? status : snScene_Add(*scene, starfish, &start, NULL, why);
        snCharacter_Release(starfish);
    }
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
