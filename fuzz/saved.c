// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, given a checksum that fits, either become a body that can be played or get a message
// that names the file.
#include <sinew/sinew.h>

#include "archive.h"

#define FRAMES 2
#define MOST_CELLS 2000 // that are played

static void play(snBody* body)
{
    snMessage why;
    snFollow* follow = NULL;
    snFollowDef def;
    const snRig* rig = snBody_Rig(body);
    const snBodyInfo* info = snBody_Info(body);
    size_t vertices = (size_t)snRig_Info(rig)->vertex_count;
    if (info->step < 1e-4 || info->cell_count > MOST_CELLS) {
        return; // it would take too long
    }
    snFollowDef_Init(&def);
    def.motion = snRig_Info(rig)->clip_count > 0 ? sn_motionNone : sn_motionHop;
    def.loop = 0;
    if (snFollow_Create(body, &def, &follow, &why)) {
        return;
    }
    float* positions = calloc(3 * vertices + 1, sizeof *positions);
    float* normals = calloc(3 * vertices + 1, sizeof *normals);
    require(positions && normals);
    for (int i = 0; i < FRAMES; ++i) {
        for (int32_t m = 0; m < snRig_Info(rig)->mesh_count && m < 4; ++m) {
            (void)snFollow_Surface(follow, m, positions, normals, &why);
        }
        snStatus status = snFollow_Advance(follow, &why);
        require(status == sn_ok || status == sn_errorNumeric);
    }
    free(positions);
    free(normals);
    snFollow_Free(follow);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count)
{
    Ration ration;
    snHost host = rationedHost(&ration, count, 100);
    snMessage why;
    snBody* body = NULL;
    uint8_t* copy = signedCopy(bytes, count);
    host.thread_count = 1;
    snStatus status = snBody_Parse(&host, copy, count, "hero.body", &body, &why);
    require((status == sn_ok) == (body != NULL) && (status == sn_ok) == (why.text[0] == 0));
    require(status == sn_ok || strncmp(why.text, "hero.body: ", 11) == 0);
    if (body) {
        play(body);
    }
    snBody_Release(body);
    free(copy);
    return 0;
}
