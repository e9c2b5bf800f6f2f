// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, given a checksum that fits, either become a character that can be stepped or get a
// message that names the file.
#include <sinew/sinew.h>

#include "archive.h"

#define MOST_CELLS 2000 // that are stepped

static void step(snCharacter* character)
{
    snMessage why;
    snScene* scene = NULL;
    snSim* sim = NULL;
    const snFleshInfo* flesh = snCharacter_Flesh(character);
    if (flesh && flesh->cell_count > MOST_CELLS) {
        return; // it would take too long
    }
    require(snScene_Create(NULL, NULL, &scene, &why) == sn_ok);
    if (!snScene_Add(scene, character, NULL, NULL, &why) && !snSim_Create(scene, &sim, &why) &&
        snSim_Step(sim) > 1e-4) {
        snStatus status = snSim_Advance(sim, 1.0 / 60, &why);
        require(status == sn_ok || status == sn_errorNumeric);
    }
    snSim_Free(sim);
    snScene_Free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count)
{
    Ration ration;
    snHost host = rationedHost(&ration, count, 100);
    snMessage why;
    snCharacter* character = NULL;
    uint8_t* copy = signedCopy(bytes, count);
    host.thread_count = 1;
    snStatus status = snCharacter_Parse(&host, copy, count, "it", &character, &why);
    require((status == sn_ok) == (character != NULL) && (status == sn_ok) == (why.text[0] == 0));
    require(status == sn_ok || strncmp(why.text, "it: ", 4) == 0);
    if (character) {
        step(character);
    }
    snCharacter_Release(character);
    free(copy);
    return 0;
}
