// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// JSON (RFC 8259): a reader that makes a tree, and a writer.
#ifndef SN_BASE_JSON_H
#define SN_BASE_JSON_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/number.h"

SN_BEGIN_C

// Nesting beyond this is an error in the reader and the writer: no real file comes near it.
#define SN_JSON_DEPTH 64

// Longer texts are an error in the reader; the tree of a text takes up to 50 times its size.
#define SN_JSON_SIZE ((size_t)1 << 28)

typedef enum snJsonKind {
    sn_jsonNull,
    sn_jsonBool,
    sn_jsonNumber,
    sn_jsonString,
    sn_jsonArray,
    sn_jsonObject,
} snJsonKind;

typedef struct snJson snJson;

struct snJson {
    snJsonKind kind;
    bool boolean;
    double number;        // finite
    const char* string;   // UTF-8, 0-terminated; may hold 0 bytes written as \u0000
    size_t string_length; // bytes
    const char* key;      // inside an object, else NULL; holds no 0 bytes
    snJson* child;        // of an array or object, in the order of the text
    snJson* next;         // sibling
    size_t count;         // children
    uint32_t line;        // where it starts, from 1; inside an object where its key starts
    uint32_t column;      // in characters, from 1
    uint32_t begin, end;  // bytes of the value in the text, without its key: begin .. end - 1
};

// Reads a text into a tree that lives in the arena. A UTF-8 byte order mark is skipped. Errors:
// duplicate keys, invalid UTF-8, lone surrogates, numbers beyond double, and all that RFC 8259
// forbids; why: "line 3, column 7: expected ':' after the key, found '}'".
snStatus snJson_Parse(snArena* arena, const char* text, size_t length, const snJson** root,
                      snMessage* why);

// The member of that name; NULL if absent or when object is NULL or no object.
const snJson* snJson_Get(const snJson* object, const char* key);

// The element of that index, found by walking; NULL if absent. Loops use child and next instead.
const snJson* snJson_At(const snJson* array, size_t index);

// The candidate nearest to a mistyped word by edit distance, or NULL when none is close.
const char* snSuggest(const char* word, const char* const* candidates, size_t count);

// Writes into a growing buffer. Calls in an order that JSON forbids assert. Running out of memory
// or going deeper than SN_JSON_DEPTH sets `failed`, and later calls do nothing.
typedef struct snJsonWriter {
    snHost host;
    char* text;      // 0-terminated once anything was written
    size_t length;   // bytes
    size_t capacity; // bytes
    int indent;      // spaces per level; 0: compact, one line
    int depth;
    bool failed;
    bool too_deep; // why it failed
    bool has_key;  // a key waits for its value
    struct {
        bool object;
        bool started;            // has a child
        bool broken;             // has a child on a line of its own
    } levels[SN_JSON_DEPTH + 1]; // [0] is the document
} snJsonWriter;

// host may be NULL. Indented text keeps numbers, booleans and nulls of an array on one line.
void snJsonWriter_Init(snJsonWriter* writer, const snHost* host, int indent);
void snJsonWriter_Free(snJsonWriter* writer);

// After the last call: ends an indented text with a newline; sn_errorMemory or sn_errorUnsupported
// (depth) if any call failed. text and length stay valid until Free.
snStatus snJsonWriter_Finish(snJsonWriter* writer, snMessage* why);

void snJsonWriter_BeginObject(snJsonWriter* writer);
void snJsonWriter_EndObject(snJsonWriter* writer);
void snJsonWriter_BeginArray(snJsonWriter* writer);
void snJsonWriter_EndArray(snJsonWriter* writer);
void snJsonWriter_Key(snJsonWriter* writer, const char* key);

// Bytes that are no UTF-8 become U+FFFD.
void snJsonWriter_String(snJsonWriter* writer, const char* text);
void snJsonWriter_Bytes(snJsonWriter* writer, const char* text, size_t length);

// NaN and infinities are written as null.
void snJsonWriter_Number(snJsonWriter* writer, double value);
void snJsonWriter_NumberFloat(snJsonWriter* writer, float value);
void snJsonWriter_Int(snJsonWriter* writer, int64_t value);
void snJsonWriter_Bool(snJsonWriter* writer, bool value);
void snJsonWriter_Null(snJsonWriter* writer);

// A value that is JSON text already, taken as it is.
void snJsonWriter_Raw(snJsonWriter* writer, const char* text, size_t length);

SN_END_C

#endif
