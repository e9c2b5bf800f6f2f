// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Filling the messages that failing calls hand to people.
#ifndef SN_BASE_MESSAGE_H
#define SN_BASE_MESSAGE_H

#include "base/language.h"
#include "sinew/base.h"

SN_BEGIN_C

// Lets the compiler check the arguments of a printf-like function.
#if defined(__MINGW32__)
#define SN_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define SN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SN_PRINTF(text, first)
#endif

// Writes the message and returns status, so that `return snFail(why, sn_errorFile, ...)` reads
// well. why may be NULL; the arguments may point into it. Longer texts are cut and end in "...".
snStatus snFail(snMessage* why, snStatus status, const char* format, ...) SN_PRINTF(3, 4);

// Empties the message; NULL is fine.
void snMessage_Clear(snMessage* why);

// Puts "prefix: " before what is there, for example the file's name. NULL is fine.
void snMessage_Prefix(snMessage* why, const char* format, ...) SN_PRINTF(2, 3);

SN_END_C

#endif
