// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "method/method.h"

#include "method/explicit/explicit.h"
#include <string.h>

static const snMethod* const METHODS[] = {&snExplicit, NULL};

const snMethod* snMethod_At(int32_t i)
{
    return METHODS[i];
}

const snMethod* snMethod_Find(const char* name)
{
    for (int32_t i = 0; METHODS[i]; ++i) {
        if (strcmp(METHODS[i]->name, name) == 0) {
            return METHODS[i];
        }
    }
    return NULL;
}
