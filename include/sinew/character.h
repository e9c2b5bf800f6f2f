// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A character: what is simulated. At this stage a named skeleton; flesh follows.
#ifndef SINEW_CHARACTER_H
#define SINEW_CHARACTER_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

// An immutable, reference-counted character, shared by any number of scenes.
typedef struct snCharacter snCharacter;

// Makes a character of a skeleton, which it keeps. `name` is copied, 1..255 bytes.
SN_API snStatus snCharacter_Create(const snHost* host, const char* name, snSkeleton* skeleton,
                                   snCharacter** character, snMessage* why);

// One more owner. Returns the character.
SN_API snCharacter* snCharacter_Retain(snCharacter* character);

// One owner less; the last one frees it. NULL is fine.
SN_API void snCharacter_Release(snCharacter* character);

// The name it was made with.
SN_API const char* snCharacter_Name(const snCharacter* character);

// Its skeleton, which lives as long as the character.
SN_API snSkeleton* snCharacter_Skeleton(const snCharacter* character);

#ifdef __cplusplus
}
#endif

#endif
