// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/overlap.h"

#include <stdbool.h>
#include <stdlib.h>

#define SEEN 1e-3      // m: what is less deep comes out unseen
#define MOST_LINES 20  // more pairs than this are counted only
#define NAME_BYTES 128 // of a thing as it is called in a line

// Two things and how deep they are in each other. A thing is its number: characters, then
// obstacles, then the ground.
typedef struct Overlap {
    int32_t things[2]; // the smaller number first
    double depth;      // m
} Overlap;

static int comparePairs(const void* a, const void* b)
{
    const Overlap *x = a, *y = b;
    for (int k = 0; k < 2; ++k) {
        if (x->things[k] != y->things[k]) {
            return x->things[k] < y->things[k] ? -1 : 1;
        }
    }
    return (x->depth < y->depth) - (x->depth > y->depth); // the deepest first
}

static Overlap overlapOf(const snFrame* f, const snContact* c)
{
    int32_t a = c->character >= 0 ? c->character : f->character_count + c->obstacle;
    int32_t b = c->with == sn_withCharacter  ? c->other
                : c->with == sn_withObstacle ? f->character_count + c->other
                                             : f->character_count + f->obstacle_count;
    return (Overlap){{a < b ? a : b, a < b ? b : a}, c->depth};
}

// "'worm' (character 2)"; names alone may be there twice.
static const char* nameThing(const snFrame* f, int32_t thing, char out[NAME_BYTES])
{
    int32_t obstacle = thing - f->character_count;
    if (obstacle == f->obstacle_count) {
        return "the ground";
    }
    const char* name = obstacle < 0 ? f->characters[thing].name : f->obstacles[obstacle].name;
    snprintf(out, NAME_BYTES, "'%.80s' (%s %d)", name ? name : "",
             obstacle < 0 ? "character" : "obstacle", (int)(obstacle < 0 ? thing : obstacle));
    return out;
}

int printOverlaps(FILE* out, snSim* sim)
{
    snMessage why;
    snStatus status = snSim_Advance(sim, snSim_Step(sim), &why);
    const snFrame* f = snSim_Frame(sim);
    Overlap* all = status ? NULL : calloc((size_t)f->contact_count + 1, sizeof *all);
    int32_t count = 0;
    int pairs = 0;
    for (int32_t i = 0; all && i < f->contact_count; ++i) {
        all[count] = overlapOf(f, &f->contacts[i]);
        count += all[count].depth > SEEN && all[count].things[0] != all[count].things[1];
    }
    if (count > 0) {
        qsort(all, (size_t)count, sizeof *all, comparePairs);
    }
    for (int32_t i = 0; i < count; ++i) {
        bool same = i > 0 && all[i].things[0] == all[i - 1].things[0] &&
                    all[i].things[1] == all[i - 1].things[1];
        if (!same && pairs++ < MOST_LINES) {
            char a[NAME_BYTES], b[NAME_BYTES];
            bool lift = all[i].things[1] == f->character_count + f->obstacle_count;
            fprintf(out, "  %s starts %.3g mm deep in %s: %s\n", nameThing(f, all[i].things[0], a),
                    1e3 * all[i].depth, nameThing(f, all[i].things[1], b),
                    lift ? "lift it" : "move one of them");
        }
    }
    if (pairs > MOST_LINES) {
        fprintf(out, "  and %d more start in each other\n", pairs - MOST_LINES);
    }
    free(all);
    return pairs;
}
