// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/utf8.h"

size_t snUtf8_Length(const char* at, const char* end)
{
    const uint8_t* p = (const uint8_t*)at;
    size_t left = (size_t)(end - at);
    if (left == 0) {
        return 0;
    }
    uint8_t first = p[0];
    if (first < 0x80) {
        return 1;
    }
    size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0 || length > left) {
        return 0;
    }
    // the second byte of some starts has a narrower range: no overlong forms, no surrogates, no
    // codes beyond the last
    uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; ++i) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

size_t snUtf8_Encode(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; --i) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    static const uint8_t start[] = {0, 0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(start[length] | code);
    return length;
}
