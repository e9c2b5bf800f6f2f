// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Typed members of the JSON objects in a scene file: tables of keys, ranges and units, and errors
// that say where, what is wrong and what to do.
#ifndef SN_IO_SCENE_FIELD_H
#define SN_IO_SCENE_FIELD_H

#include "base/json.h"
#include "base/message.h"
#include <sinew/io.h>

// What every part of the reader needs.
typedef struct snSceneReader {
    snHost host;
    snArena arena;            // the tree and all temporary arrays
    const snLibrary* library; // may be NULL
    const char* folder;       // that files are looked for in, with its slash; NULL: read none
    snMessage why;
} snSceneReader;

// Beyond these a number in a file is a mistake; the library's own limits are no narrower.
#define SN_SCENE_LENGTH 1e9  // m
#define SN_SCENE_DEGREES 1e6 // 2800 turns
#define SN_SCENE_FORCE 1e12  // N, Nm, kg, and per unit of anything

typedef enum snFieldKind {
    sn_fieldOther = 0, // read by code of its own
    sn_fieldNumber,    // double in lo..hi
    sn_fieldPositive,  // double above 0, up to hi
    sn_fieldCount,     // int32_t in lo..hi
    sn_fieldVector,    // snVec3, each part in lo..hi
    sn_fieldWord,      // int32_t, by its name
    sn_fieldSwitch,    // int32_t, true or false
    sn_fieldText,      // const char*, of 1 to hi bytes; it lives as long as the tree
} snFieldKind;

// One key of an object, and how its value gets into a struct.
typedef struct snField {
    const char* key;
    snFieldKind kind;
    size_t offset;                // in the struct
    double lo, hi;                // as in the file
    const char* unit;             // for messages; NULL = none
    bool degrees;                 // becomes radians
    const char* (*name)(int32_t); // words: 0, 1, 2 ... until NULL
    uint32_t only;                // bit i: goes with type i of joint, drive ...; 0 = with all
} snField;

// All keys an object may have.
typedef struct snFields {
    const char* what; // "a bone"
    const snField* fields;
    size_t count;
} snFields;

#define SN_FIELDS(what, fields)                            \
    {                                                      \
        what, fields, sizeof(fields) / sizeof((fields)[0]) \
    }

// sn_errorFile, with "line L, column C: " before the text.
snStatus snFailAt(snSceneReader* r, const snJson* at, const char* format, ...) SN_PRINTF(3, 4);

// "X is FOUND; give WANTED", X being the node's key, or `what` inside an array.
snStatus snFailFound(snSceneReader* r, const snJson* node, const char* what, const char* wanted);

// For a library call about what stands at a place: puts the place before its message, and makes an
// argument error a file error.
snStatus snWrapAt(snSceneReader* r, const snJson* at, snStatus status);

snStatus snFailMemory(snSceneReader* r);

// A text from the file made fit for a message: cut to 60 bytes, without control characters.
typedef struct snQuoted {
    char text[68];
} snQuoted;
snQuoted snQuote(const char* text);

// ` did you mean "X"?` or "" in a buffer for messages.
typedef struct snHint {
    char text[100];
} snHint;
snHint snHint_For(const char* word, const char* const* candidates, size_t count);

// The same for a list that ends with NULL, or NULL.
snHint snHint_ForList(const char* word, const char* const* candidates);

// The node is an object and all its keys are in the table.
snStatus snFields_Check(snSceneReader* r, const snJson* object, const snFields* fields);

// Check, then every value that is there and not "other" goes into the struct.
snStatus snFields_Read(snSceneReader* r, const snJson* object, const snFields* fields,
                       void* target);

// Keys that do not go with the type; name is how messages call it: "a ball joint".
snStatus snFields_CheckUse(snSceneReader* r, const snJson* object, const snFields* fields,
                           int32_t type, const char* name);

// The member of that key; an error when absent.
snStatus snFields_Require(snSceneReader* r, const snJson* object, const snFields* fields,
                          const char* key, const snJson** member);

// A number, and an array of exactly `count` numbers, by the field's range.
snStatus snField_Number(snSceneReader* r, const snJson* node, const snField* field, double* out);
snStatus snField_Numbers(snSceneReader* r, const snJson* node, const snField* field, size_t count,
                         double* out);

// 1 to `longest` bytes without control characters; a name has up to 255.
snStatus snField_Text(snSceneReader* r, const snJson* node, size_t longest, const char** out);
snStatus snField_Name(snSceneReader* r, const snJson* node, const char** out);

// A file's path, found from the scene's folder; in the arena. `instead` tells programs that have no
// scene file what else to do: "build the character".
snStatus snField_File(snSceneReader* r, const snJson* node, const char* instead, const char** out);

// The node is an array of lo to hi entries.
snStatus snField_Array(snSceneReader* r, const snJson* node, size_t lo, size_t hi);

#endif
