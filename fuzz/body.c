// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any text either becomes the def of a body, with every number in its range, or gets a message that
// names the file and the place.
#include <sinew/sinew.h>
#include <string.h>

#include "ration.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count)
{
    static const char START[] = "hero.sinew.json: line ";
    Ration ration;
    snHost host = rationedHost(&ration, count, 200); // as of any JSON
    snBodyFile* file = NULL;
    snMessage why;
    snStatus status =
        snBodyFile_Parse(&host, (const char*)bytes, count, "hero.sinew.json", &file, &why);
    require((status == sn_ok) == (file != NULL) && (status == sn_ok) == (why.text[0] == 0));
    require(status == sn_ok || status == sn_errorMemory ||
            (status == sn_errorFile && strncmp(why.text, START, sizeof START - 1) == 0));
    if (file) {
        snBodyDef def = *snBodyFile_Def(file);
        for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
            double value = *snBodyDef_Number(&def, c);
            require((value >= c->low && value <= c->high) || value == c->usual);
        }
        require(snQuality_Name(def.quality) != NULL);
        for (int32_t i = 0; i < def.soft_count; ++i) {
            require(def.soft[i][0] != 0);
        }
        for (int32_t i = 0; i < def.rigid_count; ++i) {
            require(def.rigid[i][0] != 0);
        }
    }
    snBodyFile_Free(file);
    return 0;
}
