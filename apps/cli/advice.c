// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/advice.h"

#include "cli/control.h"

#include <math.h>
#include <stdio.h>

// Parts of the size
#define NOTHING 0.001 // movement that is not seen
#define LITTLE 0.005  // that is hardly seen
#define WANTED 0.01   // that is worth having

#define WRONG 0.005 // that shapes miss, and one may see

#define MISSED 0.25 // of the movement, by shapes

#define OFTEN 0.1 // share of frames at the limit that is worth a word
#define WIDER 1.7 // limit, and part of the movement, that would mend it
#define LESS 0.5

// Movement goes with the square of the period.
double softnessFor(const snBodyInfo* info, double times)
{
    const snBodyControl* c = findControl("softness");
    double hz = c->high;
    for (int32_t i = 0; i < info->region_count; ++i) {
        hz = fmin(hz, info->regions[i].hz);
    }
    hz = fmin(fmax(hz / sqrt(times), c->low), c->high);
    return hz >= 2 ? floor(hz + 0.5) : floor(10 * hz + 0.5) / 10;
}

bool findAdvice(const snBodyDef* def, const snBodyInfo* info, const Outcome* o, bool ahead,
                char line[ADVICE_BYTES])
{
    double size = info->size, moved = o->moved;
    const char *name = o->clip ? o->clip : "", *colon = o->clip ? ": " : "";
    if (o->limited > OFTEN) {
        snprintf(line, ADVICE_BYTES,
                 "%s%sthe limit %s hit in %.0f %% of frames: try --limit %.2g or --softness %g",
                 name, colon, ahead ? "will be" : "was", 100 * o->limited,
                 fmin(WIDER * def->limit, findControl("limit")->high), softnessFor(info, LESS));
    } else if (moved < LITTLE * size) {
        double hz = softnessFor(info, moved > 0 ? WANTED * size / moved : 1e6);
        char softer[40];
        snprintf(softer, sizeof softer, "try --softness %g", hz);
        snprintf(line, ADVICE_BYTES, "%s%syou will see %s: the largest movement is %.2g mm; %s",
                 name, colon, moved < NOTHING * size ? "nothing" : "little", 1e3 * moved,
                 hz < softnessFor(info, 1) ? softer : "it is as soft as can be, try --inertia 2");
    } else if (o->error > MISSED * moved || o->error > WRONG * size) {
        char number[24];
        snprintf(line, ADVICE_BYTES,
                 "%s%sthe shapes miss %.0f %% of the movement, up to %s mm, %.2g %% of the size; "
                 "try more --shapes, or --exact",
                 name, colon, 100 * o->error / moved, shortNumber(1e3 * o->error, number),
                 100 * o->error / size);
    } else {
        return false;
    }
    return true;
}

const char* bakedName(const snBakedClip* c, char number[16])
{
    snprintf(number, 16, "%d", (int)c->clip);
    return c->name[0] ? c->name : c->clip < 0 ? "motion" : number;
}

// What joints miss is said of all clips together.
Outcome outcomeOf(const snBakedClip* c, int32_t as, char number[16])
{
    return (Outcome){bakedName(c, number), c->largest, c->limited,
                     as == sn_bakeJoints ? 0 : c->error};
}
