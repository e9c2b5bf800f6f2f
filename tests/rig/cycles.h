// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Clips of the shared rigs that are made to go round.
#ifndef SN_TESTS_RIG_CYCLES_H
#define SN_TESTS_RIG_CYCLES_H

#include <stdbool.h>
#include <string.h>

// Cycles of all kinds: closed, a step short, uneven, with a leg that strays; and what ends
// elsewhere
static const char* const CYCLES[][2] = {{"CesiumMan", ""},          {"greenman", "2_move"},
                                        {"greenman", "3_attack"},   {"horse", "Walk"},
                                        {"horse", "Run"},           {"horse", "Trot"},
                                        {"snake", "Idle"},          {"snake", "Dance"},
                                        {"snake", "Side winding"},  {"kaiju", "Idle"},
                                        {"kaiju", "Walk"},          {"kaiju", "Walk RM"},
                                        {"dragon", "Walk"},         {"dragon", "Fly Flap"},
                                        {"Manta", "Armature|Swim"}, {"Trex", "Armature|TRex_Run"},
                                        {"Robot", "Dance"},         {"Barbarian", "Walking_C"},
                                        {"Barbarian", "Running_A"}};

static inline bool isCycle(const char* rig, const char* clip)
{
    for (size_t i = 0; i < sizeof CYCLES / sizeof *CYCLES; ++i) {
        if (!strncmp(rig, CYCLES[i][0], strlen(CYCLES[i][0])) && !strcmp(clip, CYCLES[i][1])) {
            return true;
        }
    }
    return false;
}

#endif
