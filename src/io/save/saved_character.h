// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SN_IO_SAVE_SAVED_CHARACTER_H
#define SN_IO_SAVE_SAVED_CHARACTER_H

#include <stdbool.h>

#include <sinew/io.h>

// Does the name end as that of a saved character?
bool snCharacter_IsSavedPath(const char* path);

// Loads such a file.
snStatus snCharacter_LoadSaved(const snHost* host, const char* path, snCharacter** character,
                               snMessage* why);

#endif
