// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/cursor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

#define SHOWN 40 // bytes of the file that a message quotes

snCursor snCursor_Start(const void* bytes, size_t count, char comment, snMessage* why)
{
    const char* text = bytes;
    bool marked = count >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    return (snCursor){.start = text,
                      .at = text + (marked ? 3 : 0),
                      .end = text + count,
                      .line = 1,
                      .comment = comment,
                      .why = why};
}

static snStatus failAt(const snCursor* c, snStatus status, const char* format, va_list list)
{
    if (c->why) {
        vsnprintf(c->why->text, sizeof c->why->text, format, list);
        if (!c->binary && c->column > 0) {
            snMessage_Prefix(c->why, "line %lld, column %lld", (long long)c->line,
                             (long long)c->column);
        } else {
            snMessage_Prefix(c->why, c->binary ? "byte %lld" : "line %lld",
                             c->binary ? (long long)(c->at - c->start) : (long long)c->line);
        }
    }
    return status;
}

void snCursor_Mark(snCursor* c, snWord word)
{
    const char* first = word.text;
    while (first > c->start && first[-1] != '\n' && first[-1] != '\r') {
        --first;
    }
    c->column = 1 + (word.text - first);
}

snStatus snCursor_Fail(const snCursor* c, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    failAt(c, sn_errorFile, format, list);
    va_end(list);
    return sn_errorFile;
}

snStatus snCursor_Refuse(const snCursor* c, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    failAt(c, sn_errorUnsupported, format, list);
    va_end(list);
    return sn_errorUnsupported;
}

size_t snCursor_Left(const snCursor* c)
{
    return (size_t)(c->end - c->at);
}

snStatus snCursor_Promise(const snCursor* c, int64_t count, size_t bytes, int64_t most,
                          const char* what)
{
    // the last one of a text may end without a separator
    size_t left = snCursor_Left(c) + 1;
    if (count < 0 || (uint64_t)count > left / bytes) {
        return snCursor_Fail(c, "%lld %s are promised, but only %zu bytes follow; the file is cut",
                             (long long)count, what, left - 1);
    }
    if (count > most) {
        return snCursor_Refuse(c, "%lld %s are more than the limit of %lld; simplify the mesh",
                               (long long)count, what, (long long)most);
    }
    return sn_ok;
}

// Words --------------------------------------------------------------------------

static bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == 0;
}

static bool isNewline(char c)
{
    return c == '\n' || c == '\r';
}

static bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

snWord snCursor_LineWord(snCursor* c)
{
    while (c->at < c->end && isBlank(*c->at)) {
        ++c->at;
    }
    snWord word = {c->at, 0};
    if (c->at < c->end && c->comment && *c->at == c->comment) {
        return word;
    }
    while (c->at < c->end && !isBlank(*c->at) && !isNewline(*c->at)) {
        ++c->at;
    }
    word.length = (size_t)(c->at - word.text);
    return word;
}

// To the first character of the next line.
static void endLine(snCursor* c)
{
    while (c->at < c->end && !isNewline(*c->at)) {
        ++c->at;
    }
    if (c->at < c->end) {
        c->at += *c->at == '\r' && c->at + 1 < c->end && c->at[1] == '\n' ? 2 : 1;
        ++c->line;
    }
}

static bool isLineEmpty(const snCursor* c)
{
    const char* at = c->at;
    while (at < c->end && isBlank(*at)) {
        ++at;
    }
    return c->at < c->end && (at == c->end || isNewline(*at) || (c->comment && *at == c->comment));
}

void snCursor_NextLine(snCursor* c)
{
    do {
        endLine(c);
    } while (isLineEmpty(c));
}

snWord snCursor_Word(snCursor* c)
{
    snWord word = snCursor_LineWord(c);
    while (word.length == 0 && c->at < c->end) {
        endLine(c);
        word = snCursor_LineWord(c);
    }
    return word;
}

bool snWord_Is(snWord word, const char* text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool snWord_IsLike(snWord word, const char* text)
{
    if (word.length != strlen(text)) {
        return false;
    }
    for (size_t i = 0; i < word.length; ++i) {
        if (small(word.text[i]) != small(text[i])) {
            return false;
        }
    }
    return true;
}

int snWord_Shown(snWord word)
{
    return word.length < SHOWN ? (int)word.length : SHOWN;
}

// Numbers ------------------------------------------------------------------------

// What mesh writers print and JSON's grammar lacks is put right in a copy.
bool snWord_Real(snWord word, double* out)
{
    char text[128];
    size_t n = 0, i = 0;
    if (word.length + 3 > sizeof text) {
        return false;
    }
    if (i < word.length && (word.text[i] == '+' || word.text[i] == '-')) {
        if (word.text[i++] == '-') {
            text[n++] = '-';
        }
    }
    bool whole = i < word.length && isDigit(word.text[i]);
    while (i + 1 < word.length && word.text[i] == '0' && isDigit(word.text[i + 1])) {
        ++i;
    }
    if (!whole) {
        text[n++] = '0';
    }
    for (; i < word.length && isDigit(word.text[i]); ++i) {
        text[n++] = word.text[i];
    }
    if (i < word.length && word.text[i] == '.') {
        bool fraction = i + 1 < word.length && isDigit(word.text[i + 1]);
        if (!whole && !fraction) {
            return false;
        }
        i += !fraction;
        whole = true;
    }
    if (!whole) {
        return false;
    }
    memcpy(text + n, word.text + i, word.length - i);
    n += word.length - i;
    return snNumber_Parse(text, n, out) == n && fabs(*out) < HUGE_VAL;
}

bool snWord_Integer(snWord word, int64_t* out)
{
    size_t i = word.length > 0 && (word.text[0] == '-' || word.text[0] == '+');
    size_t first = i;
    int64_t value = 0;
    for (; i < word.length && isDigit(word.text[i]); ++i) {
        int digit = word.text[i] - '0';
        if (value > (INT64_MAX - digit) / 10) {
            return false;
        }
        value = 10 * value + digit;
    }
    *out = word.length > 0 && word.text[0] == '-' ? -value : value;
    return i > first && i == word.length;
}

static snWord nextWord(snCursor* c, bool line)
{
    return line ? snCursor_LineWord(c) : snCursor_Word(c);
}

static snStatus failMissing(const snCursor* c, const char* what)
{
    return snCursor_Fail(c, "expected %s, found the end of the %s; the file may be cut", what,
                         c->at == c->end ? "file" : "line");
}

snStatus snCursor_Reals(snCursor* c, bool line, int count, double* out, const char* what)
{
    for (int k = 0; k < count; ++k) {
        snWord word = nextWord(c, line);
        if (word.length == 0) {
            return failMissing(c, what);
        }
        if (!snWord_Real(word, &out[k])) {
            return snCursor_Fail(c, "expected %s, but '%.*s' is not a finite decimal number", what,
                                 snWord_Shown(word), word.text);
        }
    }
    return sn_ok;
}

snStatus snCursor_Integer(snCursor* c, bool line, const char* what, int64_t* out)
{
    snWord word = nextWord(c, line);
    if (word.length == 0) {
        return failMissing(c, what);
    }
    if (!snWord_Integer(word, out)) {
        return snCursor_Fail(c, "expected %s, but '%.*s' is not a whole number", what,
                             snWord_Shown(word), word.text);
    }
    return sn_ok;
}

snStatus snCursor_Count(snCursor* c, bool line, const char* what, int64_t* out)
{
    snStatus status = snCursor_Integer(c, line, what, out);
    return !status && *out < 0 ? snCursor_Fail(c, "expected %s, found %lld", what, (long long)*out)
                               : status;
}

snStatus snCursor_EndLine(snCursor* c, const char* what)
{
    snWord word = snCursor_LineWord(c);
    return word.length == 0 ? sn_ok
                            : snCursor_Fail(c, "expected the line to end after %s, found '%.*s'",
                                            what, snWord_Shown(word), word.text);
}

// Binary -------------------------------------------------------------------------

uint64_t snCursor_Bits(snCursor* c, int bytes)
{
    uint64_t value = 0;
    for (int k = 0; k < bytes; ++k) {
        uint64_t byte = (uint8_t)c->at[k];
        value |= byte << (8 * (c->big ? bytes - 1 - k : k));
    }
    c->at += bytes;
    return value;
}

double snCursor_Float(snCursor* c)
{
    uint32_t bits = (uint32_t)snCursor_Bits(c, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

double snCursor_Double(snCursor* c)
{
    uint64_t bits = snCursor_Bits(c, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
