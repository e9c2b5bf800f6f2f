// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/message.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
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

// The bytes of a character that may be shown as it is; 0: of a control character or of no UTF-8,
// which would do things to the terminal.
static size_t shownLength(const char* at, const char* end)
{
    bool control = ((unsigned char)*at < 0x20 && *at != '\n') || *at == 0x7f;
    return control ? 0 : snUtf8_Length(at, end);
}

// Messages quote what is in files: bytes that cannot be shown become \x1b and the like.
static void escape(const snMessage* raw, snMessage* shown)
{
    static const char DIGITS[] = "0123456789abcdef";
    const char *at = raw->text, *end = at + strlen(at);
    size_t used = 0;
    while (at < end) {
        size_t length = shownLength(at, end), room = length > 0 ? length : 4;
        if (used + room >= SN_MESSAGE_SIZE) {
            memset(shown->text + used, 0, SN_MESSAGE_SIZE - used);
            markCut(shown);
            return;
        }
        if (length > 0) {
            memcpy(shown->text + used, at, length);
        } else {
            unsigned char byte = (unsigned char)*at;
            const char code[4] = {'\\', 'x', DIGITS[byte >> 4], DIGITS[byte & 15]};
            memcpy(shown->text + used, code, sizeof code);
        }
        used += room;
        at += length > 0 ? length : 1;
    }
    shown->text[used] = 0;
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
    escape(&made, why);
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
