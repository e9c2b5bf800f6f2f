// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Methods, settings and defs as JSON, from their tables.
#include <math.h>
#include <sinew/body.h>
#include <sinew/describe.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/message.h"
#include "io/scene/defs.h"
#include "method/method.h"

// More than any def has.
#define LARGEST_DEF 1024
#define MOST_NAMES 100

static void writeText(snJsonWriter* w, const char* key, const char* text)
{
    if (text && text[0]) {
        snJsonWriter_Key(w, key);
        snJsonWriter_String(w, text);
    }
}

static void writeRange(snJsonWriter* w, double low, double high)
{
    if (isfinite(low)) {
        snJsonWriter_Key(w, "low");
        snJsonWriter_Number(w, low);
    }
    if (isfinite(high)) {
        snJsonWriter_Key(w, "high");
        snJsonWriter_Number(w, high);
    }
}

// Methods ---------------------------------------------------------------------

static void writeCapabilities(snJsonWriter* w)
{
    snJsonWriter_BeginArray(w);
    for (const snCapability* c = snCapabilities(); c->name; ++c) {
        snJsonWriter_BeginObject(w);
        writeText(w, "name", c->name);
        writeText(w, "about", c->about);
        snJsonWriter_EndObject(w);
    }
    snJsonWriter_EndArray(w);
}

static void writeChoices(snJsonWriter* w, const char* choices)
{
    snJsonWriter_Key(w, "choices");
    snJsonWriter_BeginArray(w);
    for (const char* word = choices; word;) {
        const char* bar = strchr(word, '|');
        snJsonWriter_Bytes(w, word, bar ? (size_t)(bar - word) : strlen(word));
        word = bar ? bar + 1 : NULL;
    }
    snJsonWriter_EndArray(w);
}

// A number, a word, or true or false, as in scene files.
static void writePreset(snJsonWriter* w, const snSetting* s)
{
    double value = 0;
    (void)snSetting_Parse(s, s->preset, &value, NULL);
    snJsonWriter_Key(w, "default");
    if (s->kind == sn_settingChoice) {
        snJsonWriter_String(w, s->preset);
    } else if (s->kind == sn_settingFlag) {
        snJsonWriter_Bool(w, value > 0);
    } else {
        snJsonWriter_Number(w, value);
    }
}

static void writeSetting(snJsonWriter* w, const snSetting* s)
{
    snJsonWriter_BeginObject(w);
    writeText(w, "name", s->name);
    writeText(w, "scope", snSettingScope_Name(s->scope));
    writeText(w, "kind", snSettingKind_Name(s->kind));
    writeText(w, "unit", s->unit);
    if (s->kind == sn_settingNumber || s->kind == sn_settingInteger) {
        writeRange(w, s->low, s->high);
    }
    writePreset(w, s);
    if (s->kind == sn_settingChoice) {
        writeChoices(w, s->choices);
    }
    writeText(w, "about", s->about);
    snJsonWriter_EndObject(w);
}

static void writeMethod(snJsonWriter* w, const snMethod* method)
{
    snJsonWriter_BeginObject(w);
    writeText(w, "name", method->name);
    writeText(w, "about", method->about);
    snJsonWriter_Key(w, "does");
    snJsonWriter_BeginArray(w);
    for (const snCapability* c = snCapabilities(); c->name; ++c) {
        if (method->does & c->bit) {
            snJsonWriter_String(w, c->name);
        }
    }
    snJsonWriter_EndArray(w);
    snJsonWriter_Key(w, "stages");
    snJsonWriter_BeginArray(w);
    for (int32_t i = 0; i < method->stage_count; ++i) {
        snJsonWriter_String(w, method->stages[i]);
    }
    snJsonWriter_EndArray(w);
    snJsonWriter_Key(w, "settings");
    snJsonWriter_BeginArray(w);
    for (const snSetting* s = method->settings; s && s->name; ++s) {
        writeSetting(w, s);
    }
    snJsonWriter_EndArray(w);
    snJsonWriter_EndObject(w);
}

// Defs ------------------------------------------------------------------------

static void writeNumbers(snJsonWriter* w, const double* numbers, int count)
{
    snJsonWriter_BeginArray(w);
    for (int i = 0; i < count; ++i) {
        snJsonWriter_Number(w, numbers[i]);
    }
    snJsonWriter_EndArray(w);
}

static void writeWord(snJsonWriter* w, const char* word)
{
    if (word) {
        snJsonWriter_String(w, word);
    } else {
        snJsonWriter_Null(w);
    }
}

// A field's default; arrays, objects and hooks have none that could be written.
static void writeDefault(snJsonWriter* w, const snDefField* f, const void* def)
{
    const void* at = (const char*)def + f->offset;
    const char* text;
    double numbers[7];
    uint32_t bits;
    size_t bytes;
    if (f->kind > sn_defText) {
        return;
    }
    snJsonWriter_Key(w, "default");
    switch (f->kind) {
    case sn_defNumber:
        snJsonWriter_Number(w, snDefField_Number(f, def));
        break;
    case sn_defInteger:
        snJsonWriter_Int(w, snDefField_Integer(f, def));
        break;
    case sn_defFlag:
        snJsonWriter_Bool(w, snDefField_Integer(f, def) != 0);
        break;
    case sn_defChoice:
        writeWord(w, f->word(snDefField_Integer(f, def)));
        break;
    case sn_defBits:
        memcpy(&bits, at, sizeof bits);
        snJsonWriter_Int(w, bits);
        break;
    case sn_defSize:
        memcpy(&bytes, at, sizeof bytes);
        snJsonWriter_Int(w, (int64_t)bytes);
        break;
    case sn_defText:
        memcpy(&text, at, sizeof text);
        writeWord(w, text);
        break;
    default: // vectors and poses
        memcpy(numbers, at, f->kind == sn_defPose ? sizeof(snTransform) : sizeof(snVec3));
        writeNumbers(w, numbers, f->kind == sn_defPose ? 7 : 3);
    }
}

// def: with its defaults, or NULL.
static void writeField(snJsonWriter* w, const snDefField* f, const void* def)
{
    snJsonWriter_BeginObject(w);
    writeText(w, "name", f->name);
    writeText(w, "type", snDefKind_Name(f->kind));
    writeText(w, "unit", f->unit);
    if (f->kind == sn_defNumber || f->kind == sn_defInteger || f->kind == sn_defVector) {
        writeRange(w, f->low, f->high);
    }
    if (def) {
        writeDefault(w, f, def);
    }
    if (f->kind == sn_defChoice || f->kind == sn_defBits) {
        snJsonWriter_Key(w, "choices");
        snJsonWriter_BeginArray(w);
        for (int32_t i = 0; f->word(i); ++i) {
            snJsonWriter_String(w, f->word(i));
        }
        snJsonWriter_EndArray(w);
    }
    writeText(w, "of", f->of);
    writeText(w, "count", f->count);
    writeText(w, "about", f->about);
    snJsonWriter_EndObject(w);
}

// Those of a body are in a table of their own.
static void writeControls(snJsonWriter* w, const void* def)
{
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        snDefField f = {.name = c->name,
                        .kind = sn_defNumber,
                        .offset = c->offset,
                        .about = c->about,
                        .unit = c->unit,
                        .low = c->low,
                        .high = c->high};
        writeField(w, &f, def);
    }
}

static void writeDef(snJsonWriter* w, const snDefTable* table)
{
    union {
        char bytes[LARGEST_DEF];
        double aligned;
        void* pointer;
    } def = {{0}};
    const void* defaults = table->init && table->size <= sizeof def ? &def : NULL;
    if (defaults) {
        table->init(&def);
    }
    snJsonWriter_BeginObject(w);
    writeText(w, "name", table->name);
    writeText(w, "about", table->about);
    snJsonWriter_Key(w, "fields");
    snJsonWriter_BeginArray(w);
    for (int32_t i = 0; i < table->count; ++i) {
        writeField(w, &table->fields[i], defaults);
    }
    if (strcmp(table->name, "snBodyDef") == 0) {
        writeControls(w, defaults);
    }
    snJsonWriter_EndArray(w);
    snJsonWriter_EndObject(w);
}

// All -------------------------------------------------------------------------

static void writeAll(snJsonWriter* w)
{
    char version[40];
    uint32_t v = snVersion();
    snprintf(version, sizeof version, "%u.%u.%u", v / 10000, v / 100 % 100, v % 100);
    snJsonWriter_BeginObject(w);
    writeText(w, "version", version);
    snJsonWriter_Key(w, "methods");
    snJsonWriter_BeginArray(w);
    for (int32_t i = 0; snMethod_At(i); ++i) {
        writeMethod(w, snMethod_At(i));
    }
    snJsonWriter_EndArray(w);
    snJsonWriter_Key(w, "capabilities");
    writeCapabilities(w);
    snJsonWriter_Key(w, "defs");
    snJsonWriter_BeginArray(w);
    for (int32_t i = 0; snDefs_At(i); ++i) {
        writeDef(w, snDefs_At(i));
    }
    snJsonWriter_EndArray(w);
    snJsonWriter_EndObject(w);
}

static const snDefTable* findDef(const char* name)
{
    int32_t i = 0;
    while (snDefs_At(i) && strcmp(snDefs_At(i)->name, name) != 0) {
        ++i;
    }
    return snDefs_At(i);
}

static snStatus failName(const char* what, snMessage* why)
{
    const char* names[MOST_NAMES] = {NULL};
    size_t count = 0;
    for (int32_t i = 0; snMethod_At(i) && count < MOST_NAMES; ++i) {
        names[count++] = snMethod_At(i)->name;
    }
    for (int32_t i = 0; snDefs_At(i) && count < MOST_NAMES; ++i) {
        names[count++] = snDefs_At(i)->name;
    }
    const char* near = snSuggest(what, names, count);
    return snFail(why, sn_errorArgument, "there is no method and no def '%.60s'; %s%s%s", what,
                  near ? "did you mean '" : "give the name of one, or all", near ? near : "",
                  near ? "'?" : "");
}

static snStatus write(snJsonWriter* w, const char* what, snMessage* why)
{
    const snMethod* method = what ? snMethod_Find(what) : NULL;
    const snDefTable* table = what ? findDef(what) : NULL;
    if (!what || strcmp(what, "all") == 0) {
        writeAll(w);
    } else if (method) {
        writeMethod(w, method);
    } else if (table) {
        writeDef(w, table);
    } else {
        return failName(what, why);
    }
    return snJsonWriter_Finish(w, why);
}

snStatus snDescribe(const snHost* host, const char* what, char* text, size_t size, size_t* length,
                    snMessage* why)
{
    snMessage_Clear(why);
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status) {
        return status;
    }
    snJsonWriter w;
    snJsonWriter_Init(&w, &taken, 2);
    status = write(&w, what, why);
    if (!status && length) {
        *length = w.length;
    }
    if (!status && text && size <= w.length) {
        status = snFail(why, sn_errorArgument,
                        "the description has %zu bytes and its 0, found room "
                        "for %zu",
                        w.length, size);
    } else if (!status && text) {
        memcpy(text, w.text, w.length + 1);
    }
    snJsonWriter_Free(&w);
    return status;
}
