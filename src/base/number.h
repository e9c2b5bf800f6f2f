// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Decimal text to number and back, correctly rounded and without the C library's locale.
#ifndef SN_BASE_NUMBER_H
#define SN_BASE_NUMBER_H

#include "base/language.h"
#include <stddef.h>

SN_BEGIN_C

// Room for any printed number and its 0.
#define SN_NUMBER_SIZE 32

// The longest number of JSON's grammar at the start of the text: returns the bytes it takes, 0 if
// there is none. *out is the nearest double, ties to even; too large a number gives an infinity.
size_t snNumber_Parse(const char* text, size_t length, double* out);

// The fewest digits that read back to the same double, 0-terminated; returns the length. NaN and
// infinities print as null, which is all that JSON has for them.
size_t snNumber_Print(double value, char out[SN_NUMBER_SIZE]);

// The fewest digits nearer to this float than to any other, so that readers that go through double
// and those that do not both get it back.
size_t snNumber_PrintFloat(float value, char out[SN_NUMBER_SIZE]);

SN_END_C

#endif
