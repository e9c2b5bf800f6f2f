// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The built-in scenes that have a file of their own.
#ifndef SINEW_SCENES_BUILTIN_H
#define SINEW_SCENES_BUILTIN_H

#include <sinew/sinew.h>

snStatus snMakeFatmanStairs(const snHost* host, snScene** scene, snMessage* why);
snStatus snMakeStarfishBowl(const snHost* host, snScene** scene, snMessage* why);
snStatus snMakeFreeFall(const snHost* host, snScene** scene, snMessage* why);
snStatus snMakeGlassBox(const snHost* host, snScene** scene, snMessage* why);
snStatus snMakeJumpTurnStarfish(const snHost* host, snScene** scene, snMessage* why);
snStatus snMakeRollingWorm(const snHost* host, snScene** scene, snMessage* why);
snStatus snMakeJumpingFish(const snHost* host, snScene** scene, snMessage* why);
snStatus snMakeTugOfWar(const snHost* host, snScene** scene, snMessage* why);

#endif
