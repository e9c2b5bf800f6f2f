// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

// What is wrong, and what to do; false: nothing is.
static bool printFindings(const snFrame* frame)
{
    for (int32_t i = 0; i < frame->finding_count; ++i) {
        const snFinding* f = snFrame_Finding(frame, i);
        printf("%s%s. %s\n", f->hardly ? "" : "trouble: ", f->text, f->advice);
    }
    if (frame->finding_lost > 0) {
        printf("and %d more of that kind\n", (int)frame->finding_lost);
    }
    return frame->finding_count > 0;
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

// More characters than this are summed up in one line.
#define MOST_LINES 20

// How deep surfaces got into what they touched, and what the joints' drives did.
static void printEfforts(const snFrame* frame)
{
    int32_t left = 0;
    double deepest = 0;
    for (int32_t i = 0, lines = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        bool touched = c->deepest > 0, driven = c->peak_torque > 0;
        if ((touched || driven) && lines++ >= MOST_LINES) {
            ++left;
            deepest = fmax(deepest, c->deepest);
            continue;
        }
        if (touched) {
            printf("%s: deepest contact %.3g mm; squeezed by %.2g %% of its thickness", c->name,
                   1e3 * c->deepest, 100 * c->deepest_part);
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

void printVerdict(const snFrame* frame, const snScene* scene)
{
    bool touched = false, soft = false, flawed = printFindings(frame);
    for (int32_t i = 0; i < frame->character_count; ++i) {
        touched = touched || frame->characters[i].deepest > 0;
        soft = soft || snCharacter_Flesh(snScene_Character(scene, i));
    }
    if (touched && !flawed) {
        printf("no trouble: no frame was done again, no cell is inside out, no contact was deep\n");
    }
    if (soft && !touched) {
        printf("nothing touched anything\n");
    }
    printContacts(frame, snScene_Def(scene));
    printEfforts(frame);
}
