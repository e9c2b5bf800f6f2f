// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What is wrong with a frame, in words for people. The command line prints the same.
#include "sim/sim_state.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

// Squeezed by more than this part of its thickness, a body is seen to be in what it touches.
#define DEEP 0.06

// So many of a body's cells may be inside out without being seen.
#define FEW 1e-3

// Part of all work and energy that may be left over before it counts as energy from nowhere.
#define NOWHERE 0.03

// The next finding, empty, of a character and a bone (-1 = none); NULL when there is no room.
static snFinding* find(snSim* sim, int32_t kind, int32_t who, int32_t bone)
{
    snFrame* frame = &sim->frame;
    const snCharacter* c = snScene_Character(sim->scene, who);
    if (frame->finding_count == SN_MOST_FINDINGS) {
        frame->finding_lost++;
        return NULL;
    }
    snFinding* f = &sim->findings[frame->finding_count++];
    bool jointed = c && bone >= 0 && bone < c->skeleton->bone_count;
    *f = (snFinding){.kind = kind,
                     .character = c ? who : -1,
                     .bone = jointed ? bone : -1,
                     .name = c ? c->name : "",
                     .joint = jointed ? c->skeleton->defs[bone].name : ""};
    return f;
}

// The guard ---------------------------------------------------------------------

static void advise(snFinding* f, int32_t trouble)
{
    snprintf(f->advice, sizeof f->advice, "%s", snTrouble_Advice(trouble));
    f->advice[0] = (char)toupper((unsigned char)f->advice[0]);
}

static void judgeFailure(snSim* sim)
{
    const snVerdict* v = &sim->failure;
    snFinding* f = v->trouble ? find(sim, sn_findingGaveUp, v->actor, v->bone) : NULL;
    if (f) {
        f->figure = sim->failed_at;
        f->unit = "s";
        snprintf(f->text, sizeof f->text,
                 "%s%.60s%s'%.60s' %s at %.3f s, and shorter steps did not help",
                 f->bone >= 0 ? "bone '" : "", f->joint, f->bone >= 0 ? "' of " : "",
                 f->name[0] ? f->name : "one of many", snTrouble_Text(v->trouble), sim->failed_at);
        advise(f, v->trouble);
    }
}

static void judgeRetries(snSim* sim)
{
    const snGuardCounts* g = &sim->frame.guard;
    snFinding* f = g->retries > 0 ? find(sim, sn_findingRetried, g->character, g->bone) : NULL;
    if (f) {
        f->figure = (double)g->retries;
        f->unit = "frames";
        snprintf(f->text, sizeof f->text,
                 "%" PRId64 " frame%s done again with smaller steps, last at %.3f s%s%.80s%s; the "
                 "step is now %.4g ms",
                 g->retries, g->retries == 1 ? " was" : "s were", g->time,
                 f->name[0] ? " in '" : "", f->name, f->name[0] ? "'" : "",
                 1e3 * sim->frame.step_size);
        advise(f, g->trouble);
    }
}

// Characters --------------------------------------------------------------------

// One digit that counts
static double roundYoung(double young)
{
    double power = 1;
    while (10 * power <= young) {
        power *= 10;
    }
    return power * floor(young / power + 0.5);
}

// A Young's modulus to try when flesh gives way, Pa.
static double firmerYoung(const snFleshInfo* flesh)
{
    return roundYoung(fmax(4 * flesh->young, flesh->young_advised));
}

static void judgeCells(snSim* sim, int32_t who, const snFleshInfo* flesh)
{
    int64_t count = sim->frame.characters[who].inverted;
    snFinding* f = count > 0 ? find(sim, sn_findingInverted, who, -1) : NULL;
    if (!f) {
        return;
    }
    f->hardly = (double)count <= FEW * flesh->cell_count;
    f->figure = (double)count;
    f->unit = "cells";
    snprintf(f->text, sizeof f->text, "%" PRId64 " of the %d cells of '%.80s' %s inside out: %s",
             count, (int)flesh->cell_count, f->name, count == 1 ? "is" : "are",
             f->hardly ? "flesh that is pinched, as in armpits and groins, folds"
                       : "its flesh gives way");
    if (f->hardly) {
        snprintf(f->advice, sizeof f->advice, "So few hardly show");
    } else {
        snprintf(f->advice, sizeof f->advice,
                 "Try stiffer flesh (young %.3g kPa, it has %.3g) or a shorter step (%.2g s)",
                 1e-3 * firmerYoung(flesh), 1e-3 * flesh->young, 0.5 * snSim_Step(sim));
    }
}

static void judgeDepth(snSim* sim, int32_t who, const snFleshInfo* flesh)
{
    double part = sim->frame.characters[who].deepest_part;
    snFinding* f = part > DEEP ? find(sim, sn_findingDeep, who, -1) : NULL;
    if (f) {
        f->figure = 100 * part;
        f->unit = "%";
        snprintf(f->text, sizeof f->text,
                 "'%.80s' got %.2g %% of its thickness into what it touched", f->name, f->figure);
        snprintf(f->advice, sizeof f->advice,
                 "Try a slower blow, stiffer flesh (young %.3g kPa, it has %.3g), or the setting "
                 "contact=projection",
                 1e-3 * firmerYoung(flesh), 1e-3 * flesh->young);
    }
}

static void judgeEnergy(snSim* sim, int32_t who, const snEnergyBalance* b)
{
    bool grew = b && b->rest > NOWHERE * (b->turnover + b->start + b->now);
    snFinding* f = grew ? find(sim, sn_findingEnergy, who, -1) : NULL;
    if (f) {
        f->figure = b->rest;
        f->unit = "J";
        snprintf(f->text, sizeof f->text,
                 "'%.80s' gained %.3g J from nowhere, besides %.3g J of work done on it or by it",
                 f->name, b->rest, b->turnover);
        snprintf(f->advice, sizeof f->advice, "Try a shorter step (%.2g s)", 0.5 * snSim_Step(sim));
    }
}

void snSim_Judge(snSim* sim)
{
    snFrame* frame = &sim->frame;
    frame->findings = sim->findings;
    judgeFailure(sim);
    judgeRetries(sim);
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFleshInfo* flesh = snCharacter_Flesh(snScene_Character(sim->scene, i));
        if (flesh) {
            judgeCells(sim, i, flesh);
            judgeDepth(sim, i, flesh);
        }
        judgeEnergy(sim, i, frame->characters[i].balance);
    }
}
