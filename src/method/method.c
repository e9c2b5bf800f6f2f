// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "method/method.h"

#include "method/explicit/explicit.h"
#include <string.h>

static const snMethod* const METHODS[] = {&snExplicit};
static const int32_t COUNT = sizeof METHODS / sizeof *METHODS;

const snMethod* snMethod_At(int32_t i)
{
    return i >= 0 && i < COUNT ? METHODS[i] : NULL;
}

const snMethod* snMethod_Find(const char* name)
{
    for (int32_t i = 0; i < COUNT; ++i) {
        if (strcmp(METHODS[i]->name, name) == 0) {
            return METHODS[i];
        }
    }
    return NULL;
}
