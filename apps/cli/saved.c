// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/saved.h"

#include "cli/cli.h"
#include "cli/kind.h"
#include "cli/rig_facts.h"

#include <sinew/body.h>
#include <stdio.h>

#define MOST_REGIONS 16 // that are listed

bool holdsControls(const char* path)
{
    snBodyFile* file = NULL;
    FILE* text = isFileOf(path, sn_fileControls) ? fopen(path, "rb") : NULL;
    int letter = text ? fgetc(text) : EOF;
    while (letter != EOF && letter != '"') { // the first key's
        letter = fgetc(text);
    }
    if (text) {
        fclose(text);
    }
    bool holds = letter == '"' && snBodyFile_Load(NULL, path, &file, NULL) == sn_ok;
    snBodyFile_Free(file);
    return holds;
}

int printSavedBody(const char* path)
{
    snMessage why;
    snBody* body = NULL;
    snStatus status = snBody_Load(NULL, path, &body, &why);
    if (status) {
        return complain(exitCode(status), "%s", why.text);
    }
    const snBodyInfo* f = snBody_Info(body);
    printRig(path, snBody_Rig(body));
    printf("flesh: %d cells of %.3g mm, %d nodes, of which %d soft; step %.3g ms; %d of %d places "
           "of the surface are soft\n",
           (int)f->cell_count, 1e3 * f->cell, (int)f->node_count, (int)f->soft_count, 1e3 * f->step,
           (int)f->soft_vertex_count, (int)f->vertex_count);
    for (int32_t i = 0; i < f->region_count && i < MOST_REGIONS; ++i) {
        const snBodyRegion* r = &f->regions[i];
        printf("  %-24s %8d cells %10.3g kg, slowest mode %.3g Hz\n",
               r->name[0] ? r->name : "(no name)", (int)r->cell_count, r->mass, r->hz);
    }
    if (f->region_count > MOST_REGIONS) {
        printf("  and %d smaller ones\n", (int)f->region_count - MOST_REGIONS);
    }
    snBody_Release(body);
    return EXIT_DONE;
}
