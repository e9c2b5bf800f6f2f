// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/source.h"

#include "cli/cli.h"
#include "cli/kind.h"

#include <math.h>

// Times of films and frames that are nearer than this are the same, s.
#define SAME_TIME 1e-6

// The frame of an animation that is shown at a time: the last one that is not later.
static snStatus findFrame(Source* s, double time, snMessage* why)
{
    const snFrame* frame;
    int64_t count = snAnimation_FrameCount(s->animation);
    while (s->number + 1 < count &&
           snAnimation_Time(s->animation, s->number + 1) <= time + SAME_TIME) {
        s->number++;
    }
    snStatus status = snAnimation_Frame(s->animation, s->number, &frame, why);
    if (!status) {
        s->held = *frame;
        s->held.time = time;
    }
    return status;
}

int openSource(const snHost* host, const char* word, const BodyOptions* body,
               const PlaybackOptions* playback, Source* s)
{
    snMessage why;
    snStatus status = sn_ok;
    *s = (Source){0};
    int code = isFileOf(word, sn_fileFrames) ? openPlayback(host, word, playback, &s->animation)
                                             : openScene(host, word, body, &s->scene);
    if (!code) {
        status = s->scene ? snSim_Create(s->scene, &s->sim, &why) : findFrame(s, 0, &why);
    }
    return status ? complain(exitCode(status), "%s: %s", word, why.text) : code;
}

double sourceDuration(const Source* s)
{
    return s->scene ? snScene_Def(s->scene)->duration : endOfPlayback(s->animation);
}

const snFrame* sourceFrame(Source* s)
{
    return s->sim ? snSim_Frame(s->sim) : &s->held;
}

snStatus advanceSource(Source* s, double time, double duration, Progress* progress, snMessage* why)
{
    if (!s->sim) {
        return findFrame(s, time, why);
    }
    // a frame at a time, for the sake of progress and Ctrl-C
    snStatus status = sn_ok;
    while (!status && !stopCount() && s->asked < time) {
        double dt = fmin(time - s->asked, 1 / snScene_Def(s->scene)->frame_rate);
        status = snSim_Advance(s->sim, dt, why);
        s->asked += dt;
        showProgress(progress, snSim_Time(s->sim), duration);
    }
    return status;
}

void closeSource(Source* s)
{
    snSim_Free(s->sim);
    snScene_Free(s->scene);
    snAnimation_Free(s->animation);
    *s = (Source){0};
}
