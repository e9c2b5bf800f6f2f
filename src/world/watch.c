// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Accounts of bodies, and what does work on obstacles that give way.
#include "world/surroundings.h"

snAccount* snSurroundings_Account(const snSurroundings* s, void* state, bool obstacle,
                                  int32_t number)
{
    snAccount* accounts = (snAccount*)(void*)((uint8_t*)state + s->account_offset);
    return accounts + (obstacle ? s->neighbour_count : 0) + number;
}

// Obstacles have no other energy of their own than that of their motion.
static double energyOf(const snSurroundings* s, void* state, int32_t i)
{
    return snRigid_Energy(s->contacts.hards[i].rigid, &snSurroundings_Bulk(s, state, i)->motion);
}

void snSurroundings_HoldAccounts(snSurroundings* s, void* state)
{
    for (int32_t i = 0; s->balanced && i < s->contacts.hard_count; ++i) {
        if (s->contacts.hards[i].rigid) {
            snAccount* account = snSurroundings_Account(s, state, true, i);
            account->held = energyOf(s, state, i);
            snAccount_Begin(account, account->held);
        }
    }
}

void snSurroundings_SettleAccounts(snSurroundings* s, void* state)
{
    for (int32_t i = 0; s->balanced && i < s->contacts.hard_count; ++i) {
        if (s->contacts.hards[i].rigid) {
            snAccount* account = snSurroundings_Account(s, state, true, i);
            snAccount_Add(account, sn_workContact, energyOf(s, state, i) - account->held);
        }
    }
}

// Of what changed the momentum, contact and gravity are known; the rest are fields.
void snSurroundings_NoteKick(snSurroundings* s, void* state, int32_t i, const snRigidState* was,
                             double h)
{
    const snHard* hard = &s->contacts.hards[i];
    const snRigid* rigid = hard->rigid;
    const snRigidState* is = &snSurroundings_Bulk(s, state, i)->motion;
    if (!s->balanced) {
        return;
    }
    snVec3 way = snScale(0.5 * h / rigid->mass, snAdd(was->linear, is->linear));
    snVec3 turn = snScale(0.5 * h, snAdd(snRigid_Spin(rigid, was), snRigid_Spin(rigid, is)));
    snVec3 other = snMulAdd(hard->load.f, rigid->mass, s->world->gravity);
    snVec3 field = snMulAdd(snNeg(other), 1 / h, snSub(is->linear, was->linear));
    snAccount* account = snSurroundings_Account(s, state, true, i);
    snAccount_Begin(account, snRigid_Energy(rigid, was));
    snAccount_Add(account, sn_workContact, snDot(hard->load.f, way) + snDot(hard->load.n, turn));
    snAccount_Add(account, sn_workGravity, rigid->mass * snDot(s->world->gravity, way));
    if (s->world->forces.count > 0) {
        snAccount_Add(account, sn_workFields, snDot(field, way));
    }
}
