// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SN_IO_SAVE_SAVED_CHARACTER_H
#define SN_IO_SAVE_SAVED_CHARACTER_H

#include <sinew/io.h>

// Loads a saved character.
snStatus snCharacter_LoadSaved(const snHost* host, const char* path, snCharacter** character,
                               snMessage* why);

#endif
