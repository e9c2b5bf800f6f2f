// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What frames show of obstacles and contacts.
#include "math/vec.h"
#include "world/surroundings.h"

static void writeContact(const snSurroundings* s, const snContactRow* p, snContact* out)
{
    int32_t first = SN_BODY_FIRST + s->contacts.hard_count;
    bool soft = p->owner >= first, into = p->other >= first;
    *out = (snContact){.character = soft ? s->contacts.softs[p->owner - first].actor : -1,
                       .obstacle = soft ? -1 : p->owner - SN_BODY_FIRST,
                       .with = p->other == SN_BODY_GROUND ? sn_withGround
                               : into                     ? sn_withCharacter
                                                          : sn_withObstacle,
                       .other = p->other == SN_BODY_GROUND ? 0
                                : into ? s->contacts.softs[p->other - first].actor
                                       : p->other - SN_BODY_FIRST,
                       .place = p->place,
                       .normal = p->normal,
                       .force = p->force,
                       .depth = p->gap < 0 ? -p->gap : 0};
}

void snSurroundings_ForEachContact(const snSurroundings* s, snContactFcn* tell, void* user)
{
    for (int32_t g = 0; g < s->contacts.group_count; ++g) {
        const snContactRow* presses = snContacts_Rows(&s->contacts, g);
        for (int32_t i = 0; i < s->contacts.groups[g].row_count; ++i) {
            snContact contact;
            writeContact(s, &presses[i], &contact);
            tell(user, &contact);
        }
    }
}

void snSurroundings_WriteFrame(snSurroundings* s, void* state, double t, snFrame* frame)
{
    for (int32_t i = 0; i < s->contacts.hard_count; ++i) {
        snFrameObstacle* o = &s->frame_obstacles[i];
        *o = snSurroundings_ObstacleAt(s, state, i, t);
        o->pose.p = snAdd(o->pose.p, frame->shift);
        if (s->contacts.hards[i].rigid) {
            o->momentum.com = snAdd(o->momentum.com, frame->shift);
            o->energy.gravity -= o->momentum.mass * snDot(s->world->gravity, frame->shift);
        }
        if (s->contacts.hards[i].rigid && s->balanced) {
            s->frame_balances[i] =
                snAccount_Balance(snSurroundings_Account(s, state, true, i), o->energy.kinetic);
            o->balance = &s->frame_balances[i];
        }
    }
    frame->contact_count = 0;
    for (int32_t g = 0; g < s->contacts.group_count; ++g) {
        const snContactRow* presses = snContacts_Rows(&s->contacts, g);
        for (int32_t i = 0; i < s->contacts.groups[g].row_count; ++i) {
            snContact* contact = &s->frame_contacts[frame->contact_count++];
            writeContact(s, &presses[i], contact);
            contact->place = snAdd(contact->place, frame->shift);
        }
    }
    frame->obstacle_count = s->contacts.hard_count;
    frame->obstacles = s->frame_obstacles;
    frame->contacts = s->frame_contacts;
    const snEventTable* table = snEvents_Of(s, state);
    if (table) {
        frame->event_count = (int32_t)table->count;
        frame->events = table->events;
        frame->event_lost = table->lost;
    }
}
