// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A place in a mesh file: words and numbers of text, bytes of binary parts, and errors that say
// where.
#ifndef SN_IO_MESH_CURSOR_H
#define SN_IO_MESH_CURSOR_H

#include <stdbool.h>

#include "base/message.h"

// No mesh file may be larger.
#define SN_MOST_BYTES ((size_t)1 << 30)

// What fits: indices times 4 stay int32_t.
#define SN_MOST_VERTICES ((int64_t)1 << 27)
#define SN_MOST_CELLS ((int64_t)1 << 28)

typedef struct snCursor {
    const char* start;
    const char* at;
    const char* end;
    int64_t line;   // of the last word, from 1
    int64_t column; // for errors, from 1; 0: they give the line alone
    char comment;   // begins a comment that ends with its line; 0 = there are none
    bool binary;    // errors give the byte in place of the line
    bool big;       // binary numbers begin with their high byte
    snMessage* why; // for errors
} snCursor;

// A mark of UTF-8 at the beginning is passed over.
snCursor snCursor_Start(const void* bytes, size_t count, char comment, snMessage* why);

// "line N: ...", "line N, column M: ..." or, in binary parts, "byte N: ...", as an sn_errorFile.
snStatus snCursor_Fail(const snCursor* cursor, const char* format, ...) SN_PRINTF(2, 3);

// The same as an sn_errorUnsupported: well formed, but nothing that is taken.
snStatus snCursor_Refuse(const snCursor* cursor, const char* format, ...) SN_PRINTF(2, 3);

size_t snCursor_Left(const snCursor* cursor);

// Fails unless count things of at least `bytes` bytes each can still follow and count <= most: no
// memory is taken for what a file merely promises. `what` is a plural.
snStatus snCursor_Promise(const snCursor* cursor, int64_t count, size_t bytes, int64_t most,
                          const char* what);

// Text ---------------------------------------------------------------------------

typedef struct snWord {
    const char* text;
    size_t length; // 0: the line or the text has ended
} snWord;

// The next word of this line.
snWord snCursor_LineWord(snCursor* cursor);

// The next word of this line or a later one.
snWord snCursor_Word(snCursor* cursor);

// Passes over the rest of the line and those that are empty or comments.
void snCursor_NextLine(snCursor* cursor);

bool snWord_Is(snWord word, const char* text);

// The same, small letters and capitals being equal.
bool snWord_IsLike(snWord word, const char* text);

// Errors are from now on about this word, with its column.
void snCursor_Mark(snCursor* cursor, snWord word);

// For "%.*s": long words are cut.
int snWord_Shown(snWord word);

// A finite decimal number, also with a plus sign, leading zeros, `.5` and `5.`
bool snWord_Real(snWord word, double* out);

// A whole number; what is beyond 64 bits is none.
bool snWord_Integer(snWord word, int64_t* out);

// Finite numbers that stand on this line, or also on later ones. `what` is what they are of.
snStatus snCursor_Reals(snCursor* cursor, bool line, int count, double* out, const char* what);

// One whole number of at least 0.
snStatus snCursor_Count(snCursor* cursor, bool line, const char* what, int64_t* out);

// One whole number.
snStatus snCursor_Integer(snCursor* cursor, bool line, const char* what, int64_t* out);

// Fails if another word stands on this line.
snStatus snCursor_EndLine(snCursor* cursor, const char* what);

// Binary -------------------------------------------------------------------------

// The next 1, 2, 4 or 8 bytes as a number without sign. There must be that many.
uint64_t snCursor_Bits(snCursor* cursor, int bytes);

double snCursor_Float(snCursor* cursor);
double snCursor_Double(snCursor* cursor);

#endif
