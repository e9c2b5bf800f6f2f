// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/verdict.h"

#include "cli/remarks.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

// A surface this part of its longest side deep in something is seen to be in it.
#define DEEP 0.03

// So many of a body's cells may be inside out without being seen.
#define FEW 1e-3

// What the guard did; false: nothing.
static bool printGuard(const snFrame* frame)
{
    const snGuardCounts* g = &frame->guard;
    if (g->retries > 0) {
        printf("trouble: %" PRId64 " frame%s done again with smaller steps, last at %.3f s",
               g->retries, g->retries == 1 ? " was" : "s were", g->time);
        if (g->character >= 0 && g->character < frame->character_count) {
            printf(" in '%s'", frame->characters[g->character].name);
        }
        printf("; the step is now %.4g ms\n", 1e3 * frame->step_size);
    }
    return g->retries > 0;
}

// How many surface points touch the ground, and what else.
static void printContacts(const snFrame* frame, const snSceneDef* def)
{
    static const char* const WITH[] = {"the ground", "an obstacle", "a character"};
    int count[3] = {0, 0, 0};
    for (int32_t i = 0; i < frame->contact_count; ++i) {
        count[frame->contacts[i].with] += frame->contacts[i].character >= 0;
    }
    bool said = false;
    for (int k = 0; k < 3; ++k) {
        if (count[k] > 0 || (k == sn_withGround && def->ground)) {
            printf(said            ? ", %d %s"
                   : count[k] == 1 ? "%d surface point touches %s"
                                   : "%d surface points touch %s",
                   count[k], WITH[k]);
            said = true;
        }
    }
    if (said) {
        printf(" at the end\n");
    }
}

// The longest side of the surface at rest; 0 for bones alone.
static double sizeOf(const snCharacter* character)
{
    const snFleshInfo* f = snCharacter_Flesh(character);
    double size = 0;
    for (int axis = 0; f && axis < 3; ++axis) {
        double low = (double)INFINITY, high = -low;
        for (int32_t i = 0; i < f->vertex_count; ++i) {
            low = fmin(low, f->vertices[3 * (size_t)i + (size_t)axis]);
            high = fmax(high, f->vertices[3 * (size_t)i + (size_t)axis]);
        }
        size = fmax(size, high - low);
    }
    return size;
}

// More characters than this are summed up in one line.
#define MOST_LINES 20

// How deep surfaces got into what they touched, and what the joints' drives did.
static void printEfforts(const snFrame* frame, const snScene* scene)
{
    int32_t left = 0;
    double deepest = 0;
    for (int32_t i = 0, lines = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        double size = sizeOf(snScene_Character(scene, i));
        bool touched = c->deepest > 0 && size > 0, driven = c->peak_torque > 0;
        if ((touched || driven) && lines++ >= MOST_LINES) {
            ++left;
            deepest = fmax(deepest, c->deepest);
            continue;
        }
        if (touched) {
            printf("%s: deepest contact %.3g mm, %.2g %% of its longest side", c->name,
                   1e3 * c->deepest, 100 * c->deepest / size);
        }
        if (driven) {
            printf("%s%s peak torque %.3g Nm, peak power %.3g W", touched ? "" : c->name,
                   touched ? ";" : ":", c->peak_torque, c->peak_power);
        }
        if (touched || driven) {
            printf("\n");
        }
    }
    if (left > 0) {
        printf("and %d more, deepest contact %.3g mm\n", (int)left, 1e3 * deepest);
    }
}

// Cells that are inside out, and contacts that are deep; false: neither.
static bool printFlaws(const snFrameCharacter* c, const snCharacter* character, double step)
{
    const snFleshInfo* flesh = snCharacter_Flesh(character);
    double size = sizeOf(character);
    bool deep = c->deepest > DEEP * size;
    if (!flesh || !(c->inverted > 0 || deep)) {
        return false;
    }
    if (c->inverted > 0 && (double)c->inverted <= FEW * flesh->cell_count) {
        printf("%" PRId64
               " of the %d cells of '%s' %s inside out at the end: flesh that is pinched, "
               "as in armpits and groins, folds. So few hardly show\n",
               c->inverted, (int)flesh->cell_count, c->name, c->inverted == 1 ? "is" : "are");
    } else if (c->inverted > 0) {
        printf("trouble: %" PRId64 " of the %d cells of '%s' %s inside out at the end: its flesh "
               "gives way. Try stiffer flesh (young %.3g kPa, it has %.3g) or a shorter step "
               "(--step %.2g)\n",
               c->inverted, (int)flesh->cell_count, c->name, c->inverted == 1 ? "is" : "are",
               1e-3 * firmerYoung(flesh), 1e-3 * flesh->young, 0.5 * step);
    }
    if (deep) {
        printf("trouble: '%s' got %.2g %% of its longest side into what it touched. Try a shorter "
               "step (--step %.2g), --set contact=projection, or stiffer flesh (young %.3g kPa, it "
               "has "
               "%.3g)\n",
               c->name, 100 * c->deepest / size, 0.5 * step, 1e-3 * firmerYoung(flesh),
               1e-3 * flesh->young);
    }
    return true;
}

void printVerdict(const snFrame* frame, const snScene* scene, double step)
{
    bool touched = false, soft = false, trouble = printGuard(frame);
    int32_t flawed = 0;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        touched = touched || frame->characters[i].deepest > 0;
        soft = soft || snCharacter_Flesh(snScene_Character(scene, i));
        if (flawed < MOST_LINES) {
            flawed += printFlaws(&frame->characters[i], snScene_Character(scene, i), step);
        }
    }
    if (touched && !trouble && flawed == 0) {
        printf("no trouble: no frame was done again, no cell is inside out, no contact was deep\n");
    }
    if (soft && !touched) {
        printf("nothing touched anything\n");
    }
    printContacts(frame, snScene_Def(scene));
    printEfforts(frame, scene);
}
