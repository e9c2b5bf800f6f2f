// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void snLog(const snHost* host, snLogLevel level, const char* format, ...)
{
    if (!host || !host->log) {
        return;
    }
    char text[SN_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (length >= 0) {
        host->log(host->user, level, text);
    }
}
