// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tables of the fields of public defs. Descriptions for people and programs come from them, and
// checks where a def's owner asks for it. Defaults stand nowhere in them: a def's Init has them.
#ifndef SN_BASE_DEF_H
#define SN_BASE_DEF_H

#include "base/language.h"
#include <sinew/base.h>

SN_BEGIN_C

typedef enum snDefKind {
    sn_defNumber = 0, // double
    sn_defInteger,    // int32_t
    sn_defFlag,       // int32_t, zero or not
    sn_defChoice,     // int32_t, by its name
    sn_defVector,     // snVec3
    sn_defPose,       // snTransform
    sn_defBits,       // uint32_t, each bit with a name
    sn_defSize,       // size_t, bytes
    sn_defText,       // const char*
    sn_defArray,      // a pointer to entries, or entries
    sn_defObject,     // another struct, or a pointer to an object of the library
    sn_defHook,       // a function of the host's, or its argument
    sn_defKindCount,
} snDefKind;

// "number", "integer" ...
const char* snDefKind_Name(snDefKind kind);

// One field. Only what belongs to its kind is looked at.
typedef struct snDefField {
    const char* name;
    snDefKind kind;
    size_t offset;
    const char* about;            // a line of text
    const char* unit;             // NULL = none
    double low, high;             // numbers, integers, parts of vectors; infinite = no bound
    const char* (*word)(int32_t); // choices, bits: 0, 1, 2 ... until NULL
    const char* of;               // arrays, objects: what it holds
    const char* count;            // arrays: the field that says how many, or a number
} snDefField;

typedef struct snDefTable {
    const char* name;
    const char* about;
    size_t size;             // of the struct
    void (*init)(void* def); // fills the defaults; NULL = there are none
    int32_t count;
    const snDefField* fields;
} snDefTable;

// Every number, integer, choice and vector is within its range; why names the first that is not.
snStatus snDef_Check(const snDefTable* table, const void* def, snMessage* why);

// The fields' places.
double snDefField_Number(const snDefField* field, const void* def);
int32_t snDefField_Integer(const snDefField* field, const void* def);
snVec3 snDefField_Vector(const snDefField* field, const void* def);

SN_END_C

#endif
