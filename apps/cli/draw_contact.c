// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/draw_contact.h"

#include "cli/place.h"

#include <stdlib.h>

#define LENGTH 0.5        // of an arrow with the weight of its character, as part of its size
#define LEAST_LENGTH 0.01 // arrows shorter than this part of the size are left out
#define THICKNESS 0.045   // radius of an arrow as part of its length
#define HEAD 0.3          // length of its head, likewise
#define HEAD_WIDTH 2.6    // radius of its head as part of its own

// What arrows are measured by.
typedef struct Measure {
    double weight; // N
    double size;   // m, the longest side
} Measure;

static Measure measureBody(const snScene* scene, int32_t who)
{
    const snCharacter* character = snScene_Character(scene, who);
    const snFleshInfo* flesh = snCharacter_Flesh(character);
    double gravity = lengthOf(snScene_Def(scene)->gravity);
    Measure m = {0, 0};
    if (flesh) {
        double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
        for (size_t i = 0; i < 3 * (size_t)flesh->vertex_count; ++i) {
            low[i % 3] = fmin(low[i % 3], flesh->vertices[i]);
            high[i % 3] = fmax(high[i % 3], flesh->vertices[i]);
        }
        m.size = fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
        m.weight = flesh->total_mass;
    }
    // without gravity, what it would weigh on Earth
    m.weight *= gravity > 0 ? gravity : SN_GRAVITY;
    return m;
}

static Colour contactColour(int32_t with)
{
    // dark: they stand against the pale skin and a light ground
    return with == sn_withGround     ? (Colour){0.74f, 0.42f, 0.00f, 1}
           : with == sn_withObstacle ? (Colour){0.66f, 0.04f, 0.05f, 1}
                                     : (Colour){0.36f, 0.10f, 0.54f, 1};
}

// Shaft and head; false: too small to be seen.
static bool shapeArrow(const snContact* c, const Measure* m, snVec3 origin, DrawBone* shaft,
                       DrawBone* head)
{
    double force = lengthOf(c->force);
    double length = m->weight > 0 ? LENGTH * m->size * sqrt(force / m->weight) : 0;
    if (!(length > LEAST_LENGTH * m->size)) {
        return false;
    }
    snVec3 from = minus(c->place, origin), to = along(from, length / force, c->force);
    snVec3 neck = along(from, (1 - HEAD) * length / force, c->force);
    shaft->radius = (float)(THICKNESS * length);
    shaft->colour = head->colour = contactColour(c->with);
    head->radius = (float)(HEAD_WIDTH * THICKNESS * length);
    put(shaft->from, from);
    put(shaft->to, neck);
    put(head->from, neck);
    put(head->to, to);
    return true;
}

void paintContacts(const snScene* scene, const snFrame* frame, snVec3 origin, DrawList* list)
{
    size_t room = (size_t)frame->contact_count + 1;
    DrawBone* shafts = calloc(2 * room, sizeof *shafts);
    DrawBone* heads = shafts ? shafts + room : NULL;
    Measure* bodies = calloc((size_t)frame->character_count + 1, sizeof *bodies);
    int32_t count = 0;
    list->failed = list->failed || !shafts || !bodies;
    for (int32_t i = 0; !list->failed && i < frame->character_count; ++i) {
        bodies[i] = measureBody(scene, i);
    }
    for (int32_t i = 0; !list->failed && i < frame->contact_count; ++i) {
        const snContact* c = &frame->contacts[i];
        int32_t who = c->character >= 0             ? c->character
                      : c->with == sn_withCharacter ? c->other
                                                    : -1;
        if (who >= 0 && who < frame->character_count) {
            count += shapeArrow(c, &bodies[who], origin, &shafts[count], &heads[count]);
        }
    }
    if (!list->failed) {
        addBones(list, drawCapsules, shafts, count);
        addBones(list, drawOctahedra, heads, count);
    }
    free(shafts);
    free(bodies);
}
