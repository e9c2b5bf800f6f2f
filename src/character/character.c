// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "character/character.h"

#include "base/message.h"
#include <string.h>

snStatus snCharacter_Create(const snHost* host, const char* name, snSkeleton* skeleton,
                            snCharacter** character, snMessage* why)
{
    snMessage_Clear(why);
    if (!character || !skeleton) {
        return snFail(why, sn_errorArgument, "character and skeleton must not be NULL");
    }
    *character = NULL;
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status) {
        return status;
    }
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || length >= sizeof((snCharacter*)0)->name) {
        return snFail(why, sn_errorArgument, "a character's name has 1 to 255 bytes, found %zu",
                      length);
    }
    snCharacter* c = snHost_Allocate(&taken, sizeof *c);
    if (!c) {
        return snFail(why, sn_errorMemory, "no memory for a character");
    }
    c->host = taken;
    atomic_init(&c->owners, 1);
    memcpy(c->name, name, length);
    c->skeleton = snSkeleton_Retain(skeleton);
    *character = c;
    return sn_ok;
}

snCharacter* snCharacter_Retain(snCharacter* character)
{
    if (character) {
        atomic_fetch_add(&character->owners, 1);
    }
    return character;
}

void snCharacter_Release(snCharacter* character)
{
    if (character && atomic_fetch_sub(&character->owners, 1) == 1) {
        snHost host = character->host;
        snSkeleton_Release(character->skeleton);
        snHost_Release(&host, character, sizeof *character);
    }
}

const char* snCharacter_Name(const snCharacter* character)
{
    return character ? character->name : NULL;
}

snSkeleton* snCharacter_Skeleton(const snCharacter* character)
{
    return character ? character->skeleton : NULL;
}
