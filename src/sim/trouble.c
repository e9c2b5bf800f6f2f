// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the guard says of trouble.
#include <sinew/sim.h>
#include <stdbool.h>

static const char* const TEXTS[sn_troubleCount] = {
    [sn_troubleNone] = "is fine",
    [sn_troubleSpeed] = "moves faster than 1e5 rad/s or m/s, or is not a number any more",
    [sn_troubleNotFinite] = "has flesh that is not a number any more",
    [sn_troubleCells] = "has flesh that moves through ten cells in one step",
    [sn_troubleEnergy] = "has flesh that gains energy from nowhere",
    [sn_troubleStruck] = "is struck so fast that steps are too long for it",
    [sn_troubleCrowded] = "is in the way of too many others",
    [sn_troubleSingular] = "has nothing to move in this pose",
    [sn_troubleStiff] = "has flesh squeezed so much that steps are too long for its stiffness",
};

static const char* const ADVICE[sn_troubleCount] = {
    [sn_troubleNone] = "nothing is to be done",
    [sn_troubleSpeed] = "try weaker drives, a calmer start or a shorter step",
    [sn_troubleNotFinite] = "try weaker drives, a calmer start or a shorter step",
    [sn_troubleCells] = "try weaker drives, a calmer start or a shorter step",
    [sn_troubleEnergy] = "try a pose bent less, damping, or a shorter step",
    [sn_troubleStruck] = "try a slower blow or a shorter step",
    [sn_troubleCrowded] = "let fewer bodies start in one place",
    [sn_troubleSingular] = "give the bone a mass, or another start pose",
    [sn_troubleStiff] = "try a pose bent less, or a shorter step",
};

static bool isTrouble(int32_t trouble)
{
    return trouble >= 0 && trouble < sn_troubleCount;
}

const char* snTrouble_Text(int32_t trouble)
{
    return isTrouble(trouble) ? TEXTS[trouble] : "is in unknown trouble";
}

const char* snTrouble_Advice(int32_t trouble)
{
    return isTrouble(trouble) ? ADVICE[trouble] : "try shorter steps";
}
