// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A cut text ends in "..." and never in part of a UTF-8 character.
static void markCut(snMessage* message)
{
    size_t end = SN_MESSAGE_SIZE - 4;
    while (end > 0 && ((unsigned char)message->text[end] & 0xC0) == 0x80) {
        --end;
    }
    memcpy(message->text + end, "...", 4);
}

// By way of a copy, since the arguments may point into *why.
static void writeMessage(snMessage* why, const char* after, const char* format, va_list arguments)
{
    snMessage made;
    int length = vsnprintf(made.text, SN_MESSAGE_SIZE, format, arguments);
    size_t used = length < 0 ? 0 : (size_t)length;
    if (length < 0) {
        made.text[0] = 0;
    }
    if (used < SN_MESSAGE_SIZE && after) {
        used += (size_t)snprintf(made.text + used, SN_MESSAGE_SIZE - used, ": %s", after);
    }
    if (used >= SN_MESSAGE_SIZE) {
        markCut(&made);
    }
    *why = made;
}

snStatus snFail(snMessage* why, snStatus status, const char* format, ...)
{
    if (why) {
        va_list arguments;
        va_start(arguments, format);
        writeMessage(why, NULL, format, arguments);
        va_end(arguments);
    }
    return status;
}

void snMessage_Clear(snMessage* why)
{
    if (why) {
        why->text[0] = 0;
    }
}

void snMessage_Prefix(snMessage* why, const char* format, ...)
{
    if (why) {
        va_list arguments;
        va_start(arguments, format);
        writeMessage(why, why->text, format, arguments);
        va_end(arguments);
    }
}
