// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/def.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/number.h"

static const char* const KIND_NAMES[sn_defKindCount] = {"number", "integer", "flag",   "choice",
                                                        "vector", "pose",    "bits",   "size",
                                                        "text",   "array",   "object", "hook"};

const char* snDefKind_Name(snDefKind kind)
{
    return KIND_NAMES[kind];
}

double snDefField_Number(const snDefField* field, const void* def)
{
    double value;
    memcpy(&value, (const char*)def + field->offset, sizeof value);
    return value;
}

int32_t snDefField_Integer(const snDefField* field, const void* def)
{
    int32_t value;
    memcpy(&value, (const char*)def + field->offset, sizeof value);
    return value;
}

snVec3 snDefField_Vector(const snDefField* field, const void* def)
{
    snVec3 value;
    memcpy(&value, (const char*)def + field->offset, sizeof value);
    return value;
}

static bool isWithin(const snDefField* f, double value)
{
    return value >= f->low && value <= f->high;
}

static snStatus failRange(const snDefField* f, const char* found, snMessage* why)
{
    char low[SN_NUMBER_SIZE], high[SN_NUMBER_SIZE];
    snNumber_Print(f->low, low);
    snNumber_Print(f->high, high);
    return snFail(why, sn_errorArgument, "%s must lie in %s..%s%s%s, found %s", f->name, low, high,
                  f->unit ? " " : "", f->unit ? f->unit : "", found);
}

static snStatus checkNumber(const snDefField* f, double value, snMessage* why)
{
    char found[32];
    snprintf(found, sizeof found, "%g", value);
    return isWithin(f, value) ? sn_ok : failRange(f, found, why);
}

static snStatus checkVector(const snDefField* f, snVec3 v, snMessage* why)
{
    char found[96];
    snprintf(found, sizeof found, "(%g, %g, %g)", v.x, v.y, v.z);
    bool within = isWithin(f, v.x) && isWithin(f, v.y) && isWithin(f, v.z);
    return within ? sn_ok : failRange(f, found, why);
}

static snStatus checkChoice(const snDefField* f, int32_t value, snMessage* why)
{
    return f->word(value) ? sn_ok
                          : snFail(why, sn_errorArgument, "%s %d is none of those there are",
                                   f->name, (int)value);
}

snStatus snDef_Check(const snDefTable* table, const void* def, snMessage* why)
{
    snStatus status = sn_ok;
    for (int32_t i = 0; i < table->count && !status; ++i) {
        const snDefField* f = &table->fields[i];
        if (f->kind == sn_defNumber) {
            status = checkNumber(f, snDefField_Number(f, def), why);
        } else if (f->kind == sn_defInteger) {
            status = checkNumber(f, snDefField_Integer(f, def), why);
        } else if (f->kind == sn_defVector) {
            status = checkVector(f, snDefField_Vector(f, def), why);
        } else if (f->kind == sn_defChoice) {
            status = checkChoice(f, snDefField_Integer(f, def), why);
        }
    }
    return status;
}
