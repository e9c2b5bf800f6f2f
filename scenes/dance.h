// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Fatman dances to a clip.
#ifndef SINEW_SCENES_DANCE_H
#define SINEW_SCENES_DANCE_H

#include <sinew/clip.h>

// The scene `dancing_fatman`: the groove (groove.h) on Fatman, one-way as in Kim & Pollard 2011.
snStatus snMakeDancingFatman(const snHost* host, snScene** scene, snMessage* why);

// Plays the groove on a character of the scene; report may be NULL.
snStatus snPlayGroove(const snHost* host, snScene* scene, int32_t who, snPlayReport* report,
                      snMessage* why);

#endif
