// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// UTF-8 (RFC 3629).
#ifndef SN_BASE_UTF8_H
#define SN_BASE_UTF8_H

#include "base/language.h"
#include <stddef.h>
#include <stdint.h>

SN_BEGIN_C

// The bytes of the character at the start, 1 to 4; 0 if they are no UTF-8: a stray or missing
// continuation, an overlong form, a surrogate, beyond U+10FFFF, or nothing left.
size_t snUtf8_Length(const char* at, const char* end);

// Writes a character up to U+10FFFF that is no surrogate; returns its bytes.
size_t snUtf8_Encode(uint32_t code, char out[4]);

SN_END_C

#endif
