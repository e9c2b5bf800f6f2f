// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The tree of records that an FBX file of version 7 is, binary or text. Only what it says is read
// here, not what that means.
#ifndef SN_IO_FBX_TREE_H
#define SN_IO_FBX_TREE_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/message.h"

typedef enum snFbxKind {
    sn_fbxNumber,
    sn_fbxText,
    sn_fbxArray,
} snFbxKind;

// One of a record's values
typedef struct snFbxValue {
    snFbxKind kind;
    double number;     // nearest to it
    int64_t integer;   // of a whole number; exact, since names of objects take 64 bits
    const char* bytes; // of a text; an array as it is in the file
    size_t size;       // of these
    size_t count;      // numbers of an array
    char type;         // of these: f d i l b; t = text
    bool packed;       // zlib's format
} snFbxValue;

typedef struct snFbxRecord {
    const char* name;
    size_t value_count;
    snFbxValue* values; // (value_count)
    struct snFbxRecord *child, *next;
} snFbxRecord;

// The first bytes are those of an FBX file, binary or text.
bool snFbx_Is(const uint8_t* bytes, size_t count);

// Version as the file states it, 7400 for 7.4; 0 = it does not.
int32_t snFbx_Version(const uint8_t* bytes, size_t count);

// Reads the tree. Texts and arrays stay where they are, so the bytes must outlive it. root: a
// record without name that has the others as children.
snStatus snFbx_Parse(snArena* arena, const uint8_t* bytes, size_t count, const snFbxRecord** root,
                     snMessage* why);

// The first child of that name; NULL when there is none, or no record.
const snFbxRecord* snFbx_Child(const snFbxRecord* record, const char* name);

// Numbers of an array, the first value of a child; 0 of them when there is no such array. False
// when it is damaged, or memory runs out.
bool snFbx_Numbers(snArena* arena, const snFbxRecord* record, const char* name, double** out,
                   size_t* count);

// A text value equals this one
bool snFbxValue_Is(const snFbxRecord* record, size_t value, const char* text);

#endif
