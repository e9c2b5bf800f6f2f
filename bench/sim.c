// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim.h"

#include "base/message.h"
#include <stdio.h>
#include <stdlib.h>

snStatus snBenchSim_Open(snBenchSim* s, snScene* scene, double warm, snMessage* why)
{
    *s = (snBenchSim){.rate = snScene_Def(scene)->frame_rate, .frames = 1, .why = why};
    s->status = snSim_Create(scene, &s->sim, why);
    s->status = s->status ? s->status : snSim_Advance(s->sim, warm, why);
    if (s->status) {
        return s->status;
    }
    s->start = malloc(snSim_StateSize(s->sim));
    if (!s->start) {
        return s->status = snFail(why, sn_errorMemory, "out of memory");
    }
    snSim_Save(s->sim, s->start);
    return sn_ok;
}

void snBenchSim_Close(snBenchSim* s)
{
    snSim_Free(s->sim);
    free(s->start);
}

void snBenchSim_Rewind(void* sim)
{
    snBenchSim* s = sim;
    if (!s->status) {
        s->status = snSim_Restore(s->sim, s->start, snSim_StateSize(s->sim), s->why);
    }
}

void snBenchSim_Run(void* sim, int n)
{
    snBenchSim* s = sim;
    for (int i = 0; i < n * s->frames && !s->status; ++i) {
        s->status = snSim_Advance(s->sim, 1 / s->rate, s->why);
        snSim_Frame(s->sim);
    }
}

void snBenchSim_NoteGuard(const snBenchOut* out, const char* name, snBenchSim* s)
{
    const snGuardCounts guard = snSim_Frame(s->sim)->guard;
    if (guard.retries > 0) {
        char text[160];
        snprintf(text, sizeof text, "%s at steps of %.3g ms: the guard did %lld frames again", name,
                 1e3 * snSim_Step(s->sim), (long long)guard.retries);
        out->note(out->user, text);
    }
}
